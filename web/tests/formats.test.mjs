// For each format and each folder of fixtures: the viewer shows what the command prints.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { browse, bytesOf, command, downloaded, fixture, open, tab, visit } from "./support.mjs";

let browser;
let page;
before(async () => {
  browser = await browse();
  page = await visit(browser);
});
after(() => browser.close());

/** The files of a folder, without those that describe others. */
function files(folder) {
  const names = readdirSync(fixture(folder), { withFileTypes: true });
  const described = /\.(json|txt|md|error|atd|mol|py|sh|rs|expected|hex)$/;
  return names.filter((it) => it.isFile() && !described.test(it.name) && it.name !== "SHA256SUMS").map(({ name }) => `${folder}/${name}`);
}

/** `count` files, spread over the list. */
function some(list, count) {
  const step = Math.max(Math.floor(list.length / count), 1);
  return list.filter((_, at) => at % step === 0).slice(0, count);
}

const folders = readdirSync(fixture("."), { withFileTypes: true })
  .filter((format) => format.isDirectory())
  .flatMap(({ name }) => readdirSync(fixture(name), { withFileTypes: true })
    .filter((folder) => folder.isDirectory())
    .map((folder) => `${name}/${folder.name}`));

const taken = folders.map((folder) => [folder, some(files(folder), 3)]).filter(([, list]) => list.length > 0);

test("there are fixtures of all formats", () => {
  for (const format of ["biniou", "molecule", "primitiv", "tsm"]) {
    assert.ok(taken.some(([folder]) => folder.startsWith(format)), format);
  }
});

for (const [folder, list] of taken) {
  test(`${folder}: reports and parts are those of the command`, async () => {
    for (const path of list) {
      await open(page, fixture(path));
      const report = command("info", fixture(path));
      const shown = (await page.locator("#report").count()) > 0 ? await page.textContent("#report") : null;
      const name = fixture(path);
      // The hints of the command name its options.
      const expected = report?.replace(name, name.slice(name.lastIndexOf("/") + 1)).replace(/(without a schema[^;]*); .*/, "$1").trimEnd();
      if (report !== null) assert.equal(shown?.trimEnd(), expected, path);
      await tab(page, "bytes");
      const explained = command("explain", "--json", fixture(path));
      if (explained !== null && (await page.textContent(".facts dd")) !== "unknown") {
        const parts = explained.trimEnd().split("\n").length;
        const summary = await page.textContent("#panel-bytes #summary");
        assert.equal(summary, `${parts.toLocaleString("en")} ${parts === 1 ? "part" : "parts"}, 0 errors`, path);
      }
      await page.click("#close-file");
    }
    assert.deepEqual(page.complaints, []);
  });
}

test("a schema can be opened where it has a use, with one button", async () => {
  const buttons = async (...files) => {
    await open(page, files);
    return page.locator("#panel-overview .facts .opener").allInnerTexts();
  };
  for (const path of ["tsm/good/minimal.tsm", "primitiv/saved/m_names.model"]) assert.deepEqual(await buttons(fixture(path)), []);
  assert.deepEqual(await buttons(new URL("../../onnx/tests/fixtures/small.onnx", import.meta.url).pathname), []);
  assert.deepEqual(await buttons(fixture("biniou/data/save.players-ten.biniou")), ["Names or types from a file …"]);
  assert.deepEqual(await buttons(fixture("molecule/blocks/block-40.bin")), ["Open a schema …"]);
  assert.deepEqual(await buttons({ name: "x", bytes: [0xff, 0xfe, 0xfd] }), ["Names or types from a file …"]);
  // A schema of another format can be replaced.
  assert.deepEqual(await buttons(fixture("tsm/good/minimal.tsm"), fixture("biniou/schemas/save.atd")), ["Names or types from a file …"]);
  await page.click("#close-file");
});

test("JSON is what the command dumps", async () => {
  for (const path of ["tsm/good/cnn_small.tsm", "biniou/data/save.players-ten.biniou", "primitiv/saved/m_names.model"]) {
    await open(page, fixture(path));
    const { name, bytes } = await downloaded(page, ".downloads button:has-text('JSON')");
    assert.ok(name.endsWith(".json"), name);
    assert.equal(bytes.toString(), command("dump", "--json", fixture(path)), path);
    await tab(page, "json");
    assert.equal((await page.textContent("#json-lines .line")).trim(), "{");
    await page.click("#close-file");
  }
});

test("packages show the report and JSON of the command", async () => {
  for (const path of ["sta/small.sta", "sta/recognizer.sta", "sta/types.sta"]) {
    await open(page, fixture(path));
    assert.deepEqual(await page.locator("[role=tab]").allTextContents(), ["Overview", "Bytes", "JSON"]);
    assert.match(await page.textContent("#verdict"), /^good · package, dict$/);
    const report = command("info", fixture(path)).replace(fixture(path), path.slice(4)).replace(/; `fourfold convert .*/, "");
    assert.equal((await page.textContent("#report")).trimEnd(), report.trimEnd());
    const { bytes } = await downloaded(page, ".downloads button:has-text('JSON')");
    assert.equal(bytes.toString(), command("dump", "--json", fixture(path)), path);
    await page.click("#close-file");
  }
  // A damaged module does not hide the rest, and a damaged package has its byte.
  const whole = readFileSync(fixture("sta/recognizer.sta"));
  const damaged = Buffer.from(whole);
  // The count of inputs, after the header of 128 bytes, whose code is at byte 4.
  const inputs = whole.lastIndexOf(Buffer.from([0x29, 0x09, 0x91, 0x19])) + 124;
  damaged.fill(0xff, inputs, inputs + 4);
  await open(page, { name: "module.sta", bytes: damaged });
  assert.match(await page.textContent("#report"), /backbone\.tsm +binary +265 bytes: damaged tsm module: /);
  assert.match(await page.textContent(".facts"), /backbone\.tsm: damaged tsm module: /);
  await page.click("#close-file");
  await open(page, { name: "cut.sta", bytes: whole.subarray(0, 600) });
  assert.match(await page.textContent("#verdict"), /^damaged: 2 items need at least 12 bytes, 5 left in global\.similarity at byte 591/);
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});

test("schemas give names and types", async () => {
  const [block, schema] = ["molecule/blocks/block-40.bin", "molecule/schemas/blockchain.mol"].map(fixture);
  await open(page, block);
  assert.match(await page.textContent(".facts"), /molecule/);
  // Without types there is no JSON.
  assert.deepEqual(await page.locator("[role=tab]").allTextContents(), ["Overview", "Bytes", "Compare"]);
  // Added to the open file.
  await page.setInputFiles(".actions input[type=file]", schema);
  await page.waitForSelector("#type");
  await page.selectOption("#type", "Block");
  await page.waitForFunction(() => document.getElementById("type")?.value === "Block");
  await tab(page, "bytes");
  assert.match(await page.textContent("#parts"), /header/);
  await tab(page, "json");
  assert.match(await page.textContent("#json-lines"), /"transactions_root"/);
  // A type that does not match.
  await tab(page, "overview");
  await page.selectOption("#type", "Transaction");
  await page.waitForSelector("#verdict .error");
  await page.click("#close-file");

  await open(page, ["biniou/data/save.players-ten.biniou", "biniou/schemas/save.atd"].map(fixture));
  assert.equal(await page.inputValue("#type"), "players");
  await tab(page, "bytes");
  assert.match(await page.textContent("#parts"), /players/);
  // An error in a schema shows its line.
  await page.setInputFiles(".actions input[type=file]", { name: "bad.mol", mimeType: "", buffer: Buffer.from("table {") });
  await page.waitForSelector(".message.error");
  assert.match(await page.textContent(".message.error"), /bad\.mol: .* line 1/);
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});

test("tensors are converted as the command does it", async () => {
  const path = fixture("tsm/good/cnn_small.tsm");
  await open(page, path);
  const { bytes } = await downloaded(page, ".downloads button:has-text('safetensors')");
  await page.click("#close-file");
  // The result is opened again, and has the same content.
  await open(page, { name: "made.safetensors", bytes });
  assert.match(await page.textContent(".facts dd"), /safetensors/);
  const npz = await downloaded(page, ".downloads button:has-text('npz')");
  await tab(page, "compare");
  await page.setInputFiles("#panel-compare input[type=file]", path);
  await page.waitForSelector("#diff-count");
  const differences = await page.textContent("#diff-count");
  assert.equal(differences, "No differences.");
  await page.setInputFiles("#panel-compare input[type=file]", { name: "made.npz", mimeType: "", buffer: npz.bytes });
  await page.waitForFunction(() => document.getElementById("diff-count")?.textContent === "No differences.");
  await page.click("#close-file");
  // Elements that would become other numbers are refused.
  await open(page, fixture("tsm/good/dtypes_matrix.tsm"));
  await page.click(".downloads button:has-text('npz')");
  await page.waitForSelector("#panel-overview p.error");
  const refused = await page.textContent("#panel-overview p.error");
  assert.match(refused, /npz has no sink8q1: as int8, 0\.5 would become 1, in t\d+/);
  assert.doesNotMatch(refused, /--/);
  await page.click("#close-file");
  await open(page, fixture("primitiv/saved/z_digits_momentum.model"));
  const primitiv = await downloaded(page, ".downloads button:has-text('safetensors')");
  await page.click("#close-file");
  await open(page, { name: "made.safetensors", bytes: primitiv.bytes });
  await tab(page, "tensors");
  assert.ok((await page.locator("#tensors .tensor").count()) > 2);
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});

test("the graph is drawn, its nodes are found and described", async () => {
  await open(page, fixture("tsm/good/cnn_small.tsm"));
  await tab(page, "graph");
  await page.focus("#stage");
  await page.keyboard.press("0");
  await page.waitForFunction(() => document.querySelectorAll("#stage [role=option]").length === 17);
  await page.fill("#find-node", "fc1");
  await page.waitForFunction(() => document.querySelector("#node h3")?.textContent === "fc1");
  assert.match(await page.textContent("#node"), /inner_prod/);
  assert.equal(await page.locator("#stage .chosen").count(), 1);
  // Its weight links to the tensor.
  await page.click("#node .params button.link >> nth=0");
  await page.waitForSelector("#tensors .marked");
  assert.match(await page.textContent("#panel-tensors .panel h3"), /fc1/);
  // A part of the graph.
  await tab(page, "graph");
  await page.click(".part-of summary");
  await page.fill("#around", "fc1");
  await page.fill("#steps", "1");
  await page.click("#draw");
  await page.waitForFunction(() => document.querySelectorAll("#stage [role=option]").length === 3);
  // Hovering over a box shows its details.
  await page.hover("#stage #box0 .box");
  await page.waitForFunction(() => document.querySelector("#node h3")?.textContent === "flatten");
  const { bytes } = await downloaded(page, "#save-svg");
  assert.match(bytes.toString(), /^<svg /);
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});

test("a tensor has statistics", async () => {
  const floats = new Float32Array([1, 2, NaN, 3, Infinity, 0]);
  const { module } = await import("./support.mjs");
  const bytes = module([{ name: "w", shape: [6], data: Buffer.from(floats.buffer) }]);
  await open(page, { name: "w.tsm", bytes });
  await tab(page, "tensors");
  await page.waitForSelector(".statistics");
  const text = await page.textContent(".statistics");
  for (const part of ["Numbers6", "Minimum0", "Maximum3", "Mean1.5", "Zeros1", "NaN1", "+∞1"]) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
  const bars = await page.locator(".histogram .bar").evaluateAll((all) => all.filter((bar) => bar.getAttribute("height") > 0).length);
  assert.equal(bars, 4);
  await page.click("#close-file");
});

test("differences are listed by path", async () => {
  const bytes = bytesOf("tsm/good/cnn_small.tsm");
  await open(page, fixture("tsm/good/cnn_small.tsm"));
  const changed = bytes.slice();
  // In the elements of the first tensor.
  changed[360] ^= 1;
  await tab(page, "compare");
  await page.setInputFiles("#panel-compare input[type=file]", { name: "changed.tsm", mimeType: "", buffer: Buffer.from(changed) });
  await page.waitForSelector("#differences .difference");
  assert.equal(await page.textContent("#diff-count"), "1 difference");
  assert.match(await page.textContent("#differences"), /block0\.conv/);
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});
