// The overview of a file: its format and the evidence, its state, and its content.
import type { App } from "../app.ts";
import type { Client } from "../client.ts";
import { h, lines, oneLine, save } from "../dom.ts";
import { icon } from "../icons.ts";
import type { Summary } from "../protocol.ts";
import { grouped } from "../words.ts";
import type { View } from "./view.ts";
import { work } from "./work.ts";

// Number of characters shown of a report.
const MOST_LETTERS = 200_000;
// Names of files with types or names.
const SCHEMAS = ".mol,.atd,.txt,.words,.dict";

export class OverviewView implements View {
  readonly element: HTMLElement;
  private readonly place = h("div", { "aria-live": "polite" });

  constructor(
    private readonly app: App,
    private readonly client: Client,
    private readonly summary: Summary,
    schema: string | undefined,
  ) {
    const { words } = app;
    const facts = h("dl", { class: "facts" });
    const fact = (name: string, ...value: (Node | string | false)[]): void => {
      facts.append(h("dt", {}, name), h("dd", {}, ...value));
    };
    fact(words.format, summary.format ?? words.unknown);
    fact(words.size, words.byteCount(grouped(summary.length)), summary.left > 0 &&
      h("div", { class: "faint" }, words.notRead(grouped(summary.left))));
    fact(words.state, this.state());
    if (summary.types.length > 0) fact(words.type, this.types());
    if (summary.suspicions.length > 0) {
      fact(words.suspicions, h("ul", {}, ...summary.suspicions.map((text) => h("li", {}, app.said(text, 400)))));
    }
    // Without a schema, the state of a file that cannot be checked has the button.
    if (summary.takes_schema && (summary.is_checked || schema !== undefined)) {
      fact(words.names, app.opener(words.dropSchema, (files) => app.take(files), SCHEMAS, "schema"),
        schema !== undefined && h("div", { class: "faint", id: "schema" }, words.schemaTaken(oneLine(schema))));
    }
    const { is_good, has_tensors, has_json, has_graph } = summary;
    if (is_good && (has_tensors || has_json || has_graph)) fact(words.downloads, this.downloads());
    this.element = h("div", { class: "overview" }, facts);
    if (summary.report !== "") {
      this.element.append(h("h3", {}, words.inside),
        h("pre", { id: "report", tabindex: 0, role: "region", "aria-label": words.inside }, lines(words.report(shortened(summary.report)))));
    }
    if (summary.evidence.length > 0) this.element.append(this.evidence());
  }

  private state(): Node {
    const { words } = this.app;
    const { summary } = this;
    if (summary.format === null) {
      const looks = /\(looks like (.+?)\)/.exec(summary.undetermined ?? "")?.[1];
      return h("span", { class: "error", id: "verdict" }, words.undetermined, looks !== undefined && ` ${words.looksLike(looks)}`);
    }
    if (summary.is_good && summary.note?.kind === "none") {
      return h("span", { id: "verdict" }, h("strong", { class: "error" }, words.doesNotFit), ": ", this.error(summary.note.error));
    }
    if (!summary.is_checked) {
      return h("span", { id: "verdict" }, h("strong", { class: "neutral" }, words.unchecked), " ",
        this.app.opener(words.openSchema, (files) => this.app.take(files), SCHEMAS, "schema"));
    }
    if (summary.is_good) {
      return h("span", { id: "verdict" }, h("strong", { class: "good" }, words.good), summary.verdict !== "" && " · ", summary.verdict !== "" && this.app.said(summary.verdict, 400));
    }
    return h("span", { id: "verdict" }, h("strong", { class: "error" }, words.damaged), words.colon, this.error(summary.verdict));
  }

  private types(): HTMLElement {
    const { words } = this.app;
    const choice = h("select", {
      id: "type",
      "aria-label": words.type,
      onchange: () => void this.app.chooseType(choice.value || undefined),
    });
    const { types, fitting, ty, note } = this.summary;
    const requested = note?.kind === "none" && note.is_requested ? note.ty : null;
    const chosen = ty ?? requested;
    if (chosen === null) choice.append(h("option", { value: "" }, words.noType));
    const others = types.filter((type) => !fitting.includes(type));
    for (const [label, names] of [[words.fittingTypes, fitting], [words.otherTypes, others]] as const) {
      if (names.length > 0) choice.append(h("optgroup", { label }, ...names.map((type) => h("option", { value: type }, oneLine(type, 80)))));
    }
    choice.value = chosen ?? "";
    return h("div", {}, choice, note && h("div", { class: "faint", id: "type-note" }, words.typeNote(note)));
  }

  /** An error, with a button for its byte. */
  private error(text: string): Node {
    const { words } = this.app;
    const byte = /\bat byte (\d+)/.exec(text)?.[1];
    return h("span", { class: "error" }, this.app.said(text, 600), " ",
      byte !== undefined && h("button", { type: "button", id: "show-byte", onclick: () => this.app.showByte(Number(byte)) }, words.showByte));
  }

  private downloads(): Node {
    const { summary, client } = this;
    const name = client.file.name.replace(/\.[^.]*$/, "");
    const list = h("span", { class: "downloads" });
    const offer = (label: string, ending: string, make: (progress: (done: number, all: number) => void) => Promise<Blob>): void => {
      list.append(h("button", {
        type: "button",
        onclick: () => void work(this.app, client, this.place, async (progress) => save(await make(progress), `${name}.${ending}`)),
      }, icon("download"), h("span", {}, label)));
    };
    if (summary.has_tensors) {
      offer("safetensors", "safetensors", (progress) => client.convert("safetensors", progress));
      offer("npz", "npz", (progress) => client.convert("npz", progress));
    }
    if (summary.has_json) offer("JSON", "json", (progress) => client.json(progress));
    if (summary.has_graph) {
      offer("SVG", "svg", async () => new Blob([await client.graphSvg()], { type: "image/svg+xml" }));
    }
    return h("div", {}, list, this.place);
  }

  private evidence(): HTMLElement {
    const { words } = this.app;
    const list = h("dl", { class: "evidence" });
    for (const { format, confidence, words: texts } of this.summary.evidence) {
      list.append(h("dt", {}, `${format}${words.colon}${words.confidences[confidence] ?? confidence}`),
        ...texts.map((text) => h("dd", {}, this.app.said(text, 400))));
    }
    return h("details", { open: this.summary.format === null }, h("summary", {}, words.evidence), list);
  }
}

function shortened(text: string): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}\n…` : text;
}
