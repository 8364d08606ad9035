// The live stream of a session: server-sent events read by hand, since only fetch can send Last-Event-ID and shows a status.

import { ask } from "./api.js";

const SILENCE_MS = 50_000; // The server beats every 15 seconds; three missed beats mean that the line is dead.
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** Reads the text of an event stream piece by piece (WHATWG HTML, "server-sent events"). Knows no network. */
export class EventReader {
  #rest = "";
  #event = "";
  #data = [];
  #id;

  /** More text; the events that are complete now, as `{event, data, id}`. */
  feed(text) {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    return lines.map((line) => this.#line(line)).filter(Boolean);
  }

  #line(line) {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return null;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id") this.#id = value;
    return null;
  }

  #dispatch() {
    const event = { event: this.#event || "message", data: this.#data.join("\n"), id: this.#id };
    const isEmpty = this.#data.length === 0;
    [this.#event, this.#data] = ["", []];
    return isEmpty ? null : event;
  }
}

/** The events of a response's body. */
export async function* eventsOf(response, onBytes = () => {}) {
  const reader = new EventReader();
  const body = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { value, done } = await body.read();
      if (done) return;
      onBytes();
      yield* reader.feed(value);
    }
  } finally {
    body.cancel().catch(() => {});
  }
}

/**
 * Follow a session until `close()`. Calls `onState("connecting" | "live" | "offline" | "gone")`, `onOpen()` each time the line stands,
 * and `onEvent(name, data)` for each event. Comes back by itself, with the last id seen.
 */
export class Follower {
  #session;
  #calls;
  #lastId;
  #stopped = false;
  #abort = null;
  #wake = null;

  constructor(session, calls) {
    this.#session = session;
    this.#calls = calls;
    this.#run();
  }

  close() {
    this.#stopped = true;
    this.#abort?.abort();
    this.#wake?.();
  }

  /** Try again now instead of waiting (the page came back to the front, the network is back). */
  retry() {
    this.#wake?.();
  }

  async #run() {
    let pause = FIRST_PAUSE_MS;
    this.#calls.onState("connecting");
    while (!this.#stopped) {
      const wasLive = await this.#listen();
      if (this.#stopped) return;
      if (wasLive === null) return this.#calls.onState("gone");
      pause = wasLive ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
      this.#calls.onState("offline");
      await this.#sleep(pause * (0.75 + Math.random() / 2));
    }
  }

  /** One connection. True if it stood, false if it did not, null if there is no such session (or no way in). */
  async #listen() {
    this.#abort = new AbortController();
    let isLive = false;
    let watchdog;
    const alive = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => this.#abort.abort(), SILENCE_MS);
    };
    try {
      const headers = this.#lastId ? { "Last-Event-ID": this.#lastId } : {};
      alive();
      const response = await ask(`/v1/session/${encodeURIComponent(this.#session)}/events`, { headers, signal: this.#abort.signal });
      isLive = true;
      this.#calls.onState("live");
      this.#calls.onOpen();
      for await (const { event, data, id } of eventsOf(response, alive)) {
        if (this.#stopped) break;
        if (id) this.#lastId = id;
        this.#calls.onEvent(event, JSON.parse(data));
      }
    } catch (error) {
      if (error.status === 401 || error.status === 404) return null;
    } finally {
      clearTimeout(watchdog);
    }
    return isLive;
  }

  #sleep(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
