// The elements of a tensor as a table, and the controls that select its rows and columns.
import type { App } from "../app.ts";
import { Cancelled } from "../client.ts";
import type { Client } from "../client.ts";
import { h } from "../dom.ts";
import type { Axis, Elements, Tensor } from "../protocol.ts";
import { grouped } from "../words.ts";
import { Grid } from "./grid.ts";
import type { Area } from "./grid.ts";

const FORMS = ["auto", "fixed", "scientific", "bits"] as const;
const DEFAULT_DIGITS = 4;
const MOST_DIGITS = 20;

export class Values {
  readonly element: HTMLElement;
  private readonly slice: HTMLInputElement;
  private readonly rows: HTMLSelectElement;
  private readonly columns: HTMLSelectElement;
  private readonly others = h("span", { class: "others" });
  private readonly form: HTMLSelectElement;
  private readonly digits: HTMLInputElement;
  private readonly digitsLabel: HTMLElement;
  private readonly status = h("div", { class: "element", role: "status" });
  private readonly grid: Grid;
  private index = -1;
  /** The slice that is shown. */
  private taken = "";
  private axes: Axis[] = [];
  /** The place in each axis of the slice. Those of rows and columns are not used. */
  private places: number[] = [];
  /** Reads elements of what is shown. */
  private read: ((area: Area, form: string) => Promise<Elements>) | undefined;
  /** Number of the latest element that was chosen. */
  private described = 0;
  /** The latest request for axes. */
  private busy: Promise<unknown> | undefined;
  /** Number of the latest request, so that late answers are not shown. */
  private turn = 0;

  constructor(private readonly app: App, private readonly client: Client) {
    const { words } = app;
    this.grid = new Grid(words.elements, (row, column) => void this.describe(row, column), (error) => this.fail(error));
    this.slice = h("input", {
      type: "text", id: "slice", autocomplete: "off", spellcheck: "false", placeholder: "0, :, ::2", size: 14,
      onchange: () => void this.take(),
      onkeydown: (event: KeyboardEvent) => { if (event.key === "Enter") void this.take(); },
    });
    const axis = (id: string): HTMLSelectElement => h("select", { id, onchange: () => this.chooseAxes(id) });
    [this.rows, this.columns] = [axis("rows"), axis("columns")];
    this.form = h("select", { id: "form", onchange: () => this.show(true) },
      ...FORMS.map((form) => h("option", { value: form }, words.forms[form])));
    this.digits = h("input", {
      type: "number", id: "digits", min: 0, max: MOST_DIGITS, value: DEFAULT_DIGITS, oninput: () => this.show(true),
    });
    this.digitsLabel = h("label", { hidden: true }, `${words.digits} `, this.digits);
    this.element = h("section", { class: "values", "aria-label": words.elements },
      h("div", { class: "tools" },
        h("label", {}, `${words.slice} `, this.slice),
        h("label", {}, `${words.form} `, this.form),
        this.digitsLabel,
        h("label", {}, `${words.rowAxis} `, this.rows),
        h("label", {}, `${words.columnAxis} `, this.columns),
        this.others),
      this.grid.element, this.status);
  }

  /** Shows a tensor from its start. */
  async choose(index: number, tensor: Tensor): Promise<void> {
    this.index = index;
    // Nothing of the previous tensor remains.
    this.axes = [];
    this.read = undefined;
    this.others.replaceChildren();
    this.status.replaceChildren();
    this.grid.clear();
    this.slice.value = "";
    const count = tensor.shape.length;
    for (const [choice, axis] of [[this.rows, count - 2], [this.columns, count - 1]] as const) {
      choice.replaceChildren(h("option", { value: "" }, this.app.words.noAxis),
        ...tensor.shape.map((size, at) => h("option", { value: at }, `${this.app.words.axis(at)} (${grouped(size)})`)));
      choice.value = axis < 0 ? "" : String(axis);
    }
    // A vector is a column.
    if (count === 1) [this.rows.value, this.columns.value] = ["0", ""];
    await this.take();
  }

  /** Reads the slice. */
  private async take(): Promise<void> {
    const { index } = this;
    const slice = this.slice.value;
    this.turn += 1;
    const { turn } = this;
    // Tensors that are passed over with the keys are not read.
    await this.busy?.catch(() => undefined);
    if (this.turn !== turn) return;
    try {
      const asked = this.client.axes(index, slice);
      this.busy = asked;
      const axes = await asked;
      if (this.turn !== turn) return;
      this.axes = axes;
      this.taken = slice;
      this.places = axes.map(() => 0);
      this.slice.removeAttribute("aria-invalid");
      this.showOthers();
      this.show();
    } catch (error) {
      if (this.turn !== turn) return;
      if (!(error instanceof Cancelled)) this.slice.setAttribute("aria-invalid", "true");
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.status.replaceChildren(h("span", { class: "error", role: "alert" }, this.app.why(error)));
  }

  private axisOf(choice: HTMLSelectElement): number | null { return choice.value === "" ? null : Number(choice.value); }

  /** Rows and columns have different axes. */
  private chooseAxes(changed: string): void {
    if (this.read === undefined) return;
    const [own, other] = changed === "rows" ? [this.rows, this.columns] : [this.columns, this.rows];
    if (own.value !== "" && own.value === other.value) {
      const free = this.axes.findIndex((_, at) => String(at) !== own.value);
      other.value = free < 0 ? "" : String(free);
    }
    this.showOthers();
    this.show();
  }

  /** The inputs for the index in each of the other axes. */
  private showOthers(): void {
    const { words } = this.app;
    const shown = [this.axisOf(this.rows), this.axisOf(this.columns)];
    this.others.replaceChildren(...this.axes.flatMap(({ start, step, count }, axis) => {
      if (shown.includes(axis) || count < 2) return [];
      const last = start + step * (count - 1);
      const input = h("input", {
        type: "number", id: `axis${axis}`, min: Math.min(start, last), max: Math.max(start, last), step: Math.abs(step),
        value: start + step * (this.places[axis] ?? 0),
        oninput: () => {
          const place = Math.round((Number(input.value) - start) / step);
          this.places[axis] = Math.min(Math.max(place || 0, 0), count - 1);
          this.show(true);
        },
      });
      return [h("label", {}, `${words.axis(axis)} `, input)];
    }));
  }

  private show(isSamePlace = false): void {
    const { axes, index } = this;
    this.digitsLabel.hidden = !["fixed", "scientific"].includes(this.form.value);
    if (isSamePlace && this.read === undefined) return;
    this.status.replaceChildren();
    const [rows, columns] = [this.axisOf(this.rows), this.axisOf(this.columns)];
    const isEmpty = axes.some(({ count }) => count === 0);
    const count = (axis: number | null): number => (isEmpty ? 0 : axis === null ? 1 : axes[axis]?.count ?? 0);
    const name = (axis: number | null) => (at: number): string => {
      const { start, step } = axes[axis ?? -1] ?? { start: 0, step: 0 };
      return axis === null ? "" : String(start + step * at);
    };
    if (isEmpty) this.status.replaceChildren(h("span", { class: "faint" }, this.app.words.noElements));
    const digits = Math.min(Math.max(Math.trunc(Number(this.digits.value)) || 0, 0), MOST_DIGITS);
    const [slice, form, chosen] = [this.taken, this.form.value, [...this.places]];
    const read = ({ top, left, height, width }: Area, as: string): Promise<Elements> => {
      const places = chosen.map((place, axis) => (axis === rows ? top : axis === columns ? left : place));
      return this.client.elements(index, { slice, places, rows, columns, height, width, form: as, digits });
    };
    this.read = read;
    this.grid.show({
      rows: count(rows), columns: count(columns), side: name(rows), head: name(columns),
      read: async (area) => (await read(area, form)).texts,
    }, isSamePlace);
  }

  private placesOf(row: number, column: number): number[] {
    const [rows, columns] = [this.axisOf(this.rows), this.axisOf(this.columns)];
    return this.places.map((place, axis) => (axis === rows ? row : axis === columns ? column : place));
  }

  /** Shows the index, value, bits and byte of an element. */
  private async describe(row: number, column: number): Promise<void> {
    const { words } = this.app;
    const { read } = this;
    if (!read) return;
    this.described += 1;
    const { described } = this;
    const area = { top: row, left: column, height: 1, width: 1 };
    try {
      const [value, bits] = await Promise.all([read(area, "auto"), read(area, "bits")]);
      if (this.described !== described || this.read !== read) return;
      const places = this.placesOf(row, column);
      const at = this.axes.map(({ start, step }, axis) => start + step * (places[axis] ?? 0));
      const { offset } = value;
      this.status.replaceChildren(
        h("span", { class: "faint" }, `[${at.join(", ")}]`), h("strong", {}, value.texts[0] ?? ""), h("span", {}, bits.texts[0] ?? ""));
      if (offset !== null) {
        const show = (): void => this.app.showByte(offset);
        this.status.append(h("button", { type: "button", class: "link", onclick: show }, words.atByte(grouped(offset))));
      }
    } catch (error) {
      if (this.described === described) this.fail(error);
    }
  }

  shown(): void { this.grid.resize(); }
}
