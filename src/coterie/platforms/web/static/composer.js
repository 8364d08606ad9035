// The message field: what is typed, whom it replies to, who is chosen by hand. Sending itself is asked of others.

import { byId, el, firstWords, iconButton } from "./dom.js";
import { face } from "./faces.js";
import { openPopover } from "./sheet.js";

const MOST = 200_000;
const COUNT_FROM = 1500;
const TALLEST_PX = 200;

/** `calls`: `send({text, persona, replyTo})` (a promise), `stop()`, `cast()`. */
export class Composer {
  #calls;
  #text = byId("composer-text");
  #note = byId("composer-note");
  #replyTo = null;
  #persona = null;

  constructor(calls) {
    this.#calls = calls;
    byId("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#text.addEventListener("input", () => {
      this.#say("");
      this.#changed();
    });
    this.#text.addEventListener("keydown", (event) => this.#key(event));
    byId("choose").addEventListener("click", (event) => this.#openChoice(event.currentTarget));
    byId("stop").addEventListener("click", () => this.#calls.stop());
    this.#changed();
  }

  get draft() {
    return this.#text.value;
  }

  /** Another room: its own draft, nothing replied to, nobody chosen. */
  begin(draft = "") {
    this.#replyTo = null;
    this.#persona = null;
    this.#say("");
    this.#write(draft);
    this.#showContext();
  }

  focus() {
    this.#text.focus({ preventScroll: true });
  }

  setBusy(isBusy) {
    byId("stop").hidden = !isBusy;
  }

  /** Put a word where the cursor is, with the blanks it needs. */
  insert(word) {
    const { selectionStart: start, selectionEnd: end, value } = this.#text;
    const before = start > 0 && !/\s$/.test(value.slice(0, start)) ? " " : "";
    const after = /^[\s,.!?]/.test(value.slice(end)) ? "" : " ";
    this.#text.setRangeText(before + word + after, start, end, "end");
    this.#changed();
    this.focus();
  }

  /** Replace the draft, as a suggestion does. */
  suggest(text) {
    this.#write(text);
    this.focus();
  }

  reply(message) {
    this.#replyTo = message;
    this.#showContext();
    this.focus();
  }

  choose(persona) {
    this.#persona = persona;
    this.#showContext();
    this.focus();
  }

  /** The cast has changed: who left cannot stay chosen. */
  castChanged() {
    if (this.#persona && !this.#calls.cast().some(({ handle }) => handle === this.#persona.handle)) this.choose(null);
  }

  async #submit() {
    const text = this.#text.value;
    if (!text.trim() || text.length > MOST) return;
    const sent = { text, persona: this.#persona?.handle ?? null, replyTo: this.#replyTo?.id ?? null };
    const replied = this.#replyTo;
    this.#write("");
    this.#say("");
    this.#replyTo = null;
    this.#showContext();
    this.focus();
    try {
      await this.#calls.send(sent);
    } catch (error) {
      // Nothing is lost: what could not be sent comes back in front of what was typed since.
      this.#replyTo ??= replied;
      this.#write(this.#text.value ? `${text}\n${this.#text.value}` : text);
      this.#showContext();
      this.#say(`Not sent. ${error.message}`);
    }
  }

  #key(event) {
    // While an input method composes, Enter belongs to it (229 is how Safari says so after its own end of composing).
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      this.#submit();
    } else if (event.key === "Escape" && (this.#replyTo || this.#persona)) {
      this.#replyTo = null;
      this.choose(null);
    }
  }

  #write(text) {
    this.#text.value = text;
    this.#changed();
  }

  #say(sentence) {
    this.#note.textContent = sentence;
    this.#note.classList.toggle("wrong", Boolean(sentence));
  }

  #changed() {
    const { value } = this.#text;
    byId("send").disabled = !value.trim() || value.length > MOST;
    if (value.length > COUNT_FROM) {
      this.#note.textContent = `${value.length.toLocaleString()} of ${MOST.toLocaleString()} characters`;
      this.#note.classList.toggle("wrong", value.length > MOST);
    }
    this.#text.style.setProperty("height", "auto");
    this.#text.style.setProperty("height", `${Math.min(this.#text.scrollHeight, TALLEST_PX)}px`);
  }

  #showContext() {
    const chips = [];
    if (this.#replyTo) {
      const drop = iconButton("close", "Do not reply to this", { onclick: () => this.reply(null) });
      const words = el("span", { class: "chip-text", dir: "auto" }, "Reply to ", el("b", {}, this.#replyTo.author.name), ` ${firstWords(this.#replyTo.text, 80)}`);
      chips.push(el("div", { class: "chip", "data-testid": "reply-chip" }, words, drop));
    }
    if (this.#persona) {
      const { handle, name, avatar } = this.#persona;
      const drop = iconButton("close", "Let the words decide again", { onclick: () => this.choose(null) });
      const words = el("span", { class: "chip-text", dir: "auto" }, "Only ", el("b", {}, name), " answers");
      chips.push(el("div", { class: "chip", "data-testid": "persona-chip", "data-persona": handle }, face(handle, name, avatar, "tiny"), words, drop));
    }
    byId("context").replaceChildren(...chips);
  }

  #openChoice(button) {
    let close = () => {};
    const choice = (persona, content) => {
      const isChosen = (this.#persona?.handle ?? null) === (persona?.handle ?? null);
      const pick = () => {
        close();
        this.choose(persona);
      };
      return el(
        "button",
        { type: "button", role: "menuitemradio", class: "choice", "aria-checked": String(isChosen), "data-persona": persona?.handle, onclick: pick },
        content,
      );
    };
    const rows = this.#calls.cast().map((persona) => choice(persona, [face(persona.handle, persona.name, persona.avatar, "small"), el("span", { dir: "auto" }, persona.name)]));
    const all = choice(null, [el("span", { class: "face small blank" }, "?"), "Whoever is called"]);
    close = openPopover(button, [el("p", { class: "popover-title" }, "Who answers?"), all, ...rows], { testId: "choice", role: "menu", label: "Who answers?" });
  }
}
