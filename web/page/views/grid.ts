// A table of any size with an index for each row and column. Only visible cells are requested and drawn.
import { h } from "../dom.ts";

/** The cells from a row and column on. */
export interface Area { top: number; left: number; height: number; width: number }

export interface Source {
  rows: number;
  columns: number;
  /** The texts before a row and above a column. */
  side: (row: number) => string;
  head: (column: number) => string;
  /** The texts of cells, row by row. */
  read: (area: Area) => Promise<string[]>;
}

// The height of rows in style.css.
const ROW = 22;
// The space on both sides of a cell's text, as in style.css.
const SPACE = 16;
// Browsers limit the size of elements. In larger tables, a pixel of the scroll bar is more than a pixel of cells.
const MOST = 8e6;
// The least number of characters of a cell.
const LEAST = 5;

/** The range of the scroll position, and the first row or column at its end. */
interface Scale { range: number; last: number }

export class Grid {
  readonly element: HTMLElement;
  private readonly spacer = h("div", { class: "spacer", role: "presentation" });
  private readonly window = h("div", { class: "cells", role: "presentation" });
  private source: Source | undefined;
  private top = 0;
  private left = 0;
  private chosen: [number, number] = [0, 0];
  /** The scroll position that was set here. */
  private expected: [number, number] = [0, 0];
  /** The parts of rows and columns that the wheel has not moved yet. */
  private turned: [number, number] = [0, 0];
  /** Number of characters of the longest text so far, so that columns do not become narrower. */
  private letters = LEAST;
  private sideLetters = 1;
  private letter = 8;
  private area: Area = { top: 0, left: 0, height: 0, width: 0 };
  private texts: string[] = [];
  private reading: Source | undefined;
  private isScheduled = false;

  constructor(
    name: string,
    private readonly choose: (row: number, column: number) => void,
    private readonly failed: (error: unknown) => void,
  ) {
    this.element = h("section", {
      class: "grid", id: "grid", role: "grid", tabindex: 0, "aria-label": name,
      onkeydown: (event: KeyboardEvent) => { if (this.key(event)) event.preventDefault(); },
      onclick: (event: MouseEvent) => {
        const { row, column } = (event.target as Element).closest<HTMLElement>("[data-row]")?.dataset ?? {};
        if (row !== undefined && column !== undefined) this.mark(Number(row), Number(column));
      },
    }, this.spacer);
    this.spacer.append(this.window);
    this.element.addEventListener("scroll", () => this.scrolled());
    this.element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /** Removes all cells. */
  clear(): void {
    this.source = undefined;
    this.texts = [];
    this.area = { top: 0, left: 0, height: 0, width: 0 };
    this.window.replaceChildren();
    this.element.removeAttribute("aria-activedescendant");
  }

  /** Shows another source: from its start, or at the same cell. */
  show(source: Source, isSamePlace: boolean): void {
    this.source = source;
    if (!isSamePlace) [this.top, this.left, this.chosen] = [0, 0, [0, 0]];
    this.area = { top: 0, left: 0, height: 0, width: 0 };
    const edge = (count: number, text: (at: number) => string): number =>
      (count === 0 ? 0 : Math.max(text(0).length, text(count - 1).length));
    this.sideLetters = edge(source.rows, source.side);
    this.letters = Math.max(LEAST, edge(source.columns, source.head));
    this.element.setAttribute("aria-rowcount", String(source.rows + 1));
    this.element.setAttribute("aria-colcount", String(source.columns + 1));
    this.resize();
  }

  private get cellWidth(): number { return this.letters * this.letter + SPACE; }
  private get sideWidth(): number { return this.sideLetters * this.letter + SPACE; }
  private get visibleRows(): number { return Math.max(Math.floor(this.element.clientHeight / ROW) - 1, 1); }
  private get visibleColumns(): number {
    return Math.max(Math.floor((this.element.clientWidth - this.sideWidth) / this.cellWidth), 1);
  }

  private get height(): number { return Math.min(((this.source?.rows ?? 0) + 1) * ROW, MOST); }
  private get width(): number { return Math.min(this.sideWidth + (this.source?.columns ?? 0) * this.cellWidth, MOST); }
  private get down(): Scale {
    return { range: this.height - this.element.clientHeight, last: Math.max((this.source?.rows ?? 0) - this.visibleRows, 0) };
  }
  private get across(): Scale {
    return { range: this.width - this.element.clientWidth, last: Math.max((this.source?.columns ?? 0) - this.visibleColumns, 0) };
  }

  resize(): void {
    const { element, spacer, window } = this;
    if (element.clientWidth === 0) return;
    const measure = h("span", {}, "0".repeat(100));
    window.append(measure);
    this.letter = measure.getBoundingClientRect().width / 100 || this.letter;
    measure.remove();
    spacer.style.height = `${this.height}px`;
    spacer.style.width = `${this.width}px`;
    window.style.height = `${Math.min(element.clientHeight, this.height)}px`;
    window.style.width = `${Math.min(element.clientWidth, this.width)}px`;
    this.scrollTo(this.top, this.left);
  }

  private scrolled(): void {
    const { scrollTop, scrollLeft } = this.element;
    const [top, left] = this.expected;
    if (Math.abs(scrollTop - top) < 1 && Math.abs(scrollLeft - left) < 1) return;
    const place = (at: number, { range, last }: Scale): number =>
      (range <= 0 ? 0 : Math.min(Math.round((at / range) * last), last));
    if (Math.abs(scrollTop - top) >= 1) this.top = place(scrollTop, this.down);
    if (Math.abs(scrollLeft - left) >= 1) this.left = place(scrollLeft, this.across);
    this.expected = [scrollTop, scrollLeft];
    this.drawSoon();
  }

  private scrollTo(top: number, left: number): void {
    const { element, down, across } = this;
    this.top = Math.min(Math.max(top, 0), down.last);
    this.left = Math.min(Math.max(left, 0), across.last);
    const place = (at: number, { range, last }: Scale): number => (last === 0 ? 0 : (at / last) * range);
    element.scrollTop = place(this.top, down);
    element.scrollLeft = place(this.left, across);
    this.expected = [element.scrollTop, element.scrollLeft];
    this.drawSoon();
  }

  private wheel(event: WheelEvent): void {
    if (event.ctrlKey) return;
    const isTurned = event.shiftKey && event.deltaX === 0;
    const [x, y] = isTurned ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
    const isLines = event.deltaMode === 1;
    this.turned[0] += y / (isLines ? 1 : ROW);
    this.turned[1] += x / (isLines ? 1 : this.cellWidth);
    const [rows, columns] = this.turned.map(Math.trunc) as [number, number];
    this.turned = [this.turned[0] - rows, this.turned[1] - columns];
    const { top, left, down, across } = this;
    const canMove = (at: number, by: number, last: number): boolean => (by > 0 ? at < last : by < 0 && at > 0);
    // At its end, the page is scrolled instead.
    if (!canMove(top, y, down.last) && !canMove(left, x, across.last)) return;
    event.preventDefault();
    if (rows !== 0 || columns !== 0) this.scrollTo(top + rows, left + columns);
  }

  private key(event: KeyboardEvent): boolean {
    const { source, chosen: [row, column] } = this;
    if (!source || source.rows === 0 || source.columns === 0) return false;
    const page = this.visibleRows;
    const everything = event.ctrlKey || event.metaKey;
    const places: Record<string, [number, number]> = {
      ArrowDown: [row + 1, column], ArrowUp: [row - 1, column],
      ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      PageDown: [row + page, column], PageUp: [row - page, column],
      Home: [everything ? 0 : row, 0], End: [everything ? source.rows - 1 : row, source.columns - 1],
    };
    const place = places[event.key];
    if (!place) return false;
    this.mark(place[0], place[1]);
    return true;
  }

  /** Chooses a cell, and shows it. */
  private mark(row: number, column: number): void {
    const { source } = this;
    if (!source) return;
    const inside = (at: number, count: number): number => Math.min(Math.max(at, 0), count - 1);
    const [y, x] = [inside(row, source.rows), inside(column, source.columns)];
    this.chosen = [y, x];
    const into = (first: number, at: number, count: number): number =>
      (at < first ? at : at >= first + count ? at - count + 1 : first);
    this.scrollTo(into(this.top, y, this.visibleRows), into(this.left, x, this.visibleColumns));
    this.choose(y, x);
  }

  private drawSoon(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.isScheduled = false;
    const { source, element } = this;
    if (!source || element.clientWidth === 0) return;
    // The last row and column may be visible in part.
    const { top, left } = this;
    const height = Math.min(this.visibleRows + 1, source.rows - top);
    const width = Math.min(this.visibleColumns + 1, source.columns - left);
    element.style.setProperty("--cell", `${this.cellWidth}px`);
    element.style.setProperty("--side", `${this.sideWidth}px`);
    const head = h("div", { class: "row head", role: "row", "aria-rowindex": 1 }, h("span", { class: "side", role: "presentation" }));
    for (let column = left; column < left + width; column += 1) {
      head.append(h("span", { role: "columnheader", "aria-colindex": column + 2 }, source.head(column)));
    }
    const rows = [head];
    for (let row = top; row < top + height; row += 1) {
      const drawn = h("div", { class: "row", role: "row", "aria-rowindex": row + 2 },
        h("span", { class: "side", role: "rowheader", "aria-colindex": 1 }, source.side(row)));
      for (let column = left; column < left + width; column += 1) {
        const isChosen = row === this.chosen[0] && column === this.chosen[1];
        drawn.append(h("span", {
          class: isChosen && "marked", id: `cell-${row}-${column}`, role: "gridcell", "aria-colindex": column + 2,
          "aria-selected": String(isChosen), "data-row": row, "data-column": column,
        }, this.textOf(row, column) ?? ""));
      }
      rows.push(drawn);
    }
    this.window.replaceChildren(...rows);
    element.setAttribute("aria-activedescendant", `cell-${this.chosen.join("-")}`);
    void this.fill({ top, left, height, width });
  }

  private textOf(row: number, column: number): string | undefined {
    const { area } = this;
    const [y, x] = [row - area.top, column - area.left];
    return y >= 0 && y < area.height && x >= 0 && x < area.width ? this.texts[y * area.width + x] : undefined;
  }

  /** Requests the visible cells that are not known. There is one request at a time, so that none is outdated. */
  private async fill(wanted: Area): Promise<void> {
    const { source, area } = this;
    if (!source || wanted.height <= 0 || wanted.width <= 0 || this.reading === source) return;
    const isKnown = wanted.top >= area.top && wanted.top + wanted.height <= area.top + area.height &&
      wanted.left >= area.left && wanted.left + wanted.width <= area.left + area.width;
    if (isKnown) return;
    this.reading = source;
    try {
      const texts = await source.read(wanted);
      if (this.source !== source) return;
      this.area = wanted;
      this.texts = texts;
      const longest = texts.reduce((most, { length }) => Math.max(most, length), this.letters);
      if (longest > this.letters) {
        this.letters = longest;
        this.resize();
      }
      this.drawSoon();
    } catch (error) {
      if (this.source === source) this.failed(error);
    } finally {
      if (this.reading === source) this.reading = undefined;
    }
  }
}
