// The differences between two files.
import { View as Lines, element } from "../../../inspect/src/explain/page/view.js";
import { isTooLong } from "../app.ts";
import type { App } from "../app.ts";
import type { Client } from "../client.ts";
import { bdi, h, oneLine } from "../dom.ts";
import type { Difference } from "../protocol.ts";
import { short } from "./numbers.ts";
import type { View } from "./view.ts";
import { work } from "./work.ts";

const SIGNS = { removed: "−", added: "+", changed: "~" };

export class CompareView implements View {
  readonly element = h("div", { class: "compare" });
  private readonly place = h("div", { "aria-live": "polite" });
  private readonly result = h("div", { class: "notes", role: "status" });
  private readonly pane: HTMLElement;
  private readonly lines: Lines;
  private all: Difference[] = [];
  /** The file that was chosen last. */
  private other: File | undefined;

  constructor(private readonly app: App, private readonly client: Client) {
    const { words } = app;
    this.pane = h("section", { id: "differences", class: "lines", tabindex: 0, role: "region", "aria-label": words.views.compare, hidden: true });
    this.lines = new Lines(this.pane, (row) => this.draw(row));
    this.element.append(
      h("p", { class: "faint" }, words.compareLead),
      h("div", {}, app.opener(words.chooseOther, async ([file]) => { if (file) await this.compare(file); })),
      this.place, this.result, this.pane);
  }

  async compare(other: File): Promise<void> {
    const { words } = this.app;
    this.other = other;
    this.result.replaceChildren();
    this.pane.hidden = true;
    if (isTooLong(other)) {
      this.place.replaceChildren(h("p", { class: "error", role: "alert" }, words.tooLong));
      return;
    }
    await work(this.app, this.client, this.place, async (progress) => {
      const { equal, differences } = await this.client.diff(other, progress);
      if (this.other !== other) return;
      this.all = differences;
      this.result.replaceChildren(
        h("span", {}, bdi(this.client.file.name), " → ", bdi(other.name)),
        h("strong", { id: "diff-count" }, equal ? words.same : words.differences(differences.length)));
      this.pane.hidden = equal;
      this.lines.setCount(differences.length);
    });
  }

  private draw(row: number): HTMLElement {
    const { words } = this.app;
    const drawn = element("div", "part difference");
    const found = this.all[row];
    if (!found) return drawn;
    const { path, kind, old, new: now, tensor, ...apart } = found as Difference & { new?: string };
    drawn.classList.add(kind);
    const sign = element("span", "sign", SIGNS[kind]);
    sign.title = words.changes[kind] ?? kind;
    const place = element("span", "place");
    place.append(bdi(path));
    const what = element("span", "value");
    if (tensor !== undefined) {
      const numbers = Object.entries(apart).map(([name, value]) =>
        `${name.replaceAll("_", " ")} ${typeof value === "number" ? short(value) : oneLine(JSON.stringify(value), 80)}`);
      what.append(`${tensor}: ${numbers.join(", ")}`);
    } else if (old !== undefined && now !== undefined) {
      what.append(bdi(old), " → ", bdi(now));
    } else {
      what.append(bdi(old ?? now ?? ""));
    }
    drawn.append(sign, place, what);
    return drawn;
  }

  shown(): void { this.lines.resize(); }
}
