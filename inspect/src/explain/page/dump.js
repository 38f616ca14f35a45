import { BytesPane } from "./bytes.js";
import { Finder } from "./find.js";
import { separator } from "./resize.js";
import { NONE, PLACE } from "./rows.js";
import { TreePane } from "./tree.js";
import { element } from "./view.js";

/**
 * The bytes of a file. `at` returns the byte at an offset, or undefined if it is not available (yet);
 * `whenMore` sets the callback for newly loaded bytes. `find` yields offsets, and null from time to time so
 * that the caller can pause.
 * @typedef {{
 *   at: (offset: number) => number | undefined,
 *   whenMore: (then: () => void) => void,
 *   find: (wanted: Uint8Array) => Iterable<number | null> | AsyncIterable<number | null>,
 * }} Bytes
 */

/**
 * The hovered and marked rows and the found bytes, each with its byte range, or null. `offset` is the selected
 * byte of the marked row.
 * @typedef {{
 *   hover: {row: number, start: number, end: number} | null,
 *   marked: {row: number, start: number, end: number} | null,
 *   found: {start: number, end: number} | null,
 *   offset: number,
 * }} State
 */

// The least size of each pane in pixels.
const LEAST_SIZE = 120;
// Maximum number of errors in the list.
const MOST_ERRORS = 20;

// The panes of bytes and parts: selection in both panes, and its address.
export class Dump {
  /**
   * @param {import("./rows.js").Rows} rows
   * @param {Bytes} bytes
   * @param {import("./words.js").DumpWords} words
   * @param {(address: string) => void} setAddress
   */
  constructor(rows, bytes, words, setAddress) {
    this.rows = rows;
    this.words = words;
    this.setAddress = setAddress;
    /** @type {State} */
    this.state = { hover: null, marked: null, found: null, offset: 0 };
    this.bytes = new BytesPane(rows, bytes, this.state, words);
    this.tree = new TreePane(rows, this.state, words);
    this.finder = new Finder(rows, bytes, words, (hit) => this.showHit(hit), () => {
      this.state.found = null;
      this.bytes.paint();
    });
    /** @type {{size: number, isAcross: boolean} | null} */
    this.chosenSize = null;
    this.tools = element("div", "tools");
    this.tools.append(...this.finder.parts(), ...this.treeTools());
    this.panes = element("div", "panes");
    const divider = separator(words.divider, {
      isAcross: () => this.isAcross(),
      size: () => (this.isAcross() ? this.bytes.pane.offsetWidth : this.bytes.pane.offsetHeight),
      least: LEAST_SIZE,
      set: (size) => this.split(size),
    });
    divider.id = "divider";
    this.panes.append(this.bytes.pane, divider, this.tree.element);
    this.status = element("div", "help", words.help);
    this.status.id = "status";
    this.status.setAttribute("aria-live", "polite");
    this.listen();
  }

  // Draws the panes after they were added to the page.
  start() {
    this.tree.arrange();
    this.bytes.fit();
    this.tree.view.draw();
    this.bytes.view.draw();
  }

  // Whether the panes are side by side.
  isAcross() { return getComputedStyle(this.panes).flexDirection === "row"; }

  /**
   * Sets the size of the bytes.
   * @param {number | null} size
   */
  split(size) {
    const all = this.isAcross() ? this.panes.clientWidth : this.panes.clientHeight;
    this.chosenSize = size === null ? null : { size, isAcross: this.isAcross() };
    this.bytes.pane.style.flex = size === null ? "" : `0 0 ${Math.min(size, all - LEAST_SIZE)}px`;
    this.bytes.pane.style.maxWidth = size === null ? "" : "none";
    this.bytes.isSet = size !== null && this.isAcross();
    this.bytes.fit();
  }

  // Fits the panes into a window of another size.
  resize() {
    const { chosenSize } = this;
    if (chosenSize === null) this.bytes.fit();
    else this.split(chosenSize.isAcross === this.isAcross() ? chosenSize.size : null);
  }

  treeTools() {
    /** @param {string} id @param {string} text @param {boolean} wanted */
    const all = (id, text, wanted) => {
      const button = element("button", "", text);
      button.id = id;
      button.type = "button";
      button.addEventListener("click", () => this.tree.setAllClosed(wanted));
      return button;
    };
    const list = element("input");
    list.id = "list";
    list.type = "checkbox";
    list.addEventListener("change", () => {
      this.tree.isList = list.checked;
      this.tree.arrange();
      if (this.state.marked !== null) {
        this.tree.view.reveal(this.tree.positionOf(this.state.marked.row));
      }
    });
    const label = element("label");
    label.append(list, ` ${this.words.asList}`);
    return [all("close", this.words.closeAll, true), all("open", this.words.openAll, false), label];
  }

  /** @param {number} row */
  rangeOf(row) { return { row, start: this.rows.start[row], end: this.rows.end[row] }; }

  /** @param {number} row */
  hover(row) {
    if ((this.state.hover?.row ?? NONE) === row) return;
    this.state.hover = row === NONE ? null : this.rangeOf(row);
    this.paint();
    this.showStatus();
  }

  paint() {
    this.bytes.paint();
    this.tree.paint();
  }

  showStatus() {
    const shown = this.state.hover ?? this.state.marked;
    this.status.textContent = shown === null ? this.words.help : this.tree.describe(shown.row);
    this.status.classList.toggle("help", shown === null);
  }

  /**
   * Marks a row, and shows it and one of its bytes. The byte is the row's first one if none is given.
   * @param {number} row
   * @param {number} [offset]
   */
  mark(row, offset) {
    const { rows, state } = this;
    if (row === NONE || row >= rows.count) return;
    state.marked = this.rangeOf(row);
    state.offset = offset ?? rows.start[row];
    this.bytes.reveal(state.offset);
    this.tree.reveal(row);
    this.tree.pane.setAttribute("aria-activedescendant", `r${row}`);
    this.showStatus();
    const isPlace = offset === undefined && rows.flags[row] & PLACE;
    this.setAddress(isPlace ? `#path=${encodeURI(rows.pathOf(row))}` : `#b${state.offset}`);
  }

  unmark() {
    this.state.marked = this.state.hover = this.state.found = null;
    this.tree.pane.removeAttribute("aria-activedescendant");
    this.paint();
    this.showStatus();
  }

  /** @param {number} offset */
  markByte(offset) {
    const inside = Math.min(Math.max(offset, this.bytes.start), this.bytes.end - 1);
    this.mark(this.rows.rowOfByte(inside), inside);
  }

  /** @param {import("./find.js").Hit} hit */
  showHit(hit) {
    const { start, end } = hit;
    this.state.found = start === undefined || end === undefined ? null : { start, end };
    this.mark(hit.row, start);
    this.bytes.paint();
  }

  /**
   * Goes to `#b1234`, `#b0x4d2` or `#path=graph[2]`.
   * @param {string} address
   */
  goTo(address) {
    let hash = address;
    try { hash = decodeURIComponent(hash); } catch { /* not an address of this report */ }
    if (hash.startsWith("#path=")) {
      const row = this.rows.rowOfPath(hash.slice(6));
      if (row === NONE) {
        this.status.textContent = this.words.noPart(hash.slice(6));
        this.status.classList.remove("help");
      } else this.mark(row);
    } else if (/^#b(0x[0-9a-f]+|\d+)$/i.test(hash)) {
      this.markByte(Number(hash.slice(2)));
    }
  }

  listen() {
    const { pane } = this.bytes;
    /** @param {Event} event @param {string} selector */
    const closest = (event, selector) => {
      const { target } = event;
      return target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest(selector)) : null;
    };
    pane.addEventListener("mouseover", (event) => {
      const cell = closest(event, "b");
      this.hover(cell ? this.rows.rowOfByte(Number(cell.dataset.at)) : NONE);
    });
    pane.addEventListener("click", (event) => {
      const cell = closest(event, "b");
      if (cell) this.markByte(Number(cell.dataset.at));
    });
    pane.addEventListener("keydown", (event) => this.keyOfBytes(event));
    const tree = this.tree.pane;
    tree.addEventListener("mouseover", (event) => {
      const drawn = closest(event, ".part");
      this.hover(drawn ? Number(drawn.dataset.row) : NONE);
    });
    tree.addEventListener("click", (event) => {
      const drawn = closest(event, ".part");
      if (!drawn) return;
      const row = Number(drawn.dataset.row);
      if (closest(event, ".sign")) this.tree.setClosed(row, !this.tree.closed[row]);
      this.mark(row);
    });
    tree.addEventListener("keydown", (event) => this.keyOfTree(event));
    for (const one of [pane, tree]) one.addEventListener("mouseleave", () => this.hover(NONE));
  }

  /** @param {KeyboardEvent} event */
  keyOfBytes(event) {
    const { bytes, state } = this;
    const page = Math.floor(bytes.view.visibleRows()) * bytes.perLine;
    const now = state.marked === null ? bytes.start : state.offset;
    /** @type {Record<string, number>} */
    const places = {
      ArrowLeft: now - 1, ArrowRight: now + 1, ArrowUp: now - bytes.perLine,
      ArrowDown: now + bytes.perLine, PageUp: now - page, PageDown: now + page, Home: bytes.start,
      End: bytes.end - 1,
    };
    if (!(event.key in places) || bytes.end === bytes.start) return;
    event.preventDefault();
    this.markByte(places[event.key]);
  }

  /** @param {KeyboardEvent} event */
  keyOfTree(event) {
    const { rows, tree, state } = this;
    const { view } = tree;
    if (view.count === 0) return;
    const row = state.marked === null ? NONE : state.marked.row;
    const now = row === NONE ? -1 : tree.positionOf(row);
    const last = view.count - 1;
    const page = Math.floor(view.visibleRows());
    /** @type {Record<string, number>} */
    const steps = {
      ArrowDown: now + 1, ArrowUp: now - 1, PageDown: now + page, PageUp: now - page, Home: 0, End: last,
    };
    if (event.key in steps) {
      this.mark(tree.visible[Math.min(Math.max(steps[event.key], 0), last)]);
    } else if (event.key === "ArrowRight" && row !== NONE && !tree.isList) {
      if (tree.closed[row]) tree.setClosed(row, false);
      else if (rows.hasChildren(row)) this.mark(row + 1);
    } else if (event.key === "ArrowLeft" && row !== NONE && !tree.isList) {
      if (rows.hasChildren(row) && !tree.closed[row]) tree.setClosed(row, true);
      else if (rows.parent[row] !== NONE) this.mark(rows.parent[row]);
    } else if ((event.key === "Enter" || event.key === " ") && row !== NONE && !tree.isList) {
      tree.setClosed(row, !tree.closed[row]);
    } else {
      return;
    }
    event.preventDefault();
  }

  // Handles keys that do not depend on the focus. Returns whether the key was one of them.
  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "/" && event.target !== this.finder.find) {
      event.preventDefault();
      this.finder.find.focus();
    } else if (event.key === "Escape") {
      this.finder.stop();
      this.unmark();
    } else {
      return false;
    }
    return true;
  }

  /**
   * The errors, as links to their bytes; null if there are none.
   * @param {number} count
   */
  errorList(count) {
    if (count === 0) return null;
    const { rows } = this;
    const list = element("ul", "errors");
    const shown = [...rows.errors.keys()].sort((one, other) => one - other).slice(0, MOST_ERRORS);
    for (const row of shown) {
      const text = this.words.errorAt(rows.start[row], rows.errorOf(row));
      const link = element("a", "", text);
      link.href = `#b${rows.start[row]}`;
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.mark(row, rows.start[row]);
      });
      const item = element("li");
      item.append(link);
      list.append(item);
    }
    const others = count - shown.length;
    if (others > 0) list.append(element("li", "", this.words.moreErrors(others)));
    return list;
  }
}
