// Creates elements. Text is never interpreted as markup.

type Child = globalThis.Node | string | null | undefined | false;

/** Attributes, and listeners whose names begin with `on`. */
type Attributes = Record<string, string | number | boolean | null | ((event: never) => void)>;

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null) made.setAttribute(name, String(value));
  }
  append(made, children);
  return made;
}

export function append(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) parent.append(child);
  }
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag: string, attributes: Record<string, string | number> = {}, ...children: globalThis.Node[]): SVGElement {
  const made = document.createElementNS(SVG, tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

// Characters that change the text direction, or are invisible.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** Text of several lines without characters that reorder it. */
export function lines(text: string): string {
  return text.split("\n").map((line) => line.replace(HIDDEN, escaped)).join("\n");
}

function escaped(letter: string): string {
  return `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Text on one line without characters that reorder it, at most `most` characters. */
export function oneLine(text: string, most = 160): string {
  const ends = text.length > most ? `${text.slice(0, most * 0.6)}…${text.slice(-most * 0.4)}` : text;
  return ends.replace(HIDDEN, escaped);
}

/** A name from a file. */
export function bdi(text: string, most?: number): HTMLElement {
  return h("bdi", {}, oneLine(text, most));
}

/** Number of characters at the end of a name that stay visible where it is cut. */
const END = 9;

/** The same, cut in the middle where it is too long for its place. */
export function cutInside(text: string): HTMLElement {
  const letters = [...oneLine(text)];
  const at = letters.length > 2 * END ? letters.length - END : letters.length;
  return h("bdi", { class: "cut" }, h("span", {}, letters.slice(0, at).join("")), h("span", {}, letters.slice(at).join("")));
}

/** The same, in lines that end between the parts of the name. */
export function breakable(text: string): HTMLElement {
  const made = h("bdi");
  for (const part of oneLine(text).split(/(?<=[/.:])/)) made.append(part, h("wbr"));
  return made;
}

/** Saves bytes as a file of that name. */
export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
