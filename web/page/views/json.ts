// A file as JSON. Only lines in view are rendered.
import { View as Lines, element } from "../../../inspect/src/explain/page/view.js";
import type { App } from "../app.ts";
import type { Client } from "../client.ts";
import { append, h, oneLine, save } from "../dom.ts";
import { grouped } from "../words.ts";
import { Folds } from "./folds.ts";
import type { View } from "./view.ts";
import { work } from "./work.ts";

// Number of bytes of the text that are shown.
const MOST = 32 << 20;
// Number of characters shown of a line.
const LINE = 2000;
// Maximum number of hits of a search.
const MOST_HITS = 100_000;
// Number of characters that are searched at once, so that the page stays responsive.
const SEARCHED = 1 << 20;
// Milliseconds after a letter is typed until a search begins.
const PAUSE = 150;
// Strings, with the colon after a name; numbers; words.
const TOKEN = /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

/** A range of the text. */
interface Hit { start: number; end: number }

/** A search: its hits so far, and which of them is shown. */
interface Search { hits: Hit[]; at: number; isDone: boolean }

export class JsonView implements View {
  readonly element = h("div", { class: "json" });
  private readonly place = h("div", { "aria-live": "polite" });
  private readonly pane: HTMLElement;
  private readonly lines: Lines;
  private folds = new Folds("");
  private current = 0;
  private search: Search = { hits: [], at: -1, isDone: true };
  private typed = 0;
  private readonly find: HTMLInputElement;
  private readonly count = h("span", { role: "status", class: "faint", id: "json-hits" });

  constructor(private readonly app: App, private readonly client: Client) {
    const { words } = app;
    this.find = h("input", {
      type: "search", id: "find-json", autocomplete: "off",
      oninput: () => {
        clearTimeout(this.typed);
        this.typed = window.setTimeout(() => void this.start(), PAUSE);
      },
      onkeydown: (event: KeyboardEvent) => {
        if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
      },
    });
    const button = (id: string, text: string, act: () => void, name = text): HTMLElement =>
      h("button", { type: "button", id, "aria-label": name, onclick: act }, text);
    const tools = h("div", { class: "tools" },
      h("label", {}, `${words.find} `, this.find),
      button("json-previous", "↑", () => this.step(-1), words.previous),
      button("json-next", "↓", () => this.step(1), words.next),
      button("fold-all", words.closeAll, () => this.foldAll(true)),
      button("unfold-all", words.openAll, () => this.foldAll(false)),
      this.count);
    this.pane = h("section", {
      id: "json-lines", class: "lines", tabindex: 0, role: "tree", "aria-label": "JSON",
      onkeydown: (event: KeyboardEvent) => { if (this.keyOfLines(event)) event.preventDefault(); },
      onclick: (event: MouseEvent) => {
        const target = event.target as Element;
        const line = Number(target.closest<HTMLElement>("[data-line]")?.dataset.line ?? NaN);
        if (Number.isNaN(line)) return;
        if (target.closest(".sign, .folded")) this.fold(line, !this.folds.isFolded(line));
        this.choose(line);
      },
    });
    this.lines = new Lines(this.pane, (position) => this.draw(this.folds.visible[position] ?? 0));
    this.element.append(tools, this.place, this.pane);
    void this.load();
  }

  private async load(): Promise<void> {
    const { words } = this.app;
    let note: Node | undefined;
    await work(this.app, this.client, this.place, async (progress) => {
      const blob = await this.client.json(progress);
      this.folds = new Folds(await blob.slice(0, MOST).text());
      this.lines.setCount(this.folds.visibleCount);
      if (this.find.value !== "") void this.start();
      if (blob.size > MOST) {
        note = h("p", { class: "faint" }, words.jsonShort(grouped(MOST)), " ",
          h("button", { type: "button", onclick: () => save(blob, `${this.client.file.name}.json`) }, words.downloads, " JSON"));
      }
    }, () => this.load());
    if (note) this.place.append(note);
  }

  private draw(line: number): HTMLElement {
    const { folds } = this;
    const isCurrent = line === this.current;
    const drawn = element("div", isCurrent ? "line marked" : "line");
    drawn.id = `json${line}`;
    drawn.dataset.line = String(line);
    drawn.setAttribute("role", "treeitem");
    drawn.setAttribute("aria-level", String(folds.depthOf(line) + 1));
    drawn.setAttribute("aria-selected", String(isCurrent));
    const sign = element("span", "sign");
    sign.setAttribute("aria-hidden", "true");
    drawn.append(sign);
    this.drawText(drawn, line);
    if (folds.canFold(line)) {
      const isFolded = folds.isFolded(line);
      drawn.setAttribute("aria-expanded", String(!isFolded));
      if (isFolded) drawn.append(element("span", "folded", " … "), folds.ending(line));
    }
    return drawn;
  }

  /** Appends the tokens of a line. The hit in it is marked, and in view of a long line. */
  private drawText(drawn: HTMLElement, line: number): void {
    const whole = this.folds.lineText(line);
    const start = this.folds.startOf(line);
    const hit = this.search.hits[this.search.at];
    const [from, to] = hit ? [hit.start - start, hit.end - start] : [0, 0];
    const isHere = from < to && from >= 0 && from < whole.length;
    const first = isHere && from > LINE / 2 ? Math.min(from - LINE / 4, Math.max(whole.length - LINE, 0)) : 0;
    const shown = whole.slice(first, first + LINE);
    const put = (text: string, at: number, kind: string): void => {
      const part = (piece: string, isFound: boolean): HTMLElement | false =>
        piece !== "" && element("b", isFound ? `${kind} found` : kind, oneLine(piece, LINE));
      const cut = (place: number): number => Math.min(Math.max(place - first - at, 0), text.length);
      const [low, high] = isHere ? [cut(from), cut(to)] : [0, 0];
      append(drawn, [part(text.slice(0, low), false), part(text.slice(low, high), true), part(text.slice(high), false)]);
    };
    if (first > 0) drawn.append("…");
    let at = 0;
    for (const match of shown.matchAll(TOKEN)) {
      const [all, text, colon, number] = match;
      put(shown.slice(at, match.index), at, "");
      const kind = text === undefined ? (number === undefined ? "k3" : "k1") : colon === undefined ? "k2" : "k0";
      put(text ?? all, match.index, kind);
      if (colon !== undefined) put(colon, match.index + (text ?? "").length, "");
      at = match.index + all.length;
    }
    put(shown.slice(at), at, "");
    if (first + LINE < whole.length) drawn.append("…");
  }

  private fold(line: number, wanted: boolean): void {
    this.folds.fold(line, wanted);
    this.lines.setCount(this.folds.visibleCount);
  }

  private foldAll(wanted: boolean): void {
    this.folds.foldAll(wanted);
    this.lines.setCount(this.folds.visibleCount);
    this.choose(this.folds.visible[this.folds.positionOf(this.current)] ?? 0);
  }

  private choose(line: number): void {
    this.current = line;
    this.pane.setAttribute("aria-activedescendant", `json${line}`);
    this.lines.reveal(this.folds.positionOf(line));
    this.lines.drawSoon();
  }

  private keyOfLines(event: KeyboardEvent): boolean {
    const { folds, current } = this;
    const now = folds.positionOf(current);
    const page = Math.floor(this.lines.visibleRows());
    const last = folds.visibleCount - 1;
    const steps: Record<string, number> = {
      ArrowDown: now + 1, ArrowUp: now - 1, PageDown: now + page, PageUp: now - page, Home: 0, End: last,
    };
    const to = steps[event.key];
    if (to !== undefined) {
      this.choose(folds.visible[Math.min(Math.max(to, 0), last)] ?? 0);
    } else if (event.key === "ArrowRight") {
      if (folds.isFolded(current)) this.fold(current, false);
      else if (folds.canFold(current)) this.choose(current + 1);
    } else if (event.key === "ArrowLeft") {
      const parent = folds.parentOf(current);
      if (folds.canFold(current) && !folds.isFolded(current)) this.fold(current, true);
      else if (parent !== undefined) this.choose(parent);
    } else if (event.key === "Enter" || event.key === " ") {
      this.fold(current, !folds.isFolded(current));
    } else {
      return false;
    }
    return true;
  }

  /** Collects all hits. The first one is shown when it is found. */
  private async start(): Promise<void> {
    clearTimeout(this.typed);
    const wanted = this.find.value;
    const search: Search = { hits: [], at: -1, isDone: wanted === "" };
    this.search = search;
    this.lines.drawSoon();
    if (wanted === "") {
      this.count.textContent = "";
      return;
    }
    const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
    const { text } = this.folds;
    // The end of a hit, from which the next one is searched.
    let from = 0;
    while (from < text.length && search.hits.length < MOST_HITS) {
      const end = from + SEARCHED;
      // Hits that begin in the slice may end after it.
      const slice = text.slice(from, end + wanted.length * 2);
      let next = end;
      for (const match of slice.matchAll(pattern)) {
        const start = from + match.index;
        if (start >= end || search.hits.length === MOST_HITS) break;
        search.hits.push({ start, end: start + match[0].length });
        next = Math.max(next, start + match[0].length);
      }
      from = next;
      if (search.at < 0 && search.hits.length > 0) this.showHit(0);
      this.showCount();
      await new Promise((go) => setTimeout(go));
      if (this.search !== search) return;
    }
    search.isDone = true;
    this.showCount();
  }

  private showCount(): void {
    const { words } = this.app;
    const { hits, at, isDone } = this.search;
    const more = isDone ? (hits.length === MOST_HITS ? "+" : "") : " …";
    const none = isDone ? words.notFound : "…";
    this.count.textContent = hits.length === 0 ? none : words.hit(at + 1, `${hits.length}${more}`);
  }

  private showHit(at: number): void {
    this.search.at = at;
    const line = this.folds.lineAt(this.search.hits[at]?.start ?? 0);
    this.folds.open(line);
    this.lines.setCount(this.folds.visibleCount);
    this.choose(line);
    this.showCount();
    // Of a line that is wider than the pane.
    requestAnimationFrame(() => this.pane.querySelector("b.found")?.scrollIntoView({ block: "nearest", inline: "nearest" }));
  }

  /** Goes to the next or previous hit, and wraps around. */
  private step(by: number): void {
    const { hits, at } = this.search;
    if (at < 0) void this.start();
    else this.showHit((at + by + hits.length) % hits.length);
  }

  end(): void {
    clearTimeout(this.typed);
    this.search = { hits: [], at: -1, isDone: true };
  }

  shown(): void { this.lines.resize(); }

  key(event: KeyboardEvent): boolean {
    if (event.key !== "/" || event.target === this.find) return false;
    this.find.focus();
    return true;
  }
}
