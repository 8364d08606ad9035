// Markdown as nodes. What stands where is found by the lexer of `marked` (in `vendor`, its licence beside it); the nodes are made here, so
// that no text ever becomes markup: HTML, and what is not understood, stays as written. Every text is bounded, so that a huge one stays cheap.

import { el } from "./dom.js";
import { Marked } from "./vendor/marked-18.2.1.js";

const LONGEST = 10_000;
const DEEPEST = 8;

// Not in talk: code by mere indentation, headings by a line below them, definitions that vanish from the text, and anybody's HTML.
const none = () => undefined;
const marked = new Marked({ gfm: true, breaks: true, tokenizer: { blockquote, code: none, def: none, html: none, lheading: none, tag: none } });

/** A quote ends with the last line that has its sign, unlike in a document; the lexer calls this as a method of its own. */
function blockquote(source) {
  const found = /^(?: {0,3}>[^\n]*(?:\n|$))+/.exec(source);
  if (!found) return undefined;
  const text = found[0].replace(/^ {0,3}> ?/gm, "");
  return { type: "blockquote", raw: found[0], text, tokens: this.lexer.blockTokens(text, []) };
}

/** A text as a list of block elements. */
export function render(text) {
  const whole = text.replace(/\r\n?/g, "\n");
  if (whole.length > LONGEST) return plain(whole);
  try {
    return blocks(marked.lexer(whole), 0);
  } catch {
    // Quotes within quotes without end, say.
    return plain(whole);
  }
}

/** Paragraphs and nothing else. */
function plain(text) {
  return text.split(/\n{2,}/).flatMap((part) => (part.trim() ? [el("p", { dir: "auto" }, lines(part))] : []));
}

const lines = (text) => text.split("\n").flatMap((line, index) => (index ? [el("br"), line] : [line]));

function blocks(tokens, depth) {
  return tokens.flatMap((token) => block(token, depth) ?? []);
}

function block(token, depth) {
  if (depth >= DEEPEST) return paragraph(lines(token.raw), depth);
  switch (token.type) {
    case "space":
      return null;
    case "code":
      return el("pre", { tabindex: "0", "data-language": token.lang?.trim().split(/\s/, 1)[0].slice(0, 30) || null }, el("code", { dir: "ltr" }, token.text));
    case "checkbox":
      return box(token);
    case "heading":
      return paragraph(el("strong", {}, inline(token.tokens, depth)), depth);
    case "hr":
      return el("hr");
    case "blockquote":
      return el("blockquote", { dir: "auto" }, blocks(token.tokens, depth + 1));
    case "list":
      return el(token.ordered ? "ol" : "ul", { start: token.ordered ? String(token.start) : null }, token.items.map((item) => listItem(item, depth)));
    case "table":
      return table(token, depth);
    case "paragraph":
    case "text":
      return paragraph(token.tokens ? inline(token.tokens, depth) : lines(token.text), depth);
    default:
      return paragraph(lines(token.raw), depth);
  }
}

// A block takes its direction from its first letter; texts with a direction of their own would not count for the quote around them.
const paragraph = (content, depth) => el("p", { dir: depth === 0 ? "auto" : null }, content);

function listItem(item, depth) {
  // What stands in an item without a blank line around it is no paragraph of its own.
  const parts = item.tokens.map((token) => (token.type === "text" && token.tokens ? inline(token.tokens, depth) : block(token, depth + 1)));
  return el("li", { dir: "auto" }, parts.flat());
}

function table({ header, rows }, depth) {
  const cell = (tag, { tokens, align }) => el(tag, { dir: "auto", "data-align": align }, inline(tokens, depth));
  const head = el("thead", {}, el("tr", {}, header.map((each) => cell("th", each))));
  const body = el("tbody", {}, rows.map((row) => el("tr", {}, row.map((each) => cell("td", each)))));
  return el("div", { class: "table", tabindex: "0" }, el("table", {}, head, body));
}

const box = ({ checked }) => (checked ? "☑ " : "☐ ");

/** The inside of a line as nodes and texts. */
function inline(tokens, depth) {
  return tokens.flatMap((token) => span(token, depth) ?? []);
}

function span(token, depth) {
  if (depth >= DEEPEST) return token.raw;
  switch (token.type) {
    case "br":
      return el("br");
    case "checkbox":
      return box(token);
    case "codespan":
      return el("code", { dir: "auto" }, token.text);
    case "del":
      return el("del", {}, inline(token.tokens, depth + 1));
    case "em":
      return el("em", {}, inline(token.tokens, depth + 1));
    case "escape":
      return token.text;
    case "image":
    case "link":
      return link(token, depth);
    case "strong":
      return el("strong", {}, inline(token.tokens, depth + 1));
    case "text":
      return token.tokens ? inline(token.tokens, depth + 1) : token.text;
    default:
      return token.raw;
  }
}

/** A link to http(s); everything else that looks like one stays as it was written. A picture is a link to it: nothing is fetched from elsewhere. */
function link({ href, raw, text, tokens }, depth) {
  const isSafe = /^https?:\/\//i.test(href) && URL.canParse(href);
  if (!isSafe) return raw;
  const label = tokens?.length ? inline(tokens.filter(({ type }) => type !== "link" && type !== "image"), depth + 1) : text;
  return el("a", { href, target: "_blank", rel: "noopener noreferrer nofollow", dir: "auto" }, label.length ? label : href);
}
