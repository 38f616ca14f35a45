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
    const capacity = counts.rows + 1;
    this.stream = stream;
    this.fileLength = counts.length;
    this.count = 0;
    this.rootCount = 0;
    this.start = new Float64Array(capacity);
    this.end = new Float64Array(capacity);
    this.flags = new Uint8Array(capacity);
    this.depth = new Uint16Array(capacity);
    this.parent = new Uint32Array(capacity);
    this.after = new Uint32Array(capacity); // The first row after the nested ones.
    this.position = new Uint32Array(capacity); // The position among the rows of the parent, from 1.
    this.childCount = new Uint32Array(capacity); // Number of direct children.
    this.label = new Uint32Array(capacity);
    this.kind = new Uint32Array(capacity); // A text is stored as its position in the stream.
    this.value = new Uint32Array(capacity);
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
    const textPositions = new Uint32Array(textCount);
    let texts = 0;
    let at = 0;
    let offset = 0;
    let current = NONE;
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
      if (which > 1) return textPositions[which - 2];
      const place = at;
      textPositions[texts] = place;
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
      this.parent[row] = current;
      this.depth[row] = current === NONE ? 0 : this.depth[current] + 1;
      this.position[row] = current === NONE ? (this.rootCount += 1) : (this.childCount[current] += 1);
      this.childCount[row] = 0;
      this.start[row] = offset;
      this.label[row] = this.kind[row] = this.value[row] = NONE;
      return row;
    };

    /** @param {number} flags @param {number} label */
    const enter = (flags, label) => {
      current = open(PLACE | flags);
      this.label[current] = label;
    };

    const leave = () => {
      const row = current;
      const child = row + 1;
      if (this.count === row + 2 && !(this.flags[child] & PLACE)) {
        this.flags[row] |= PART;
        this.kind[row] = this.kind[child];
        this.value[row] = this.value[child];
        this.end[row] = this.end[child];
        this.childCount[row] = 0;
        this.count -= 1;
        const error = this.errors.get(child);
        if (error !== undefined) {
          this.errors.set(row, error);
          this.errors.delete(child);
        }
      } else {
        this.end[row] = this.end[this.count - 1];
      }
      this.after[row] = this.count;
      current = this.parent[row];
    };

    /** @param {number} length @param {number} kind @param {number} valueText */
    const addPart = (length, kind, valueText) => {
      this.addRun(last.start, last.length);
      part = open(PART);
      this.kind[part] = kind;
      this.value[part] = valueText;
      last = { start: offset, length };
      offset += length;
      this.end[part] = offset;
      this.after[part] = this.count;
      value = valueText;
    };

    /** @param {number} length @param {number} kind @param {number} valueText */
    const next = (length, kind, valueText) => {
      const index = this.label[current] + 1;
      leave();
      enter(INDEXED, index);
      addPart(length, kind, valueText);
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
            const present = number();
            this.addRun(place, present);
            place += present;
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
  hasChildren(row) { return this.childCount[row] > 0; }

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
  classesOf(row) {
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
