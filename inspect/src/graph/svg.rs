//! Draws a picture as SVG.

use std::fmt::{self, Display, Write as _};

use super::colours::{DARK, LIGHT, Theme};
use super::family::Family;
use super::picture::{Card, Picture, Role};
use super::text;
use crate::layout::{self, Edge, Layout, Line, Point, Size, TooLarge};
use crate::write::markup::Escaped;

/// The font sizes: of the first line of a box, of the other lines, of the text below it.
const HEAD: f64 = 13.0;
const LINE: f64 = 11.0;
const OUTPUT: f64 = 10.0;
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
.out{font-size:10px}
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

pub fn write(picture: &Picture, theme: Theme) -> Result<Svg, TooLarge> {
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
    let layout = layout::arrange(&sizes, &edges)?;
    let legend = Legend::of(picture, layout.width);
    let drawing = Drawing { picture, sizes, loops, layout, legend };
    let (width, height) = drawing.size();
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = drawing.draw(&style(theme), &mut text);
    Ok(Svg { text, width, height })
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

struct Drawing<'a> {
    picture: &'a Picture,
    sizes: Vec<Size>,
    loops: Vec<bool>,
    layout: Layout,
    legend: Legend,
}

impl Drawing<'_> {
    fn size(&self) -> (f32, f32) {
        let whole = |length: f64| (length + 2.0 * MARGIN).ceil();
        let narrow = |length: f64| {
            #[expect(clippy::cast_possible_truncation, reason = "pixels need no more digits")]
            let narrow = whole(length) as f32;
            narrow
        };
        let Drawing { layout, legend, .. } = self;
        (narrow(layout.width.max(legend.width)), narrow(layout.height + legend.height))
    }

    fn draw(&self, style: &str, svg: &mut String) -> fmt::Result {
        let (width, height) = self.size();
        let Picture { title, summary, .. } = self.picture;
        writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title summary\">"
        )?;
        writeln!(svg, "<title id=\"title\">{}</title>", Escaped(title))?;
        writeln!(svg, "<desc id=\"summary\">{}</desc>", Escaped(summary))?;
        writeln!(svg, "<style>{style}</style>")?;
        writeln!(svg, "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>")?;
        self.legend.draw(svg)?;
        let top = Short(MARGIN + self.legend.height);
        writeln!(svg, "<g transform=\"translate({MARGIN} {top})\">")?;
        for wire in &self.layout.wires {
            self.wire(wire, svg)?;
        }
        for (node, card) in self.picture.cards.iter().enumerate() {
            self.card(node, card, svg)?;
        }
        svg.push_str("</g>\n");
        self.scroll(svg)?;
        svg.push_str("</svg>\n");
        Ok(())
    }

    /// Scrolls to the inputs when a browser opens a wide drawing. They are in the middle, but browsers show the upper
    /// left corner, where a wide drawing is empty. Does nothing when the SVG is embedded in HTML.
    fn scroll(&self, svg: &mut String) -> fmt::Result {
        let mut cards = self.picture.cards.iter().zip(&self.layout.nodes);
        let first = cards.clone().find(|(card, _)| card.role == Role::Input).or(cards.next());
        let Some((_, at)) = first.filter(|(_, at)| at.x > AT_ONCE.0 || at.y > AT_ONCE.1) else {
            return Ok(());
        };
        let (x, y) = (Short(at.x + MARGIN), Short(at.y + self.legend.height));
        writeln!(
            svg,
            "<script>if (document.documentElement.localName === \"svg\") \
             addEventListener(\"load\", () => scrollTo({x} - innerWidth / 2, {y}));</script>"
        )
    }

    fn wire(&self, wire: &layout::Wire, svg: &mut String) -> fmt::Result {
        writeln!(svg, "<g{}>", if wire.back { " class=\"back\"" } else { "" })?;
        let source = self.picture.cards.get(wire.upper).filter(|_| !wire.back);
        if let Some(card) = source.filter(|card| !card.called.is_empty()) {
            let space = if card.output.is_empty() { "" } else { ": " };
            let (called, output) = (Escaped(&card.called), Escaped(&card.output));
            writeln!(svg, "<title>{called}{space}{output}</title>")?;
        }
        svg.push_str("<path class=\"wire\" d=\"");
        path(&wire.lines, svg)?;
        svg.push_str("\"/>\n");
        for tip in &wire.tips {
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
