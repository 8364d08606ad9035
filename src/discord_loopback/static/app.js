// The page: which person, which channel, what is there; keeps up with the stream of what happens.
import { call, listen, read } from "/static/api.js";
import { make } from "/static/dom.js";
import { ask, choose, fill, modal } from "/static/forms.js";
import { draw } from "/static/messages.js";

const $ = (id) => document.getElementById(id);
const state = { people: [], guilds: [], applications: [], directs: [], visible: new Set(), may: new Set(), messages: [], commands: [], me: "", guild: "", channel: "", replying: null, typing: new Map(), waiting: new Map(), wrote: 0, beat: 0 };
const SIGNS = { 0: "#", 2: "🔊", 5: "📣", 13: "🎙", 15: "🗂", 16: "🖼" };
const STRUCTURE = /^(GUILD_|CHANNEL_(?!PINS)|THREAD_|LOOPBACK_(CONNECTED|DISCONNECTED|MISSED))/;

const guild = () => state.guilds.find((one) => one.id === state.guild);
// What the server lets a person see and do; the internal API itself asks nobody.
const places = () => (guild()?.channels || []).filter((one) => state.visible.has(one.id));
const channel = () => [...places(), ...state.directs].find((one) => one.id === state.channel);
const member = (id) => guild()?.members.find((one) => one.user.id === id);

const view = {
  get me() { return state.me; },
  names: {
    user: (id) => { const found = member(id); const user = found?.user || everyone().find((one) => one.id === id); return found?.nick || user?.global_name || user?.username || id; },
    role: (id) => guild()?.roles.find((one) => one.id === id)?.name || id,
    channel: (id) => guild()?.channels.find((one) => one.id === id)?.name || id,
  },
  member: (id) => { const found = member(id); return found && { avatar: found.avatar, guild: state.guild }; },
  // An application's answers come by a webhook that has the id of its account.
  shown: (one) => one.webhook_id && one.webhook_id === one.author.id && !member(one.author.id) ? one.author.username : view.names.user(one.author.id),
  number: (id) => state.people.findIndex((one) => one.id === id),
  may: (name) => state.may.has(name),
  mayWrite: () => state.may.has(channel()?.thread_metadata ? "send_messages_in_threads" : "send_messages"),
  options: (one) => one.options ? one.options.map((option) => [option.value, option.label])
    : one.type === 8 ? (guild()?.channels || []).map((each) => [each.id, `#${each.name}`])
    : [...(one.type === 6 ? [] : (guild()?.members || []).map((each) => [each.user.id, view.names.user(each.user.id)])),
       ...(one.type === 5 ? [] : (guild()?.roles || []).map((each) => [each.id, `@${each.name}`]))],
  open: (id) => open(id),
  reply(one) { state.replying = one; $("answering").hidden = false; $("answering").firstElementChild.textContent = `Replying to ${view.shown(one)}`; $("text").focus(); },
  react: (one, emoji, remove) => act("react", { message: one.id, emoji: emoji.id ? `${emoji.name}:${emoji.id}` : emoji.name, remove }),
  async askReaction(one) {
    const own = (guild()?.emojis || []).map((each) => [`:${each.name}:`, `${each.name}:${each.id}`]);
    const emoji = await choose("React", [..."👍👎❤😂🎉👀"].map((each) => [each, each]).concat(own));
    if (emoji) await act("react", { message: one.id, emoji });
  },
  async askEdit(one) { const content = await ask("Edit", one.content); if (content) await act("edit", { message: one.id, content }, false); },
  async askThread(one) { const name = await ask("Name of the thread", "", "Begin"); if (name) await open((await act("begin_thread", { message: one.id, name })).id); },
  remove: (one) => act("delete", { message: one.id }, false),
  press: async (one, button) => begun(await act("press", { message: one.id, button: button.custom_id })),
  select: async (one, component, values) => begun(await act("select", { message: one.id, custom_id: component.custom_id, values })),
  async apps(one) {
    const found = state.commands.filter((each) => each.type === 3);
    const name = await choose("Apps", found.map((each) => [each.name, each.name]));
    if (name) begun(await act("menu", { message: one.id, command: name }));
  },
  async complete(command, option, typed) {
    const made = await act("autocomplete", { command, option, typed });
    const data = made && await new Promise((done) => { state.waiting.set(made.id, done); look(made.id); });
    return data?.choices || [];
  },
};

const everyone = () => [...state.people, ...state.applications.map((one) => one.bot)];

function tell(error) {
  $("trouble").textContent = error.message;
  $("trouble").hidden = false;
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => { $("trouble").hidden = true; }, 6000);
}

async function act(operation, args, personal = true) {
  try {
    return await call(operation, { channel: state.channel, ...(personal ? { person: state.me } : {}), ...args });
  } catch (error) { tell(error); return null; }
}

// An interaction has begun: a modal may come of it. Whichever is first, the note or this question, finds it.
function begun(made) {
  if (!made) return;
  state.waiting.set(made.id, (data) => showModal(made.id, data));
  look(made.id);
  setTimeout(() => { if (state.waiting.delete(made.id)) tell(new Error("The application did not respond.")); }, 3500);
}

async function look(id) {
  const answer = await call("answer_of", { interaction: id });
  if (answer.type !== null) answered(id, answer);
}

function answered(id, answer) {
  const waiting = state.waiting.get(id);
  if (!waiting) return;
  state.waiting.delete(id);
  waiting(answer.data);
}

async function showModal(id, data) {
  if (!data?.components) return;
  const fields = await modal(data, view);
  if (!fields) return;
  try { begun(await call("submit", { interaction: id, fields })); } catch (error) { tell(error); }
}

// Drawing

function drawSide() {
  $("person").replaceChildren(...state.people.map((one) => make("option", { value: one.id, selected: one.id === state.me }, one.global_name || one.username)));
  $("guild").replaceChildren(...state.guilds.map((one) => make("option", { value: one.id, selected: one.id === state.guild }, one.name)));
  const entry = (one, sign, inside) => make("button", { type: "button", class: inside ? "inside" : "", testid: "channel", "aria-current": one.id === state.channel ? "page" : undefined, onclick: () => open(one.id) }, `${sign} ${one.name}`);
  const all = places();
  const parents = all.filter((one) => !one.thread_metadata && one.type !== 4).sort((a, b) => a.position - b.position);
  const nodes = parents.flatMap((one) => [entry(one, SIGNS[one.type] || "#"), ...all.filter((each) => each.parent_id === one.id && each.thread_metadata && !each.thread_metadata.archived).map((each) => entry(each, each.type === 12 ? "🔒" : "🧵", true))]);
  const bots = state.applications.map((one) => make("button", { type: "button", onclick: () => direct(one.bot) }, `@ ${one.name}${one.connected ? "" : " (away)"}`));
  $("channels").replaceChildren(make("h2", {}, "Channels"), ...nodes, make("h2", {}, "Direct messages"), ...bots);
}

const titled = (one) => one.recipients ? `@ ${one.recipients.map((each) => each.username).join(", ")}` : `${one.thread_metadata ? "🧵" : SIGNS[one.type] || "#"} ${one.name}`;

function drawMessages() {
  const place = $("messages");
  const low = place.scrollHeight - place.scrollTop - place.clientHeight < 80;
  place.replaceChildren(...state.messages.map((one, at) => draw(one, state.messages[at - 1], view)));
  if (low || drawMessages.fresh) place.scrollTop = place.scrollHeight;
  drawMessages.fresh = false;
  drawTyping();
}

function drawComposer() {
  const here = channel(), may = Boolean(here) && view.mayWrite();
  const about = [15, 16].includes(here?.type) ? "Name of a post, then its text on the next line" : `Message ${here ? titled(here) : ""}`;
  $("text").placeholder = may ? about : "You may not write here.";
  // Commands need no right to write.
  $("text").disabled = !may && !view.may("use_application_commands");
  $("files").disabled = !may || !view.may("attach_files");
}

function drawTyping() {
  const now = Date.now();
  const names = [...state.typing].filter(([id, until]) => until > now && id !== state.me).map(([id]) => view.names.user(id));
  $("typing").textContent = names.length ? `${names.join(", ")} ${names.length > 1 ? "are" : "is"} typing…` : "";
}

// Keeping up

async function load() {
  [state.people, state.guilds, state.applications] = await Promise.all([call("people"), call("guilds"), call("applications")]);
  state.me = state.people.some((one) => one.id === state.me) ? state.me : state.people[0]?.id || "";
  state.guild = guild()?.id || state.guilds[0]?.id || "";
  [state.directs, state.visible] = state.me ? [await call("directs", { person: state.me }), new Set(await call("visible", { person: state.me }))] : [[], new Set()];
  if (!channel()) state.channel = places().find((one) => one.type === 0)?.id || "";
  drawSide();
}

async function open(id) {
  if (state.channel !== id) state.messages = [];
  state.channel = id;
  state.replying = null;
  state.typing.clear();
  $("answering").hidden = true;
  document.body.classList.remove("open");
  if (!channel()) await load();
  const here = channel();
  $("title").textContent = here ? titled(here) : "No channel to see";
  $("topic").textContent = here?.topic || "";
  drawSide();
  if (!here) { [state.messages, state.may] = [[], new Set()]; drawMessages(); drawComposer(); return; }
  await refresh(true);
}

async function refresh(fresh = false) {
  const id = state.channel, beat = state.beat;
  if (!id) return;
  const [messages, commands, may] = await Promise.all([call("messages", { channel: id, person: state.me }), call("commands", { channel: id, person: state.me }), call("allowed", { channel: id, who: state.me })]);
  if (id !== state.channel) return;
  // What was heard meanwhile may be newer than the answer.
  const known = new Set(messages.map((one) => one.id)), last = BigInt(messages.at(-1)?.id || 0);
  const newer = beat === state.beat ? [] : state.messages.filter((one) => !known.has(one.id) && BigInt(one.id) > last);
  [state.messages, state.commands, state.may] = [[...messages, ...newer], commands, new Set(may)];
  drawComposer();
  drawMessages.fresh = fresh;
  drawMessages();
  // Something happened between the question and its answer, which may not hold it.
  if (beat !== state.beat) soon(refresh);
}

async function direct(bot) {
  const made = await act("direct", { other: bot.id, channel: undefined });
  if (made) { state.directs = await call("directs", { person: state.me }); await open(made.id); }
}

const settling = new Map();
function soon(work) {
  clearTimeout(settling.get(work));
  settling.set(work, setTimeout(() => work().catch(tell), 60));
}

async function reload() {
  const before = state.channel;
  await load();
  await (state.channel === before ? refresh() : open(state.channel));
}

function hear(note) {
  if (note.name === "LOOPBACK_INTERACTION_ANSWERED" && note.eyes === state.me) answered(note.data.id, note.data);
  if (STRUCTURE.test(note.name)) { soon(reload); return; }
  if (note.channel !== state.channel || !["0", state.me].includes(note.eyes)) return;
  state.beat += 1;
  if (note.name === "TYPING_START") { state.typing.set(note.data.user_id, Date.now() + 10000); drawTyping(); setTimeout(drawTyping, 10100); }
  else if (note.name === "MESSAGE_CREATE") { state.typing.delete(note.data.author.id); if (!state.messages.some((one) => one.id === note.data.id)) state.messages.push(note.data); drawMessages(); }
  else if (note.name === "MESSAGE_UPDATE") { state.messages = state.messages.map((one) => one.id === note.data.id ? { ...note.data, reactions: one.reactions } : one); drawMessages(); }
  else if (note.name === "MESSAGE_DELETE") { state.messages = state.messages.filter((one) => one.id !== note.data.id); drawMessages(); }
  else if (note.name.startsWith("MESSAGE_")) refresh().catch(tell);
}

// Writing

function offer() {
  const typed = $("text").value;
  const words = typed.slice(1).trim().toLowerCase();
  const found = typed.startsWith("/") ? paths().filter((one) => one.path.startsWith(words)) : [];
  $("choices").hidden = !found.length;
  $("choices").replaceChildren(...found.slice(0, 25).map((one) => make("button", { type: "button", testid: "command", onclick: () => run(one) }, `/${one.path}`, make("small", {}, one.description))));
}

function paths() {
  const deep = (path, one) => one.options?.some((each) => each.type <= 2) ? one.options.filter((each) => each.type <= 2).flatMap((each) => deep(`${path} ${each.name}`, each)) : [{ path, description: one.description, options: one.options || [] }];
  return state.commands.filter((one) => one.type === 1).flatMap((one) => deep(one.name, one));
}

async function run(one) {
  $("choices").hidden = true;
  $("text").value = "";
  const options = one.options.length ? await fill(one.path, one.options, view) : {};
  if (options) begun(await act("slash", { command: one.path, options }));
}

async function send(event) {
  event?.preventDefault();
  const content = $("text").value.trim();
  const files = await Promise.all([...$("files").files].map(read));
  if (content.startsWith("/")) { const exact = paths().find((one) => `/${one.path}` === content); if (exact) { await run(exact); return; } }
  if (!content && !files.length) return;
  if (!view.mayWrite()) { tell(new Error("You may not write here.")); return; }
  const here = channel();
  const [name, ...rest] = content.split("\n");
  const made = [15, 16].includes(here?.type) ? await act("post", { name, content: rest.join("\n") || name })
    : await act("write", { content, files, reply_to: state.replying?.id || "0" });
  if (!made) return;
  $("text").value = "";
  $("files").value = "";
  $("chosen").textContent = "";
  state.replying = null;
  $("answering").hidden = true;
  drawMessages.fresh = true;
  if (made.thread_metadata) await open(made.id);
}

$("composer").addEventListener("submit", send);
$("text").addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event); });
$("text").addEventListener("input", () => {
  offer();
  if ($("text").value && !$("text").value.startsWith("/") && Date.now() - state.wrote > 8000) { state.wrote = Date.now(); act("type", {}); }
});
$("files").addEventListener("change", () => { $("chosen").textContent = [...$("files").files].map((file) => file.name).join(", "); });
$("answering").lastElementChild.addEventListener("click", () => { state.replying = null; $("answering").hidden = true; });
$("menu").addEventListener("click", () => document.body.classList.toggle("open"));
$("person").addEventListener("change", async () => { state.me = $("person").value; await load(); await open(state.channel); });
$("guild").addEventListener("change", async () => { state.guild = $("guild").value; state.channel = ""; await load(); await open(state.channel); });

listen(hear, () => soon(reload));
load().then(() => open(state.channel)).catch(tell);
