// The cast: faces, the words each persona owns, and one persona seen closely. Bringing in a card is in `cards`.

import * as api from "./api.js";
import { byId, el, icon, iconButton } from "./dom.js";
import { face } from "./faces.js";
import { confirm, openSheet } from "./sheet.js";

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
      { type: "button", class: "cast-name", "aria-label": `About ${name}`, onclick: () => this.#open(persona) },
      face(handle, name, avatar, "large"),
      el("span", { class: "cast-title" }, el("span", { class: "who", dir: "auto" }, name), el("span", { class: "rank" }, isAlter ? "alter" : "main")),
    );
    const only = iconButton("at", `Let only ${name} answer`, { onclick: () => this.#calls.onChoose(persona), "data-testid": "cast-choose" });
    const list = el("div", { class: "words", role: "group", "aria-label": `Words that call ${name}` }, words.length ? words : el("span", { class: "hint" }, "No word calls it."));
    return el("li", { class: "cast-member", "data-testid": "cast-member", "data-persona": handle, "data-tint": handle }, el("div", { class: "cast-row" }, about, only), list);
  }

  #open(persona) {
    const { handle, name, avatar } = persona;
    const remove = el("button", { type: "button", class: "danger", "data-testid": "persona-remove", onclick: () => this.#remove(persona) }, icon("bin"), "Remove");
    openSheet(
      name,
      el(
        "div",
        { class: "about", "data-tint": handle },
        face(handle, name, avatar, "huge"),
        part("Role", persona.role ? el("p", { class: "prose", dir: "auto" }, persona.role) : null),
        part("Words", el("ul", { class: "facts" }, persona.trigger_words.map((word) => this.#wordRow(persona, word)))),
        part("About it", facts(persona.attributes)),
        part("How it speaks", dialogues(persona)),
        el("div", { class: "actions" }, ["png", "json", "charx"].map((format) => exportLink(persona, format)), persona.is_alter ? remove : null),
      ),
      { testId: "persona" },
    );
  }

  /** A word as it was written down, and who it really calls: each word calls one persona. */
  #wordRow(persona, word) {
    const folded = word.normalize("NFC").toLowerCase();
    const owns = ({ effective_trigger_words: words }) => words.some((owned) => owned.normalize("NFC").toLowerCase() === folded);
    if (owns(persona)) return el("li", {}, el("b", { dir: "auto" }, word));
    const owner = this.personas.find(owns);
    return el("li", { class: "lost" }, el("s", { dir: "auto" }, word), owner ? [" calls ", el("bdi", {}, owner.name)] : " calls nobody");
  }

  async #remove({ handle, name }) {
    const isSure = await confirm(`Remove ${name}?`, `${name} leaves the cast. What it said stays. Save it first if you want it back.`, "Remove");
    if (!isSure) return;
    try {
      await api.removePersona(handle);
    } catch (error) {
      openSheet(`${name} stays`, el("p", { role: "alert" }, error.message));
    }
    await this.#calls.onChange();
  }
}

const part = (title, content) => (content ? el("section", {}, el("h3", {}, title), content) : null);

function facts(attributes) {
  if (!attributes.length) return null;
  const rows = attributes.map(({ text, is_public: isPublic }) => el("li", { dir: "auto" }, text, isPublic ? el("span", { class: "tag", title: "Personas called by the same message see this too" }, "public") : null));
  return el("ul", { class: "facts" }, rows);
}

function dialogues({ name, sample_dialogues: samples }) {
  if (!samples.length) return null;
  const line = (who, text) => (text ? el("p", { dir: "auto" }, el("b", {}, who), ` ${text}`) : null);
  return el("div", { class: "samples" }, samples.map(({ user, bot }) => el("div", {}, line("You", user), line(name, bot))));
}

function exportLink({ handle, name }, format) {
  const props = { class: "quiet", href: api.exportAddress(handle, format), download: `${handle}.${format}`, "aria-label": `Save ${name} as ${format.toUpperCase()}` };
  return el("a", props, icon("save"), format.toUpperCase());
}
