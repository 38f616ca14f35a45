// The shapes of a module's inputs: other ones than in the file can be given.
import { bdi, h } from "../dom.ts";
import type { Graph } from "../protocol.ts";
import type { Words } from "../words.ts";

export class ShapesForm {
  readonly element: HTMLElement;
  private readonly form: HTMLFormElement;
  private fields: HTMLInputElement[] = [];

  constructor(private readonly words: Words, compute: (shapes: string[]) => void) {
    this.form = h("form", {
      title: words.inputShapesHelp,
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        compute(this.fields.map((field) => field.value.trim()));
      },
    });
    this.element = h("details", { class: "part-of", id: "shapes", hidden: true }, h("summary", {}, words.inputShapes), this.form);
  }

  /** Adds the fields when the graph is drawn for the first time. */
  fill(inputs: Graph["inputs"]): void {
    if (this.fields.length > 0 || inputs.length === 0) return;
    const fields = inputs.map(({ name, shape }) => ({
      name, field: h("input", { type: "text", size: 18, autocomplete: "off", placeholder: this.words.asStated(shape) }),
    }));
    this.fields = fields.map(({ field }) => field);
    this.form.append(
      ...fields.map(({ name, field }) => h("label", {}, bdi(name, 40), " ", field)),
      h("button", { type: "submit" }, this.words.compute));
    this.element.hidden = false;
  }
}
