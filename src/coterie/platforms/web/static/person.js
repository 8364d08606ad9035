// Who sits at this browser: a name, and an id that stays the same. Kept in this browser only.

const NAME = "coterie.name";
const ID = "coterie.person";
const OWNER = "owner"; // What the server calls whoever says nothing else: the owner, at the machine itself.
const isOwnMachine = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname) || location.hostname.endsWith(".localhost");

/** `{id, name}` as the API takes it. */
export function me() {
  return { id: personId(), name: read(NAME) || "You" };
}

/** Whether this person has said a name. */
export const isNamed = () => Boolean(read(NAME));

/** Call yourself something else; empty goes back to `You`. */
export function rename(name) {
  write(NAME, name.replace(/\s+/g, " ").trim().slice(0, 80));
}

function personId() {
  if (isOwnMachine) return OWNER;
  if (!read(ID)) write(ID, `page-${randomId()}`);
  return read(ID);
}

// `crypto.randomUUID` exists on https and loopback only; a page on a plain address of the home network has no such thing.
const randomId = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const memory = new Map();

// Without storage (private windows) a name lasts as long as the page.
function read(key) {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? "";
  } catch {
    return memory.get(key) ?? "";
  }
}

function write(key, value) {
  memory.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // Kept in memory above.
  }
}
