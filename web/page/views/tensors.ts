// The list of a file's tensors, and details of the chosen one.
import { View as Lines, element } from "../../../inspect/src/explain/page/view.js";
import type { App } from "../app.ts";
import { Cancelled } from "../client.ts";
import type { Client } from "../client.ts";
import { bdi, h } from "../dom.ts";
import type { Tensor } from "../protocol.ts";
import { grouped } from "../words.ts";
import { numbers } from "./numbers.ts";
import type { View } from "./view.ts";
import { work } from "./work.ts";

export class TensorView implements View {
  readonly element = h("div", { class: "split" });
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
    this.element.append(
      h("div", { class: "list" },
        h("div", { class: "tools" }, h("label", {}, `${words.filter} `, this.filter),
          h("label", {}, this.weights, ` ${words.weights}`), this.count),
        this.place, this.pane),
      this.panel);
    this.listed = work(app, client, this.place, async () => {
      this.all = await client.tensors();
      this.weights.checked = this.all.some((tensor) => tensor.is_weight);
      this.arrange();
      const [first] = this.shownRows;
      if (first !== undefined) await this.choose(first);
    });
  }

  private arrange(): void {
    const wanted = this.filter.value.toLowerCase();
    const isShown = (tensor: Tensor): boolean =>
      (tensor.is_weight || !this.weights.checked) && tensor.name.toLowerCase().includes(wanted);
    this.shownRows = this.all.flatMap((tensor, at) => (isShown(tensor) ? [at] : []));
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
    name.append(bdi(tensor.name));
    drawn.append(name, element("span", "what", tensor.dtype), element("span", "value", tensor.shape),
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
    const [place, result] = [h("div", { class: "numbers" }), h("div")];
    const { offset } = tensor;
    this.panel.replaceChildren(
      h("h3", {}, bdi(tensor.name)),
      h("dl", { class: "facts" },
        h("dt", {}, words.type), h("dd", {}, tensor.dtype),
        h("dt", {}, words.shape), h("dd", {}, tensor.shape),
        h("dt", {}, words.size), h("dd", {}, words.byteCount(grouped(tensor.bytes)))),
      offset !== null && h("button", { type: "button", onclick: () => this.app.showByte(offset) }, words.showBytes) || "",
      place, result);
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

  shown(): void { this.lines.resize(); }

  key(event: KeyboardEvent): boolean {
    if (event.key !== "/" || event.target === this.filter) return false;
    this.filter.focus();
    return true;
  }
}
