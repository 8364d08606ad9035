// Dialogs: a question, the options of a command, and a modal with everything that may be in one.
import { read } from "/static/api.js";
import { make } from "/static/dom.js";

const dialog = () => document.getElementById("dialog");

// Show fields, and give back their values by name; nothing if the person leaves. A field has `node` and `value()`.
function show(title, fields, label = "Send") {
  return new Promise((done) => {
    const place = dialog();
    const form = make("form", { method: "dialog" }, make("h2", {}, title), ...fields.map((field) => field.node),
      make("div", { class: "ends" }, make("button", { type: "button", onclick: () => place.close() }, "Cancel"), make("button", { type: "submit", testid: "submit" }, label)));
    let sent = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      sent = true;
      const values = {};
      for (const field of fields) if (field.value) { const value = await field.value(); if (value !== undefined) values[field.name] = value; }
      place.close();
      done(values);
    });
    place.addEventListener("close", () => { if (!sent) done(null); }, { once: true });
    place.replaceChildren(form);
    place.showModal();
  });
}

function labelled(name, about, input) { return make("label", {}, make("span", {}, name), about && make("small", {}, about), input); }

export async function ask(title, value = "", label = "Save") {
  const input = make("textarea", { rows: 3, "aria-label": title, testid: "answer" });
  input.value = value;
  const values = await show(title, [{ name: "text", node: input, value: () => input.value }], label);
  return values && values.text.trim();
}

export async function choose(title, options) {
  return new Promise((done) => {
    const place = dialog();
    let chosen = null;
    place.addEventListener("close", () => done(chosen), { once: true });
    place.replaceChildren(make("h2", {}, title), ...options.map(([label, value]) => make("button", { type: "button", onclick: () => { chosen = value; place.close(); } }, label)),
      make("div", { class: "ends" }, make("button", { type: "button", onclick: () => place.close() }, "Cancel")));
    place.showModal();
  });
}

function chosen(select) { return [...select.selectedOptions].map((option) => option.value).filter(Boolean); }

function pick(options, { several = false, required = false, empty = "" } = {}) {
  const select = make("select", { multiple: several, required: required && !several });
  if (!several) select.append(make("option", { value: "" }, empty));
  for (const [value, label, preset] of options) select.append(make("option", { value, selected: preset }, label));
  return select;
}

async function readAll(input) { return Promise.all([...input.files].map(read)); }

// Options of a command: one field each, by Discord's kinds.
export function fill(command, options, view) {
  return show(`/${command}`, options.map((option) => optionField(command, option, view)), "Run");
}

function optionField(command, option, view) {
  const { name, type } = option;
  const done = (input, value) => ({ name, node: labelled(name + (option.required ? " *" : ""), option.description, input), value });
  if (option.choices) {
    const select = pick(option.choices.map((one, place) => [String(place), one.name]), { required: option.required });
    return done(select, () => select.value === "" ? undefined : option.choices[Number(select.value)].value);
  }
  if (type === 5) { const select = pick([["true", "yes"], ["false", "no"]], { required: option.required }); return done(select, () => select.value ? select.value === "true" : undefined); }
  if ([6, 7, 8, 9].includes(type)) {
    const select = pick(view.options({ type: { 6: 5, 7: 8, 8: 6, 9: 7 }[type] }), { required: option.required });
    return done(select, () => select.value || undefined);
  }
  if (type === 11) { const input = make("input", { type: "file", required: option.required }); return done(input, async () => (await readAll(input))[0]); }
  const number = type === 4 || type === 10;
  const input = make(number || option.autocomplete ? "input" : "textarea", { rows: 1, type: number ? "number" : "text", step: type === 10 ? "any" : undefined, required: option.required, maxlength: option.max_length, autocomplete: "off" });
  const field = done(input, () => input.value === "" ? undefined : number ? Number(input.value) : input.value);
  if (option.autocomplete) suggest(input, field.node, (typed) => view.complete(command, name, typed));
  return field;
}

function suggest(input, node, complete) {
  const list = make("datalist", { id: `suggested-${Math.random().toString(36).slice(2)}` });
  input.setAttribute("list", list.id);
  node.append(list);
  let newest = 0;
  const look = async () => {
    const mine = ++newest;
    const found = await complete(input.value);
    if (mine === newest) list.replaceChildren(...found.map((one) => make("option", { value: one.value }, one.name)));
  };
  input.addEventListener("focus", look, { once: true });
  input.addEventListener("input", look);
}

// A modal: labels with one input each, rows with a text input, and plain text.
export function modal(data, view) {
  const fields = [];
  for (const one of data.components) {
    if (one.type === 18) fields.push(modalField(one.component, one.label, one.description, view));
    else if (one.type === 1) for (const child of one.components) fields.push(modalField(child, child.label || child.custom_id, null, view));
    else fields.push({ node: make("p", {}, one.content || "") });
  }
  return show(data.title, fields);
}

function modalField(one, label, about, view) {
  const required = one.required !== false;
  const done = (input, value) => ({ name: one.custom_id, node: labelled(label + (required ? " *" : ""), about, input), value });
  if (one.type === 4) {
    const input = make(one.style === 2 ? "textarea" : "input", { rows: 4, placeholder: one.placeholder, required, minlength: one.min_length, maxlength: one.max_length });
    input.value = one.value || "";
    return done(input, () => input.value);
  }
  if (one.type === 19) { const input = make("input", { type: "file", multiple: (one.max_values || 1) > 1, required: required && one.min_values !== 0 }); return done(input, () => readAll(input)); }
  if (one.type === 23) { const input = make("input", { type: "checkbox" }); input.checked = Boolean(one.default); return done(input, () => input.checked); }
  const presets = new Set((one.default_values || []).map((value) => value.id));
  const options = one.options ? one.options.map((option) => [option.value, option.label, option.default]) : view.options(one).map(([value, name]) => [value, name, presets.has(value)]);
  const several = one.type === 22 || (one.max_values || 1) > 1;
  const select = pick(options, { several, required });
  if (one.type === 21) return done(select, () => select.value || undefined);
  return done(select, () => chosen(select));
}
