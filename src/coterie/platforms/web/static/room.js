// Showing a transcript: lines in groups by speaker, notes, and the place in it. What it holds is decided in `transcript`.

import { byId, clock, dayName, el, firstWords, iconButton } from "./dom.js";
import { face } from "./faces.js";
import { render } from "./markdown.js";
import { stageItem, writeTurn } from "./stage.js";

const GROUP_MS = 5 * 60_000;
const NEAR_PX = 90;
const LONG_TEXT = 6000;

/** `calls`: `onReply(message)`, `onWhy(message, button)`, `onOlder()`, `personaOf(handle)` (one of the cast, or nothing), `me()` (a person's id). */
export class RoomView {
  #calls;
  #scroll = byId("scroll");
  #lines = byId("lines");
  #stage = byId("stage");
  #pill = byId("pill");
  #made = new Map();
  #unseen = 0;
  #dirty = new Set();
  #transcript = null;

  constructor(calls) {
    this.#calls = calls;
    this.#scroll.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.#pill.addEventListener("click", () => this.toEnd("smooth"));
    // The composer grows, the keyboard opens, pictures of the cast arrive: who was at the end stays there.
    let wasAtEnd = true;
    this.#scroll.addEventListener("scroll", () => (wasAtEnd = this.isAtEnd), { passive: true });
    new ResizeObserver(() => wasAtEnd && this.toEnd()).observe(this.#scroll);
  }

  get isAtEnd() {
    return this.#scroll.scrollHeight - this.#scroll.scrollTop - this.#scroll.clientHeight < NEAR_PX;
  }

  toEnd(behavior = "instant") {
    this.#scroll.scrollTo({ top: this.#scroll.scrollHeight, behavior });
    this.#countUnseen(0);
  }

  /** Another room: build everything anew. */
  begin(transcript) {
    this.#transcript = transcript;
    this.#clear();
    this.#countUnseen(0);
    byId("older").hidden = true;
  }

  /** The same room with other faces: build everything anew, in the same place. */
  rebuild() {
    const fromEnd = this.#scroll.scrollHeight - this.#scroll.scrollTop;
    this.#clear();
    this.update({ keepPlace: true });
    this.#scroll.scrollTop = this.#scroll.scrollHeight - fromEnd;
  }

  #clear() {
    this.#made.clear();
    this.#lines.replaceChildren();
    this.#stage.replaceChildren();
  }

  /** Bring the page in line with the transcript. `keepPlace` is for older lines, put in front of what is being read. */
  update({ keepPlace = false, toEnd = false } = {}) {
    const wasAtEnd = this.isAtEnd;
    const fromEnd = this.#scroll.scrollHeight - this.#scroll.scrollTop;
    const added = this.#place(this.#lines, this.#items());
    this.#place(this.#stage, this.#stageItems());
    byId("older").hidden = !this.#transcript.hasOlder || this.#transcript.messages.length === 0;
    if (keepPlace) this.#scroll.scrollTop = this.#scroll.scrollHeight - fromEnd;
    else if (wasAtEnd || toEnd) this.toEnd();
    else this.#countUnseen(this.#unseen + added);
  }

  /** Only the text of one turn has grown. Drawn once a frame, however fast it comes. */
  grow(turn) {
    if (this.#dirty.size === 0) requestAnimationFrame(() => this.#drawDirty());
    this.#dirty.add(turn);
  }

  /** Show a message and let it shine for a moment. False when it is not on the page. */
  reveal(id) {
    const line = this.#made.get(`m:${id}`);
    if (!line) return false;
    line.scrollIntoView({ block: "center", behavior: "smooth" });
    line.classList.remove("shine");
    requestAnimationFrame(() => line.classList.add("shine"));
    return true;
  }

  #drawDirty() {
    const wasAtEnd = this.isAtEnd;
    for (const turn of this.#dirty) {
      const place = this.#made.get(`t:${turn.id}`);
      if (place && this.#transcript.turns.get(turn.id) === turn) writeTurn(place, turn);
    }
    this.#dirty.clear();
    if (wasAtEnd) this.toEnd();
  }

  #scrolled() {
    if (this.isAtEnd) this.#countUnseen(0);
    if (this.#scroll.scrollTop < 300 && this.#transcript?.hasOlder) this.#calls.onOlder();
  }

  #countUnseen(count) {
    this.#unseen = count;
    this.#pill.hidden = count === 0;
    byId("pill-text").textContent = count === 1 ? "1 new message" : `${count} new messages`;
  }

  /** Everything to be shown, in order, as `{key, make, isFirst, isNew}`. */
  #items() {
    const notes = groupNotes(this.#transcript.notes);
    const items = this.#noteItems(notes.get(null));
    let before = null;
    for (const message of this.#transcript.messages) {
      const day = new Date(message.at).toDateString();
      const isNewDay = !before || new Date(before.at).toDateString() !== day;
      if (isNewDay) items.push({ key: `d:${day}`, make: () => el("li", { class: "day" }, el("span", {}, dayName(message.at))) });
      const isFirst = isNewDay || !isSameGroup(before, message) || notes.has(before.id);
      items.push({ key: `m:${message.id}`, isFirst, isLine: true, make: () => this.#line(message) });
      items.push(...this.#noteItems(notes.get(message.id)));
      before = message;
    }
    return items;
  }

  #stageItems() {
    const turns = [...this.#transcript.turns.values()];
    const speaking = turns.find(({ text }) => text) ?? turns[0];
    return turns.map((turn) => {
      const state = turn !== speaking ? "waiting" : turn.text ? "speaking" : "typing";
      const make = () => stageItem(turn, this.#calls.personaOf(turn.persona));
      return { key: `t:${turn.id}`, isFirst: true, make, then: (node) => writeTurn(node, turn, state) };
    });
  }

  #noteItems(notes = []) {
    return notes.map((note) => ({ key: note.id, isFirst: true, make: () => noteItem(note, this.#calls.personaOf(note.persona)) }));
  }

  /** Put the items into a list, reusing what is there. Returns how many lines are new. */
  #place(list, items) {
    const keys = new Set(items.map(({ key }) => key));
    for (const node of [...list.children]) {
      if (keys.has(node.dataset.key)) continue;
      node.remove();
      this.#made.delete(node.dataset.key);
    }
    let added = 0;
    let next = list.firstElementChild;
    for (const item of items) {
      let node = this.#made.get(item.key);
      if (!node) {
        node = item.make();
        node.dataset.key = item.key;
        this.#made.set(item.key, node);
        added += item.isLine ? 1 : 0;
      }
      node.classList.toggle("first", Boolean(item.isFirst));
      item.then?.(node);
      if (node === next) next = next.nextElementSibling;
      else list.insertBefore(node, next);
    }
    return added;
  }

  #line(message) {
    const { author } = message;
    const persona = author.persona ? this.#calls.personaOf(author.persona) : null;
    const isMine = !author.persona && author.id === this.#calls.me();
    const side = isMine ? "mine" : author.persona ? "persona" : "person";
    const head = el("div", { class: "by" }, el("span", { class: "who", dir: "auto" }, author.name), clock(message.at));
    const said = el("div", { class: "said" }, head, this.#quoted(message), textOf(message), this.#tools(message));
    const shownFace = isMine ? null : face(speakerOf(message), author.name, message.avatar ?? persona?.avatar ?? null);
    return el(
      "li",
      {
        class: `line ${side}`,
        "data-testid": "line",
        "data-tint": speakerOf(message),
        "data-persona": author.persona,
        "data-message": message.id,
        "data-turn": message.turn,
      },
      shownFace,
      said,
    );
  }

  #tools(message) {
    const why = iconButton("why", `Why did they answer this, or not?`, { class: "why", "aria-haspopup": "dialog", "data-testid": "why" });
    why.addEventListener("click", () => this.#calls.onWhy(message, why));
    const reply = iconButton("reply", `Reply to ${message.author.name}`, { "data-testid": "reply", onclick: () => this.#calls.onReply(message) });
    return el("div", { class: "tools" }, reply, why);
  }

  /** What a person's message replies to. A persona's line answers what stands above it, which needs no telling. */
  #quoted(message) {
    if (!message.replyTo || message.author.persona) return null;
    const target = this.#transcript.message(message.replyTo);
    const words = target ? [el("b", { dir: "auto" }, target.author.name), ` ${firstWords(target.text)}`] : ["An earlier message"];
    return el("button", { type: "button", class: "quoted", dir: "auto", onclick: () => this.reveal(message.replyTo) }, words);
  }
}

function textOf(message) {
  const text = el("div", { class: "text", "data-testid": "text" }, render(message.text));
  if (message.text.length <= LONG_TEXT) return text;
  text.classList.add("folded");
  const unfold = el("button", { type: "button", class: "quiet" }, `Show all ${message.text.length.toLocaleString()} characters`);
  unfold.addEventListener("click", () => {
    text.classList.remove("folded");
    unfold.remove();
  });
  return [text, unfold];
}

function isSameGroup(before, message) {
  const isSame = speakerOf(before) === speakerOf(message) && before.author.name === message.author.name;
  return isSame && !message.replyTo && new Date(message.at) - new Date(before.at) < GROUP_MS;
}

/** Who speaks, as one key: a persona by its handle, a person by the id. */
const speakerOf = ({ author }) => author.persona ?? `person ${author.id}`;

function groupNotes(notes) {
  const groups = new Map();
  for (const note of notes) groups.set(note.after, [...(groups.get(note.after) ?? []), note]);
  return groups;
}

function noteItem(note, persona) {
  const props = { "data-testid": "note", "data-kind": note.kind, "data-persona": note.persona };
  if (!note.persona) return el("li", { ...props, class: `note ${note.kind}` }, note.text);
  const shownName = persona?.name ?? note.persona;
  return el(
    "li",
    { ...props, class: `line persona ${note.kind}`, "data-tint": note.persona },
    face(note.persona, shownName, persona?.avatar ?? null),
    el("div", { class: "said" }, el("div", { class: "by" }, el("span", { class: "who", dir: "auto" }, shownName)), el("div", { class: "text" }, note.text)),
  );
}
