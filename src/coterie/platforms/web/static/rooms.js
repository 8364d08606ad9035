// The list of rooms: which there are, which one is shown, and what can be done with them.

import * as api from "./api.js";
import { byId, el, iconButton } from "./dom.js";
import { askText, confirm, openPopover, openSheet } from "./sheet.js";

const POLL_MS = 15_000;

/** `calls`: `onOpen(session)`, asked for when another room is to be shown. */
export class RoomList {
  #calls;
  #sessions = [];
  #current = null;
  #rows = new Map();

  constructor(calls) {
    this.#calls = calls;
    byId("new-room").addEventListener("click", () => this.#make());
    setInterval(() => document.visibilityState === "visible" && this.load().catch(() => {}), POLL_MS);
  }

  get current() {
    return this.#sessions.find(({ session_id: id }) => id === this.#current) ?? null;
  }

  /** Read the list. The room asked for by id is opened if it is there, else the default one. */
  async load(wanted = this.#current) {
    const sessions = await api.sessions();
    // The default room stays on top, the others come as the server gives them: newest activity first.
    this.#sessions = [...sessions.filter((each) => each.default), ...sessions.filter((each) => !each.default)];
    const found = this.#sessions.find(({ session_id: id }) => id === wanted) ?? this.#sessions[0];
    if (found && found.session_id !== this.#current) this.open(found);
    this.#show();
  }

  open(session) {
    this.#current = session.session_id;
    this.#show();
    this.#calls.onOpen(session);
  }

  /** The room that is shown works, or rests. */
  mark(id, isWorking) {
    const session = this.#sessions.find(({ session_id: each }) => each === id);
    const state = isWorking ? "working" : "idle";
    if (!session || session.state === state) return;
    session.state = state;
    this.#show();
  }

  /** Bring the list in line. Rows stay the elements they are: somebody may have the focus on one, or a menu open at it. */
  #show() {
    for (const id of this.#rows.keys()) if (!this.#sessions.some((each) => each.session_id === id)) this.#rows.delete(id);
    const rows = this.#sessions.map((session) => {
      const row = this.#rows.get(session.session_id) ?? this.#row(session.session_id);
      this.#rows.set(session.session_id, row);
      this.#write(row, session);
      return row;
    });
    const list = byId("room-list");
    if (rows.length !== list.children.length || rows.some((row, at) => list.children[at] !== row)) list.replaceChildren(...rows);
    const { current } = this;
    if (!current) return;
    byId("room-name").textContent = titleOf(current);
    document.title = `${titleOf(current)} · Coterie`;
  }

  #row(id) {
    const session = () => this.#sessions.find((each) => each.session_id === id);
    const go = el(
      "button",
      { type: "button", class: "room-link", onclick: () => (id === this.#current ? this.#calls.onOpen(session()) : this.open(session())) },
      el("span", { class: "state" }),
      el("span", { class: "row-text", dir: "auto" }),
    );
    const more = iconButton("more", "", { "aria-haspopup": "menu", "data-testid": "room-more" });
    more.addEventListener("click", () => this.#menu(session(), more));
    return el("li", { class: "room-row", "data-testid": "room-row", "data-session": id }, go, more);
  }

  #write(row, session) {
    const isCurrent = session.session_id === this.#current;
    row.dataset.state = session.state;
    row.classList.toggle("current", isCurrent);
    const [go, more] = row.children;
    if (isCurrent) go.setAttribute("aria-current", "page");
    else go.removeAttribute("aria-current");
    go.querySelector(".row-text").textContent = titleOf(session);
    const state = go.querySelector(".state");
    state.className = `state ${session.state}`;
    state.title = session.state === "working" ? "Somebody is speaking" : "Quiet";
    more.setAttribute("aria-label", `What to do with ${titleOf(session)}`);
    more.title = "Rename or delete";
  }

  #menu(session, anchor) {
    let close = () => {};
    const choice = (label, act, testId) =>
      el("button", { type: "button", role: "menuitem", class: "choice", "data-testid": testId, onclick: () => (close(), act(session)) }, label);
    const items = [choice("Rename", (each) => this.#rename(each), "room-rename")];
    if (!session.default) items.push(choice("Delete", (each) => this.#delete(each), "room-delete"));
    close = openPopover(anchor, items, { testId: "room-menu", role: "menu", label: titleOf(session) });
  }

  async #make() {
    const name = await askText("New room", "Its name", "", { done: "Make it", hint: "Every room has the same cast and its own conversation." });
    if (name === null) return;
    await this.#attempt("The room was not made", async () => {
      const session = await api.newSession(name.trim());
      await this.load(session.session_id);
    });
  }

  async #rename(session) {
    const name = await askText("Rename the room", "Its name", session.name);
    if (name === null || name.trim() === session.name) return;
    await this.#attempt("The room keeps its name", async () => {
      await api.changeSession(session.session_id, { name: name.trim() });
      await this.load();
    });
  }

  async #delete(session) {
    const isSure = await confirm(`Delete ${titleOf(session)}?`, "Everything said in it goes too. This cannot be taken back.", "Delete it");
    if (!isSure) return;
    await this.#attempt("The room stays", async () => {
      await api.deleteSession(session.session_id);
      await this.load();
    });
  }

  async #attempt(title, act) {
    try {
      await act();
    } catch (error) {
      openSheet(title, el("p", { role: "alert" }, error.message));
    }
  }
}

const titleOf = (session) => session.name || (session.default ? "The common room" : "A room without a name");
