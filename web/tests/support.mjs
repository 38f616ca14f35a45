// A browser with the web viewer.
import { execFileSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
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

/** Opens files: paths, or names with bytes. */
export async function open(page, files) {
  const taken = [files].flat().map((file) =>
    (typeof file === "string" ? file : { name: file.name, mimeType: "", buffer: Buffer.from(file.bytes) }));
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

/** The text of a file that is downloaded by a click. */
export async function downloaded(page, selector) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(selector)]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** A tsm module with one constant of floats for each name: its bytes, without those of long tensors. */
function moduleHead(constants) {
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
  int(0);
  parts.push(Buffer.from([0x29, 0x09, 0x91, 0x19]), Buffer.alloc(120));
  int(0);
  int(1);
  int(0);
  int(constants.length);
  const places = [];
  let holes = 0;
  for (const { name, shape, data } of constants) {
    int(3);
    string("#op", "<const>");
    string("#name", name);
    text("value");
    head(10, shape);
    const here = parts.reduce((sum, part) => sum + part.length, 0);
    if (data) {
      parts.push(data);
    } else {
      const length = shape.reduce((product, size) => product * size, 4);
      places.push({ at: here, hole: length });
      holes += length;
    }
    int(0);
  }
  return { bytes: Buffer.concat(parts), places, length: parts.reduce((sum, part) => sum + part.length, 0) + holes };
}

export function module(constants) { return moduleHead(constants).bytes; }

/** Writes a module of `count` zero tensors of that shape, as a sparse file. */
export function moduleFile(path, count, shape) {
  const { bytes, places, length } = moduleHead(Array.from({ length: count }, (_, at) => ({ name: `w${at}`, shape })));
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
