// The graph of a module: large ones, the minimap, groups, and the panel.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { browse, encoder, fixture, graphModule, onnxModel, open, tab, visit } from "./support.mjs";

let browser;
let page;
before(async () => {
  browser = await browse();
  page = await visit(browser);
});
after(() => browser.close());

const bert = encoder(482);

async function show(nodes, name = "made.tsm") {
  await open(page, { name, bytes: graphModule(nodes) });
  await tab(page, "graph");
  await page.waitForSelector("#stage [role=option]");
}

/** The visible area of the drawing. */
async function area() {
  const [left, top, width, height] = (await page.getAttribute("#stage svg", "viewBox")).split(" ").map(Number);
  return { left, top, right: left + width, bottom: top + height };
}

/** Waits until boxes are drawn in detail in the stage; returns their names. */
async function visible() {
  const names = () => {
    const stage = document.getElementById("stage").getBoundingClientRect();
    if (document.querySelector("#stage canvas:not([hidden])")) return null;
    const boxes = [...document.querySelectorAll("#stage [role=option]")].filter((box) => {
      const { left, top, right, bottom } = box.getBoundingClientRect();
      return left < stage.right && right > stage.left && top < stage.bottom && bottom > stage.top;
    });
    return boxes.length === 0 ? null : boxes.map((box) => box.getAttribute("aria-label"));
  };
  return (await page.waitForFunction(names, undefined, { timeout: 60_000 })).jsonValue();
}

/** The size of the smallest text on the screen, in pixels. */
function smallest() {
  const { a } = document.querySelector("#stage svg").getScreenCTM();
  return a * Math.min(...[...document.querySelectorAll("#stage text")].map((text) => parseFloat(getComputedStyle(text).fontSize)));
}

const heading = (name) => page.waitForFunction((name) => document.querySelector("#node h3")?.textContent === name, name);

/** Whether any pixel of a canvas is drawn. */
function isSketched(selector) {
  const canvas = document.querySelector(selector);
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.some((value) => value > 0);
}

for (const [name, nodes] of [["about 500 nodes", bert], ["about 5,000 nodes", encoder(5_000)], ["one chain", Array.from({ length: 3_000 }, (_, at) =>
  ({ name: `n${at}`, op: at === 0 ? "<param>" : "relu", inputs: at === 0 ? [] : [at - 1] }))]]) {
  test(`a graph opens at its input with readable text: ${name}`, async () => {
    await show(nodes);
    assert.ok((await visible()).some((label) => label.startsWith("input")));
    assert.ok((await page.evaluate(smallest)) >= 11);
    const first = await area();
    // Show all, with the key and the button.
    await page.focus("#stage");
    await page.keyboard.press("0");
    const all = await area();
    await page.keyboard.press("Home");
    const { left, top } = await area();
    assert.ok(Math.abs(left - first.left) < 1 && Math.abs(top - first.top) < 1, JSON.stringify({ left, top, first }));
    await page.keyboard.press("End");
    await visible();
    const last = await page.$eval("#stage .chosen", (box) => box.getBBox().y);
    assert.ok(all.left <= 0 && all.top <= 0 && all.bottom >= last, JSON.stringify(all));
    await page.click("#close-file");
    assert.deepEqual(page.complaints, []);
  });
}

test("each layer is below the one before it", async () => {
  await show(bert);
  const places = [];
  // Those of the first column.
  for (let layer = 0; layer < 3; layer += 1) {
    await page.fill("#find-node", `layer_${layer}/output/norm`);
    await heading(`bert/encoder/layer_${layer}/output/norm`);
    await visible();
    places.push(await page.$eval("#stage .chosen", (box) => {
      const { x, width } = box.getBBox();
      return x + width / 2;
    }));
  }
  const moved = Math.max(...places) - Math.min(...places);
  assert.ok(moved < 400, `${places}`);
  await page.click("#close-file");
});

test("30,000 nodes are drawn around what is looked at", { timeout: 120_000 }, async () => {
  await show(encoder(30_000));
  assert.ok((await visible()).length > 0);
  assert.ok((await page.locator("#stage [role=option]").count()) < 2_000);
  await page.focus("#stage");
  await page.keyboard.press("End");
  assert.ok((await visible()).some((label) => label.startsWith("output")));
  // All of it is a sketch.
  await page.keyboard.press("0");
  await page.waitForSelector("#stage canvas:not([hidden])");
  assert.ok(await page.evaluate(isSketched, "#stage canvas"));
  assert.ok(await page.evaluate(isSketched, "#map canvas"));
  await page.fill("#find-node", "layer_1000/output/up");
  await heading("bert/encoder/layer_1000/output/up");
  assert.ok((await visible()).some((label) => label.includes("layer_1000/output/up")));
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});

test("edges that need too much space do not prevent a graph", async () => {
  // Each node of a chain also leads to the last one.
  const count = 2_000;
  const nodes = Array.from({ length: count }, (_, at) => ({
    name: `n${at}`, op: at === 0 ? "<param>" : "add",
    inputs: at === count - 1 ? Array.from({ length: count - 1 }, (_, from) => from) : at === 0 ? [] : [at - 1],
  }));
  await show(nodes);
  assert.ok((await visible()).length > 0);
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});

test("the wheel scrolls, and zooms with Ctrl", async () => {
  await show(bert);
  const before = await area();
  await page.hover("#stage");
  await page.mouse.wheel(0, 300);
  await page.waitForFunction((top) => Number(document.querySelector("#stage svg").getAttribute("viewBox").split(" ")[1]) > top, before.top);
  const after = await area();
  assert.ok(Math.abs(after.top - before.top - 300) < 1 && Math.abs(after.bottom - before.bottom - 300) < 1);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, 300);
  await page.keyboard.up("Control");
  await page.waitForFunction((height) => Number(document.querySelector("#stage svg").getAttribute("viewBox").split(" ")[3]) > height + 1, after.bottom - after.top);
  await page.click("#close-file");
});

test("the minimap shows and selects what is visible", async () => {
  await show(bert);
  const map = await page.locator("#map").boundingBox();
  await page.mouse.click(map.x + map.width * 0.5, map.y + map.height * 0.5);
  await visible();
  const middle = await area();
  await page.mouse.click(map.x + map.width * 0.9, map.y + map.height * 0.5);
  const right = await area();
  assert.ok(right.left > middle.left + 100 && Math.abs(right.top - middle.top) < 50, JSON.stringify([middle, right]));
  // A graph that is visible as a whole needs none.
  await page.focus("#stage");
  await page.keyboard.press("0");
  await page.waitForSelector("#map", { state: "hidden" });
  await page.click("#close-file");
});

test("inputs and consumers in the panel lead to their nodes", async () => {
  await show(bert);
  await page.fill("#find-node", "layer_1/attention/norm");
  await heading("bert/encoder/layer_1/attention/norm");
  const ends = await page.locator("#node dd button bdi").allTextContents();
  assert.deepEqual(ends, ["attention/sum", "output/up", "output/sum"].map((name) => `bert/encoder/layer_1/${name}`));
  await page.click("#node dd button:has-text('output/sum')");
  await heading("bert/encoder/layer_1/output/sum");
  assert.match(await page.getAttribute("#stage .chosen", "aria-label"), /layer_1\/output\/sum/);
  await page.click("#node dd button:has-text('attention/norm')");
  await heading("bert/encoder/layer_1/attention/norm");
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});

test("pointing at a node does not replace the chosen one", async () => {
  await open(page, fixture("tsm/good/cnn_small.tsm"));
  await tab(page, "graph");
  await page.hover("#stage #box1");
  await page.waitForSelector("#node h3");
  await page.click("#stage #box2");
  const chosen = await page.getAttribute("#stage .chosen", "aria-label");
  const name = chosen.split(", ")[1];
  await heading(name);
  await page.hover("#stage #box1");
  await page.hover("#node");
  await page.waitForTimeout(200);
  assert.equal(await page.textContent("#node h3"), name);
  await page.click("#close-file");
});

test("params have their type and all values", async () => {
  const stride = { stride: [1, 1, 2, 2], padding: [0, 0, 0, 0, 1, 1, 1, 1] };
  await show([{ name: "x", op: "<param>" }, { name: "c", op: "conv2d", inputs: [0], ints: stride }]);
  await page.click("#stage #box1");
  await heading("c");
  const params = await page.locator("#node .params li").allTextContents();
  assert.deepEqual(params.map((text) => text.trim()), ["stride int32 [1, 1, 2, 2]", "padding int32 [0, 0, 0, 0, 1, 1, 1, 1]"]);
  await page.click("#close-file");
});

test("groups are closed and opened", async () => {
  await show(bert);
  const level = await page.$$eval("#groups option", (options) => options.map(({ textContent }) => textContent));
  assert.deepEqual(level.slice(0, 3), ["all open", "level 1: 1 group closed", "level 2: 1 group closed"]);
  await page.selectOption("#groups", "2");
  await page.waitForFunction(() => document.querySelectorAll("#stage g.group").length > 4);
  await page.focus("#stage");
  await page.keyboard.press("0");
  const layers = (await visible()).filter((label) => label.startsWith("layer_"));
  assert.equal(layers.length, new Set(bert.map(({ name }) => name.split("/")[2])).size - 2);
  // The inputs and consumers of a group are those of its nodes.
  await page.click("#stage g[role=option]:has-text('layer_3')");
  await heading("bert/encoder/layer_3");
  const ends = await page.locator("#node dd button:not(.close-group) bdi").allTextContents();
  assert.deepEqual(ends, ["mask", "bert/encoder/layer_2", "bert/encoder/layer_4"]);
  await page.click("#open-group");
  await heading("bert/encoder/layer_3/attention/query/matmul");
  assert.equal(await page.inputValue("#groups"), "-1");
  // And closed again, from one of its nodes.
  await page.click("#node dd:has-text('layer_3 ') .close-group");
  await heading("bert/encoder/layer_3");
  await page.selectOption("#groups", "");
  await page.waitForFunction(() => document.querySelectorAll("#stage g.group").length === 0 && document.querySelector("#stage [role=option]"));
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});

test("nodes in closed groups are found, and their groups opened", async () => {
  await show(bert);
  await page.selectOption("#groups", "2");
  await page.waitForFunction(() => document.querySelectorAll("#stage g.group").length > 4);
  const shown = () => page.textContent(".tools [role=status]");
  await page.fill("#find-node", "attention/norm");
  // The first one is in a group, which is chosen while the text is typed.
  await heading("bert/encoder/layer_0");
  assert.match(await shown(), /^1 of \d+$/);
  await page.press("#find-node", "Enter");
  await heading("bert/encoder/layer_0/attention/norm");
  assert.match(await shown(), /^1 of \d+$/);
  await page.press("#find-node", "Enter");
  await heading("bert/encoder/layer_1/attention/norm");
  assert.match(await shown(), /^2 of \d+$/);
  // Other groups remain closed.
  assert.equal(await page.inputValue("#groups"), "-1");
  assert.ok((await visible()).some((label) => label.includes("layer_1/attention/norm")));
  await page.press("#find-node", "Shift+Enter");
  await heading("bert/encoder/layer_0/attention/norm");
  await page.fill("#find-node", "layer_2/attention/softmax");
  await heading("bert/encoder/layer_2");
  await page.press("#find-node", "Enter");
  await heading("bert/encoder/layer_2/attention/softmax");
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});

test("repeated parts are drawn once, and colours show parameters, on request", async () => {
  await show(Array.from({ length: 30 }, (_, at) =>
    ({ name: `n${at}`, op: at === 0 ? "<param>" : "relu", inputs: at === 0 ? [] : [at - 1] })));
  await page.check("#fold");
  await page.waitForSelector("#stage .repeat");
  assert.equal(await page.textContent("#stage .repeat text"), "× 29");
  await page.selectOption("#heat", "parameters");
  await page.waitForSelector("#stage .heat0");
  assert.match(await page.textContent(".legend"), /no parameters/);
});

/** A convolution and an activation; the file does not have the shape of the input. */
const convolution = [
  { name: "x", op: "<param>" },
  { name: "w", op: "<const>", shape: [8, 3, 3, 3], data: Buffer.alloc(8 * 3 * 3 * 3 * 4) },
  {
    name: "y", op: "conv2d", inputs: [0, 1], texts: { format: "NCHW" },
    ints: { padding: [[0, 0], [0, 0], [0, 0], [0, 0]], stride: [1, 1, 1, 1], dilation: [1, 1, 1, 1] },
  },
  { name: "z", op: "relu", inputs: [2] },
];

test("shapes of inputs can be given, and colours show multiply-adds", async () => {
  await show(convolution);
  const failure = () => page.textContent("#panel-graph [role=alert]");
  const compute = async (shape) => {
    await page.fill("#shapes input", shape);
    await page.click("#shapes button");
  };
  await page.selectOption("#heat", "multiply_adds");
  await page.waitForSelector("#panel-graph [role=alert]");
  assert.match(await failure(), /multiply-adds of 1 node are unknown, first y \(the shape of input 0 is unknown\)/);
  // What is selected is what is drawn.
  assert.equal(await page.inputValue("#heat"), "");
  await page.click("#shapes summary");
  await compute("1x3x32x32");
  await page.waitForFunction(() => document.querySelector("#stage").textContent.includes("[1, 8, 30, 30]"));
  await page.selectOption("#heat", "multiply_adds");
  await page.waitForSelector("#stage .heat0");
  assert.match(await page.textContent(".legend"), /no multiply-adds.*or more multiply-adds/s);
  await page.locator("#stage [role=option]", { hasText: "conv2d" }).click();
  await heading("y");
  const facts = await page.innerText("#node .facts");
  for (const text of [/Output\s+float32 \[1, 8, 30, 30\]/, /Parameters\s+216/, /Multiply-adds\s+194,400/, /x\s+float32 \[1, 3, 32, 32\]/, /z\s+float32 \[1, 8, 30, 30\]/]) {
    assert.match(facts, text);
  }
  for (const [shape, text] of [["1x4x32x32", /w takes 3 channels, x has 4/], ["a", /a is no shape for x, such as 1x3x224x224/]]) {
    await compute(shape);
    await page.waitForFunction((text) => new RegExp(text).test(document.querySelector("#panel-graph [role=alert]")?.textContent), text.source);
  }
  // A text that was refused changes nothing, and does not prevent other changes.
  await page.selectOption("#heat", "");
  await page.waitForFunction(() => document.querySelector("#stage .heat0") === null && document.querySelector("#panel-graph [role=alert]") === null);
  // The boxes are drawn again.
  await page.waitForFunction(() => document.querySelector("#stage").textContent.includes("[1, 8, 30, 30]"));
  // The shapes in the file.
  await compute("");
  await page.waitForFunction(() => !document.querySelector("#stage")?.textContent.includes("[1, 8, 30, 30]"));
});

test("details of a node name a reason why its shape is unknown", async () => {
  await show(convolution);
  await page.locator("#stage [role=option]", { hasText: "conv2d" }).click();
  await heading("y");
  assert.match(await page.innerText("#node .facts"), /Output\s+unknown: the shape of input 0 is unknown/);
});

test("an ONNX model has a graph, with its attributes in the panel", async () => {
  await open(page, { name: "small.onnx", bytes: readFileSync(new URL("../../onnx/tests/fixtures/small.onnx", import.meta.url)) });
  await tab(page, "graph");
  await page.waitForSelector("#stage [role=option]");
  await page.locator("#stage [role=option]", { hasText: "Conv" }).first().click();
  await heading("first");
  assert.match(await page.textContent("#node .params"), /strides ints \[2, 2\]/);
  // Shapes are those in the file.
  assert.ok(await page.isHidden("#shapes"));
  await page.selectOption("#heat", "parameters");
  await page.waitForSelector("#stage .heat0");
  await page.locator("#stage [role=option]", { hasText: "Conv" }).first().click();
  await heading("first");
  assert.doesNotMatch(await page.textContent("#node .params"), /parameters/);
  // Its weight links to the tensor.
  await page.click("#node .params button.link");
  await page.waitForSelector("#tensors .marked");
  assert.equal(await page.textContent("#panel-tensors .panel h3"), "w");
});

const inner = { nodes: [{ op: "Relu", name: "last", inputs: ["x"], outputs: ["o"] }], outputs: ["o"] };
const then = { nodes: [{ op: "Loop", name: "again", outputs: ["t"], attributes: { body: inner } }], outputs: ["t"] };
const branches = {
  nodes: [
    { op: "LayerNormalization", name: "input", inputs: ["x"], outputs: ["n"], attributes: { epsilon: 1e-12, note: "graph of 3 nodes" } },
    { op: "If", name: "if_1", inputs: ["c", "n"], outputs: ["y"], attributes: { then_branch: then, else_branch: inner } },
  ],
  inputs: ["x", "c"],
  outputs: ["y"],
};

test("graphs in attributes are opened, and left again", async () => {
  await open(page, { name: "branches.onnx", bytes: onnxModel(branches) });
  await tab(page, "graph");
  const box = (text) => page.locator("#stage [role=option]", { hasText: text });
  await box("LayerNormalization").click({ position: { x: 20, y: 5 } });
  await heading("input");
  const params = await page.locator("#node .params li").allTextContents();
  assert.deepEqual(params.map((text) => text.trim()), ["epsilon float 1e-12", "note string graph of 3 nodes"]);
  assert.equal(await page.locator("#node .enter").count(), 0);
  await box("If").click({ position: { x: 20, y: 5 } });
  await heading("if_1");
  assert.deepEqual(await page.locator("#node .enter").allTextContents(), ["Open the graph then_branch", "Open the graph else_branch"]);
  assert.ok(await page.isHidden(".crumbs"));
  // With the keyboard.
  await page.focus("#stage");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await box("Loop").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "stage");
  const crumbs = () => page.locator(".crumbs li").allTextContents();
  assert.deepEqual(await crumbs(), ["Main graph", "if_1/then_branch"]);
  await box("Loop").click({ position: { x: 20, y: 5 } });
  await heading("again");
  await page.click("#node .enter");
  await box("Relu").waitFor();
  assert.deepEqual(await crumbs(), ["Main graph", "if_1/then_branch", "again/body"]);
  // The value from outside is an input.
  assert.ok((await visible()).some((label) => label.startsWith("outer value, x")));
  await page.keyboard.press("Backspace");
  await heading("again");
  assert.deepEqual(await crumbs(), ["Main graph", "if_1/then_branch"]);
  await page.click(".crumbs button >> nth=0");
  await heading("if_1");
  assert.ok(await page.isHidden(".crumbs"));
  assert.deepEqual(page.complaints, []);
});

test("only words of the library are translated in a graph", async () => {
  const chinese = await visit(browser, { locale: "zh-CN" });
  await open(chinese, { name: "branches.onnx", bytes: onnxModel(branches) });
  await tab(chinese, "graph");
  const labels = await chinese.$$eval("#stage [role=option]", (all) => all.map((box) => box.getAttribute("aria-label")));
  assert.deepEqual(labels.sort(), ["If, if_1, float32", "LayerNormalization, input", "输入, c, float32", "输入, x, float32", "输出, y"]);
  const texts = await chinese.$$eval("#stage text", (all) => all.map(({ textContent }) => textContent));
  for (const text of ["input", "epsilon 1e-12, note graph of 3 nodes", "then_branch 1 个节点的图: Loop 1"]) assert.ok(texts.includes(text), text);
  await chinese.locator("#stage [role=option]", { hasText: "LayerNormalization" }).click({ position: { x: 20, y: 5 } });
  await chinese.waitForSelector("#node .params");
  assert.match(await chinese.textContent("#node .params"), /note string graph of 3 nodes/);
  await chinese.locator("#stage [role=option]", { hasText: "if_1" }).click({ position: { x: 20, y: 5 } });
  await chinese.waitForSelector("#node .enter");
  assert.match(await chinese.textContent("#node"), /打开子图 then_branch.*then_branch 1 个节点的图: Loop 1/s);
  await chinese.context().close();
});

test("a model without shapes has a line that adds them", async () => {
  await open(page, { name: "a \"b\".onnx", bytes: onnxModel(branches) });
  await tab(page, "graph");
  assert.equal(await page.textContent(".hint code"),
    'import onnx; onnx.save(onnx.shape_inference.infer_shapes(onnx.load("a \\"b\\".onnx")), "a \\"b\\"-shapes.onnx")');
  const one = { nodes: [{ op: "Relu", inputs: ["x"], outputs: ["y"] }], inputs: ["x"], outputs: ["y"] };
  await open(page, { name: "one.onnx", bytes: onnxModel(one) });
  await tab(page, "graph");
  assert.ok(await page.isHidden(".hint"));
});
