"use strict";
(() => {
  const bytes = document.getElementById("bytes");
  const parts = document.getElementById("parts");
  const status = document.getElementById("status");
  const find = document.getElementById("find");
  const found = document.getElementById("found");
  const rows = [...parts.querySelectorAll(".part")];

  // Of each part, everything that shows it: its line, and its bytes, which several rows may hold.
  const shown = new Map(rows.map((row) => [row.dataset.p, [row]]));
  const pieces = new Map();
  for (const piece of bytes.querySelectorAll("b[data-p]")) {
    const part = piece.dataset.p;
    shown.get(part)?.push(piece);
    if (!pieces.has(part)) pieces.set(part, piece);
  }
  const rowOf = (part) => shown.get(part)?.[0];
  const state = { hover: null, marked: null };

  function paint(name, part) {
    if (state[name] === part) return;
    for (const element of shown.get(state[name]) ?? []) element.classList.remove(name);
    for (const element of shown.get(part) ?? []) element.classList.add(name);
    state[name] = part;
  }

  function describe(part) {
    const row = rowOf(part);
    if (!row) return;
    const words = [...row.children].map((cell) => cell.textContent).filter((text) => text);
    status.textContent = words.join("  ·  ");
  }

  function reveal(pane, element, block) {
    if (!element) return;
    const outer = pane.getBoundingClientRect();
    const inner = element.getBoundingClientRect();
    if (inner.top < outer.top || inner.bottom > outer.bottom) element.scrollIntoView({ block });
  }

  function hover(part) {
    paint("hover", part);
    describe(part ?? state.marked);
  }

  function mark(part) {
    rowOf(state.marked)?.setAttribute("aria-selected", "false");
    paint("marked", part);
    const row = rowOf(part);
    if (!row) {
      parts.removeAttribute("aria-activedescendant");
      return;
    }
    row.setAttribute("aria-selected", "true");
    parts.setAttribute("aria-activedescendant", row.id);
    describe(part);
    reveal(bytes, pieces.get(part), "center");
    reveal(parts, row, "center");
    // Not every way to open a file lets its address change.
    try { history.replaceState(null, "", "#" + row.id); } catch { /* stays as it is */ }
  }

  const partAt = (event) => event.target.closest("[data-p]")?.dataset.p ?? null;

  bytes.addEventListener("mouseover", (event) => {
    const part = partAt(event);
    hover(part);
    reveal(parts, rowOf(part), "nearest");
  });
  parts.addEventListener("mouseover", (event) => hover(partAt(event)));
  for (const pane of [bytes, parts]) {
    pane.addEventListener("mouseleave", () => hover(null));
    pane.addEventListener("click", (event) => {
      const part = partAt(event);
      if (part !== null) mark(part);
    });
    pane.addEventListener("keydown", (event) => {
      const visible = rows.filter((row) => !row.hidden);
      const now = visible.indexOf(rowOf(state.marked));
      const last = visible.length - 1;
      const steps = {
        ArrowDown: now + 1, ArrowRight: now + 1, ArrowUp: now - 1, ArrowLeft: now - 1,
        PageDown: now + 20, PageUp: now - 20, Home: 0, End: last,
      };
      if (!(event.key in steps) || last < 0) return;
      event.preventDefault();
      mark(visible[Math.min(Math.max(steps[event.key], 0), last)].dataset.p);
    });
  }

  document.querySelector("header").addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#p']");
    if (!link) return;
    event.preventDefault();
    mark(document.getElementById(link.hash.slice(1))?.dataset.p ?? null);
  });

  find.addEventListener("input", () => {
    const wanted = find.value.trim().toLowerCase();
    let count = 0;
    for (const row of rows) {
      row.hidden = wanted !== "" && !row.textContent.toLowerCase().includes(wanted);
      if (!row.hidden) count += 1;
    }
    found.textContent = wanted === "" ? "" : `${count} of ${rows.length}`;
  });
  find.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      parts.focus();
      const first = rows.find((row) => !row.hidden);
      if (first) mark(first.dataset.p);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && event.target !== find) {
      event.preventDefault();
      find.focus();
    } else if (event.key === "Escape") {
      if (find.value !== "") {
        find.value = "";
        find.dispatchEvent(new Event("input"));
      }
      mark(null);
    }
  });

  const fromAddress = () => {
    const row = document.getElementById(location.hash.slice(1));
    if (row?.dataset.p) mark(row.dataset.p);
  };
  window.addEventListener("hashchange", fromAddress);
  fromAddress();
})();
