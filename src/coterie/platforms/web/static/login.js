// The door: asked for a token once, then known by a cookie.

import * as api from "./api.js";
import { byId, el } from "./dom.js";

let isOpen = false;

/** Show the login in place of everything else. A token that is taken loads the page anew. */
export function showLogin() {
  if (isOpen) return;
  isOpen = true;
  const token = el("input", { type: "password", autocomplete: "current-password", required: true, "data-testid": "login-token" });
  const wrong = el("p", { class: "wrong", role: "alert", "data-testid": "login-error" });
  const submit = el("button", { type: "submit", class: "primary wide", "data-testid": "login-submit" }, "Come in");
  const form = el(
    "form",
    { class: "stack" },
    el("img", { src: "/static/icon.svg", alt: "", width: 56, height: 56 }),
    el("h1", {}, "Coterie"),
    el("label", { class: "field" }, el("span", {}, "Token of this house"), token),
    el("p", { class: "hint" }, "It is what was set as ", el("code", {}, "COTERIE_API_TOKEN"), " where the server runs."),
    wrong,
    submit,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    wrong.textContent = "";
    try {
      await api.login(token.value.trim());
      location.reload();
    } catch (error) {
      wrong.textContent = error.message;
      submit.disabled = false;
      token.select();
    }
  });
  if (byId("sheet").open) byId("sheet").close();
  byId("house").hidden = true;
  document.body.append(el("main", { class: "login", "data-testid": "login" }, form));
  token.focus();
}
