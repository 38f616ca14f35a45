// The graph of a module: pan and zoom, search, and details of the chosen node.
import type { App } from "../app.ts";
import type { Client } from "../client.ts";
import { bdi, h, save } from "../dom.ts";
import type { Box, Family, Graph } from "../protocol.ts";
import { trusted } from "../trust.ts";
import { grouped } from "../words.ts";
import { Frame } from "./frame.ts";
import type { View } from "./view.ts";
import { work } from "./work.ts";

/** The colours of the boxes come with the picture, but the policy allows no style elements. */
const colours = new CSSStyleSheet();
document.adoptedStyleSheets.push(colours);

const BOXES = "g.input, g.output, g.operator, g.constant";

export class GraphView implements View {
  readonly element = h("div", { class: "split graph" });
  private readonly place = h("div", { "aria-live": "polite" });
  private readonly stage: HTMLElement;
  private readonly panel: HTMLElement;
  private readonly find: HTMLInputElement;
  private readonly found = h("span", { class: "faint", role: "status" });
  private readonly legend: HTMLElement;
  private readonly around = h("input", { type: "text", id: "around", size: 16 });
  private readonly steps = h("input", { type: "number", id: "steps", min: 1, max: 99, value: 3 });
  private frame: Frame | undefined;
  private graph: Graph | undefined;
  private boxes: SVGGraphicsElement[] = [];
  private chosen = -1;
  private pointed = -1;
  /** Number of the latest request, so that late answers are not shown. */
  private turn = 0;

  constructor(private readonly app: App, private readonly client: Client) {
    const { words } = app;
    this.find = h("input", {
      type: "search", id: "find-node", autocomplete: "off",
      oninput: () => this.search(0),
      onkeydown: (event: KeyboardEvent) => { if (event.key === "Enter") this.search(event.shiftKey ? -1 : 1); },
    });
    this.stage = h("div", {
      id: "stage", class: "stage", tabindex: 0, role: "listbox", "aria-label": words.nodes,
      "aria-describedby": "graph-help",
      onkeydown: (event: KeyboardEvent) => { if (this.keyOfStage(event)) event.preventDefault(); },
    });
    this.legend = h("ul", { class: "legend", "aria-label": words.families });
    this.panel = h("section", { class: "panel", id: "node", "aria-live": "polite" }, h("p", { class: "faint" }, words.point));
    const button = (text: string, name: string, act: () => void): HTMLElement =>
      h("button", { type: "button", "aria-label": name, title: name, onclick: act }, text);
    const tools = h("div", { class: "tools" },
      h("label", {}, `${words.findNode} `, this.find), this.found,
      button("+", words.zoomIn, () => this.frame?.zoom(1.4)),
      button("−", words.zoomOut, () => this.frame?.zoom(1 / 1.4)),
      button("▣", words.fit, () => this.frame?.fit()),
      h("button", { type: "button", id: "save-svg", onclick: () => this.save() }, "SVG"),
      h("details", { class: "part-of" }, h("summary", {}, words.partOf),
        h("label", {}, `${words.around} `, this.around),
        h("label", {}, `${words.steps} `, this.steps),
        h("button", { type: "button", id: "draw", onclick: () => void this.load(this.around.value || undefined) }, words.draw),
        h("button", { type: "button", onclick: () => { this.around.value = ""; void this.load(undefined); } }, words.whole)));
    this.element.append(
      h("div", { class: "list" }, tools, this.legend, this.place, this.stage, h("p", { class: "faint", id: "graph-help" }, words.graphHelp)),
      this.panel);
    void this.load(undefined);
  }

  private async load(around: string | undefined): Promise<void> {
    await work(this.app, this.client, this.place, async () => {
      const graph = await this.client.graph(around, Number(this.steps.value) || 1);
      this.fill(graph);
    });
  }

  private fill(graph: Graph): void {
    // The viewer has its own colours. Texts of the picture contain no markup.
    const bare = graph.svg.replace(/<(style|script)>[^]*?<\/\1>/g, "");
    const parsed = new DOMParser().parseFromString(trusted.createHTML(bare) as string, "image/svg+xml");
    const picture = document.importNode(parsed.documentElement, true) as unknown as SVGSVGElement;
    // The details are shown in the panel instead.
    for (const part of picture.querySelectorAll("title, desc, rect.paper")) part.remove();
    // The legend is shown in the panel, too; the boxes move to its place.
    const legend = picture.querySelector<SVGGElement>("g.legend");
    const drawing = legend?.nextElementSibling;
    if (legend && drawing instanceof SVGGElement) {
      const top = (group: SVGGElement): number => group.transform.baseVal.consolidate()?.matrix.f ?? 0;
      const { width, height } = picture.viewBox.baseVal;
      picture.setAttribute("viewBox", `0 0 ${width} ${height - (top(drawing) - top(legend))}`);
      drawing.setAttribute("transform", legend.getAttribute("transform") ?? "");
      legend.remove();
    }
    picture.removeAttribute("aria-labelledby");
    picture.setAttribute("role", "presentation");
    this.colour(graph.families);
    this.graph = graph;
    this.chosen = this.pointed = -1;
    this.boxes = [...picture.querySelectorAll<SVGGraphicsElement>(BOXES)];
    this.boxes.forEach((box, at) => {
      const about = graph.boxes[at];
      box.id = `box${at}`;
      box.setAttribute("role", "option");
      box.setAttribute("aria-selected", "false");
      if (about) box.setAttribute("aria-label", [about.head, about.called, about.output].filter(Boolean).join(", "));
    });
    this.stage.replaceChildren(picture);
    this.stage.setAttribute("aria-label", `${this.app.words.nodes}: ${graph.summary}`);
    this.frame = new Frame(this.stage, picture, (target) => this.point(this.boxOf(target)), (target) => {
      const at = this.boxOf(target);
      if (at >= 0) this.choose(at, false);
    });
    this.frame.fit();
  }

  /** Applies the colours of the families to boxes and legend. */
  private colour(families: Family[]): void {
    const rule = ({ name, fill, border }: Family): string => {
      const [inside, around] = [`light-dark(${fill.join(", ")})`, `light-dark(${border.join(", ")})`];
      // Lower specificity than the rules for chosen and found boxes.
      return `.stage :where(.${name} .box) { fill: ${inside}; stroke: ${around} }
        .stage :where(.${name} .rule) { stroke: ${around} }
        .legend .${name} { background: ${inside}; border-color: ${around} }`;
    };
    colours.replaceSync(families.map(rule).join("\n"));
    this.legend.replaceChildren(...families.map(({ name }) =>
      h("li", {}, h("span", { class: `swatch ${name}`, "aria-hidden": "true" }), this.app.words.family[name])));
  }

  private boxOf(target: Element): number {
    const box = target.closest<SVGGraphicsElement>(BOXES);
    return box ? this.boxes.indexOf(box) : -1;
  }

  private point(at: number): void {
    if (at === this.pointed) return;
    this.pointed = at;
    const shown = at >= 0 ? at : this.chosen;
    if (shown >= 0) void this.showNode(shown);
  }

  private choose(at: number, reveal = true): void {
    const box = this.boxes[at];
    if (!box) return;
    const before = this.boxes[this.chosen];
    before?.classList.remove("chosen");
    before?.setAttribute("aria-selected", "false");
    this.chosen = at;
    box.classList.add("chosen");
    box.setAttribute("aria-selected", "true");
    this.stage.setAttribute("aria-activedescendant", box.id);
    if (reveal) this.frame?.reveal(box);
    void this.showNode(at);
  }

  private async showNode(at: number): Promise<void> {
    const { words } = this.app;
    const box = this.graph?.boxes[at];
    if (!box) return;
    const turn = (this.turn += 1);
    if (box.node === null) {
      this.panel.replaceChildren(h("h3", {}, box.head));
      return;
    }
    try {
      const node = await this.client.node(box.node);
      if (turn !== this.turn) return;
      const facts = h("dl", { class: "facts" },
        h("dt", {}, words.operator), h("dd", {}, bdi(node.op)));
      if (box.output) facts.append(h("dt", {}, words.output), h("dd", {}, bdi(box.output)));
      if (node.inputs.length > 0) {
        facts.append(h("dt", {}, words.inputs), ...node.inputs.map((name) => h("dd", {}, bdi(name))));
      }
      const params = h("ul", { class: "params" });
      for (const { name, what, offsets } of node.params) {
        const [first] = offsets;
        params.append(h("li", {}, bdi(name, 80), ": ", bdi(what, 200), " ",
          first !== undefined && h("button", { type: "button", class: "link", onclick: () => this.app.showTensor(first) }, words.statistics)));
      }
      this.panel.replaceChildren(h("h3", {}, bdi(node.name || node.op)), facts);
      if (node.params.length > 0) this.panel.append(h("h4", {}, words.params), params);
    } catch (error) {
      if (turn === this.turn) this.panel.replaceChildren(h("p", { class: "error" }, this.app.why(error)));
    }
  }

  /** Finds nodes by name or operator; `by` is 1 for the next, -1 for the previous one. */
  private search(by: number): void {
    const wanted = this.find.value.toLowerCase();
    const boxes = this.graph?.boxes ?? [];
    const has = (box: Box): boolean => `${box.called}\n${box.head}`.toLowerCase().includes(wanted);
    const hits = wanted === "" ? [] : boxes.flatMap((box, at) => (has(box) ? [at] : []));
    this.boxes.forEach((box, at) => box.classList.toggle("found", hits.includes(at)));
    if (hits.length === 0) {
      this.found.textContent = wanted === "" ? "" : this.app.words.notFound;
      return;
    }
    const now = hits.indexOf(this.chosen);
    const to = now < 0 ? 0 : (now + by + hits.length) % hits.length;
    this.choose(hits[to] ?? 0);
    this.found.textContent = this.app.words.hit(to + 1, grouped(hits.length));
  }

  private keyOfStage(event: KeyboardEvent): boolean {
    const { frame, graph } = this;
    if (!frame || !graph) return false;
    const near = (side: 0 | 1): number | undefined =>
      graph.wires.find((wire) => wire[side] === this.chosen)?.[side === 0 ? 1 : 0];
    const sibling = (by: number): number | undefined => {
      // The boxes with the same source, or the same target.
      const siblings = (side: 0 | 1): number[] => {
        const end = near(side);
        return graph.wires.filter((wire) => wire[side === 0 ? 1 : 0] === end).map((wire) => wire[side]);
      };
      const all = [siblings(1), siblings(0)].find((list) => list.length > 1) ?? [];
      return all[(all.indexOf(this.chosen) + by + all.length) % all.length];
    };
    const count = this.boxes.length;
    let to: number | undefined;
    switch (event.key) {
      case "+": case "=": frame.zoom(1.4); return true;
      case "-": frame.zoom(1 / 1.4); return true;
      case "0": frame.fit(); return true;
      case "ArrowDown": to = this.chosen < 0 ? 0 : near(0); break;
      case "ArrowUp": to = this.chosen < 0 ? 0 : near(1); break;
      case "ArrowRight": to = this.chosen < 0 ? 0 : sibling(1); break;
      case "ArrowLeft": to = this.chosen < 0 ? 0 : sibling(-1); break;
      case "PageDown": to = Math.min(this.chosen + 1, count - 1); break;
      case "PageUp": to = Math.max(this.chosen - 1, 0); break;
      case "Home": to = 0; break;
      case "End": to = count - 1; break;
      default: return false;
    }
    if (to !== undefined) this.choose(to);
    return true;
  }

  private save(): void {
    const { graph } = this;
    const name = this.client.file.name.replace(/\.[^.]*$/, "");
    if (graph) save(new Blob([graph.svg], { type: "image/svg+xml" }), `${name}.svg`);
  }

  key(event: KeyboardEvent): boolean {
    const { target } = event;
    if (event.key !== "/" || (target instanceof HTMLInputElement)) return false;
    this.find.focus();
    return true;
  }
}
