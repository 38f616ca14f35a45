import { element } from "./view.js";

// Pixels that a key moves a separator by.
const KEY_STEP = 8;

/**
 * What a separator changes. `isAcross` is whether it is a vertical line. `size` is the size before it, and `set` changes
 * it; null is the automatic size.
 * @typedef {{
 *   isAcross: () => boolean, size: () => number, least: number, set: (size: number | null) => void,
 * }} Sized
 */

/**
 * A line between two parts of the page that is moved by the pointer or the arrow keys. Enter and a double click restore
 * the automatic size.
 * @param {string} name
 * @param {Sized} sized
 */
export function separator(name, sized) {
  const line = element("div", "separator");
  line.tabIndex = 0;
  line.setAttribute("role", "separator");
  line.setAttribute("aria-label", name);
  line.setAttribute("aria-valuemin", String(sized.least));
  const describe = () => {
    line.setAttribute("aria-orientation", sized.isAcross() ? "vertical" : "horizontal");
    line.setAttribute("aria-valuenow", String(Math.round(sized.size())));
  };
  /** @param {number | null} size */
  const set = (size) => {
    sized.set(size === null ? null : Math.max(size, sized.least));
    describe();
  };
  /** @type {{at: number, size: number} | null} */
  let start = null;
  /** @param {PointerEvent} event */
  const place = (event) => (sized.isAcross() ? event.clientX : event.clientY);
  line.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    line.focus();
    line.setPointerCapture(event.pointerId);
    start = { at: place(event), size: sized.size() };
  });
  line.addEventListener("pointermove", (event) => {
    if (start !== null) set(start.size + place(event) - start.at);
  });
  for (const end of ["pointerup", "pointercancel"]) line.addEventListener(end, () => { start = null; });
  line.addEventListener("dblclick", () => set(null));
  line.addEventListener("focus", describe);
  describe();
  line.addEventListener("keydown", (event) => {
    const [less, more] = sized.isAcross() ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    const step = event.shiftKey ? KEY_STEP * 5 : KEY_STEP;
    if (event.key === less) set(sized.size() - step);
    else if (event.key === more) set(sized.size() + step);
    else if (event.key === "Home") set(sized.least);
    else if (event.key === "Enter") set(null);
    else return;
    event.preventDefault();
  });
  return line;
}
