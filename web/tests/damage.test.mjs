// Damaged files show the location; hostile names have no effect; too large files are reported.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browse, bytesOf, module, open, tab, visit } from "./support.mjs";

let browser;
let page;
before(async () => {
  browser = await browse();
  page = await visit(browser);
});
after(() => browser.close());

const damaged = {
  "cut.tsm": bytesOf("tsm/good/cnn_small.tsm").slice(0, 20_000),
  "turned.model": bytesOf("primitiv/saved/z_digits_momentum.model").map((byte, at) => (at === 20 ? 0xc1 : byte)),
  "cut.biniou": bytesOf("biniou/data/save.players-ten.biniou").slice(0, 9_000),
};

for (const [name, bytes] of Object.entries(damaged)) {
  test(`${name} shows where it is damaged`, async () => {
    await open(page, { name, bytes });
    const facts = await page.textContent(".facts");
    assert.doesNotMatch(facts, /unknown/);
    const byte = /at byte (\d+)/.exec(await page.textContent("#verdict"))?.[1];
    assert.ok(byte !== undefined, await page.textContent("#verdict"));
    await page.click("#show-byte");
    await page.waitForSelector("#parts .part.marked");
    assert.ok((await page.locator("#errors li").count()) >= 1);
    assert.equal(await page.evaluate(() => location.hash), `#b${byte}`);
    const range = await page.textContent("#parts .part.marked .range");
    const [start, end] = range.split("..").map(Number);
    assert.ok(start <= Number(byte) && Number(byte) <= end, `${byte} in ${range}`);
    await page.click("#errors a");
    assert.equal(await page.locator("#parts .part.marked .error").count(), 1);
    await page.click("#close-file");
    assert.deepEqual(page.complaints, []);
  });
}

test("Molecule that does not match its type shows where", async () => {
  const bytes = bytesOf("molecule/blocks/block-40.bin");
  bytes[4] = 0xff;
  await open(page, [{ name: "block.bin", bytes }, { name: "blockchain.mol", bytes: bytesOf("molecule/schemas/blockchain.mol") }]);
  assert.equal(await page.locator("#verdict strong.error").count(), 1);
  await tab(page, "bytes");
  assert.ok((await page.locator("#parts .part").count()) > 0);
  await page.click("#close-file");
});

test("unknown and empty files are reported", async () => {
  await open(page, { name: "noise.dat", bytes: Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251) });
  assert.match(await page.textContent("#verdict"), /Unknown format/);
  assert.equal(await page.locator("details[open] dt").count(), 4);
  await tab(page, "bytes");
  assert.equal(await page.textContent("#parts .part .what"), "bytes");
  await page.click("#close-file");
  await open(page, { name: "empty", bytes: [] });
  assert.match(await page.textContent(".facts"), /0 bytes/);
  await tab(page, "bytes");
  await page.click("#close-file");
  assert.deepEqual(page.complaints, []);
});

const hostile = {
  script: "</script><script>document.title='gotcha'</script><img src=x onerror=\"document.title='gotcha'\">",
  bidi: "\u202egnp.exe\u2066 \u200b\u0000\u001b[31m",
  long: "long".repeat(1 << 18),
};

for (const [kind, name] of Object.entries(hostile)) {
  test(`names that are hostile do nothing: ${kind}`, async () => {
    const bytes = module([{ name, shape: [2], data: Buffer.from(new Float32Array([1, 2]).buffer) }]);
    const file = kind === "long" ? "a.tsm" : `${name.replaceAll("/", "_").replaceAll("\0", "")}.tsm`;
    await open(page, { name: file, bytes });
    for (const view of ["overview", "bytes", "json", "graph", "tensors", "compare"]) await tab(page, view);
    await tab(page, "graph");
    await page.focus("#stage");
    await page.keyboard.press("Home");
    await page.waitForSelector("#node h3 bdi");
    assert.ok((await page.textContent("#node h3")).length < 1000);
    // No view shows characters that change the text direction, or longer lines than allowed.
    for (const view of ["overview", "bytes", "json", "graph", "tensors"]) {
      await tab(page, view);
      const text = await page.evaluate(() => document.body.innerText);
      assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u200b\u001b]/);
      assert.ok(text.length < 300_000, `${view}: ${text.length}`);
    }
    assert.doesNotMatch(await page.title(), /^gotcha/);
    assert.equal(await page.locator("img, iframe, object, embed").count(), 0);
    await page.click("#close-file");
    assert.deepEqual(page.complaints, []);
  });
}

test("a file that is too long is reported", async () => {
  // The file is not created: only its size is faked.
  await page.evaluate(() => {
    const file = new File(["x"], "long.tsm");
    Object.defineProperty(file, "size", { value: 2 ** 33 });
    const transfer = new DataTransfer();
    transfer.items.add(file);
    const event = new DragEvent("drop", { dataTransfer: transfer, bubbles: true });
    Object.defineProperty(event.dataTransfer, "files", { value: [file] });
    window.dispatchEvent(event);
  });
  await page.waitForSelector(".message.error");
  assert.match(await page.textContent(".message.error"), /too large/);
  assert.deepEqual(page.complaints, []);
});

test("files are dropped", async () => {
  const bytes = [...bytesOf("tsm/good/minimal.tsm")];
  await page.evaluate((all) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(all)], "dropped.tsm"));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, bytes);
  await page.waitForSelector("#verdict .good");
  assert.match(await page.title(), /dropped\.tsm/);
  await page.click("#close-file");
});
