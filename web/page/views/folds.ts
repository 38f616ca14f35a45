// The lines of JSON text, and which of them are folded.
import { lastUpTo } from "../../../inspect/src/explain/page/rows.js";

const NEWLINE = 10;
const BLANK = 32;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
const NONE = 0xffffffff;

export class Folds {
  readonly count: number;
  /** The lines that are not inside of folded ones. */
  visible: Uint32Array;
  visibleCount = 0;
  private readonly starts: Uint32Array;
  /** Of a line that ends with an opening bracket, the line of the closing one; 0 for others. */
  private readonly ends: Uint32Array;
  /** The line of the bracket around each line. */
  private readonly parents: Uint32Array;
  private readonly folded: Uint8Array;

  constructor(readonly text: string) {
    let count = text === "" || text.endsWith("\n") ? 0 : 1;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
    this.count = count;
    this.starts = new Uint32Array(count + 1);
    this.ends = new Uint32Array(count);
    this.parents = new Uint32Array(count);
    this.folded = new Uint8Array(count);
    this.visible = new Uint32Array(count);
    this.scan();
    this.arrange();
  }

  private scan(): void {
    const { text, starts, ends, parents, count } = this;
    const open: number[] = [];
    let start = 0;
    for (let line = 0; line < count; line += 1) {
      starts[line] = start;
      const newline = text.indexOf("\n", start);
      const end = newline < 0 ? text.length : newline;
      let first = start;
      while (text.charCodeAt(first) === BLANK) first += 1;
      if (CLOSING.has(text.charCodeAt(first))) {
        const opened = open.pop();
        if (opened !== undefined) ends[opened] = line;
      }
      parents[line] = open.at(-1) ?? NONE;
      if (OPENING.has(text.charCodeAt(end - 1))) open.push(line);
      start = end + 1;
    }
    // As if a newline followed.
    starts[count] = text.charCodeAt(text.length - 1) === NEWLINE ? text.length : text.length + 1;
  }

  /** Updates which lines are visible. */
  private arrange(): void {
    let shown = 0;
    for (let line = 0; line < this.count; ) {
      this.visible[shown] = line;
      shown += 1;
      line = this.isFolded(line) ? (this.ends[line] ?? line) + 1 : line + 1;
    }
    this.visibleCount = shown;
  }

  startOf(line: number): number { return this.starts[line] ?? 0; }

  /** A line without its newline. */
  lineText(line: number): string { return this.text.slice(this.startOf(line), this.startOf(line + 1) - 1); }

  /** The closing bracket of a folded line. */
  ending(line: number): string { return this.lineText(this.ends[line] ?? line).trimStart(); }

  canFold(line: number): boolean { return (this.ends[line] ?? 0) > line; }

  isFolded(line: number): boolean { return this.folded[line] === 1; }

  /** The line of the bracket around a line. */
  parentOf(line: number): number | undefined {
    const parent = this.parents[line] ?? NONE;
    return parent === NONE ? undefined : parent;
  }

  depthOf(line: number): number {
    let depth = 0;
    for (let parent = this.parentOf(line); parent !== undefined; parent = this.parentOf(parent)) depth += 1;
    return depth;
  }

  fold(line: number, wanted: boolean): void {
    if (!this.canFold(line) || this.isFolded(line) === wanted) return;
    this.folded[line] = wanted ? 1 : 0;
    this.arrange();
  }

  /** Folds everything but the outermost brackets, or nothing. */
  foldAll(wanted: boolean): void {
    for (let line = 0; line < this.count; line += 1) {
      this.folded[line] = wanted && this.canFold(line) && this.parentOf(line) !== undefined ? 1 : 0;
    }
    this.arrange();
  }

  /** Unfolds what contains a line. */
  open(line: number): void {
    let isChanged = false;
    for (let parent = this.parentOf(line); parent !== undefined; parent = this.parentOf(parent)) {
      isChanged ||= this.isFolded(parent);
      this.folded[parent] = 0;
    }
    if (isChanged) this.arrange();
  }

  /** The line that contains that place of the text. */
  lineAt(place: number): number { return Math.max(lastUpTo(this.starts, this.count, place), 0); }

  /** The position of a line among the visible ones, or that of the folded line that contains it. */
  positionOf(line: number): number { return Math.max(lastUpTo(this.visible, this.visibleCount, line), 0); }
}
