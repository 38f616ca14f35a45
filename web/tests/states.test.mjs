// Actions during other work, and after cancelling: results are never shown in the wrong place.
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, afterEach, test } from "node:test";
import { browse, bytesOf, fixture, fresh, moduleFile, open, tab, visit } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "fourfold-states-"));
let browser;
let page;
before(async () => {
  browser = await browse();
  page = await visit(browser);
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => fresh(page));
afterEach(() => assert.deepEqual(page.complaints, []));

const OPEN = ".actions input[type=file]";
const given = (name, bytes) => ({ name, mimeType: "", buffer: Buffer.from(bytes) });

/** Delays the reading of files until `release`. */
function delay() {
  return page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    const delayed = [];
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message.call === "open") delayed.push(() => post.call(this, message, ...rest));
      else post.call(this, message, ...rest);
    };
    window.release = () => {
      Worker.prototype.postMessage = post;
      delayed.forEach((go) => go());
    };
  });
}

const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent);

test("reading a file can be cancelled after changing the language", async () => {
  await delay();
  await page.setInputFiles(OPEN, fixture("tsm/good/mlp.tsm"));
  await page.waitForSelector("#cancel");
  await page.click("#language");
  assert.match(await page.textContent("#reading"), /正在读取 mlp\.tsm/);
  await page.focus("#cancel");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".empty");
  assert.equal(await page.textContent(".message"), "已取消。");
  assert.equal(await focused(), "打开…");
});

test("a schema added while a file is read is used for that file", async () => {
  await delay();
  await page.setInputFiles(OPEN, fixture("biniou/data/save.players-ten.biniou"));
  await page.waitForSelector("#cancel");
  await page.setInputFiles(OPEN, given("SAVE.ATD", bytesOf("biniou/schemas/save.atd")));
  await page.evaluate(() => window.release());
  await page.waitForSelector("#type");
  assert.match(await page.title(), /^save\.players-ten\.biniou/);
  assert.equal(await page.inputValue("#type"), "players");
  // Choosing a type keeps the focus.
  await page.focus("#type");
  await page.selectOption("#type", "player");
  await page.waitForSelector("#verdict .error");
  assert.equal(await focused(), "type");
  await page.focus("#close-file");
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "Open …");
});

test("a schema that is given before its file is used for the next file", async () => {
  await page.setInputFiles(OPEN, fixture("biniou/schemas/log.atd"));
  await page.waitForSelector("#waiting");
  assert.equal(await page.textContent("#waiting p"), "log.atd will be used for the next file that is opened.");
  await page.click("#waiting button");
  assert.equal(await page.isVisible("#waiting"), false);
  await page.setInputFiles(OPEN, fixture("biniou/schemas/log.atd"));
  await page.waitForSelector("#waiting");
  await open(page, fixture("biniou/data/log.logs-hundred.biniou"));
  assert.equal(await page.inputValue("#type"), "logs");
  assert.equal(await page.textContent("#schema"), "Names and types come from log.atd.");
});

test("the first type that fits is selected, and the others are listed", async () => {
  for (const [data, schema, fitting] of [
    ["log.log_list-three", "log", ["log_list", "log_table"]],
    ["mesh.mesh-fifty", "mesh", ["mesh", "mesh_array"]],
  ]) {
    await open(page, [fixture(`biniou/data/${data}.biniou`), fixture(`biniou/schemas/${schema}.atd`)]);
    assert.match(await page.textContent("#verdict"), /^good/);
    assert.equal(await page.inputValue("#type"), fitting[0]);
    assert.deepEqual(await page.locator("#type optgroup").first().locator("option").allTextContents(), fitting);
    assert.equal(await page.textContent("#type-note"), `2 types fit; ${fitting[0]} is the first of them.`);
    await tab(page, "json");
    await tab(page, "overview");
    await page.selectOption("#type", fitting[1]);
    await page.waitForFunction((name) => document.querySelector("#type")?.value === name && !document.querySelector("#type-note"), fitting[1]);
  }
});

test("a file that no type fits keeps its format, names and JSON", async () => {
  const schema = Buffer.from(bytesOf("biniou/schemas/log.atd")).toString().replace("code : int", "code : string");
  await open(page, [
    { name: "log.biniou", bytes: bytesOf("biniou/data/log.log_list-three.biniou") },
    { name: "log.atd", bytes: Buffer.from(schema) },
  ]);
  assert.match(await page.textContent("#verdict"), /^does not fit the schema: .* in \[0\]\.code at byte \d+/);
  assert.match(await page.textContent("#type-note"), /^No type of the schema fits.* log_list fits best\.$/);
  assert.equal(await page.textContent(".facts dd"), "biniou");
  await page.click("#show-byte");
  await page.waitForSelector(".part");
  await tab(page, "json");
  assert.match(await page.textContent("#json-lines"), /"request"/);
  // A file of another format is shown as without the schema.
  await open(page, [fixture("tsm/good/mlp.tsm"), fixture("biniou/schemas/log.atd")]);
  assert.match(await page.textContent("#verdict"), /^good/);
  assert.equal(await page.textContent("#type-note"), "The schema is for biniou, and this file can be read as tsm.");
  await tab(page, "graph");
  await tab(page, "tensors");
});

test("Molecule without a schema is neither good nor damaged", async () => {
  const bytes = bytesOf("molecule/blocks/block-40.bin");
  bytes[420] ^= 1;
  for (const file of [fixture("molecule/blocks/block-40.bin"), { name: "damaged.molecule", bytes }]) {
    await open(page, file);
    assert.equal(await page.textContent("#verdict strong"), "cannot be checked without a schema");
    assert.equal(await page.getAttribute("#verdict strong", "class"), "neutral");
    assert.doesNotMatch(await page.textContent("#report"), /--/);
  }
  await page.setInputFiles("#verdict input[type=file]", fixture("molecule/schemas/blockchain.mol"));
  await page.waitForSelector("#type");
  assert.match(await page.textContent("#verdict"), /at byte \d+/);
});

test("a file is opened together with a schema that cannot be read", async () => {
  const schema = { name: "bad.mol", bytes: Buffer.from("struct A {") };
  await open(page, [{ name: "mlp.tsm", bytes: bytesOf("tsm/good/mlp.tsm") }, schema]);
  assert.match(await page.textContent(".message.error"), /^bad\.mol: Error: .* at line 1/);
  assert.match(await page.textContent("#verdict"), /^good/);
});

test("cancelled work can be tried again", async () => {
  await open(page, moduleFile(join(folder, "large.tsm"), 4, [8192, 4096]));
  await tab(page, "compare");
  await page.click("#tab-json");
  await page.focus("#panel-json .work button");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#panel-json .again");
  assert.equal(await focused(), "Try again");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#json-lines .line", { timeout: 60_000 });
});

test("no statistics are computed for tensors that are passed over", async () => {
  await open(page, moduleFile(join(folder, "many.tsm"), 12, [64, 64]));
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    window.requested = [];
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message.call === "numbers") window.requested.push(message.index);
      post.call(this, message, ...rest);
    };
  });
  await page.click("#tab-tensors");
  await page.waitForSelector("#tensors .marked");
  await page.waitForSelector("#panel-tensors .statistics");
  await page.evaluate(() => {
    for (let step = 0; step < 10; step += 1) {
      document.getElementById("tensors").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
    }
  });
  await page.waitForFunction(() => document.querySelector("#panel-tensors h3").textContent === "w10" && document.querySelector(".statistics"));
  const requested = await page.evaluate(() => window.requested);
  assert.equal(requested.at(-1), 10);
  assert.ok(requested.length <= 3, String(requested));
});

test("a file that is too long is not compared", async () => {
  const path = join(folder, "long.tsm");
  copyFileSync(fixture("tsm/good/mlp.tsm"), path);
  // The lower 32 bits of its length are those of the other file.
  truncateSync(path, 2 ** 32 + statSync(path).size);
  await open(page, fixture("tsm/good/mlp.tsm"));
  await tab(page, "compare");
  await page.setInputFiles("#panel-compare input[type=file]", path);
  await page.waitForSelector("#panel-compare .error, #diff-count");
  assert.match(await page.textContent("#panel-compare"), /too large/);
  assert.equal(await page.locator("#diff-count").count(), 0);
});

test("the memory of compared files is given back", async () => {
  const path = join(folder, "large.biniou");
  writeFileSync(path, Buffer.from([19]));
  // Two of them are more than a worker loads.
  truncateSync(path, 140 << 20);
  await page.evaluate(() => {
    const Own = window.Worker;
    window.workers = 0;
    window.Worker = class extends Own {
      constructor(...given) {
        super(...given);
        window.workers += 1;
      }
    };
  });
  await open(page, fixture("tsm/good/mlp.tsm"));
  await tab(page, "compare");
  for (const workers of [1, 2, 3]) {
    await page.setInputFiles("#panel-compare input[type=file]", path);
    await page.waitForSelector("#panel-compare .error", { timeout: 60_000 });
    assert.doesNotMatch(await page.textContent("#panel-compare"), /too large/);
    assert.equal(await page.evaluate(() => window.workers), workers);
  }
});

test("closing a file stops its search", async () => {
  const path = join(folder, "needle.biniou");
  writeFileSync(path, Buffer.from([19]));
  truncateSync(path, 20 << 20);
  writeFileSync(path, "NEEDLE", { flag: "a" });
  await open(page, path);
  await tab(page, "bytes");
  // Each piece of the file takes a while.
  await page.evaluate(() => {
    const { arrayBuffer } = Blob.prototype;
    window.pieces = 0;
    Blob.prototype.arrayBuffer = async function () {
      window.pieces += 1;
      await new Promise((go) => setTimeout(go, 50));
      return arrayBuffer.call(this);
    };
  });
  await page.selectOption("#find-kind", "text");
  await page.fill("#find", "NEEDLE");
  await page.waitForFunction(() => document.getElementById("found").textContent.includes("…"));
  const before = await page.evaluate(() => {
    document.getElementById("close-file").click();
    return window.pieces;
  });
  const isQuiet = () => {
    const { pieces, last } = window;
    window.last = pieces;
    return pieces === last;
  };
  await page.waitForFunction(isQuiet, undefined, { polling: 300 });
  assert.ok((await page.evaluate(() => window.pieces)) <= before + 1);
  assert.equal(await page.evaluate(() => location.hash), "");
});

test("addresses after the end select the last byte", async () => {
  const count = 1_200_000;
  const bytes = Buffer.alloc(5 + count, 7);
  bytes.set([19, 0x80 | (count & 127), 0x80 | ((count >> 7) & 127), count >> 14, 1]);
  await open(page, { name: "many.biniou", bytes });
  await tab(page, "bytes");
  // The lower 32 bits of this one are an offset in the file.
  await page.evaluate(() => { location.hash = `#b${2 ** 32 + 5}`; });
  await page.waitForSelector(`#bytes b.marked[data-at='${bytes.length - 1}']`);
  await page.evaluate(() => { location.hash = `#path=${encodeURIComponent("\u202egnp".repeat(1000))}`; });
  await page.waitForFunction(() => document.getElementById("status").textContent.startsWith("no part has the path"));
  const status = await page.textContent("#status");
  assert.ok(status.length < 600 && !status.includes("\u202e"), status);
});

test("nothing is found in a deleted file", async () => {
  const path = join(folder, "gone.tsm");
  copyFileSync(fixture("tsm/good/mlp.tsm"), path);
  await open(page, path);
  await tab(page, "bytes");
  unlinkSync(path);
  await page.selectOption("#find-kind", "text");
  await page.fill("#find", "mlp");
  await page.waitForFunction(() => document.getElementById("found").textContent === "not found");
});

test("a file without tensors has no tensors view", async () => {
  for (const [path, has] of [
    ["primitiv/saved/o_any_0.optimizer", false],
    ["tsm/good/chain.tsm", false],
    ["tsm/good/cnn_small.tsm", true],
  ]) {
    await open(page, fixture(path));
    assert.equal(await page.locator("#tab-tensors").count(), has ? 1 : 0, path);
  }
});
