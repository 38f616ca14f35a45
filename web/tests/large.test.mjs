// Large files: a model of a gibibyte opens at once, what is long can be given up, and only what is in view is drawn.
import assert from "node:assert/strict";
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browse, moduleHead, open, tab, visit } from "./support.mjs";

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

/** Writes a module whose tensors are zeros, which take no room on the disk. */
function sparse(name, constants) {
  const { bytes, places, length } = moduleHead(constants);
  const path = join(folder, name);
  const file = openSync(path, "w");
  let from = 0;
  for (const { at, before: holes } of places) {
    writeSync(file, bytes, from, at - from, from + holes);
    from = at;
  }
  const holes = places.reduce((sum, { hole }) => sum + hole, 0);
  writeSync(file, bytes, from, bytes.length - from, from + holes);
  closeSync(file);
  truncateSync(path, length);
  return { path, length };
}

test("a model of a gibibyte opens in less than two seconds", async () => {
  const constants = Array.from({ length: 16 }, (_, at) => ({ name: `w${at}`, shape: [4096, 4097] }));
  const { path, length } = sparse("large.tsm", constants);
  assert.ok(length > 2 ** 30);
  const begun = performance.now();
  await open(page, path);
  const took = performance.now() - begun;
  console.log(`${length} bytes opened in ${took.toFixed(0)} ms`);
  assert.ok(took < 2000, `${took} ms`);
  assert.match(await page.textContent("#verdict"), /good · module of 16 nodes/);
  assert.match(await page.textContent(".facts"), /bytes of tensors are read once they are asked for/);
  await tab(page, "bytes");
  // The last bytes, which lie behind all tensors.
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

test("work that takes long is given up", async () => {
  const { path } = sparse("one.tsm", [{ name: "w", shape: [65536, 4096] }]);
  await open(page, path);
  await tab(page, "tensors");
  await page.click("#panel-tensors .numbers button");
  await page.waitForFunction(() => /Cancelled/.test(document.querySelector("#panel-tensors .numbers")?.textContent ?? ""));
  // The page goes on with a worker that has opened the file again.
  await tab(page, "bytes");
  assert.ok((await page.locator("#parts .part").count()) > 5);
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});

test("of many parts only those in view are drawn, and all can be reached", async () => {
  // An array of biniou: more numbers than a page has rows.
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
  assert.equal(await page.textContent("#panel-bytes #summary"), "1,200,003 parts, 0 faults");
  await page.focus("#parts");
  await page.keyboard.press("End");
  const last = await page.textContent("#parts .part.marked .place");
  // What there is no room for follows.
  await page.click("#go-on");
  await page.waitForSelector("#from-start");
  await page.focus("#parts");
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.querySelector("#parts .part.marked .place")?.textContent === "[1199999]");
  assert.notEqual(last, "[1199999]");
  // Bytes are found in all of the file.
  await page.selectOption("#find-kind", "hex");
  await page.fill("#find", bytes.slice(1_150_000, 1_150_300).reduce((text, byte) => text + byte.toString(16).padStart(2, "0"), ""));
  await page.waitForFunction(() => / of /.test(document.getElementById("found").textContent));
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});
