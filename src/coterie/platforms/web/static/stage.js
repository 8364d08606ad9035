// The turns that wait or speak, below the lines: who is next, who is writing, and the words as they come.

import { el } from "./dom.js";
import { face } from "./faces.js";
import { render } from "./markdown.js";

/** The place of a turn. `persona` is one of the cast, or nothing when it left meanwhile. */
export function stageItem(turn, persona) {
  const shownName = persona?.name ?? turn.persona;
  return el(
    "li",
    { class: "line persona live", "data-testid": "turn", "data-tint": turn.persona, "data-persona": turn.persona, "data-turn": turn.id },
    face(turn.persona, shownName, persona?.avatar ?? null),
    el(
      "div",
      { class: "said" },
      el("div", { class: "by" }, el("span", { class: "who", dir: "auto" }, shownName), el("span", { class: "turn-state" })),
      el("div", { class: "text", "data-testid": "text" }),
    ),
  );
}

const STATES = { typing: "is thinking", waiting: "waits for its turn", speaking: "" };

/** Write what a turn has said so far; `state` is left alone when only the text grew. */
export function writeTurn(place, turn, state) {
  if (state) {
    place.dataset.state = state;
    place.querySelector(".turn-state").textContent = STATES[state];
  }
  const text = place.querySelector(".text");
  if (turn.text) text.replaceChildren(...render(turn.text));
  else text.replaceChildren(dots());
}

const dots = () => el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i"));
