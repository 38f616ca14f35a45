// The colours of the boxes of a graph. They come with it, but the policy allows no style elements.
import type { Shade } from "../protocol.ts";

const colours = new CSSStyleSheet();
document.adoptedStyleSheets.push(colours);

/** Applies the colours to boxes and legend. */
export function paint(shades: Shade[]): void {
  const rule = ({ name, fill, border }: Shade): string => {
    const [inside, around] = [`light-dark(${fill.join(", ")})`, `light-dark(${border.join(", ")})`];
    // Lower specificity than the rules for chosen and found boxes.
    return `.stage :where(.${name} .box) { fill: ${inside}; stroke: ${around} }
      .stage :where(.${name} .rule) { stroke: ${around} }
      .stage :where(.${name} .bar) { fill: ${around} }
      .legend .${name} { background: ${inside}; border-color: ${around} }`;
  };
  colours.replaceSync(shades.map(rule).join("\n"));
}
