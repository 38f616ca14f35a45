//! Modules that nobody has made in earnest: long, cyclic, of huge sizes, and random.

use fourfold::tsm::{DType, ModuleBuilder, NodeId};
use fourfold_tennis::{Error, ErrorKind, Input, Operator, Shapes};
use quickcheck::{Gen, QuickCheck};

use super::random;

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

#[test]
fn random_modules_never_panic() {
    fn check(numbers: Vec<u8>) -> bool {
        let shapes = Shapes::infer(&random::module(&numbers), &[]);
        // Every node without an error has an output.
        shapes.is_err() || shapes.unwrap().nodes().iter().all(|node| !node.outputs.is_empty())
    }

    QuickCheck::new().rng(Gen::new(200)).tests(1000).quickcheck(check as fn(Vec<u8>) -> bool);
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

#[test]
fn long_names_are_shortened_in_errors() {
    let long = "n".repeat(1 << 16);
    let error = Error {
        node: format!("a\n{long}z"),
        op: long.clone(),
        kind: ErrorKind::NoInput { inputs: long.clone() },
    };
    let names = ["a\\n", &"n".repeat(98), "...", &"n".repeat(99), "z"].concat();
    let inputs = ["n".repeat(100), "n".repeat(100)].join("...");
    assert_eq!(
        error.to_string(),
        format!("input \"{names}\": the module has no such input; its inputs: {inputs}")
    );
    let error = Error { kind: ErrorKind::UnknownOperator, ..error };
    assert!(error.to_string().starts_with(&format!("node \"{names}\" ({inputs}): ")));
}
