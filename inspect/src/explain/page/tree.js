import { NONE, PART, lastUpTo } from "./rows.js";
import { separator } from "./resize.js";
import { View, element } from "./view.js";

// The columns whose width is set. The last ones are as wide as their texts.
/** @type {("range" | "place" | "kind")[]} */
const COLUMNS = ["range", "place", "kind"];
// The least width of a column in pixels.
const LEAST_WIDTH = 32;
// In a narrow pane, a column takes at most this part of it, unless a person makes it wider.
const NARROW = 600;
const MOST_OF_NARROW = 0.4;

/**
 * The width of a cell's text, whether it fits or not.
 * @param {Element} cell
 */
function contentWidth(cell) {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return Math.ceil(range.getBoundingClientRect().right - cell.getBoundingClientRect().left);
}

// The pane of parts: a tree of places that can be closed, or a flat list of parts.
export class TreePane {
  /**
   * @param {import("./rows.js").Rows} rows
   * @param {import("./dump.js").State} state
   * @param {import("./words.js").DumpWords} words
   */
  constructor(rows, state, words) {
    this.rows = rows;
    this.state = state;
    this.words = words;
    this.pane = element("section");
    this.pane.id = "parts";
    this.pane.tabIndex = 0;
    this.pane.setAttribute("role", "tree");
    this.pane.setAttribute("aria-label", words.parts);
    this.view = new View(this.pane, (position) => this.draw(position));
    this.view.afterDraw = () => this.fitColumns();
    // The width of each column, and whether a person has set it.
    this.widths = COLUMNS.map(() => LEAST_WIDTH);
    this.isSet = COLUMNS.map(() => false);
    this.widest = 0; // The width of the widest row, in a pane of that width.
    this.paneWidth = 0;
    this.head = this.columnNames();
    this.pane.addEventListener("scroll", () => { this.head.scrollLeft = this.pane.scrollLeft; });
    // The focus scrolls to a separator that is out of view.
    this.head.addEventListener("scroll", () => { this.pane.scrollLeft = this.head.scrollLeft; });
    this.element = element("div", "tree");
    this.element.append(this.head, this.pane);
    this.closed = new Uint8Array(rows.count);
    this.visible = new Uint32Array(rows.count);
    this.isList = false;
  }

  // The names of the columns, with a separator after each whose width can be changed.
  columnNames() {
    const head = element("div", "columns");
    const names = element("div", "names");
    for (const [column, name] of Object.entries(this.words.columns)) {
      const cell = element("span", column);
      cell.append(element("span", "name", name));
      const at = COLUMNS.findIndex((one) => one === column);
      if (at >= 0) {
        cell.append(separator(this.words.widthOf(name), {
          isAcross: () => true,
          size: () => this.widths[at],
          least: LEAST_WIDTH,
          set: (width) => this.setWidth(at, width),
        }));
      }
      names.append(cell);
    }
    head.append(names);
    return head;
  }

  /** @param {number} at @param {number | null} width */
  setWidth(at, width) {
    this.isSet[at] = width !== null;
    this.widths[at] = width ?? LEAST_WIDTH;
    this.widest = 0;
    this.showWidths();
    this.fitColumns();
    this.view.measureAgain();
  }

  showWidths() {
    this.widths.forEach((width, at) => this.element.style.setProperty(`--${COLUMNS[at]}`, `${width}px`));
  }

  // Makes columns as wide as the widest text that was visible so far.
  fitColumns() {
    const { pane, view, widths } = this;
    const most = pane.clientWidth < NARROW ? pane.clientWidth * MOST_OF_NARROW : Infinity;
    const needed = widths.map((width, at) => {
      if (this.isSet[at]) return width;
      const texts = [...pane.querySelectorAll(`.part > :nth-child(${at + 1})`)].map(contentWidth);
      const name = this.head.querySelectorAll("span.name")[at];
      return Math.max(width, contentWidth(name), Math.min(Math.max(0, ...texts), most));
    });
    if (needed.some((width, at) => width > widths[at])) {
      this.widths = needed;
      this.showWidths();
      view.forgetHeights();
    }
    // The widest row can be scrolled to while it is out of view.
    if (this.paneWidth !== pane.clientWidth) {
      this.paneWidth = pane.clientWidth;
      this.widest = 0;
      view.spacer.style.minWidth = "";
    }
    const ends = [...pane.querySelectorAll(".part > :last-child")].map((text) => text.getBoundingClientRect().right);
    const margin = parseFloat(getComputedStyle(view.window).paddingRight);
    const wide = Math.floor(Math.max(0, ...ends) - view.window.getBoundingClientRect().left + margin);
    this.widest = Math.max(this.widest, wide);
    view.spacer.style.minWidth = `max(100%, ${this.widest}px)`;
  }

  // Updates which rows are visible.
  arrange() {
    const { rows, visible } = this;
    let count = 0;
    for (let row = 0; row < rows.count; ) {
      if (!this.isList || rows.flags[row] & PART) {
        visible[count] = row;
        count += 1;
      }
      row = this.closed[row] && !this.isList ? rows.after[row] : row + 1;
    }
    this.view.setCount(count);
  }

  /**
   * The position of a row among the visible ones, or that of the closed place that contains it.
   * @param {number} row
   */
  positionOf(row) { return lastUpTo(this.visible, this.view.count, row); }

  /** @param {number} row @param {boolean} wanted */
  setClosed(row, wanted) {
    if (!this.rows.hasChildren(row) || Boolean(this.closed[row]) === wanted) return;
    this.closed[row] = wanted ? 1 : 0;
    this.arrange();
  }

  /** @param {boolean} wanted */
  setAllClosed(wanted) {
    const { rows } = this;
    for (let row = 0; row < rows.count; row += 1) {
      this.closed[row] = wanted && rows.hasChildren(row) ? 1 : 0;
    }
    this.arrange();
  }

  /**
   * Opens the places that contain a row, and scrolls to it.
   * @param {number} row
   */
  reveal(row) {
    const { rows } = this;
    let changed = false;
    for (let parent = rows.parent[row]; parent !== NONE; parent = rows.parent[parent]) {
      changed ||= this.closed[parent] === 1;
      this.closed[parent] = 0;
    }
    if (changed) this.arrange();
    this.view.reveal(this.positionOf(row));
  }

  /** @param {number} position */
  draw(position) {
    const { rows, isList } = this;
    const row = this.visible[position];
    const drawn = element("div", `part ${rows.classesOf(row)}`);
    drawn.id = `r${row}`;
    drawn.dataset.row = String(row);
    drawn.setAttribute("role", "treeitem");
    drawn.setAttribute("aria-level", String(isList ? 1 : rows.depth[row] + 1));
    drawn.setAttribute("aria-posinset", String(isList ? position + 1 : rows.position[row]));
    const parent = rows.parent[row];
    const size = parent === NONE ? rows.rootCount : rows.childCount[parent];
    drawn.setAttribute("aria-setsize", String(isList ? this.view.count : size));
    drawn.append(element("span", "range", rows.rangeOf(row)));
    const label = element("span", "place", isList ? rows.pathOf(row) : rows.labelOf(row));
    if (!isList) label.style.paddingLeft = `${Math.min(rows.depth[row], 24) + 1.5}ch`;
    if (rows.hasChildren(row) && !isList) {
      drawn.setAttribute("aria-expanded", String(!this.closed[row]));
      const sign = element("span", "sign", this.closed[row] ? "▸" : "▾");
      sign.setAttribute("aria-hidden", "true");
      label.prepend(sign);
    }
    drawn.append(label);
    if (rows.flags[row] & PART) drawn.append(element("span", "what", this.words.kind(rows.textOf(rows.kind[row]))));
    else drawn.append(element("span", "range", this.words.items(rows.childCount[row])));
    drawn.append(element("span", "value", this.words.value(rows.textOf(rows.value[row]))));
    if (rows.errors.has(row)) drawn.append(element("span", "error", this.words.errorText(rows.errorOf(row))));
    this.paintRow(drawn, row);
    return drawn;
  }

  /** @param {HTMLElement} drawn @param {number} row */
  paintRow(drawn, row) {
    drawn.classList.toggle("hover", this.state.hover !== null && this.state.hover.row === row);
    const isMarked = this.state.marked !== null && this.state.marked.row === row;
    drawn.classList.toggle("marked", isMarked);
    drawn.setAttribute("aria-selected", String(isMarked));
  }

  paint() {
    for (const drawn of this.pane.querySelectorAll("div")) {
      if (drawn.dataset.row !== undefined) this.paintRow(drawn, Number(drawn.dataset.row));
    }
  }

  /**
   * A row as one line of text.
   * @param {number} row
   */
  describe(row) {
    const { rows } = this;
    const isPart = rows.flags[row] & PART;
    const error = rows.errors.has(row) ? `! ${this.words.errorText(rows.errorOf(row))}` : "";
    const kind = isPart ? this.words.kind(rows.textOf(rows.kind[row])) : this.words.items(rows.childCount[row]);
    const words = [rows.rangeOf(row), rows.pathOf(row), kind, this.words.value(rows.textOf(rows.value[row])), error];
    return words.filter((word) => word !== "").join("  ·  ");
  }
}
