// The bytes of a file and the tree of its parts, side by side.
import { Dump } from "../../../inspect/src/explain/page/dump.js";
import { Rows } from "../../../inspect/src/explain/page/rows.js";
import type { App } from "../app.ts";
import { FileBytes } from "../bytes.ts";
import type { Client } from "../client.ts";
import { h } from "../dom.ts";
import type { RowsAbout } from "../protocol.ts";
import { grouped } from "../words.ts";
import type { View } from "./view.ts";
import { work } from "./work.ts";

export class ByteView implements View {
  readonly element = h("div", { class: "dump" });
  private readonly place = h("div", { "aria-live": "polite" });
  private dump: Dump | undefined;
  private about: RowsAbout | undefined;
  private wanted = "";
  /** The byte of the latest request for rows, to be shown when they arrive. */
  private requested = -1;

  /** The types of the schema have names that may be words of a format. */
  constructor(private readonly app: App, private readonly client: Client, private readonly types: string[]) {
    this.element.append(this.place);
    void this.load(0);
  }

  private async load(offset: number): Promise<void> {
    await work(this.app, this.client, this.place, async () => {
      const { about, stream } = await this.client.rows(offset);
      this.fill(about, stream);
    });
  }

  private fill(about: RowsAbout, stream: Uint8Array): void {
    const { words } = this.app;
    this.end();
    const rows = new Rows(stream, about);
    const kind = (english: string): string => words.kind(english, this.types);
    const dump = new Dump(rows, new FileBytes(this.client.file), { ...words, kind }, (address) => this.app.setAddress(address));
    this.dump = dump;
    this.about = about;
    const notes = h("div", { class: "notes" },
      h("span", { id: "summary" }, words.partsSummary(about.parts, about.errors)));
    const note = (text: string): void => notes.append(h("span", {}, text));
    if (about.start > 0) {
      note(words.rowsFrom(grouped(about.start)));
      notes.append(h("button", { type: "button", id: "from-start", onclick: () => void this.load(0) }, words.fromStart));
    }
    if (about.full !== null) {
      const { full } = about;
      note(words.rowsFull(grouped(about.left_out), grouped(full)));
      notes.append(h("button", { type: "button", id: "go-on", onclick: () => void this.load(full) }, words.goOn));
    }
    if (about.unseen !== null) note(words.rowsUnseen(grouped(about.unseen)));
    const errors = dump.errorList(about.errors);
    if (errors) errors.id = "errors";
    this.element.replaceChildren(this.place, notes);
    if (errors) this.element.append(errors);
    this.element.append(dump.tools, dump.panes, dump.status);
    dump.start();
    if (this.wanted !== "") this.goTo(this.wanted);
  }

  /** Stops the search. */
  end(): void { this.dump?.finder.stop(); }

  shown(): void { this.dump?.resize(); }

  resize(): void { this.dump?.resize(); }

  key(event: KeyboardEvent): boolean {
    const { target } = event;
    if (event.key !== "Escape" && target instanceof HTMLElement && /^(INPUT|SELECT)$/.test(target.tagName)) return false;
    return this.dump?.key(event) ?? false;
  }

  /** Goes to `#b1234` or `#path=…` as soon as there are rows, also if those have to be loaded first. */
  goTo(address: string): void {
    this.wanted = "";
    const { about, requested } = this;
    this.requested = -1;
    if (!this.dump || !about) {
      this.wanted = address;
      return;
    }
    const written = /^#b(0x[0-9a-f]+|\d+)$/i.exec(address)?.[1];
    // Offsets after the end mean the last byte.
    const byte = written === undefined ? -1 : Math.min(Number(written), Math.max(about.length - 1, 0));
    const isThere = byte < 0 || (byte >= about.start && byte < (about.full ?? Infinity));
    if (isThere || byte === requested || this.dump.rows.rowOfByte(byte) !== 0xffffffff) {
      this.dump.goTo(byte < 0 ? address : `#b${byte}`);
    } else {
      this.wanted = address;
      this.requested = byte;
      void this.load(byte);
    }
  }
}
