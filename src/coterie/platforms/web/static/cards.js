// Bringing in a character card: by the file field or dropped onto the page, asked about, reported.

import * as api from "./api.js";
import { byId, el } from "./dom.js";
import { face } from "./faces.js";
import { openSheet } from "./sheet.js";

/** Listen for files. `onImported(persona)` is called after each card that came in. */
export function listenForCards(onImported) {
  const input = byId("import-file");
  byId("import").addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    if (input.files[0]) openCard(input.files[0], onImported);
    input.value = "";
  });
  let depth = 0; // Entering a child fires before leaving its parent.
  const show = (isOver) => (byId("drop").hidden = !isOver);
  const hasFile = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragenter", (event) => hasFile(event) && show(++depth > 0));
  addEventListener("dragleave", (event) => hasFile(event) && show(--depth > 0));
  addEventListener("dragover", (event) => hasFile(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    depth = 0;
    show(false);
    const [file] = event.dataTransfer.files;
    if (file) openCard(file, onImported);
  });
}

function openCard(file, onImported) {
  const triggers = el("input", { type: "text", dir: "auto", maxlength: 1000, "data-testid": "import-triggers" });
  const wrong = el("p", { class: "wrong", role: "alert", "data-testid": "import-error" });
  const submit = el("button", { type: "submit", class: "primary", "data-testid": "import-submit" }, "Bring it in");
  const form = el(
    "form",
    { class: "stack" },
    el("p", {}, el("b", { dir: "auto" }, file.name), ` (${sizeOf(file)})`),
    el(
      "fieldset",
      { class: "choices" },
      el("legend", {}, "It becomes"),
      radio("alter", "an alter", "called by its own words", true),
      radio("main", "the main persona", "in the place of the one that is main now", false),
    ),
    el("label", { class: "field" }, el("span", {}, "Further words that call it, with commas between"), triggers),
    wrong,
    el("div", { class: "actions" }, submit),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    wrong.textContent = "";
    try {
      const { persona, report } = await api.importCard(file, new FormData(form).get("type"), triggers.value);
      await onImported(persona);
      showReport(persona, report);
    } catch (error) {
      wrong.textContent = error.message;
      submit.disabled = false;
    }
  });
  openSheet("Bring in a card", form, { testId: "import-sheet" });
}

const radio = (value, label, hint, isChecked) =>
  el("label", {}, el("input", { type: "radio", name: "type", value, checked: isChecked }), el("span", {}, label, el("small", {}, hint)));

const sizeOf = ({ size }) => (size === 0 ? "empty" : `${Math.ceil(size / 1024).toLocaleString()} KiB`);

const FATES = { used: "used", repaired: "repaired", kept: "kept unread", dropped: "left out" };

function showReport(persona, report) {
  const rows = report.map(({ part, fate, note }) =>
    el("li", { "data-fate": fate }, el("span", { class: `fate ${fate}` }, FATES[fate] ?? fate), el("span", { dir: "auto" }, el("b", {}, part), note ? ` ${note}` : null)),
  );
  const words = persona.effective_trigger_words.join(", ");
  openSheet(
    `${persona.name} is here`,
    el(
      "div",
      { class: "about", "data-tint": persona.handle },
      face(persona.handle, persona.name, persona.avatar, "huge"),
      el("p", {}, words ? ["Call it with ", el("b", { dir: "auto" }, words), "."] : "No word calls it yet; choose it by hand."),
      el("ul", { class: "report", "data-testid": "import-report" }, rows),
    ),
    { testId: "import-done" },
  );
}
