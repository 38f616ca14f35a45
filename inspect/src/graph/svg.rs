//! Draws a picture as SVG.

mod card;
mod front;
mod path;

use std::collections::BTreeMap;
use std::fmt::{self, Display, Write as _};

use self::front::Front;
use self::path::{arrow, own_input, path};
use super::colours::{DARK, LIGHT, Theme};
use super::picture::{Card, MOST_TITLE_COLUMNS, Picture, Repeat, Role, Shade};
use crate::layout::{self, Edge, Layout, Line, Point, Size};
use crate::write::markup::Escaped;
use crate::write::width::ends;

/// The font size of most lines.
const LINE: f64 = 11.0;
/// The distance of lines, as a multiple of the font size.
const LEADING: f64 = 1.4;
/// The margin of the picture.
const MARGIN: f64 = 24.0;

/// Maximum number of columns of a part of a box's label for screen readers.
const MOST_COLUMNS: usize = 400;

/// The distance of the frame of repeated parts to their boxes.
const FRAME: f64 = 8.0;

/// The area that is visible without scrolling on small screens.
const AT_ONCE: (f64, f64) = (400.0, 300.0);

const STYLE: &str = "
text{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace;\
font-size:11px;white-space:pre}
.head{font-size:13px;font-weight:bold}
.title{font-size:16px}
.box{stroke-width:1.2}
.rule{stroke-width:1}
.frame{fill:none;stroke-width:1.2;stroke-dasharray:2 3}
.wire{fill:none;stroke-width:1.3;stroke-linecap:round}
.back .wire{stroke-dasharray:5 4}
";

/// The style of a picture. Programs that ignore media queries draw the light colours.
fn style(theme: Theme, shades: &[Shade]) -> String {
    let dark = DARK.rules(shades);
    match theme {
        Theme::Dark => format!("{STYLE}{dark}"),
        Theme::Auto => {
            let light = LIGHT.rules(shades);
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
    /// Where the boxes begin, below the title and the legend.
    pub top: f32,
    /// Where a page may begin, from left to right: nothing but connections crosses these lines.
    pub starts: Vec<f32>,
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
        Self::with(picture, layout::arrange)
    }

    /// Lays out the picture in columns of at most that height, unless boxes beside each other are higher.
    pub fn in_columns(picture: &Picture, highest: f64) -> Self {
        Self::with(picture, |sizes, edges| layout::arrange_in_columns(sizes, edges, highest))
    }

    fn with(picture: &Picture, arrange: impl Fn(&[Size], &[Edge]) -> Layout) -> Self {
        let mut loops = vec![false; picture.cards.len()];
        for wire in picture.wires.iter().filter(|wire| wire.from == wire.to) {
            if let Some(own) = loops.get_mut(wire.from) {
                *own = true;
            }
        }
        let sizes: Vec<Size> =
            picture.cards.iter().zip(&loops).map(|(card, own)| card::size(card, *own)).collect();
        let edges: Vec<Edge> =
            picture.wires.iter().map(|wire| Edge { from: wire.from, to: wire.to }).collect();
        let layout = arrange(&sizes, &edges);
        Drawing { sizes, loops, layout }
    }

    /// The whole drawing.
    pub fn write(&self, picture: &Picture, theme: Theme) -> Svg {
        let front = Front::of(picture, self.layout.width);
        let whole = |length: f64| {
            #[expect(clippy::cast_possible_truncation, reason = "pixels need no more digits")]
            let whole = length.ceil() as f32;
            whole
        };
        let width = whole(self.layout.width.max(front.width) + 2.0 * MARGIN);
        let height = whole(self.layout.height + front.height + 2.0 * MARGIN);
        let top = whole(front.height + MARGIN);
        let starts = self.layout.starts.iter().map(|start| whole(start + MARGIN)).collect();
        let mut svg = Svg { text: String::new(), width, height, top, starts };
        // Writing to a string cannot fail.
        let _ = self.draw(picture, theme, &front, &mut svg);
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
        self.frames(picture, |one, other| area.meets(one, other), svg)?;
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
                let parts = [&card.head.text, &card.called, &card.output];
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
        theme: Theme,
        front: &Front,
        Svg { text: svg, width, height, .. }: &mut Svg,
    ) -> fmt::Result {
        let Picture { title, summary, .. } = picture;
        writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title summary\">"
        )?;
        writeln!(svg, "<title id=\"title\">{}</title>", Escaped(title))?;
        writeln!(svg, "<desc id=\"summary\">{}</desc>", Escaped(summary))?;
        let shades: Vec<Shade> = picture.legend().into_iter().map(|(shade, _)| shade).collect();
        writeln!(svg, "<style>{}</style>", style(theme, &shades))?;
        writeln!(svg, "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>")?;
        front.draw(svg)?;
        let top = Short(MARGIN + front.height);
        writeln!(svg, "<g transform=\"translate({MARGIN} {top})\">")?;
        self.frames(picture, |_, _| true, svg)?;
        for wire in &self.layout.wires {
            self.wire(picture, wire, &wire.lines, |_| true, svg)?;
        }
        for (node, card) in picture.cards.iter().enumerate() {
            self.card(node, card, svg)?;
        }
        svg.push_str("</g>\n");
        self.scroll(picture, front, svg)?;
        svg.push_str("</svg>\n");
        Ok(())
    }

    /// Scrolls to the inputs when a browser opens a wide drawing. They are in the middle, but browsers show the upper
    /// left corner, where a wide drawing is empty. Does nothing when the SVG is embedded in HTML.
    fn scroll(&self, picture: &Picture, front: &Front, svg: &mut String) -> fmt::Result {
        let mut cards = picture.cards.iter().zip(&self.layout.nodes);
        let first = cards.clone().find(|(card, _)| card.role == Role::Input).or(cards.next());
        let Some((_, at)) = first.filter(|(_, at)| at.x > AT_ONCE.0 || at.y > AT_ONCE.1) else {
            return Ok(());
        };
        let (x, y) = (Short(at.x + MARGIN), Short(at.y + front.height));
        writeln!(
            svg,
            "<script>if (document.documentElement.localName === \"svg\") \
             addEventListener(\"load\", () => scrollTo({x} - innerWidth / 2, {y}));</script>"
        )
    }

    /// Draws dashed lines around parts that are drawn once for several, with their number, one in each column.
    fn frames(
        &self,
        picture: &Picture,
        is_drawn: impl Fn(Point, Point) -> bool,
        svg: &mut String,
    ) -> fmt::Result {
        for Repeat { cards, count } in &picture.repeats {
            let mut corners = BTreeMap::<usize, (Point, Point)>::new();
            for card in cards {
                let at = self.layout.nodes.get(*card).copied().unwrap_or_default();
                let size = self.sizes.get(*card).copied().unwrap_or_default();
                let column = self.layout.columns.get(*card).copied().unwrap_or_default();
                let right = at.x + size.right.max(size.half) + FRAME;
                let left = at.x - size.half - FRAME;
                let (top, bottom) = (at.y - FRAME, at.y + size.height + size.below + FRAME);
                let (one, other) = corners.entry(column).or_insert((at, at));
                *one = Point::new(one.x.min(left), one.y.min(top));
                *other = Point::new(other.x.max(right), other.y.max(bottom));
            }
            for (one, other) in corners.into_values().filter(|(one, other)| is_drawn(*one, *other))
            {
                let (x, y) = (Short(one.x), Short(one.y));
                let (width, height) = (Short(other.x - one.x), Short(other.y - one.y));
                writeln!(
                    svg,
                    "<g class=\"repeat\"><rect class=\"frame\" x=\"{x}\" y=\"{y}\" \
                     width=\"{width}\" height=\"{height}\" rx=\"8\"/><text class=\"head\" \
                     x=\"{}\" y=\"{}\" text-anchor=\"end\">× {count}</text></g>",
                    Short(other.x - 4.0),
                    Short(one.y - 4.0),
                )?;
            }
        }
        Ok(())
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
        let source = source.map(Card::last);
        if let Some(card) = source.filter(|card| !card.called.is_empty()) {
            let space = if card.output.is_empty() { "" } else { ": " };
            let called = ends(&card.called, MOST_TITLE_COLUMNS);
            let (called, output) = (Escaped(&called), Escaped(&card.output));
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

    /// Draws a box, and the wire to itself if it has one.
    fn card(&self, node: usize, card: &Card, svg: &mut String) -> fmt::Result {
        let at = self.layout.nodes.get(node).copied().unwrap_or_default();
        let size = self.sizes.get(node).copied().unwrap_or_default();
        card::draw(card, at, size, svg)?;
        if self.loops.get(node) == Some(&true) {
            own_input(at, size, svg)?;
        }
        Ok(())
    }
}

/// A length with only as many digits as are visible.
struct Short(f64);

impl Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Avoids a negative zero.
        write!(f, "{}", (self.0 * 10.0).round() / 10.0 + 0.0)
    }
}
