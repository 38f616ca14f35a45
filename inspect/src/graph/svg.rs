//! Draws a picture as SVG.

use std::fmt::{self, Display, Write as _};

use super::colours::{DARK, LIGHT, Theme};
use super::family::Family;
use super::picture::{Card, Picture, Role};
use super::text;
use crate::layout::{self, Edge, Layout, Line, Point, Size};
use crate::write::markup::Escaped;
use crate::write::width::ends;

/// The font sizes: of the first line of a box, of the other lines, of the text below it.
const HEAD: f64 = 13.0;
const LINE: f64 = 11.0;
const OUTPUT: f64 = 11.0;
/// The distance of lines, as a multiple of the font size.
const LEADING: f64 = 1.4;
/// The padding between a box and its text.
const PADDING: f64 = 9.0;
/// The margin of the picture.
const MARGIN: f64 = 24.0;
/// The space for the loop of a node that is its own input.
const LOOP: f64 = 26.0;
/// The length of an arrow head, and half its width.
const ARROW: (f64, f64) = (7.0, 3.6);

/// The radius of rounded corners of wires.
const CORNER: f64 = 5.0;

/// Maximum number of columns of a part of a box's label for screen readers.
const MOST_COLUMNS: usize = 400;

/// The area that is visible without scrolling on small screens.
const AT_ONCE: (f64, f64) = (400.0, 300.0);

/// The distances between items of the legend, and from the legend to the boxes.
const LEGEND_GAP: (f64, f64) = (18.0, 20.0);
/// The width and height of a box in the legend, and the distance to its text.
const SWATCH: (f64, f64, f64) = (16.0, 11.0, 6.0);

const STYLE: &str = "
text{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace;\
font-size:11px;white-space:pre}
.head{font-size:13px;font-weight:bold}
.box{stroke-width:1.2}
.rule{stroke-width:1}
.wire{fill:none;stroke-width:1.3;stroke-linecap:round}
.back .wire{stroke-dasharray:5 4}
";

/// The style of a picture. Programs that ignore media queries draw the light colours.
fn style(theme: Theme) -> String {
    let dark = DARK.rules();
    match theme {
        Theme::Dark => format!("{STYLE}{dark}"),
        Theme::Auto => {
            let light = LIGHT.rules();
            format!("{STYLE}{light}@media (prefers-color-scheme:dark){{\n{dark}}}\n")
        }
    }
}

/// A drawing.
#[derive(Debug, Default)]
pub struct Svg {
    pub text: String,
    pub width: f32,
    pub height: f32,
}

/// The size of a box, including the text below it.
fn size(card: &Card, own_input: bool) -> Size {
    let head = text::width(&card.head, HEAD);
    let lines = card.lines().chain(&card.weights);
    let widest = lines.map(|line| text::width(line, LINE)).fold(head, f64::max);
    let half = match card.role {
        Role::Input | Role::Output => widest / 2.0 + 1.6 * PADDING,
        _ => widest / 2.0 + PADDING,
    };
    let weights = match card.weights.len() {
        0 => 0.0,
        count => layout::length(count) * LINE * LEADING + PADDING,
    };
    let lines = layout::length(card.lines().count()) * LINE * LEADING;
    let below = match card.output.is_empty() {
        true => 0.0,
        false => OUTPUT * LEADING + 4.0,
    };
    let output = if below > 0.0 { text::width(&card.output, OUTPUT) + 8.0 } else { 0.0 };
    let own = if own_input { half + LOOP } else { half };
    Size { half, right: own.max(output), height: HEAD * LEADING + lines + weights + PADDING, below }
}

/// The legend: the colours of the families in the picture.
#[derive(Default)]
struct Legend {
    items: Vec<(Point, Family)>,
    width: f64,
    /// Including the distance to the boxes.
    height: f64,
}

impl Legend {
    /// Lays out the legend at that width.
    fn of(picture: &Picture, most: f64) -> Self {
        let mut legend = Legend::default();
        let (mut x, mut y) = (0.0, 0.0);
        for family in picture.families() {
            let (swatch, _, gap) = SWATCH;
            let width = swatch + gap + text::width(family.name(), LINE);
            if x > 0.0 && x + width > most {
                (x, y) = (0.0, y + LINE * LEADING * 1.2);
            }
            legend.items.push((Point::new(x, y), family));
            legend.width = legend.width.max(x + width);
            legend.height = y + SWATCH.1 + LEGEND_GAP.1;
            x += width + LEGEND_GAP.0;
        }
        legend
    }

    fn draw(&self, svg: &mut String) -> fmt::Result {
        if self.items.is_empty() {
            return Ok(());
        }
        writeln!(svg, "<g class=\"legend\" transform=\"translate({MARGIN} {MARGIN})\">")?;
        for (at, family) in &self.items {
            let (x, y, name) = (Short(at.x), Short(at.y), family.name());
            let (width, height, gap) = SWATCH;
            let (after, line) = (Short(at.x + width + gap), Short(at.y + height - 1.5));
            writeln!(
                svg,
                "<g class=\"{name}\"><rect class=\"box\" x=\"{x}\" y=\"{y}\" width=\"{width}\" \
                 height=\"{height}\" rx=\"3\"/><text x=\"{after}\" y=\"{line}\">{name}</text></g>"
            )?;
        }
        svg.push_str("</g>\n");
        Ok(())
    }
}

/// A picture with the positions of its boxes and connections. Methods are called with the same picture.
#[derive(Debug)]
pub struct Drawing {
    sizes: Vec<Size>,
    loops: Vec<bool>,
    layout: Layout,
}

/// A part of a drawing.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Area {
    /// Whether it has a point in common with the rectangle between two points.
    fn meets(&self, one: Point, other: Point) -> bool {
        one.x.min(other.x) <= self.right
            && one.x.max(other.x) >= self.left
            && one.y.min(other.y) <= self.bottom
            && one.y.max(other.y) >= self.top
    }
}

impl Drawing {
    /// Lays out the picture.
    pub fn new(picture: &Picture) -> Self {
        let mut loops = vec![false; picture.cards.len()];
        for wire in picture.wires.iter().filter(|wire| wire.from == wire.to) {
            if let Some(own) = loops.get_mut(wire.from) {
                *own = true;
            }
        }
        let sizes: Vec<Size> =
            picture.cards.iter().zip(&loops).map(|(card, own)| size(card, *own)).collect();
        let edges: Vec<Edge> =
            picture.wires.iter().map(|wire| Edge { from: wire.from, to: wire.to }).collect();
        let layout = layout::arrange(&sizes, &edges);
        Drawing { sizes, loops, layout }
    }

    /// The whole drawing.
    pub fn write(&self, picture: &Picture, theme: Theme) -> Svg {
        let legend = Legend::of(picture, self.layout.width);
        let whole = |length: f64| {
            #[expect(clippy::cast_possible_truncation, reason = "pixels need no more digits")]
            let whole = (length + 2.0 * MARGIN).ceil() as f32;
            whole
        };
        let width = whole(self.layout.width.max(legend.width));
        let height = whole(self.layout.height + legend.height);
        let mut svg = Svg { text: String::new(), width, height };
        // Writing to a string cannot fail.
        let _ = self.draw(picture, &legend, &style(theme), &mut svg);
        svg
    }

    /// The boxes and connections in an area, as elements of SVG without a root. Each box is in a group with the id
    /// `box` and its index.
    pub fn part(&self, picture: &Picture, area: &Area) -> String {
        let mut svg = String::new();
        let _ = self.draw_part(picture, area, &mut svg);
        svg
    }

    fn draw_part(&self, picture: &Picture, area: &Area, svg: &mut String) -> fmt::Result {
        for wire in &self.layout.wires {
            let lines = wire.lines.iter().filter(|line| area.meets(line.from, line.to));
            let lines: Vec<Line> = lines.copied().collect();
            if lines.is_empty() {
                continue;
            }
            self.wire(picture, wire, &lines, |point| area.meets(point, point), svg)?;
        }
        let boxes = self.boxes().zip(&picture.cards).enumerate();
        for (node, ([left, top, width, height], card)) in boxes {
            let (from, to) = (Point::new(left, top), Point::new(left + width, top + height));
            if area.meets(from, to) {
                write!(
                    svg,
                    "<g id=\"box{node}\" role=\"option\" aria-selected=\"false\" aria-label=\""
                )?;
                let parts = [&card.head, &card.called, &card.output];
                for (at, part) in parts.into_iter().filter(|part| !part.is_empty()).enumerate() {
                    let part = ends(part, MOST_COLUMNS);
                    write!(svg, "{}{}", if at > 0 { ", " } else { "" }, Escaped(&part))?;
                }
                svg.push_str("\">");
                self.card(node, card, svg)?;
                svg.push_str("</g>\n");
            }
        }
        Ok(())
    }

    /// The width and height.
    pub fn extent(&self) -> [f64; 2] {
        [self.layout.width, self.layout.height]
    }

    /// The left and upper end, the width and the height of each box.
    pub fn boxes(&self) -> impl Iterator<Item = [f64; 4]> {
        let boxes = self.sizes.iter().zip(&self.layout.nodes);
        boxes.map(|(size, at)| [at.x - size.half, at.y, 2.0 * size.half, size.height])
    }

    /// Both ends of the lines of all connections.
    pub fn lines(&self) -> impl Iterator<Item = [f64; 4]> {
        let lines = self.layout.wires.iter().flat_map(|wire| &wire.lines);
        lines.map(|Line { from, to }| [from.x, from.y, to.x, to.y])
    }

    fn draw(
        &self,
        picture: &Picture,
        legend: &Legend,
        style: &str,
        Svg { text: svg, width, height }: &mut Svg,
    ) -> fmt::Result {
        let Picture { title, summary, .. } = picture;
        writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title summary\">"
        )?;
        writeln!(svg, "<title id=\"title\">{}</title>", Escaped(title))?;
        writeln!(svg, "<desc id=\"summary\">{}</desc>", Escaped(summary))?;
        writeln!(svg, "<style>{style}</style>")?;
        writeln!(svg, "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>")?;
        legend.draw(svg)?;
        let top = Short(MARGIN + legend.height);
        writeln!(svg, "<g transform=\"translate({MARGIN} {top})\">")?;
        for wire in &self.layout.wires {
            self.wire(picture, wire, &wire.lines, |_| true, svg)?;
        }
        for (node, card) in picture.cards.iter().enumerate() {
            self.card(node, card, svg)?;
        }
        svg.push_str("</g>\n");
        self.scroll(picture, legend, svg)?;
        svg.push_str("</svg>\n");
        Ok(())
    }

    /// Scrolls to the inputs when a browser opens a wide drawing. They are in the middle, but browsers show the upper
    /// left corner, where a wide drawing is empty. Does nothing when the SVG is embedded in HTML.
    fn scroll(&self, picture: &Picture, legend: &Legend, svg: &mut String) -> fmt::Result {
        let mut cards = picture.cards.iter().zip(&self.layout.nodes);
        let first = cards.clone().find(|(card, _)| card.role == Role::Input).or(cards.next());
        let Some((_, at)) = first.filter(|(_, at)| at.x > AT_ONCE.0 || at.y > AT_ONCE.1) else {
            return Ok(());
        };
        let (x, y) = (Short(at.x + MARGIN), Short(at.y + legend.height));
        writeln!(
            svg,
            "<script>if (document.documentElement.localName === \"svg\") \
             addEventListener(\"load\", () => scrollTo({x} - innerWidth / 2, {y}));</script>"
        )
    }

    /// Draws these lines of a wire, and its arrows at the selected points.
    fn wire(
        &self,
        picture: &Picture,
        wire: &layout::Wire,
        lines: &[Line],
        is_drawn: impl Fn(Point) -> bool,
        svg: &mut String,
    ) -> fmt::Result {
        writeln!(svg, "<g{}>", if wire.back { " class=\"back\"" } else { "" })?;
        let source = picture.cards.get(wire.upper).filter(|_| !wire.back);
        if let Some(card) = source.filter(|card| !card.called.is_empty()) {
            let space = if card.output.is_empty() { "" } else { ": " };
            let (called, output) = (Escaped(&card.called), Escaped(&card.output));
            writeln!(svg, "<title>{called}{space}{output}</title>")?;
        }
        svg.push_str("<path class=\"wire\" d=\"");
        path(lines, svg)?;
        svg.push_str("\"/>\n");
        for tip in wire.tips.iter().filter(|tip| is_drawn(tip.point)) {
            arrow(tip.point, tip.upwards, svg)?;
        }
        svg.push_str("</g>\n");
        Ok(())
    }

    fn card(&self, node: usize, card: &Card, svg: &mut String) -> fmt::Result {
        let at = self.layout.nodes.get(node).copied().unwrap_or_default();
        let size = self.sizes.get(node).copied().unwrap_or_default();
        let class = match card.role {
            Role::Input => "input",
            Role::Output => "output",
            Role::Operator => "operator",
            Role::Constant => "constant",
            Role::Group => "group",
        };
        writeln!(svg, "<g class=\"{class} {}\">", card.family.name())?;
        match card.title().as_str() {
            "" => {}
            title => writeln!(svg, "<title>{}</title>", Escaped(title))?,
        }
        let (left, width) = (Short(at.x - size.half), Short(2.0 * size.half));
        let (top, height) = (Short(at.y), Short(size.height));
        let radius = match card.role {
            Role::Input | Role::Output => Short(size.height.min(2.0 * size.half) / 2.0),
            _ => Short(4.0),
        };
        writeln!(
            svg,
            "<rect class=\"box\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
             rx=\"{radius}\"/>"
        )?;
        let mut y = at.y + PADDING / 2.0 + HEAD * 1.05;
        let (x, shown) = (Short(at.x), Escaped(&card.head));
        writeln!(
            svg,
            "<text class=\"head\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{shown}</text>",
            Short(y)
        )?;
        for line in card.lines() {
            y += LINE * LEADING;
            let (y, shown) = (Short(y), Escaped(line));
            writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{shown}</text>")?;
        }
        if !card.weights.is_empty() {
            y += PADDING * 0.7;
            writeln!(svg, "<path class=\"rule\" d=\"M{left} {}h{width}\"/>", Short(y))?;
            y += PADDING * 0.1;
        }
        for line in &card.weights {
            y += LINE * LEADING;
            let (x, shown) = (Short(at.x - size.half + PADDING), Escaped(line));
            writeln!(svg, "<text x=\"{x}\" y=\"{}\">{shown}</text>", Short(y))?;
        }
        if !card.output.is_empty() {
            let (x, y) = (Short(at.x + 7.0), Short(at.y + size.height + OUTPUT + 3.0));
            let shown = Escaped(&card.output);
            writeln!(svg, "<text class=\"out\" x=\"{x}\" y=\"{y}\">{shown}</text>")?;
        }
        svg.push_str("</g>\n");
        if self.loops.get(node) == Some(&true) {
            own_input(at, size, svg)?;
        }
        Ok(())
    }
}

/// Writes lines as a path. Corners between vertical and horizontal lines are rounded.
fn path(lines: &[Line], svg: &mut String) -> fmt::Result {
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
fn own_input(at: Point, size: Size, svg: &mut String) -> fmt::Result {
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
fn arrow(point: Point, upwards: bool, svg: &mut String) -> fmt::Result {
    let (length, half) = ARROW;
    let length = if upwards { length } else { -length };
    let (x, y) = (Short(point.x), Short(point.y));
    let (half, whole) = (Short(half), Short(-2.0 * half));
    writeln!(svg, "<path class=\"tip\" d=\"M{x} {y}l{half} {}h{whole}z\"/>", Short(length))
}

/// A length with only as many digits as are visible.
struct Short(f64);

impl Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Avoids a negative zero.
        write!(f, "{}", (self.0 * 10.0).round() / 10.0 + 0.0)
    }
}
