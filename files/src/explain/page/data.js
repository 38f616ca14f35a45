// What the page holds: the bytes of the file, and the stream that tells its rows.
const about = JSON.parse(document.getElementById("about").textContent);
const data = unpack("bytes", about.bytes);
// The last row may be merged with the one before it after it was read.
const mostRows = about.rows + 1;
const stream = unpack("rows", about.stream);

// What is pointed at, marked and found: rows with the bytes from `start` to `end`, or null. `offset` is
// the byte of the marked row that is meant.
const state = { hover: null, marked: null, found: null, offset: 0 };

function unpack(name, length) {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const block of document.querySelectorAll(`script.${name}`)) {
    const bytes = bytesOf(block.textContent);
    whole.set(bytes, at);
    at += bytes.length;
    block.remove();
  }
  return whole;
}

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

// The bytes that are there, as runs: `run.start[i]` is where run i begins in the file, `run.at[i]`
// where it begins in `data`.
const run = { start: [], end: [], at: [] };

function addRun(start, length) {
  const last = run.start.length - 1;
  if (length === 0) return;
  if (last >= 0 && run.end[last] === start) {
    run.end[last] += length;
    return;
  }
  run.at.push(last < 0 ? 0 : run.at[last] + run.end[last] - run.start[last]);
  run.start.push(start);
  run.end.push(start + length);
}

// The last position of a sorted list whose value is not above the one wanted; -1 if there is none.
function lastUpTo(list, count, wanted) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle] <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// The byte at an offset of the file; undefined if the page does not have it.
function byteAt(offset) {
  const i = lastUpTo(run.start, run.start.length, offset);
  if (i < 0 || offset >= run.end[i]) return undefined;
  return data[run.at[i] + offset - run.start[i]];
}
