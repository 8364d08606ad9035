// The settings of this workspace, drawn from what the server answers and from its own description of them. No setting is known here.

import * as api from "./api.js";
import { el } from "./dom.js";
import { openSheet } from "./sheet.js";

/** Open the dialog. `onChange()` is called after each change that was taken. */
export async function openSettings(onChange) {
  const body = el("div", {}, el("p", { class: "hint" }, "Reading the settings"));
  openSheet("Settings", body, { testId: "settings" });
  try {
    const [values, schemas, models] = await Promise.all([api.settings(), describe(), modelNames()]);
    const rows = Object.entries(values).map(([name, value]) => field(name, value, schemas[name] ?? {}, models, onChange));
    body.replaceChildren(el("div", { class: "settings" }, rows));
  } catch (error) {
    body.replaceChildren(el("p", { class: "wrong", role: "alert" }, error.message));
  }
}

/** What the server's own document says about each setting: label and bounds. Without it the names must do. */
async function describe() {
  try {
    const document = await api.schema();
    return document.paths["/v1/settings"].get.responses["200"].content["application/json"].schema.properties ?? {};
  } catch {
    return {};
  }
}

async function modelNames() {
  try {
    return (await api.models()).models.map(({ name }) => name);
  } catch {
    return [];
  }
}

function field(name, value, schema, models, onChange) {
  const result = el("p", { class: "result", role: "status", "data-testid": "setting-result" });
  const control = controlFor(name, value, schema, models);
  const label = labelOf(name, schema);
  const save = async () => {
    const wanted = readControl(control, value);
    if (wanted === value) return say("");
    try {
      const all = await api.changeSettings({ [name]: wanted });
      value = all[name];
      writeControl(control, value);
      say("Saved.");
      onChange();
    } catch (error) {
      say(error.message, true);
      if (typeof value === "boolean") writeControl(control, value);
    }
  };
  function say(sentence, isWrong = false) {
    result.textContent = sentence;
    result.classList.toggle("wrong", isWrong);
  }
  control.addEventListener("change", save);
  const isSwitch = typeof value === "boolean";
  return el(
    "div",
    { class: "setting", "data-testid": "setting", "data-setting": name },
    el("label", { class: isSwitch ? "switch" : "field" }, isSwitch ? [control, el("span", {}, label)] : [el("span", {}, label), control]),
    el("p", { class: "hint" }, el("code", {}, name)),
    result,
  );
}

function controlFor(name, value, schema, models) {
  const common = { "data-testid": `setting-${name}` };
  if (typeof value === "boolean") return el("input", { ...common, type: "checkbox", role: "switch", checked: value });
  if (typeof value === "number") return el("input", { ...common, type: "number", inputmode: "numeric", min: schema.minimum, max: schema.maximum, value });
  const list = name === "model" && models.length ? el("datalist", { id: "model-names" }, models.map((model) => el("option", { value: model }))) : null;
  if (list) document.getElementById("model-names")?.remove();
  if (list) document.body.append(list);
  return el("input", { ...common, type: "text", dir: "auto", maxlength: schema.maxLength, value, list: list ? "model-names" : null, spellcheck: "false" });
}

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
