// The details of a node of a graph, or of a group of nodes, and what adds missing ones.
import type { App } from "../app.ts";
import { append, bdi, breakable, h } from "../dom.ts";
import type { Box, End, Inner, Text } from "../protocol.ts";
import { grouped } from "../words.ts";

/** Maximum number of inputs or consumers. */
const MOST_ENDS = 200;

interface Actions {
  /** Goes to a box. */
  choose: (at: number) => void;
  /** Opens or closes a group. */
  toggle: (group: string) => void;
  /** Draws a graph in an attribute of the node. */
  enter: (inner: Inner) => void;
}

/** A text whose words are those of the page's language, if they are the library's. */
function inWords(app: App, { text, is_own: isOwn }: Text): string { return isOwn ? app.words.inBox(text) : text; }

export function details(app: App, box: Box, { choose, toggle, enter }: Actions): HTMLElement[] {
  const { words } = app;
  const { group, multiply_adds: multiplyAdds } = box;
  const facts = h("dl", { class: "facts" });
  const fact = (name: string, ...values: HTMLElement[]): void => {
    if (values.length > 0) append(facts, [h("dt", {}, name), ...values]);
  };
  const ends = (name: string, ends: End[]): void => {
    fact(name, ...ends.slice(0, MOST_ENDS).map((end) => h("dd", {}, link(end, choose), " ", h("span", { class: "faint" }, bdi(end.output)))));
    if (ends.length > MOST_ENDS) facts.append(h("dd", { class: "faint" }, words.more(ends.length - MOST_ENDS)));
  };
  if (group === null) fact(words.operator, h("dd", {}, bdi(inWords(app, box.head))));
  if (box.output) fact(words.output, h("dd", {}, bdi(box.output)));
  else if (box.unknown !== null) fact(words.output, h("dd", {}, `${words.unknownNumber}${words.colon}`, app.said(box.unknown, 400)));
  if (box.parameters !== null) {
    fact(words.costs.parameters, h("dd", {}, grouped(box.parameters)));
    fact(words.costs.multiply_adds, h("dd", {}, multiplyAdds === null ? words.unknownNumber : grouped(multiplyAdds)));
  }
  ends(words.inputs, box.inputs);
  ends(words.consumers, box.consumers);
  fact(words.groups, ...box.groups.map((group) => h("dd", {}, breakable(group), " ",
    h("button", { type: "button", class: "link close-group", onclick: () => toggle(group) }, words.closeGroup))));
  const all: HTMLElement[] = [h("h3", {}, breakable(box.name))];
  if (group !== null) all.push(h("button", { type: "button", id: "open-group", onclick: () => toggle(group) }, words.openGroup));
  all.push(...box.graphs.map((inner) =>
    h("button", { type: "button", class: "enter", onclick: () => enter(inner) }, words.openGraph(inner.attribute))));
  all.push(facts);
  if (box.params.length > 0) all.push(h("h4", {}, words.params), params(app, box));
  return all;
}

function params(app: App, box: Box): HTMLElement {
  return h("ul", { class: "params" }, ...box.params.map(({ name, what, offsets: [first] }) =>
    h("li", {}, bdi(name, 80), " ", bdi(inWords(app, what), 400), " ",
      first !== undefined && h("button", { type: "button", class: "link", onclick: () => app.showTensor(first) }, app.words.statistics))));
}

/** The name of a connected node; a click goes to its box. */
function link({ name, at }: End, choose: (at: number) => void): HTMLElement {
  if (at === null) return bdi(name);
  return h("button", { type: "button", class: "link", onclick: () => choose(at) }, bdi(name));
}

/** A line of Python that adds types and shapes to an ONNX model. */
export function inference(name: string): string {
  const [from, to] = [name, name.replace(/(\.onnx)?$/i, "-shapes.onnx")].map((path) => JSON.stringify(path));
  return `import onnx; onnx.save(onnx.shape_inference.infer_shapes(onnx.load(${from})), ${to})`;
}
