import { NONE } from "./rows.js";
import { View, element } from "./view.js";

// Windows in which lines have 8 bytes: narrow ones, and those where the parts beside them have little room.
const HALF = "(max-width: 44rem), (min-width: 70rem) and (max-width: 96rem)";
// The width of a line besides its offset and bytes, in characters.
const MARGINS = 6;

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
    this.isSet = false; // Whether a person has set the width.
    bytes.whenMore(() => this.view.drawSoon());
  }

  firstLine() { return Math.floor(this.start / this.perLine); }

  /** @param {number} offset */
  lineOf(offset) { return Math.floor(offset / this.perLine) - this.firstLine(); }

  // The number of bytes that fit on a line, of a pane whose width is set. Otherwise the parts have room for their texts.
  fitting() {
    if (!this.isSet) return matchMedia(HALF).matches ? 8 : 16;
    const measure = element("div", "line");
    const digits = element("span", "", "0".repeat(100));
    measure.append(digits);
    this.view.window.append(measure);
    const letter = digits.getBoundingClientRect().width / 100;
    measure.remove();
    // Each byte has two digits, a blank and a letter; offset and margins take the rest.
    const letters = this.pane.clientWidth / letter - this.digits - MARGINS;
    return [32, 16].find((count) => count * 4 <= letters) ?? 8;
  }

  fit() {
    const { view, state } = this;
    const offset = view.top > 0 ? (Math.floor(view.top) + this.firstLine()) * this.perLine : 0;
    this.perLine = this.fitting();
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
