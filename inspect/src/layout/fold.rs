//! Columns for a long and narrow drawing: its ranks are cut into pieces, which are drawn as columns from left to
//! right. An edge that crosses a cut leaves its column at the bottom, goes up in the channel between the two columns,
//! and enters the next column from above.

use std::collections::BTreeMap;
use std::ops::Range;

use super::layers::{Layers, Root, Spot, Trunk};
use super::{Downward, Layout, Line, Per, Point, Size, Tip, Wire, length, place, route};

/// A drawing of at most this height is not folded: about two screens.
const LONG: f64 = 2_000.0;
/// A drawing is folded if its height is more than this multiple of its width.
const NARROW: f64 = 3.0;
/// The target width of a folded drawing, as a multiple of its height.
const WANTED: f64 = 1.4;
/// The fraction of its height by which a column may be shorter, so that fewer edges cross its end.
const EARLY: f64 = 0.35;
/// The distance of two edges between columns.
const LANE: f64 = 10.0;
/// The distance of such an edge to the columns.
const ASIDE: f64 = 28.0;

/// The index of an edge that ends at the end of a column, so it is not an edge of the graph.
const NO_EDGE: usize = usize::MAX;

/// Draws the graph in columns if it is long and narrow otherwise, or higher than it may be.
pub(super) fn fold(
    sizes: &[Size],
    edges: &[Downward],
    layers: &Layers,
    places: &[f64],
    drawing: Layout,
    highest: Option<f64>,
) -> Layout {
    if drawing.height <= highest.unwrap_or(LONG.max(NARROW * drawing.width)) {
        return drawing;
    }
    let ranks = Ranks::new(sizes, layers, places, &drawing);
    let columns = match highest {
        Some(highest) => ranks.cut(highest),
        None => ranks.columns(),
    };
    if columns.len() < 2 {
        return drawing;
    }
    let graph = Graph::new(sizes, edges, layers, columns);
    let drawn = (0..graph.columns.len()).map(|column| graph.column(column));
    graph.side_by_side(drawn.collect())
}

/// The ranks of a drawing before folding.
struct Ranks {
    /// The top and bottom of the boxes of each rank.
    heights: Vec<(f64, f64)>,
    /// The extent of each rank to the left and to the right.
    widths: Vec<(f64, f64)>,
    /// The number of edges that cross a cut below each rank.
    passing: Vec<usize>,
}

impl Ranks {
    fn new(sizes: &[Size], layers: &Layers, places: &[f64], drawing: &Layout) -> Self {
        let count = layers.layers.len();
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let mut heights = Per::from(vec![none; count]);
        let mut widths = Per::from(vec![none; count]);
        let mut passing = Per::<usize>::new(count);
        let widen = |(low, high): &mut (f64, f64), from: f64, to: f64| {
            (*low, *high) = (low.min(from), high.max(to));
        };
        for (spot, axis) in layers.spots.iter().zip(places) {
            widths.change(spot.rank, |width| widen(width, axis - spot.left, axis + spot.right));
            passing.change(spot.rank, |count| *count += usize::from(!spot.down.is_empty()));
        }
        for ((spot, size), at) in layers.spots.iter().zip(sizes).zip(&drawing.nodes) {
            let end = at.y + size.height + size.below;
            heights.change(spot.rank, |height| widen(height, at.y, end));
        }
        let all = 0..count;
        Ranks {
            heights: all.clone().map(|rank| heights.at(rank)).collect(),
            widths: all.clone().map(|rank| widths.at(rank)).collect(),
            passing: all.map(|rank| passing.at(rank)).collect(),
        }
    }

    /// The ranks of each column, chosen so that the ratio of width to height is about `WANTED`.
    fn columns(&self) -> Vec<Range<usize>> {
        let count = self.heights.len();
        let whole = self.height(&(0..count));
        let cut = |parts: usize| {
            let columns = self.cut(whole / length(parts));
            let form = self.form(&columns);
            (form, columns)
        };
        // More columns only increase the width, so the two best numbers are next to each other.
        let (mut few, mut many) = (1, count.max(1));
        while few + 1 < many {
            let middle = few.midpoint(many);
            match cut(middle).0 > WANTED {
                true => many = middle,
                false => few = middle,
            }
        }
        let off = |form: f64| (form / WANTED).ln().abs();
        let (one, other) = (cut(few), cut(many));
        if off(other.0) < off(one.0) { other.1 } else { one.1 }
    }

    fn height(&self, ranks: &Range<usize>) -> f64 {
        let heights = self.heights.get(ranks.clone()).unwrap_or_default();
        match (heights.first(), heights.last()) {
            (Some((top, _)), Some((_, bottom))) => bottom - top,
            _ => 0.0,
        }
    }

    /// Cuts columns of at most that height, unless a single rank is higher.
    fn cut(&self, height: f64) -> Vec<Range<usize>> {
        let mut columns = Vec::new();
        let (mut start, count) = (0, self.heights.len());
        while start < count {
            let all = start..count;
            let mut end = count;
            if self.height(&all) > height {
                // Among the possible ends, the last one with the fewest crossing edges.
                end = start + 1;
                let mut fewest = usize::MAX;
                for next in all {
                    let reached = self.height(&(start..next + 1));
                    let passing = self.passing.get(next).copied().unwrap_or_default();
                    if reached > height {
                        break;
                    }
                    if reached < height * (1.0 - EARLY) {
                        end = next + 1;
                    } else if passing <= fewest {
                        (fewest, end) = (passing, next + 1);
                    }
                }
            }
            columns.push(start..end);
            start = end;
        }
        columns
    }

    /// The approximate total width of the columns, as a multiple of the height of the highest one.
    fn form(&self, columns: &[Range<usize>]) -> f64 {
        let mut width = 0.0;
        for column in columns {
            let widths = self.widths.get(column.clone()).unwrap_or_default();
            let left = widths.iter().map(|(left, _)| *left).fold(f64::INFINITY, f64::min);
            let right = widths.iter().map(|(_, right)| *right).fold(f64::NEG_INFINITY, f64::max);
            let passing = self.passing.get(column.end.saturating_sub(1)).copied().unwrap_or(0);
            width += right - left + 2.0 * ASIDE + length(passing) * LANE;
        }
        let highest = columns.iter().map(|column| self.height(column)).fold(1.0, f64::max);
        width / highest
    }
}

/// A graph whose ranks are cut into columns.
struct Graph<'a> {
    sizes: &'a [Size],
    edges: &'a [Downward],
    layers: &'a Layers,
    columns: Vec<Range<usize>>,
    /// The column of each rank.
    column_of: Per<usize>,
    /// The position of each spot in its rank, from the left.
    positions: Per<usize>,
    /// The edges that cross the cut after each column, from left to right.
    passing: Vec<Vec<Root>>,
    /// The nodes of each column.
    nodes: Per<Vec<usize>>,
    /// The edges that begin in each column.
    starting: Per<Vec<Root>>,
}

/// A drawn column.
struct Column {
    layout: Layout,
    /// The nodes of the graph that it contains. The other nodes of the drawing are ends of edges.
    nodes: Vec<usize>,
    /// For each wire of the drawing, the edges of the graph that it belongs to.
    roots: BTreeMap<Root, Root>,
    /// The points where edges enter and leave.
    entries: Vec<Point>,
    exits: Vec<Point>,
}

impl<'a> Graph<'a> {
    fn new(
        sizes: &'a [Size],
        edges: &'a [Downward],
        layers: &'a Layers,
        columns: Vec<Range<usize>>,
    ) -> Self {
        let mut column_of = Per::<usize>::new(layers.layers.len());
        for (column, ranks) in columns.iter().enumerate() {
            ranks.clone().for_each(|rank| column_of.put(rank, column));
        }
        let mut positions = Per::<usize>::new(layers.spots.len());
        for layer in &layers.layers {
            layer.iter().enumerate().for_each(|(place, spot)| positions.put(*spot, place));
        }
        let mut nodes = Per::<Vec<usize>>::new(columns.len());
        for (node, spot) in layers.spots.iter().enumerate().take(sizes.len()) {
            nodes.push(column_of.at(spot.rank), node);
        }
        let starting = Per::new(columns.len());
        let mut passing = vec![Vec::new(); columns.len()];
        let mut graph = Graph {
            sizes,
            edges,
            layers,
            columns,
            column_of,
            positions,
            passing: Vec::new(),
            nodes,
            starting,
        };
        for (root, trunk) in &layers.trunks {
            let first = graph.first_column(*root);
            graph.starting.push(first, *root);
            for column in graph.first_column(*root)..graph.last_column(trunk) {
                let last = graph.columns.get(column).map_or(0, |ranks| ranks.end - 1);
                let position = graph.positions.at(graph.spot(*root, trunk, last));
                if let Some(passing) = passing.get_mut(column) {
                    // Edges that close a cycle leave on the left of the others.
                    passing.push((position, !root.back, *root));
                }
            }
        }
        let in_order = |mut passing: Vec<(usize, bool, Root)>| {
            passing.sort_unstable();
            passing.into_iter().map(|(_, _, root)| root).collect()
        };
        graph.passing = passing.into_iter().map(in_order).collect();
        graph
    }

    fn column_of_node(&self, node: usize) -> usize {
        self.column_of.at(self.layers.spot(node).rank)
    }

    fn first_column(&self, root: Root) -> usize {
        self.column_of_node(root.upper)
    }

    fn last_column(&self, trunk: &Trunk) -> usize {
        let lower = |(position, _): &(usize, usize)| self.lower(*position);
        trunk.edges.iter().map(lower).map(|node| self.column_of_node(node)).max().unwrap_or(0)
    }

    fn lower(&self, edge: usize) -> usize {
        self.edges.get(edge).map_or(0, |edge| edge.lower)
    }

    /// The spot of a trunk in that rank.
    fn spot(&self, root: Root, trunk: &Trunk, rank: usize) -> usize {
        let below = rank.checked_sub(self.layers.spot(root.upper).rank + 1);
        let spot = below.and_then(|below| trunk.spots.get(below));
        spot.copied().unwrap_or(root.upper)
    }

    fn passing(&self, column: usize) -> &[Root] {
        self.passing.get(column).map(Vec::as_slice).unwrap_or_default()
    }

    /// Draws a column, with a rank above it for edges that enter and one below it for edges that leave.
    fn column(&self, column: usize) -> Column {
        let ranks = self.columns.get(column).cloned().unwrap_or_default();
        let entering = column.checked_sub(1).map(|before| self.passing(before)).unwrap_or_default();
        let leaving = self.passing(column);
        let top = usize::from(column > 0);
        let bottom = top + ranks.len();
        let is_inside = |node: &usize| ranks.contains(&self.layers.spot(*node).rank);
        let nodes = self.nodes.list(column).to_vec();
        let local = |node: usize| nodes.binary_search(&node).unwrap_or_default();
        let entry = |at: usize| nodes.len() + at;
        let exit = |at: usize| nodes.len() + entering.len() + at;

        let mut sizes: Vec<Size> =
            nodes.iter().map(|node| self.sizes.get(*node).copied().unwrap_or_default()).collect();
        sizes.resize(exit(leaving.len()), Size::default());
        let mut local_ranks: Vec<usize> =
            nodes.iter().map(|node| self.layers.spot(*node).rank - ranks.start + top).collect();
        local_ranks.resize(entry(entering.len()), 0);
        local_ranks.resize(exit(leaving.len()), bottom);

        let mut edges = Vec::new();
        let mut roots = BTreeMap::new();
        let mut starts = BTreeMap::new();
        for (at, root) in entering.iter().enumerate() {
            starts.insert(*root, entry(at));
        }
        for root in self.starting.list(column) {
            starts.insert(*root, local(root.upper));
        }
        for (root, &upper) in &starts {
            let Root { back, .. } = *root;
            roots.insert(Root { upper, back }, *root);
            for &(position, _) in self.layers.trunks.get(root).into_iter().flat_map(|it| &it.edges)
            {
                let lower = self.lower(position);
                if is_inside(&lower) {
                    let number = self.edges.get(position).map_or(NO_EDGE, |edge| edge.number);
                    edges.push(Downward { number, upper, lower: local(lower), back });
                }
            }
        }
        for (at, root) in leaving.iter().enumerate() {
            let upper = starts.get(root).copied().unwrap_or_default();
            edges.push(Downward { number: NO_EDGE, upper, lower: exit(at), back: root.back });
        }

        let layers = Layers::new(&sizes, &edges, &local_ranks);
        let layers = self.in_order(layers, &nodes, &roots, ranks.start, top);
        let places = place::places(&layers);
        let layout = route::draw(&sizes, &edges, &layers, &places);
        let ends = |range: Range<usize>| -> Vec<Point> {
            range.map(|end| layout.nodes.get(end).copied().unwrap_or_default()).collect()
        };
        let entries = ends(entry(0)..exit(0));
        let exits = ends(exit(0)..exit(leaving.len()));
        Column { layout, nodes, roots, entries, exits }
    }

    /// Orders spots as in the whole graph, so that no edges cross between columns. Ends of edges become passing
    /// spots.
    fn in_order(
        &self,
        mut layers: Layers,
        nodes: &[usize],
        roots: &BTreeMap<Root, Root>,
        start: usize,
        top: usize,
    ) -> Layers {
        for end in layers.spots.iter_mut().filter(|spot| spot.is_node).skip(nodes.len()) {
            *end = Spot {
                rank: end.rank,
                up: end.up.clone(),
                down: end.down.clone(),
                ..Spot::passing()
            };
        }
        let mut keys = Per::<usize>::new(layers.spots.len());
        for (spot, node) in nodes.iter().enumerate() {
            keys.put(spot, self.positions.at(*node));
        }
        // The ends are already numbered from left to right.
        for end in nodes.len()..layers.spots.len() {
            keys.put(end, end);
        }
        for (local, trunk) in &layers.trunks {
            let Some(root) = roots.get(local) else { continue };
            let Some(whole) = self.layers.trunks.get(root) else { continue };
            for spot in &trunk.spots {
                let rank = layers.spot(*spot).rank + start - top;
                keys.put(*spot, self.positions.at(self.spot(*root, whole, rank)));
            }
        }
        for layer in &mut layers.layers {
            layer.sort_by_key(|spot| keys.at(*spot));
        }
        layers
    }

    /// Places the columns next to each other, and routes edges from each to the next.
    fn side_by_side(&self, columns: Vec<Column>) -> Layout {
        let most = self.passing.iter().map(Vec::len).max().unwrap_or(0);
        let above = length(most) * LANE;
        let mut nodes = Per::<Point>::new(self.sizes.len());
        let mut wires = BTreeMap::<Root, Wire>::new();
        let mut all = Layout::default();
        let mut x = 0.0;
        let mut comes_from: Vec<Point> = Vec::new();
        for (number, column) in columns.into_iter().enumerate() {
            // The boxes of all columns begin at the same height.
            let y = if number == 0 { above + route::GAP } else { above };
            let moved = |point: Point| Point::new(point.x + x, point.y + y);
            if let Some(before) = number.checked_sub(1) {
                let entries = column.entries.iter().map(|entry| moved(*entry));
                let routes = comes_from.iter().zip(entries).zip(self.passing(before));
                for (lane, ((from, to), root)) in routes.enumerate() {
                    let outside = length(comes_from.len() - 1 - lane) * LANE;
                    let channel = x - ASIDE - length(lane) * LANE;
                    let turns = [
                        *from,
                        Point::new(from.x, from.y + LANE + outside),
                        Point::new(channel, from.y + LANE + outside),
                        Point::new(channel, to.y - LANE - length(lane) * LANE),
                        Point::new(to.x, to.y - LANE - length(lane) * LANE),
                        to,
                    ];
                    let lines = turns.iter().zip(turns.iter().skip(1));
                    let lines = lines.map(|(from, to)| Line { from: *from, to: *to });
                    wires.entry(*root).or_default().lines.extend(lines);
                }
            }
            for (node, point) in column.nodes.iter().zip(&column.layout.nodes) {
                nodes.put(*node, moved(*point));
            }
            for wire in column.layout.wires {
                let local = Root { upper: wire.upper, back: wire.back };
                let Some(&root) = column.roots.get(&local) else { continue };
                let whole = wires.entry(root).or_default();
                (whole.upper, whole.back) = (root.upper, root.back);
                let line = |line: Line| Line { from: moved(line.from), to: moved(line.to) };
                whole.lines.extend(wire.lines.into_iter().map(line));
                let tip = |tip: Tip| Tip { point: moved(tip.point), ..tip };
                let tips = wire.tips.into_iter().map(tip);
                match root.back {
                    false => whole.tips.extend(tips.filter(|tip| tip.edge != NO_EDGE)),
                    // All of these arrive at one point, where the wire begins.
                    true if number == self.first_column(root) => {
                        let point = tips.map(|tip| tip.point).next().unwrap_or_default();
                        let trunk = self.layers.trunks.get(&root).into_iter();
                        let edges = trunk.flat_map(|trunk| &trunk.edges);
                        let edges = edges.filter_map(|(position, _)| self.edges.get(*position));
                        whole.tips.extend(edges.map(|edge| Tip {
                            edge: edge.number,
                            point,
                            upwards: true,
                        }));
                    }
                    true => {}
                }
            }
            if number > 0 {
                all.starts.push(x - ASIDE / 2.0);
            }
            comes_from = column.exits.iter().map(|exit| moved(*exit)).collect();
            let lanes = length(comes_from.len());
            all.height = all.height.max(y + column.layout.height + lanes * LANE);
            all.width = x + column.layout.width;
            x = all.width + 2.0 * ASIDE + (lanes - 1.0).max(0.0) * LANE;
        }
        all.nodes = (0..self.sizes.len()).map(|node| nodes.at(node)).collect();
        all.columns = (0..self.sizes.len()).map(|node| self.column_of_node(node)).collect();
        all.wires = wires.into_values().collect();
        all
    }
}
