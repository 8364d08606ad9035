// The one dialog and the one popover of the page: opening, placing, closing. What is in them is built by those who open them.

import { byId, el, iconButton } from "./dom.js";

let onLeave = null;

function leave() {
  const callback = onLeave;
  onLeave = null;
  callback?.();
}

// The event comes a moment after the closing; by then the dialog may be open again with something else in it, which is not left yet.
byId("sheet").addEventListener("close", () => byId("sheet").open || leave());

/** Open the dialog with a title and content. Returns a function that closes it. `onClose` is called however it is left. */
export function openSheet(title, content, { testId, onClose = null } = {}) {
  const sheet = byId("sheet");
  if (sheet.open) sheet.close();
  leave();
  onLeave = onClose;
  const close = () => sheet.open && sheet.close();
  sheet.replaceChildren(
    el(
      "div",
      { class: "sheet-head" },
      el("h2", { id: "sheet-title", dir: "auto" }, title),
      iconButton("close", "Close", { onclick: close, "data-testid": "sheet-close" }),
    ),
    el("div", { class: "sheet-body" }, content),
  );
  sheet.setAttribute("aria-labelledby", "sheet-title");
  sheet.dataset.testid = testId ?? "sheet";
  // A click on the dialog itself is one beside its content. (A handler that returns false would cancel every click.)
  sheet.onclick = (event) => void (event.target === sheet && close());
  sheet.showModal();
  return close;
}

/** Ask a question with a dangerous answer. Resolves to whether it was given. */
export function confirm(title, sentence, yes) {
  return new Promise((resolve) => {
    let isSure = false;
    const act = el("button", { type: "button", class: "danger", "data-testid": "confirm" }, yes);
    const keep = el("button", { type: "button", class: "quiet" }, "Keep it");
    const close = openSheet(title, [el("p", {}, sentence), el("div", { class: "actions" }, keep, act)], {
      testId: "confirm-sheet",
      onClose: () => resolve(isSure),
    });
    keep.addEventListener("click", close);
    act.addEventListener("click", () => {
      isSure = true;
      close();
    });
    keep.focus();
  });
}

/** Ask for one line of text. Resolves to it, or to null. */
export function askText(title, label, value, { most = 80, done = "Save", hint = null } = {}) {
  return new Promise((resolve) => {
    let answer = null;
    const input = el("input", { type: "text", dir: "auto", maxlength: most, value, "data-testid": "ask-input" });
    const form = el(
      "form",
      { class: "stack" },
      el("label", { class: "field" }, el("span", {}, label), input),
      hint ? el("p", { class: "hint" }, hint) : null,
      el("div", { class: "actions" }, el("button", { type: "submit", class: "primary", "data-testid": "ask-done" }, done)),
    );
    const close = openSheet(title, form, { testId: "ask", onClose: () => resolve(answer) });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answer = input.value;
      close();
    });
    input.select();
  });
}

/** Open the popover at a button. It closes at a click elsewhere and at Escape, and gives the focus back. */
export function openPopover(anchor, content, { testId, role = "dialog", label } = {}) {
  const popover = byId("popover");
  if (popover.matches(":popover-open")) popover.hidePopover();
  popover.replaceChildren(...[content].flat());
  popover.dataset.testid = testId;
  popover.setAttribute("role", role);
  popover.setAttribute("aria-label", label);
  popover.tabIndex = -1;
  popover.showPopover({ source: anchor });
  place(popover, anchor);
  popover.focus({ preventScroll: true });
  return () => popover.matches(":popover-open") && popover.hidePopover();
}

/** Put the open popover again where its button is, after its content has changed. */
export function place(popover, anchor) {
  const edge = 10;
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const isRoomBelow = at.bottom + height + edge < innerHeight;
  const top = isRoomBelow ? at.bottom + 6 : Math.max(edge, at.top - height - 6);
  const left = Math.min(Math.max(edge, at.left + at.width / 2 - width / 2), innerWidth - width - edge);
  popover.style.setProperty("top", `${top}px`);
  popover.style.setProperty("left", `${Math.max(edge, left)}px`);
}
