// One message as Discord's client draws it. Knows nothing of the server but the addresses of pictures.
import { make } from "/static/dom.js";
import { inline, render } from "/static/markdown.js";

const JOIN_MS = 7 * 60 * 1000;
const CUSTOM = { 0: 1, 19: 1, 20: 1, 23: 1 };
const EPHEMERAL = 1 << 6, LOADING = 1 << 7;

const STICKER = /^https?:\/\/[^\s/]+\/cdn\/stickers\/\d+\.png$/;

const who = (one) => `${one.webhook_id || one.author.id}/${one.author.username}/${one.author.avatar}`;

// Consecutive messages of one webhook under one name and face, or of one account, within seven minutes are one block.
export function joins(one, before) {
  return Boolean(before) && CUSTOM[before.type] && (one.type === 0 || one.type === 20) && !one.message_reference && !one.interaction_metadata?.name
    && who(one) === who(before) && (one.flags & EPHEMERAL) === (before.flags & EPHEMERAL)
    && new Date(one.timestamp) - new Date(before.timestamp) < JOIN_MS;
}

// The face in this guild goes before the account's own; a webhook has no member.
export function face(author, there) {
  if (there?.avatar) return `/cdn/guilds/${there.guild}/users/${author.id}/avatars/${there.avatar}.png`;
  return author.avatar ? `/cdn/avatars/${author.id}/${author.avatar}.png` : `/cdn/embed/avatars/${Number(BigInt(author.id) >> 22n) % 6}.png`;
}

// People without a picture have a letter each, on a colour of their own; what Discord gives them tells two of them apart by chance alone.
function portrait(one, view) {
  const there = view.member(one.author.id), number = view.number(one.author.id);
  if (number < 0 || one.author.avatar || there?.avatar) return make("img", { class: "face", src: face(one.author, there), alt: "" });
  const node = make("span", { class: "face letter", testid: "letter", "aria-hidden": "true" }, [...view.shown(one)][0].toUpperCase());
  node.style.background = `hsl(${Math.round(number * 137.5) % 360} 45% 40%)`;
  return node;
}

const sticker = (where, name) => make("img", { class: "sticker", testid: "sticker", src: where, alt: name, title: name });

export function draw(one, before, view) {
  if (!CUSTOM[one.type]) return system(one, view);
  const joined = joins(one, before);
  const pinging = one.mention_everyone || one.mentions.some((each) => each.id === view.me);
  const node = make("li", {
    class: ["message", joined && "joined", pinging && "pinging", one.flags & EPHEMERAL && "ephemeral"].filter(Boolean).join(" "),
    testid: "message", "data-id": one.id, "data-joined": joined ? "yes" : "no",
  });
  if (one.referenced_message !== undefined || one.interaction_metadata) node.append(replied(one, view));
  node.append(portrait(one, view), head(one, view), body(one, view));
  const offered = tools(one, view);
  if (offered) node.append(offered);
  return node;
}

function system(one, view) {
  const name = view.names.user(one.author.id);
  const text = one.type === 18 ? `${name} began a thread: ${one.content}` : one.type === 21 ? "The thread begins with:" : `(message of type ${one.type})`;
  const node = make("li", { class: "system", testid: "system", "data-id": one.id }, text);
  if (one.type === 21 && one.referenced_message) node.append(make("div", { class: "content" }, ...render(one.referenced_message.content, view.names)));
  return node;
}

function replied(one, view) {
  const there = one.referenced_message;
  const metadata = one.interaction_metadata;
  const text = metadata ? `${view.names.user(metadata.user.id)} used the app` : there ? `${view.shown(there)}: ` : "The message was deleted.";
  return make("div", { class: "replied", testid: "replied" }, text, ...(there && !metadata ? inline(there.content.split("\n")[0].slice(0, 120), view.names) : []));
}

function head(one, view) {
  return make("div", { class: "head" },
    make("span", { class: "name", testid: "name" }, view.shown(one)),
    one.author.bot && make("span", { class: "tag", testid: "tag" }, "BOT"),
    make("time", { datetime: one.timestamp }, new Date(one.timestamp).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })));
}

function body(one, view) {
  const node = make("div", { class: "body" });
  if (one.flags & LOADING) node.append(make("div", { class: "content", testid: "thinking" }, `${one.author.username} is thinking…`));
  // Of an address that is all there is, Discord shows the picture alone.
  if (STICKER.test(one.content)) node.append(sticker(local(one.content), "Sticker"));
  else if (one.content) node.append(make("div", { class: "content", testid: "content", dir: "auto" }, ...render(one.content, view.names)));
  if (one.edited_timestamp) node.append(make("span", { class: "edited" }, "(edited)"));
  for (const snapshot of one.message_snapshots || []) node.append(make("blockquote", { testid: "forwarded" }, make("em", {}, "Forwarded"), ...render(`\n${snapshot.message.content}`, view.names)));
  for (const each of one.attachments) node.append(attachment(each));
  for (const each of one.embeds) node.append(embed(each, view));
  for (const each of one.sticker_items || []) node.append(sticker(`/cdn/stickers/${each.id}.png`, each.name));
  for (const each of one.components) node.append(component(each, one, view));
  if (one.reactions?.length) node.append(reactions(one, view));
  if (one.thread) node.append(make("div", { class: "row" }, make("button", { type: "button", onclick: () => view.open(one.thread.id) }, `🧵 ${one.thread.name}`)));
  if (one.flags & EPHEMERAL) node.append(make("span", { class: "note" }, "Only you can see this"));
  return node;
}

const local = (address) => { const url = new URL(address, location.href); return url.pathname.startsWith("/cdn/") ? url.pathname : null; };

function attachment(one) {
  const where = local(one.url);
  const shown = where && one.content_type?.startsWith("image/") ? make("img", { src: where, alt: one.description || one.filename })
    : make("a", { class: "file", href: where || "#", download: one.filename }, `📎 ${one.filename} (${one.size} bytes)`);
  return make("div", { class: "attachment", testid: "attachment" }, shown);
}

function embed(one, view) {
  const node = make("div", { class: "embed", testid: "embed" });
  if (Number.isInteger(one.color)) node.style.borderColor = `#${one.color.toString(16).padStart(6, "0")}`;
  const picture = (part) => part && local(part.url) ? make("img", { src: local(part.url), alt: "" }) : null;
  const rich = (text) => make("div", { class: "content" }, ...render(text, view.names));
  if (one.author) node.append(make("div", {}, one.author.name));
  if (one.title) node.append(make("strong", {}, ...inline(one.title, view.names)));
  if (one.description) node.append(rich(one.description));
  if (one.fields) node.append(make("div", { class: "fields" }, ...one.fields.map((field) => make("div", { class: field.inline ? "inline" : "" }, make("strong", {}, field.name), rich(field.value)))));
  node.append(...[picture(one.image), picture(one.thumbnail)].filter(Boolean));
  if (one.footer) node.append(make("footer", {}, one.footer.text));
  return node;
}

function component(one, message, view) {
  if (one.type === 1) return make("div", { class: "row" }, ...one.components.map((child) => component(child, message, view)));
  if (one.type === 2) {
    if (one.style === 5) return make("a", { class: "file", href: one.url, target: "_blank", rel: "noopener noreferrer nofollow" }, one.label || "Link");
    return make("button", { type: "button", disabled: one.disabled, "data-style": one.style, onclick: () => view.press(message, one) }, one.emoji?.name && !one.emoji.id ? `${one.emoji.name} ` : "", one.label || "");
  }
  if ([3, 5, 6, 7, 8].includes(one.type)) return chooser(one, message, view);
  if (one.type === 10) return make("div", { class: "content" }, ...render(one.content, view.names));
  const inside = [...(one.components || []), ...(one.accessory ? [one.accessory] : [])];
  if (one.type === 11 || one.type === 13) return make("div", { class: "attachment" }, `📎 ${(one.media || one.file)?.url || ""}`);
  if (one.type === 12) return make("div", { class: "row" }, ...(one.items || []).map((item) => local(item.media.url) ? make("img", { src: local(item.media.url), alt: item.description || "" }) : item.media.url));
  return make("div", { class: one.type === 17 ? "embed" : "row" }, ...inside.map((child) => component(child, message, view)));
}

function chooser(one, message, view) {
  const select = make("select", { "aria-label": one.placeholder || one.custom_id, multiple: (one.max_values || 1) > 1, disabled: one.disabled });
  if (!select.multiple) select.append(make("option", { value: "" }, one.placeholder || "Choose"));
  for (const [value, label] of view.options(one)) select.append(make("option", { value }, label));
  select.addEventListener("change", () => {
    const values = [...select.selectedOptions].map((option) => option.value).filter(Boolean);
    if (values.length >= (one.min_values ?? 1)) view.select(message, one, values);
  });
  return select;
}

function reactions(one, view) {
  return make("div", { class: "reactions" }, ...one.reactions.map((each) => make("button", {
    type: "button", class: each.me ? "mine" : "", onclick: () => view.react(one, each.emoji, each.me),
  }, each.emoji.id ? `:${each.emoji.name}:` : each.emoji.name, ` ${each.count}`)));
}

function tools(one, view) {
  if (one.flags & EPHEMERAL) return null;
  const mine = one.author.id === view.me;
  const offered = [
    ["Reply", () => view.reply(one), view.mayWrite()],
    ["React", () => view.askReaction(one), view.may("add_reactions")],
    ["Thread", () => view.askThread(one), view.may("create_public_threads")],
    ["Edit", () => view.askEdit(one), mine],
    ["Delete", () => view.remove(one), mine || view.may("manage_messages")],
    ["Apps", () => view.apps(one), view.may("use_application_commands")],
  ];
  return make("div", { class: "tools" }, ...offered.map(([name, act, may]) => may && make("button", { class: "plain", type: "button", onclick: act }, name)));
}
