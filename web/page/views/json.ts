// A file as JSON. Only lines in view are rendered.
import { View as Lines, element } from "../../../inspect/src/explain/page/view.js";
import type { App } from "../app.ts";
import type { Client } from "../client.ts";
import { h, oneLine, save } from "../dom.ts";
import { grouped } from "../words.ts";
import type { View } from "./view.ts";
import { work } from "./work.ts";

// Number of bytes of the text that are shown.
const MOST = 32 << 20;
// Number of characters shown of a line.
const LINE = 2000;
// Strings, with the colon after a name; numbers; words.
const TOKEN = /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

export class JsonView implements View {
  readonly element = h("div", { class: "json" });
  private readonly place = h("div", { "aria-live": "polite" });
  private readonly pane: HTMLElement;
  private readonly lines: Lines;
  private text = "";
  private starts: number[] = [];
  private found = -1;
  private readonly find: HTMLInputElement;
  private readonly hits = h("span", { role: "status", class: "faint" });

  constructor(private readonly app: App, private readonly client: Client) {
    const { words } = app;
    this.find = h("input", { type: "search", id: "find-json", autocomplete: "off", onkeydown: (event: KeyboardEvent) => {
      if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
    } });
    const tools = h("div", { class: "tools" },
      h("label", {}, `${words.find} `, this.find),
      h("button", { type: "button", "aria-label": words.previous, onclick: () => this.step(-1) }, "↑"),
      h("button", { type: "button", "aria-label": words.next, onclick: () => this.step(1) }, "↓"),
      this.hits);
    this.pane = h("section", { id: "json-lines", class: "lines", tabindex: 0, role: "region", "aria-label": "JSON" });
    this.lines = new Lines(this.pane, (line) => this.draw(line));
    this.element.append(tools, this.place, this.pane);
    void this.load();
  }

  private async load(): Promise<void> {
    const { words } = this.app;
    let note: Node | undefined;
    await work(this.app, this.client, this.place, async (progress) => {
      const blob = await this.client.json(progress);
      this.text = await blob.slice(0, MOST).text();
      this.starts = [0];
      for (let at = this.text.indexOf("\n"); at >= 0; at = this.text.indexOf("\n", at + 1)) this.starts.push(at + 1);
      if (this.starts.at(-1) === this.text.length) this.starts.pop();
      this.lines.setCount(this.starts.length);
      if (blob.size > MOST) {
        note = h("p", { class: "faint" }, words.jsonShort(grouped(MOST)), " ",
          h("button", { type: "button", onclick: () => save(blob, `${this.client.file.name}.json`) }, words.downloads, " JSON"));
      }
    }, () => this.load());
    if (note) this.place.append(note);
  }

  private lineAt(line: number): string {
    const start = this.starts[line] ?? 0;
    return this.text.slice(start, (this.starts[line + 1] ?? this.text.length + 1) - 1);
  }

  private draw(line: number): HTMLElement {
    const whole = this.lineAt(line);
    const blanks = /^ */.exec(whole)?.[0] ?? "";
    const shown = blanks + oneLine(whole.slice(blanks.length), LINE);
    const drawn = element("div", line === this.found ? "line marked" : "line");
    let at = 0;
    for (const match of shown.matchAll(TOKEN)) {
      const [all, text, colon, number] = match;
      drawn.append(shown.slice(at, match.index));
      const kind = text === undefined ? (number === undefined ? "k3" : "k1") : colon === undefined ? "k2" : "k0";
      drawn.append(element("b", kind, text ?? all), colon ?? "");
      at = match.index + all.length;
    }
    drawn.append(shown.slice(at));
    return drawn;
  }

  private step(by: number): void {
    const wanted = this.find.value.toLowerCase();
    const count = this.starts.length;
    if (wanted === "" || count === 0) return;
    for (let step = 1; step <= count; step += 1) {
      const line = (((this.found + by * step) % count) + count) % count;
      if (this.lineAt(line).toLowerCase().includes(wanted)) {
        this.found = line;
        this.lines.reveal(line);
        this.lines.drawSoon();
        this.hits.textContent = this.app.words.hit(line + 1, String(count));
        return;
      }
    }
    this.hits.textContent = this.app.words.notFound;
  }

  shown(): void { this.lines.resize(); }

  key(event: KeyboardEvent): boolean {
    if (event.key !== "/" || event.target === this.find) return false;
    this.find.focus();
    return true;
  }
}
