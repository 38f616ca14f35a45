// The viewport of a picture that can be moved and zoomed.

const SMALLEST = 0.05;
const LARGEST = 4;

export class Frame {
  private readonly width: number;
  private readonly height: number;
  /** The corner of the picture at the corner of the viewport, and the scale. */
  private x = 0;
  private y = 0;
  private scale = 1;
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private moved = 0;

  constructor(
    private readonly stage: HTMLElement,
    private readonly picture: SVGSVGElement,
    point: (target: Element) => void,
    choose: (target: Element) => void,
  ) {
    this.width = picture.viewBox.baseVal.width;
    this.height = picture.viewBox.baseVal.height;
    picture.removeAttribute("width");
    picture.removeAttribute("height");
    picture.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      this.moved = 0;
    });
    picture.addEventListener("pointermove", (event) => this.move(event, point));
    for (const end of ["pointerup", "pointercancel", "pointerleave"] as const) {
      picture.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
    }
    picture.addEventListener("click", (event) => {
      if (this.moved < 4) choose(event.target as Element);
    });
    picture.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = stage.getBoundingClientRect();
      const unit = event.deltaMode === 1 ? 20 : 1;
      if (event.shiftKey) this.pan(event.deltaY * unit, 0);
      else this.zoom(Math.exp(-event.deltaY * unit * 0.0015), event.clientX - box.x, event.clientY - box.y);
    }, { passive: false });
    new ResizeObserver(() => this.draw()).observe(stage);
  }

  private move(event: PointerEvent, point: (target: Element) => void): void {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      point(event.target as Element);
      return;
    }
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    const [other] = others;
    if (other) {
      // Pinch to zoom.
      const distance = (at: { x: number; y: number }): number => Math.hypot(at.x - other.x, at.y - other.y);
      const box = this.stage.getBoundingClientRect();
      const now = { x: event.clientX, y: event.clientY };
      if (distance(before) > 0) {
        this.zoom(distance(now) / distance(before), (now.x + other.x) / 2 - box.x, (now.y + other.y) / 2 - box.y);
      }
    } else {
      this.pan(before.x - event.clientX, before.y - event.clientY);
      this.moved += Math.abs(before.x - event.clientX) + Math.abs(before.y - event.clientY);
      // Dragging continues outside of the viewport.
      if (this.moved >= 4) this.picture.setPointerCapture(event.pointerId);
    }
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  private pan(x: number, y: number): void {
    this.x += x / this.scale;
    this.y += y / this.scale;
    this.draw();
  }

  /** Zooms around a point of the viewport, by default its middle. */
  zoom(by: number, x = this.stage.clientWidth / 2, y = this.stage.clientHeight / 2): void {
    const scale = Math.min(Math.max(this.scale * by, SMALLEST), LARGEST);
    this.x += x / this.scale - x / scale;
    this.y += y / this.scale - y / scale;
    this.scale = scale;
    this.draw();
  }

  /** Shows the whole picture, at most at its own size; of a tall one the top, at a readable size. */
  fit(): void {
    const { clientWidth, clientHeight } = this.stage;
    const all = Math.min(clientWidth / this.width, clientHeight / this.height, 1);
    this.scale = Math.max(all, Math.min(clientWidth / this.width, 0.75), SMALLEST);
    this.x = (this.width - clientWidth / this.scale) / 2;
    this.y = all < this.scale ? 0 : (this.height - clientHeight / this.scale) / 2;
    this.draw();
  }

  /** Scrolls a part of the picture into view, as little as necessary, and zooms until it is readable. */
  reveal(part: SVGGraphicsElement): void {
    const { clientWidth, clientHeight } = this.stage;
    if (this.scale < 0.7) this.zoom(0.7 / this.scale);
    const box = part.getBBox();
    // Boxes are inside of a translated group.
    const matrix = (part.parentNode as SVGGraphicsElement).transform.baseVal.consolidate()?.matrix;
    const margin = 30 / this.scale;
    const into = (from: number, start: number, length: number, available: number): number => {
      if (length + 2 * margin > available || start - margin < from) return start - margin;
      return Math.max(from, start + length + margin - available);
    };
    this.x = into(this.x, box.x + (matrix?.e ?? 0), box.width, clientWidth / this.scale);
    this.y = into(this.y, box.y + (matrix?.f ?? 0), box.height, clientHeight / this.scale);
    this.draw();
  }

  private draw(): void {
    const { clientWidth, clientHeight } = this.stage;
    if (clientWidth === 0 || clientHeight === 0) return;
    const view = [this.x, this.y, clientWidth / this.scale, clientHeight / this.scale];
    this.picture.setAttribute("viewBox", view.map((length) => length.toFixed(2)).join(" "));
  }
}
