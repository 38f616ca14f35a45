// The bytes, in lines: where they stand, in hexadecimal, and as text.
const bytesPane = document.getElementById("bytes");
const bytesView = new View(bytesPane, drawBytes);
const digits = String(about.length).length;
const bytesStart = rows.count > 0 ? rows.start[0] : 0;
const bytesEnd = rows.count > 0 ? rows.end[rows.count - 1] : 0;
let perLine = 16;

function firstLine() { return Math.floor(bytesStart / perLine); }
function lineOf(offset) { return Math.floor(offset / perLine) - firstLine(); }

// Narrow screens have room for half as many.
function fitBytes() {
  const offset = bytesView.top > 0 ? (Math.floor(bytesView.top) + firstLine()) * perLine : 0;
  perLine = matchMedia("(max-width: 44rem)").matches ? 8 : 16;
  bytesView.setCount(bytesEnd > bytesStart ? lineOf(bytesEnd - 1) + 1 : 0);
  if (state.marked !== null) bytesView.reveal(lineOf(state.offset));
  else if (offset > 0) bytesView.scrollTo(lineOf(offset));
}

function drawBytes(line) {
  const start = (line + firstLine()) * perLine;
  const drawn = element("div", "line");
  drawn.append(element("span", "at", String(start).padStart(digits)));
  let text = "";
  let isEmpty = true;
  let row = NONE;
  for (let offset = start; offset < start + perLine; offset += 1) {
    if (row === NONE || offset >= rows.end[row]) row = rowOfByte(offset);
    const byte = byteAt(offset);
    if (row === NONE) {
      drawn.append("   ");
      text += " ";
      continue;
    }
    const shown = byte === undefined ? "··" : byte.toString(16).padStart(2, "0");
    const cell = element("b", hueOf(row), `${shown} `);
    cell.dataset.at = offset;
    paintByte(cell, offset);
    drawn.append(cell);
    isEmpty = false;
    text += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·";
  }
  drawn.append(element("span", "text", isEmpty ? "… left out" : text));
  return drawn;
}

function paintByte(cell, offset) {
  const within = (range) => range !== null && range.start <= offset && offset < range.end;
  cell.classList.toggle("hover", within(state.hover));
  cell.classList.toggle("marked", within(state.marked));
  cell.classList.toggle("found", within(state.found));
}

function paintBytes() {
  for (const cell of bytesPane.querySelectorAll("b")) paintByte(cell, Number(cell.dataset.at));
}
