import { NONE, PART, lastUpTo } from "./rows.js";
import { View, element } from "./view.js";

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
    this.closed = new Uint8Array(rows.count);
    this.visible = new Uint32Array(rows.count);
    this.isList = false;
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
    if (rows.flags[row] & PART) drawn.append(element("span", "what", rows.textOf(rows.kind[row])));
    else drawn.append(element("span", "range", this.words.items(rows.childCount[row])));
    drawn.append(element("span", "value", rows.textOf(rows.value[row])));
    if (rows.errors.has(row)) drawn.append(element("span", "error", rows.errorOf(row)));
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
    const error = rows.errors.has(row) ? `! ${rows.errorOf(row)}` : "";
    const kind = isPart ? rows.textOf(rows.kind[row]) : this.words.items(rows.childCount[row]);
    const words = [rows.rangeOf(row), rows.pathOf(row), kind, rows.textOf(rows.value[row]), error];
    return words.filter((word) => word !== "").join("  ·  ");
  }
}
