// The page: which file is open, and which of its views is shown.
import { Cancelled, Client, STOPPED } from "./client.ts";
import { append, bdi, h, oneLine } from "./dom.ts";
import { examples } from "./examples.ts";
import type { Summary } from "./protocol.ts";
import { ByteView } from "./views/bytes.ts";
import { CompareView } from "./views/compare.ts";
import { GraphView } from "./views/graph.ts";
import { JsonView } from "./views/json.ts";
import { OverviewView } from "./views/overview.ts";
import { TensorView } from "./views/tensors.ts";
import type { View } from "./views/view.ts";
import { LANGUAGES, preferred } from "./words.ts";
import type { Language, Words } from "./words.ts";

export type Tab = keyof Words["views"];
export type Theme = keyof Words["themes"];

const TABS: Tab[] = ["overview", "bytes", "json", "graph", "tensors", "compare"];
// No file of more bytes has a place in the memory of a page.
const LONGEST = 2 ** 32 - 2 ** 24;
const SCHEMA = /\.(mol|atd|words|txt|dict)$/i;

interface OpenFile { client: Client; summary: Summary; schema: string | undefined }

export class App {
  private language: Language = preferred(navigator.languages);
  private theme: Theme = "auto";
  private tab: Tab = "overview";
  private open: OpenFile | undefined;
  private readonly views = new Map<Tab, View>();
  /** What is being opened. */
  private opening: Client | undefined;
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

  /** Draws everything anew. */
  private draw(): void {
    const { words, open } = this;
    document.documentElement.lang = words.language;
    document.documentElement.dataset.theme = this.theme;
    document.title = open ? `${oneLine(open.client.file.name)} · ${words.title}` : words.title;
    this.root.replaceChildren(this.header());
    if (this.message) this.root.append(this.message);
    if (open) this.root.append(this.tabs(open), ...TABS.map((tab) => this.panel(tab)));
    else if (!this.opening) this.root.append(this.empty());
    this.root.append(this.live);
    if (open) this.show(this.tab, false);
  }

  private header(): HTMLElement {
    const { words, open } = this;
    const choose = h("select", {
      id: "example",
      "aria-label": words.example,
      onchange: () => {
        const example = examples.find(({ id }) => id === choose.value);
        choose.value = "";
        if (example) void this.take(example.files());
      },
    }, h("option", { value: "" }, words.example));
    append(choose, examples.map(({ id }) => h("option", { value: id }, words.examples[id])));
    const theme = h("select", {
      id: "theme",
      "aria-label": words.theme,
      onchange: () => {
        this.theme = theme.value as Theme;
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
    }, words.switchTo);
    const file = open && h("div", { class: "file" },
      h("h2", {}, bdi(open.client.file.name)),
      h("button", { id: "close-file", type: "button", onclick: () => this.close() }, words.close));
    return h("header", {},
      h("h1", {}, words.title),
      file,
      h("div", { class: "actions" }, this.opener(words.open, (files) => this.take(files)), choose, theme, language));
  }

  /** A button that opens files. */
  opener(name: string, take: (files: File[]) => Promise<void>, accept = ""): HTMLElement {
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
    const button = h("button", { type: "button", onclick: () => input.click() }, name);
    return h("span", {}, button, input);
  }

  private empty(): HTMLElement {
    const { words } = this;
    const list = examples.map(({ id, files }) =>
      h("li", {}, h("button", { type: "button", class: "link", onclick: () => void this.take(files()) }, words.examples[id])));
    return h("main", { class: "empty" },
      h("p", { class: "lead" }, words.lead),
      h("div", { class: "drop" },
        h("p", {}, words.drop),
        this.opener(words.open, (files) => this.take(files)),
        h("p", { class: "faint" }, words.stays)),
      h("p", { class: "faint" }, words.formats),
      h("h2", {}, words.example),
      h("ul", {}, ...list));
  }

  private tabs(open: OpenFile): HTMLElement {
    const has: Record<Tab, boolean> = {
      overview: true,
      bytes: true,
      json: open.summary.has_json,
      graph: open.summary.has_graph,
      tensors: open.summary.has_tensors,
      compare: true,
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
      }, this.words.views[tab]));
    }
    return list;
  }

  private panel(tab: Tab): HTMLElement {
    return h("section", { role: "tabpanel", id: `panel-${tab}`, "aria-labelledby": `tab-${tab}`, hidden: true });
  }

  /** Shows one of the views, which is made when it is shown for the first time. */
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
      case "bytes": return new ByteView(this, client);
      case "json": return new JsonView(this, client);
      case "graph": return new GraphView(this, client);
      case "tensors": return new TensorView(this, client);
      case "compare": return new CompareView(this, client);
    }
  }

  /** Shows a byte among the bytes. */
  showByte(offset: number): void {
    this.show("bytes", false);
    const view = this.views.get("bytes");
    if (view instanceof ByteView) view.goTo(`#b${offset}`);
  }

  /** Shows a tensor whose elements begin there. */
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
    // Not every way to open a page lets its address change.
    try { history.replaceState(null, "", hash || location.pathname); } catch { /* stays as it is */ }
  }

  /** Takes files that were dropped or chosen: names and types for the open file, or a file to open. */
  async take(files: File[]): Promise<void> {
    const schemas = files.filter((file) => SCHEMA.test(file.name));
    const others = files.filter((file) => !SCHEMA.test(file.name));
    const [first, second] = others;
    if (first) await this.openFile(first, schemas);
    else if (this.open) await this.takeSchemas(schemas);
    else if (schemas[0]) await this.openFile(schemas[0], []);
    if (second && this.open) {
      this.show("compare");
      const view = this.views.get("compare");
      if (view instanceof CompareView) void view.compare(second);
    }
  }

  private async openFile(file: File, schemas: File[]): Promise<void> {
    // An address that the page was opened with is meant for the first file.
    const address = this.open ? "" : location.hash;
    this.close();
    const { words } = this;
    if (file.size > LONGEST) {
      this.tell(words.tooLong, true);
      return;
    }
    const client = new Client(this.module, this.script, file);
    this.opening = client;
    const progress = h("progress", { max: 1, "aria-label": words.reading });
    const count = h("span", { class: "faint" });
    this.message = h("div", { class: "message", id: "reading" },
      h("p", {}, `${words.reading} `, bdi(file.name)),
      progress, count,
      h("button", { type: "button", id: "cancel", onclick: () => client.cancel() }, words.cancel));
    this.draw();
    this.say(`${words.reading} ${oneLine(file.name)}`);
    try {
      let summary = await client.open((done, all) => {
        progress.value = done / all;
        count.textContent = words.ofAll(size(done), size(all));
      });
      let schema: string | undefined;
      for (const one of schemas) {
        await client.takeSchema(one.name, await one.text());
        schema = one.name;
      }
      if (schemas.length > 0) summary = await client.open();
      if (this.opening !== client) return;
      this.opening = undefined;
      this.message = undefined;
      this.open = { client, summary, schema };
      this.tab = "overview";
      this.draw();
      this.say(`${oneLine(file.name)}: ${summary.format ?? words.unknown}, ${summary.is_good ? words.good : summary.verdict}`);
      if (document.activeElement === document.body) document.getElementById("tab-overview")?.focus();
      this.goTo(address);
    } catch (error) {
      if (this.opening !== client) return;
      this.opening = undefined;
      client.cancel();
      this.tell(this.why(error), !(error instanceof Cancelled));
    }
  }

  private async takeSchemas(schemas: File[]): Promise<void> {
    const { open } = this;
    if (!open) return;
    try {
      for (const one of schemas) {
        await open.client.takeSchema(one.name, await one.text());
        open.schema = one.name;
      }
      this.message = undefined;
      await this.refresh();
    } catch (error) {
      this.tell(`${oneLine(schemas.at(-1)?.name ?? "")}: ${this.why(error)}`, true);
    }
  }

  async chooseType(name: string | undefined): Promise<void> {
    try {
      await this.open?.client.chooseType(name);
      await this.refresh();
    } catch (error) {
      this.tell(this.why(error), true);
    }
  }

  /** Asks again what the file is. */
  private async refresh(): Promise<void> {
    const { open } = this;
    if (!open) return;
    open.summary = await open.client.open();
    this.views.clear();
    this.draw();
  }

  close(): void {
    this.opening?.cancel();
    this.open?.client.cancel();
    this.opening = undefined;
    this.open = undefined;
    this.message = undefined;
    this.views.clear();
    this.setAddress("");
    this.draw();
  }

  private switchLanguage(): void {
    this.language = this.language === "en" ? "zh" : "en";
    this.views.clear();
    this.message = undefined;
    this.draw();
    document.getElementById("language")?.focus();
  }

  /** What went wrong, in words. */
  why(error: unknown): string {
    const { words } = this;
    if (error instanceof Cancelled) return words.cancelled;
    const text = error instanceof Error ? error.message : String(error);
    if (/no memory|out of memory|Invalid array buffer length/i.test(text)) return words.noMemory;
    if (STOPPED.test(text)) return words.stopped;
    return words.failed(oneLine(text, 600));
  }

  /** Shows a message in front of all. */
  tell(text: string, isError: boolean): void {
    this.message = h("div", { class: isError ? "message error" : "message", role: "alert" }, h("p", {}, text));
    this.draw();
  }

  /** Says something to those who do not see it. */
  say(text: string): void { this.live.textContent = text; }
}

/** A count of bytes as people read it. */
export function size(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  let [unit, shown] = [0, bytes];
  while (shown >= 1024 && unit < units.length - 1) {
    shown /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? shown : shown.toFixed(1)} ${units[unit] ?? ""}`;
}
