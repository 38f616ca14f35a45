// The client side of the worker: calls and their results, and restarting a worker that was terminated.
import type {
  Axis, Box, Call, Differences, Elements, FromWorker, Graph, Inside, Numbers, PackedRows, Selection, Summary, Target, Tensor, Wanted,
} from "./protocol.ts";

export type Progress = (done: number, all: number) => void;

/** A call was cancelled. */
export class Cancelled extends Error {}

/** Error messages that mean that the reader was aborted. */
export const STOPPED = /unreachable|call stack size exceeded|memory access out of bounds/i;

// Number of bytes of other files after which a worker is replaced.
const MOST_LOADED = 1 << 28;

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  progress: Progress | undefined;
}

// State that is sent to a new worker.
interface Setup {
  file: File;
  schemas: { name: string; text: string }[];
  type: string | undefined;
  /** The graph that later calls refer to. */
  graph: Selection | undefined;
}

export class Client {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private count = 0;
  /** Number of terminated workers. */
  private ends = 0;
  /** Number of bytes of other files in the worker, which never frees them. */
  private loaded = 0;
  private ready: Promise<void> | undefined;
  private readonly setup: Setup;
  private isEnded = false;

  constructor(
    private readonly module: Promise<WebAssembly.Module>,
    private readonly script: () => string,
    file: File,
  ) {
    this.setup = { file, schemas: [], type: undefined, graph: undefined };
  }

  get file(): File { return this.setup.file; }

  /** Terminates the worker for good: all later calls are cancelled. */
  end(): void {
    this.isEnded = true;
    this.cancel();
  }

  /** Terminates the worker. The next call starts a new one, which opens the file again. */
  cancel(): void {
    this.ends += 1;
    this.loaded = 0;
    this.worker?.terminate();
    this.worker = undefined;
    this.ready = undefined;
    for (const { reject } of this.waiting.values()) reject(new Cancelled());
    this.waiting.clear();
  }

  private async start(progress: Progress | undefined): Promise<void> {
    const { ends } = this;
    const module = await this.module;
    if (ends !== this.ends) throw new Cancelled();
    const worker = new Worker(this.script());
    this.worker = worker;
    worker.addEventListener("message", (event: MessageEvent<FromWorker>) => this.receive(event.data));
    worker.addEventListener("error", (event) => {
      const error = new Error(event.message);
      for (const { reject } of this.waiting.values()) reject(error);
      this.waiting.clear();
    });
    worker.postMessage({ module });
    await this.send({ call: "open", file: this.setup.file }, progress);
    for (const { name, text } of this.setup.schemas) await this.send({ call: "takeSchema", name, text });
    if (this.setup.type !== undefined) await this.send({ call: "chooseType", name: this.setup.type });
    if (this.setup.graph !== undefined) await this.send({ call: "graph", selection: this.setup.graph });
  }

  private receive(message: FromWorker): void {
    const waiting = this.waiting.get(message.id);
    if (waiting === undefined) return;
    if ("done" in message) {
      waiting.progress?.(message.done, message.all);
      return;
    }
    this.waiting.delete(message.id);
    if ("error" in message) {
      waiting.reject(new Error(message.error));
      // The state of its memory is unknown.
      if (STOPPED.test(message.error)) this.cancel();
    }
    else waiting.resolve(message.value);
  }

  private send(call: Call, progress?: Progress): Promise<unknown> {
    const id = (this.count += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, progress });
      if (this.worker === undefined) reject(new Cancelled());
      else this.worker.postMessage({ id, ...call });
    });
  }

  private async request(call: Call, progress?: Progress): Promise<unknown> {
    if (this.isEnded) throw new Cancelled();
    if (this.ready === undefined) {
      const own = this.start(progress);
      this.ready = own;
      // A failed start is tried again.
      own.catch(() => { if (this.ready === own) this.ready = undefined; });
    }
    await this.ready;
    return this.send(call, progress);
  }

  async open(progress?: Progress): Promise<Summary> {
    return (await this.request({ call: "summary" }, progress)) as Summary;
  }

  async takeSchema(name: string, text: string): Promise<void> {
    // The type of a schema is determined by its lower-case extension.
    const schema = { name: name.toLowerCase(), text };
    await this.request({ call: "takeSchema", ...schema });
    this.setup.schemas.push(schema);
    this.setup.type = undefined;
  }

  async chooseType(name: string | undefined): Promise<void> {
    await this.request({ call: "chooseType", name });
    this.setup.type = name;
  }

  async rows(offset: number): Promise<PackedRows> {
    return (await this.request({ call: "rows", offset })) as PackedRows;
  }

  async json(progress: Progress): Promise<Blob> {
    return (await this.request({ call: "json" }, progress)) as Blob;
  }

  async graph(selection: Selection): Promise<Graph> {
    const graph = (await this.request({ call: "graph", selection })) as Graph;
    this.setup.graph = selection;
    return graph;
  }

  async graphPart(area: { left: number; top: number; right: number; bottom: number }): Promise<string> {
    return (await this.request({ call: "graphPart", area })) as string;
  }

  async graphSvg(selection: Partial<Selection> = {}): Promise<string> {
    return (await this.request({ call: "graphSvg", selection })) as string;
  }

  /** Pairs: a box, which may be a closed group, and the position of the found one among the boxes of the open graph. */
  async findBoxes(text: string): Promise<Uint32Array> {
    return (await this.request({ call: "findBoxes", text })) as Uint32Array;
  }

  async boxInside(position: number): Promise<Inside> {
    return (await this.request({ call: "boxInside", position })) as Inside;
  }

  async box(at: number): Promise<Box> {
    return (await this.request({ call: "box", at })) as Box;
  }

  async tensors(): Promise<Tensor[]> {
    return (await this.request({ call: "tensors" })) as Tensor[];
  }

  async numbers(index: number, progress: Progress): Promise<Numbers> {
    return (await this.request({ call: "numbers", index }, progress)) as Numbers;
  }

  async axes(index: number, slice: string): Promise<Axis[]> {
    return (await this.request({ call: "axes", index, slice })) as Axis[];
  }

  async elements(index: number, wanted: Wanted): Promise<Elements> {
    return (await this.request({ call: "elements", index, wanted })) as Elements;
  }

  /** Writes all weights, or one tensor. */
  async convert(target: Target, progress: Progress, index?: number): Promise<Blob> {
    return (await this.request({ call: "convert", target, index }, progress)) as Blob;
  }

  async diff(other: File, progress: Progress): Promise<Differences> {
    if (this.loaded > 0 && this.loaded + other.size > MOST_LOADED && this.waiting.size === 0) this.cancel();
    this.loaded += other.size;
    return (await this.request({ call: "diff", other }, progress)) as Differences;
  }
}
