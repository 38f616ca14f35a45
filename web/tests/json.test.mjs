// JSON: folding, search, and the same numbers as the command prints.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browse, command, downloaded, fixture, open, tab, visit } from "./support.mjs";

let browser;
let page;
before(async () => {
  browser = await browse();
  page = await visit(browser);
});
after(() => browser.close());

function lines() { return page.$$eval("#json-lines .line", (all) => all.map((line) => line.textContent)); }

function marked() { return page.textContent("#json-lines .line.marked"); }

/** Waits for the number of a hit. */
async function hits(text) {
  await page.waitForFunction((wanted) => document.getElementById("json-hits")?.textContent === wanted, text);
}

test("search goes from hit to hit, and shows the number of each", async () => {
  const path = fixture("tsm/good/cnn_small.tsm");
  await open(page, path);
  await tab(page, "json");
  const text = command("dump", "--json", path);
  const count = text.match(/weight/gi).length;
  await page.fill("#find-json", "WEIGHT");
  await hits(`1 of ${count}`);
  assert.match(await marked(), /weight/);
  assert.equal(await page.textContent("#json-lines b.found"), "weight");
  await page.press("#find-json", "Enter");
  await hits(`2 of ${count}`);
  await page.press("#find-json", "Shift+Enter");
  await page.press("#find-json", "Shift+Enter");
  await hits(`${count} of ${count}`);
  await page.click("#json-next");
  await hits(`1 of ${count}`);
  // Several hits on one line.
  const dots = text.match(/\./g).length;
  await page.fill("#find-json", ".");
  await hits(`1 of ${dots}`);
  await page.fill("#find-json", "no such text");
  await hits("not found");
  await page.fill("#find-json", "");
  await hits("");
  await page.click("#close-file");
});

test("objects and lists are folded, and opened by search", async () => {
  await open(page, fixture("tsm/good/cnn_small.tsm"));
  await tab(page, "json");
  const before = await lines();
  await page.click("#fold-all");
  await page.waitForFunction(() => [...document.querySelectorAll("#json-lines .line")].some((line) => line.textContent.includes(" … ")));
  const folded = await lines();
  assert.ok(folded.length < before.length);
  assert.equal(folded[0], "{");
  assert.ok(folded.some((line) => /"graph": \[ … \]$|"graph": \[ … \],$/.test(line)), folded.join("\n"));
  // A hit inside of folded lines.
  await page.fill("#find-json", "block1.conv");
  await page.waitForFunction(() => /block1\.conv/.test(document.querySelector("#json-lines .line.marked")?.textContent ?? ""));
  await page.click("#unfold-all");
  // With the keyboard.
  await page.focus("#json-lines");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelectorAll("#json-lines .line").length === 1);
  assert.equal(await page.getAttribute("#json-lines .line", "aria-expanded"), "false");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelectorAll("#json-lines .line").length > 1);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelector("#json-lines .marked")?.id === "json1");
  assert.equal(await page.getAttribute("#json-lines .marked", "aria-level"), "2");
  // With the pointer.
  await page.click("#json0 .sign");
  await page.waitForFunction(() => document.querySelectorAll("#json-lines .line").length === 1);
  await page.click("#json0 .folded");
  await page.waitForFunction(() => document.querySelectorAll("#json-lines .line").length > 1);
  await page.click("#close-file");
});

test("numbers of Molecule are what the command dumps", async () => {
  const [block, schema] = ["molecule/blocks/block-40.bin", "molecule/schemas/blockchain.mol"].map(fixture);
  await open(page, [block, schema]);
  await page.selectOption("#type", "Block");
  await page.waitForFunction(() => document.getElementById("type")?.value === "Block" && document.querySelector(".downloads"));
  const { bytes } = await downloaded(page, ".downloads button:has-text('JSON')");
  const dumped = command("dump", "--json", "--schema", schema, "--type", "Block", block);
  assert.equal(bytes.toString(), dumped);
  await tab(page, "json");
  const number = /"version": \d+/.exec(dumped)[0];
  await page.fill("#find-json", number);
  await page.waitForSelector("#json-lines b.found");
  assert.ok((await marked()).includes(number));
  await page.click("#close-file");
});

test("millions of lines are searched and folded at once", async () => {
  // A biniou array of records.
  const count = 100_000;
  const head = [19];
  for (let rest = count; ; rest = Math.floor(rest / 128)) {
    head.push(rest >= 128 ? (rest % 128) | 128 : rest);
    if (rest < 128) break;
  }
  // Strings of 100 letters, each on its own line.
  const item = Buffer.concat([Buffer.from([100]), Buffer.alloc(99, 0x61), Buffer.from("z")]);
  const bytes = Buffer.concat([Buffer.from(head), Buffer.from([18]), Buffer.alloc(count * item.length, item)]);
  await open(page, { name: "many.biniou", bytes });
  await tab(page, "json");
  const begun = performance.now();
  await page.fill("#find-json", 'z"');
  await hits("1 of 100000+");
  console.log(`100,000 hits after ${(performance.now() - begun).toFixed(0)} ms`);
  await page.press("#find-json", "Shift+Enter");
  await hits("100000 of 100000+");
  const height = () => page.evaluate(() => document.getElementById("json-lines").scrollHeight);
  assert.ok((await height()) > 100_000);
  await page.click("#fold-all");
  // The outermost bracket stays open.
  await page.focus("#json-lines");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.getElementById("json-lines").scrollHeight < 10_000);
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});
