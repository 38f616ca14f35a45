// Statistics of a tensor: a list, and a histogram.
import type { App } from "../app.ts";
import { h, svg } from "../dom.ts";
import type { Numbers } from "../protocol.ts";
import { grouped } from "../words.ts";

const WIDTH = 320;
const HEIGHT = 96;

export function numbers(app: App, { statistics, histogram }: Numbers): HTMLElement {
  const { words } = app;
  const list = h("dl", { class: "facts statistics" });
  const fact = (name: keyof typeof words.numbers, value: string): void => {
    list.append(h("dt", {}, words.numbers[name]), h("dd", {}, value));
  };
  fact("count", grouped(statistics.count));
  for (const name of ["min", "max", "mean", "deviation"] as const) {
    const value = statistics[name];
    if (value !== null) fact(name, short(value));
  }
  fact("zero", grouped(statistics.zero));
  if (statistics.nan > 0) fact("nan", grouped(statistics.nan));
  if (statistics.positive_infinity > 0) fact("positive", grouped(statistics.positive_infinity));
  if (statistics.negative_infinity > 0) fact("negative", grouped(statistics.negative_infinity));
  const all = h("div", {}, list);
  if (histogram) {
    const [min, max] = [short(histogram.min), short(histogram.max)];
    const most = Math.max(...histogram.counts, 1);
    const step = WIDTH / histogram.counts.length;
    const bars = histogram.counts.map((count, at) => {
      // Bars that are not empty are visible, however small.
      const height = count === 0 ? 0 : Math.max((count / most) * HEIGHT, 1);
      return svg("rect", { class: "bar", x: at * step, y: HEIGHT - height, width: step - 0.5, height });
    });
    const picture = svg("svg", {
      class: "histogram", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words.histogram(min, max),
    }, ...bars);
    all.append(h("figure", {}, picture, h("figcaption", {}, h("span", {}, min), h("span", {}, max))));
  }
  return all;
}

/** A number in few digits. */
export function short(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? grouped(value) : String(Number(value.toPrecision(7)));
}
