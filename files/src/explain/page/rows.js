// The rows: places, such as `graph[2]`, and parts, which are bytes. A place with one part and
// nothing else is one row together with it. Each row stands before what is inside of it.
const NONE = 0xffffffff;
const PLACE = 1;
const INDEXED = 2; // The label is a number, not a text.
const PART = 4;

const rows = {
  count: 0,
  start: new Float64Array(mostRows),
  end: new Float64Array(mostRows),
  flags: new Uint8Array(mostRows),
  depth: new Uint16Array(mostRows),
  parent: new Uint32Array(mostRows),
  after: new Uint32Array(mostRows), // The first row that is not inside.
  nth: new Uint32Array(mostRows), // The position among the rows inside of the parent, from 1.
  size: new Uint32Array(mostRows), // How many rows are directly inside.
  label: new Uint32Array(mostRows),
  kind: new Uint32Array(mostRows), // Texts are where they stand in the stream.
  value: new Uint32Array(mostRows),
};
const faults = new Map();
let topRows = 0;

(() => {
  const known = new Uint32Array(about.texts);
  let texts = 0;
  let at = 0;
  let offset = 0;
  let inside = NONE;
  let part = NONE;
  let value = NONE;
  let told = { start: 0, length: 0 }; // The last part, as long as its run is not noted.

  function number() {
    let sum = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = stream[at];
      at += 1;
      sum += (byte & 127) * scale;
      if (byte < 128) return sum;
    }
  }

  function text() {
    const which = number();
    if (which === 1) return NONE;
    if (which > 1) return known[which - 2];
    const place = at;
    known[texts] = place;
    texts += 1;
    const length = number();
    at += length;
    return place;
  }

  function open(flags) {
    const row = rows.count;
    rows.count += 1;
    rows.flags[row] = flags;
    rows.parent[row] = inside;
    rows.depth[row] = inside === NONE ? 0 : rows.depth[inside] + 1;
    rows.nth[row] = inside === NONE ? (topRows += 1) : (rows.size[inside] += 1);
    rows.size[row] = 0;
    rows.start[row] = offset;
    rows.label[row] = rows.kind[row] = rows.value[row] = NONE;
    return row;
  }

  function enter(flags, label) {
    inside = open(PLACE | flags);
    rows.label[inside] = label;
  }

  function leave() {
    const row = inside;
    const only = row + 1;
    if (rows.count === row + 2 && !(rows.flags[only] & PLACE)) {
      rows.flags[row] |= PART;
      rows.kind[row] = rows.kind[only];
      rows.value[row] = rows.value[only];
      rows.end[row] = rows.end[only];
      rows.size[row] = 0;
      rows.count -= 1;
      if (faults.size > 0 && faults.has(only)) {
        faults.set(row, faults.get(only));
        faults.delete(only);
      }
    } else {
      rows.end[row] = rows.end[rows.count - 1];
    }
    rows.after[row] = rows.count;
    inside = rows.parent[row];
  }

  function addPart(length, kind, says) {
    addRun(told.start, told.length);
    part = open(PART);
    rows.kind[part] = kind;
    rows.value[part] = says;
    told = { start: offset, length };
    offset += length;
    rows.end[part] = offset;
    rows.after[part] = rows.count;
    value = says;
  }

  function next(length, kind, says) {
    const index = rows.label[inside] + 1;
    leave();
    enter(INDEXED, index);
    addPart(length, kind, says);
  }

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
      case 5: faults.set(part, text()); break;
      case 6: offset += number(); break;
      case 7: {
        let place = told.start;
        for (let piece = 0; piece < 2; piece += 1) {
          place += number();
          const there = number();
          addRun(place, there);
          place += there;
        }
        told.length = 0;
        break;
      }
      case 8: next(length, kind, text()); break;
      case 9: for (let count = number(); count > 0; count -= 1) next(length, kind, value); break;
      default: throw new Error(`unknown step ${step} at ${at - 1}`);
    }
  }
  addRun(told.start, told.length);
})();

const decoder = new TextDecoder();

// Where a text stands in the stream: behind its length.
function textRange(place) {
  let length = 0;
  let at = place;
  for (let scale = 1; ; scale *= 128) {
    const byte = stream[at];
    at += 1;
    length += (byte & 127) * scale;
    if (byte < 128) return [at, at + length];
  }
}

function textOf(place) {
  return place === NONE ? "" : decoder.decode(stream.subarray(...textRange(place)));
}

function isOpenable(row) {
  return rows.size[row] > 0;
}

// `name` or `[3]`.
function labelOf(row) {
  if (!(rows.flags[row] & PLACE)) return "";
  return rows.flags[row] & INDEXED ? `[${rows.label[row]}]` : textOf(rows.label[row]);
}

// `graph[2].bubble`, of the place that a row is or is in.
function pathOf(row) {
  let path = "";
  for (let at = row; at !== NONE; at = rows.parent[at]) {
    const label = labelOf(at);
    const dot = path === "" || path.startsWith("[") || label === "" ? "" : ".";
    path = label + dot + path;
  }
  return path;
}

// The row of a path; NONE if there is none. Names may have dots in them.
function rowOfPath(path) {
  const search = (first, end, rest, isTop) => {
    for (let row = first; row < end; row = rows.after[row]) {
      if (!(rows.flags[row] & PLACE)) continue;
      const label = labelOf(row);
      const step = isTop || label.startsWith("[") ? label : `.${label}`;
      if (!rest.startsWith(step)) continue;
      if (rest === step) return row;
      const found = search(row + 1, rows.after[row], rest.slice(step.length), false);
      if (found !== NONE) return found;
    }
    return NONE;
  };
  return search(0, rows.count, path.replace(/^\./, ""), true);
}

// The row of the part that a byte belongs to; NONE if it belongs to none.
function rowOfByte(offset) {
  // Behind the part, only parts without bytes and their places begin at or before the byte.
  for (let row = lastUpTo(rows.start, rows.count, offset); row >= 0; row -= 1) {
    if (!(rows.flags[row] & PART) || rows.start[row] === rows.end[row]) continue;
    return offset < rows.end[row] ? row : NONE;
  }
  return NONE;
}
