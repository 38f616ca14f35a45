// The viewport of a drawing that can be scrolled and zoomed.

const SMALLEST = 0.05;
const LARGEST = 4;
/** The scale at which all texts can be read. */
export const READABLE = 1;

/** The distance of the drawing to the ends of the viewport, in pixels. */
const MARGIN = 16;
/** The part of the viewport on each side that is not its middle; the minimap may cover it. */
const EDGE = 0.24;

/** A part of a drawing. */
export interface Area { left: number; top: number; right: number; bottom: number }

interface Place { x: number; y: number }

interface Listener {
  /** Another area is visible. */
  moved(): void;
  /** The pointer is at a point of the drawing. */
  pointed(at: Place): void;
  /** A point of the drawing is clicked. */
  clicked(at: Place): void;
}

export class Frame {
  /** The corner of the drawing at the corner of the viewport, and the scale. */
  private x = 0;
  private y = 0;
  private scale = READABLE;
  private readonly pointers = new Map<number, Place>();
  private moved = 0;
  private readonly observer = new ResizeObserver(() => this.draw());

  constructor(
    private readonly stage: HTMLElement,
    private readonly picture: SVGElement,
    private readonly width: number,
    private readonly height: number,
    private readonly listener: Listener,
  ) {
    picture.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      this.moved = 0;
    });
    picture.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"] as const) {
      picture.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
    }
    picture.addEventListener("click", (event) => {
      if (this.moved < 4) listener.clicked(this.place(event));
    });
    picture.addEventListener("wheel", (event) => {
      event.preventDefault();
      const unit = event.deltaMode === 1 ? 20 : 1;
      if (event.ctrlKey || event.metaKey) {
        const box = stage.getBoundingClientRect();
        this.zoom(Math.exp(-event.deltaY * unit * 0.0015), event.clientX - box.x, event.clientY - box.y);
      } else if (event.shiftKey && event.deltaX === 0) this.pan(event.deltaY * unit, 0);
      else this.pan(event.deltaX * unit, event.deltaY * unit);
    }, { passive: false });
    this.observer.observe(stage);
  }

  end(): void { this.observer.disconnect(); }

  /** The visible area. */
  get area(): Area {
    const { clientWidth, clientHeight } = this.stage;
    return { left: this.x, top: this.y, right: this.x + clientWidth / this.scale, bottom: this.y + clientHeight / this.scale };
  }

  get zoomed(): number { return this.scale; }

  private place(event: MouseEvent): Place {
    const box = this.stage.getBoundingClientRect();
    return { x: this.x + (event.clientX - box.x) / this.scale, y: this.y + (event.clientY - box.y) / this.scale };
  }

  private move(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.listener.pointed(this.place(event));
      return;
    }
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    const [other] = others;
    if (other) {
      // Pinch to zoom.
      const distance = (at: Place): number => Math.hypot(at.x - other.x, at.y - other.y);
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

  /** The scale at which the whole drawing is visible. */
  private get whole(): number {
    const { clientWidth, clientHeight } = this.stage;
    return Math.min((clientWidth - 2 * MARGIN) / this.width, (clientHeight - 2 * MARGIN) / this.height, READABLE);
  }

  /** Zooms around a point of the viewport, by default its middle. */
  zoom(by: number, x = this.stage.clientWidth / 2, y = this.stage.clientHeight / 2): void {
    const scale = Math.min(Math.max(this.scale * by, Math.min(SMALLEST, this.whole)), LARGEST);
    this.x += x / this.scale - x / scale;
    this.y += y / this.scale - y / scale;
    this.scale = scale;
    this.draw();
  }

  /** Shows the whole drawing, at most at its own size. */
  fit(): void {
    this.scale = this.whole;
    this.center({ x: this.width / 2, y: this.height / 2 });
  }

  /** Moves a point of the drawing to the middle. */
  center(at: Place): void {
    this.x = at.x - this.stage.clientWidth / this.scale / 2;
    this.y = at.y - this.stage.clientHeight / this.scale / 2;
    this.draw();
  }

  /** Shows a box at the top, with readable text. */
  begin(box: Area): void {
    this.scale = READABLE;
    this.x = (box.left + box.right - this.stage.clientWidth / this.scale) / 2;
    this.y = box.top - MARGIN / this.scale;
    this.draw();
  }

  /** Moves a box to the middle unless it is there already, and zooms until it is readable. */
  reveal(box: Area): void {
    if (this.scale < READABLE) this.zoom(READABLE / this.scale);
    const { left, top, right, bottom } = this.area;
    const [aside, above] = [(right - left) * EDGE, (bottom - top) * EDGE];
    const isInside = box.left >= left + aside && box.right <= right - aside && box.top >= top + above && box.bottom <= bottom - above;
    if (!isInside) this.center({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 });
  }

  private draw(): void {
    const { clientWidth, clientHeight } = this.stage;
    if (clientWidth === 0 || clientHeight === 0) return;
    const [width, height] = [clientWidth / this.scale, clientHeight / this.scale];
    // The middle of the viewport stays in the drawing.
    this.x = Math.min(Math.max(this.x, -width / 2), this.width - width / 2);
    this.y = Math.min(Math.max(this.y, -height / 2), this.height - height / 2);
    // The sizes of the stage are rounded: of its two scales, the smaller one would make text smaller than readable.
    this.picture.setAttribute("preserveAspectRatio", "xMinYMin slice");
    this.picture.setAttribute("viewBox", [this.x, this.y, width, height].map((length) => length.toFixed(2)).join(" "));
    this.listener.moved();
  }
}
