//! Modules that nobody has made in earnest: long, cyclic, of huge sizes, and random.

use fourfold::tsm::{DType, Module, ModuleBuilder, NodeId, Tensor};
use fourfold_tennis::{Input, Operator, Shapes};
use quickcheck::{Gen, QuickCheck};

#[test]
fn a_chain_of_100_000_nodes_needs_no_stack() {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let last = (0..100_000).fold(x, |last, at| graph.op("relu", &format!("n{at}"), [last]).node());
    let module = graph.build([x], [last]).unwrap();
    let shapes = Shapes::infer(&module, &["4x5".parse().unwrap()]).unwrap();
    assert_eq!(shapes.node(last.index()).unwrap().output().unwrap().to_string(), "float32 [4, 5]");
    assert_eq!(shapes.peak_bytes(), Some(160));
}

#[test]
fn many_inputs_and_users_take_linear_time() {
    let mut graph = ModuleBuilder::new();
    let inputs: Vec<NodeId> = (0..50_000)
        .map(|at| {
            let input = graph.param(&format!("x{at}"));
            graph.at(input).shape(&[1, 2]);
            input
        })
        .collect();
    let all = Operator::Concat { dim: 0 }.add_to(&mut graph, "all", inputs.clone()).unwrap();
    let outputs: Vec<NodeId> =
        (0..50_000).map(|at| graph.op("relu", &format!("y{at}"), [all]).node()).collect();
    let module = graph.build(inputs, outputs).unwrap();
    let shapes = Shapes::infer(&module, &[]).unwrap();
    assert_eq!(
        shapes.node(all.index()).unwrap().output().unwrap().to_string(),
        "float32 [50000, 2]"
    );
}

#[test]
fn nodes_of_a_cycle_and_after_it_are_unknown() {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    graph.at(x).shape(&[2]);
    let [a, b, c] = ["a", "b", "c"].map(|name| graph.op("add", name, [x, x]).node());
    let mut module = graph.build([x], [c]).unwrap();
    module.graph.nodes[1].inputs = vec![b.index(), x.index()];
    module.graph.nodes[2].inputs = vec![a.index(), x.index()];
    module.graph.nodes[3].inputs = vec![x.index(), a.index()];
    let shapes = Shapes::infer(&module, &[]).unwrap();
    for node in [a, b, c] {
        let found = shapes.node(node.index()).unwrap();
        assert_eq!(found.unknown.as_deref(), Some("the node is in a cycle, or after one"));
        assert_eq!(found.output().unwrap().to_string(), "? ?");
    }
    assert_eq!(shapes.node(x.index()).unwrap().output().unwrap().to_string(), "float32 [2]");
    assert_eq!((shapes.multiply_adds(), shapes.peak_bytes()), (None, None));
}

#[test]
fn operators_that_tennis_does_not_have_are_unknown() {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let a = graph.op("magic", "a", [x]).node();
    let b = graph.op("relu", "b", [a]).node();
    let c = graph.op("magic", "c", [x]).shape(&[-1, 3]).dtype(DType::UInt8).node();
    let d = graph.op("relu", "d", [c]).node();
    let module = graph.build([x], [b, d]).unwrap();
    let shapes = Shapes::infer(&module, &["2".parse().unwrap()]).unwrap();
    let found = |node: NodeId| {
        let found = shapes.node(node.index()).unwrap();
        (found.output().unwrap().to_string(), found.unknown.clone().unwrap_or_default())
    };
    assert_eq!(found(a), ("? ?".to_owned(), "TenniS has no such operator".to_owned()));
    assert_eq!(found(b), ("? ?".to_owned(), "the shape of input 0 is unknown".to_owned()));
    // What the module states is taken.
    assert_eq!(found(d), ("uint8 [?, 3]".to_owned(), String::new()));
    assert_eq!(shapes.peak_bytes(), None);
}

#[test]
fn counts_in_params_reserve_no_memory() {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let chunks = (0..2000).map(|_| {
        let chunk = Operator::Chunk { chunks: i32::MAX, dim: 0 };
        chunk.add_to(&mut graph, "chunk", [x]).unwrap()
    });
    let chunks: Vec<_> = chunks.collect();
    let small: Vec<_> = (0..2000)
        .map(|_| Operator::Chunk { chunks: 4000, dim: 0 }.add_to(&mut graph, "chunk", [x]).unwrap())
        .collect();
    let module = graph.build([x], chunks.iter().chain(&small).copied()).unwrap();
    let shapes = Shapes::infer(&module, &[Input::new(vec![Some(i32::MAX)])]).unwrap();
    let kept: usize = shapes.nodes().iter().map(|node| node.outputs.len()).sum();
    assert!(kept < 50_000, "{kept}");
    let huge = shapes.node(chunks[0].index()).unwrap();
    assert_eq!(huge.unknown.as_deref(), Some("it has 2147483647 outputs"));
}

#[test]
fn products_of_huge_sizes_are_unknown() {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let y = graph.op("relu", "y", [x]).node();
    let module = graph.build([x], [y]).unwrap();
    let shapes = Shapes::infer(&module, &[Input::new(vec![Some(i32::MAX); 7])]).unwrap();
    assert_eq!(shapes.node(y.index()).unwrap().output().unwrap().bytes(), None);
    assert_eq!(shapes.peak_bytes(), None);

    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let flat = graph.op("flatten", "flat", [x]).node();
    let module = graph.build([x], [flat]).unwrap();
    let error = Shapes::infer(&module, &[Input::new(vec![Some(i32::MAX); 3])]).unwrap_err();
    assert!(error.to_string().contains("a dim would have the size"), "{error}");
}

/// A module of random operators with random params.
fn random(generator: &mut Gen) -> Module<'static> {
    let mut graph = ModuleBuilder::new();
    let small = |generator: &mut Gen| {
        *generator.choose(&[-2, -1, 0, 1, 1, 2, 3, 4, 8, i32::MAX, i32::MIN]).unwrap()
    };
    let list = |generator: &mut Gen| -> Vec<i32> {
        let count = usize::try_from(small(generator).clamp(0, 8)).unwrap();
        (0..count).map(|_| small(generator)).collect()
    };
    let x = graph.param("x");
    let shape: Vec<i32> = list(generator).into_iter().take(7).collect();
    graph.at(x).shape(&shape);
    let mut nodes = vec![x];
    for at in 0..12 {
        let values = list(generator);
        nodes.push(graph.constant(&format!("c{at}"), Tensor::list(&values).unwrap()));
        let op = *generator.choose(Operator::NAMES).unwrap();
        if op == "<param>" || op == "<const>" || op == "<var>" {
            continue;
        }
        let inputs: Vec<NodeId> = (0..*generator.choose(&[1, 1, 2, 3]).unwrap())
            .map(|_| *generator.choose(&nodes).unwrap())
            .collect();
        let mut node = graph.op(op, &format!("n{at}"), inputs);
        for name in [
            "dim",
            "axis",
            "offset",
            "chunks",
            "number",
            "hidden_size",
            "pool_h",
            "pool_w",
            "scale",
            "type",
        ] {
            node = node.set(name, small(generator));
        }
        for name in [
            "shape",
            "size",
            "begin",
            "end",
            "axes",
            "dims",
            "repeats",
            "permute",
            "shuffle",
            "block_shape",
        ] {
            node = node.set(name, &list(generator)[..]);
        }
        for name in ["stride", "dilation", "ksize"] {
            let values: Vec<i32> =
                [1, 1].into_iter().chain([(); 2].map(|()| small(generator))).collect();
            node = node.set(name, &values[..]);
        }
        let pairs = if generator.size() % 2 == 0 { 2 } else { 4 };
        let padding: Vec<i32> = (0..2 * pairs)
            .map(|at| if at < 4 && pairs == 4 { 0 } else { small(generator) })
            .collect();
        let padding = Tensor::from_values(&padding, &[pairs, 2]).unwrap();
        node = node.set("padding", padding.clone()).set("crop", padding).set("format", "NCHW");
        node = node.set("dtype", 5).set("direction", "forward").set("y", 2.0f32);
        nodes.push(node.node());
    }
    let last = *nodes.last().unwrap();
    graph.build([x], [last]).unwrap()
}

#[test]
fn random_modules_never_panic() {
    #[derive(Clone, Debug)]
    struct Random(Module<'static>);

    impl quickcheck::Arbitrary for Random {
        fn arbitrary(generator: &mut Gen) -> Self {
            Random(random(generator))
        }
    }

    fn check(Random(module): Random) -> bool {
        let shapes = Shapes::infer(&module, &[]);
        // Every node without an error has an output.
        shapes.is_err() || shapes.unwrap().nodes().iter().all(|node| !node.outputs.is_empty())
    }

    QuickCheck::new().tests(1000).quickcheck(check as fn(Random) -> bool);
}

#[test]
fn const_nodes_without_a_value_are_refused() {
    let mut graph = ModuleBuilder::new();
    let x = graph.op("<const>", "x", []).node();
    let y = graph.op("relu", "y", [x]).node();
    let module = graph.build([], [y]).unwrap();
    let error = Shapes::infer(&module, &[]).unwrap_err().to_string();
    assert_eq!(error, "node \"x\" (<const>): no param \"value\"; set it to a tensor");
}
