// The settings of a workspace and of the person at this page, in parts, and who may call whom in a server.

import * as api from "./api.js";
import { accessPart, quotaReset } from "./access.js";
import { el } from "./dom.js";
import { me } from "./person.js";
import { groupOf, isForServers, settingField } from "./setting.js";
import { openSheet } from "./sheet.js";

const HERE = "local";
const isServer = (workspace) => workspace.startsWith("discord:");

/** Open the dialog. `onChange()` is called after each change that was taken. */
export async function openSettings(onChange) {
  const body = el("div", {}, el("p", { class: "hint" }, "Reading the settings"));
  openSheet("Settings", body, { testId: "settings" });
  try {
    const [workspaces, about, models] = await Promise.all([api.workspaces(), describe(), modelNames()]);
    const parts = el("div", { class: "parts" });
    const show = (workspace) => showParts(parts, workspace, { ...about, models, onChange });
    body.replaceChildren(...(workspaces.length > 1 ? [chooser(workspaces, show)] : []), parts);
    await show(HERE);
  } catch (error) {
    body.replaceChildren(wrong(error));
  }
}

function chooser(workspaces, show) {
  const select = el("select", { "data-testid": "workspace" }, workspaces.map(({ workspace, name }) => el("option", { value: workspace }, titleOf(workspace, name))));
  select.value = HERE;
  select.addEventListener("change", () => show(select.value));
  return el("label", { class: "field workspace" }, el("span", {}, "Where"), select);
}

function titleOf(workspace, name) {
  if (workspace === HERE) return "Here: the rooms of this page";
  const id = workspace.split(":")[1];
  return isServer(workspace) ? name || `The server ${id}` : `Direct messages with ${name || id}`;
}

let showing = null;

/** Draw the parts of a workspace. Whoever is asked for last is shown, however long the others take. */
async function showParts(place, workspace, about) {
  const asked = (showing = {});
  try {
    const parts = await partsOf(workspace, about);
    if (asked === showing) place.replaceChildren(...parts);
  } catch (error) {
    if (asked === showing) place.replaceChildren(wrong(error));
  }
}

async function partsOf(workspace, about) {
  const isOpen = (name) => !isServer(workspace) || name === "talk";
  const [values, own, access] = await Promise.all([
    api.settings(workspace),
    workspace === HERE ? api.personal(me().id) : null,
    isServer(workspace) ? accessPart(workspace, about.settings) : null,
  ]);
  const save = async (name, value) => {
    const all = await api.changeSettings({ [name]: value }, workspace);
    about.onChange();
    return all[name];
  };
  const groups = grouped(values, about.settings, isServer(workspace));
  const parts = Object.entries(groups).map(([name, settings]) => {
    const fields = fieldsOf(settings, about.settings, save, about.models);
    return part(name, [...fields, name === "quotas" ? quotaReset(workspace) : null], isOpen(name));
  });
  if (access) parts.push(part("access", access, false));
  if (own) parts.push(personalPart(own, about.personal));
  return parts;
}

/** Settings by their heading, in the order of the server; those that only servers have are left out elsewhere. */
function grouped(values, schemas, isInServer) {
  const groups = {};
  for (const [name, value] of Object.entries(values)) {
    const schema = schemas[name] ?? {};
    if (isForServers(schema) && !isInServer) continue;
    (groups[groupOf(schema)] ??= {})[name] = value;
  }
  return groups;
}

const fieldsOf = (values, schemas, save, models = []) =>
  Object.entries(values).map(([name, value]) =>
    settingField(name, value, schemas[name] ?? {}, { save: (wanted) => save(name, wanted), names: name === "model" ? models : [] }),
  );

/** What the person at this page has set for themselves. */
function personalPart(values, schemas) {
  const { id } = me();
  const save = async (name, value) => (await api.changePersonal(id, { [name]: value }))[name];
  const mine = Object.fromEntries(Object.entries(values).filter(([name]) => !isForServers(schemas[name] ?? {})));
  return part("you", [el("p", { class: "hint" }, "Yours alone, in every room. On Discord you have settings of your own."), ...fieldsOf(mine, schemas, save)], true);
}

function part(name, content, isOpen) {
  const title = name[0].toUpperCase() + name.slice(1);
  return el("details", { class: "part", open: isOpen, "data-testid": "part", "data-part": name }, el("summary", {}, title), el("div", { class: "settings" }, content));
}

/** What the server's own document says about each setting: label, bounds, heading. Without it the names must do. */
async function describe() {
  try {
    const { paths } = await api.schema();
    const of = (path) => paths[path].get.responses["200"].content["application/json"].schema.properties ?? {};
    return { settings: of("/v1/settings"), personal: of("/v1/people/{user}") };
  } catch {
    return { settings: {}, personal: {} };
  }
}

async function modelNames() {
  try {
    return (await api.models()).models.map(({ name }) => name);
  } catch {
    return [];
  }
}

const wrong = (error) => el("p", { class: "wrong", role: "alert" }, error.message);
