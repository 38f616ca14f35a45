// Measures load time, and the time to open files of a megabyte and a gibibyte and to draw graphs. Prints the best and the median.
import { rmSync, statSync, writeFileSync } from "node:fs";
import { browse, encoder, graphModule, moduleFile, open, tab, visit } from "./tests/support.mjs";

const RUNS = 7;
// A biniou array with a million numbers.
const numbers = Uint8Array.from({ length: 1_000_005 }, (_, at) => [19, 0xc0, 0x84, 0x3d, 1][at] ?? at % 251);
writeFileSync("/tmp/measure.biniou", numbers);
const files = {
  "a model of 1 MiB": moduleFile("/tmp/measure-1.tsm", 4, [256, 256]),
  "a model of 1 GiB": moduleFile("/tmp/measure-2.tsm", 16, [4096, 4097]),
  "1,000,000 numbers of biniou": "/tmp/measure.biniou",
};
const graphs = { "500 nodes": encoder(500), "5,000 nodes": encoder(5_000), "100,000 nodes": encoder(100_000) };
const taken = new Map();
function note(name, value) { taken.set(name, [...(taken.get(name) ?? []), value]); }

for (let run = 0; run < RUNS; run += 1) {
  const browser = await browse();
  const page = await visit(browser);
  const marks = await page.evaluate(() => performance.getEntriesByType("mark").map(({ name, startTime }) => [name, startTime]));
  // The browser may report the paint after the viewer is ready.
  const first = await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  const paint = await first.jsonValue();
  note("first contentful paint", paint);
  for (const [name, value] of marks) note(name, value);
  for (const [name, path] of Object.entries(files)) {
    const begun = performance.now();
    await open(page, path);
    note(`open ${name}, ${statSync(path).size} bytes`, performance.now() - begun);
  }
  const begun = performance.now();
  await tab(page, "bytes");
  note("its bytes and parts", performance.now() - begun);
  for (const [name, nodes] of Object.entries(graphs)) {
    await open(page, { name: "graph.tsm", bytes: graphModule(nodes) });
    const begun = performance.now();
    await tab(page, "graph");
    note(`a readable graph of ${name}`, performance.now() - begun);
  }
  await browser.close();
}
for (const [name, values] of taken) {
  const [best, median] = values.sort((one, two) => one - two).filter((_, at) => at === 0 || at === Math.floor(values.length / 2));
  console.log(`${name}: best ${best.toFixed(0)} ms, median ${median.toFixed(0)} ms`);
}
for (const path of Object.values(files)) rmSync(path);
