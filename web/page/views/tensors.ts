// The list of a file's tensors, and details of the chosen one.
import { View as Lines, element } from "../../../inspect/src/explain/page/view.js";
import type { App } from "../app.ts";
import { Cancelled } from "../client.ts";
import type { Client } from "../client.ts";
import { breakable, cutInside, h, save } from "../dom.ts";
import { icon } from "../icons.ts";
import type { Tensor } from "../protocol.ts";
import { grouped } from "../words.ts";
import { numbers } from "./numbers.ts";
import { Values } from "./values.ts";
import type { View } from "./view.ts";
import { work } from "./work.ts";

type Column = "name" | "dtype" | "shape" | "bytes";

const COLUMNS: Column[] = ["name", "dtype", "shape", "bytes"];

const collator = new Intl.Collator("en", { numeric: true });

/** Orders tensors by a column. */
const ORDERS: Record<Column, (one: Tensor, other: Tensor) => number> = {
  name: (one, other) => collator.compare(one.name, other.name),
  dtype: (one, other) => collator.compare(one.dtype, other.dtype),
  // By the number of axes, then by the first size that differs.
  shape: ({ shape: one }, { shape: other }) =>
    one.length - other.length || one.map((size, at) => size - (other[at] ?? 0)).find((apart) => apart !== 0) || 0,
  bytes: (one, other) => one.bytes - other.bytes,
};

function shapeOf({ shape }: Tensor): string { return `[${shape.join(", ")}]`; }

export class TensorView implements View {
  readonly element = h("div", { class: "split tensors" });
  private readonly place = h("div", { "aria-live": "polite" });
  private readonly pane: HTMLElement;
  private readonly lines: Lines;
  private readonly panel = h("section", { class: "panel", "aria-live": "polite" });
  private readonly count = h("span", { class: "faint", role: "status" });
  private readonly filter: HTMLInputElement;
  private readonly weights = h("input", { type: "checkbox", id: "weights", onchange: () => this.arrange() });
  private all: Tensor[] = [];
  private shownRows: number[] = [];
  private chosen = -1;
  private readonly heads: Record<Column, HTMLButtonElement>;
  /** The column by which the list is sorted, if it is not in the order of the file. */
  private sorted: Column | undefined;
  private isDescending = false;
  private readonly values: Values;
  private readonly listed: Promise<void>;
  /** The running computation of statistics. */
  private summing: Promise<unknown> | undefined;

  constructor(private readonly app: App, private readonly client: Client) {
    const { words } = app;
    this.filter = h("input", { type: "search", id: "find-tensor", autocomplete: "off", oninput: () => this.arrange() });
    this.pane = h("section", {
      id: "tensors", class: "lines", tabindex: 0, role: "listbox", "aria-label": words.views.tensors,
      onkeydown: (event: KeyboardEvent) => this.keyOfList(event),
      onclick: (event: MouseEvent) => {
        const row = (event.target as Element).closest<HTMLElement>("[data-at]");
        if (row) void this.choose(Number(row.dataset.at));
      },
    });
    this.lines = new Lines(this.pane, (row) => this.draw(row));
    this.values = new Values(app, client);
    const head = (column: Column): HTMLButtonElement =>
      h("button", { type: "button", class: column === "bytes" && "range", id: `by-${column}`, onclick: () => this.sortBy(column) });
    this.heads = { name: head("name"), dtype: head("dtype"), shape: head("shape"), bytes: head("bytes") };
    this.nameHeads();
    this.element.append(
      h("div", { class: "list" },
        h("div", { class: "tools" }, h("label", {}, `${words.filter} `, this.filter),
          h("label", {}, this.weights, ` ${words.weights}`), this.count),
        this.place,
        h("div", { class: "heads", role: "group", "aria-label": words.sort }, ...COLUMNS.map((column) => this.heads[column])),
        this.pane, this.values.element),
      this.panel);
    this.listed = work(app, client, this.place, async () => {
      this.all = await client.tensors();
      this.weights.checked = this.all.some((tensor) => tensor.is_weight);
      this.arrange();
      const [first] = this.shownRows;
      if (first !== undefined) void this.choose(first);
    });
  }

  /** Sorts by a column: first upwards, then downwards, then in the order of the file. */
  private sortBy(column: Column): void {
    if (this.sorted !== column) [this.sorted, this.isDescending] = [column, false];
    else if (!this.isDescending) this.isDescending = true;
    else this.sorted = undefined;
    this.nameHeads();
    this.arrange();
  }

  private nameHeads(): void {
    const { words } = this.app;
    const names = { name: words.tensor, dtype: words.type, shape: words.shape, bytes: words.bytes };
    for (const column of COLUMNS) {
      const head = this.heads[column];
      const isSorted = this.sorted === column;
      head.textContent = names[column];
      if (isSorted) head.append(h("span", { "aria-hidden": "true" }, this.isDescending ? " ▼" : " ▲"));
      const order = isSorted ? (this.isDescending ? words.descending : words.ascending) : words.inFileOrder;
      head.setAttribute("aria-label", `${words.sort}${words.colon}${names[column]}, ${order}`);
      head.title = words.sort;
    }
  }

  private arrange(): void {
    const wanted = this.filter.value.toLowerCase().split(/\s+/);
    const isShown = (tensor: Tensor): boolean => {
      const text = `${tensor.name} ${tensor.dtype} ${shapeOf(tensor)}`.toLowerCase();
      return (tensor.is_weight || !this.weights.checked) && wanted.every((word) => text.includes(word));
    };
    this.shownRows = this.all.flatMap((tensor, at) => (isShown(tensor) ? [at] : []));
    const { sorted, all } = this;
    if (sorted) {
      const order = ORDERS[sorted];
      const sign = this.isDescending ? -1 : 1;
      this.shownRows.sort((one, other) => {
        const [a, b] = [all[one], all[other]];
        return a && b ? sign * order(a, b) : 0;
      });
    }
    this.count.textContent = this.app.words.tensorCount(this.shownRows.length);
    this.lines.setCount(this.shownRows.length);
  }

  private draw(row: number): HTMLElement {
    const at = this.shownRows[row] ?? 0;
    const tensor = this.all[at];
    const drawn = element("div", at === this.chosen ? "part tensor marked" : "part tensor");
    if (!tensor) return drawn;
    drawn.id = `tensor${at}`;
    drawn.dataset.at = String(at);
    drawn.setAttribute("role", "option");
    drawn.setAttribute("aria-selected", String(at === this.chosen));
    drawn.setAttribute("aria-posinset", String(row + 1));
    drawn.setAttribute("aria-setsize", String(this.shownRows.length));
    const name = element("span", "place");
    name.append(cutInside(tensor.name));
    drawn.append(name, element("span", "what", tensor.dtype), element("span", "value", shapeOf(tensor)),
      element("span", "range", grouped(tensor.bytes)));
    return drawn;
  }

  private keyOfList(event: KeyboardEvent): void {
    const now = this.shownRows.indexOf(this.chosen);
    const page = Math.floor(this.lines.visibleRows());
    const last = this.shownRows.length - 1;
    const steps: Record<string, number> = {
      ArrowDown: now + 1, ArrowUp: now - 1, PageDown: now + page, PageUp: now - page, Home: 0, End: last,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const at = this.shownRows[Math.min(Math.max(to, 0), last)];
    if (at !== undefined) void this.choose(at);
  }

  /** Chooses the tensor whose elements begin at that offset. */
  async chooseAt(offset: number): Promise<void> {
    await this.listed;
    const at = this.all.findIndex((tensor) => tensor.offset === offset);
    if (at < 0) return;
    if (!this.shownRows.includes(at)) {
      this.weights.checked = false;
      this.filter.value = "";
      this.arrange();
    }
    await this.choose(at);
  }

  private async choose(at: number): Promise<void> {
    const { words } = this.app;
    const tensor = this.all[at];
    if (!tensor) return;
    this.chosen = at;
    this.pane.setAttribute("aria-activedescendant", `tensor${at}`);
    const row = this.shownRows.indexOf(at);
    if (row >= 0) this.lines.reveal(row);
    this.lines.drawSoon();
    const [place, result, saving] = [h("div", { class: "numbers" }), h("div"), h("div")];
    const { offset } = tensor;
    this.panel.replaceChildren(
      h("h3", {}, breakable(tensor.name)),
      h("dl", { class: "facts" },
        h("dt", {}, words.type), h("dd", {}, tensor.dtype),
        h("dt", {}, words.shape), h("dd", {}, shapeOf(tensor)),
        h("dt", {}, words.size), h("dd", {}, words.byteCount(grouped(tensor.bytes)))),
      h("div", { class: "downloads" },
        offset !== null && h("button", { type: "button", onclick: () => this.app.showByte(offset) },
          icon("bytes"), h("span", {}, words.showBytes)),
        h("button", { type: "button", id: "npy", onclick: () => void this.download(at, saving) },
          icon("download"), h("span", {}, words.downloadNpy))),
      saving, place, result);
    void this.values.choose(at, tensor);
    if (!tensor.has_numbers) {
      place.append(h("p", { class: "faint" }, words.noNumbers));
      return;
    }
    await work(this.app, this.client, place, async (progress) => {
      // Tensors that are passed over with the keys are not read.
      await this.summing?.catch((error: unknown) => { if (error instanceof Cancelled) throw error; });
      if (this.chosen !== at) return;
      const own = this.client.numbers(at, progress);
      this.summing = own;
      try {
        result.replaceChildren(numbers(this.app, await own));
      } finally {
        if (this.summing === own) this.summing = undefined;
      }
    });
  }

  /** Saves a tensor as npy. */
  private async download(at: number, place: HTMLElement): Promise<void> {
    const name = this.all[at]?.name.replace(/[^\p{L}\p{N}._-]+/gu, "_") ?? "";
    await work(this.app, this.client, place, async (progress) => {
      save(await this.client.convert("npy", progress, at), `${name}.npy`);
    });
  }

  shown(): void {
    this.lines.resize();
    this.values.shown();
  }

  key(event: KeyboardEvent): boolean {
    if (event.key !== "/" || event.target === this.filter) return false;
    this.filter.focus();
    return true;
  }
}
