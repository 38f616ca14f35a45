import { lastUpTo } from "./rows.js";

// Number of search steps between two pauses.
const STEPS = 200000;

// The embedded bytes of a report: runs of the file, concatenated.
export class EmbeddedBytes {
  /**
   * @param {Uint8Array} data
   * @param {import("./rows.js").Rows} rows
   */
  constructor(data, rows) {
    this.data = data;
    this.runs = rows.runs;
    /** @type {number[]} */
    this.dataStarts = []; // The start of each run in the data.
    let place = 0;
    for (let i = 0; i < this.runs.start.length; i += 1) {
      this.dataStarts.push(place);
      place += this.runs.end[i] - this.runs.start[i];
    }
  }

  /** @param {number} offset */
  at(offset) {
    const { start, end } = this.runs;
    const i = lastUpTo(start, start.length, offset);
    if (i < 0 || offset >= end[i]) return undefined;
    return this.data[this.dataStarts[i] + offset - start[i]];
  }

  // All bytes are loaded from the start.
  whenMore() {}

  /** @param {Uint8Array} wanted */
  *find(wanted) {
    const { data, runs } = this;
    for (let i = 0; i < runs.start.length; i += 1) {
      const from = this.dataStarts[i];
      const to = from + runs.end[i] - runs.start[i] - wanted.length;
      let steps = 0;
      for (let at = data.indexOf(wanted[0], from); at >= 0 && at <= to; at = data.indexOf(wanted[0], at + 1)) {
        steps += 1;
        if (steps % STEPS === 0) yield null;
        let same = 1;
        while (same < wanted.length && data[at + same] === wanted[same]) same += 1;
        if (same === wanted.length) yield runs.start[i] + at - from;
      }
    }
  }
}
