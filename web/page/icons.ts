// Icons and the picture of the empty page, drawn for this viewer. They are decoration: the text next to them is the name.
import { svg } from "./dom.ts";

// Lines in a square of 16 units.
const PATHS = {
  overview: "M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3",
  bytes: "M2.5 3.5h3v3h-3zM6.5 3.5h3v3h-3zM10.5 3.5h3v3h-3zM2.5 9.5h3v3h-3zM6.5 9.5h3v3h-3zM10.5 9.5h3v3h-3z",
  json: "M6 2.5c-2 0-2 1-2 2.5S4 8 2.5 8C4 8 4 9.5 4 11s0 2.5 2 2.5M10 2.5c2 0 2 1 2 2.5s0 3 1.5 3C12 8 12 9.5 12 11s0 2.5-2 2.5",
  graph: "M5.5 2h5v3.5h-5zM1.5 10.5h5V14h-5zM9.5 10.5h5V14h-5zM7 5.5 4 10.5M9 5.5l3 5",
  tensors: "M2 13.5h12M3.5 13.5v-4M6.5 13.5v-8M9.5 13.5v-11M12.5 13.5v-6",
  compare: "M2 5h11M10 2l3 3-3 3M14 11H3M6 8l-3 3 3 3",
  open: "M1.5 13V3.5h4.5l1.5 2h6V8M1.5 13l2.5-5h11L12.5 13z",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  example: "M4 1.5h5.5L13 5v9.5H4zM9.5 1.5V5H13M6.5 8.5h4M6.5 11h4",
  theme: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 2v12M8 5l3-1.7M8 8h6M8 11l3 1.7",
  language: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12M8 2c-4.5 4-4.5 8 0 12M8 2c4.5 4 4.5 8 0 12",
  download: "M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11",
  schema: "M2.5 2.5h4v3h-4zM9.5 6.5h4v3h-4zM9.5 11.5h4v2.5h-4zM4.5 5.5V13h5M4.5 8h5",
} as const;

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGElement {
  return svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}

// The bytes of the picture: each row of digits is one part of the tree at its right.
const ROWS = ["08 00 00 00", "14 2a 07", "61 62 63 64 65", "ff 00 3f"];
const HEIGHT = 26;

/** A file as bytes, and its parts. */
export function picture(): SVGElement {
  const drawn = svg("svg", { class: "picture", viewBox: "0 0 340 150", "aria-hidden": "true" });
  drawn.append(svg("path", { class: "sheet", d: "M8 6h108l26 26v112H8z" }), svg("path", { class: "fold", d: "M116 6v26h26" }));
  ROWS.forEach((bytes, row) => {
    const y = 46 + row * HEIGHT;
    bytes.split(" ").forEach((digits, at) => {
      const text = svg("text", { x: 22 + at * 22, y, class: `k${row}` });
      text.textContent = digits;
      drawn.append(text);
    });
    const middle = y - 4;
    const left = row === 0 ? 184 : 206;
    drawn.append(
      svg("path", { class: "wire", d: `M148 ${middle}H${left}` }),
      svg("rect", { class: `part k${row}`, x: left, y: middle - 9, width: 130 - row * 22, height: 18, rx: 4 }));
  });
  return drawn;
}
