// Columns of the bytes view: no text is cut, and their widths can be changed.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browse, fixture, open, tab, visit } from "./support.mjs";

let browser;
before(async () => { browser = await browse(); });
after(() => browser.close());

/** Texts of the parts that are wider than their cells. */
function cut() {
  const cells = [...document.querySelectorAll("#parts .part > span")];
  const range = document.createRange();
  return cells.filter((cell) => {
    range.selectNodeContents(cell);
    return cell.checkVisibility() && range.getBoundingClientRect().right > cell.getBoundingClientRect().right + 0.1;
  }).map((cell) => cell.textContent);
}

const FILES = [
  "tsm/good/cnn_small.tsm", "primitiv/saved/m_names.model", "biniou/data/save.players-ten.biniou", "biniou/data/log.logs-hundred.biniou",
];

for (const locale of ["en", "zh-CN"]) {
  test(`no text is cut at 1280 pixels: ${locale}`, async () => {
    const page = await visit(browser, { locale, viewport: { width: 1280, height: 800 } });
    for (const path of FILES) {
      await open(page, fixture(path));
      await tab(page, "bytes");
      for (const asList of [false, true]) {
        await page.setChecked("#list", asList);
        await page.focus("#parts");
        for (const key of ["Home", "PageDown", "PageDown", "End"]) {
          await page.keyboard.press(key);
          await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));
          assert.ok((await page.locator("#parts .part").count()) > 0);
          assert.deepEqual(await page.evaluate(cut), [], `${path} ${asList}`);
          // What does not fit can be scrolled to.
          const isReachable = await page.evaluate(() => {
            const pane = document.getElementById("parts");
            const right = Math.max(...[...pane.querySelectorAll(".part > span")].map((cell) => cell.getBoundingClientRect().right));
            return right + pane.scrollLeft <= pane.getBoundingClientRect().left + pane.scrollWidth + 1;
          });
          assert.ok(isReachable, path);
        }
      }
      await page.setChecked("#list", false);
    }
    const bytes = await page.evaluate(() => { const pane = document.getElementById("bytes"); return pane.scrollWidth - pane.clientWidth; });
    assert.equal(bytes, 0);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  });
}

test("values of a module are visible at 1280 pixels", async () => {
  const page = await visit(browser);
  await open(page, fixture("tsm/good/cnn_small.tsm"));
  await tab(page, "bytes");
  const over = await page.evaluate(() => { const pane = document.getElementById("parts"); return pane.scrollWidth - pane.clientWidth; });
  assert.ok(over <= 0, `${over} pixels`);
  await page.context().close();
});

test("long values are in several lines at 1280 pixels", async () => {
  const page = await visit(browser);
  await open(page, [fixture("molecule/blocks/block-40.bin"), fixture("molecule/schemas/blockchain.mol")]);
  await page.waitForSelector("#tab-bytes");
  await tab(page, "bytes");
  await page.focus("#parts");
  for (const key of ["Home", "PageDown", "PageDown", "End", "PageUp", "End"]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
    assert.deepEqual(await page.evaluate(cut), [], key);
    const pane = await page.$eval("#parts", (pane) => ({ over: pane.scrollWidth - pane.clientWidth, bottom: pane.getBoundingClientRect().bottom }));
    assert.ok(pane.over <= 0, `${key}: ${pane.over} pixels`);
    // The chosen row is visible, all of its lines.
    const { bottom } = await page.$eval("#parts .part.marked", (row) => row.getBoundingClientRect());
    assert.ok(bottom <= pane.bottom + 1, key);
  }
  // The last row is the end of what can be scrolled to.
  const count = await page.$$eval("#parts .part", (all) => all.length);
  await page.$eval("#parts", (pane) => { pane.scrollTop = 0; });
  await page.waitForTimeout(100);
  await page.$eval("#parts", (pane) => { pane.scrollTop = pane.scrollHeight; });
  await page.waitForTimeout(300);
  const [last, pane] = await page.$$eval("#parts .part:last-child, #parts", (all) => all.map((one) => one.getBoundingClientRect().bottom)).then((all) => all.sort((a, b) => a - b));
  assert.ok(count > 0 && Math.abs(pane - last) < 2, `${last} ${pane}`);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

const NAMES = { range: "Bytes", place: "Part", kind: "Kind" };

test("columns are resized with the keyboard and the pointer", async () => {
  const page = await visit(browser);
  await open(page, fixture("tsm/good/cnn_small.tsm"));
  await tab(page, "bytes");
  for (const [at, name] of Object.values(NAMES).entries()) {
    const separator = page.getByRole("separator", { name: `Width of the column ${name}` });
    const width = () => page.$eval(`#parts .part > :nth-child(${at + 1})`, (cell) => cell.getBoundingClientRect().width);
    const before = await width();
    await separator.focus();
    assert.equal(await separator.getAttribute("aria-valuenow"), String(Math.round(before)));
    assert.equal(await separator.getAttribute("aria-orientation"), "vertical");
    await page.keyboard.press("ArrowRight");
    assert.equal(await width(), before + 8);
    await page.keyboard.press("Shift+ArrowLeft");
    assert.equal(await width(), before - 32);
    // The names of the columns are above them.
    const left = (selector) => page.$eval(selector, (cell) => cell.getBoundingClientRect().left);
    assert.equal(await left(".names > :nth-child(4)"), await left("#parts .part > :nth-child(4)"));
    const box = await separator.boundingBox();
    await page.mouse.move(box.x + 2, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 52, box.y + 5);
    await page.mouse.up();
    assert.equal(await width(), before + 18);
    await page.keyboard.press("Enter");
    assert.equal(await width(), before);
    await page.keyboard.press("Home");
    assert.equal(await width(), 32);
    await page.keyboard.press("Enter");
  }
  await page.context().close();
});

test("the bytes and the parts share the window as a person likes", async () => {
  const page = await visit(browser);
  await open(page, fixture("tsm/good/cnn_small.tsm"));
  await tab(page, "bytes");
  const perLine = () => page.locator("#bytes .line:first-child b").count();
  const width = () => page.$eval("#bytes", (pane) => pane.offsetWidth);
  const before = [await width(), await perLine()];
  await page.focus("#divider");
  while ((await width()) < 700) await page.keyboard.press("Shift+ArrowRight");
  // More bytes fit on a line.
  await page.waitForFunction(() => document.querySelectorAll("#bytes .line:first-child b").length === 16);
  assert.equal(await page.getAttribute("#divider", "aria-valuenow"), String(await width()));
  await page.keyboard.press("Home");
  assert.equal(await width(), 120);
  await page.keyboard.press("Enter");
  await page.waitForFunction((count) => document.querySelectorAll("#bytes .line:first-child b").length === count, before[1]);
  assert.equal(await width(), before[0]);
  await page.context().close();
  // One above the other.
  const narrow = await visit(browser, { viewport: { width: 700, height: 800 } });
  await open(narrow, fixture("tsm/good/cnn_small.tsm"));
  await tab(narrow, "bytes");
  await narrow.focus("#divider");
  assert.equal(await narrow.getAttribute("#divider", "aria-orientation"), "horizontal");
  const height = () => narrow.$eval("#bytes", (pane) => pane.offsetHeight);
  const tall = await height();
  await narrow.keyboard.press("ArrowUp");
  assert.equal(await height(), tall - 8);
  await narrow.context().close();
});
