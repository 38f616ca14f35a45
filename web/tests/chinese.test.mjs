// Pages in Chinese have no English sentences, whatever file is open.
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { FIXTURES, browse, open, visit } from "./support.mjs";

// Longer files have the same words, and so do most files of a folder.
const LONGEST = 1 << 16;
const MOST_IN_FOLDER = 8;
// Names of nodes in one of them are sentences.
const SKIPPED = /\.(md|json|txt|py|ml|html|atd|mol|words)$|\/names\.tsm$/;

let browser;
let page;
before(async () => {
  browser = await browse();
  page = await visit(browser, { locale: "zh-CN" });
});
after(() => browser.close());

/** The English sentences on the page, except in names and values of the file. */
function sentences() {
  const found = [...document.querySelectorAll("[lang=en]:not(#language)")].map((one) => one.textContent);
  const walker = document.createTreeWalker(document.querySelector("#app"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    // Lines of boxes are those of the file, except for those that the library marks. Code is Python.
    const isOfFile = node.parentElement.closest("bdi, option, .place, .line, .tensor, #stage text:not(.own), code, #language, [aria-hidden=true]");
    if (isOfFile !== null) continue;
    // Words of the formats, and tables of a report, which begin with names.
    for (const line of node.textContent.replace(/"[^]*?"|“[^]*?”|`[^`]*`|\b(of|map|optional|sparse|sequence)\b|^ +.* {2}|^(输入|输出)：.*/gm, "").split("\n")) {
      if (/[a-z]{2,} (?:[a-z]+ )*[a-z]{2,}/.test(line)) found.push(line.trim());
    }
  }
  return found;
}

/** The same in all views of the open file. */
async function inAllViews() {
  const found = [];
  for (const tab of await page.$$("[role=tab]")) {
    await tab.click();
    const panel = await tab.getAttribute("aria-controls");
    await page.waitForFunction((panel) => document.getElementById(panel)?.textContent.trim() !== "", panel);
    if (panel === "panel-graph") {
      await page.waitForSelector("#stage canvas[hidden]", { state: "attached" });
      if (await page.$("#stage [role=option]") !== null) {
        await page.focus("#stage");
        for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
        await page.waitForSelector("#node h3");
      }
    }
    found.push(...await page.evaluate(sentences));
  }
  return found;
}

/** Some of the files of a folder, and of those in it. */
function files(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const path = ({ name }) => `${folder}/${name}`;
  const own = entries.filter((entry) => entry.isFile()).map(path).filter((path) => !SKIPPED.test(path) && statSync(path).size <= LONGEST);
  const step = Math.ceil(own.length / MOST_IN_FOLDER);
  return [...own.filter((_, at) => at % step === 0), ...entries.filter((entry) => entry.isDirectory()).map(path).flatMap(files)];
}

test("files of all kinds", async () => {
  const left = new Map();
  for (const path of [FIXTURES, fileURLToPath(new URL("../../onnx/tests/fixtures", import.meta.url))].flatMap(files)) {
    await open(page, path);
    for (const text of await inAllViews()) left.set(text, path);
  }
  assert.deepEqual([...left], []);
});
