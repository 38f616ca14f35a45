// Large files: of a model, tensors are read when needed, long work can be cancelled, and only what is in view is rendered.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browse, command, downloaded, module, moduleFile, open, tab, visit } from "./support.mjs";

let browser;
let page;
let folder;
before(async () => {
  browser = await browse();
  page = await visit(browser);
  folder = mkdtempSync(join(tmpdir(), "fourfold-web-"));
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

test("a model of a gibibyte opens without reading its tensors", async () => {
  const path = moduleFile(join(folder, "large.tsm"), 16, [4096, 4097]);
  const length = statSync(path).size;
  assert.ok(length > 2 ** 30);
  await open(page, path);
  assert.match(await page.textContent("#verdict"), /good · module of 16 nodes/);
  const [, left] = /([\d,]+) bytes of tensors are read when needed/.exec(await page.textContent(".facts"));
  assert.ok(Number(left.replaceAll(",", "")) > 2 ** 30, left);
  await tab(page, "bytes");
  // The last bytes, after all tensors.
  await page.focus("#bytes");
  await page.keyboard.press("End");
  await page.waitForFunction((at) => location.hash === `#b${at}`, length - 1);
  await page.waitForFunction(() => document.querySelector("#bytes b.marked")?.textContent.trim() === "00");
  await tab(page, "tensors");
  await page.waitForSelector(".statistics");
  assert.match(await page.textContent(".statistics"), /Zeros16,781,312/);
  assert.ok((await page.locator("*").count()) < 3000);
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});

test("ranges that are read later are read correctly", async () => {
  // Different numbers, in tensors that are not read when the file is opened.
  const data = (seed) => Buffer.from(Float32Array.from({ length: 150_000 }, (_, at) => Math.sin(at * seed)).buffer);
  const constants = [1.5, 2.5].map((seed) => ({ name: `w${seed}`, shape: [300, 500], data: data(seed) }));
  const path = join(folder, "late.tsm");
  writeFileSync(path, module(constants));
  await open(page, path);
  assert.match(await page.textContent(".facts"), /1,200,000 bytes of tensors are read when needed/);
  assert.equal((await page.textContent("#report")).trimEnd(), command("info", path).replace(path, "late.tsm").trimEnd());
  // Downloads before and after the rest was read.
  const made = join(folder, "made");
  for (const ending of ["safetensors", "npz", "safetensors"]) {
    const { bytes } = await downloaded(page, `.downloads button:has-text('${ending}')`);
    command("convert", path, `${made}.${ending}`);
    assert.ok(bytes.equals(readFileSync(`${made}.${ending}`)), ending);
  }
  const { bytes } = await downloaded(page, ".downloads button:has-text('JSON')");
  assert.equal(bytes.toString(), command("dump", "--json", path));
  // safetensors are read later, too.
  await page.click("#close-file");
  await open(page, `${made}.safetensors`);
  assert.match(await page.textContent(".facts"), /1,200,000 bytes of tensors are read when needed/);
  const npz = await downloaded(page, ".downloads button:has-text('npz')");
  command("convert", `${made}.safetensors`, `${made}.npz`);
  assert.ok(npz.bytes.equals(readFileSync(`${made}.npz`)));
  await page.click("#close-file");
  await open(page, path);
  await tab(page, "bytes");
  await page.focus("#bytes");
  await page.keyboard.press("End");
  const parts = command("explain", "--json", path).trimEnd().split("\n").length;
  assert.equal(await page.textContent("#panel-bytes #summary"), `${parts} parts, 0 errors`);
  // One that differs in a number.
  const other = [constants[0], { ...constants[1], data: data(2.5).fill(0, 4000, 4004) }];
  await tab(page, "compare");
  await page.setInputFiles("#panel-compare input[type=file]", { name: "other.tsm", mimeType: "", buffer: module(other) });
  await page.waitForSelector("#differences .difference");
  assert.equal(await page.textContent("#diff-count"), "1 difference");
  assert.match(await page.textContent("#differences"), /w2\.5/);
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});

test("long work is cancelled", async () => {
  const path = moduleFile(join(folder, "one.tsm"), 1, [65536, 4096]);
  await open(page, path);
  await tab(page, "tensors");
  await page.click("#panel-tensors .numbers button");
  await page.waitForFunction(() => /Cancelled/.test(document.querySelector("#panel-tensors .numbers")?.textContent ?? ""));
  // The viewer continues with a new worker, which has opened the file again.
  await tab(page, "bytes");
  assert.ok((await page.locator("#parts .part").count()) > 5);
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});

test("of many parts only those in view are rendered, and all can be reached", async () => {
  // A biniou array with more numbers than the maximum number of rows.
  const count = 1_200_000;
  const head = [19];
  for (let rest = count; ; rest = Math.floor(rest / 128)) {
    head.push(rest >= 128 ? (rest % 128) | 128 : rest);
    if (rest < 128) break;
  }
  const bytes = new Uint8Array(head.length + 1 + count);
  bytes.set([...head, 1]);
  for (let at = 0; at < count; at += 1) bytes[head.length + 1 + at] = at % 251;
  const path = join(folder, "many.biniou");
  writeFileSync(path, bytes);
  await open(page, path);
  await tab(page, "bytes");
  assert.ok((await page.locator("#parts .part").count()) < 100);
  assert.equal(await page.textContent("#panel-bytes #summary"), "1,200,003 parts, 0 errors");
  await page.focus("#parts");
  await page.keyboard.press("End");
  const last = await page.textContent("#parts .part.marked .place");
  // The remaining rows follow.
  await page.click("#go-on");
  await page.waitForSelector("#from-start");
  await page.focus("#parts");
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.querySelector("#parts .part.marked .place")?.textContent === "[1199999]");
  assert.notEqual(last, "[1199999]");
  // Bytes are searched in the whole file.
  await page.selectOption("#find-kind", "hex");
  await page.fill("#find", bytes.slice(1_150_000, 1_150_300).reduce((text, byte) => text + byte.toString(16).padStart(2, "0"), ""));
  await page.waitForFunction(() => / of /.test(document.getElementById("found").textContent));
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});
