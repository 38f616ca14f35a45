// The rows as a tree: places can be closed, and all can be seen as a list of parts.
const treePane = document.getElementById("parts");
const treeView = new View(treePane, drawTreeRow);
const closed = new Uint8Array(rows.count);
const visible = new Uint32Array(rows.count);
let isList = false;

// Finds out again which rows are to be seen.
function arrange() {
  let count = 0;
  for (let row = 0; row < rows.count; ) {
    if (!isList || rows.flags[row] & PART) {
      visible[count] = row;
      count += 1;
    }
    row = closed[row] && !isList ? rows.after[row] : row + 1;
  }
  treeView.setCount(count);
}

// The position of a row among those to be seen, or of the closed place that it is in.
function positionOf(row) {
  return lastUpTo(visible, treeView.count, row);
}

function setClosed(row, wanted) {
  if (!isOpenable(row) || Boolean(closed[row]) === wanted) return;
  closed[row] = wanted ? 1 : 0;
  arrange();
}

function setAllClosed(wanted) {
  for (let row = 0; row < rows.count; row += 1) closed[row] = wanted && isOpenable(row) ? 1 : 0;
  arrange();
}

// Opens all that a row is in, and scrolls there.
function revealRow(row) {
  let changed = false;
  for (let around = rows.parent[row]; around !== NONE; around = rows.parent[around]) {
    changed ||= closed[around] === 1;
    closed[around] = 0;
  }
  if (changed) arrange();
  treeView.reveal(positionOf(row));
}

function drawTreeRow(position) {
  const row = visible[position];
  const drawn = element("div", `part ${hueOf(row)}`);
  drawn.id = `r${row}`;
  drawn.dataset.row = row;
  drawn.setAttribute("role", "treeitem");
  drawn.setAttribute("aria-level", isList ? 1 : rows.depth[row] + 1);
  drawn.setAttribute("aria-posinset", isList ? position + 1 : rows.nth[row]);
  const around = rows.parent[row];
  const size = around === NONE ? topRows : rows.size[around];
  drawn.setAttribute("aria-setsize", isList ? treeView.count : size);
  drawn.append(element("span", "range", rangeOf(row)));
  const label = element("span", "place", isList ? pathOf(row) : labelOf(row));
  if (!isList) label.style.paddingLeft = `${Math.min(rows.depth[row], 24) + 1.5}ch`;
  if (isOpenable(row) && !isList) {
    drawn.setAttribute("aria-expanded", String(!closed[row]));
    const sign = element("span", "sign", closed[row] ? "▸" : "▾");
    sign.setAttribute("aria-hidden", "true");
    label.prepend(sign);
  }
  drawn.append(label);
  const isPart = rows.flags[row] & PART;
  if (isPart) drawn.append(element("span", "what", textOf(rows.kind[row])));
  else drawn.append(element("span", "range", countOf(row)));
  drawn.append(element("span", "value", textOf(rows.value[row])));
  if (faults.has(row)) drawn.append(element("span", "fault", textOf(faults.get(row))));
  paintRow(drawn, row);
  return drawn;
}

function rangeOf(row) { return `${rows.start[row]}..${rows.end[row]}`; }
function countOf(row) { return rows.size[row] === 1 ? "1 item" : `${rows.size[row]} items`; }

function paintRow(drawn, row) {
  drawn.classList.toggle("hover", state.hover !== null && state.hover.row === row);
  const isMarked = state.marked !== null && state.marked.row === row;
  drawn.classList.toggle("marked", isMarked);
  drawn.setAttribute("aria-selected", String(isMarked));
}

function paintTree() {
  for (const drawn of treePane.querySelectorAll(".part")) paintRow(drawn, Number(drawn.dataset.row));
}

// What a row says, on one line.
function describe(row) {
  const isPart = rows.flags[row] & PART;
  const fault = faults.has(row) ? `! ${textOf(faults.get(row))}` : "";
  const kind = isPart ? textOf(rows.kind[row]) : countOf(row);
  const words = [rangeOf(row), pathOf(row), kind, textOf(rows.value[row]), fault];
  return words.filter((word) => word !== "").join("  ·  ");
}
