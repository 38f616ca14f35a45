//! Boxes: a bar with the operator, then the name, params and weights.

use std::fmt::{self, Write as _};

use super::super::picture::{Card, Line, Role, Source};
use super::path::LOOP;
use super::{LEADING, LINE, Short, Size};
use crate::graph::text;
use crate::layout::{Point, length};
use crate::write::markup::Escaped;

/// The font size of the first line.
const HEAD: f64 = 13.0;
/// The height of the bar.
const BAR: f64 = 20.0;
/// The padding between a box and its text.
const PADDING: f64 = 9.0;
/// The radius of the corners.
const CORNER: f64 = 4.0;

/// The size of a box with what is stacked below it, including the text below all.
pub(super) fn size(card: &Card, own_input: bool) -> Size {
    let sizes: Vec<Size> = card.parts().map(size_of_part).collect();
    let half = sizes.iter().map(|size| size.half).fold(0.0, f64::max);
    let height = sizes.iter().map(|size| size.height).sum();
    let below = match card.last().output.is_empty() {
        true => 0.0,
        false => LINE * LEADING + 4.0,
    };
    let output = if below > 0.0 { text::width(&card.last().output, LINE) + 8.0 } else { 0.0 };
    let own = if own_input { half + LOOP } else { half };
    Size { half, right: own.max(output), height, below }
}

/// Half the width, and the height of a box without what is stacked below it.
fn size_of_part(card: &Card) -> Size {
    let head = text::width(&card.head.text, HEAD);
    let lines = || card.lines().chain(&card.weight_lines);
    let widest = lines().map(|line| text::width(&line.text, LINE)).fold(head, f64::max);
    let half = match is_round(card) {
        true => widest / 2.0 + 1.6 * PADDING,
        false => widest / 2.0 + PADDING,
    };
    let rule = if has_rule(card) { PADDING * 0.8 } else { 0.0 };
    let body = match lines().count() {
        0 => 0.0,
        count => length(count) * LINE * LEADING + rule + PADDING * 0.7,
    };
    Size { half, height: BAR + body, ..Size::default() }
}

/// Inputs and outputs of the graph are round and have no bar.
fn is_round(card: &Card) -> bool {
    matches!(card.role, Role::Input | Role::Output)
}

/// Whether there is a line between other lines and weights.
fn has_rule(card: &Card) -> bool {
    !card.weight_lines.is_empty() && card.lines().next().is_some()
}

/// Draws a box with the middle of its upper side at that point, and what is stacked below it.
pub(super) fn draw(card: &Card, at: Point, size: Size, svg: &mut String) -> fmt::Result {
    let mut y = at.y;
    for part in card.parts() {
        let height = size_of_part(part).height;
        draw_part(part, Point::new(at.x, y), Size { height, ..size }, svg)?;
        y += height;
    }
    let output = &card.last().output;
    if !output.is_empty() {
        let (x, y) = (Short(at.x + 7.0), Short(y + LINE + 3.0));
        let shown = Escaped(output);
        writeln!(svg, "<text class=\"out\" x=\"{x}\" y=\"{y}\">{shown}</text>")?;
    }
    Ok(())
}

fn draw_part(card: &Card, at: Point, size: Size, svg: &mut String) -> fmt::Result {
    let class = match card.role {
        Role::Input => "input",
        Role::Output => "output",
        Role::Operator => "operator",
        Role::Constant => "constant",
        Role::Group => "group",
    };
    writeln!(svg, "<g class=\"{class} {}\">", card.shade().class())?;
    match card.title().as_str() {
        "" => {}
        title => writeln!(svg, "<title>{}</title>", Escaped(title))?,
    }
    let (left, width) = (Short(at.x - size.half), Short(2.0 * size.half));
    let (top, height) = (Short(at.y), Short(size.height));
    let radius = match is_round(card) {
        true => Short(size.height.min(2.0 * size.half) / 2.0),
        false => Short(CORNER),
    };
    writeln!(
        svg,
        "<rect class=\"box\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
         rx=\"{radius}\"/>"
    )?;
    if !is_round(card) {
        bar(at, size, svg)?;
    }
    let class = if is_round(card) { "head" } else { "head on" };
    let (x, y) = (Short(at.x), Short(at.y + BAR * 0.73));
    line(&card.head, class, &format_args!("x=\"{x}\" y=\"{y}\" text-anchor=\"middle\""), svg)?;
    let mut y = at.y + BAR;
    for one in card.lines() {
        y += LINE * LEADING;
        let y = Short(y);
        line(one, "", &format_args!("x=\"{x}\" y=\"{y}\" text-anchor=\"middle\""), svg)?;
    }
    if has_rule(card) {
        y += PADDING * 0.7;
        writeln!(svg, "<path class=\"rule\" d=\"M{left} {}h{width}\"/>", Short(y))?;
        y += PADDING * 0.1;
    }
    for one in &card.weight_lines {
        y += LINE * LEADING;
        let (x, y) = (Short(at.x - size.half + PADDING), Short(y));
        line(one, "", &format_args!("x=\"{x}\" y=\"{y}\""), svg)?;
    }
    svg.push_str("</g>\n");
    Ok(())
}

/// Draws a line. Those with words of this library have the class `own`, so that the web viewer can translate them.
fn line(line: &Line, class: &str, place: &fmt::Arguments<'_>, svg: &mut String) -> fmt::Result {
    let own = match line.source {
        Source::File => "",
        Source::Library => "own",
    };
    let space = if class.is_empty() || own.is_empty() { "" } else { " " };
    let shown = Escaped(&line.text);
    match (class, own) {
        ("", "") => writeln!(svg, "<text {place}>{shown}</text>"),
        _ => writeln!(svg, "<text class=\"{class}{space}{own}\" {place}>{shown}</text>"),
    }
}

/// The bar, with the upper corners of the box, and the lower ones if there is nothing below it.
fn bar(at: Point, size: Size, svg: &mut String) -> fmt::Result {
    let left = Short(at.x - size.half);
    let (top, wide) = (Short(at.y), Short(2.0 * (size.half - CORNER)));
    let r = Short(CORNER);
    write!(svg, "<path class=\"bar\" d=\"M{} {top}h{wide}", Short(at.x - size.half + CORNER))?;
    write!(svg, "q{r} 0 {r} {r}")?;
    let bottom = at.y + BAR.min(size.height);
    match size.height > BAR {
        true => write!(svg, "V{}H{left}", Short(bottom))?,
        false => {
            write!(svg, "V{}q0 {r} -{r} {r}h-{wide}q-{r} 0 -{r} -{r}", Short(bottom - CORNER))?;
        }
    }
    writeln!(svg, "V{}q0 -{r} {r} -{r}z\"/>", Short(at.y + CORNER))
}
