// One persona seen closely: what it is told, what calls it, changing it, saving it as a card, letting it go.

import * as api from "./api.js";
import { el, icon } from "./dom.js";
import { face } from "./faces.js";
import { confirm, openSheet } from "./sheet.js";

/** Open the dialog. `cast` tells who owns which word; `onChange()` is called after each change that was taken. */
export function openPersona(persona, cast, onChange) {
  const { handle, name, avatar } = persona;
  const edit = el("button", { type: "button", class: "quiet", "data-testid": "persona-edit", onclick: () => openEdit(persona, cast, onChange) }, icon("pen"), "Change");
  const remove = el("button", { type: "button", class: "danger", "data-testid": "persona-remove", onclick: () => letGo(persona, onChange) }, icon("bin"), "Remove");
  openSheet(
    name,
    el(
      "div",
      { class: "about", "data-tint": handle },
      face(handle, name, avatar, "huge"),
      part("Role", persona.role ? el("p", { class: "prose", dir: "auto" }, persona.role) : null),
      part("Words", el("ul", { class: "facts" }, persona.trigger_words.map((word) => wordRow(persona, word, cast)))),
      part("About it", facts(persona.attributes)),
      part("How it speaks", dialogues(persona)),
      el("div", { class: "actions" }, edit, ["png", "json", "charx"].map((format) => exportLink(persona, format)), persona.is_alter ? remove : null),
    ),
    { testId: "persona" },
  );
}

const part = (title, content) => (content ? el("section", {}, el("h3", {}, title), content) : null);

/** A word as it was written down, and whom it really calls: each word calls one persona. */
function wordRow(persona, word, cast) {
  const folded = fold(word);
  const owns = ({ effective_trigger_words: words }) => words.some((owned) => fold(owned) === folded);
  if (owns(persona)) return el("li", {}, el("b", { dir: "auto" }, word));
  const owner = cast.find(owns);
  return el("li", { class: "lost" }, el("s", { dir: "auto" }, word), owner ? [" calls ", el("bdi", {}, owner.name)] : " calls nobody");
}

const fold = (word) => word.normalize("NFC").toLowerCase();

function facts(attributes) {
  if (!attributes.length) return null;
  const tag = () => el("span", { class: "tag", title: "Personas called by the same message see this too" }, "public");
  return el("ul", { class: "facts" }, attributes.map(({ text, is_public: isPublic }) => el("li", { dir: "auto" }, text, isPublic ? tag() : null)));
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

function openEdit(persona, cast, onChange) {
  const name = el("input", { type: "text", dir: "auto", maxlength: 80, value: persona.name, "data-testid": "edit-name" });
  const words = el("input", { type: "text", dir: "auto", value: persona.trigger_words.join(", "), "data-testid": "edit-words" });
  const role = el("textarea", { rows: 8, dir: "auto", "data-testid": "edit-role" }, persona.role);
  const wrong = el("p", { class: "wrong", role: "alert", "data-testid": "edit-error" });
  const taken = el("p", { class: "hint", role: "status", "data-testid": "edit-taken" });
  const warn = () => taken.replaceChildren(...takenWords(persona, split(words.value), cast));
  words.addEventListener("input", warn);
  warn();
  const form = el(
    "form",
    { class: "stack" },
    el("label", { class: "field" }, el("span", {}, "Name"), name),
    el("label", { class: "field" }, el("span", {}, "Words that call it, with commas between"), words),
    taken,
    el("label", { class: "field" }, el("span", {}, "Role: what it is told about itself"), role),
    wrong,
    el("div", { class: "actions" }, el("button", { type: "submit", class: "primary", "data-testid": "edit-save" }, "Save")),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const changed = await api.changePersona(persona.handle, { name: name.value, trigger_words: split(words.value), role: role.value, revision: persona.revision });
      await onChange();
      openPersona(changed, cast.map((each) => (each.handle === changed.handle ? changed : each)), onChange);
    } catch (error) {
      wrong.textContent = error.message;
    }
  });
  openSheet(`Change ${persona.name}`, form, { testId: "persona-edit-sheet" });
}

const split = (text) => text.split(/[,、]/).map((word) => word.trim()).filter(Boolean);

/** Which of the words call somebody else, and whom they will call, as sentences: the first of the cast who has a word owns it. */
function takenWords(persona, words, cast) {
  const owns = (word) => ({ handle, effective_trigger_words: owned }) => handle !== persona.handle && owned.some((each) => fold(each) === fold(word));
  const here = cast.findIndex(({ handle }) => handle === persona.handle);
  return words.flatMap((word) => {
    const at = cast.findIndex(owns(word));
    if (at < 0) return [];
    const owner = el("bdi", {}, cast[at].name);
    const rest = at < here ? [" belongs to ", owner, " and goes on calling it. "] : [" belongs to ", owner, ", who loses it to ", el("bdi", {}, persona.name), ". "];
    return [el("span", {}, el("b", { dir: "auto" }, word), rest)];
  });
}

async function letGo({ handle, name }, onChange) {
  const isSure = await confirm(`Remove ${name}?`, `${name} leaves the cast. What it said stays. Save it first if you want it back.`, "Remove");
  if (!isSure) return;
  try {
    await api.removePersona(handle);
  } catch (error) {
    openSheet(`${name} stays`, el("p", { role: "alert" }, error.message));
  }
  await onChange();
}
