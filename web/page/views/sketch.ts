// A laid-out graph as numbers, and its sketch on a canvas: boxes without text. It is the minimap, and what is visible
// while no details are drawn.
import type { Area } from "./frame.ts";

/** Numbers per box: left, top, width, height, family; and per line: both ends. */
const [BOX, LINE] = [5, 4];
/** Maximum number of visible boxes for which lines are sketched, too. */
const MOST_WITH_LINES = 20_000;
/** Boxes with a smaller height, in pixels, are sketched in the colour of their border. */
const SMALL = 6;

export interface Colours { wire: string; families: { fill: string; border: string }[] }

export class Shape {
  constructor(private readonly numbers: Float32Array, private readonly lines: Float32Array) {}

  get count(): number { return this.numbers.length / BOX; }

  box(at: number): Area {
    const [left = 0, top = 0, width = 0, height = 0] = this.numbers.subarray(at * BOX, at * BOX + 4);
    return { left, top, right: left + width, bottom: top + height };
  }

  /** The boxes in an area, at most `most` + 1. */
  inside(area: Area, most = Infinity): number[] {
    const { numbers } = this;
    const found: number[] = [];
    for (let at = 0; at < numbers.length && found.length <= most; at += BOX) {
      const [left, top] = [numbers[at]!, numbers[at + 1]!];
      if (left <= area.right && top <= area.bottom && left + numbers[at + 2]! >= area.left && top + numbers[at + 3]! >= area.top) {
        found.push(at / BOX);
      }
    }
    return found;
  }

  /** Sketches the area from a point on, at that scale. */
  sketch(canvas: HTMLCanvasElement, x: number, y: number, scale: number, colours: Colours): void {
    const { clientWidth, clientHeight } = canvas;
    const sharp = devicePixelRatio;
    canvas.width = clientWidth * sharp;
    canvas.height = clientHeight * sharp;
    const context = canvas.getContext("2d");
    if (!context) return;
    context.setTransform(scale * sharp, 0, 0, scale * sharp, -x * scale * sharp, -y * scale * sharp);
    const area = { left: x, top: y, right: x + clientWidth / scale, bottom: y + clientHeight / scale };
    const boxes = this.inside(area);
    const pixel = 1 / scale;
    if (boxes.length <= MOST_WITH_LINES) {
      const { lines } = this;
      context.strokeStyle = colours.wire;
      context.lineWidth = pixel;
      context.beginPath();
      for (let at = 0; at < lines.length; at += LINE) {
        const [x1, y1, x2, y2] = [lines[at]!, lines[at + 1]!, lines[at + 2]!, lines[at + 3]!];
        if (Math.min(x1, x2) > area.right || Math.max(x1, x2) < area.left) continue;
        if (Math.min(y1, y2) > area.bottom || Math.max(y1, y2) < area.top) continue;
        context.moveTo(x1, y1);
        context.lineTo(x2, y2);
      }
      context.stroke();
    }
    for (const box of boxes) {
      const { left, top, right, bottom } = this.box(box);
      const family = colours.families[this.numbers[box * BOX + 4]!];
      if (!family) continue;
      const [width, height] = [Math.max(right - left, pixel), Math.max(bottom - top, pixel)];
      const isSmall = height < SMALL * pixel;
      context.fillStyle = isSmall ? family.border : family.fill;
      context.fillRect(left, top, width, height);
      if (isSmall) continue;
      context.strokeStyle = family.border;
      context.lineWidth = pixel;
      context.strokeRect(left, top, width, height);
    }
  }
}
