// The graph of a module: scroll and zoom, a minimap, search, groups, and details of the chosen node. Only what is near
// the viewport is drawn in detail.
import type { App } from "../app.ts";
import { Cancelled } from "../client.ts";
import type { Client } from "../client.ts";
import { h, save, svg } from "../dom.ts";
import { icon } from "../icons.ts";
import type { Cost, Family, Graph, Selection, Shade } from "../protocol.ts";
import { grouped } from "../words.ts";
import { boxes } from "./boxes.ts";
import type { Area } from "./frame.ts";
import { Frame } from "./frame.ts";
import { details, inference } from "./node.ts";
import { paint } from "./shades.ts";
import { ShapesForm } from "./shapes.ts";
import type { Colours } from "./sketch.ts";
import { Shape } from "./sketch.ts";
import { Trail } from "./trail.ts";
import type { View } from "./view.ts";
import { work } from "./work.ts";

/** Maximum number of boxes that are drawn in detail; more are sketched. */
const MOST_DRAWN = 1_500;
/** By how many of its widths and heights the detailed area is larger than the viewport on each side, if possible. */
const AROUND = [1, 0.4, 0];
/** The size of the minimap, as a part of the stage. */
const MAP = 0.22;

/** A box that was found: itself or the closed group with it, and its position among the boxes of the open graph. */
interface Hit { at: number; position: number }

export class GraphView implements View {
  readonly element = h("div", { class: "split graph" });
  private readonly place = h("div", { "aria-live": "polite" });
  private readonly trail: Trail;
  private readonly hint = h("details", { class: "hint", hidden: true, open: matchMedia("(min-width: 60rem)").matches });
  private readonly stage: HTMLElement;
  private readonly map = h("canvas", { class: "map" });
  private readonly lens = h("div", { class: "lens" });
  private readonly corner = h("div", { class: "corner", id: "map", "aria-hidden": "true" }, this.map, this.lens);
  private readonly sketch = h("canvas");
  private readonly panel: HTMLElement;
  private readonly find: HTMLInputElement;
  private readonly found = h("span", { class: "faint", role: "status" });
  private readonly legend: HTMLElement;
  private readonly around = h("input", { type: "text", id: "around", size: 16 });
  private readonly steps = h("input", { type: "number", id: "steps", min: 1, max: 99, value: 3 });
  private readonly groups: HTMLSelectElement;
  private readonly fold = h("input", { type: "checkbox", id: "fold", onchange: () => void this.load({ is_folded: this.fold.checked }) });
  private readonly heat: HTMLSelectElement;
  private readonly shapes: ShapesForm;
  /** What is drawn. */
  private selection: Selection = {
    around: undefined, steps: 1, closed: [], is_folded: false, subgraph: undefined, heat: undefined, shapes: [], focus: undefined,
  };
  private frame: Frame | undefined;
  private graph: Graph | undefined;
  private shape = new Shape(new Float32Array(), new Float32Array());
  private content: SVGElement = svg("g");
  /** The area that is drawn in detail. */
  private drawn: Area | undefined;
  private isDrawing = false;
  private isWaiting = false;
  /** What was found, and the current hit. */
  private hits: Hit[] = [];
  private hit = 0;
  private chosen = -1;
  private pointed = -1;
  /** Numbers of the latest requests, so that late answers are not shown. */
  private turn = 0;
  private searched = 0;
  private readonly themes = new MutationObserver(() => this.recolour());
  private readonly dark = matchMedia("(prefers-color-scheme: dark)");
  private readonly recolour = (): void => {
    this.drawMap();
    this.draw();
  };

  constructor(private readonly app: App, private readonly client: Client) {
    const { words } = app;
    this.find = h("input", {
      type: "search", id: "find-node", autocomplete: "off",
      oninput: () => void this.search(),
      onkeydown: (event: KeyboardEvent) => { if (event.key === "Enter") void this.next(event.shiftKey ? -1 : 1); },
    });
    this.stage = h("div", {
      id: "stage", class: "stage", tabindex: 0, role: "listbox", "aria-label": words.nodes,
      "aria-describedby": "graph-help",
      onkeydown: (event: KeyboardEvent) => { if (this.keyOfStage(event)) event.preventDefault(); },
    });
    const look = (event: PointerEvent): void => { if (event.buttons & 1) this.look(event); };
    this.corner.addEventListener("pointerdown", (event) => {
      this.corner.setPointerCapture(event.pointerId);
      look(event);
    });
    this.corner.addEventListener("pointermove", look);
    this.legend = h("ul", { class: "legend", "aria-label": words.families });
    this.panel = h("section", { class: "panel", id: "node", "aria-live": "polite" }, h("p", { class: "faint" }, words.point));
    this.groups = h("select", { id: "groups", onchange: () => this.closeLevel(this.groups.value) });
    this.heat = h("select", { id: "heat", onchange: () => void this.load({ heat: (this.heat.value || undefined) as Cost | undefined }) },
      ...Object.entries(words.colour).map(([value, text]) => h("option", { value: value === "families" ? "" : value }, text)));
    this.hint.append(h("summary", {}, words.lacksTypes), h("code", {}, inference(client.file.name)));
    this.trail = new Trail(words, async (changes) => {
      await this.load(changes);
      this.stage.focus();
      return this.selection.subgraph;
    });
    this.shapes = new ShapesForm(words, (shapes) => void this.load({ shapes }));
    const button = (text: string, name: string, act: () => void): HTMLElement =>
      h("button", { type: "button", "aria-label": name, title: name, onclick: act }, text);
    const tools = h("div", { class: "tools" },
      h("label", {}, `${words.findNode} `, this.find), this.found,
      h("span", { class: "group" },
        button("+", words.zoomIn, () => this.frame?.zoom(1.4)),
        button("−", words.zoomOut, () => this.frame?.zoom(1 / 1.4)),
        button("▣", words.fit, () => this.frame?.fit())),
      h("label", {}, `${words.groups} `, this.groups),
      h("label", { title: words.foldHelp }, this.fold, ` ${words.fold}`),
      h("label", {}, `${words.colours} `, this.heat),
      h("button", { type: "button", id: "save-svg", onclick: () => void this.save() }, icon("download"), h("span", {}, "SVG")),
      h("details", { class: "part-of" }, h("summary", {}, words.partOf),
        h("label", {}, `${words.around} `, this.around),
        h("label", {}, `${words.steps} `, this.steps),
        h("button", { type: "button", id: "draw", onclick: () => void this.load({ around: this.around.value || undefined, steps: Number(this.steps.value) || 1 }) }, words.draw),
        h("button", { type: "button", onclick: () => { this.around.value = ""; void this.load({ around: undefined }); } }, words.whole)),
      this.shapes.element);
    this.element.append(
      h("div", { class: "list" }, tools, this.legend, this.trail.element, this.hint, this.place, h("div", { class: "stage-place" }, this.stage, this.corner),
        h("p", { class: "faint", id: "graph-help" }, words.graphHelp)),
      this.panel);
    this.themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.dark.addEventListener("change", this.recolour);
    void this.load({});
  }

  end(): void {
    this.themes.disconnect();
    this.dark.removeEventListener("change", this.recolour);
    this.frame?.end();
  }

  /** Lays out the graph with changes. With `focus`, that box or the first one of that group is chosen. */
  private async load(changes: Partial<Selection>): Promise<void> {
    await work(this.app, this.client, this.place, async () => {
      const selection = { ...this.selection, focus: undefined, ...changes };
      try {
        const graph = await this.client.graph(selection);
        this.selection = selection;
        this.fill(graph, selection.focus !== undefined);
      } finally {
        // What was refused is not drawn. Texts stay, so that they can be corrected.
        this.fold.checked = this.selection.is_folded;
        this.heat.value = this.selection.heat ?? "";
        if (this.graph) this.fillGroups(this.graph.levels);
      }
    });
  }

  private fill(graph: Graph, isFocused: boolean): void {
    this.colour(graph.shades);
    this.shapes.fill(graph.inputs);
    this.hint.hidden = !graph.lacks_types;
    this.graph = graph;
    this.shape = new Shape(graph.numbers, graph.lines);
    this.chosen = this.pointed = -1;
    this.turn += 1;
    this.hits = [];
    this.drawn = undefined;
    this.content = svg("g");
    const picture = svg("svg", { role: "presentation" }, this.content);
    this.stage.replaceChildren(this.sketch, picture);
    const { words } = this.app;
    this.stage.setAttribute("aria-label", `${words.nodes}${words.colon}${words.message(graph.summary) ?? graph.summary}`);
    this.stage.removeAttribute("aria-activedescendant");
    this.frame?.end();
    this.frame = new Frame(this.stage, picture, graph.width, graph.height, {
      moved: () => this.draw(),
      pointed: ({ x, y }) => this.point(this.boxAt(x, y)),
      clicked: ({ x, y }) => {
        const at = this.boxAt(x, y);
        if (at >= 0) this.choose(at, false);
      },
    });
    this.drawMap();
    this.frame.begin(this.shape.box(graph.first));
    if (isFocused) this.choose(graph.first);
    else this.panel.replaceChildren(h("p", { class: "faint" }, this.app.words.point));
    if (this.find.value !== "") void this.search(false);
  }

  /** Applies the colours to boxes and legend. */
  private colour(shades: Shade[]): void {
    paint(shades);
    const { words } = this.app;
    const cost = this.selection.heat ?? "parameters";
    const label = ({ name, range }: Shade): string => range ? words.step[cost](...range) : words.family[name as Family];
    this.legend.replaceChildren(...shades.map((shade) =>
      h("li", {}, h("span", { class: `swatch ${shade.name}`, "aria-hidden": "true" }), label(shade))));
  }

  private fillGroups(levels: string[][]): void {
    const { words } = this.app;
    const closed = new Set(this.selection.closed);
    const isClosed = (level: string[]): boolean => level.length === closed.size && level.every((name) => closed.has(name));
    const at = closed.size === 0 ? "" : String(levels.findIndex(isClosed));
    this.groups.replaceChildren(
      h("option", { value: "" }, words.allOpen),
      ...levels.map((level, at) => h("option", { value: at }, words.level(at + 1, level.length))),
      ...(at === "-1" ? [h("option", { value: "-1" }, words.someClosed)] : []));
    this.groups.value = at;
    this.groups.disabled = levels.length === 0;
  }

  private closeLevel(level: string): void {
    void this.load({ closed: level === "" ? [] : this.graph?.levels[Number(level)] ?? [] });
  }

  /** Opens or closes a group. */
  private toggle(group: string): void {
    const others = this.selection.closed.filter((closed) => closed !== group);
    const wasClosed = others.length < this.selection.closed.length;
    void this.load({ closed: wasClosed ? others : [...others, group], focus: group });
  }

  /** The colours of the sketch, in the current theme. */
  private sketchColours(): Colours {
    const swatches = [...this.legend.querySelectorAll(".swatch")].map((swatch) => getComputedStyle(swatch));
    return {
      wire: getComputedStyle(this.sketch).color,
      families: swatches.map(({ backgroundColor, borderTopColor }) => ({ fill: backgroundColor, border: borderTopColor })),
    };
  }

  /** Draws what is visible, once per frame of the screen. */
  private draw(): void {
    if (this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      this.drawNow();
    });
  }

  private drawNow(): void {
    const { frame, drawn } = this;
    if (!frame) return;
    const { area } = frame;
    this.moveLens(area);
    const covers = drawn !== undefined && drawn.left <= area.left && drawn.top <= area.top && drawn.right >= area.right && drawn.bottom >= area.bottom;
    this.sketch.hidden = covers;
    if (covers) return;
    this.shape.sketch(this.sketch, area.left, area.top, frame.zoomed, this.sketchColours());
    if (this.shape.inside(area, MOST_DRAWN).length <= MOST_DRAWN) void this.drawDetails(area);
    else {
      this.content.replaceChildren();
      this.drawn = undefined;
    }
  }

  /** Draws the boxes near the viewport in detail. */
  private async drawDetails(area: Area): Promise<void> {
    if (this.isWaiting) return;
    const [width, height] = [area.right - area.left, area.bottom - area.top];
    const larger = AROUND.map((by) => ({
      left: area.left - by * width, top: area.top - by * height, right: area.right + by * width, bottom: area.bottom + by * height,
    }));
    const wanted = larger.find((one) => this.shape.inside(one, MOST_DRAWN).length <= MOST_DRAWN) ?? area;
    const { content, graph } = this;
    this.isWaiting = true;
    let text: string;
    try {
      text = await this.client.graphPart(wanted);
    } catch (error) {
      if (!(error instanceof Cancelled)) this.place.replaceChildren(h("p", { class: "error", role: "alert" }, this.app.why(error)));
      return;
    } finally {
      this.isWaiting = false;
    }
    if (graph === this.graph) {
      content.replaceChildren(...boxes(text, this.app.words));
      this.drawn = wanted;
      this.markAll();
    }
    // The viewport may have moved since.
    this.draw();
  }

  private drawMap(): void {
    const { graph, stage, corner } = this;
    if (!graph) return;
    const scale = Math.min(stage.clientWidth * MAP / graph.width, stage.clientHeight * MAP / graph.height);
    corner.style.width = `${Math.max(graph.width * scale, 8)}px`;
    corner.style.height = `${Math.max(graph.height * scale, 8)}px`;
    corner.hidden = false;
    this.shape.sketch(this.map, 0, 0, scale, this.sketchColours());
  }

  private moveLens({ left, top, right, bottom }: Area): void {
    const { graph, lens, corner } = this;
    if (!graph) return;
    corner.hidden = left <= 0 && top <= 0 && right >= graph.width && bottom >= graph.height;
    const percent = (length: number, all: number): number => Math.min(Math.max(length / all * 100, 0), 100);
    lens.style.left = `${percent(left, graph.width)}%`;
    lens.style.top = `${percent(top, graph.height)}%`;
    lens.style.right = `${100 - percent(right, graph.width)}%`;
    lens.style.bottom = `${100 - percent(bottom, graph.height)}%`;
  }

  /** Shows the place of the minimap that is pointed at. */
  private look(event: PointerEvent): void {
    const { graph, frame } = this;
    const box = this.corner.getBoundingClientRect();
    if (graph && frame) {
      frame.center({ x: (event.clientX - box.x) / box.width * graph.width, y: (event.clientY - box.y) / box.height * graph.height });
    }
  }

  private boxAt(x: number, y: number): number {
    return this.shape.inside({ left: x, top: y, right: x, bottom: y }, 0)[0] ?? -1;
  }

  private boxElement(at: number): Element | null { return this.content.querySelector(`#box${at}`); }

  /** Marks the boxes that are drawn. */
  private markAll(): void {
    const found = new Set(this.hits.map(({ at }) => at));
    const size = this.shape.count;
    for (const box of this.content.querySelectorAll("[role=option]")) {
      const at = Number(box.id.slice(3));
      box.classList.toggle("found", found.has(at));
      box.classList.toggle("chosen", at === this.chosen);
      box.setAttribute("aria-selected", String(at === this.chosen));
      box.setAttribute("aria-posinset", String(at + 1));
      box.setAttribute("aria-setsize", String(size));
    }
    const chosen = this.boxElement(this.chosen);
    if (chosen) this.stage.setAttribute("aria-activedescendant", chosen.id);
    else this.stage.removeAttribute("aria-activedescendant");
  }

  /** Shows the details of the box under the pointer, unless one is chosen. */
  private point(at: number): void {
    if (at === this.pointed) return;
    this.pointed = at;
    if (at >= 0 && this.chosen < 0) void this.showBox(at);
  }

  private choose(at: number, reveal = true): void {
    if (at < 0 || at >= this.shape.count) return;
    this.chosen = at;
    this.markAll();
    if (reveal) this.frame?.reveal(this.shape.box(at));
    void this.showBox(at);
  }

  private async showBox(at: number): Promise<void> {
    const turn = (this.turn += 1);
    try {
      const box = await this.client.box(at);
      if (turn !== this.turn) return;
      this.panel.replaceChildren(...details(this.app, box, {
        choose: (at) => this.choose(at),
        toggle: (group) => this.toggle(group),
        enter: (inner) => void this.trail.enter(this.selection, box.name, inner),
      }));
    } catch (error) {
      if (turn === this.turn) this.panel.replaceChildren(h("p", { class: "error" }, this.app.why(error)));
    }
  }

  /** Finds nodes by name or operator, also in closed groups. */
  private async search(choose = true): Promise<void> {
    const wanted = this.find.value;
    const turn = (this.searched += 1);
    let pairs: Uint32Array = new Uint32Array();
    try {
      if (wanted !== "") pairs = await this.client.findBoxes(wanted);
    } catch (error) {
      if (turn === this.searched) this.found.textContent = this.app.why(error);
      return;
    }
    if (turn !== this.searched) return;
    this.hits = Array.from({ length: pairs.length / 2 }, (_, at) => ({ at: pairs[2 * at]!, position: pairs[2 * at + 1]! }));
    this.markAll();
    if (choose) this.goTo(0);
    const { hits, hit, chosen } = this;
    const { words } = this.app;
    if (hits.length === 0) this.found.textContent = wanted === "" ? "" : words.notFound;
    else this.found.textContent = hits[hit]?.at === chosen ? words.hit(hit + 1, grouped(hits.length)) : "";
  }

  /** Goes to the next hit, or the previous one. If the chosen box is a closed group with a hit, that one is next. */
  private async next(by: number): Promise<void> {
    const { hits, chosen } = this;
    const now = hits[this.hit]?.at === chosen ? this.hit : hits.findIndex(({ at }) => at === chosen);
    const to = now < 0 ? 0 : (now + by + hits.length) % hits.length;
    const turn = this.searched;
    try {
      for (const one of now < 0 ? [to] : [now, to]) {
        const hit = hits[one];
        if (hit === undefined || turn !== this.searched) return;
        if (await this.openAround(hit, one)) return;
      }
      if (turn === this.searched) this.goTo(to);
    } catch (error) {
      if (turn === this.searched) this.found.textContent = this.app.why(error);
    }
  }

  /** Opens the closed groups that contain a hit, and goes to it; `false` if there are none. */
  private async openAround({ position }: Hit, at: number): Promise<boolean> {
    const { closed } = this.selection;
    if (closed.length === 0) return false;
    const { name, groups } = await this.client.boxInside(position);
    const others = closed.filter((group) => !groups.includes(group));
    if (others.length === closed.length) return false;
    this.hit = at;
    await this.load({ closed: others, focus: name });
    return true;
  }

  /** Chooses the box of a hit, which can be a closed group. */
  private goTo(to: number): void {
    const hit = this.hits[to];
    if (!hit) return;
    this.hit = to;
    this.choose(hit.at);
    this.found.textContent = this.app.words.hit(to + 1, grouped(this.hits.length));
  }

  private keyOfStage(event: KeyboardEvent): boolean {
    const { frame, graph } = this;
    if (!frame || !graph) return false;
    const { wires } = graph;
    // The other ends of the connections at a box; side 0 is the source.
    const ends = (side: 0 | 1, box: number): number[] => {
      const found: number[] = [];
      for (let at = 0; at < wires.length; at += 2) {
        if (wires[at + side] === box) found.push(wires[at + 1 - side]!);
      }
      return found;
    };
    const near = (side: 0 | 1): number | undefined => ends(side, this.chosen)[0];
    const sibling = (by: number): number | undefined => {
      // The boxes with the same source, or the same target.
      const siblings = (side: 0 | 1): number[] => {
        const end = near(side);
        return end === undefined ? [] : ends(side === 0 ? 1 : 0, end);
      };
      const all = [siblings(1), siblings(0)].find((list) => list.length > 1) ?? [];
      return all[(all.indexOf(this.chosen) + by + all.length) % all.length];
    };
    const { count } = this.shape;
    let to: number | undefined;
    switch (event.key) {
      case "+": case "=": frame.zoom(1.4); return true;
      case "-": frame.zoom(1 / 1.4); return true;
      case "0": frame.fit(); return true;
      case "ArrowDown": to = this.chosen < 0 ? graph.first : near(0); break;
      case "ArrowUp": to = this.chosen < 0 ? graph.first : near(1); break;
      case "ArrowRight": to = this.chosen < 0 ? graph.first : sibling(1); break;
      case "ArrowLeft": to = this.chosen < 0 ? graph.first : sibling(-1); break;
      case "PageDown": to = Math.min(this.chosen + 1, count - 1); break;
      case "PageUp": to = Math.max(this.chosen - 1, 0); break;
      case "Home":
        frame.begin(this.shape.box(graph.first));
        this.choose(graph.first, false);
        return true;
      case "End": to = count - 1; break;
      case "Enter": {
        const inner = this.panel.querySelector<HTMLElement>(".enter");
        inner?.focus();
        return inner !== null;
      }
      case "Backspace": void this.trail.leave(); return !this.trail.isEmpty;
      default: return false;
    }
    if (to !== undefined) this.choose(to);
    return true;
  }

  private async save(): Promise<void> {
    await work(this.app, this.client, this.place, async () => {
      const name = this.client.file.name.replace(/\.[^.]*$/, "");
      save(new Blob([await this.client.graphSvg(this.selection)], { type: "image/svg+xml" }), `${name}.svg`);
    });
  }

  key(event: KeyboardEvent): boolean {
    const { target } = event;
    if (event.key !== "/" || (target instanceof HTMLInputElement)) return false;
    this.find.focus();
    return true;
  }

  resize(): void { this.drawMap(); }

  shown(): void { this.drawMap(); }
}
