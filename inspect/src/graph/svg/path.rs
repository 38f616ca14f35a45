//! Wires as paths, and their arrows.

use std::fmt::{self, Write as _};

use super::{Short, Size};
use crate::layout::{Line, Point};

/// The length of an arrow head, and half its width.
const ARROW: (f64, f64) = (7.0, 3.6);
/// The radius of rounded corners of wires.
const CORNER: f64 = 5.0;
/// The space for the loop of a node that is its own input.
pub(super) const LOOP: f64 = 26.0;

/// Writes lines as a path. Corners between vertical and horizontal lines are rounded.
pub(super) fn path(lines: &[Line], svg: &mut String) -> fmt::Result {
    let mut end = None;
    for (at, line) in lines.iter().enumerate() {
        let Line { from, to } = *line;
        if end != Some(from) {
            write!(svg, "M{} {}", Short(from.x), Short(from.y))?;
        }
        let next = lines.get(at + 1).filter(|next| next.from == to);
        match next.and_then(|next| corner(line, next)) {
            Some((before, after)) => {
                let (x, y) = (Short(before.x), Short(before.y));
                write!(svg, "L{x} {y}Q{} {}", Short(to.x), Short(to.y))?;
                write!(svg, " {} {}", Short(after.x), Short(after.y))?;
            }
            None if from.x == to.x => write!(svg, "V{}", Short(to.y))?,
            None if from.y == to.y => write!(svg, "H{}", Short(to.x))?,
            None => {
                // Both ends are vertical; the farther to the side, the rounder.
                let bend = (to.y - from.y) * 0.55;
                let (down, up) = (Short(from.y + bend), Short(to.y - bend));
                let (x, y) = (Short(to.x), Short(to.y));
                write!(svg, "C{} {down} {x} {up} {x} {y}", Short(from.x))?;
            }
        }
        end = Some(to);
    }
    Ok(())
}

/// The start and end of the rounded corner between two lines, if they form one.
fn corner(line: &Line, next: &Line) -> Option<(Point, Point)> {
    let level = |line: &Line| line.from.y == line.to.y;
    let upright = |line: &Line| line.from.x == line.to.x;
    if !(level(line) && upright(next) || upright(line) && level(next)) {
        return None;
    }
    let near = |line: &Line, end: Point, other: Point| {
        let length = (line.to.x - line.from.x).abs() + (line.to.y - line.from.y).abs();
        let part = if length > 0.0 { CORNER.min(length / 2.0) / length } else { 0.0 };
        Point::new(end.x + (other.x - end.x) * part, end.y + (other.y - end.y) * part)
    };
    Some((near(line, line.to, line.from), near(next, next.from, next.to)))
}

/// An output that is the node's own input: from the right side of the box back into it.
pub(super) fn own_input(at: Point, size: Size, svg: &mut String) -> fmt::Result {
    let (right, middle) = (at.x + size.half, at.y + size.height / 2.0);
    let (low, high) = (middle + 7.0, middle - 7.0);
    let out = right + LOOP * 0.9;
    writeln!(
        svg,
        "<g class=\"back\"><path class=\"wire\" d=\"M{x} {low}C{out} {low} {out} {high} {x} {high}\"/>\
         <path class=\"tip\" d=\"M{x} {high}l{} {}v{}z\"/></g>",
        Short(ARROW.0),
        Short(-ARROW.1),
        Short(2.0 * ARROW.1),
        x = Short(right),
        low = Short(low),
        high = Short(high),
        out = Short(out),
    )
}

/// The arrow head that ends at `point`.
pub(super) fn arrow(point: Point, upwards: bool, svg: &mut String) -> fmt::Result {
    let (length, half) = ARROW;
    let length = if upwards { length } else { -length };
    let (x, y) = (Short(point.x), Short(point.y));
    let (half, whole) = (Short(half), Short(-2.0 * half));
    writeln!(svg, "<path class=\"tip\" d=\"M{x} {y}l{half} {}h{whole}z\"/>", Short(length))
}
