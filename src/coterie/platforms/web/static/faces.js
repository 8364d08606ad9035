// Faces, and the tint that each persona takes from its own face. Knows the cast's pictures, not its words.

import { el } from "./dom.js";

const SIDE = 24; // A face scaled down to this many pixels a side still shows its main colour.
const BINS = 18;
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
const hues = new Map();
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Where a face is served; `avatar` is a path below `/v1/avatars/`, or nothing. */
function faceAddress(avatar) {
  return avatar ? `/v1/avatars/${avatar.split("/").map(encodeURIComponent).join("/")}` : null;
}

/** A face: the picture, or the first letter of the name while there is none. `key` is what its tint belongs to. */
export function face(key, shownName, avatar, className = "") {
  const [first] = segmenter.segment(shownName.trim() || "?");
  const place = el("span", { class: `face ${className}`.trim(), "data-tint": key, "aria-hidden": "true" }, el("span", { class: "initial" }, first.segment));
  ensureTint(key);
  const address = faceAddress(avatar);
  if (address) {
    const picture = el("img", { alt: "", decoding: "async", draggable: "false" });
    picture.addEventListener("load", () => {
      place.classList.add("has-picture");
      learnTint(key, address, picture);
    });
    picture.addEventListener("error", () => picture.remove());
    picture.src = address;
    place.append(picture);
  }
  return place;
}

/** Give a key a tint before its picture is known: always the same one for the same key. */
function ensureTint(key) {
  if (hues.has(key)) return;
  let sum = 7;
  for (const character of key) sum = (sum * 31 + character.codePointAt(0)) % 360;
  setTint(key, "", sum);
}

function setTint(key, address, hue) {
  hues.set(key, { address, hue });
  sheet.replaceSync([...hues].map(([name, tint]) => `[data-tint="${CSS.escape(name)}"]{--hue:${tint.hue}}`).join("\n"));
}

function learnTint(key, address, picture) {
  if (hues.get(key)?.address === address) return;
  const hue = mainHue(picture);
  setTint(key, address, hue ?? hues.get(key).hue);
}

/** The strongest hue of a picture as an angle in OKLCH; nothing for a grey one. */
function mainHue(picture) {
  const canvas = el("canvas", { width: SIDE, height: SIDE });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.drawImage(picture, 0, 0, SIDE, SIDE);
  const { data } = pen.getImageData(0, 0, SIDE, SIDE);
  const bins = Array.from({ length: BINS }, () => ({ a: 0, b: 0, weight: 0 }));
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] < 128) continue;
    const [a, b] = chroma(data[at], data[at + 1], data[at + 2]);
    const bin = bins[Math.floor(((Math.atan2(b, a) / (2 * Math.PI) + 1) % 1) * BINS)];
    bin.a += a;
    bin.b += b;
    bin.weight += Math.hypot(a, b);
  }
  const best = bins.reduce((one, other) => (other.weight > one.weight ? other : one));
  if (best.weight < 0.01 * SIDE * SIDE) return null;
  return Math.round(((Math.atan2(best.b, best.a) * 180) / Math.PI + 360) % 360);
}

/** The two colour axes of OKLab (Björn Ottosson) for an sRGB pixel. */
function chroma(...bytes) {
  const [r, g, b] = bytes.map((byte) => {
    const part = byte / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}
