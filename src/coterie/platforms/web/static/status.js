// How the house is: the model that loads or failed, and the line to the server.

import * as api from "./api.js";
import { byId } from "./dom.js";

const LOADING_POLL_MS = 1_000;
const RESTING_POLL_MS = 30_000;
let timer = null;

/** Look how the model is, now and again as long as the page is open. */
export async function watchHealth() {
  clearTimeout(timer);
  let pause = RESTING_POLL_MS;
  try {
    const { missing, troubles, model } = await api.health();
    showBanner([...missing, ...troubles], model);
    if (model.state === "loading") pause = LOADING_POLL_MS;
  } catch {
    // The server is away; the connection says so already.
  }
  timer = setTimeout(watchHealth, pause);
}

function showBanner(missing, model) {
  const banner = byId("model-banner");
  const sentence = missing.length ? missing.join(" ") : sentenceOf(model);
  banner.hidden = !sentence;
  banner.dataset.state = missing.length ? "failed" : model.state;
  if (banner.textContent !== sentence) banner.textContent = sentence;
}

function sentenceOf({ name, state, note }) {
  if (state === "ready") return "";
  const sentence = note || `The model ${name} ${state === "loading" ? "is being loaded." : "does not work."}`;
  return state === "loading" ? `${sentence} You can write already.` : sentence;
}

const STATES = {
  connecting: "Connecting",
  live: "",
  offline: "Not connected, trying again",
  gone: "This room is gone",
};

/** Say how the line is, and who speaks when it is fine. */
export function showConnection(state, speaking = "") {
  const place = byId("connection");
  const words = STATES[state] || speaking;
  place.dataset.state = state;
  if (place.textContent !== words) place.textContent = words;
}
