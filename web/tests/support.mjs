// A browser with the web viewer.
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { targetDirectory } from "../cargo.mjs";

export const FIXTURES = fileURLToPath(new URL("../../tests/fixtures/", import.meta.url));
const PAGE = new URL("../dist/index.html", import.meta.url).href;
const COMMAND = join(targetDirectory(new URL("../..", import.meta.url)), "debug/fourfold");

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
];

export async function browse() {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  return chromium.launch({ executablePath, args: FLAGS });
}

/**
 * The viewer after everything is unpacked. Errors and network requests are collected.
 */
export async function visit(browser, { hash = "", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.on("request", (request) => {
    if (!/^(file|blob|data):/.test(request.url())) page.complaints.push(`requests ${request.url()}`);
  });
  await page.goto(PAGE + hash);
  await page.waitForFunction(() => performance.getEntriesByName("ready").length > 0);
  return page;
}

/** Loads the viewer again, as it is for a first visit. */
export async function fresh(page) {
  await page.evaluate(() => {
    localStorage.clear();
    history.replaceState(null, "", location.pathname);
  });
  await page.reload();
  await page.waitForFunction(() => performance.getEntriesByName("ready").length > 0);
}

/** The folder of files that are removed when the process ends. */
let scratch;

/** The path of a new file with that name and these bytes. */
function written({ name, bytes }) {
  if (scratch === undefined) {
    scratch = mkdtempSync(join(tmpdir(), "fourfold-open-"));
    process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
  }
  const path = join(mkdtempSync(join(scratch, "file-")), name);
  writeFileSync(path, bytes);
  return path;
}

/** Opens files: paths, or names with bytes. Many bytes are read from a file, since those in messages are slow. */
export async function open(page, files) {
  const all = [files].flat();
  const isLarge = all.some((file) => file.bytes?.length > 1 << 16);
  const given = (file) => (isLarge ? written(file) : { name: file.name, mimeType: "", buffer: Buffer.from(file.bytes) });
  const taken = all.map((file) => (typeof file === "string" ? file : given(file)));
  await page.evaluate(() => document.getElementById("verdict")?.remove());
  await page.setInputFiles(".actions input[type=file]", taken);
  await page.waitForSelector("#verdict, .message.error", { timeout: 60_000, state: "attached" });
}

export async function tab(page, name) {
  await page.click(`#tab-${name}`);
  const first = {
    overview: "#verdict", bytes: ".part", json: "#json-lines .line", graph: "#stage svg", tensors: ".tensor", compare: ".compare",
  };
  await page.waitForSelector(`#panel-${name} :is(${first[name]})`);
  // Boxes are sketched until they are drawn.
  if (name === "graph") await page.waitForSelector("#stage canvas[hidden]", { state: "attached" });
}

export function fixture(path) { return FIXTURES + path; }

export function bytesOf(path) { return new Uint8Array(readFileSync(fixture(path))); }

/** The output of the command; `null` if it fails. */
export function command(...parts) {
  if (!existsSync(COMMAND)) throw new Error("first build the command: cargo build --package fourfold-cli");
  try {
    return execFileSync(COMMAND, parts, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 30 });
  } catch {
    return null;
  }
}

/** The output of the command, also if its exit code is not 0. */
export function commandAnyway(...parts) {
  if (!existsSync(COMMAND)) throw new Error("first build the command: cargo build --package fourfold-cli");
  return spawnSync(COMMAND, parts, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 30 }).stdout;
}

/** The text of a file that is downloaded by a click. */
export async function downloaded(page, selector) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(selector)]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/**
 * A tsm module: its bytes, without those of long tensors. A node has a name and an operator; inputs are indices of
 * nodes; `ints` and `texts` are params; `<const>` nodes have floats of a shape. The last node is the output.
 */
function moduleHead(nodes) {
  const parts = [];
  const int = (number) => { const bytes = Buffer.alloc(4); bytes.writeInt32LE(number); parts.push(bytes); };
  const text = (bytes) => { int(bytes.length); parts.push(Buffer.from(bytes)); };
  const head = (dtype, shape) => {
    int(1);
    parts.push(Buffer.from([dtype]));
    int(shape.length);
    shape.forEach(int);
  };
  const string = (name, value) => {
    const bytes = Buffer.from(value);
    text(name);
    head(13, [bytes.length]);
    parts.push(bytes);
  };
  const module = nodes.flatMap(({ op }, at) => (op === "<param>" ? [at] : []));
  int(0);
  parts.push(Buffer.from([0x29, 0x09, 0x91, 0x19]), Buffer.alloc(120));
  int(module.length);
  module.forEach(int);
  int(1);
  int(nodes.length - 1);
  int(nodes.length);
  const places = [];
  let [holes, length] = [0, 0];
  let counted = 0;
  for (const { name, op, shape, data, inputs = [], ints = {}, texts = {} } of nodes) {
    const isConst = op === "<const>";
    int(2 + Object.keys(ints).length + Object.keys(texts).length + (isConst ? 1 : 0));
    string("#op", op);
    string("#name", name);
    for (const [param, value] of Object.entries(texts)) string(param, value);
    for (const [param, values] of Object.entries(ints)) {
      text(param);
      head(5, Array.isArray(values[0]) ? [values.length, values[0].length] : [values.length]);
      values.flat().forEach(int);
    }
    if (isConst) {
      text("value");
      head(10, shape);
      for (; counted < parts.length; counted += 1) length += parts[counted].length;
      if (data) {
        parts.push(data);
      } else {
        const hole = shape.reduce((product, size) => product * size, 4);
        places.push({ at: length, hole });
        holes += hole;
      }
    }
    int(inputs.length);
    inputs.forEach(int);
  }
  for (; counted < parts.length; counted += 1) length += parts[counted].length;
  return { bytes: Buffer.concat(parts), places, length: length + holes };
}

function constants(list) { return list.map((one) => ({ ...one, op: "<const>" })); }

export function module(list) { return moduleHead(constants(list)).bytes; }

/** A module of operators, as `moduleHead` describes it. */
export function graphModule(nodes) { return moduleHead(nodes).bytes; }

/** The nodes of an encoder such as BERT's, with at least `count` nodes. */
export function encoder(count) {
  const nodes = [];
  const add = (name, op, ...inputs) => nodes.push({ name, op, inputs, ints: op === "_transpose" ? { permute: [0, 2, 1, 3] } : {} }) - 1;
  const mask = add("mask", "<param>");
  let input = add("bert/embeddings/word", "gather", add("ids", "<param>"));
  for (let layer = 0; nodes.length < count; layer += 1) {
    const at = (name) => `bert/encoder/layer_${layer}/${name}`;
    const heads = (name) => {
      const made = add(at(`attention/${name}/bias`), "add_bias", add(at(`attention/${name}/matmul`), "matmul", input));
      return add(at(`attention/${name}/transpose`), "_transpose", add(at(`attention/${name}/reshape`), "_reshape", made));
    };
    const [query, key, value] = ["query", "key", "value"].map(heads);
    const scaled = add(at("attention/scaled"), "mul", add(at("attention/scores"), "matmul", query, key));
    const weights = add(at("attention/softmax"), "softmax", add(at("attention/masked"), "add", scaled, mask));
    const context = add(at("attention/merge"), "_reshape", add(at("attention/context"), "matmul", weights, value));
    const attended = add(at("attention/norm"), "l2_norm", add(at("attention/sum"), "add", add(at("attention/output"), "matmul", context), input));
    const hidden = add(at("output/gelu"), "tanh", add(at("output/up"), "matmul", attended));
    input = add(at("output/norm"), "l2_norm", add(at("output/sum"), "add", add(at("output/down"), "matmul", hidden), attended));
  }
  add("pooler", "tanh", input);
  return nodes;
}

/** Writes a module of `count` zero tensors of that shape, as a sparse file. */
export function moduleFile(path, count, shape) {
  const { bytes, places, length } = moduleHead(constants(Array.from({ length: count }, (_, at) => ({ name: `w${at}`, shape }))));
  const file = openSync(path, "w");
  let [from, holes] = [0, 0];
  for (const { at, hole } of places) {
    writeSync(file, bytes, from, at - from, from + holes);
    holes += hole;
    from = at;
  }
  writeSync(file, bytes, from, bytes.length - from, from + holes);
  closeSync(file);
  truncateSync(path, length);
  return path;
}

/** A message of Protocol Buffers: fields with their numbers; numbers are varints. */
function message(...fields) {
  const varint = (number) => {
    const bytes = [];
    for (let left = number; ; left = Math.floor(left / 128)) {
      bytes.push(left % 128 + (left >= 128 ? 128 : 0));
      if (left < 128) return Buffer.from(bytes);
    }
  };
  return Buffer.concat(fields.flatMap(([field, value]) => {
    if (typeof value === "number") return [varint(field * 8), varint(value)];
    const bytes = Buffer.from(value);
    return [varint(field * 8 + 2), varint(bytes.length), bytes];
  }));
}

/** A graph of ONNX: nodes with an operator, a name, inputs, outputs and attributes, which are numbers, texts or graphs. */
function onnxGraph({ nodes, inputs = [], outputs }) {
  const attribute = ([name, value]) => {
    if (typeof value === "object") return message([1, name], [6, onnxGraph(value)], [20, 5]);
    if (typeof value === "string") return message([1, name], [4, value], [20, 3]);
    const float = Buffer.alloc(4);
    float.writeFloatLE(value);
    return Buffer.concat([message([1, name], [20, 1]), Buffer.from([2 * 8 + 5]), float]);
  };
  const node = ({ op, name = "", inputs = [], outputs, attributes = {} }) => message(
    ...inputs.map((input) => [1, input]), ...outputs.map((output) => [2, output]), [3, name], [4, op],
    ...Object.entries(attributes).map((one) => [5, attribute(one)]));
  const value = (name) => message([1, name], [2, message([1, message([1, 1])])]);
  return message(
    ...nodes.map((one) => [1, node(one)]), [2, "graph"],
    ...inputs.map((input) => [11, value(input)]), ...outputs.map((output) => [12, value(output)]));
}

/** A model of ONNX with that graph. */
export function onnxModel(graph) { return message([1, 9], [7, onnxGraph(graph)], [8, message([2, 18])]); }
