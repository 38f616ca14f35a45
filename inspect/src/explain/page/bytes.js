import { NONE } from "./rows.js";
import { View, element } from "./view.js";

// The pane of bytes: lines with offset, hexadecimal digits and text.
export class BytesPane {
  /**
   * @param {import("./rows.js").Rows} rows
   * @param {import("./dump.js").Bytes} bytes
   * @param {import("./dump.js").State} state
   * @param {import("./words.js").DumpWords} words
   */
  constructor(rows, bytes, state, words) {
    this.rows = rows;
    this.bytes = bytes;
    this.state = state;
    this.words = words;
    this.pane = element("section");
    this.pane.id = "bytes";
    this.pane.tabIndex = 0;
    this.pane.setAttribute("role", "group");
    this.pane.setAttribute("aria-label", words.bytes);
    this.view = new View(this.pane, (line) => this.draw(line));
    this.digits = String(rows.fileLength).length;
    this.start = rows.bytesStart();
    this.end = rows.bytesEnd();
    this.perLine = 16;
    bytes.whenMore(() => this.view.drawSoon());
  }

  firstLine() { return Math.floor(this.start / this.perLine); }

  /** @param {number} offset */
  lineOf(offset) { return Math.floor(offset / this.perLine) - this.firstLine(); }

  // Narrow screens show half as many bytes per line.
  fit() {
    const { view, state } = this;
    const offset = view.top > 0 ? (Math.floor(view.top) + this.firstLine()) * this.perLine : 0;
    this.perLine = matchMedia("(max-width: 44rem)").matches ? 8 : 16;
    view.setCount(this.end > this.start ? this.lineOf(this.end - 1) + 1 : 0);
    if (state.marked !== null) view.reveal(this.lineOf(state.offset));
    else if (offset > 0) view.scrollTo(this.lineOf(offset));
  }

  /** @param {number} offset */
  reveal(offset) {
    if (this.end > this.start) this.view.reveal(this.lineOf(Math.min(offset, this.end - 1)));
  }

  /** @param {number} line */
  draw(line) {
    const { rows, perLine } = this;
    const start = (line + this.firstLine()) * perLine;
    const drawn = element("div", "line");
    drawn.append(element("span", "at", String(start).padStart(this.digits)));
    let text = "";
    let isEmpty = true;
    let row = NONE;
    for (let offset = start; offset < start + perLine; offset += 1) {
      if (row === NONE || offset >= rows.end[row]) row = rows.rowOfByte(offset);
      if (row === NONE) {
        drawn.append("   ");
        text += " ";
        continue;
      }
      const byte = this.bytes.at(offset);
      const shown = byte === undefined ? "··" : byte.toString(16).padStart(2, "0");
      const cell = element("b", rows.classesOf(row), `${shown} `);
      cell.dataset.at = String(offset);
      this.paintByte(cell, offset);
      drawn.append(cell);
      isEmpty = false;
      text += byte !== undefined && byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·";
    }
    drawn.append(element("span", "text", isEmpty ? this.words.leftOut : text));
    return drawn;
  }

  /** @param {HTMLElement} cell @param {number} offset */
  paintByte(cell, offset) {
    /** @param {{start: number, end: number} | null} range */
    const within = (range) => range !== null && range.start <= offset && offset < range.end;
    cell.classList.toggle("hover", within(this.state.hover));
    cell.classList.toggle("marked", within(this.state.marked));
    cell.classList.toggle("found", within(this.state.found));
  }

  paint() {
    for (const cell of this.pane.querySelectorAll("b")) this.paintByte(cell, Number(cell.dataset.at));
  }
}
