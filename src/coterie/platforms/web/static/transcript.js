// What a room holds, from the history and the events of its session. Plain data: no page, no network. Every message is in it once.

/**
 * A message: `{id, author: {id, name, persona}, text, at, replyTo, turn}`.
 * A turn that waits or speaks: `{id, persona, reason, trigger, root, text}`; `root` is null where it is not known at whose end it ends.
 * A note: `{id, kind: "failed" | "silent" | "stopped" | "superseded", persona, text, message, after}`, shown behind the message `after`.
 */
export class Transcript {
  messages = [];
  turns = new Map();
  notes = [];
  hasOlder = true;
  #known = new Set();
  #open = new Set();
  #root = new Map();
  #spoken = new Map();
  #strangers = new Map();
  #notes = 0;

  /** Whether something is being answered, as far as the events tell. */
  get isBusy() {
    return this.turns.size > 0 || this.#open.size > 0;
  }

  get last() {
    return this.messages.at(-1) ?? null;
  }

  message(id) {
    return this.#known.has(id) ? this.messages.find((message) => message.id === id) : undefined;
  }

  /**
   * Take the newest messages as the server has them; `asked` is what was last when they were asked for. What was heard since then stays
   * behind them. Older ones stay where both meet; else they are let go and can be read again.
   */
  takeNewest(kept, limit, asked = null) {
    const fresh = kept.map(fromKept);
    const ids = new Set(fresh.map(({ id }) => id));
    const meeting = fresh.length ? this.messages.findIndex(({ id }) => id === fresh[0].id) : -1;
    const older = meeting > 0 ? this.messages.slice(0, meeting) : [];
    const since = asked ? this.messages.indexOf(asked) + 1 : 0;
    const newer = this.messages.slice(since).filter(({ id }) => !ids.has(id));
    if (older.length === 0) this.hasOlder = kept.length >= limit;
    this.messages = [...older, ...fresh, ...newer];
    this.#known = new Set(this.messages.map(({ id }) => id));
  }

  /** Put older messages in front. */
  takeOlder(kept, limit) {
    const older = kept.map(fromKept).filter(({ id }) => !this.#known.has(id));
    this.hasOlder = kept.length >= limit;
    this.messages = [...older, ...this.messages];
    for (const { id } of older) this.#known.add(id);
  }

  /** Nothing is being said any more, whatever was last heard of. */
  settle() {
    for (const heard of [this.turns, this.#open, this.#spoken, this.#strangers]) heard.clear();
  }

  /** Turns that write, of whose plan nothing was heard: they were taken up by another process than the one that made it. */
  get strangers() {
    return [...this.#strangers.keys()];
  }

  /** A turn that was found under way as the plan of `message` has it; what it has written since counts. */
  takeRunning(turn, message) {
    if (this.turns.has(turn.turn_id) || this.messages.some(({ turn: id }) => id === turn.turn_id)) return;
    // At whose end a chain ends, only its beginning tells.
    this.#add(turn, message, this.message(message)?.author.persona ? null : message);
    this.turns.get(turn.turn_id).text = this.#strangers.get(turn.turn_id) ?? "";
    this.#strangers.delete(turn.turn_id);
  }

  /** Take one event. Returns the turn if its text alone has grown, null if nothing that is shown has changed, else undefined. */
  take(name, data) {
    switch (name) {
      case "message":
        this.#open.add(data.message_id);
        return void this.#keep(fromKept(data));
      case "plan":
        return void this.#plan(data);
      case "delta":
        return this.#delta(data);
      case "discard":
        return void this.#discard(data.turn_id);
      case "line":
        return void this.#line(data);
      case "error":
        return void this.#error(data);
      case "end":
        return void this.#end(data);
      default:
        return undefined;
    }
  }

  #keep(message) {
    if (this.#known.has(message.id)) return;
    this.#known.add(message.id);
    this.messages.push(message);
  }

  #plan({ message_id: trigger, root = this.#root.get(trigger) ?? trigger, turns }) {
    for (const turn of turns) this.#add(turn, trigger, root);
  }

  #add(turn, trigger, root) {
    this.turns.set(turn.turn_id, { id: turn.turn_id, persona: turn.persona, reason: turn.reason, trigger, root, text: "" });
  }

  #delta({ turn_id: id, text }) {
    const turn = this.turns.get(id) ?? this.#speakingOn(id);
    if (!turn) {
      this.#strangers.set(id, (this.#strangers.get(id) ?? "") + text);
      return null;
    }
    const isFirst = !turn.text;
    turn.text += text;
    if (isFirst) this.#overtake(turn);
    return isFirst ? undefined : turn;
  }

  /** A channel speaks one turn at a time: whoever spoke before this one is done, and is not the one that types. */
  #overtake(turn) {
    for (const other of [...this.turns.values()]) if (other !== turn && other.text) this.turns.delete(other.id);
  }

  /** A turn whose line was heard may have a further one to say. */
  #speakingOn(id) {
    const turn = this.#spoken.get(id);
    if (turn) this.turns.set(id, Object.assign(turn, { text: "" }));
    return turn;
  }

  #discard(id) {
    const turn = this.turns.get(id);
    if (turn) turn.text = "";
    if (this.#strangers.has(id)) this.#strangers.set(id, "");
  }

  #line(data) {
    const turn = this.turns.get(data.turn_id);
    const author = { id: data.persona, name: data.name, persona: data.persona };
    const message = { id: data.message_id, author, text: data.text, at: new Date().toISOString(), replyTo: null, turn: data.turn_id };
    this.#keep({ ...message, avatar: data.avatar });
    this.#strangers.delete(data.turn_id);
    if (!turn) return;
    this.#overtake(turn);
    this.#root.set(data.message_id, turn.root ?? data.message_id);
    // A long reply comes as several lines; what is streamed beyond this one belongs to the next.
    const rest = turn.text.trimStart().startsWith(data.text) ? turn.text.trimStart().slice(data.text.length).trim() : "";
    if (rest) turn.text = rest;
    else {
      this.turns.delete(turn.id);
      this.#spoken.set(turn.id, turn);
    }
  }

  #error({ error, turn_id: id }) {
    const turn = this.turns.get(id);
    for (const heard of [this.turns, this.#spoken, this.#strangers]) heard.delete(id);
    this.#note({ kind: "failed", text: error, persona: turn?.persona ?? null, message: turn?.trigger ?? null });
  }

  #end({ status, message_id: root }) {
    this.#open.delete(root);
    for (const turn of [...this.turns.values(), ...this.#spoken.values()]) {
      if (turn.root !== root && turn.root !== null) continue;
      // If it was another one that ended, it writes on, and is looked for again.
      if (turn.root === null && this.turns.delete(turn.id) && turn.text) this.#strangers.set(turn.id, turn.text);
      for (const heard of [this.turns, this.#spoken]) heard.delete(turn.id);
    }
    const hasSaid = status === "answered" || (status === "failed" && this.notes.some(({ message }) => message === root));
    if (!hasSaid) this.#note({ kind: status, text: ENDINGS[status] ?? status, persona: null, message: root });
  }

  #note(note) {
    this.#notes += 1;
    this.notes.push({ ...note, id: `note-${this.#notes}`, after: this.last?.id ?? null });
  }
}

const ENDINGS = {
  silent: "Nobody answered.",
  stopped: "Stopped.",
  superseded: "A newer message took the place of this one.",
  failed: "No answer came.",
};

function fromKept(kept) {
  const { message_id: id, author, text, created_at: at, reply_to: replyTo, turn_id: turn } = kept;
  return { id, author, text, at, replyTo: replyTo ?? null, turn: turn ?? null };
}
