// The page put together: the room that is shown, its stream of events, and who is asked for what.

import * as api from "./api.js";
import { listenForCards } from "./cards.js";
import { CastPanel } from "./cast.js";
import { Composer } from "./composer.js";
import { byId, drawIcons, el } from "./dom.js";
import { eventsOf, Follower } from "./events.js";
import { face } from "./faces.js";
import { showLogin } from "./login.js";
import { openPanel, setUpPanels } from "./panels.js";
import { isNamed, me, rename } from "./person.js";
import { openProviders } from "./providers.js";
import { RoomList } from "./rooms.js";
import { RoomView } from "./room.js";
import { openSettings } from "./settings.js";
import { askText } from "./sheet.js";
import { showConnection, watchHealth } from "./status.js";
import { Transcript } from "./transcript.js";
import { openWhy } from "./why.js";

const PAGE = 50;
const LOOK_BACK = 6;
const cast = new CastPanel({
  onWord: (word) => (openPanel(null), composer.insert(word)),
  onChoose: (persona) => (openPanel(null), composer.choose(persona)),
  onChange: () => castChanged(),
});
const view = new RoomView({
  onReply: (message) => composer.reply(message),
  onWhy: (message, anchor) => openWhy(message, anchor, (handle) => cast.of(handle)),
  onOlder: () => readOlder(),
  personaOf: (handle) => cast.of(handle),
  me: () => me().id,
});
const composer = new Composer({ send, stop, cast: () => cast.personas });
const rooms = new RoomList({ onOpen: openRoom });

/** The room that is shown: `{id, transcript, follower, isRead, waiting, sent, unknown, isWorking, connection}`. */
let room = null;
const drafts = new Map();

async function start() {
  api.whenLocked(showLogin);
  drawIcons();
  setUpPanels();
  setUpButtons();
  listenForCards(castChanged);
  watchHealth();
  await cast.load();
  await rooms.load(location.hash.slice(2) || undefined);
}

function setUpButtons() {
  showName();
  byId("you").addEventListener("click", askName);
  byId("open-settings").addEventListener("click", () => openSettings(() => castChanged()));
  byId("open-providers").addEventListener("click", () => openProviders(watchHealth));
  addEventListener("hashchange", () => rooms.load(location.hash.slice(2)).catch(() => {}));
  addEventListener("online", () => room?.follower.retry());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible") return;
    room?.follower.retry();
    castChanged().catch(() => {});
  });
  addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, textarea, select, dialog");
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      composer.focus();
    }
  });
}

async function askName() {
  const given = await askText("Who are you?", "The cast knows you as", isNamed() ? me().name : "", { hint: "Kept in this browser, and sent with what you say." });
  if (given === null) return;
  rename(given);
  showName();
}

function showName() {
  byId("your-name").replaceChildren(...(isNamed() ? ["You are ", el("b", { dir: "auto" }, me().name)] : ["Say who you are"]));
}

function openRoom(session) {
  openPanel(null);
  if (room?.id === session.session_id) return;
  if (room) {
    room.follower.close();
    drafts.set(room.id, composer.draft);
  }
  const opened = { id: session.session_id, transcript: new Transcript(), isRead: false, waiting: [], sent: [], unknown: new Set(), isWorking: session.state === "working", connection: "connecting" };
  room = opened;
  history.replaceState(null, "", `#/${session.session_id}`);
  view.begin(opened.transcript);
  byId("welcome").hidden = true;
  composer.begin(drafts.get(opened.id) ?? "");
  if (matchMedia("(hover: hover)").matches) composer.focus();
  opened.follower = new Follower(opened.id, {
    onState: (state) => {
      opened.connection = state;
      if (opened !== room) return;
      showState();
      if (state === "gone") rooms.load().catch(() => {});
    },
    // Listening first and reading then: what happens in between waits, and is known by its id when it was read too.
    onOpen: () => readNewest(opened),
    onEvent: (name, data) => (opened.isRead ? hear(opened, name, data) : opened.waiting.push([name, data])),
  });
}

/** Read the newest messages, at first and whenever the line was broken. The newest reading counts; events wait until it is done. */
async function readNewest(opened) {
  const { transcript } = opened;
  const asked = transcript.last;
  const reading = (opened.reading = {});
  opened.isRead = false;
  try {
    const [messages, session] = await Promise.all([api.messages(opened.id, { limit: PAGE }), api.readSession(opened.id)]);
    if (reading !== opened.reading) return;
    transcript.takeNewest(messages, PAGE, asked);
    opened.isWorking = session.state === "working";
    if (!opened.isWorking && opened.waiting.length === 0) transcript.settle();
    opened.isRead = true;
    while (opened.isRead && opened.waiting.length) hear(opened, ...opened.waiting.shift());
    if (!opened.isRead) return;
    const isStrange = transcript.strangers.length > 0 || (opened.isWorking && transcript.turns.size === 0);
    if (isStrange) findRunning(opened);
    if (opened !== room) return;
    view.update({ toEnd: !asked });
    showState();
    showWelcome();
  } catch (error) {
    // Without the messages the events make no sense: come again with a new line.
    if (error.status !== 404) setTimeout(() => opened === room && !opened.isRead && readNewest(opened), 2000);
  }
}

/** Whose turns a restart has taken up, which no event tells: the plans of the newest messages do. */
async function findRunning(opened) {
  if (opened.isLooking) return;
  opened.isLooking = true;
  const { transcript, reading } = opened;
  const asked = transcript.messages.slice(-LOOK_BACK).map(({ id }) => api.why(id).catch(() => ({ turns: [] })));
  const plans = await Promise.all(asked);
  opened.isLooking = false;
  if (reading !== opened.reading) return opened.isRead ? findRunning(opened) : undefined;
  for (const { message_id: message, turns } of plans) {
    for (const turn of turns) if (turn.status === "running" || turn.status === "waiting") transcript.takeRunning(turn, message);
  }
  // Who was not found now will not be found later; one look for each is enough.
  for (const id of transcript.strangers) opened.unknown.add(id);
  if (opened !== room || !opened.isRead) return;
  view.update();
  showState();
}

let olderFor = null;

async function readOlder() {
  const opened = room;
  const { transcript } = opened;
  if (olderFor === opened || !opened.isRead || !transcript.messages.length) return;
  olderFor = opened;
  try {
    transcript.takeOlder(await api.messages(opened.id, { before: transcript.messages[0].id, limit: PAGE }), PAGE);
    if (opened === room) view.update({ keepPlace: true });
  } catch {
    // Scrolling once more asks again.
  } finally {
    olderFor = null;
  }
}

/** One event of a room. */
function hear(opened, name, data) {
  if (name === "resync") {
    // What was heard of turns does not count any more: the events that follow tell it anew.
    opened.transcript.settle();
    return void readNewest(opened);
  }
  const grown = opened.transcript.take(name, data);
  if (name === "delta" && opened.transcript.strangers.some((id) => !opened.unknown.has(id))) findRunning(opened);
  if (name === "end") readState(opened);
  if (opened !== room || !opened.isRead) return;
  if (grown === null) return;
  if (grown) return view.grow(grown);
  view.update({ toEnd: name === "message" && wasSentHere(opened, data) });
  if (name === "line") announce(`${data.name}: ${data.text}`);
  if (name === "error") announce(data.error);
  showState();
  showWelcome();
}

/** Whether a message was sent from this page; the same person may have another one open, in which nothing should jump. */
function wasSentHere(opened, { text }) {
  const at = opened.sent.indexOf(text);
  if (at >= 0) opened.sent.splice(at, 1);
  return at >= 0;
}

/** What the events cannot tell (turns that began before this page listened) is asked for when something has ended. */
async function readState(opened) {
  if (opened.transcript.isBusy) return;
  const session = await api.readSession(opened.id).catch(() => null);
  opened.isWorking = session?.state === "working" && !opened.transcript.isBusy;
  if (opened === room) showState();
}

function showState() {
  const { transcript, connection } = room;
  const isBusy = transcript.isBusy || room.isWorking;
  composer.setBusy(isBusy);
  rooms.mark(room.id, isBusy);
  const [turn] = transcript.turns.values();
  const speaker = turn ? (cast.of(turn.persona)?.name ?? turn.persona) : null;
  showConnection(connection, speaker ? `${speaker} is ${turn.text ? "speaking" : "thinking"}` : isBusy ? "Somebody is about to speak" : "");
}

/** For those who listen to the page: finished lines only, not each piece. */
function announce(text) {
  byId("heard").textContent = text.slice(0, 1000);
}

const open = new Set();

/** Say something. Resolves when the server has taken it; what comes of it is heard in the room's events. */
async function send({ text, persona, replyTo }) {
  // A stream of its own for each message would use up the few connections that a browser has; a taken message needs none.
  for (const older of open) older.abort();
  open.clear();
  const abort = new AbortController();
  const { id, sent } = room;
  const body = { session_id: id, content: text, user: me(), ...(persona ? { persona } : {}), ...(replyTo ? { reply_to: replyTo } : {}) };
  sent.push(text);
  try {
    const response = await api.send(body, abort.signal);
    open.add(abort);
    drain(response).finally(() => open.delete(abort));
  } catch (error) {
    sent.splice(sent.indexOf(text), 1);
    throw error;
  }
}

/** Read the answer's stream up to its first event, then hang up: the turn goes on without it. */
async function drain(response) {
  try {
    for await (const _ of eventsOf(response)) break;
  } catch {
    // Hung up by us, or cut off: the room's events tell the rest.
  }
}

async function stop() {
  try {
    await api.stopSession(room.id);
  } catch (error) {
    announce(error.message);
  }
}

async function castChanged() {
  const isOther = await cast.load();
  composer.castChanged();
  if (!isOther || !room) return;
  view.rebuild();
  showWelcome();
}

/** An empty room introduces its cast and offers a first sentence. */
function showWelcome() {
  const place = byId("welcome");
  const isEmpty = room.isRead && room.transcript.messages.length === 0 && room.transcript.turns.size === 0;
  place.hidden = !isEmpty;
  if (!isEmpty) return;
  const faces = cast.personas.slice(0, 5).map(({ handle, name, avatar }) => el("li", { "data-tint": handle }, face(handle, name, avatar, "huge"), el("span", { dir: "auto" }, name)));
  const offers = suggestions().map((text) => el("button", { type: "button", class: "offer", dir: "auto", "data-testid": "offer", onclick: () => composer.suggest(text) }, text));
  place.replaceChildren(
    el("ul", { class: "welcome-faces" }, faces),
    el("h2", {}, cast.personas.length ? "They are listening" : "Nobody is here yet"),
    el("p", {}, cast.personas.length ? "Call someone by a word of theirs. Whoever is named first answers first." : "Bring in a character card, and it can be talked to at once."),
    el("div", { class: "offers" }, offers),
  );
}

function suggestions() {
  const words = cast.personas.filter(({ is_alter: isAlter }) => isAlter).flatMap(({ effective_trigger_words: [word] }) => (word ? [word] : []));
  const [one, two] = words;
  const [mainWord] = cast.personas.find(({ is_alter: isAlter }) => !isAlter)?.effective_trigger_words ?? [];
  return [one && two && `${one} and ${two}, what do you think of moths?`, mainWord && `${mainWord}, what is this place?`].filter(Boolean);
}

start().catch((error) => {
  if (error.status === 401) return;
  showConnection("offline");
  announce(error.message);
  setTimeout(() => location.reload(), 3000);
});
