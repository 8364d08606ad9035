// Why each persona answered a message, or did not: the server's own words, in a popover at the mark.

import * as api from "./api.js";
import { byId, el } from "./dom.js";
import { face } from "./faces.js";
import { openPopover, place } from "./sheet.js";

/** Open the popover for a message. `personaOf` finds one of the cast by handle. */
export async function openWhy(message, anchor, personaOf) {
  const body = el("div", { class: "why-body" }, el("p", { class: "hint" }, "Looking it up"));
  openPopover(anchor, [el("p", { class: "popover-title" }, "Who answered, and why"), body], { testId: "why-popover", label: "Who answered, and why" });
  try {
    body.replaceChildren(...rows(await api.why(message.id), personaOf));
  } catch (error) {
    const sentence = error.status === 404 ? "Nothing is kept about this message: it was never asked, or too long ago." : error.message;
    body.replaceChildren(el("p", { class: "hint" }, sentence));
  }
  place(byId("popover"), anchor);
}

function rows({ turns, skipped }, personaOf) {
  const made = [...turns.map((turn) => row(turn, personaOf, true)), ...skipped.map((skip) => row(skip, personaOf, false))];
  return made.length ? [el("ul", { class: "why-list" }, made)] : [el("p", { class: "hint" }, "The cast was empty.")];
}

const STATUSES = {
  answered: "answered",
  waiting: "waits",
  running: "is answering",
  silent: "said nothing",
  stopped: "was stopped",
  superseded: "gave way",
  failed: "failed",
};

function row(entry, personaOf, isTurn) {
  const { persona: handle, name, meaning, reason, why, status, note } = entry;
  const state = isTurn ? (STATUSES[status] ?? status) : "did not answer";
  return el(
    "li",
    { "data-persona": handle, "data-tint": handle, "data-reason": reason ?? why, class: isTurn ? "turned" : "skipped" },
    face(handle, name, personaOf(handle)?.avatar ?? null, "small"),
    el("div", {}, el("p", {}, el("b", { class: "who", dir: "auto" }, name), ` ${state}`), el("p", { class: "hint" }, meaning), note ? el("p", { class: "wrong" }, note) : null),
  );
}
