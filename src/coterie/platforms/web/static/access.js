// Who may call whom in a server: lists that are read and written row by row. What each means is said beside it.

import * as api from "./api.js";
import { el, iconButton } from "./dom.js";
import { choiceOf } from "./setting.js";

/** The lists of a server, as elements. `schemas` describe its settings. */
export async function accessPart(workspace, schemas) {
  const [access, personas, sessions] = await Promise.all([api.access(workspace), api.personas(workspace), api.sessions(workspace)]);
  const names = new Map(sessions.filter(({ channel_id: id }) => id).map(({ channel_id: id, name }) => [id, name]));
  const server = new Server(workspace, access, personas, names, schemas);
  const howTo = "Ids are copied on Discord: Settings, Advanced, Developer Mode; then a right click, or a long press, on a channel, a role or a person.";
  return [el("p", { class: "hint" }, howTo), channelNames(names), ...LISTS.map((list) => server.draw(list))];
}

/** A server, and what its lists hold now. Every answer of the API tells all of them. */
class Server {
  #shown = [];

  constructor(workspace, access, personas, names, schemas) {
    Object.assign(this, { workspace, access, personas, names, schemas });
  }

  put(row, what = {}) {
    return api.list(row, what, this.workspace);
  }

  remove(row) {
    return api.unlist(row, this.workspace);
  }

  place(channel) {
    const name = this.names.get(channel);
    return name ? el("span", {}, el("bdi", {}, `#${name}`), " ", el("code", {}, channel)) : el("code", {}, channel);
  }

  persona(handle) {
    return this.personas.find((each) => each.handle === handle)?.name ?? handle;
  }

  draw({ name, title, hint, rows, form }) {
    const result = el("p", { class: "result", role: "status", "data-testid": "access-result" });
    const listed = el("ul", { class: "access-rows" });
    const act = async (call) => {
      try {
        this.access = await call();
        result.textContent = "";
        for (const show of this.#shown) show();
        return true;
      } catch (error) {
        result.textContent = error.message;
        result.classList.add("wrong");
        return false;
      }
    };
    this.#shown.push(() => listed.replaceChildren(...rows(this).map((row) => rowOf(row, act))));
    this.#shown.at(-1)();
    const { controls, call } = form(this);
    const add = el("form", { class: "access-add", autocomplete: "off" }, controls, el("button", { type: "submit", class: "quiet", "data-testid": "access-add" }, "Add"));
    add.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (await act(call)) add.reset();
    });
    return el("section", { class: "access", "data-testid": "access", "data-list": name }, el("h3", {}, title), el("p", { class: "hint" }, hint), listed, add, result);
  }
}

function rowOf({ says, remove }, act) {
  const button = iconButton("close", "Remove this row", { "data-testid": "access-remove" });
  button.addEventListener("click", () => act(remove));
  return el("li", { "data-testid": "access-row" }, el("span", { class: "access-text" }, says), button);
}

const LISTS = [
  {
    name: "channels",
    title: "Channels",
    hint: "Personas may be called in these channels and their threads. With none here, everywhere.",
    rows: (server) => server.access.channels.map(({ channel, cooldown }) => ({ says: [server.place(channel), cooldownText(cooldown)], remove: () => server.remove(["channels", channel]) })),
    form: (server) => {
      const channel = idInput("channel");
      const kind = choiceOf(["", ...(server.schemas["cooldown-type"]?.enum ?? [])], "", { "data-testid": "access-cooldown" });
      kind.options[0].textContent = "the server's";
      const seconds = numberInput(5, server.schemas["cooldown-length"]?.minimum, server.schemas["cooldown-length"]?.maximum);
      const call = () => server.put(["channels", channel.value.trim()], kind.value ? { cooldown: { type: kind.value, length: seconds.valueAsNumber } } : {});
      return { controls: [labelled("Channel", channel), labelled("Cooldown", kind), labelled("Seconds", seconds)], call };
    },
  },
  {
    name: "roles",
    title: "Roles",
    hint: "Only who has one of these roles may call. With none here, everyone.",
    rows: (server) => server.access.roles.map((role) => ({ says: el("code", {}, role), remove: () => server.remove(["roles", role]) })),
    form: (server) => oneId(server, "Role", "roles"),
  },
  {
    name: "blacklist",
    title: "Barred people",
    hint: "They call nobody here, and are not told so.",
    rows: (server) => server.access.blacklist.map((user) => ({ says: el("code", {}, user), remove: () => server.remove(["blacklist", user]) })),
    form: (server) => oneId(server, "Person", "blacklist"),
  },
  {
    name: "personas",
    title: "Personas kept to channels",
    hint: "Who is named here is heard in these channels only; who is not, everywhere.",
    rows: (server) =>
      server.access.personas.flatMap(({ persona, channels }) =>
        channels.map((channel) => ({ says: [server.persona(persona), " in ", server.place(channel)], remove: () => keep(server, persona, channels.filter((each) => each !== channel)) })),
      ),
    form: (server) => {
      const persona = personaChoice(server);
      const channel = idInput("channel");
      const kept = () => server.access.personas.find((row) => row.persona === persona.value)?.channels ?? [];
      return { controls: [labelled("Persona", persona), labelled("Channel", channel)], call: () => keep(server, persona.value, [...new Set([...kept(), channel.value.trim()])]) };
    },
  },
  {
    name: "auto_trigger_channels",
    title: "Auto-trigger channels",
    hint: "Somebody answers here without being called; after how many messages, “How often” says.",
    rows: (server) =>
      server.access.auto_trigger_channels.map(({ channel, persona }) => ({
        says: [persona ? server.persona(persona) : "Main", " in ", server.place(channel)],
        remove: () => server.remove(["auto-trigger-channels", channel]),
      })),
    form: (server) => {
      const channel = idInput("channel");
      const persona = personaChoice(server, "main");
      return { controls: [labelled("Channel", channel), labelled("Who answers", persona)], call: () => server.put(["auto-trigger-channels", channel.value.trim()], persona.value ? { persona: persona.value } : {}) };
    },
  },
  {
    name: "spotlights",
    title: "Spotlights",
    hint: "In this channel this person hears only these personas. Members set this for themselves.",
    rows: (server) => server.access.spotlights.map((row) => ({ says: spotlightText(server, row), remove: () => server.remove(["spotlights", row.user, row.channel]) })),
    form: spotlightForm,
  },
];

const keep = (server, persona, channels) => (channels.length ? server.put(["personas", persona], { channels }) : server.remove(["personas", persona]));

function oneId(server, title, list) {
  const input = idInput(title.toLowerCase());
  return { controls: [labelled(title, input)], call: () => server.put([list, input.value.trim()]) };
}

function spotlightForm(server) {
  const [user, channel, hours] = [idInput("person"), idInput("channel"), numberInput(0, 0, 87_600)];
  const boxes = server.personas.map(({ handle, name }) => el("label", { class: "switch" }, el("input", { type: "checkbox", value: handle }), el("span", { dir: "auto" }, name)));
  const auto = personaChoice(server, "nobody");
  const chosen = () => boxes.map((box) => box.firstChild).filter((box) => box.checked).map((box) => box.value);
  const call = () =>
    server.put(["spotlights", user.value.trim(), channel.value.trim()], { personas: chosen(), auto: auto.value || null, hours: hours.valueAsNumber });
  const controls = [
    labelled("Person", user),
    labelled("Channel", channel),
    el("fieldset", { class: "choices" }, el("legend", {}, "Personas"), boxes),
    labelled("Who answers without a call", auto),
    labelled("Hours; 0 for good", hours),
  ];
  return { controls, call };
}

function spotlightText(server, { user, channel, personas, auto, expires_at: end }) {
  const heard = personas.map((each) => server.persona(each)).join(", ");
  const more = [auto && `${server.persona(auto)} answers without a call`, end && `until ${new Date(end).toLocaleString()}`].filter(Boolean);
  return [el("code", {}, user), " hears ", heard, " in ", server.place(channel), more.length ? ` (${more.join("; ")})` : ""];
}

/** Begin quotas anew: those of one member, or all. */
export function quotaReset(workspace) {
  const user = idInput("person", "everybody");
  user.required = false;
  const result = el("p", { class: "result", role: "status", "data-testid": "quota-result" });
  const form = el("form", { class: "access-add" }, labelled("Begin the quota anew for", user), el("button", { type: "submit", class: "quiet", "data-testid": "quota-reset" }, "Begin anew"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await api.resetQuota(user.value.trim() || null, workspace);
      result.textContent = "It begins anew.";
      result.classList.remove("wrong");
    } catch (error) {
      result.textContent = error.message;
      result.classList.add("wrong");
    }
  });
  return el("div", { class: "setting" }, form, result);
}

const CHANNELS = "channel-names";
const channelNames = (names) => el("datalist", { id: CHANNELS }, [...names].map(([id, name]) => el("option", { value: id }, `#${name}`)));

/** A field for the id of a channel (known ones are offered), a role or a person. */
const idInput = (kind, placeholder = "its id") =>
  el("input", { type: "text", inputmode: "numeric", placeholder, required: true, list: kind === "channel" ? CHANNELS : null, spellcheck: "false", "data-testid": `access-${kind}` });

const numberInput = (value, least, most) => el("input", { type: "number", inputmode: "numeric", value, min: least, max: most, required: true });

/** A choice of one persona; with `nobody`, of none of them first. */
function personaChoice({ personas }, nobody) {
  const first = nobody ? [el("option", { value: "" }, nobody)] : [];
  return el("select", { "data-testid": "access-persona" }, first, personas.map(({ handle, name }) => el("option", { value: handle }, name)));
}

const labelled = (label, control) => el("label", { class: "field" }, el("span", {}, label), control);

const cooldownText = (cooldown) => (cooldown ? ` ${cooldown.type}${cooldown.type === "off" ? "" : `, ${cooldown.length} s`}` : "");
