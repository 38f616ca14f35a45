// The application: the open file, and the current view.
import { Cancelled, Client, STOPPED } from "./client.ts";
import { append, bdi, h, oneLine } from "./dom.ts";
import { examples } from "./examples.ts";
import { icon, picture } from "./icons.ts";
import type { Icon } from "./icons.ts";
import { keep, kept } from "./memory.ts";
import type { Summary } from "./protocol.ts";
import { ByteView } from "./views/bytes.ts";
import { CompareView } from "./views/compare.ts";
import { GraphView } from "./views/graph.ts";
import { JsonView } from "./views/json.ts";
import { OverviewView } from "./views/overview.ts";
import { TensorView } from "./views/tensors.ts";
import type { View } from "./views/view.ts";
import { LANGUAGES, preferred } from "./languages.ts";
import type { Language } from "./languages.ts";
import type { Words } from "./words.ts";

export type Tab = keyof Words["views"];
export type Theme = keyof Words["themes"];

const TABS: Tab[] = ["overview", "bytes", "json", "graph", "tensors", "compare"];
// Files of more bytes do not fit in the memory of a WebAssembly module.
const LONGEST = 2 ** 32 - 2 ** 24;
const SCHEMA = /\.(mol|atd|words|txt|dict)$/i;

interface OpenFile { client: Client; summary: Summary; schema: string | undefined }

/** A file that is being read, the schemas waiting for it, those that waited before, and its progress. */
interface Opening { client: Client; schemas: File[]; waited: File[]; progress: HTMLProgressElement; count: HTMLElement }

/** Whether a file does not fit in the memory of a WebAssembly module. */
export function isTooLong(file: File): boolean { return file.size > LONGEST; }

export class App {
  private language: Language = kept("language", ["en", "zh"]) ?? preferred(navigator.languages);
  private theme: Theme = kept("theme", ["auto", "light", "dark"]) ?? "auto";
  private tab: Tab = "overview";
  private open: OpenFile | undefined;
  private readonly views = new Map<Tab, View>();
  private opening: Opening | undefined;
  /** Schemas that were given before a file. */
  private waiting: File[] = [];
  private readonly live = h("div", { id: "live", role: "status", class: "hidden" });
  private message: HTMLElement | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly module: Promise<WebAssembly.Module>,
    private readonly script: () => string,
  ) {
    this.listen();
    this.draw();
  }

  get words(): Words { return LANGUAGES[this.language]; }

  private listen(): void {
    window.addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("dragging");
    });
    window.addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) document.body.classList.remove("dragging");
    });
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dragging");
      void this.take([...(event.dataTransfer?.files ?? [])]);
    });
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (this.views.get(this.tab)?.key?.(event)) event.preventDefault();
    });
    window.addEventListener("hashchange", () => this.goTo(location.hash));
    window.addEventListener("resize", () => this.views.get(this.tab)?.resize?.());
  }

  /** Renders everything. */
  private draw(): void {
    const { words, open, opening } = this;
    document.documentElement.lang = words.language;
    document.documentElement.dataset.theme = this.theme;
    document.title = open ? `${oneLine(open.client.file.name)} · ${words.title}` : words.title;
    this.root.replaceChildren(this.header());
    if (this.message) this.root.append(this.message);
    if (opening) this.root.append(this.reading(opening));
    if (open) this.root.append(this.tabs(open), ...TABS.map((tab) => this.panel(tab)));
    else if (!opening) this.root.append(this.empty());
    this.root.append(this.live);
    if (open) this.show(this.tab, false);
  }

  /** Renders everything, and keeps the focus. */
  private redraw(): void {
    const id = document.activeElement?.id ?? "";
    this.draw();
    if (id !== "" && document.activeElement === document.body) document.getElementById(id)?.focus();
  }

  /** Moves the focus if the focused element was removed. */
  private focusFirst(): void {
    if (document.activeElement === document.body) this.root.querySelector<HTMLElement>(".actions button")?.focus();
  }

  private reading({ client, waited, progress, count }: Opening): HTMLElement {
    const { words } = this;
    progress.setAttribute("aria-label", words.reading);
    const cancel = (): void => {
      this.close();
      this.waiting.unshift(...waited);
      this.showMessage(words.cancelled, false);
      this.focusFirst();
    };
    return h("div", { class: "message", id: "reading" },
      h("p", {}, `${words.reading} `, bdi(client.file.name)),
      progress, count,
      h("button", { type: "button", id: "cancel", onclick: cancel }, words.cancel));
  }

  private header(): HTMLElement {
    const { words, open } = this;
    const choose = h("select", {
      id: "example",
      "aria-label": words.example,
      onchange: () => {
        const example = examples.find(({ id }) => id === choose.value);
        choose.value = "";
        if (example) void example.files().then((files) => this.take(files));
      },
    }, h("option", { value: "" }, words.example));
    append(choose, examples.map(({ id }) => h("option", { value: id }, words.examples[id])));
    const theme = h("select", {
      id: "theme",
      "aria-label": words.theme,
      onchange: () => {
        this.theme = theme.value as Theme;
        keep("theme", this.theme);
        document.documentElement.dataset.theme = this.theme;
      },
    });
    for (const [id, name] of Object.entries(words.themes)) theme.append(h("option", { value: id }, name));
    theme.value = this.theme;
    const language = h("button", {
      id: "language",
      type: "button",
      lang: this.language === "en" ? "zh" : "en",
      onclick: () => this.switchLanguage(),
    }, icon("language"), h("span", { class: "label" }, words.switchTo));
    const file = open && h("div", { class: "file" },
      h("h2", {}, bdi(open.client.file.name)),
      h("button", { id: "close-file", type: "button", onclick: () => { this.close(); this.focusFirst(); } },
        icon("close"), h("span", { class: "label" }, words.close)));
    const picked = (name: Icon, select: HTMLElement): HTMLElement => h("span", { class: "pick" }, icon(name), select);
    return h("header", {},
      h("h1", {}, words.title),
      file,
      h("div", { class: "actions" }, this.opener(words.open, (files) => this.take(files)), picked("example", choose),
        picked("theme", theme), language));
  }

  /** A button that opens files. */
  opener(name: string, take: (files: File[]) => Promise<void>, accept = "", look: Icon = "open"): HTMLElement {
    const input = h("input", {
      type: "file",
      class: "hidden",
      tabindex: -1,
      "aria-hidden": "true",
      multiple: true,
      accept,
      onchange: () => {
        const files = [...(input.files ?? [])];
        input.value = "";
        void take(files);
      },
    });
    const button = h("button", { type: "button", onclick: () => input.click() }, icon(look), h("span", { class: "label" }, name));
    return h("span", { class: "opener" }, button, input);
  }

  private empty(): HTMLElement {
    const { words } = this;
    const list = examples.map(({ id, files }) =>
      h("li", {}, h("button", { type: "button", class: "card", onclick: () => void files().then((made) => this.take(made)) }, icon("example"), h("span", {}, words.examples[id]))));
    return h("main", { class: "empty" },
      h("p", { class: "lead" }, words.lead),
      h("div", { class: "drop" },
        h("div", {},
          h("p", {}, words.drop),
          this.opener(words.open, (files) => this.take(files)),
          h("p", { class: "faint" }, words.stays)),
        picture()),
      this.waiting.length > 0 && this.waitingSchemas(),
      h("p", { class: "faint" }, words.formats),
      h("h2", {}, words.example),
      h("ul", { class: "cards" }, ...list));
  }

  private waitingSchemas(): HTMLElement {
    const { words } = this;
    const forget = (): void => {
      this.waiting = [];
      this.redraw();
      this.focusFirst();
    };
    return h("div", { id: "waiting", role: "status" },
      ...this.waiting.map(({ name }) => h("p", {}, words.schemaWaits(oneLine(name)))),
      h("button", { type: "button", onclick: forget }, words.dropWaiting));
  }

  private tabs(open: OpenFile): HTMLElement {
    const has: Record<Tab, boolean> = {
      overview: true,
      bytes: true,
      json: open.summary.has_json,
      graph: open.summary.has_graph,
      tensors: open.summary.has_tensors && open.summary.is_good,
      // Packages are compared by the JSON and files that the command makes of them.
      compare: open.summary.format !== "sta",
    };
    if (!has[this.tab]) this.tab = "overview";
    const tabs = TABS.filter((tab) => has[tab]);
    const list = h("div", { role: "tablist", "aria-label": open.client.file.name.slice(0, 100) });
    for (const tab of tabs) {
      list.append(h("button", {
        role: "tab",
        type: "button",
        id: `tab-${tab}`,
        "aria-controls": `panel-${tab}`,
        "aria-selected": String(tab === this.tab),
        tabindex: tab === this.tab ? 0 : -1,
        onclick: () => this.show(tab),
        onkeydown: (event: KeyboardEvent) => {
          const at = tabs.indexOf(tab);
          const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
          const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
          if (next === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          this.show(next);
          document.getElementById(`tab-${next}`)?.focus();
        },
      }, icon(tab), h("span", {}, this.words.views[tab])));
    }
    return list;
  }

  private panel(tab: Tab): HTMLElement {
    return h("section", { role: "tabpanel", id: `panel-${tab}`, "aria-labelledby": `tab-${tab}`, hidden: true });
  }

  /** Shows a view. A view is created when it is shown for the first time. */
  show(tab: Tab, byHand = true): void {
    this.tab = tab;
    for (const one of TABS) {
      const button = document.getElementById(`tab-${one}`);
      button?.setAttribute("aria-selected", String(one === tab));
      button?.setAttribute("tabindex", one === tab ? "0" : "-1");
      document.getElementById(`panel-${one}`)?.toggleAttribute("hidden", one !== tab);
    }
    const panel = document.getElementById(`panel-${tab}`);
    if (!panel || !this.open) return;
    let view = this.views.get(tab);
    if (!view) {
      view = this.make(tab, this.open);
      this.views.set(tab, view);
    }
    if (panel.firstChild === null) panel.append(view.element);
    view.shown?.();
    if (byHand) this.setAddress("");
  }

  private make(tab: Tab, { client, summary, schema }: OpenFile): View {
    switch (tab) {
      case "overview": return new OverviewView(this, client, summary, schema);
      case "bytes": return new ByteView(this, client, summary.types);
      case "json": return new JsonView(this, client);
      case "graph": return new GraphView(this, client);
      case "tensors": return new TensorView(this, client);
      case "compare": return new CompareView(this, client);
    }
  }

  /** Shows a byte in the bytes view. */
  showByte(offset: number): void {
    this.show("bytes", false);
    const view = this.views.get("bytes");
    if (view instanceof ByteView) view.goTo(`#b${offset}`);
  }

  /** Shows the tensor whose elements begin at that offset. */
  showTensor(offset: number): void {
    this.show("tensors", false);
    const view = this.views.get("tensors");
    if (view instanceof TensorView) void view.chooseAt(offset);
  }

  private goTo(hash: string): void {
    if (!this.open || !/^#(b|path=)/.test(hash)) return;
    this.show("bytes", false);
    const view = this.views.get("bytes");
    if (view instanceof ByteView) view.goTo(hash);
  }

  setAddress(hash: string): void {
    // Some origins do not allow changing the address.
    try { history.replaceState(null, "", hash || location.pathname); } catch { /* stays as it is */ }
  }

  /** Handles files that were dropped or chosen: schemas for the open file, or a file to open. */
  async take(files: File[]): Promise<void> {
    const schemas = files.filter((file) => SCHEMA.test(file.name));
    const others = files.filter((file) => !SCHEMA.test(file.name));
    const [first, second] = others;
    if (first) await this.openFile(first, schemas);
    else if (this.open) await this.takeSchemas(schemas);
    else if (this.opening) this.opening.schemas.push(...schemas);
    else {
      this.waiting.push(...schemas);
      this.redraw();
    }
    if (second && this.open?.client.file === first && this.open?.summary.format !== "sta") {
      this.show("compare");
      const view = this.views.get("compare");
      if (view instanceof CompareView) void view.compare(second);
    }
  }

  private async openFile(file: File, schemas: File[]): Promise<void> {
    // The initial address applies to the first file only.
    const address = this.open ? "" : location.hash;
    this.close();
    const { words } = this;
    if (isTooLong(file)) {
      this.showMessage(words.tooLong, true);
      return;
    }
    const client = new Client(this.module, this.script, file);
    const waited = this.waiting.splice(0);
    schemas.unshift(...waited);
    const [progress, count] = [h("progress", { max: 1 }), h("span", { class: "faint" })];
    const opening: Opening = { client, schemas, waited, progress, count };
    this.opening = opening;
    this.draw();
    this.announce(`${words.reading} ${oneLine(file.name)}`);
    try {
      let summary = await client.open((done, all) => {
        progress.value = done / all;
        count.textContent = this.words.ofAll(size(done), size(all));
      });
      let schema: string | undefined;
      let failed: string | undefined;
      // More schemas may be added while one is read.
      for (let one = schemas.shift(); one; one = schemas.shift()) {
        try {
          const text = await one.text();
          if (this.opening !== opening) return;
          await client.takeSchema(one.name, text);
          schema = one.name;
        } catch (error) {
          failed ??= this.whySchema(one, error);
        }
        if (this.opening !== opening) return;
        summary = await client.open();
      }
      if (this.opening !== opening) return;
      this.opening = undefined;
      this.open = { client, summary, schema };
      this.tab = "overview";
      if (failed === undefined) this.draw();
      else this.showMessage(failed, true);
      this.announce(`${oneLine(file.name)}${words.colon}${summary.format ?? words.unknown}, ${this.state(summary)}`);
      if (document.activeElement === document.body) document.getElementById("tab-overview")?.focus();
      this.goTo(address);
    } catch (error) {
      if (this.opening !== opening) return;
      this.opening = undefined;
      this.waiting.unshift(...waited);
      client.end();
      this.showMessage(this.why(error), !(error instanceof Cancelled));
    }
  }

  /** The state of a file in a few words. */
  private state({ is_checked, is_good, verdict }: Summary): string {
    if (!is_checked) return this.words.unchecked;
    return is_good ? this.words.good : this.words.message(verdict) ?? verdict;
  }

  private async takeSchemas(schemas: File[]): Promise<void> {
    const { open } = this;
    if (!open) return;
    for (const one of schemas) {
      try {
        const text = await one.text();
        if (this.open !== open) return;
        await open.client.takeSchema(one.name, text);
        open.schema = one.name;
        this.message = undefined;
        await this.refresh(open);
      } catch (error) {
        if (this.open === open) this.showMessage(this.whySchema(one, error), true);
        return;
      }
    }
  }

  private whySchema(schema: File, error: unknown): string { return `${oneLine(schema.name)}${this.words.colon}${this.why(error)}`; }

  async chooseType(name: string | undefined): Promise<void> {
    const { open } = this;
    if (!open) return;
    try {
      await open.client.chooseType(name);
      await this.refresh(open);
    } catch (error) {
      if (this.open === open) this.showMessage(this.why(error), true);
    }
  }

  /** Reads the summary of the file again. */
  private async refresh(open: OpenFile): Promise<void> {
    const summary = await open.client.open();
    if (this.open !== open) return;
    open.summary = summary;
    this.forgetViews();
    this.redraw();
  }

  private forgetViews(): void {
    for (const view of this.views.values()) view.end?.();
    this.views.clear();
  }

  close(): void {
    this.opening?.client.end();
    this.open?.client.end();
    this.opening = undefined;
    this.open = undefined;
    this.message = undefined;
    this.forgetViews();
    this.setAddress("");
    this.draw();
  }

  private switchLanguage(): void {
    this.language = this.language === "en" ? "zh" : "en";
    keep("language", this.language);
    this.forgetViews();
    this.message = undefined;
    this.redraw();
  }

  /** A message of the library in the current language, and the original as its title. */
  said(message: string, most?: number): HTMLElement {
    const text = this.words.message(message);
    if (text === message) return bdi(message, most);
    const shown = bdi(text ?? message, most);
    if (text === undefined) shown.lang = "en";
    else shown.title = oneLine(message, 1000);
    return shown;
  }

  /** The message for an error. */
  why(error: unknown): string {
    const { words } = this;
    if (error instanceof Cancelled) return words.cancelled;
    const text = error instanceof Error ? error.message : String(error);
    if (/no memory|out of memory|Invalid array buffer length/i.test(text)) return words.noMemory;
    if (STOPPED.test(text)) return words.stopped;
    return words.failed(oneLine(words.messageOfFile(text) ?? text, 600));
  }

  /** Shows a message above everything. */
  showMessage(text: string, isError: boolean): void {
    this.message = h("div", { class: isError ? "message error" : "message", role: "alert" }, h("p", {}, text));
    this.redraw();
  }

  /** Announces a text to screen readers. */
  announce(text: string): void { this.live.textContent = text; }
}

/** A human-readable number of bytes. */
export function size(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  let [unit, shown] = [0, bytes];
  while (shown >= 1024 && unit < units.length - 1) {
    shown /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? shown : shown.toFixed(1)} ${units[unit] ?? ""}`;
}
