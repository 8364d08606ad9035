// Building elements. Whatever people or models wrote enters the page here, and only as text nodes.

/**
 * Make an element. `props` are attributes (`class`, `data-…`, `aria-…`), except functions, which become listeners (`onclick`).
 * Children are nodes or texts; null and false are left out.
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  // Children first: with `dir="auto"` already there, a browser looks through all of them again for each one that is added.
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  return node;
}

export const byId = (id) => document.getElementById(id);

const STROKES = {
  close: "M6 6l12 12M18 6L6 18",
  menu: "M4 7h16M4 12h16M4 17h10",
  plus: "M12 5v14M5 12h14",
  send: "M5 12h13M12 5l7 7-7 7",
  down: "M12 5v14M6 13l6 6 6-6",
  reply: "M9 7l-5 5 5 5M4 12h9c4 0 7 2.5 7 6",
  why: "M9 9.2a3 3 0 1 1 4.3 2.7c-.9.45-1.3 1-1.3 2M12 17.3v.2",
  at: "M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM15.5 8.5v5c0 3 4.5 2.6 4.5-1.5a8 8 0 1 0-3.2 6.4",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20c.8-3.7 3.5-5.5 7-5.5s6.2 1.8 7 5.5",
  sliders: "M4 8h9M17 8h3M4 16h3M11 16h9M15 6v4M9 14v4",
  spark: "M12 4l1.9 5.1L19 11l-5.1 1.9L12 18l-1.9-5.1L5 11l5.1-1.9zM19 16.5v4M17 18.5h4",
  card: "M6 4h8l4 4v12H6zM14 4v4h4M12 17v-5M9.5 14l2.5-2.5 2.5 2.5",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  pen: "M5 19l1-4L16 5l3 3L9 18z",
  bin: "M5 7h14M10 7V4.5h4V7M7 7l1 12.5h8L17 7",
  save: "M12 4v10M8 11l4 4 4-4M5 19h14",
  stop: "M8 8h8v8H8z",
};

/** A small drawn sign, by name. It says nothing to a screen reader: its button does. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", `icon icon-${name}`);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", STROKES[name]);
  svg.append(path);
  return svg;
}

/** Draw the signs that the page's own markup asks for. */
export function drawIcons() {
  for (const place of document.querySelectorAll("[data-icon]")) place.prepend(icon(place.dataset.icon));
}

/** A button with a sign only. `props` as in `el`. */
export function iconButton(name, label, props = {}) {
  return el("button", { type: "button", "aria-label": label, title: label, ...props, class: `icon-button ${props.class ?? ""}`.trim() }, icon(name));
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

/** The time of day of a moment, as a `time` element. */
export function clock(moment) {
  const at = new Date(moment);
  return el("time", { datetime: moment, title: FULL.format(at) }, CLOCK.format(at));
}

/** The day of a moment in words, seen from `today`. */
export function dayName(moment, today = new Date()) {
  const at = new Date(moment);
  const daysAgo = Math.round((startOfDay(today) - startOfDay(at)) / 86_400_000);
  return daysAgo === 0 ? "Today" : daysAgo === 1 ? "Yesterday" : DAY.format(at);
}

const startOfDay = (at) => new Date(at.getFullYear(), at.getMonth(), at.getDate());

/** The beginning of a text on one line. */
export const firstWords = (text, most = 120) => {
  const line = text.slice(0, most * 2).replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most).trimEnd()}…` : line;
};
