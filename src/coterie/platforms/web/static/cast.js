// The cast: faces and the words each persona owns. One persona seen closely is in `persona`, bringing in a card in `cards`.

import * as api from "./api.js";
import { byId, el, iconButton } from "./dom.js";
import { face } from "./faces.js";
import { openPersona } from "./persona.js";

/** `calls`: `onWord(word)`, `onChoose(persona)`, `onChange()` (the cast was changed from here). */
export class CastPanel {
  #calls;
  personas = [];

  constructor(calls) {
    this.#calls = calls;
  }

  of(handle) {
    return this.personas.find((persona) => persona.handle === handle) ?? null;
  }

  /** Read the cast. True when it is another one than before. */
  async load() {
    const personas = await api.personas();
    const isSame = JSON.stringify(personas) === JSON.stringify(this.personas);
    this.personas = personas;
    if (!isSame) this.#show();
    return !isSame;
  }

  #show() {
    byId("cast-list").replaceChildren(...this.personas.map((persona) => this.#card(persona)));
    const shown = this.personas.slice(0, 3).map(({ handle, name, avatar }) => face(handle, name, avatar, "small"));
    const more = this.personas.length - shown.length;
    byId("bar-faces").replaceChildren(...shown, more > 0 ? el("span", { class: "face small blank" }, `+${more}`) : "");
    byId("show-cast").setAttribute("aria-label", `The cast: ${this.personas.map(({ name }) => name).join(", ") || "nobody yet"}`);
  }

  #card(persona) {
    const { handle, name, avatar, is_alter: isAlter } = persona;
    const words = persona.effective_trigger_words.map((word) =>
      el("button", { type: "button", class: "word", dir: "auto", title: `Write “${word}”`, "data-testid": "trigger", onclick: () => this.#calls.onWord(word) }, word),
    );
    const about = el(
      "button",
      { type: "button", class: "cast-name", "aria-label": `About ${name}`, onclick: () => openPersona(persona, this.personas, this.#calls.onChange) },
      face(handle, name, avatar, "large"),
      el("span", { class: "cast-title" }, el("span", { class: "who", dir: "auto" }, name), el("span", { class: "rank" }, isAlter ? "alter" : "main")),
    );
    const only = iconButton("at", `Let only ${name} answer`, { onclick: () => this.#calls.onChoose(persona), "data-testid": "cast-choose" });
    const list = el("div", { class: "words", role: "group", "aria-label": `Words that call ${name}` }, words.length ? words : el("span", { class: "hint" }, "No word calls it."));
    return el("li", { class: "cast-member", "data-testid": "cast-member", "data-persona": handle, "data-tint": handle }, el("div", { class: "cast-row" }, about, only), list);
  }
}
