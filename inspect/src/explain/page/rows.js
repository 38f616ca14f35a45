// Decodes the rows of a file: places, such as `graph[2]`, and parts, which are bytes. A place that contains only
// one part shares its row. Each row is before the rows that it contains.
export const NONE = 0xffffffff;
export const PLACE = 1;
export const INDEXED = 2; // The label is a number.
export const PART = 4;

const decoder = new TextDecoder();

/**
 * The number of rows and texts in a stream, and the length of the file.
 * @typedef {{rows: number, texts: number, length: number}} Counts
 */

/**
 * The last position of a sorted list whose value is at most `wanted`; -1 if there is none.
 * @param {ArrayLike<number>} list
 * @param {number} count
 * @param {number} wanted
 */
export function lastUpTo(list, count, wanted) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle] <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export class Rows {
  /**
   * @param {Uint8Array} stream
   * @param {Counts} counts
   */
  constructor(stream, counts) {
    // The last row may be merged with the previous one after it was read.
    const most = counts.rows + 1;
    this.stream = stream;
    this.fileLength = counts.length;
    this.count = 0;
    this.topRows = 0;
    this.start = new Float64Array(most);
    this.end = new Float64Array(most);
    this.flags = new Uint8Array(most);
    this.depth = new Uint16Array(most);
    this.parent = new Uint32Array(most);
    this.after = new Uint32Array(most); // The first row after the ones it contains.
    this.nth = new Uint32Array(most); // The position among the rows of the parent, from 1.
    this.size = new Uint32Array(most); // Number of direct children.
    this.label = new Uint32Array(most);
    this.kind = new Uint32Array(most); // A text is stored as its position in the stream.
    this.value = new Uint32Array(most);
    /** @type {Map<number, number>} */
    this.errors = new Map();
    // The embedded bytes, as runs of the file.
    /** @type {{start: number[], end: number[]}} */
    this.runs = { start: [], end: [] };
    this.read(counts.texts);
  }

  /** @param {number} textCount */
  read(textCount) {
    const { stream } = this;
    const known = new Uint32Array(textCount);
    let texts = 0;
    let at = 0;
    let offset = 0;
    let inside = NONE;
    let part = NONE;
    let value = NONE;
    let last = { start: 0, length: 0 }; // The last part, until its run is added.

    const number = () => {
      let sum = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = stream[at];
        at += 1;
        sum += (byte & 127) * scale;
        if (byte < 128) return sum;
      }
    };

    const text = () => {
      const which = number();
      if (which === 1) return NONE;
      if (which > 1) return known[which - 2];
      const place = at;
      known[texts] = place;
      texts += 1;
      const length = number();
      at += length;
      return place;
    };

    /** @param {number} flags */
    const open = (flags) => {
      const row = this.count;
      this.count += 1;
      this.flags[row] = flags;
      this.parent[row] = inside;
      this.depth[row] = inside === NONE ? 0 : this.depth[inside] + 1;
      this.nth[row] = inside === NONE ? (this.topRows += 1) : (this.size[inside] += 1);
      this.size[row] = 0;
      this.start[row] = offset;
      this.label[row] = this.kind[row] = this.value[row] = NONE;
      return row;
    };

    /** @param {number} flags @param {number} label */
    const enter = (flags, label) => {
      inside = open(PLACE | flags);
      this.label[inside] = label;
    };

    const leave = () => {
      const row = inside;
      const only = row + 1;
      if (this.count === row + 2 && !(this.flags[only] & PLACE)) {
        this.flags[row] |= PART;
        this.kind[row] = this.kind[only];
        this.value[row] = this.value[only];
        this.end[row] = this.end[only];
        this.size[row] = 0;
        this.count -= 1;
        const error = this.errors.get(only);
        if (error !== undefined) {
          this.errors.set(row, error);
          this.errors.delete(only);
        }
      } else {
        this.end[row] = this.end[this.count - 1];
      }
      this.after[row] = this.count;
      inside = this.parent[row];
    };

    /** @param {number} length @param {number} kind @param {number} says */
    const addPart = (length, kind, says) => {
      this.addRun(last.start, last.length);
      part = open(PART);
      this.kind[part] = kind;
      this.value[part] = says;
      last = { start: offset, length };
      offset += length;
      this.end[part] = offset;
      this.after[part] = this.count;
      value = says;
    };

    /** @param {number} length @param {number} kind @param {number} says */
    const next = (length, kind, says) => {
      const index = this.label[inside] + 1;
      leave();
      enter(INDEXED, index);
      addPart(length, kind, says);
    };

    let length = 0;
    let kind = NONE;
    while (at < stream.length) {
      const step = stream[at];
      at += 1;
      switch (step) {
        case 0: for (let count = number(); count > 0; count -= 1) leave(); break;
        case 1: enter(0, text()); break;
        case 2: enter(INDEXED, number()); break;
        case 3: length = number(); kind = text(); addPart(length, kind, text()); break;
        case 4: addPart(length, kind, text()); break;
        case 5: this.errors.set(part, text()); break;
        case 6: offset += number(); break;
        case 7: {
          let place = last.start;
          for (let piece = 0; piece < 2; piece += 1) {
            place += number();
            const there = number();
            this.addRun(place, there);
            place += there;
          }
          last.length = 0;
          break;
        }
        case 8: next(length, kind, text()); break;
        case 9: for (let count = number(); count > 0; count -= 1) next(length, kind, value); break;
        default: throw new Error(`unknown step ${step} at ${at - 1}`);
      }
    }
    this.addRun(last.start, last.length);
  }

  /** @param {number} start @param {number} length */
  addRun(start, length) {
    const { runs } = this;
    const last = runs.start.length - 1;
    if (length === 0) return;
    if (last >= 0 && runs.end[last] === start) {
      runs.end[last] += length;
      return;
    }
    runs.start.push(start);
    runs.end.push(start + length);
  }

  // The range of the bytes of all rows.
  bytesStart() { return this.count > 0 ? this.start[0] : 0; }
  bytesEnd() { return this.count > 0 ? this.end[this.count - 1] : 0; }

  /**
   * The range of a text in the stream, after its length.
   * @param {number} place
   * @returns {[number, number]}
   */
  textRange(place) {
    let length = 0;
    let at = place;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.stream[at];
      at += 1;
      length += (byte & 127) * scale;
      if (byte < 128) return [at, at + length];
    }
  }

  /** @param {number} place */
  textOf(place) {
    return place === NONE ? "" : decoder.decode(this.stream.subarray(...this.textRange(place)));
  }

  /** @param {number} row */
  isOpenable(row) { return this.size[row] > 0; }

  /** @param {number} row */
  errorOf(row) {
    const error = this.errors.get(row);
    return error === undefined ? "" : this.textOf(error);
  }

  /**
   * `name` or `[3]`.
   * @param {number} row
   */
  labelOf(row) {
    if (!(this.flags[row] & PLACE)) return "";
    return this.flags[row] & INDEXED ? `[${this.label[row]}]` : this.textOf(this.label[row]);
  }

  /**
   * The path of a row, `graph[2].bubble`.
   * @param {number} row
   */
  pathOf(row) {
    let path = "";
    for (let at = row; at !== NONE; at = this.parent[at]) {
      const label = this.labelOf(at);
      const dot = path === "" || path.startsWith("[") || label === "" ? "" : ".";
      path = label + dot + path;
    }
    return path;
  }

  /**
   * The row of a path; NONE if there is none. Names may contain dots.
   * @param {string} path
   */
  rowOfPath(path) {
    /** @type {(first: number, end: number, rest: string, isTop: boolean) => number} */
    const search = (first, end, rest, isTop) => {
      for (let row = first; row < end; row = this.after[row]) {
        if (!(this.flags[row] & PLACE)) continue;
        const label = this.labelOf(row);
        const step = isTop || label.startsWith("[") ? label : `.${label}`;
        if (!rest.startsWith(step)) continue;
        if (rest === step) return row;
        const found = search(row + 1, this.after[row], rest.slice(step.length), false);
        if (found !== NONE) return found;
      }
      return NONE;
    };
    return search(0, this.count, path.replace(/^\./, ""), true);
  }

  /**
   * The row of the part that contains a byte; NONE if there is none.
   * @param {number} offset
   */
  rowOfByte(offset) {
    // After the part, only empty parts and their places begin at or before the byte.
    for (let row = lastUpTo(this.start, this.count, offset); row >= 0; row -= 1) {
      if (!(this.flags[row] & PART) || this.start[row] === this.end[row]) continue;
      return offset < this.end[row] ? row : NONE;
    }
    return NONE;
  }

  /**
   * The CSS classes of a row: the colour of its kind, and `bad` for an error.
   * @param {number} row
   */
  hueOf(row) {
    let sum = 0;
    if (this.kind[row] !== NONE) {
      const [start, end] = this.textRange(this.kind[row]);
      for (let at = start; at < end; at += 1) sum = (Math.imul(sum, 31) ^ this.stream[at]) >>> 0;
    }
    return this.errors.has(row) ? `k${sum % 6} bad` : `k${sum % 6}`;
  }

  /** @param {number} row */
  rangeOf(row) { return `${this.start[row]}..${this.end[row]}`; }
}
