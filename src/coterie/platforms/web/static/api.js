// Asking the server. Every refusal becomes a `Refused` with the server's own sentence; nothing here touches the page.

/** The server said no. `message` is one sentence for a person; `status` is 0 when the server could not be reached. */
export class Refused extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

let onLocked = () => {};

/** Tell whom to call when the server asks for a token. */
export function whenLocked(callback) {
  onLocked = callback;
}

/** Fetch and judge the status. Raises `Refused`. */
export async function ask(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", cache: "no-store", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, "The server cannot be reached.");
  }
  if (response.ok) return response;
  if (response.status === 401 && path !== "/v1/login") onLocked();
  throw new Refused(response.status, await sentenceOf(response));
}

async function sentenceOf(response) {
  try {
    const { error } = await response.json();
    if (typeof error === "string" && error) return error;
  } catch {
    // Not from our server, or cut off: the status is all there is.
  }
  return `The server answered with status ${response.status}.`;
}

async function json(method, path, body) {
  const options = { method };
  if (body !== undefined) Object.assign(options, { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  const response = await ask(path, options);
  const text = await response.text();
  return text ? JSON.parse(text) : {};
}

const session = (id) => `/v1/session/${encodeURIComponent(id)}`;
const persona = (handle) => `/v1/personas/${encodeURIComponent(handle)}`;
const provider = (name) => `/v1/providers/${encodeURIComponent(name)}`;
const person = (id) => `/v1/people/${encodeURIComponent(id)}`;
const within = (path, workspace) => (workspace ? `${path}?${new URLSearchParams({ workspace })}` : path);
const listed = (row) => `/v1/access/${row.map(encodeURIComponent).join("/")}`;

export const login = (token) => json("POST", "/v1/login", { token });
export const workspaces = async () => (await json("GET", "/v1/workspaces")).workspaces;
export const sessions = async (workspace) => (await json("GET", within("/v1/sessions", workspace))).sessions;
export const newSession = (name) => json("POST", "/v1/sessions", name ? { prefix: "chat", name } : { prefix: "chat" });
export const readSession = (id) => json("GET", session(id));
export const changeSession = (id, change) => json("POST", session(id), change);
export const deleteSession = (id) => json("DELETE", session(id));
export const stopSession = (id) => json("POST", `${session(id)}/stop`);
export const why = (message) => json("GET", `/v1/why/${encodeURIComponent(message)}`);
export const personas = async (workspace) => (await json("GET", within("/v1/personas", workspace))).personas;
export const changePersona = (handle, change) => json("PATCH", persona(handle), change);
export const removePersona = (handle) => json("DELETE", persona(handle));
export const exportAddress = (handle, format) => `${persona(handle)}/export?format=${format}`;
export const settings = (workspace) => json("GET", within("/v1/settings", workspace));
export const changeSettings = (change, workspace) => json("PATCH", within("/v1/settings", workspace), change);
export const personal = (id) => json("GET", person(id));
export const changePersonal = (id, change) => json("PATCH", person(id), change);
export const access = (workspace) => json("GET", within("/v1/access", workspace));
export const list = (row, what, workspace) => json("PUT", within(listed(row), workspace), what);
export const unlist = (row, workspace) => json("DELETE", within(listed(row), workspace));
export const resetQuota = (user, workspace) => json("POST", within("/v1/quota/reset", workspace), { user });
export const providers = async () => (await json("GET", "/v1/providers")).providers;
export const changeProvider = (name, change) => json("PUT", provider(name), change);
export const forgetProvider = (name) => json("DELETE", provider(name));
export const models = () => json("GET", "/v1/models");
export const schema = () => json("GET", "/openapi.json");

/** The newest messages, or the newest before one of them; oldest first. */
export async function messages(id, { before, limit = 50 } = {}) {
  const query = new URLSearchParams({ limit, ...(before ? { before } : {}) });
  return (await json("GET", `${session(id)}/messages?${query}`)).messages;
}

/** How the server is: 503 also answers, with what is missing. */
export async function health() {
  const response = await fetch("/healthz", { cache: "no-store" });
  return response.json();
}

/** Say something. Returns the open response; what comes of it is also in the events of the session. */
export const send = (body, signal) =>
  ask("/v1/send", { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal });

/** Bring in a card. Returns the persona and the report. */
export async function importCard(file, type, triggers) {
  const form = new FormData();
  form.set("type", type);
  form.set("triggers", triggers);
  form.set("file", file, file.name);
  const response = await ask("/v1/personas/import", { method: "POST", body: form });
  return response.json();
}
