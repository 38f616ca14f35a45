// Does all work on files in a worker, so that the application stays responsive, and work can be terminated.
import { Opened, initSync } from "../target/bind/fourfold_web.js";
import type { Call, FromWorker, ToWorker } from "./protocol.ts";

declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

// Milliseconds between progress messages.
const INTERVAL = 100;
// Number of bytes that are collected before they become a blob, which need not stay in memory.
const MOST_GATHERED = 16 << 20;

function post(message: FromWorker, transfer: Transferable[] = []): void {
  (self as unknown as Worker).postMessage(message, transfer);
}

let current = 0;

class Reader {
  private readonly reader = new FileReaderSync();
  private reported = 0;

  constructor(private readonly file: File) {}

  read(offset: number, into: Uint8Array): void {
    const end = offset + into.length;
    into.set(new Uint8Array(this.reader.readAsArrayBuffer(this.file.slice(offset, end))));
  }

  reached(done: number, all: number): void {
    const now = performance.now();
    if (now - this.reported < INTERVAL) return;
    this.reported = now;
    post({ id: current, done, all });
  }
}

/** A file that is being written. */
class Sink {
  private parts: Blob[] = [];
  private pieces: Uint8Array<ArrayBuffer>[] = [];
  private gathered = 0;

  constructor(private readonly file: File) {}

  bytes(bytes: Uint8Array): void {
    this.pieces.push(bytes.slice() as Uint8Array<ArrayBuffer>);
    this.gathered += bytes.length;
    if (this.gathered >= MOST_GATHERED) this.flush();
  }

  slice(offset: number, length: number): void {
    this.flush();
    this.parts.push(this.file.slice(offset, offset + length));
  }

  replace(offset: number, bytes: Uint8Array): void {
    const whole = this.blob();
    const own = new Blob([bytes.slice() as Uint8Array<ArrayBuffer>]);
    this.parts = [whole.slice(0, offset), own, whole.slice(offset + bytes.length)];
  }

  private flush(): void {
    if (this.pieces.length > 0) this.parts.push(new Blob(this.pieces));
    this.pieces = [];
    this.gathered = 0;
  }

  blob(): Blob {
    this.flush();
    return new Blob(this.parts, { type: "application/octet-stream" });
  }
}

interface OpenFile { file: File; opened: Opened }

let one: OpenFile | undefined;

function open(file: File): OpenFile {
  return { file, opened: new Opened(new Reader(file), file.name, file.size) };
}

/** Lets waiting messages be handled. */
function pause(): Promise<void> {
  return new Promise((go) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = (): void => {
      port1.close();
      go();
    };
    port2.postMessage(null);
  });
}

/** Number of the latest computation of statistics. */
let turn = 0;

/** The statistics of a tensor. Other calls are answered between its pieces. */
async function numbers(index: number, id: number): Promise<unknown> {
  if (one === undefined) throw new Error("no file is open");
  const { opened } = one;
  opened.startNumbers(index);
  turn += 1;
  const own = turn;
  for (;;) {
    if (own !== turn) throw new Error("the statistics of another tensor were requested");
    current = id;
    const text = opened.stepNumbers();
    if (text !== undefined) return JSON.parse(text);
    await pause();
  }
}

function answer(call: Exclude<Call, { call: "numbers" }>): [unknown, Transferable[]] {
  if (call.call === "open") {
    one = open(call.file);
    return [undefined, []];
  }
  if (one === undefined) throw new Error("no file is open");
  const { opened, file } = one;
  switch (call.call) {
    case "takeSchema": return [opened.takeSchema(call.name, call.text), []];
    case "chooseType": return [opened.chooseType(call.name), []];
    case "summary": return [JSON.parse(opened.summary()), []];
    case "rows": {
      const about: unknown = JSON.parse(opened.rows(call.offset));
      const stream = opened.stream();
      return [{ about, stream }, [stream.buffer]];
    }
    case "json": {
      const sink = new Sink(file);
      opened.json(sink);
      return [sink.blob(), []];
    }
    case "graph": {
      const about = JSON.parse(opened.graph(JSON.stringify(call.selection))) as object;
      const [numbers, lines, wires] = [opened.boxes(), opened.lines(), opened.wires()];
      return [{ ...about, numbers, lines, wires }, [numbers.buffer, lines.buffer, wires.buffer]];
    }
    case "graphPart": {
      const { left, top, right, bottom } = call.area;
      return [opened.graphPart(left, top, right, bottom), []];
    }
    case "graphSvg": return [opened.graphSvg(JSON.stringify(call.selection)), []];
    case "findBoxes": return [opened.findBoxes(call.text), []];
    case "boxInside": return [JSON.parse(opened.boxInside(call.position)), []];
    case "box": return [JSON.parse(opened.boxReport(call.at)), []];
    case "tensors": return [JSON.parse(opened.tensors()), []];
    case "axes": return [JSON.parse(opened.axes(call.index, call.slice)), []];
    case "elements": return [JSON.parse(opened.elements(call.index, JSON.stringify(call.wanted))), []];
    case "convert": {
      const sink = new Sink(file);
      opened.convert(call.target, call.index, sink);
      return [sink.blob(), []];
    }
    case "diff": return [JSON.parse(opened.diff(open(call.other).opened)), []];
  }
}

self.addEventListener("message", (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if ("module" in message) {
    initSync({ module: message.module });
    return;
  }
  const { id } = message;
  const failed = (error: unknown): void => post({ id, error: error instanceof Error ? error.message : String(error) });
  if (message.call === "numbers") {
    numbers(message.index, id).then((value) => post({ id, value }), failed);
    return;
  }
  current = id;
  try {
    const [value, transfer] = answer(message);
    post({ id, value }, transfer);
  } catch (error) {
    failed(error);
  }
});
