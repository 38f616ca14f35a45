// Tensors: their elements in slices and forms, the list, and downloads.
import assert from "node:assert/strict";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browse, command, downloaded, moduleFile, open, tab, visit } from "./support.mjs";

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

/** The header of safetensors for tensors `{ dtype, shape, length }` by name. */
function header(tensors) {
  let at = 0;
  const entries = Object.entries(tensors).map(([name, { dtype, shape, length }]) => {
    at += length;
    return [name, { dtype, shape, data_offsets: [at - length, at] }];
  });
  const text = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const count = Buffer.alloc(8);
  count.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([count, text]);
}

/** A safetensors file of tensors `{ dtype, shape, data }` by name. */
function safetensors(tensors) {
  const lengths = Object.entries(tensors).map(([name, { data, ...rest }]) => [name, { ...rest, length: data.length }]);
  return Buffer.concat([header(Object.fromEntries(lengths)), ...Object.values(tensors).map(({ data }) => data)]);
}

function floats(numbers) { return Buffer.from(Float32Array.from(numbers).buffer); }

async function show(tensors) {
  await open(page, { name: "x.safetensors", bytes: safetensors(tensors) });
  await tab(page, "tensors");
  await settled();
}

/** Waits until all visible cells have texts. */
async function settled() {
  await page.waitForFunction(() => {
    const cells = [...document.querySelectorAll("#grid [role=gridcell]")];
    return cells.length > 0 && cells.every((cell) => cell.textContent !== "");
  });
}

/** The texts of the grid: the header, then rows, each with its index. */
function grid() {
  return page.$$eval("#grid .row", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
}

/** Waits until the grid has that text in a cell. */
async function cell(index, text) {
  const has = ({ index, text }) => document.querySelectorAll("#grid [role=gridcell]")[index]?.textContent === text;
  await page.waitForFunction(has, { index, text });
}

/** Waits until the grid has that text in its first cell. */
async function first(text) {
  await cell(0, text);
}

const CUBE = { dtype: "F32", shape: [2, 3, 4], data: floats(Array.from({ length: 24 }, (_, at) => at + 0.5)) };

test("elements are shown with the index of each row and column", async () => {
  await show({ cube: CUBE });
  assert.deepEqual(await grid(), [
    ["", "0", "1", "2", "3"],
    ["0", "0.5", "1.5", "2.5", "3.5"],
    ["1", "4.5", "5.5", "6.5", "7.5"],
    ["2", "8.5", "9.5", "10.5", "11.5"],
  ]);
  // The index of the other axis.
  await page.fill("#axis0", "1");
  await first("12.5");
  // Other axes as rows and columns.
  await page.selectOption("#rows", "0");
  await first("0.5");
  assert.deepEqual((await grid()).slice(1).map((row) => row.slice(0, 3)), [["0", "0.5", "1.5"], ["1", "12.5", "13.5"]]);
  await page.selectOption("#columns", "1");
  // The first cell stays.
  await cell(5, "20.5");
  assert.deepEqual((await grid()).slice(1), [["0", "0.5", "4.5", "8.5"], ["1", "12.5", "16.5", "20.5"]]);
  // An axis is never both.
  await page.selectOption("#rows", "1");
  assert.notEqual(await page.inputValue("#columns"), "1");
  await page.click("#close-file");
});

test("slices are those of NumPy, and wrong ones are explained", async () => {
  await show({ cube: CUBE });
  const slice = async (text) => {
    await page.fill("#slice", text);
    await page.press("#slice", "Enter");
  };
  await slice("1, ::-2, 1:3");
  await first("21.5");
  assert.deepEqual(await grid(), [["", "1", "2"], ["2", "21.5", "22.5"], ["0", "13.5", "14.5"]]);
  await slice("[..., -1]");
  await first("3.5");
  for (const [text, wrong] of [
    ["2", "axis 0: index 2 is beyond 2 elements; use `1, :, :`"],
    ["0:..", "axis 0: `0:..` is neither an index nor a slice; use `:, :, :`"],
    ["0, 1, 2, 3", "4 slices for 3 axes; use `0, 1, 2`"],
  ]) {
    await slice(text);
    await page.waitForSelector(".element .error");
    assert.equal(await page.textContent(".element"), `Error: ${wrong}`);
    assert.equal(await page.getAttribute("#slice", "aria-invalid"), "true");
    // What the error suggests is valid.
    await slice(wrong.split("`").at(-2));
    await page.waitForSelector(".element .error", { state: "detached" });
    assert.equal(await page.getAttribute("#slice", "aria-invalid"), null);
  }
  await slice(":, 3:");
  await page.waitForFunction(() => /No elements/.test(document.querySelector(".element").textContent));
  await page.waitForFunction(() => document.querySelector("#grid [role=gridcell]") === null);
  await slice("");
  await first("0.5");
  assert.equal(await page.getAttribute("#slice", "aria-invalid"), null);
  await page.click("#close-file");
});

test("numbers have the chosen form", async () => {
  await show({ w: { dtype: "F32", shape: [2], data: floats([1 / 3, -1e10]) } });
  const column = async () => (await grid()).slice(1).map((row) => row[1]);
  assert.deepEqual(await column(), ["0.33333334", "-10000000000.0"]);
  for (const [form, digits, expected] of [
    ["fixed", "2", ["0.33", "-10000000000.00"]],
    ["scientific", "3", ["3.333e-1", "-1.000e10"]],
    ["bits", null, ["0x3eaaaaab", "0xd01502f9"]],
  ]) {
    await page.selectOption("#form", form);
    assert.equal(await page.isVisible("#digits"), digits !== null);
    if (digits !== null) await page.fill("#digits", digits);
    await first(expected[0]);
    assert.deepEqual(await column(), expected);
  }
  await page.click("#close-file");
});

test("a chosen element has its index, bits and byte", async () => {
  const bytes = safetensors({ cube: CUBE });
  await show({ cube: CUBE });
  await page.focus("#grid");
  for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft"]) await page.keyboard.press(key);
  await page.waitForFunction(() => document.querySelector(".element strong")?.textContent === "5.5");
  const offset = bytes.length - 24 * 4 + 5 * 4;
  assert.equal(await page.textContent(".element"), `[0, 1, 1]5.50x40b00000byte ${offset}`);
  assert.equal(await page.getAttribute("#grid", "aria-activedescendant"), "cell-1-1");
  await page.click(".element button");
  await page.waitForSelector(`#bytes b.marked[data-at='${offset}']`);
  await page.click("#close-file");
});

test("all element types of safetensors are shown and summed up", async () => {
  const types = {
    f4: { dtype: "F4", shape: [4], data: Buffer.from([0x21, 0xf3]) },
    f6: { dtype: "F6_E3M2", shape: [4], data: Buffer.from([0x0c, 0, 0x7c]) },
    f8: { dtype: "F8_E4M3", shape: [4], data: Buffer.from([0x38, 0x7e, 0x7f, 0x80]) },
    scale: { dtype: "F8_E8M0", shape: [2], data: Buffer.from([0x7f, 0x81]) },
    complex: { dtype: "C64", shape: [1], data: floats([1.5, -2]) },
    flag: { dtype: "BOOL", shape: [2], data: Buffer.from([1, 0]) },
  };
  const expected = {
    f4: ["float4_e2m1fn", ["0.5", "1.0", "1.5", "-6.0"], /Minimum-6Maximum1\.5Mean-0\.75/],
    f6: ["float6_e3m2fn", ["1.0", "0.0", "0.0", "28.0"], /Zeros2/],
    f8: ["float8_e4m3fn", ["1.0", "448.0", "nan", "-0.0"], /NaN1/],
    scale: ["float8_e8m0fnu", ["1.0", "4.0"], /Mean2\.5/],
    complex: ["complex64", ["1.5-2.0j"], /Numbers2/],
    flag: ["bool", ["true", "false"], /Mean0\.5/],
  };
  await show(types);
  for (const [name, [dtype, texts, statistics]] of Object.entries(expected)) {
    await page.click(`#tensors .tensor:has-text("${name}")`);
    await first(texts[0]);
    assert.deepEqual((await grid()).slice(1).map((row) => row[1]), texts, name);
    assert.equal(await page.textContent("#panel-tensors .panel .facts dd"), dtype);
    await page.waitForFunction((wanted) => new RegExp(wanted).test(document.querySelector(".statistics")?.textContent ?? ""), statistics.source);
  }
  // NumPy has no elements of 4 bits, and no 8-bit floats.
  await page.click('#tensors .tensor:has-text("f4")');
  await page.click("#npy");
  await page.waitForSelector("#panel-tensors .panel .error");
  assert.match(await page.textContent("#panel-tensors .panel .error"), /float4_e2m1fn cannot be stored in npy, which has no elements of 4 bits/);
  await page.click('#tensors .tensor:has-text("f8")');
  await page.click("#npy");
  await page.waitForFunction(() => /^Error: npy has no float8_e4m3fn: as uint8, 1\.0 would become 56, in f8; download safetensors instead$/
    .test(document.querySelector("#panel-tensors .panel .error")?.textContent));
  await page.click("#close-file");
});

test("of a large tensor, only the elements in view are read", async () => {
  const [rows, columns] = [15_000, 20_000];
  const path = moduleFile(join(folder, "large.tsm"), 1, [rows, columns]);
  // The count of inputs follows.
  const end = statSync(path).size - 4;
  const file = openSync(path, "r+");
  writeSync(file, floats([7.25]), 0, 4, end - 4);
  writeSync(file, floats([3.5]), 0, 4, end - (rows - 12_345) * columns * 4);
  closeSync(file);
  await open(page, path);
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    window.requested = [];
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message.call === "elements") window.requested.push(message.wanted.height * message.wanted.width);
      post.call(this, message, ...rest);
    };
  });
  await tab(page, "tensors");
  // While the statistics are computed.
  const begun = performance.now();
  await settled();
  await page.focus("#grid");
  await page.keyboard.press("Control+End");
  await page.waitForFunction(() => document.querySelector(".element strong")?.textContent === "7.25");
  console.log(`the last of ${rows * columns} elements is shown after ${(performance.now() - begun).toFixed(0)} ms`);
  assert.equal(await page.locator(".statistics").count(), 0);
  await page.waitForFunction(() => /^14999.*7\.25$/.test(document.querySelector("#grid .row:last-child").textContent));
  // With the scroll bar, then with the wheel.
  await page.evaluate(() => { document.getElementById("grid").scrollTo(0, 0); });
  await page.waitForFunction(() => document.querySelector("#grid .row:nth-child(2) .side")?.textContent === "0");
  await page.hover("#grid");
  await page.mouse.wheel(0, 220);
  await page.waitForFunction(() => document.querySelector("#grid .row:nth-child(2) .side")?.textContent === "10");
  await page.fill("#slice", "12345");
  await page.press("#slice", "Enter");
  await first("3.5");
  const requested = await page.evaluate(() => window.requested);
  assert.ok(Math.max(...requested) < 2000, String(Math.max(...requested)));
  assert.ok((await page.locator("#grid *").count()) < 2000);
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});

test("a tensor can have more bits than 32 bits can count", async () => {
  const length = 2 ** 30;
  const tensors = {
    large: { dtype: "F32", shape: [2 ** 15, 2 ** 13], length }, small: { dtype: "U8", shape: [2], length: 2 },
  };
  const [path, head] = [join(folder, "large.safetensors"), header(tensors)];
  // Almost all of it is a hole.
  const file = openSync(path, "w");
  writeSync(file, head);
  writeSync(file, floats([7.25]), 0, 4, head.length + length - 4);
  writeSync(file, Buffer.from([8, 9]), 0, 2, head.length + length);
  closeSync(file);
  await open(page, path);
  assert.match(await page.textContent("#verdict"), /^good/);
  await tab(page, "tensors");
  await settled();
  await page.focus("#grid");
  await page.keyboard.press("Control+End");
  await page.waitForFunction(() => document.querySelector(".element strong")?.textContent === "7.25");
  await page.click('#tensors .tensor:has-text("small")');
  await first("8");
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});

test("a tensor without elements is shown", async () => {
  await open(page, { name: "x.safetensors", bytes: safetensors({ none: { dtype: "F32", shape: [0, 3], data: Buffer.alloc(0) } }) });
  await tab(page, "tensors");
  await page.waitForSelector("#panel-tensors .statistics");
  assert.match(await page.textContent("#panel-tensors .element"), /\S/);
  assert.deepEqual(page.complaints, []);
  await page.click("#close-file");
});

test("long names are cut in the middle", async () => {
  const names = ["bert.encoder.layer.0.attention.self.query.weight", "bert.encoder.layer.0.attention.self.value.bias"];
  await page.setViewportSize({ width: 360, height: 700 });
  await show(Object.fromEntries(names.map((name) => [name, { dtype: "F32", shape: [1], data: floats([1]) }])));
  const ends = await page.$$eval("#tensors .tensor .place", (places) => places.map((place) => {
    const end = place.querySelector(".cut > :last-child");
    const [inner, outer] = [end.getBoundingClientRect(), place.getBoundingClientRect()];
    return { name: place.textContent, isVisible: inner.width > 0 && inner.right <= outer.right + 1 };
  }));
  assert.deepEqual(ends, names.map((name) => ({ name, isVisible: true })));
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.click("#close-file");
});

test("the list is sorted and filtered by each column", async () => {
  const tensor = (dtype, shape, length) => ({ dtype, shape, data: Buffer.alloc(length) });
  await show({
    w10: tensor("F16", [2, 2], 8), w9: tensor("F32", [3], 12), a: tensor("U8", [10, 2], 20), b: tensor("F32", [2, 3], 24),
  });
  const names = () => page.$$eval("#tensors .tensor", (rows) => rows.map((row) => row.querySelector(".place").textContent));
  const isListed = (expected) => page.waitForFunction((wanted) =>
    [...document.querySelectorAll("#tensors .tensor .place")].map((it) => it.textContent).join() === wanted, expected.join());
  const inFile = await names();
  for (const [column, expected] of [
    ["name", ["a", "b", "w9", "w10"]],
    ["dtype", ["w10", "b", "w9", "a"]],
    ["shape", ["w9", "w10", "b", "a"]],
    ["bytes", ["w10", "w9", "a", "b"]],
  ]) {
    await page.click(`#by-${column}`);
    if (column === "dtype") {
      await page.waitForFunction(() => [...document.querySelectorAll("#tensors .tensor .place")].at(-1)?.textContent === "a");
      assert.equal((await names())[0], "w10");
      assert.deepEqual([...(await names())].slice(1, 3).sort(), ["b", "w9"]);
    } else {
      await isListed(expected);
    }
    assert.match(await page.getAttribute(`#by-${column}`, "aria-label"), /, ascending$/);
    await page.click(`#by-${column}`);
    if (column !== "dtype") await isListed([...expected].reverse());
    assert.match(await page.getAttribute(`#by-${column}`, "aria-label"), /, descending$/);
    await page.click(`#by-${column}`);
    await isListed(inFile);
  }
  await page.fill("#find-tensor", "float32 [2");
  await isListed(["b"]);
  await page.fill("#find-tensor", "uint8");
  await isListed(["a"]);
  await page.click("#close-file");
});

test("one tensor is saved as npy", async () => {
  const data = floats(Array.from({ length: 100_000 }, (_, at) => Math.sin(at)));
  const flags = Buffer.alloc(300_000, 1);
  const all = {
    "block.0/w": { dtype: "F32", shape: [100, 1000], data }, flags: { dtype: "BOOL", shape: [300_000], data: flags },
  };
  await show(all);
  for (const [name, saved] of [["block.0/w", "block.0_w"], ["flags", "flags"]]) {
    await page.click(`#tensors .tensor:has-text("${name}")`);
    const { name: file, bytes } = await downloaded(page, "#npy");
    assert.equal(file, `${saved}.npy`);
    const [only, expected] = [join(folder, "only.safetensors"), join(folder, `${saved}.npy`)];
    writeFileSync(only, safetensors({ [name]: all[name] }));
    command("convert", only, expected);
    assert.ok(bytes.equals(readFileSync(expected)), name);
  }
  await page.click("#close-file");
});

test("small tensors of a file that is not loaded are saved, too", async () => {
  const path = join(folder, "mixed.safetensors");
  const large = floats(Array.from({ length: 100_000 }, (_, at) => at));
  writeFileSync(path, safetensors({
    large: { dtype: "F32", shape: [100_000], data: large }, small: { dtype: "F32", shape: [3], data: floats([1, 2, 3]) },
  }));
  await open(page, path);
  const { bytes } = await downloaded(page, ".downloads button:has-text('safetensors')");
  command("convert", path, join(folder, "again.safetensors"));
  assert.ok(bytes.equals(readFileSync(join(folder, "again.safetensors"))));
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});
