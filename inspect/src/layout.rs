//! A layered layout, top to bottom: the positions of boxes and of the wires between them. The input is only sizes and
//! connections.
//!
//! The steps are those of Sugiyama, Tagawa and Toda (1981): edges that close a cycle are reversed ([`acyclic`]),
//! nodes get ranks ([`rank`]), edges that cross a rank get a spot in it ([`layers`]), ranks are ordered so that few
//! edges cross ([`order`]), and spots get positions so that few edges bend ([`place`]). Every step takes time about
//! linear in boxes, edges and spots. A drawing that is long and narrow is folded into columns ([`fold`]).
//!
//! Edges from one node share a trunk until they branch, since they all carry the node's one output. Within the height
//! of a rank wires are vertical. They bend between ranks only, or run from column to column around the boxes: no wire
//! crosses a box. If edges would need too many spots, the longest ones are single lines behind the boxes ([`long`]).

mod acyclic;
mod fold;
mod layers;
mod long;
mod order;
mod pack;
mod per;
mod place;
mod rank;
mod route;
#[cfg(test)]
mod tests;

use self::layers::Layers;
use self::per::Per;

/// Maximum number of spots of edges that cross a rank.
const MOST_PASSING: usize = 400_000;

/// The space that a node takes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Size {
    /// Half the width of its box, left and right of the axis.
    pub half: f64,
    /// The space to keep free on the right of the axis, at least half the width of the box.
    pub right: f64,
    /// The height of its box.
    pub height: f64,
    /// The space to keep free below the box, where wires run straight down.
    pub below: f64,
}

/// A connection between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub from: usize,
    pub to: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    pub(crate) const fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }
}

/// A piece of a wire: straight if both ends have the same x or y, else an S that starts and ends vertically.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub from: Point,
    pub to: Point,
}

/// The end of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tip {
    /// The index of the edge.
    pub edge: usize,
    /// The point at the box.
    pub point: Point,
    /// Whether it arrives from below, as edges that close a cycle do.
    pub upwards: bool,
}

/// Edges with a common trunk.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Wire {
    /// The node at whose lower side the wire starts; edges that close a cycle end there.
    pub upper: usize,
    /// Whether the edges run upwards.
    pub back: bool,
    pub lines: Vec<Line>,
    pub tips: Vec<Tip>,
}

/// A drawing from (0, 0) to (width, height).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Layout {
    /// For each node the intersection of its axis with the upper side of its box.
    pub nodes: Vec<Point>,
    /// For each node its column, if the drawing is folded.
    pub columns: Vec<usize>,
    /// The left ends of all columns but the first, if there is one component: nothing but wires crosses them.
    pub starts: Vec<f64>,
    /// All edges except those from a node to itself.
    pub wires: Vec<Wire>,
    pub width: f64,
    pub height: f64,
}

/// Lays out a graph. Edges from or to missing nodes are ignored.
pub(crate) fn arrange(sizes: &[Size], edges: &[Edge]) -> Layout {
    arrange_with(sizes, edges, MOST_PASSING, None)
}

/// Lays out a graph in columns of at most that height, unless a rank is higher.
pub(crate) fn arrange_in_columns(sizes: &[Size], edges: &[Edge], highest: f64) -> Layout {
    arrange_with(sizes, edges, MOST_PASSING, Some(highest))
}

fn arrange_with(
    sizes: &[Size],
    edges: &[Edge],
    most_passing: usize,
    highest: Option<f64>,
) -> Layout {
    let drawable = |edge: &Edge| edge.from != edge.to && edge.from.max(edge.to) < sizes.len();
    let kept: Vec<(usize, Edge)> =
        edges.iter().copied().enumerate().filter(|(_, edge)| drawable(edge)).collect();
    let turned = acyclic::back_edges(sizes.len(), kept.iter().map(|(_, edge)| *edge));
    let downward: Vec<Downward> = kept
        .iter()
        .zip(turned)
        .map(|((number, edge), back)| match back {
            false => Downward { number: *number, upper: edge.from, lower: edge.to, back },
            true => Downward { number: *number, upper: edge.to, lower: edge.from, back },
        })
        .collect();
    let parts = pack::components(sizes.len(), &downward).into_iter().map(|part| {
        let ranks = rank::ranks(part.nodes.len(), &part.edges);
        (part, ranks)
    });
    let parts: Vec<_> = parts.collect();
    let limit = long::limit(&parts, most_passing);
    let mut long = Vec::new();
    let mut drawings = Vec::with_capacity(parts.len());
    for (part, ranks) in parts {
        let own: Vec<Size> =
            part.nodes.iter().map(|node| sizes.get(*node).copied().unwrap_or_default()).collect();
        let (short, longer) = long::split(part.edges, &ranks, limit);
        long.extend(longer.into_iter().map(|edge| edge.of_whole(&part.nodes)));
        let mut layers = Layers::new(&own, &short, &ranks);
        order::reduce_crossings(&mut layers);
        let places = place::places(&layers);
        let drawing = route::draw(&own, &short, &layers, &places);
        let drawing = fold::fold(&own, &short, &layers, &places, drawing, highest);
        drawings.push((part.nodes, drawing));
    }
    let mut layout = pack::pack(sizes.len(), drawings);
    long::draw(sizes, &long, &mut layout);
    layout
}

/// An edge in drawing direction: from a higher rank to a lower one.
#[derive(Clone, Copy, Debug)]
struct Downward {
    /// The index of the edge.
    number: usize,
    upper: usize,
    lower: usize,
    /// Whether it was reversed.
    back: bool,
}

impl Downward {
    /// The edge of the whole graph, of an edge of a component with these nodes.
    fn of_whole(self, nodes: &[usize]) -> Self {
        let node = |node: usize| nodes.get(node).copied().unwrap_or_default();
        Downward { upper: node(self.upper), lower: node(self.lower), ..self }
    }
}

/// A count as a length; larger counts than 2^32 do not occur.
pub(crate) fn length(count: usize) -> f64 {
    u32::try_from(count).unwrap_or(u32::MAX).into()
}
