import { NONE, PLACE } from "./rows.js";
import { element } from "./view.js";

// Searches the paths, kinds and values of rows, or bytes. Works in slices, so that the page stays responsive.
const MOST_HITS = 10000;
const SLICE = 200000;

/** @param {number} byte */
function lower(byte) { return byte >= 65 && byte <= 90 ? byte + 32 : byte; }

/**
 * Parses `0a ff` or `0x0aff`; null if the text is not hexadecimal bytes.
 * @param {string} text
 */
function hexBytes(text) {
  const hex = text.replace(/0x/gi, "").replace(/[\s,]/g, "");
  if (hex === "" || hex.length % 2 === 1 || /[^0-9a-f]/i.test(hex)) return null;
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/**
 * A hit: a row, and the range if bytes were searched for.
 * @typedef {{row: number, start?: number, end?: number}} Hit
 */

export class Finder {
  /**
   * @param {import("./rows.js").Rows} rows
   * @param {import("./dump.js").Bytes} bytes
   * @param {import("./words.js").DumpWords} words
   * @param {(hit: Hit) => void} show
   * @param {() => void} clearFound
   */
  constructor(rows, bytes, words, show, clearFound) {
    this.rows = rows;
    this.bytes = bytes;
    this.words = words;
    this.show = show;
    this.clearFound = clearFound;
    /** @type {{hits: Hit[], at: number, isDone: boolean}} */
    this.search = { hits: [], at: -1, isDone: true };
    this.find = element("input");
    this.find.id = "find";
    this.find.type = "search";
    this.find.autocomplete = "off";
    this.kind = element("select");
    this.kind.id = "find-kind";
    for (const [value, name] of Object.entries(words.kinds)) {
      const option = element("option", "", name);
      option.value = value;
      this.kind.append(option);
    }
    this.found = element("span");
    this.found.id = "found";
    this.found.setAttribute("role", "status");
    this.listen();
  }

  /** The elements of the tool bar. */
  parts() {
    const { words } = this;
    /** @param {string} id @param {string} text @param {string} name @param {number} by */
    const arrow = (id, text, name, by) => {
      const button = element("button", "", text);
      button.id = id;
      button.type = "button";
      button.setAttribute("aria-label", name);
      button.addEventListener("click", () => this.step(by));
      return button;
    };
    const find = element("label", "", `${words.find} `);
    find.append(this.find);
    const kind = element("label", "", `${words.among} `);
    kind.append(this.kind);
    const previous = arrow("previous", "↑", words.previous, -1);
    return [find, kind, previous, arrow("next", "↓", words.next, 1), this.found];
  }

  listen() {
    let typed = 0;
    this.find.addEventListener("input", () => {
      clearTimeout(typed);
      typed = window.setTimeout(() => this.start(), 120);
    });
    this.kind.addEventListener("change", () => this.start());
    this.find.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      if (this.search.at < 0) this.start();
      else this.step(event.shiftKey ? -1 : 1);
    });
  }

  /**
   * Whether a text of the stream contains these bytes, ignoring the case of ASCII letters.
   * @param {number} place
   * @param {Uint8Array} wanted
   */
  textHas(place, wanted) {
    if (place === NONE) return false;
    const { stream } = this.rows;
    const [start, end] = this.rows.textRange(place);
    for (let at = start; at <= end - wanted.length; at += 1) {
      let same = 0;
      while (same < wanted.length && lower(stream[at + same]) === wanted[same]) same += 1;
      if (same === wanted.length) return true;
    }
    return false;
  }

  /**
   * Yields the rows that contain `words`, and null between slices. A path matches at its last segment.
   * @param {string} words
   * @returns {Generator<Hit | null>}
   */
  *rowsWith(words) {
    const { rows } = this;
    const lowered = words.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    const wanted = new TextEncoder().encode(lowered);
    const step = Math.max(lowered.lastIndexOf("."), lowered.lastIndexOf("["));
    const tail = lowered[step] === "." ? lowered.slice(step + 1) : lowered.slice(Math.max(step, 0));
    /** @param {number} row */
    const isOnPath = (row) => {
      if (!(rows.flags[row] & PLACE)) return false;
      const label = rows.labelOf(row).toLowerCase();
      if (step < 0) return label.includes(lowered);
      // Only the last segment is searched for the tail, so that nested places are not hits, too.
      return label.startsWith(tail) && rows.pathOf(row).toLowerCase().includes(lowered);
    };
    // Most rows share a few kinds, which are searched as they are shown.
    /** @type {Map<number, boolean>} */
    const kinds = new Map();
    /** @param {number} place */
    const isKind = (place) => {
      if (place === NONE) return false;
      const known = kinds.get(place);
      if (known !== undefined) return known;
      const has = this.words.kind(rows.textOf(place)).toLowerCase().includes(lowered);
      kinds.set(place, has);
      return has;
    };
    for (let row = 0; row < rows.count; row += 1) {
      if (row % SLICE === SLICE - 1) yield null;
      const isInTexts = this.textHas(rows.value[row], wanted) || isKind(rows.kind[row]);
      const error = rows.errors.get(row);
      if (isInTexts || isOnPath(row) || (error !== undefined && this.textHas(error, wanted))) yield { row };
    }
  }

  /**
   * The hits of a search (rows, or offsets of bytes) and the number of bytes searched for; null if the input is invalid.
   * @param {string} words
   * @returns {{found: Iterable<Hit | number | null> | AsyncIterable<Hit | number | null>, length: number} | null}
   */
  hits(words) {
    if (this.kind.value === "rows") return { found: this.rowsWith(words), length: 0 };
    const wanted = this.kind.value === "hex" ? hexBytes(words) : new TextEncoder().encode(words);
    return wanted && { found: this.bytes.find(wanted), length: wanted.length };
  }

  async start() {
    const words = this.find.value.trim();
    const search = { hits: /** @type {Hit[]} */ ([]), at: -1, isDone: true };
    this.search = search;
    this.clearFound();
    if (words === "") return this.showCount("");
    const hits = this.hits(words);
    if (hits === null) return this.showCount(this.words.hexWanted);
    search.isDone = false;
    const { found } = hits;
    const steps = Symbol.iterator in found ? found[Symbol.iterator]() : found[Symbol.asyncIterator]();
    while (search.hits.length < MOST_HITS) {
      const step = steps.next();
      // Do not wait for results that are available.
      const { value, done } = step instanceof Promise ? await step : step;
      if (this.search !== search) return undefined;
      if (done) break;
      if (value === null) {
        this.showCount();
        await new Promise((go) => setTimeout(go));
        if (this.search !== search) return undefined;
        continue;
      }
      const hit = typeof value === "number" ? this.hitAt(value, hits.length) : value;
      if (hit.row === NONE) continue;
      search.hits.push(hit);
      if (search.hits.length === 1) this.showHit(0);
    }
    search.isDone = true;
    return this.showCount();
  }

  /**
   * @param {number} start
   * @param {number} length
   * @returns {Hit}
   */
  hitAt(start, length) {
    return { row: this.rows.rowOfByte(start), start, end: start + length };
  }

  stop() {
    this.find.value = "";
    void this.start();
  }

  /** @param {string} [text] */
  showCount(text) {
    const { hits, at, isDone } = this.search;
    const more = isDone ? (hits.length === MOST_HITS ? "+" : "") : " …";
    const none = isDone ? this.words.notFound : "…";
    const usual = hits.length === 0 ? none : this.words.hit(at + 1, `${hits.length}${more}`);
    this.found.textContent = text ?? usual;
  }

  /** @param {number} at */
  showHit(at) {
    this.search.at = at;
    this.show(this.search.hits[at]);
    this.showCount();
  }

  /**
   * Goes to the next or previous hit, and wraps around.
   * @param {number} by
   */
  step(by) {
    const count = this.search.hits.length;
    if (count > 0) this.showHit((this.search.at + by + count) % count);
  }
}
