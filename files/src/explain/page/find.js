// Finding: paths, words and values of rows, or bytes. Works in slices, so that the page goes on.
const MOST_HITS = 10000;
const SLICE = 200000;
const find = document.getElementById("find");
const findKind = document.getElementById("find-kind");
const found = document.getElementById("found");
let search = { hits: [], at: -1, isDone: true };

function lower(byte) { return byte >= 65 && byte <= 90 ? byte + 32 : byte; }

// Whether a text of the stream has these bytes in it; capital letters of ASCII count as small ones.
function textHas(place, wanted) {
  if (place === NONE) return false;
  const [start, end] = textRange(place);
  for (let at = start; at <= end - wanted.length; at += 1) {
    let same = 0;
    while (same < wanted.length && lower(stream[at + same]) === wanted[same]) same += 1;
    if (same === wanted.length) return true;
  }
  return false;
}

// One slice after another of the rows that say `words`; a path counts where its last step is.
function* rowsWith(words) {
  const folded = words.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const wanted = new TextEncoder().encode(folded);
  const step = Math.max(folded.lastIndexOf("."), folded.lastIndexOf("["));
  const tail = folded[step] === "." ? folded.slice(step + 1) : folded.slice(Math.max(step, 0));
  const isOnPath = (row) => {
    if (!(rows.flags[row] & PLACE)) return false;
    const label = labelOf(row).toLowerCase();
    if (step < 0) return label.includes(folded);
    // The tail is sought in the last step only: what is inside of a place is not found with it.
    return label.startsWith(tail) && pathOf(row).toLowerCase().includes(folded);
  };
  for (let row = 0; row < rows.count; row += 1) {
    if (row % SLICE === SLICE - 1) yield null;
    const says = textHas(rows.value[row], wanted) || textHas(rows.kind[row], wanted);
    if (says || isOnPath(row) || (faults.has(row) && textHas(faults.get(row), wanted))) {
      yield { row };
    }
  }
}

// The same of bytes, also across parts.
function* bytesLike(wanted) {
  for (let i = 0; i < run.start.length; i += 1) {
    const from = run.at[i];
    const to = from + run.end[i] - run.start[i] - wanted.length;
    let steps = 0;
    for (let at = data.indexOf(wanted[0], from); at >= 0 && at <= to; at = data.indexOf(wanted[0], at + 1)) {
      steps += 1;
      if (steps % SLICE === 0) yield null;
      let same = 1;
      while (same < wanted.length && data[at + same] === wanted[same]) same += 1;
      if (same < wanted.length) continue;
      const start = run.start[i] + at - from;
      yield { row: rowOfByte(start), start, end: start + wanted.length };
    }
  }
}

// `0a ff`, `0x0aff`; null if that is not what it is.
function hexBytes(text) {
  const hex = text.replace(/0x/gi, "").replace(/[\s,]/g, "");
  if (hex === "" || hex.length % 2 === 1 || /[^0-9a-f]/i.test(hex)) return null;
  return Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
}

function startSearch() {
  const words = find.value.trim();
  search = { hits: [], at: -1, isDone: true };
  state.found = null;
  if (words === "") return tellFound("");
  let hits;
  if (findKind.value === "hex") {
    const wanted = hexBytes(words);
    if (wanted === null) return tellFound("two digits 0 to f for each byte");
    hits = bytesLike(wanted);
  } else if (findKind.value === "text") {
    hits = bytesLike(new TextEncoder().encode(words));
  } else {
    hits = rowsWith(words);
  }
  const own = search;
  own.isDone = false;
  const work = () => {
    if (search !== own) return;
    for (const hit of hits) {
      if (hit === null) {
        tellFound();
        setTimeout(work);
        return;
      }
      own.hits.push(hit);
      if (own.hits.length === 1) showHit(0);
      if (own.hits.length === MOST_HITS) break;
    }
    own.isDone = true;
    tellFound();
  };
  work();
}

function tellFound(text) {
  const { hits, at, isDone } = search;
  const more = isDone ? (hits.length === MOST_HITS ? "+" : "") : " …";
  const usual = hits.length === 0 ? (isDone ? "not found" : "…") : `${at + 1} of ${hits.length}${more}`;
  found.textContent = text ?? usual;
  paintBytes();
}

function showHit(at) {
  search.at = at;
  const hit = search.hits[at];
  state.found = hit.start === undefined ? null : hit;
  mark(hit.row, hit.start);
  tellFound();
}

// To the next hit, or the one before; round at the ends.
function step(by) {
  const count = search.hits.length;
  if (count > 0) showHit((search.at + by + count) % count);
}

let typed = 0;
find.addEventListener("input", () => {
  clearTimeout(typed);
  typed = setTimeout(startSearch, 120);
});
findKind.addEventListener("change", startSearch);
find.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  if (search.at < 0) startSearch();
  else step(event.shiftKey ? -1 : 1);
});
document.getElementById("next").addEventListener("click", () => step(1));
document.getElementById("previous").addEventListener("click", () => step(-1));
