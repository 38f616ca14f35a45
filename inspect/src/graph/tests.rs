//! Pictures of small modules and models.

use fourfold::tsm::{ModuleBuilder, Tensor as Values};
use fourfold_onnx::proto::{Attribute, Graph, Model, Node, Tensor, ValueInfo};

use super::colours::Theme;
use super::group::Groups;
use super::picture::{Card, Line, Picture, Source};
use super::svg::Drawing;
use super::{onnx, repeats, stack};

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

pub(super) fn node(op: &str, inputs: &[&str], outputs: &[&str]) -> Node {
    Node { op_type: op.into(), input: names(inputs), output: names(outputs), ..Node::default() }
}

pub(super) fn int(name: &str, value: i64) -> Attribute {
    Attribute { name: name.into(), i: Some(value), ..Attribute::default() }
}

pub(super) fn constant(name: &str, dims: &[i64], values: &[f32]) -> Tensor {
    let (name, dims) = (name.into(), dims.to_vec());
    Tensor { name, dims, data_type: 1, float_data: values.to_vec(), ..Tensor::default() }
}

/// The picture of a model from `x` to `y`.
pub(super) fn model(nodes: Vec<Node>, constants: Vec<Tensor>) -> Picture {
    let graph = Some(graph(nodes, constants));
    onnx::picture(&Model { graph, ..Model::default() }, "model")
}

fn graph(nodes: Vec<Node>, constants: Vec<Tensor>) -> Graph {
    let value = |name: &str| vec![ValueInfo { name: name.into(), ..ValueInfo::default() }];
    let (input, output) = (value("x"), value("y"));
    Graph { node: nodes, initializer: constants, input, output, ..Graph::default() }
}

/// The counts of repeated parts.
fn counts(mut picture: Picture) -> Vec<usize> {
    repeats::fold(&mut picture);
    picture.repeats.iter().map(|repeat| repeat.count).collect()
}

/// A chain of these parts; `in` and `out` in their values become the connections between them.
fn parts(parts: &[Vec<Node>], constants: Vec<Tensor>) -> Vec<usize> {
    let value = |at: usize, name: &str| match name {
        "in" if at == 0 => "x".into(),
        "in" => format!("{}.out", at - 1),
        "out" if at + 1 == parts.len() => "y".into(),
        name if name.starts_with("w") => name.into(),
        name => format!("{at}.{name}"),
    };
    let nodes = parts.iter().enumerate().flat_map(|(at, part)| {
        part.iter().map(move |node| {
            let renamed = |names: &[String]| names.iter().map(|name| value(at, name)).collect();
            Node { input: renamed(&node.input), output: renamed(&node.output), ..node.clone() }
        })
    });
    counts(model(nodes.collect(), constants))
}

#[test]
fn parts_with_other_connections_are_not_equal() {
    let part = |outputs: &[&str], inputs: &[&str]| {
        let halves = node("Split", &["in"], outputs);
        vec![halves, node("Relu", &["a"], &["r"]), node("Sub", inputs, &["out"])]
    };
    let usual = part(&["a", "b"], &["r", "b"]);
    assert_eq!(parts(&[usual.clone(), usual.clone(), usual.clone()], vec![]), [3]);
    let others = [part(&["b", "a"], &["r", "b"]), part(&["a", "b"], &["b", "r"])];
    for other in others {
        assert_eq!(parts(&[usual.clone(), other], vec![]), [0usize; 0]);
    }
    // A constant on the other side.
    let sides = |one: [&str; 2], other: [&str; 2]| {
        let part =
            |inputs: [&str; 2]| vec![node("Sub", &inputs, &["d"]), node("Relu", &["d"], &["out"])];
        parts(&[part(one), part(other)], vec![constant("w", &[2], &[1.0, 2.0])])
    };
    assert_eq!(sides(["in", "w"], ["in", "w"]), [2]);
    assert_eq!(sides(["in", "w"], ["w", "in"]), [0usize; 0]);
}

#[test]
fn parts_with_other_attributes_or_constants_are_not_equal() {
    let part = |attribute: Attribute, weight: &str| {
        let first = node("Gemm", &["in", weight], &["g"]);
        vec![Node { attribute: vec![attribute], ..first }, node("Relu", &["g"], &["out"])]
    };
    let constants = || {
        vec![
            constant("w1", &[2, 2], &[0.0; 4]),
            constant("w2", &[2, 2], &[1.0; 4]),
            constant("w4", &[4, 1], &[0.0; 4]),
            constant("w_one", &[], &[1.0]),
            constant("w_two", &[], &[2.0]),
        ]
    };
    let same = |one: &[Node], other: &[Node]| {
        !parts(&[one.to_vec(), other.to_vec()], constants()).is_empty()
    };
    let usual = part(int("transB", 1), "w1");
    assert!(same(&usual, &part(int("transB", 1), "w2")), "only the values of weights differ");
    assert!(!same(&usual, &part(int("transB", 0), "w1")));
    assert!(!same(&usual, &part(int("transB", 1), "w4")), "other sizes");
    let [one, two] = ["w_one", "w_two"].map(|name| part(int("transB", 1), name));
    assert!(!same(&one, &two), "another single number");
    // Longer than what is shown of it.
    let ints = |last: i64| Attribute {
        name: "pads".into(),
        ints: [vec![0; 100], vec![last]].concat(),
        ..Attribute::default()
    };
    assert!(same(&part(ints(1), "w1"), &part(ints(1), "w1")));
    assert!(!same(&part(ints(1), "w1"), &part(ints(2), "w1")));
}

#[test]
fn parts_with_other_long_params_are_not_equal() {
    let counts = |last: i32| {
        let mut graph = ModuleBuilder::new();
        let input = graph.param("x");
        let mut node = input;
        for (at, last) in [1, last].into_iter().enumerate() {
            let table = Values::list(&[[7; 9].as_slice(), &[last]].concat()).unwrap();
            let op = graph.op("lookup", &format!("n{at}"), [node]).set("table", table).node();
            node = graph.op("relu", &format!("r{at}"), [op]).node();
        }
        counts(Picture::of(&graph.build([input], [node]).unwrap(), "module"))
    };
    assert_eq!(counts(1), [2]);
    assert_eq!(counts(2), [0usize; 0]);
}

#[test]
fn groups_with_other_contents_are_not_equal() {
    let folded = |op: &str| {
        let named = |name: &str, node: Node| Node { name: name.into(), ..node };
        let mut picture = model(
            vec![
                named("a/conv/1", node("Exp", &["x"], &["1"])),
                named("a/conv/2", node("Abs", &["1"], &["2"])),
                named("b/conv/1", node("Exp", &["2"], &["3"])),
                named("b/conv/2", node(op, &["3"], &["4"])),
                named("c/conv/1", node("Exp", &["4"], &["5"])),
                named("c/conv/2", node("Abs", &["5"], &["y"])),
            ],
            vec![],
        );
        let closed = ["a/conv", "b/conv", "c/conv"].map(str::to_owned).into();
        Groups::of(&picture).close(&mut picture, &closed);
        assert_eq!(picture.cards.len(), 5);
        counts(picture)
    };
    assert_eq!(folded("Abs"), [3]);
    assert_eq!(folded("Neg"), [0usize; 0]);
}

#[test]
fn tooltips_are_short() {
    let long = "w\u{202e}\n".repeat(1_000);
    let names: Vec<String> = (0..100).map(|at| format!("{long}{at}")).collect();
    let constants = names.iter().map(|name| constant(name, &[1; 1000], &[0.0])).collect();
    let inputs: Vec<&str> = names.iter().map(String::as_str).collect();
    let picture = model(vec![node("Concat", &[&["x"], &*inputs].concat(), &["y"])], constants);
    let title = picture.cards[1].title();
    assert_eq!(title.lines().count(), 66);
    assert_eq!(title.lines().last(), Some("and 36 more"));
    assert!(title.lines().all(|line| line.chars().count() <= 200), "{title}");
    assert!(title.chars().all(|letter| letter == '\n' || !letter.is_control()));
    let attribute = (0..100).map(|at| int(&format!("{long}{at}"), at)).collect();
    let named = Node { name: long.clone(), attribute, ..node("Own", &["x"], &["y"]) };
    let picture = model(vec![named], vec![]);
    assert_eq!(picture.cards[1].title().lines().count(), 66);
    let svg = Drawing::new(&picture).write(&picture, Theme::Auto).text;
    assert!(svg.lines().all(|line| line.len() < 2_000), "titles of connections, too");
}

#[test]
fn defaults_are_in_tooltips_only() {
    let ints = |name: &str, ints: &[i64]| Attribute {
        name: name.into(),
        ints: ints.to_vec(),
        ..Attribute::default()
    };
    let attribute = vec![
        int("group", 1),
        ints("strides", &[1, 1]),
        ints("dilations", &[1, 2]),
        ints("pads", &[0, 0, 0, 0]),
        ints("kernel_shape", &[1, 1]),
    ];
    let inputs = ["x", "conv1.weight", "conv1.bias"];
    let conv = Node { name: "conv1".into(), attribute, ..node("Conv", &inputs, &["y"]) };
    let constants =
        || vec![constant("conv1.weight", &[1; 4], &[0.5]), constant("conv1.bias", &[1], &[0.5])];
    let picture = model(vec![conv.clone()], constants());
    let card = &picture.cards[1];
    assert_eq!(texts(&card.attribute_lines), ["dilations [1, 2], kernel_shape [1, 1]"]);
    assert_eq!(texts(&card.weight_lines), ["W = 0.5", "B = 0.5"]);
    let title = card.title();
    let lines: Vec<&str> = title.lines().collect();
    let expected = ["conv1", "group 1", "strides [1, 1]", "dilations [1, 2]", "pads [0, 0, 0, 0]"];
    assert_eq!(lines[..5], expected);
    assert_eq!(lines[6], "W = conv1.weight: float32 [1, 1, 1, 1]");
    // A shape is shown, other operators with the same name have no defaults.
    let (name, dims, int64_data) = ("s".into(), vec![2], vec![0, -1]);
    let shape = Tensor { name, dims, data_type: 7, int64_data, ..Tensor::default() };
    let reshape = model(vec![node("Reshape", &["x", "s"], &["y"])], vec![shape]);
    assert_eq!(texts(&reshape.cards[1].weight_lines), ["shape = [0, -1]"]);
    let other = Node { domain: "com.example".into(), ..conv };
    let card = &model(vec![other], constants()).cards[1];
    assert_eq!((card.attribute_lines.len(), &*card.weight_lines[0].text), (2, "weight = 0.5"));
}

#[test]
fn params_of_tennis_that_are_defaults_are_in_tooltips_only() {
    let mut graph = ModuleBuilder::new();
    let input = graph.param("x");
    let [usual, other] = [true, false].map(|smooth| {
        let node = graph.op("softmax", "prob", [input]).set("dim", 1).set("smooth", smooth);
        node.set("own", 7).node()
    });
    let picture = Picture::of(&graph.build([input], [usual, other]).unwrap(), "module");
    assert_eq!(texts(&picture.cards[1].attribute_lines), ["dim 1"]);
    assert_eq!(picture.cards[1].title(), "prob\ndim 1\nsmooth true\nown 7");
    assert_eq!(texts(&picture.cards[2].attribute_lines), ["dim 1, smooth false"]);
}

/// The texts of lines.
fn texts(lines: &[Line]) -> Vec<&str> {
    lines.iter().map(|line| line.text.as_str()).collect()
}

#[test]
fn defaults_have_the_type_of_their_attribute() {
    let float = |name: &str, value| Attribute::float(name, value);
    let norm = || node("LpNormalization", &["x"], &["y"]);
    let lines = |node: Node, attributes: Vec<Attribute>| {
        let picture = model(vec![Node { attribute: attributes, ..node }], vec![]);
        texts(&picture.cards[1].attribute_lines).join("; ")
    };
    let batch = || node("BatchNormalization", &["x"], &["y"]);
    assert_eq!(lines(batch(), vec![float("epsilon", 1e-5), float("momentum", 0.9)]), "");
    assert_eq!(lines(batch(), vec![float("epsilon", 1e-12)]), "epsilon 1e-12");
    assert_eq!(lines(norm(), vec![int("axis", -1), int("p", 1)]), "p 1");
    // Without numbers, a list is as none.
    let empty = |name: &str| Attribute {
        r#type: 7,
        ..Attribute { name: name.into(), ..Attribute::default() }
    };
    let lists = || vec![empty("kernel_shape"), empty("strides"), empty("output_shape")];
    assert_eq!(lines(node("ConvTranspose", &["x"], &["y"]), lists()), "");
    let own = Node { domain: "own".into(), ..node("ConvTranspose", &["x"], &["y"]) };
    assert_eq!(lines(own, vec![empty("strides")]), "strides []");
}

#[test]
fn outputs_of_the_graph_are_connected_with_their_output() {
    let split = node("Split", &["x"], &["first", "y"]);
    let picture = model(vec![split], vec![]);
    let wire = picture.wires.last().unwrap();
    assert_eq!((wire.from, wire.to, wire.output), (1, 2, 1));
}

#[test]
fn words_of_the_library_are_marked() {
    let inner = Graph { node: vec![node("Add", &[], &[])], ..Graph::default() };
    let then = Attribute { g: Some(Box::new(inner.clone())), ..int("then_branch", 0) };
    let then = Attribute { i: None, ..then };
    let note = Attribute { s: Some("graph of 3 nodes".into()), i: None, ..int("note", 0) };
    let called = |op: &str, output: &str| Node { name: "if".into(), ..node(op, &["x"], &[output]) };
    let both = Node { attribute: vec![note, then.clone()], ..called("input", "a") };
    let same = Node { attribute: vec![then], ..called("", "y") };
    let picture = model(vec![both, same], vec![]);
    let own = |line: &Line| (line.source == Source::Library).then(|| line.text.clone());
    let lines = picture.cards.iter().flat_map(|card| [&card.head].into_iter().chain(card.lines()));
    let branch = "then_branch graph of 1 node: Add 1";
    let expected = ["input", branch, "(no operator)", branch, "output"];
    assert_eq!(lines.filter_map(own).collect::<Vec<_>>(), expected);
    // Nodes of one name.
    let paths = picture.cards.iter().flat_map(|card| &card.graphs).map(|graph| graph.path.as_str());
    assert_eq!(paths.collect::<Vec<_>>(), ["if/then_branch", "if/then_branch#2"]);
}

/// The heads of all boxes, those of one box with a plus sign between them.
fn stacks(picture: &Picture) -> Vec<String> {
    let head = |card: &Card| card.head.text.clone();
    let stack = |card: &Card| card.parts().map(head).collect::<Vec<_>>().join("+");
    picture.cards.iter().map(stack).collect()
}

#[test]
fn activations_are_in_the_box_before_them() {
    let picture = |nodes: Vec<Node>| {
        let mut picture = model(nodes, vec![constant("w", &[2], &[0.0; 2])]);
        stack::stack(&mut picture);
        picture
    };
    let drawn = picture(vec![
        node("Conv", &["x", "w"], &["c"]),
        node("BatchNormalization", &["c", "w", "w"], &["n"]),
        node("Relu", &["n"], &["r"]),
        node("Relu", &["r"], &["r2"]),
        node("MatMul", &["r2", "w"], &["m"]),
        node("Add", &["m", "w"], &["b"]),
        node("Add", &["b", "r2"], &["y"]),
    ]);
    let expected = ["input", "Conv+BatchNormalization+Relu", "Relu", "MatMul+Add", "Add", "output"];
    assert_eq!(stacks(&drawn), expected);
    let wires = drawn.wires.iter().map(|wire| (wire.from, wire.to));
    assert_eq!(wires.collect::<Vec<_>>(), [(0, 1), (1, 2), (2, 3), (3, 4), (2, 4), (4, 5)]);
    let drawn = picture(vec![node("Split", &["x"], &["a", "b"]), node("Relu", &["b"], &["y"])]);
    assert_eq!(stacks(&drawn), ["input", "Split", "Relu", "output"]);
    // An output of the graph, and a box with two users.
    let drawn = picture(vec![node("Conv", &["x", "w"], &["y"]), node("Relu", &["y"], &["r"])]);
    assert_eq!(stacks(&drawn), ["input", "Conv", "Relu", "output"]);
    // No box grows without an end, and cycles stay.
    let names: Vec<String> = (0..9).map(|at| format!("v{at}")).collect();
    let scale = |at: usize| {
        let from = if at == 0 { "x" } else { &names[at - 1] };
        node("Add", &[from, "w"], &[&names[at]])
    };
    let drawn = picture((0..9).map(scale).collect());
    assert_eq!(drawn.cards.iter().map(|card| card.parts().count()).max(), Some(4));
    let drawn = picture(vec![node("Add", &["b", "w"], &["a"]), node("Add", &["a", "w"], &["b"])]);
    assert_eq!(stacks(&drawn), ["input", "Add", "Add"]);
}

#[test]
fn stacks_do_not_cross_the_frame_of_repeated_parts() {
    let mut nodes = vec![node("Conv", &["x", "w"], &["0"])];
    for at in 0..3 {
        let [from, middle, to] = [format!("{at}"), format!("m{at}"), format!("{}", at + 1)];
        nodes.push(node("BatchNormalization", &[&from, "w"], &[&middle]));
        nodes.push(node("Exp", &[&middle], &[&to]));
    }
    nodes.push(node("Relu", &["3"], &["y"]));
    let mut picture = model(nodes, vec![constant("w", &[2], &[0.0; 2])]);
    repeats::fold(&mut picture);
    stack::stack(&mut picture);
    let expected = ["input", "Conv", "BatchNormalization", "Exp", "Relu", "output"];
    assert_eq!(stacks(&picture), expected);
    assert_eq!(picture.repeats[0].cards, [2, 3]);
}

#[test]
fn graphs_in_attributes_are_drawn_by_their_path() {
    let with_graph = |op: &str, name: &str, attribute: &str, inner: Graph, outputs: &[&str]| {
        let name_of = attribute.to_owned();
        let g = Some(Box::new(inner));
        let attribute = vec![Attribute { name: name_of, g, ..Attribute::default() }];
        Node { name: name.into(), attribute, ..node(op, &["x"], outputs) }
    };
    let inner = graph(vec![node("Conv", &["middle", "w"], &["y"])], vec![]);
    let loop_ = with_graph("Loop", "again", "body", inner, &["l"]);
    let branch = graph(vec![loop_, node("Relu", &["l"], &["y"])], vec![]);
    let nodes =
        vec![node("Abs", &["x"], &["middle"]), with_graph("If", "", "then_branch", branch, &["y"])];
    let graph = Some(graph(nodes, vec![constant("w", &[2], &[0.0; 2])]));
    let model = Model { graph, ..Model::default() };
    let drawn = |path: &str| onnx::subgraph(&model, "m", path);
    let branch = drawn("y/then_branch").unwrap();
    assert_eq!(stacks(&branch), ["input", "outer value", "Loop", "Relu", "output"]);
    assert_eq!(branch.title, "m: y/then_branch");
    let body = drawn("y/then_branch/again/body").unwrap();
    assert_eq!(stacks(&body), ["input", "outer value", "Conv", "output"]);
    assert_eq!(body.cards[1].called, "middle");
    assert_eq!(texts(&body.cards[2].weight_lines), ["W: float32 [2]"], "a constant from outside");
    assert_eq!(body.wires.len(), 2);
    let missing = drawn("if/body").unwrap_err();
    let expected = "there is no graph if/body; it has y/then_branch, y/then_branch/again/body";
    assert_eq!(missing, expected);
}

#[test]
fn multiply_adds_of_models_follow_from_stated_shapes() {
    use fourfold_onnx::proto::{Dimension, Kind, Shape, Size, TensorType, Type};
    let value = |name: &str, sizes: &[i64]| {
        let dimension =
            |size: &i64| Dimension { value: Some(Size::Value(*size)), ..Dimension::default() };
        let shape = Some(Shape { dim: sizes.iter().map(dimension).collect() });
        let kind = Kind::Tensor(TensorType { elem_type: 1, shape });
        let ty = Type { value: Some(kind), ..Type::default() };
        ValueInfo { name: name.into(), r#type: Some(ty), ..ValueInfo::default() }
    };
    let of = |op: &str, weight: &[i64], input: &[i64], output: &[i64]| {
        let nodes = vec![node(op, &["x", "w"], &["y"])];
        let graph = Graph {
            input: vec![value("x", input)],
            output: vec![value("y", output)],
            ..graph(nodes, vec![constant("w", weight, &[])])
        };
        let model = Model { graph: Some(graph), ..Model::default() };
        onnx::picture(&model, "m").cards[1].multiply_adds
    };
    assert_eq!(of("Conv", &[8, 3, 3, 3], &[1, 3, 6, 6], &[1, 8, 4, 4]), Some(8 * 16 * 27));
    assert_eq!(of("ConvTranspose", &[3, 8, 2, 2], &[1, 3, 4, 4], &[1, 8, 8, 8]), Some(48 * 32));
    assert_eq!(of("MatMul", &[3, 4], &[2, 5, 3], &[2, 5, 4]), Some(40 * 3));
    assert_eq!(of("Gemm", &[3, 4], &[2, 3], &[2, 4]), Some(8 * 3));
    assert_eq!(of("Add", &[3], &[2, 3], &[2, 3]), Some(0));
    assert_eq!(of("Einsum", &[3], &[2, 3], &[2, 3]), None);
    assert_eq!(of("Conv", &[8, 3, 3, 3], &[1, 3, 6, 6], &[1, -1, 4, 4]), None);
}

#[test]
fn codes_of_tennis_have_their_meaning() {
    let mut graph = ModuleBuilder::new();
    let input = graph.param("x");
    let pool = graph.op("global_pooling2d", "p", [input]).set("format", "NCHW").set("type", 1);
    let pool = pool.node();
    let own = graph.op("own", "o", [pool]).set("type", 1).node();
    let picture = Picture::of(&graph.build([input], [own]).unwrap(), "module");
    assert_eq!(texts(&picture.cards[1].attribute_lines), ["format NCHW, type 1 (average)"]);
    assert_eq!(texts(&picture.cards[2].attribute_lines), ["type 1"]);
}

/// Defaults are looked for in time that does not grow with the square of the params.
#[test]
fn a_node_of_many_params_is_drawn() {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let mut node = graph.op("relu", "y", [x]);
    for index in 0..20_000 {
        node = node.set(&format!("p{index}"), 1);
    }
    let y = node.node();
    let picture = Picture::of(&graph.build([x], [y]).unwrap(), "");
    assert_eq!(picture.cards.len(), 3);
}
