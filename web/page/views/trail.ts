// The graphs around a drawn one that is in an attribute of a node, each of which can be drawn again.
import { bdi, h } from "../dom.ts";
import type { Inner, Selection } from "../protocol.ts";
import type { Words } from "../words.ts";

/** A graph that was left for one in an attribute of a node. */
interface Step { selection: Selection; node: string; attribute: string }

export class Trail {
  readonly element = h("nav", { class: "crumbs", hidden: true });
  /** From the outermost graph on. */
  private readonly steps: Step[] = [];
  /** Whether another graph is being drawn. */
  private isBusy = false;

  /** `draw` draws a graph, unless that fails, and returns the path of the drawn one. */
  constructor(private readonly words: Words, private readonly draw: (changes: Partial<Selection>) => Promise<string | undefined>) {
    this.element.setAttribute("aria-label", words.graphsAround);
  }

  get isEmpty(): boolean { return this.steps.length === 0; }

  /** Draws a graph in an attribute of a node of the drawn one. */
  async enter(selection: Selection, node: string, { attribute, path }: Inner): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.steps.push({ selection: { ...selection, focus: node }, node, attribute });
    // The nodes and numbers of another graph have nothing to do with the selection in this one.
    const drawn = await this.draw({ subgraph: path, around: undefined, closed: [], heat: undefined });
    if (drawn !== path) this.steps.pop();
    this.isBusy = false;
    this.show();
  }

  /** Draws one of the graphs around the drawn one; without a number, the innermost one. */
  async leave(to = this.steps.length - 1): Promise<void> {
    const step = this.steps[to];
    if (!step || this.isBusy) return;
    this.isBusy = true;
    const left = this.steps.splice(to);
    const drawn = await this.draw(step.selection);
    if (drawn !== step.selection.subgraph) this.steps.push(...left);
    this.isBusy = false;
    this.show();
  }

  private show(): void {
    const { words, steps } = this;
    this.element.hidden = this.isEmpty;
    const names = [words.mainGraph, ...steps.map(({ node, attribute }) => `${node}/${attribute}`)];
    this.element.replaceChildren(h("ol", {}, ...names.map((name, at) => h("li", {}, at < steps.length
      ? h("button", { type: "button", class: "link", onclick: () => void this.leave(at) }, bdi(name, 60))
      : h("span", { "aria-current": "location" }, bdi(name, 60))))));
  }
}
