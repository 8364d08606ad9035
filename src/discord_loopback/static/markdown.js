// Discord's part of Markdown as elements. `names` tells what mentions are called: user(id), role(id), channel(id).
import { make } from "/static/dom.js";

const INLINE = new RegExp([
  "(?<code>(?<ticks>`{1,2})(?<inside>.+?)\\k<ticks>(?!`))",
  "<(?<kind>@!?|@&|#)(?<id>\\d{1,20})>",
  "<(?<animated>a?):(?<emoji>\\w{1,32}):(?<emojiId>\\d{1,20})>",
  "<t:(?<moment>-?\\d{1,13})(?::(?<style>[tTdDfFR]))?>",
  "<(?<quiet>https?://[^\\s<>]+)>",
  "\\[(?<label>[^\\[\\]\\n]{1,300})\\]\\(<?(?<target>https?://[^\\s<>)]+)>?\\)",
  "(?<link>https?://[^\\s<]+[^\\s<.,:;\"')\\]])",
  "(?<everyone>@everyone|@here)",
  "\\\\(?<escaped>[*_~|`>#\\\\-])",
  "\\*\\*(?<bold>[^]+?)\\*\\*(?!\\*)",
  "__(?<under>[^]+?)__(?!_)",
  "~~(?<gone>[^]+?)~~",
  "\\|\\|(?<spoiler>[^]+?)\\|\\|",
  "\\*(?<slanted>[^\\s*](?:[^*]*?[^\\s*])?)\\*(?!\\*)",
  "(?<![\\w])_(?<slanted2>[^_]+?)_(?![\\w])",
].join("|"), "g");

export function inline(text, names, depth = 0) {
  const nodes = [];
  let at = 0;
  if (depth > 8) return [text];
  for (const found of text.matchAll(INLINE)) {
    if (found.index > at) nodes.push(text.slice(at, found.index));
    nodes.push(piece(found.groups, found[0], names, depth));
    at = found.index + found[0].length;
  }
  if (at < text.length) nodes.push(text.slice(at));
  return nodes;
}

function piece(one, whole, names, depth) {
  const inner = (text) => inline(text, names, depth + 1);
  if (one.code) return make("code", {}, one.inside);
  if (one.kind) return mention(one.kind, one.id, names);
  if (one.emoji) return make("img", { class: "emoji", src: `/cdn/emojis/${one.emojiId}.png`, alt: `:${one.emoji}:`, title: `:${one.emoji}:` });
  if (one.moment) return moment(Number(one.moment), one.style);
  if (one.target) return link(one.target, inner(one.label));
  if (one.quiet || one.link) return link(one.quiet || one.link, [one.quiet || one.link]);
  if (one.everyone) return make("span", { class: "mention" }, one.everyone);
  if (one.escaped) return one.escaped;
  if (one.bold) return make("strong", {}, ...inner(one.bold));
  if (one.under) return make("u", {}, ...inner(one.under));
  if (one.gone) return make("s", {}, ...inner(one.gone));
  if (one.spoiler) return make("span", { class: "spoiler", onclick: (event) => event.currentTarget.classList.add("open") }, ...inner(one.spoiler));
  if (one.slanted || one.slanted2) return make("em", {}, ...inner(one.slanted || one.slanted2));
  return whole;
}

function link(target, children) {
  return make("a", { href: target, target: "_blank", rel: "noopener noreferrer nofollow" }, ...children);
}

function mention(kind, id, names) {
  const name = kind === "#" ? `#${names.channel(id)}` : kind === "@&" ? `@${names.role(id)}` : `@${names.user(id)}`;
  return make("span", { class: "mention" }, name);
}

function moment(seconds, style) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return `<t:${seconds}>`;
  const far = Math.round((date - Date.now()) / 60000);
  const text = style === "R" ? `${Math.abs(far)} minutes ${far < 0 ? "ago" : "from now"}` : date.toLocaleString();
  return make("span", { class: "mention", title: date.toISOString() }, text);
}

export function render(text, names) {
  const nodes = [];
  const fence = /```(?:([\w+-]*)\n)?([^]*?)```/g;
  let at = 0;
  for (const found of text.matchAll(fence)) {
    nodes.push(...blocks(text.slice(at, found.index), names));
    nodes.push(make("pre", { "data-language": found[1] || undefined }, make("code", {}, found[2].replace(/\n$/, ""))));
    at = found.index + found[0].length;
  }
  nodes.push(...blocks(text.slice(at), names));
  return nodes;
}

function blocks(text, names) {
  const nodes = [];
  let plain = [], quoted = null;
  const flush = () => {
    if (quoted) nodes.push(make("blockquote", {}, ...inline(quoted.join("\n"), names)));
    if (plain.length && plain.join("")) nodes.push(make("p", {}, ...inline(plain.join("\n").replace(/^\n|\n$/g, ""), names)));
    plain = []; quoted = null;
  };
  const lines = text.split("\n");
  for (const [place, line] of lines.entries()) {
    const heading = /^(#{1,3}|-#) +(\S.*)$/.exec(line);
    if (line.startsWith(">>> ")) {
      flush();
      nodes.push(make("blockquote", {}, ...inline([line.slice(4), ...lines.slice(place + 1)].join("\n"), names)));
      return nodes;
    }
    if (line.startsWith("> ") || line === ">") {
      if (!quoted) { flush(); quoted = []; }
      quoted.push(line.slice(2));
    } else if (heading) {
      flush();
      nodes.push(make(heading[1] === "-#" ? "small" : `h${heading[1].length + 2}`, {}, ...inline(heading[2], names)));
    } else {
      if (quoted) flush();
      plain.push(/^ *[-*] /.test(line) ? line.replace(/^( *)[-*] /, "$1• ") : line);
    }
  }
  flush();
  return nodes;
}
