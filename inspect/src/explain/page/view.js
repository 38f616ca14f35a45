// A scrollable pane of rows that draws only the visible ones. Rows with long texts have several lines: their heights are
// known when they were drawn, and rows that were not are expected to have one line.
export const ROW_HEIGHT = 22;
// Browsers limit the height of elements. In longer lists, a pixel of the scroll bar is more than a pixel of rows.
const MAX_HEIGHT = 8e6;

export class View {
  /**
   * @param {HTMLElement} pane
   * @param {(row: number) => HTMLElement} drawRow
   */
  constructor(pane, drawRow) {
    this.pane = pane;
    this.drawRow = drawRow;
    this.spacer = element("div", "spacer");
    this.window = element("div", "window");
    for (const part of [this.spacer, this.window]) part.setAttribute("role", "presentation");
    this.spacer.append(this.window);
    pane.append(this.spacer);
    this.count = 0;
    this.top = 0; // The first visible row, with a fraction.
    this.expected = 0; // The scroll position set by this script.
    /** @type {number | null} */
    this.anchor = null; // The row that stays visible when the pane is resized.
    this.isScheduled = false;
    /** @type {Map<number, number>} */
    this.higher = new Map(); // By how much rows are higher than one line.
    this.sum = 0; // The sum of these.
    this.afterDraw = () => {};
    pane.addEventListener("scroll", () => {
      if (Math.abs(pane.scrollTop - this.expected) < 1) return;
      this.expected = pane.scrollTop;
      this.anchor = null;
      this.top = (pane.scrollTop / this.range()) * this.last() || 0;
      this.drawSoon();
    });
    pane.addEventListener("wheel", (event) => {
      if (this.height() < MAX_HEIGHT || event.deltaY === 0 || event.ctrlKey) return;
      event.preventDefault();
      this.anchor = null;
      const unit = event.deltaMode === 1 ? 1 : 1 / ROW_HEIGHT;
      this.scrollTo(this.top + event.deltaY * unit);
    }, { passive: false });
    new ResizeObserver(() => {
      this.forgetHeights();
      this.resize();
    }).observe(pane);
  }

  height() { return Math.min(this.count * ROW_HEIGHT + this.sum, MAX_HEIGHT); }
  /** @param {number} row */
  heightOf(row) { return ROW_HEIGHT + (this.higher.get(row) ?? 0); }
  // Number of rows of one line that fit into the pane.
  visibleRows() { return this.pane.clientHeight / ROW_HEIGHT; }
  // The range of the scroll position.
  range() { return Math.max(this.height() - this.pane.clientHeight, 1); }

  // The first row, with a fraction, at the end of the range.
  last() {
    let [row, left] = [this.count, this.pane.clientHeight];
    while (row > 0 && left > 0) {
      row -= 1;
      left -= this.heightOf(row);
    }
    return left < 0 ? row - left / this.heightOf(row) : row;
  }

  /** @param {number} count */
  setCount(count) {
    this.count = count;
    this.anchor = null;
    this.forgetHeights();
    this.resize();
  }

  forgetHeights() {
    this.higher.clear();
    this.sum = 0;
  }

  /**
   * Notes the heights of drawn rows. Returns whether they are not as expected.
   * @param {number} first @param {HTMLElement[]} lines
   */
  noteHeights(first, lines) {
    let isNew = false;
    for (const [at, line] of lines.entries()) {
      const [old, now] = [this.heightOf(first + at), line.offsetHeight];
      if (old === now || now === 0) continue;
      isNew = true;
      this.higher.set(first + at, now - ROW_HEIGHT);
      this.sum += now - old;
    }
    return isNew;
  }

  // Notes the heights of the drawn rows again, when their columns have other widths.
  measureAgain() {
    this.forgetHeights();
    this.noteHeights(Math.floor(this.top), /** @type {HTMLElement[]} */ ([...this.window.children]));
    this.setHeights();
  }

  setHeights() {
    this.spacer.style.height = `${this.height()}px`;
    this.window.style.height = `${Math.min(this.pane.clientHeight, this.height())}px`;
  }

  resize() {
    this.setHeights();
    this.scrollTo(this.top);
    if (this.anchor !== null) this.reveal(this.anchor);
  }

  /** @param {number} top */
  scrollTo(top) {
    this.top = Math.min(Math.max(top, 0), this.last());
    this.pane.scrollTop = this.last() === 0 ? 0 : (this.top / this.last()) * this.range();
    this.expected = this.pane.scrollTop;
    this.drawSoon();
  }

  /**
   * Scrolls if the row is not visible.
   * @param {number} row
   */
  reveal(row) {
    this.anchor = row;
    const visible = Math.floor(this.visibleRows());
    let isVisible = row >= this.top && row + 1 <= this.top + visible;
    if (isVisible) {
      const first = Math.floor(this.top);
      let bottom = -(this.top - first) * this.heightOf(first);
      for (let at = first; at <= row; at += 1) bottom += this.heightOf(at);
      isVisible = bottom <= this.pane.clientHeight;
    }
    if (isVisible) this.drawSoon();
    else this.scrollTo(this.firstAbove(row));
  }

  /**
   * The first row that is visible if this row is in the middle.
   * @param {number} row
   */
  firstAbove(row) {
    let [first, left] = [row, (this.pane.clientHeight - this.heightOf(row)) / 2];
    while (first > 0 && left >= this.heightOf(first - 1)) {
      first -= 1;
      left -= this.heightOf(first);
    }
    return first;
  }

  drawSoon() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.isScheduled = false;
    const first = Math.floor(this.top);
    const end = Math.min(Math.ceil(this.top + this.visibleRows()) + 1, this.count);
    const lines = [];
    for (let row = first; row < end; row += 1) lines.push(this.drawRow(row));
    this.window.replaceChildren(...lines);
    this.afterDraw();
    const last = this.last();
    if (this.noteHeights(first, lines)) {
      if (last > 0 && this.top === last) this.top = this.last();
      this.resize();
    }
    this.window.scrollTop = (this.top - first) * this.heightOf(first);
  }
}

/**
 * An element with a class and text. The text is never parsed as markup.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [name]
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, name, text) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text) made.textContent = text;
  return made;
}
