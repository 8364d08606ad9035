// The panels beside the room: columns on a wide page, drawers on a narrow one.

import { byId } from "./dom.js";

const DRAWERS = { rooms: "show-rooms", cast: "show-cast" };
const wide = matchMedia("(min-width: 1100px)");

/** Show one drawer, or none. On a wide page both panels are always there and this changes nothing that is seen. */
export function openPanel(name) {
  const wasOpen = byId("house").dataset.panel;
  byId("house").dataset.panel = name ?? "";
  for (const [panel, button] of Object.entries(DRAWERS)) {
    byId(button).setAttribute("aria-expanded", String(panel === name));
    // What is outside of the page must not be reached by the keyboard either.
    byId(panel).inert = !wide.matches && panel !== name;
  }
  byId("room").inert = Boolean(name) && !wide.matches;
  if (wide.matches) return;
  if (name) byId(name).querySelector(".close-panel").focus({ preventScroll: true });
  else if (wasOpen) byId(DRAWERS[wasOpen]).focus({ preventScroll: true });
}

export function setUpPanels() {
  for (const [panel, button] of Object.entries(DRAWERS)) {
    byId(button).addEventListener("click", () => (wide.matches ? byId(panel).querySelector("button")?.focus() : openPanel(panel)));
    byId(panel).querySelector(".close-panel").addEventListener("click", () => openPanel(null));
  }
  byId("veil").addEventListener("click", () => openPanel(null));
  wide.addEventListener("change", () => openPanel(null));
  addEventListener("keydown", (event) => event.key === "Escape" && byId("house").dataset.panel && openPanel(null));
  openPanel(null);
}
