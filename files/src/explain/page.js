// What is pointed at and marked, in both panes, and the address of the page.
const status = document.getElementById("status");
const help = status.textContent;

function rowRange(row) {
  return { row, start: rows.start[row], end: rows.end[row] };
}

function hover(row) {
  if ((state.hover?.row ?? NONE) === row) return;
  state.hover = row === NONE ? null : rowRange(row);
  paintBytes();
  paintTree();
  tell();
}

function tell() {
  const shown = state.hover ?? state.marked;
  status.textContent = shown === null ? help : describe(shown.row);
}

// Marks a row, and shows it and one of its bytes. The byte is the row's first one if none is given.
function mark(row, offset) {
  if (row === NONE || row >= rows.count) return;
  state.marked = rowRange(row);
  state.offset = offset ?? rows.start[row];
  if (bytesEnd > bytesStart) bytesView.reveal(lineOf(Math.min(state.offset, bytesEnd - 1)));
  revealRow(row);
  treePane.setAttribute("aria-activedescendant", `r${row}`);
  tell();
  const isPlace = offset === undefined && rows.flags[row] & PLACE;
  setAddress(isPlace ? `#path=${encodeURI(pathOf(row))}` : `#b${state.offset}`);
}

function unmark() {
  state.marked = state.hover = state.found = null;
  treePane.removeAttribute("aria-activedescendant");
  paintBytes();
  paintTree();
  tell();
}

function markByte(offset) {
  const inside = Math.min(Math.max(offset, bytesStart), bytesEnd - 1);
  mark(rowOfByte(inside), inside);
}

function setAddress(hash) {
  // Not every way to open a file lets its address change.
  try { history.replaceState(null, "", hash); } catch { /* stays as it is */ }
}

// `#b1234`, `#b0x4d2` or `#path=graph[2]`.
function goToAddress() {
  let hash = location.hash;
  try { hash = decodeURIComponent(hash); } catch { /* was no address of this page */ }
  if (hash.startsWith("#path=")) {
    const row = rowOfPath(hash.slice(6));
    if (row === NONE) status.textContent = `there is no part ${hash.slice(6)} on this page`;
    else mark(row);
  } else if (/^#b(0x[0-9a-f]+|\d+)$/i.test(hash)) {
    markByte(Number(hash.slice(2)));
  }
}

bytesPane.addEventListener("mouseover", (event) => {
  const cell = event.target.closest("b");
  const row = cell ? rowOfByte(Number(cell.dataset.at)) : NONE;
  hover(row);
});
bytesPane.addEventListener("click", (event) => {
  const cell = event.target.closest("b");
  if (cell) markByte(Number(cell.dataset.at));
});
bytesPane.addEventListener("keydown", (event) => {
  const page = Math.floor(bytesView.room()) * perLine;
  const now = state.marked === null ? bytesStart : state.offset;
  const places = {
    ArrowLeft: now - 1, ArrowRight: now + 1, ArrowUp: now - perLine, ArrowDown: now + perLine,
    PageUp: now - page, PageDown: now + page, Home: bytesStart, End: bytesEnd - 1,
  };
  if (!(event.key in places) || bytesEnd === bytesStart) return;
  event.preventDefault();
  markByte(places[event.key]);
});

treePane.addEventListener("mouseover", (event) => {
  const drawn = event.target.closest(".part");
  hover(drawn ? Number(drawn.dataset.row) : NONE);
});
treePane.addEventListener("click", (event) => {
  const drawn = event.target.closest(".part");
  if (!drawn) return;
  const row = Number(drawn.dataset.row);
  if (event.target.closest(".sign")) setClosed(row, !closed[row]);
  mark(row);
});
treePane.addEventListener("keydown", (event) => {
  if (treeView.count === 0) return;
  const row = state.marked === null ? NONE : state.marked.row;
  const now = row === NONE ? -1 : positionOf(row);
  const last = treeView.count - 1;
  const page = Math.floor(treeView.room());
  const steps = {
    ArrowDown: now + 1, ArrowUp: now - 1, PageDown: now + page, PageUp: now - page, Home: 0, End: last,
  };
  if (event.key in steps) {
    mark(visible[Math.min(Math.max(steps[event.key], 0), last)]);
  } else if (event.key === "ArrowRight" && row !== NONE && !isList) {
    if (closed[row]) setClosed(row, false);
    else if (isOpenable(row)) mark(row + 1);
  } else if (event.key === "ArrowLeft" && row !== NONE && !isList) {
    if (isOpenable(row) && !closed[row]) setClosed(row, true);
    else if (rows.parent[row] !== NONE) mark(rows.parent[row]);
  } else if ((event.key === "Enter" || event.key === " ") && row !== NONE && !isList) {
    setClosed(row, !closed[row]);
  } else {
    return;
  }
  event.preventDefault();
});
for (const pane of [bytesPane, treePane]) pane.addEventListener("mouseleave", () => hover(NONE));

document.getElementById("close").addEventListener("click", () => setAllClosed(true));
document.getElementById("open").addEventListener("click", () => setAllClosed(false));
document.getElementById("list").addEventListener("change", (event) => {
  isList = event.target.checked;
  arrange();
  if (state.marked !== null) treeView.reveal(positionOf(state.marked.row));
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && event.target !== find) {
    event.preventDefault();
    find.focus();
  } else if (event.key === "Escape") {
    find.value = "";
    startSearch();
    unmark();
  }
});

// The lines above the panes.
function tellFaults() {
  const list = document.getElementById("faults");
  const shown = [...faults.keys()].sort((one, other) => one - other).slice(0, 20);
  for (const row of shown) {
    const link = element("a", "", `byte ${rows.start[row]}: ${textOf(faults.get(row))}`);
    link.href = `#b${rows.start[row]}`;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      mark(row, rows.start[row]);
    });
    const item = element("li");
    item.append(link);
    list.append(item);
  }
  const others = about.faults - shown.length;
  if (others > 0) list.append(element("li", "", `and ${others} more`));
  list.hidden = about.faults === 0;
}

document.getElementById("summary").textContent = about.summary;
for (const note of about.notes) document.getElementById("notes").append(element("p", "", note));
tellFaults();
arrange();
fitBytes();
treeView.draw();
bytesView.draw();
performance.mark("first rows"); // For whoever measures.
window.addEventListener("resize", fitBytes);
window.addEventListener("hashchange", goToAddress);
goToAddress();
