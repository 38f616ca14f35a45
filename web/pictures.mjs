// Takes pictures of each view for the documentation: `node pictures.mjs FOLDER`.
import { join } from "node:path";
import { browse, fixture, open, tab, visit } from "./tests/support.mjs";

const folder = process.argv[2] ?? "../docs";
const browser = await browse();

async function picture(page, name) {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(folder, `web-${name}.png`) });
}

const viewport = { width: 1240, height: 700 };
const page = await visit(browser, { viewport });
await picture(page, "begin");
await open(page, fixture("tsm/good/cnn_small.tsm"));
await picture(page, "overview");
await tab(page, "bytes");
await page.click("#parts .part >> nth=13");
await picture(page, "bytes");
await tab(page, "json");
await picture(page, "json");
await tab(page, "graph");
await page.focus("#stage");
await page.keyboard.press("ArrowDown");
await page.keyboard.press("ArrowDown");
await picture(page, "graph");
await tab(page, "tensors");
await page.waitForSelector(".histogram");
await picture(page, "tensors");
await tab(page, "compare");
await page.setInputFiles("#panel-compare input[type=file]", fixture("tsm/good/mlp.tsm"));
await page.waitForSelector("#differences .difference");
await picture(page, "compare");
await page.selectOption("#example", "damaged");
await page.waitForSelector("#verdict .error");
await page.click("#show-byte");
await page.waitForSelector("#parts .part.marked");
await picture(page, "damaged");
await page.context().close();

const dark = await visit(browser, { viewport, colorScheme: "dark", locale: "zh-CN" });
await dark.selectOption("#example", "save");
await dark.waitForSelector("#verdict");
await tab(dark, "bytes");
await dark.click("#parts .part >> nth=9");
await picture(dark, "dark");
await dark.context().close();

const narrow = await visit(browser, { viewport: { width: 380, height: 660 } });
await open(narrow, fixture("tsm/good/cnn_small.tsm"));
await tab(narrow, "graph");
await narrow.click("#stage #box1");
await picture(narrow, "narrow");
await browser.close();
