//! Converts ranks and axes to points: the heights of the ranks, the ends of edges at boxes, and the paths of edges.

use super::layers::{Layers, Root, Trunk};
use super::pack::right_end;
use super::{Downward, Layout, Line, Per, Point, Size, Tip, Wire, length};

/// The minimum distance between two ranks, for edges to bend.
pub(super) const GAP: f64 = 30.0;
/// The maximum additional distance, for edges that go far to the side.
const MORE: f64 = 90.0;
/// The distance between two edges that arrive at one box, if there is space.
const PORT: f64 = 16.0;
/// The minimum distance of an edge to a corner of the box.
const CORNER: f64 = 10.0;
/// The distance from the axis at which edges that close a cycle leave.
const ASIDE: f64 = 14.0;

/// The heights of a rank: the ends of its boxes, of the space below them, and of the rank.
#[derive(Clone, Copy, Default)]
struct Band {
    top: f64,
    /// Half the height of its highest box.
    middle: f64,
    bottom: f64,
}

struct Drawing<'a> {
    sizes: &'a [Size],
    edges: &'a [Downward],
    layers: &'a Layers,
    places: &'a [f64],
    bands: Vec<Band>,
    /// Where each edge arrives, relative to the axis.
    ports: Per<f64>,
}

pub(super) fn draw(sizes: &[Size], edges: &[Downward], layers: &Layers, places: &[f64]) -> Layout {
    let (bands, ports) = (Vec::new(), Per::new(edges.len()));
    let mut drawing = Drawing { sizes, edges, layers, places, bands, ports };
    drawing.spread_ports();
    drawing.stack();
    let wires = layers.trunks.iter().map(|(root, trunk)| drawing.wire(*root, trunk));
    let wires: Vec<Wire> = wires.collect();
    let nodes = (0..sizes.len()).map(|node| Point::new(drawing.axis(node), drawing.box_top(node)));
    let nodes: Vec<Point> = nodes.collect();
    let ends = sizes.iter().zip(&nodes).map(|(size, point)| right_end(size, point.x));
    let passing = wires.iter().flat_map(|wire| &wire.lines).map(|line| line.to.x);
    Layout {
        width: ends.chain(passing).fold(0.0, f64::max),
        height: drawing.bands.last().map_or(0.0, |band| band.bottom),
        nodes,
        wires,
        ..Layout::default()
    }
}

impl Drawing<'_> {
    fn axis(&self, spot: usize) -> f64 {
        self.places.get(spot).copied().unwrap_or_default()
    }

    fn size(&self, node: usize) -> Size {
        self.sizes.get(node).copied().unwrap_or_default()
    }

    fn band(&self, spot: usize) -> Band {
        self.bands.get(self.layers.spot(spot).rank).copied().unwrap_or_default()
    }

    fn box_top(&self, node: usize) -> f64 {
        let band = self.band(node);
        band.top + band.middle - self.size(node).height / 2.0
    }

    /// The point where edges leave a box.
    fn start(&self, Root { upper, back }: Root) -> f64 {
        match back {
            false => self.axis(upper),
            true => self.axis(upper) - ASIDE.min(self.size(upper).half / 2.0),
        }
    }

    /// Distributes the ends of edges over the upper side of the box, in the order in which they arrive. A vertical
    /// edge ends at the axis.
    fn spread_ports(&mut self) {
        let mut arriving = Per::<Vec<(f64, usize)>>::new(self.sizes.len());
        for (root, trunk) in &self.layers.trunks {
            for (position, parting) in &trunk.edges {
                let from = match *parting == root.upper {
                    true => self.start(*root),
                    false => self.axis(*parting),
                };
                let lower = self.edges.get(*position).map_or(0, |edge| edge.lower);
                arriving.push(lower, (from, *position));
            }
        }
        for lower in 0..self.sizes.len() {
            let axis = self.axis(lower);
            let mut edges = arriving.list(lower).to_vec();
            edges.sort_by(|one, other| one.0.total_cmp(&other.0));
            let straight = |from: f64| (from - axis).abs() < 0.5;
            let middle = match edges.iter().position(|(from, _)| straight(*from)) {
                Some(middle) => length(middle),
                None => (length(edges.len()) - 1.0) / 2.0,
            };
            let outermost = middle.max(length(edges.len()) - 1.0 - middle);
            let available = (self.size(lower).half - CORNER).max(0.0);
            let step = if outermost > 0.0 { PORT.min(available / outermost) } else { PORT };
            for (count, (_, position)) in edges.iter().enumerate() {
                self.ports.put(*position, (length(count) - middle) * step);
            }
        }
    }

    /// Positions the ranks below each other.
    fn stack(&mut self) {
        let ranks = self.layers.layers.len();
        let (mut heights, mut below) = (Per::<f64>::new(ranks), Per::<f64>::new(ranks));
        let mut aside = Per::<f64>::new(ranks);
        for (spot, size) in self.layers.spots.iter().zip(self.sizes) {
            heights.change(spot.rank, |height| *height = height.max(size.height));
        }
        for (upper, spot) in self.layers.spots.iter().enumerate() {
            for lower in &spot.down {
                let way = (self.axis(upper) - self.axis(*lower)).abs();
                aside.change(spot.rank, |aside| *aside = aside.max(way));
            }
        }
        // The space below a small box may still be next to a large one.
        for (spot, size) in self.layers.spots.iter().zip(self.sizes) {
            let over = (heights.at(spot.rank) - size.height) / 2.0;
            below.change(spot.rank, |below| *below = below.max(size.below - over));
        }
        let mut top = 0.0;
        for rank in 0..ranks {
            let height = heights.at(rank);
            let bottom = top + height + below.at(rank).max(0.0);
            self.bands.push(Band { top, middle: height / 2.0, bottom });
            top = bottom + GAP + (aside.at(rank) * 0.12).min(MORE);
        }
    }

    fn wire(&self, root: Root, trunk: &Trunk) -> Wire {
        let Root { upper, back } = root;
        let mut wire = Wire { upper, back, ..Wire::default() };
        let start = self.start(root);
        let vertical = |lines: &mut Vec<Line>, x: f64, from: f64, to: f64| {
            if to > from {
                lines.push(Line { from: Point::new(x, from), to: Point::new(x, to) });
            }
        };
        let box_bottom = self.box_top(upper) + self.size(upper).height;
        vertical(&mut wire.lines, start, box_bottom, self.band(upper).bottom);
        let mut last = Point::new(start, self.band(upper).bottom);
        let mut partings = vec![(upper, last)];
        for &spot in &trunk.spots {
            let (x, band) = (self.axis(spot), self.band(spot));
            wire.lines.push(Line { from: last, to: Point::new(x, band.top) });
            vertical(&mut wire.lines, x, band.top, band.bottom);
            last = Point::new(x, band.bottom);
            partings.push((spot, last));
        }
        for (position, parting) in &trunk.edges {
            let Some(edge) = self.edges.get(*position) else { continue };
            let found = partings.binary_search_by_key(parting, |(spot, _)| *spot).ok();
            let from = found.and_then(|at| partings.get(at)).map_or(last, |(_, point)| *point);
            let x = self.axis(edge.lower) + self.ports.at(*position);
            let (band, top) = (self.band(edge.lower), self.box_top(edge.lower));
            wire.lines.push(Line { from, to: Point::new(x, band.top) });
            vertical(&mut wire.lines, x, band.top, top);
            let point = match back {
                false => Point::new(x, top),
                true => Point::new(start, box_bottom),
            };
            wire.tips.push(Tip { edge: edge.number, point, upwards: back });
        }
        wire
    }
}
