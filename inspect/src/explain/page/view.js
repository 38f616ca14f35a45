// A scrollable pane of rows of one height that draws only the visible ones.
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
    new ResizeObserver(() => this.resize()).observe(pane);
  }

  height() { return Math.min(this.count * ROW_HEIGHT, MAX_HEIGHT); }
  // Number of rows that fit into the pane.
  visibleRows() { return this.pane.clientHeight / ROW_HEIGHT; }
  // The range of the scroll position, and the first row at its end.
  range() { return Math.max(this.height() - this.pane.clientHeight, 1); }
  last() { return Math.max(this.count - this.visibleRows(), 0); }

  /** @param {number} count */
  setCount(count) {
    this.count = count;
    this.anchor = null;
    this.resize();
  }

  resize() {
    this.spacer.style.height = `${this.height()}px`;
    this.window.style.height = `${Math.min(this.pane.clientHeight, this.height())}px`;
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
    if (row < this.top || row + 1 > this.top + visible) this.scrollTo(row - Math.floor(visible / 2));
    else this.drawSoon();
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
    this.window.scrollTop = (this.top - first) * ROW_HEIGHT;
    this.afterDraw();
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
