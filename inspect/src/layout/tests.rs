//! Properties of every drawing, tested with random graphs.

use super::{Edge, Layout, Line, Point, Size, Wire, arrange, arrange_in_columns, arrange_with};

/// A deterministic pseudo-random number generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let high = usize::try_from(self.0 >> 33).unwrap();
        high % limit.max(1)
    }

    fn size(&mut self) -> Size {
        let mut length =
            |least: usize, more: usize| f64::from(u32::try_from(least + self.below(more)).unwrap());
        let half = length(20, 80);
        Size { half, right: half + length(0, 60), height: length(20, 60), below: length(0, 24) }
    }
}

/// A random graph with cycles, self-loops and duplicate edges.
fn random(dice: &mut Dice, nodes: usize, edges: usize) -> (Vec<Size>, Vec<Edge>) {
    let sizes = (0..nodes).map(|_| dice.size()).collect();
    let near = 1 + dice.below(nodes);
    let edge = |_| {
        let from = dice.below(nodes);
        let to = (from + dice.below(near)) % nodes;
        match dice.below(10) {
            0 => Edge { from: to, to: from },
            _ => Edge { from, to },
        }
    };
    (sizes, (0..edges).map(edge).collect())
}

const CLOSE: f64 = 0.01;

fn near(one: Point, other: Point) -> bool {
    (one.x - other.x).abs() < CLOSE && (one.y - other.y).abs() < CLOSE
}

fn check(sizes: &[Size], edges: &[Edge]) {
    let layout = arrange(sizes, edges);
    assert_eq!(layout.nodes.len(), sizes.len());
    boxes_keep_apart(sizes, &layout);
    edges_touch_their_boxes(sizes, edges, &layout);
    wires_cross_no_box(sizes, &layout);
    everything_is_inside(sizes, &layout);
}

fn boxes_keep_apart(sizes: &[Size], layout: &Layout) {
    let boxes: Vec<_> = sizes.iter().zip(&layout.nodes).collect();
    for (i, (size, at)) in boxes.iter().enumerate() {
        for (other, there) in &boxes[..i] {
            let is_apart = at.x + size.right < there.x - other.half
                || there.x + other.right < at.x - size.half;
            let over = at.y + size.height + size.below < there.y + CLOSE
                || there.y + other.height + other.below < at.y + CLOSE;
            assert!(is_apart || over, "{size:?} at {at:?}, {other:?} at {there:?}");
        }
    }
}

fn edges_touch_their_boxes(sizes: &[Size], edges: &[Edge], layout: &Layout) {
    let mut drawn = vec![0; edges.len()];
    for wire in &layout.wires {
        let (upper, size) = (layout.nodes[wire.upper], sizes[wire.upper]);
        let start = wire.lines[0].from;
        assert!((start.y - upper.y - size.height).abs() < CLOSE);
        assert!((start.x - upper.x).abs() <= size.half);
        for line in &wire.lines {
            let upwards = line.from.y > line.to.y + CLOSE;
            assert!(!upwards || line.from.x == line.to.x, "{line:?} is a curve that leads upwards");
        }
        for tip in &wire.tips {
            drawn[tip.edge] += 1;
            let edge = edges[tip.edge];
            assert_eq!(tip.upwards, wire.back);
            let (above, below) =
                if wire.back { (edge.to, edge.from) } else { (edge.from, edge.to) };
            assert_eq!(above, wire.upper);
            let (lower, size) = (layout.nodes[below], sizes[below]);
            let next_column = lower.x > upper.x + sizes[wire.upper].half;
            assert!(
                lower.y > upper.y || next_column,
                "only edges that close a cycle lead upwards in a column"
            );
            let arrives = |point: Point| {
                (point.y - lower.y).abs() < CLOSE && (point.x - lower.x).abs() <= size.half
            };
            match wire.back {
                false => assert!(arrives(tip.point), "{tip:?} at {lower:?}"),
                true => assert!(near(tip.point, start)),
            }
            // The lines are connected.
            let mut reached = vec![start];
            for line in &wire.lines {
                if reached.iter().any(|point| near(*point, line.from)) {
                    reached.push(line.to);
                }
            }
            assert!(reached.iter().any(|point| match wire.back {
                false => near(*point, tip.point),
                true => arrives(*point),
            }));
        }
    }
    for (edge, drawn) in edges.iter().zip(drawn) {
        assert_eq!(drawn, i32::from(edge.from != edge.to), "{edge:?}");
    }
}

fn wires_cross_no_box(sizes: &[Size], layout: &Layout) {
    for Line { from, to } in layout.wires.iter().flat_map(|wire| &wire.lines) {
        for (size, at) in sizes.iter().zip(&layout.nodes) {
            // A curve stays within the bounding box of its ends.
            let is_apart =
                from.x.max(to.x) < at.x - size.half || from.x.min(to.x) > at.x + size.half;
            let over =
                from.y.max(to.y) < at.y + CLOSE || from.y.min(to.y) > at.y + size.height - CLOSE;
            assert!(is_apart || over, "{from:?} to {to:?} through {size:?} at {at:?}");
        }
    }
}

fn everything_is_inside(sizes: &[Size], layout: &Layout) {
    for (size, at) in sizes.iter().zip(&layout.nodes) {
        assert!(at.x - size.half > -CLOSE && at.x + size.right < layout.width + CLOSE);
        assert!(at.y > -CLOSE && at.y + size.height < layout.height + CLOSE);
    }
    for line in layout.wires.iter().flat_map(|wire| &wire.lines) {
        for point in [line.from, line.to] {
            assert!(point.x > -CLOSE && point.x < layout.width + CLOSE);
            assert!(point.y > -CLOSE && point.y < layout.height + CLOSE);
        }
    }
}

#[test]
fn random_graphs_are_drawn_soundly() {
    let mut dice = Dice(1);
    for round in 0..150 {
        let nodes = 1 + dice.below(30);
        let edges = dice.below(nodes * 3);
        let (sizes, edges) = random(&mut dice, nodes, edges);
        println!("round {round}: {nodes} nodes, {} edges", edges.len());
        check(&sizes, &edges);
    }
    for nodes in [200, 400] {
        let (sizes, edges) = random(&mut dice, nodes, nodes * 3 / 2);
        check(&sizes, &edges);
    }
}

#[test]
fn nothing_and_edges_to_nowhere_are_drawn() {
    assert_eq!(arrange(&[], &[]), Layout::default());
    let edges = [Edge { from: 0, to: 7 }, Edge { from: 9, to: 0 }, Edge { from: 0, to: 0 }];
    let layout = arrange(&[Size::default()], &edges);
    assert!(layout.wires.is_empty());
}

/// A chain of `count` nodes.
fn chain(count: usize) -> Vec<Edge> {
    (1..count).map(|to| Edge { from: to - 1, to }).collect()
}

const SIZE: Size = Size { half: 50.0, right: 80.0, height: 30.0, below: 14.0 };

#[test]
fn chains_and_what_they_skip_keep_straight() {
    let mut edges = chain(24);
    edges.extend((0..20).step_by(4).map(|from| Edge { from, to: from + 4 }));
    let layout = arrange(&[SIZE; 24], &edges);
    for pair in layout.nodes.windows(2) {
        assert!((pair[0].x - pair[1].x).abs() < CLOSE);
        assert!(pair[0].y < pair[1].y);
    }
}

#[test]
fn trees_are_balanced() {
    let edges: Vec<Edge> = (1..8).map(|to| Edge { from: 0, to }).collect();
    let layout = arrange(&[SIZE; 8], &edges);
    let children = layout.nodes[1..].iter().map(|node| node.x);
    let (left, right) = (children.clone().fold(f64::MAX, f64::min), children.fold(0.0, f64::max));
    assert!((layout.nodes[0].x - (left + right) / 2.0).abs() < 1.0);
}

#[test]
fn crossings_that_need_not_be_are_gone() {
    // Two ranks of six, connected in the opposite order.
    let edges: Vec<Edge> = (0..6).map(|from| Edge { from, to: 11 - from }).collect();
    let mut edges = edges;
    edges.extend((1..6).map(|from| Edge { from, to: 12 - from }));
    let layout = arrange(&[SIZE; 12], &edges);
    for one in &edges {
        for other in &edges {
            let from = layout.nodes[one.from].x - layout.nodes[other.from].x;
            let to = layout.nodes[one.to].x - layout.nodes[other.to].x;
            assert!(from * to >= 0.0, "{one:?} crosses {other:?}");
        }
    }
}

/// With few spots, the longest edges are lines from box to box.
#[test]
fn edges_are_single_lines_if_they_need_too_many_spots() {
    let count = 200;
    let mut edges = chain(count);
    edges.extend((0..count - 2).map(|from| Edge { from, to: count - 1 }));
    let sizes = vec![SIZE; count];
    for (most, single) in [(0, 198..199), (300, 150..198), (100_000, 0..1)] {
        let layout = arrange_with(&sizes, &edges, most, None);
        boxes_keep_apart(&sizes, &layout);
        let tips = layout.wires.iter().map(|wire| wire.tips.len()).sum::<usize>();
        assert_eq!(tips, edges.len());
        let bottom = |wire: &Wire| layout.nodes[wire.upper].y + SIZE.height;
        let is_single = |wire: &&Wire| match wire.lines[..] {
            [Line { from, to }] => from.y == bottom(wire) && to == layout.nodes[count - 1],
            _ => false,
        };
        let found = layout.wires.iter().filter(is_single).count();
        assert!(single.contains(&found), "{most}: {found}");
    }
}

/// Whether an edge gets spots does not depend on the component it is in.
#[test]
fn equal_components_are_drawn_equally() {
    let count = 30;
    // A chain whose nodes also lead to its last node, twice.
    let edges = [0, count].into_iter().flat_map(|first| {
        let last = first + count - 1;
        (first..last).flat_map(move |from| [from + 1, last].map(|to| Edge { from, to }))
    });
    let edges: Vec<Edge> = edges.collect();
    let both = (count - 2) * (count - 1);
    for most in [both, both - 1, both * 3 / 4, both / 2, both / 4, 0] {
        let layout = arrange_with(&vec![SIZE; 2 * count], &edges, most, None);
        let (one, other) = layout.nodes.split_at(count);
        let moved = |at: &Point, first: &Point| Point::new(at.x - first.x, at.y - first.y);
        for (at, there) in one.iter().zip(other) {
            assert!(near(moved(at, &one[0]), moved(there, &other[0])), "{most}");
        }
        let lines = |first: usize| {
            let own = layout.wires.iter().filter(|wire| wire.upper / count == first);
            own.map(|wire| wire.lines.len()).collect::<Vec<_>>()
        };
        assert_eq!(lines(0), lines(1), "{most}");
    }
}

/// Each layer is placed like the one before it, so that a long graph does not move to one side.
#[test]
fn repeated_layers_do_not_drift() {
    let mut edges = Vec::new();
    let mut count = 1;
    let mut input = 0;
    let mut layers = Vec::new();
    for _ in 0..20 {
        // Three branches of different length, two of which are joined first, and an edge that skips all of them.
        let mut add = |from: &[usize]| {
            edges.extend(from.iter().map(|from| Edge { from: *from, to: count }));
            count += 1;
            count - 1
        };
        let (query, key, value) = (add(&[input]), add(&[input]), add(&[input]));
        let key = add(&[key]);
        let scores = add(&[query, key]);
        let scores = add(&[scores]);
        let context = add(&[scores, value]);
        let sum = add(&[context, input]);
        let hidden = add(&[sum]);
        let hidden = add(&[hidden]);
        input = add(&[hidden, sum]);
        layers.push(input);
    }
    let layout = arrange_with(&vec![SIZE; count], &edges, 100_000, None);
    check(&vec![SIZE; count], &edges);
    // Within a column, the ends of layers have the same position.
    let ends: Vec<Point> = layers.iter().map(|node| layout.nodes[*node]).collect();
    let mut pairs = 0;
    for pair in ends.windows(2).filter(|pair| pair[1].y > pair[0].y) {
        assert!((pair[0].x - pair[1].x).abs() < 2.0 * SIZE.half, "{pair:?}");
        pairs += 1;
    }
    assert!(pairs > 10);
    let column = |from: usize| ends.iter().skip(from).zip(ends.iter().skip(from + 1));
    let (first, last) = (ends[0], column(0).take_while(|(one, next)| next.y > one.y).last());
    let (_, last) = last.unwrap();
    assert!((first.x - last.x).abs() < 2.0 * SIZE.half, "{first:?} {last:?}");
}

fn form(layout: &Layout) -> f64 {
    layout.width / layout.height
}

/// The number of columns: the positions where the next box of a chain is above the previous one.
fn columns(layout: &Layout) -> usize {
    1 + layout.nodes.windows(2).filter(|pair| pair[1].y < pair[0].y).count()
}

#[test]
fn long_chains_are_folded() {
    for (count, least) in [(50, 2), (200, 4), (1_000, 10), (5_000, 20)] {
        let sizes = vec![SIZE; count];
        let edges = chain(count);
        let layout = arrange(&sizes, &edges);
        assert!((1.0 / 3.0..3.0).contains(&form(&layout)), "{count}: {}", form(&layout));
        assert!(columns(&layout) >= least, "{count}: {} columns", columns(&layout));
        // Top to bottom, continuing with the next column on the right, at the same height.
        for pair in layout.nodes.windows(2) {
            match pair[1].y > pair[0].y {
                true => assert!((pair[0].x - pair[1].x).abs() < CLOSE),
                false => {
                    assert!(pair[1].x > pair[0].x + SIZE.right + SIZE.half);
                    assert!((pair[1].y - layout.nodes[0].y).abs() < CLOSE);
                }
            }
        }
        if count <= 1_000 {
            check(&sizes, &edges);
        }
    }
    // A drawing that is about one screen high stays in one column.
    let layout = arrange(&[SIZE; 20], &chain(20));
    assert_eq!(columns(&layout), 1);
}

/// A long graph whose ranks have up to `wide` nodes, with edges that pass some ranks.
fn long_random(dice: &mut Dice, ranks: usize, wide: usize) -> (Vec<Size>, Vec<Edge>) {
    let mut edges = Vec::new();
    let mut above = vec![0];
    let mut count = 1;
    for _ in 0..ranks {
        let here: Vec<usize> = (0..1 + dice.below(wide)).map(|more| count + more).collect();
        count += here.len();
        for to in &here {
            edges.push(Edge { from: above[dice.below(above.len())], to: *to });
            if dice.below(3) == 0 {
                edges.push(Edge { from: dice.below(*to), to: *to });
            }
        }
        if dice.below(12) == 0 {
            edges.push(Edge { from: here[0], to: dice.below(here[0]) });
        }
        above = here;
    }
    ((0..count).map(|_| dice.size()).collect(), edges)
}

#[test]
fn long_graphs_are_folded_whatever_passes_the_cuts() {
    let mut dice = Dice(5);
    for round in 0..6 {
        let ranks = 60 + dice.below(60);
        let wide = 1 + dice.below(3);
        let (sizes, edges) = long_random(&mut dice, ranks, wide);
        println!("round {round}: {} nodes, {} edges", sizes.len(), edges.len());
        check(&sizes, &edges);
        let layout = arrange(&sizes, &edges);
        assert!((1.0 / 3.0..3.0).contains(&form(&layout)), "{}", form(&layout));
    }
}

/// Between columns, edges without a common trunk do not cross or touch.
#[test]
fn edges_between_columns_keep_apart() {
    let mut edges = chain(120);
    // Five paths from the first box to the last one, and some that end before.
    edges.extend((1..6).map(|from| Edge { from, to: 119 - from }));
    edges.extend((10..100).step_by(7).map(|from| Edge { from, to: from + 9 }));
    edges.push(Edge { from: 110, to: 3 });
    let sizes = [SIZE; 120];
    check(&sizes, &edges);
    let layout = arrange(&sizes, &edges);
    let straight = |line: &&Line| line.from.x == line.to.x || line.from.y == line.to.y;
    let mut pairs = 0;
    for (at, wire) in layout.wires.iter().enumerate() {
        for other in &layout.wires[..at] {
            let level = wire.lines.iter().filter(straight).filter(|line| line.from.y == line.to.y);
            for across in level.filter(|line| line.from.x != line.to.x) {
                for line in other.lines.iter().filter(straight) {
                    let left = across.from.x.min(across.to.x).max(line.from.x.min(line.to.x));
                    let right = across.from.x.max(across.to.x).min(line.from.x.max(line.to.x));
                    let top = line.from.y.min(line.to.y).max(across.from.y);
                    let bottom = line.from.y.max(line.to.y).min(across.from.y);
                    assert!(left > right || top > bottom, "{across:?} meets {line:?}");
                    pairs += 1;
                }
            }
        }
    }
    assert!(pairs > 100);
}

#[test]
fn columns_are_as_high_as_they_may_be() {
    let (sizes, edges) = ([SIZE; 100], chain(100));
    let layout = arrange_in_columns(&sizes, &edges, 600.0);
    assert!(layout.height <= 700.0, "{}", layout.height);
    let count = layout.columns.iter().max().unwrap() + 1;
    assert_eq!(layout.starts.len() + 1, count);
    for (node, column) in layout.nodes.iter().zip(&layout.columns) {
        let (left, right) = (node.x - SIZE.half, node.x + SIZE.half);
        assert!(column.checked_sub(1).is_none_or(|before| layout.starts[before] < left));
        assert!(layout.starts.get(*column).is_none_or(|end| *end > right));
    }
}
