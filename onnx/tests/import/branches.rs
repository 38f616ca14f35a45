//! Graphs inside nodes.

use fourfold_onnx::{Attribute, DataType, Graph, Model, Node, Tensor, ValueInfo, import};

use super::refused::{model, node, value};

fn refused(model: &Model) -> String {
    import(model, None).unwrap_err().to_string()
}

/// A node `If` with the branch for true.
fn condition(outputs: &[&str], then: Graph) -> Node {
    let then = Attribute { g: Some(Box::new(then)), r#type: 5, ..Attribute::int("then_branch", 0) };
    node("If", &["c"], outputs, &[then])
}

fn branch(nodes: Vec<Node>, outputs: &[&str]) -> Graph {
    let result = |name: &&str| ValueInfo { name: (*name).into(), ..ValueInfo::default() };
    Graph { node: nodes, output: outputs.iter().map(result).collect(), ..Graph::default() }
}

fn truth() -> Node {
    let truth = Tensor {
        data_type: DataType::Bool.number(),
        raw_data: Some(vec![1].into()),
        ..Tensor::default()
    };
    node("Constant", &[], &["c"], &[Attribute::tensor("value", truth)])
}

#[test]
fn branches_have_the_outputs_of_their_node() {
    let one = branch(vec![node("Relu", &["x"], &["r"], &[])], &["r"]);
    let text = refused(&model(vec![truth(), condition(&["y", "z"], one)], &["y", "z"]));
    assert!(text.contains("it has 2 outputs, its then_branch 1"), "{text}");
}

#[test]
fn names_of_branches_end_with_them() {
    let relu = || branch(vec![node("Relu", &["x"], &["r"], &[])], &["r"]);
    // Also where the first one is refused.
    let bad = condition(&["a"], branch(vec![node("Relu", &["x"], &["r"], &[])], &["s"]));
    let good = condition(&["b"], relu());
    let after = node("Relu", &["r"], &["d"], &[]);
    assert_eq!(
        refused(&model(vec![truth(), bad, good, after], &["b", "d"])),
        "2 nodes cannot be converted\n  node \"a\" (If): its then_branch does not compute \"s\"\n  \
         node \"d\" (Relu): it uses \"r\", which is not in the graph",
    );
    let both = vec![truth(), condition(&["a"], relu()), condition(&["b"], relu())];
    let module = import(&model(both, &["a", "b"]), None).unwrap();
    let names: Vec<_> = module.graph.nodes.iter().map(|node| node.name()).collect();
    assert_eq!(names, [Some("x"), Some("a"), Some("b")]);
    let mut own = relu();
    own.input.push(value("own", Some(&[2])));
    let text = refused(&model(vec![truth(), condition(&["y"], own)], &["y"]));
    assert!(text.ends_with("its then_branch has inputs, and branches have none in ONNX"), "{text}");
}
