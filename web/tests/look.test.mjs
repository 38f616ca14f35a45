// Look and use: contrast in light and dark, keyboard, narrow screens, both languages.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browse, fixture, open, tab, visit } from "./support.mjs";

let browser;
before(async () => { browser = await browse(); });
after(() => browser.close());

const VIEWS = ["overview", "bytes", "json", "graph", "tensors", "compare"];

/** Visible texts with less contrast to their background than WCAG AA requires. */
function faint() {
  const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const background = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      // The first line of an operator is on a bar.
      const box = at.closest("g[role=option]")?.querySelector(at.classList.contains("on") ? ".bar" : ".box");
      const colour = numbers(box && at instanceof SVGElement ? getComputedStyle(box).fill : style.backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let count = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !element.checkVisibility() || element.closest("script, .hidden, option")) continue;
    count += 1;
    const style = getComputedStyle(element);
    const own = element instanceof SVGElement ? style.fill : style.color;
    // Text below a box has the background of the document.
    const below = element.classList.contains("out") ? document.body : element;
    const [one, two] = [light(numbers(own)), light(background(below))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (two + 0.05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)}: ${node.textContent.trim().slice(0, 40)} (${element.className.baseVal ?? element.className})`);
  }
  return { found: [...new Set(found)], count };
}

/** Boxes of the graph and its legend whose border has a contrast of less than 3 to the background. */
function faintBorders() {
  const light = (colour) => {
    const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const page = light(getComputedStyle(document.body).backgroundColor);
  const borders = [
    ...[...document.querySelectorAll("#stage .box")].map((box) => getComputedStyle(box).stroke),
    ...[...document.querySelectorAll(".legend .swatch")].map((box) => getComputedStyle(box).borderTopColor),
  ];
  const contrast = (colour) => {
    const [one, two] = [light(colour), page].sort((a, b) => b - a);
    return (one + 0.05) / (two + 0.05);
  };
  return { faint: borders.filter((colour) => contrast(colour) < 3), colours: new Set(borders).size };
}

for (const colorScheme of ["light", "dark"]) {
  test(`boxes of a graph have the colours of their families: ${colorScheme}`, async () => {
    const page = await visit(browser, { colorScheme });
    await open(page, fixture("tsm/good/cnn_small.tsm"));
    await tab(page, "graph");
    assert.deepEqual(await page.locator(".legend li").allTextContents(),
      ["data", "convolution", "pooling", "activation", "shape", "arithmetic"]);
    assert.deepEqual(await page.evaluate(faintBorders), { faint: [], colours: 6 });
    const colour = (selector, property) =>
      page.$eval(selector, (box, name) => getComputedStyle(box)[name], property);
    for (const family of ["data", "convolution", "arithmetic"]) {
      assert.equal(await colour(`#stage .${family} .box`, "fill"), await colour(`.legend .${family}`, "backgroundColor"));
    }
    // The colour of chosen and found boxes has a higher contrast.
    const before = await colour("#box3 .box", "stroke");
    await page.click("#stage #box3 .box");
    assert.notEqual(await colour("#box3 .box", "stroke"), before);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  });

  test(`texts can be read: ${colorScheme}`, async () => {
    const page = await visit(browser, { colorScheme });
    const check = async (what) => {
      const { found, count } = await page.evaluate(faint);
      assert.ok(count > 10, what);
      assert.deepEqual(found, [], what);
    };
    await check("empty");
    await open(page, fixture("tsm/good/cnn_small.tsm"));
    for (const view of VIEWS) {
      await tab(page, view);
      if (view === "bytes") {
        await page.click("#parts .part >> nth=5");
        await page.hover("#parts .part >> nth=8");
      }
      if (view === "graph") await page.click("#stage #box3 .box");
      if (view === "compare") {
        await page.setInputFiles("#panel-compare input[type=file]", fixture("tsm/good/mlp.tsm"));
        await page.waitForSelector("#differences .difference");
      }
      await check(view);
    }
    await page.selectOption("#example", "damaged");
    await page.waitForSelector("#verdict .error");
    await check("damaged");
    await page.click("#show-byte");
    await page.waitForSelector("#parts .part.marked");
    await check("damaged bytes");
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  });
}

test("the theme can be chosen", async () => {
  const page = await visit(browser, { colorScheme: "light" });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.selectOption("#theme", "dark");
  assert.notEqual(await paper(), light);
  await page.selectOption("#theme", "light");
  assert.equal(await paper(), light);
  await page.context().close();
});

test("language and theme are kept where that is allowed", async () => {
  const page = await visit(browser);
  const now = () => page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset.theme]);
  await page.click("#language");
  await page.selectOption("#theme", "dark");
  await page.reload();
  await page.waitForSelector("#theme");
  assert.deepEqual(await now(), ["zh", "dark"]);
  await page.addInitScript(() => Object.defineProperty(window, "localStorage", { get() { throw new Error("not allowed"); } }));
  await page.reload();
  await page.waitForSelector("#theme");
  assert.deepEqual(await now(), ["en", "auto"]);
  await page.click("#language");
  await page.selectOption("#theme", "light");
  assert.deepEqual(await now(), ["zh", "light"]);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("messages of the library have the language of the viewer", async () => {
  const page = await visit(browser, { locale: "zh-CN" });
  await open(page, fixture("tsm/odd/missing_name.tsm"));
  assert.match(await page.textContent("#verdict"), /^已损坏：节点 1：缺少 #name（graph\[1\]，字节 206）/);
  assert.equal(await page.getAttribute("#verdict bdi", "title"), "node 1: no #name in graph[1] at byte 206");
  await tab(page, "bytes");
  assert.match(await page.textContent(".dump ul.errors"), /字节 206：节点 1：缺少 #name/);
  await open(page, fixture("tsm/good/unreachable.tsm"));
  assert.match(await page.textContent("#verdict"), /^完好 · 6 个节点的模块/);
  assert.match(await page.textContent("#report"), /tsm 模块，514 字节\n文件头：/);
  assert.doesNotMatch(await page.textContent("#panel-overview"), /\b(node|bytes|reads|suspicious)\b/);
  await page.context().close();
});

test("a Chinese page has no English words of the library", async () => {
  const page = await visit(browser, { locale: "zh-CN" });
  await open(page, fixture("tsm/good/cnn_small.tsm"));
  await tab(page, "bytes");
  const kinds = () => page.$$eval("#parts .what", (all) => all.map(({ textContent }) => textContent));
  assert.deepEqual((await kinds()).slice(0, 4), ["保留", "模块的代码", "空闲字节", "输入的数量"]);
  // Kinds are searched as they are shown.
  await page.fill("#find", "节点的序号");
  await page.waitForFunction(() => /^第 1 个，共 \d+ 个$/.test(document.getElementById("found").textContent));
  assert.equal(await page.textContent("#parts .marked .what"), "节点的序号");
  // Errors of another file begin with its name.
  await tab(page, "compare");
  await page.setInputFiles("#panel-compare input[type=file]", fixture("tsm/odd/missing_name.tsm"));
  await page.waitForSelector("#panel-compare .error");
  assert.equal(await page.textContent("#panel-compare .error"), "未能完成：missing_name.tsm：节点 1：缺少 #name（graph[1]，字节 206）");
  await tab(page, "tensors");
  await page.fill("#slice", "0:..");
  await page.press("#slice", "Enter");
  await page.waitForSelector(".values .error");
  assert.equal(await page.textContent(".values .error"), "未能完成：轴 0：0:.. 既不是索引，也不是切片；可改用 :, :, :, :");
  await open(page, fixture("tsm/good/dtypes_matrix.tsm"));
  await page.click(".downloads button:has-text('npz')");
  await page.waitForSelector("#panel-overview p.error");
  assert.match(await page.textContent("#panel-overview p.error"),
    /^未能完成：npz 没有 sink8q1：存为 int8 时，0\.5 会变成 1，位于 t\d+；请改为下载 safetensors$/);
  await open(page, { name: "picture.png", bytes: Buffer.from("89504e470d0a1a0a0000000d49484452", "hex") });
  assert.doesNotMatch(await page.textContent("#panel-overview .evidence"), /\b(not|bytes?|is|are|can)\b/);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("names of a schema's types are not translated", async () => {
  const page = await visit(browser, { locale: "zh-CN" });
  await open(page, { name: "a.bin", bytes: Buffer.from("0900000008000000" + "07", "hex") });
  await page.setInputFiles("input[type=file]", { name: "a.mol", mimeType: "", buffer: Buffer.from("array version [byte; 1]; table A { x: version, }") });
  await tab(page, "bytes");
  assert.deepEqual(await page.$$eval("#parts .what", (all) => all.map(({ textContent }) => textContent)),
    ["A 的总长度", "A 中的偏移", "version"]);
  await page.context().close();
});

test("everything can be done with the keyboard", async () => {
  const page = await visit(browser);
  const { keyboard } = page;
  const focused = () => page.evaluate(() => {
    const { activeElement } = document;
    return activeElement.id || activeElement.textContent;
  });
  // To the first example, which is opened.
  for (let step = 0; step < 20 && (await focused()) !== "tsm module: a small network"; step += 1) await keyboard.press("Tab");
  await keyboard.press("Enter");
  await page.waitForSelector("#verdict");
  // The focus is always visible.
  assert.equal(await focused(), "tab-overview");
  const unseen = [];
  for (let step = 0; step < 14; step += 1) {
    await keyboard.press("Tab");
    unseen.push(...await page.evaluate(() => {
      const { activeElement } = document;
      const isSeen = activeElement === document.body || getComputedStyle(activeElement).outlineStyle !== "none";
      return isSeen ? [] : [activeElement.outerHTML.slice(0, 100)];
    }));
  }
  assert.deepEqual(unseen, []);
  await page.focus("#tab-overview");
  await keyboard.press("ArrowRight");
  assert.equal(await focused(), "tab-bytes");
  await page.waitForSelector("#parts .part");
  // The tree, with arrows.
  await page.focus("#parts");
  await keyboard.press("ArrowDown");
  await page.waitForSelector("#parts [aria-selected=true]");
  await keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelector("#parts [aria-selected=true]")?.getAttribute("aria-expanded") === "false");
  await keyboard.press("ArrowRight");
  await keyboard.press("End");
  await page.waitForFunction(() => decodeURIComponent(location.hash).startsWith("#path=graph[23]"));
  // Search.
  await keyboard.press("/");
  assert.equal(await focused(), "find");
  await keyboard.type("graph[3]");
  await page.waitForFunction(() => / of /.test(document.getElementById("found").textContent));
  await keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector("#parts .marked") === null);
  // The graph.
  await page.focus("#tab-bytes");
  await keyboard.press("ArrowRight");
  await keyboard.press("ArrowRight");
  assert.equal(await focused(), "tab-graph");
  await page.waitForSelector("#stage [role=option]");
  await page.focus("#stage");
  const chosen = () => page.evaluate(() => document.querySelector("#stage .chosen")?.getAttribute("aria-label"));
  await keyboard.press("ArrowDown");
  assert.match(await chosen(), /^input, image/);
  await keyboard.press("ArrowDown");
  assert.match(await chosen(), /^conv2d, block0\.conv/);
  await keyboard.press("ArrowUp");
  assert.match(await chosen(), /^input/);
  const box = () => page.evaluate(() => document.querySelector("#stage svg").getAttribute("viewBox"));
  const before = await box();
  await keyboard.press("+");
  assert.notEqual(await box(), before);
  await keyboard.press("0");
  assert.equal(await page.getAttribute("#stage", "aria-activedescendant"), await page.getAttribute("#stage .chosen", "id"));
  // Tensors.
  await page.focus("#tab-graph");
  await keyboard.press("ArrowRight");
  await page.waitForSelector("#tensors .marked");
  await page.focus("#tensors");
  const before2 = await page.textContent("#tensors .marked");
  await keyboard.press("ArrowDown");
  await page.waitForFunction((text) => document.querySelector("#tensors .marked").textContent !== text, before2);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("all elements have names and roles for screen readers", async () => {
  const page = await visit(browser);
  await open(page, fixture("tsm/good/cnn_small.tsm"));
  assert.match(await page.textContent("#live"), /cnn_small\.tsm: tsm, good/);
  for (const view of VIEWS) {
    await tab(page, view);
    const problems = await page.evaluate(() => {
      const named = (element) => element.getAttribute("aria-label") || element.textContent.trim() || element.labels?.[0]?.textContent ||
        document.getElementById(element.getAttribute("aria-labelledby"))?.textContent;
      const all = [...document.querySelectorAll("button, input:not(.hidden), select, [role=tab], [role=tabpanel], [role=tree], [role=listbox], [role=img], [role=region]")];
      const nameless = all.filter((element) => element.checkVisibility() && !named(element)).map((element) => element.outerHTML.slice(0, 100));
      const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
      const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
      const lost = [...document.querySelectorAll("[aria-controls], [aria-labelledby], [aria-describedby], [aria-activedescendant]")]
        .flatMap((element) => ["aria-controls", "aria-labelledby", "aria-describedby"].map((name) => element.getAttribute(name)))
        .filter((id) => id !== null && document.getElementById(id) === null);
      return { nameless, twice, lost };
    });
    assert.deepEqual(problems, { nameless: [], twice: [], lost: [] }, view);
  }
  await tab(page, "bytes");
  await page.click("#parts .part >> nth=1");
  const row = page.locator("#parts [aria-selected=true]");
  assert.deepEqual(
    await row.evaluate((it) => ["role", "aria-level", "aria-posinset", "aria-setsize"].map((name) => it.getAttribute(name))),
    ["treeitem", "2", "1", "3"],
  );
  assert.equal(await page.locator("[role=tab][aria-selected=true]").count(), 1);
  await page.context().close();
});

test("narrow screens have everything in one column", async () => {
  const page = await visit(browser, { viewport: { width: 360, height: 740 } });
  await open(page, fixture("tsm/good/cnn_small.tsm"));
  for (const view of VIEWS) {
    await tab(page, view);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${view}: ${wide} pixels stick out`);
  }
  const heights = await page.evaluate(() => {
    document.getElementById("tab-bytes").click();
    return ["bytes", "parts"].map((id) => document.getElementById(id).getBoundingClientRect());
  });
  assert.ok(heights[1].top >= heights[0].bottom - 1 && heights[0].height > 80 && heights[1].height > 80, JSON.stringify(heights));
  // The header is one row, and all views are visible.
  assert.ok((await page.locator("header").boundingBox()).height < 60);
  const tabs = await page.$$eval("[role=tab]", (all) => all.map((tab) => {
    const { left, right, top } = tab.getBoundingClientRect();
    return { isCut: left < 0 || right > innerWidth || tab.scrollWidth > tab.clientWidth, top };
  }));
  assert.deepEqual(tabs.map(({ isCut, top }) => isCut || top !== tabs[0].top), VIEWS.map(() => false));
  await page.context().close();
});

// A window of 1280 by 1024 at 400 %, and one of 1280 by 800 at 200 %.
for (const [zoom, viewport] of [[400, { width: 320, height: 256 }], [200, { width: 640, height: 400 }]]) test(`everything fits at ${zoom} % zoom`, async () => {
  const page = await visit(browser, { viewport });
  await open(page, fixture("tsm/good/cnn_small.tsm"));
  for (const view of VIEWS) {
    await tab(page, view);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${view}: ${wide} pixels stick out`);
    const low = await page.evaluate(() => [...document.querySelectorAll("#bytes, #parts, .lines, #stage")]
      .filter((pane) => pane.checkVisibility() && pane.clientHeight < 120).map((pane) => pane.id));
    assert.deepEqual(low, [], view);
    // Nothing is on top of something else.
    const bottoms = await page.$$eval(`#panel-${view} :is(.tools, #bytes, #parts, #status, .lines)`, (all) => all
      .map((part) => part.getBoundingClientRect()).filter(({ height }) => height > 0)
      .map(({ top, bottom }) => [top, bottom]).sort(([one], [other]) => one - other));
    const over = bottoms.filter(([top], at) => at > 0 && top < bottoms[at - 1][1] - 1);
    assert.deepEqual(over, [], view);
  }
  await page.context().close();
});

test("the language is that of the browser, and can be changed", async () => {
  const page = await visit(browser, { locale: "zh-CN" });
  assert.equal(await page.getAttribute("html", "lang"), "zh");
  assert.match(await page.textContent(".lead"), /查看/);
  await open(page, fixture("tsm/good/cnn_small.tsm"));
  for (const view of VIEWS) {
    await tab(page, view);
    assert.match(await page.textContent(`#tab-${view}`), /[\u4e00-\u9fff]|JSON/);
  }
  await tab(page, "bytes");
  assert.match(await page.textContent("#status"), /指向一个字节/);
  await page.click("#language");
  assert.equal(await page.getAttribute("html", "lang"), "en");
  await page.waitForSelector("#parts .part");
  assert.match(await page.textContent("#status"), /Point at a byte/);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("the address selects a byte or a part", async () => {
  const page = await visit(browser, { hash: "#path=graph[2]" });
  await open(page, fixture("tsm/good/cnn_small.tsm"));
  await page.waitForSelector("#parts .part.marked");
  assert.equal(await page.evaluate(() => decodeURIComponent(location.hash)), "#path=graph[2]");
  await page.evaluate(() => { location.hash = "#b300"; });
  await page.waitForSelector("#bytes b.marked[data-at='300']");
  await page.context().close();
});
