// Models and the accounts they are reached by. A key goes to the server and never comes back.

import * as api from "./api.js";
import { el } from "./dom.js";
import { openSheet } from "./sheet.js";

/** Open the dialog. `onChange()` is called after each change that was taken. */
export async function openProviders(onChange) {
  const body = el("div", {}, el("p", { class: "hint" }, "Reading the models"));
  openSheet("Models and keys", body, { testId: "providers" });
  const show = async () => {
    try {
      const [providers, models, settings] = await Promise.all([api.providers(), api.models(), api.settings()]);
      body.replaceChildren(chooser(models, settings.model ?? "", onChange), el("div", { class: "providers" }, providers.filter(isElsewhere).map((each) => provider(each, changed))));
    } catch (error) {
      body.replaceChildren(el("p", { class: "wrong", role: "alert" }, error.message));
    }
  };
  const changed = async () => {
    onChange();
    await show();
  };
  await show();
}

/** Which model speaks for everyone whom nothing else gives one. */
function chooser({ default: standard, models }, chosen, onChange) {
  const result = el("p", { class: "result", role: "status" });
  const option = (value, label) => el("option", { value, selected: value === chosen }, label);
  const usable = models.filter(({ needs }) => !needs).map(({ name }) => name);
  const unlisted = chosen && !usable.includes(chosen) ? [chosen] : [];
  const select = el("select", { "data-testid": "model" }, option("", `The installation's: ${standard}`), [...unlisted, ...usable].map((name) => option(name, name)));
  select.addEventListener("change", async () => {
    try {
      await api.changeSettings({ model: select.value });
      chosen = select.value;
      result.textContent = "Saved. It speaks from the next message on.";
      result.classList.remove("wrong");
      onChange();
    } catch (error) {
      select.value = chosen;
      result.textContent = error.message;
      result.classList.add("wrong");
    }
  });
  const hint = usable.length < models.length ? el("p", { class: "hint" }, "The models of a provider are listed once it has a key.") : null;
  return el("div", { class: "setting" }, el("label", { class: "field" }, el("span", {}, "The cast speaks through"), select), hint, result);
}

function provider(entry, changed) {
  const { name, title } = entry;
  const isSet = entry.has_key || entry.from_environment || Boolean(entry.base_url);
  const key = el("input", { type: "password", autocomplete: "off", spellcheck: "false", placeholder: keyHint(entry), "data-testid": "provider-key" });
  const address = el("input", { type: "url", spellcheck: "false", value: entry.base_url, placeholder: entry.default_base_url, "data-testid": "provider-base-url" });
  const model = el("input", { type: "text", spellcheck: "false", value: entry.model, placeholder: entry.default_model, "data-testid": "provider-model" });
  const result = el("p", { class: `result ${entry.problem ? "wrong" : ""}`, role: "status", "data-testid": "provider-result" }, entry.problem);
  const save = el("button", { type: "submit", class: "primary", "data-testid": "provider-save" }, "Check and save");
  const forget = el("button", { type: "button", class: "quiet", "data-testid": "provider-forget" }, "Forget");
  const act = async (call) => {
    save.disabled = forget.disabled = true;
    result.textContent = "Asking the provider";
    result.classList.remove("wrong");
    try {
      await call();
      await changed();
    } catch (error) {
      result.textContent = error.message;
      result.classList.add("wrong");
    } finally {
      save.disabled = forget.disabled = false;
    }
  };
  const form = el(
    "form",
    { class: "stack", autocomplete: "off" },
    field(entry.needs_key ? "Key" : "Key, if it asks for one", key),
    field("Address", address),
    field("Model", model),
    result,
    el("div", { class: "actions" }, entry.has_key || entry.base_url || entry.model ? forget : null, save),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act(() => api.changeProvider(name, { ...(key.value ? { key: key.value } : {}), base_url: address.value, model: model.value }));
  });
  forget.addEventListener("click", () => act(() => api.forgetProvider(name)));
  const state = el("span", { class: `tag ${isSet ? "good" : ""}` }, stateOf(entry));
  return el("details", { class: "provider", "data-testid": "provider", "data-provider": name }, el("summary", {}, el("span", {}, title || name), state), form);
}

/** Whether there is anything to set: a model inside the process has neither a key nor an address. */
const isElsewhere = (entry) => entry.needs_key || entry.variables.length > 0 || Boolean(entry.default_base_url);

const field = (label, control) => el("label", { class: "field" }, el("span", {}, label), control);

function stateOf(entry) {
  if (entry.has_key) return "key saved";
  if (entry.from_environment) return "key from the environment";
  if (entry.base_url) return "address saved";
  return entry.needs_key ? "no key" : "no key needed";
}

function keyHint(entry) {
  if (entry.has_key) return "A key is saved; write another to replace it";
  if (entry.from_environment) return `Taken from ${entry.variables[0] ?? "the environment"}`;
  return entry.variables.length ? `Or set ${entry.variables[0]}` : "";
}
