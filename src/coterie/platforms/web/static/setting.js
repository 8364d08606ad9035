// One setting with its control, drawn from the server's own description of it. No setting is known here by its name.

import { el } from "./dom.js";

/** The heading under which a setting stands, and whether it says something in servers only. */
export const groupOf = (schema) => schema["x-group"] ?? "talk";
export const isForServers = (schema) => Boolean(schema["x-only-servers"]);

/** A setting that is saved when it is changed. `save(value)` resolves to what the server has then; `names` are offered to a text. */
export function settingField(name, value, schema, { save, names = [] }) {
  const result = el("p", { class: "result", role: "status", "data-testid": "setting-result" });
  const control = controlFor(name, value, schema, names);
  const say = (sentence, isWrong = false) => {
    result.textContent = sentence;
    result.classList.toggle("wrong", isWrong);
  };
  control.addEventListener("change", async () => {
    const wanted = readControl(control, value);
    if (wanted === value) return say("");
    try {
      value = await save(wanted);
      writeControl(control, value);
      say("Saved.");
    } catch (error) {
      say(error.message, true);
      // What was written by hand stays, to be corrected; what was only chosen goes back to what counts.
      if (control.matches("select, [type=checkbox]")) writeControl(control, value);
    }
  });
  const isSwitch = typeof value === "boolean";
  const label = el("span", {}, labelOf(name, schema));
  return el(
    "div",
    { class: "setting", "data-testid": "setting", "data-setting": name },
    el("label", { class: isSwitch ? "switch" : "field" }, isSwitch ? [control, label] : [label, control]),
    el("p", { class: "hint" }, el("code", {}, name)),
    result,
  );
}

function controlFor(name, value, schema, names) {
  const common = { "data-testid": `setting-${name}` };
  if (typeof value === "boolean") return el("input", { ...common, type: "checkbox", role: "switch", checked: value });
  if (typeof value === "number") return el("input", { ...common, type: "number", inputmode: "numeric", min: schema.minimum, max: schema.maximum, value });
  if (schema.enum) return choiceOf(schema.enum, value, common);
  const offered = names.length ? el("datalist", { id: `names-of-${name}` }, names.map((each) => el("option", { value: each }))) : null;
  if (offered) {
    document.getElementById(offered.id)?.remove();
    document.body.append(offered);
  }
  return el("input", { ...common, type: "text", dir: "auto", maxlength: schema.maxLength, value, list: offered?.id, spellcheck: "false" });
}

/** A choice of some words; the empty one is read as not chosen. */
export const choiceOf = (words, chosen, props = {}) =>
  el("select", props, words.map((word) => el("option", { value: word, selected: word === chosen }, word || "not chosen")));

/** What stands in a control, in the type of the value it had. A number that is none goes to the server as written: its sentence says more. */
function readControl(control, value) {
  if (typeof value === "boolean") return control.checked;
  if (typeof value === "number") return control.value.trim() !== "" && Number.isFinite(Number(control.value)) ? Number(control.value) : control.value;
  return control.value;
}

function writeControl(control, value) {
  if (typeof value === "boolean") control.checked = value;
  else control.value = value;
}

/** The label from the description (what stands before what it takes), else the name in words. */
function labelOf(name, { description }) {
  const label = description?.split("; takes ")[0] ?? name.replaceAll("-", " ");
  return label[0].toUpperCase() + label.slice(1);
}
