// A small, safe part of Markdown, built as nodes: paragraphs, quotes, lists, fences, bold, italic, code, links to http(s).
// Never markup from text. What is not understood stays as written. Every search is bounded, so that a huge text stays cheap.

import { el } from "./dom.js";

const LONGEST_SPAN = 2000;
const DEEPEST = 4;

/** A text as a list of block elements. */
export function render(text) {
  return blocks(text.replace(/\r\n?/g, "\n").split("\n"), 0);
}

function blocks(lines, depth) {
  const made = [];
  let at = 0;
  while (at < lines.length) {
    const block = depth < DEEPEST ? (fence(lines, at) ?? quote(lines, at, depth) ?? list(lines, at)) : null;
    const { node, next } = block ?? paragraph(lines, at, depth);
    if (node) made.push(node);
    at = next;
  }
  return made;
}

function fence(lines, start) {
  const opening = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(lines[start]);
  if (!opening || opening[2].includes("`")) return null;
  const closing = opening[1];
  let end = start + 1;
  while (end < lines.length && !closesFence(lines[end], closing)) end += 1;
  const code = el("code", { dir: "ltr" }, lines.slice(start + 1, end).join("\n"));
  const language = opening[2].trim().split(/\s/, 1)[0].slice(0, 30);
  return { node: el("pre", { tabindex: "0", "data-language": language || null }, code), next: end + 1 };
}

function closesFence(line, opening) {
  const marks = line.trim();
  return marks.length >= opening.length && marks === opening[0].repeat(marks.length);
}

const QUOTED = /^ {0,3}> ?/;

function quote(lines, start, depth) {
  let end = start;
  while (end < lines.length && QUOTED.test(lines[end])) end += 1;
  if (end === start) return null;
  const inner = lines.slice(start, end).map((line) => line.replace(QUOTED, ""));
  return { node: el("blockquote", { dir: "auto" }, blocks(inner, depth + 1)), next: end };
}

const BULLET = /^\s{0,6}[-*+•] +(?=\S)/;
const NUMBER = /^\s{0,6}(\d{1,9})[.)] +(?=\S)/;

function list(lines, start) {
  const kind = BULLET.test(lines[start]) ? BULLET : NUMBER.test(lines[start]) ? NUMBER : null;
  if (!kind) return null;
  const items = [];
  let at = start;
  for (; at < lines.length && kind.test(lines[at]); at += 1) {
    items.push(el("li", { dir: "auto" }, inline(lines[at].replace(kind, ""))));
  }
  const first = kind === NUMBER ? NUMBER.exec(lines[start])[1] : null;
  return { node: el(kind === NUMBER ? "ol" : "ul", { start: first }, items), next: at };
}

const startsBlock = (lines, at, depth) =>
  depth < DEEPEST && (/^ {0,3}(`{3,}|~{3,})/.test(lines[at]) || QUOTED.test(lines[at]) || BULLET.test(lines[at]) || NUMBER.test(lines[at]));

function paragraph(lines, start, depth) {
  if (lines[start].trim() === "") return { node: null, next: start + 1 };
  let end = start + 1;
  while (end < lines.length && lines[end].trim() !== "" && !startsBlock(lines, end, depth)) end += 1;
  const heading = /^#{1,6} +/.exec(lines[start]);
  // A block takes its direction from its first letter; texts with a direction of their own would not count for the quote around them.
  const dir = depth === 0 ? "auto" : null;
  if (heading) return { node: el("p", { dir }, el("strong", {}, inline(lines[start].slice(heading[0].length)))), next: start + 1 };
  const parts = lines.slice(start, end).flatMap((line, index) => (index ? [el("br"), ...inline(line)] : inline(line)));
  return { node: el("p", { dir }, parts), next: end };
}

const ADDRESS = /https?:\/\/[^\s<>"'`]+/y;
const LINK = /\[([^\]\n]{1,300})\]\((https?:\/\/[^\s()<>]{1,2000})\)/y;
const SPECIAL = /[\\`*_[h]/g;

/** The inside of a line as nodes and texts. */
function inline(text, depth = 0) {
  const made = [];
  const line = { text, depth, closed: new Map() };
  let plain = "";
  let at = 0;
  const flush = () => {
    if (plain) made.push(plain);
    plain = "";
  };
  while (at < text.length) {
    SPECIAL.lastIndex = at;
    const found = SPECIAL.exec(text);
    const stop = found ? found.index : text.length;
    plain += text.slice(at, stop);
    if (!found) break;
    const span = spanAt(line, stop);
    if (span?.node) {
      flush();
      made.push(span.node);
    } else plain += span?.text ?? text[stop];
    at = span?.next ?? stop + 1;
  }
  flush();
  return made;
}

/** What begins at a sign: a node, or a text to take literally; nothing when the sign is only itself. */
function spanAt(line, at) {
  const { text, depth } = line;
  switch (text[at]) {
    case "\\":
      return /[\\`*_[\]()#>~-]/.test(text[at + 1] ?? "") ? { text: text[at + 1], next: at + 2 } : null;
    case "`":
      return code(text, at);
    case "[":
      return link(text, at);
    case "h":
      return address(text, at);
    default:
      return depth < DEEPEST ? emphasis(line, at) : null;
  }
}

function code(text, at) {
  let marks = 1;
  while (text[at + marks] === "`") marks += 1;
  const end = text.slice(at + marks, at + marks + LONGEST_SPAN).indexOf("`".repeat(marks));
  if (end < 1) return { text: "`".repeat(marks), next: at + marks };
  const inside = text.slice(at + marks, at + marks + end).replace(/^ (.*\S.*) $/, "$1");
  return { node: el("code", { dir: "auto" }, inside), next: at + 2 * marks + end };
}

function link(text, at) {
  LINK.lastIndex = at;
  const found = LINK.exec(text);
  return found ? { node: anchor(found[2], found[1]), next: at + found[0].length } : null;
}

function address(text, at) {
  if (at > 0 && /[\p{L}\p{N}_]/u.test(text[at - 1])) return null;
  ADDRESS.lastIndex = at;
  const found = ADDRESS.exec(text);
  if (!found) return null;
  const href = trimmed(found[0]);
  return { node: anchor(href, href), next: at + href.length };
}

/** An address without the punctuation of the sentence around it. */
function trimmed(href) {
  let end = href.length;
  while (end > 8) {
    const last = href[end - 1];
    if (".,;:!?*_~]}".includes(last)) end -= 1;
    else if (last === ")" && !href.slice(0, end).includes("(")) end -= 1;
    else break;
  }
  return href.slice(0, end);
}

function anchor(href, label) {
  return URL.canParse(href) ? el("a", { href, target: "_blank", rel: "noopener noreferrer nofollow", dir: "auto" }, label) : label;
}

function emphasis(line, at) {
  const { text, depth } = line;
  const mark = text[at];
  const marks = text[at + 1] === mark ? mark + mark : mark;
  const from = at + marks.length;
  const skip = { text: marks, next: from };
  if (!text[from] || /\s/.test(text[from]) || (mark === "_" && isWord(text[at - 1]))) return skip;
  const end = closingAt(line, from, marks);
  if (end < 0) return skip;
  return { node: el(marks.length === 2 ? "strong" : "em", {}, inline(text.slice(from, end), depth + 1)), next: end + marks.length };
}

/** Where these marks close again, or -1. Remembers how far it has looked in vain, so that many openings cost no more than one. */
function closingAt({ text, closed }, from, marks) {
  const until = Math.min(text.length, from + LONGEST_SPAN);
  let at = text.indexOf(marks, Math.max(from + 1, closed.get(marks) ?? 0));
  while (at >= 0 && at < until) {
    if (isClosing(text, at, marks)) return at;
    at = text.indexOf(marks, at + 1);
  }
  closed.set(marks, until);
  return -1;
}

function isClosing(text, at, marks) {
  if (/\s/.test(text[at - 1])) return false;
  if (marks.length === 1 && (text[at + 1] === marks || text[at - 1] === marks)) return false;
  return marks[0] !== "_" || !isWord(text[at + marks.length]);
}

const isWord = (character) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
