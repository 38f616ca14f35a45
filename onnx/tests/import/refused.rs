//! Models that are refused, and models that are large.

use fourfold_onnx::proto::{Dimension, Entry, Kind, OperatorSet, Shape, Size, TensorType, Type};
use fourfold_onnx::{Attribute, DataType, Graph, Model, Node, Tensor, ValueInfo, import};

fn node(op: &str, inputs: &[&str], outputs: &[&str], attributes: &[Attribute]) -> Node {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Node {
        op_type: op.to_owned(),
        input: owned(inputs),
        output: owned(outputs),
        attribute: attributes.to_vec(),
        ..Node::default()
    }
}

fn value(name: &str, shape: Option<&[i64]>) -> ValueInfo {
    let dimension =
        |&size: &i64| Dimension { value: Some(Size::Value(size)), ..Dimension::default() };
    let shape = shape.map(|sizes| Shape { dim: sizes.iter().map(dimension).collect() });
    let tensor = TensorType { elem_type: DataType::Float.number(), shape };
    let r#type = Some(Type { value: Some(Kind::Tensor(tensor)), ..Type::default() });
    ValueInfo { name: name.to_owned(), r#type, ..ValueInfo::default() }
}

/// A model with the input `x`.
fn model(node: Vec<Node>, outputs: &[&str]) -> Model {
    let graph = Graph {
        node,
        input: vec![value("x", Some(&[2, 3]))],
        output: outputs.iter().map(|name| value(name, None)).collect(),
        ..Graph::default()
    };
    let opset_import = vec![OperatorSet { version: 17, ..OperatorSet::default() }];
    Model { ir_version: 8, graph: Some(graph), opset_import, ..Model::default() }
}

fn refused(model: &Model) -> String {
    import(model, None).unwrap_err().to_string()
}

#[test]
fn all_nodes_are_listed() {
    let nodes = vec![
        node("Sin", &["x"], &["a"], &[]),
        node("Relu", &["a"], &["b"], &[]),
        Node { domain: "com.microsoft".into(), ..node("FusedConv", &["x"], &["c"], &[]) },
        node("Softmax", &["x"], &["d"], &[Attribute::int("axes", 1)]),
        node("Loop", &["b"], &["e"], &[]),
    ];
    assert_eq!(
        refused(&model(nodes, &["e"])),
        "4 nodes cannot be converted\n  \
         node \"a\" (Sin): TenniS has no counterpart\n  \
         node \"c\" (FusedConv): TenniS has no operators of \"com.microsoft\"\n  \
         node \"d\" (Softmax): attribute \"axes\" is unknown\n  \
         node \"e\" (Loop): TenniS has no counterpart",
    );
}

#[test]
fn values_have_to_be_computed_before_they_are_used() {
    let cycle = vec![node("Add", &["x", "b"], &["a"], &[]), node("Relu", &["a"], &["b"], &[])];
    assert_eq!(
        refused(&model(cycle, &["b"])),
        "1 node cannot be converted\n  node \"a\" (Add): it uses \"b\" before that is computed; sort the nodes, \
         which must not be in a cycle",
    );
    let missing = vec![node("Add", &["x", "nowhere"], &["a"], &[])];
    assert!(
        refused(&model(missing, &["a"]))
            .ends_with("it uses \"nowhere\", which is not in the graph")
    );
    let twice = vec![node("Relu", &["x"], &["a"], &[]), node("Relu", &["x"], &["a"], &[])];
    assert!(refused(&model(twice, &["a"])).ends_with("it computes \"a\", which is there already"));
    assert!(
        refused(&model(Vec::new(), &["y"])).ends_with("node \"y\" (output): no node computes it")
    );
}

#[test]
fn versions_have_to_be_known() {
    for (version, end) in [(6, "from 7 to 28"), (29, "from 7 to 28"), (i64::MIN, "from 7 to 28")] {
        let mut model = model(Vec::new(), &["x"]);
        model.opset_import[0].version = version;
        assert!(refused(&model).ends_with(end));
    }
    let mut model = model(Vec::new(), &["x"]);
    model.opset_import.clear();
    assert!(refused(&model).ends_with("it does not have the version of its operators"));
}

#[test]
fn unknown_shapes_are_named_where_they_are_needed() {
    let mut model = model(vec![node("MatMul", &["x", "x"], &["y"], &[])], &["y"]);
    model.graph.as_mut().unwrap().input = vec![value("x", None)];
    assert!(
        refused(&model)
            .ends_with("the shape of its input is unknown; run ONNX's shape inference first")
    );
    // Most operators do not need it.
    model.graph.as_mut().unwrap().node = vec![node("Relu", &["x"], &["y"], &[])];
    let module = import(&model, None).unwrap();
    assert_eq!(module.graph.find("x").unwrap().shape(), None);
}

#[test]
fn tensors_are_read_inside_the_folder_only() {
    let mut model = model(vec![node("Add", &["x", "w"], &["y"], &[])], &["y"]);
    let entry = |key: &str, value: &str| Entry { key: key.into(), value: value.into() };
    model.graph.as_mut().unwrap().initializer = vec![Tensor {
        name: "w".into(),
        dims: vec![3],
        data_type: DataType::Float.number(),
        data_location: 1,
        external_data: vec![entry("location", "../../etc/passwd")],
        ..Tensor::default()
    }];
    let folder = tempfile::tempdir().unwrap();
    let folder = fourfold_onnx::Folder::of(&folder.path().join("model.onnx"));
    let error = import(&model, Some(&folder)).unwrap_err().to_string();
    assert!(error.contains("node \"w\" (tensor): "), "{error}");
    assert!(error.contains("outside the model's folder"), "{error}");
    // Sizes are compared with the bytes that are there before memory is reserved.
    let tensor = &mut model.graph.as_mut().unwrap().initializer[0];
    (tensor.data_location, tensor.dims) = (0, vec![1 << 20, 1 << 20]);
    assert!(refused(&model).contains("the shape needs"));
}

#[test]
fn names_are_printed_on_one_line() {
    let name = "a\nb\u{1b}[31m".repeat(100);
    let nodes = vec![node(&name, &["x"], &[&name], &[])];
    let text = refused(&model(nodes, &["x"]));
    assert_eq!(text.lines().count(), 2);
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn params_that_are_too_large_are_refused() {
    for (op, attributes) in [
        ("Flatten", vec![Attribute::int("axis", i64::MAX)]),
        ("Softmax", vec![Attribute::int("axis", i64::MIN)]),
        ("Concat", vec![Attribute::int("axis", i64::MAX)]),
        ("Transpose", vec![Attribute::ints("perm", [i64::MAX, 0])]),
        ("ReduceMean", vec![Attribute::ints("axes", [i64::MIN])]),
        ("LSTM", vec![Attribute::int("hidden_size", i64::MAX)]),
        ("MaxPool", vec![Attribute::ints("kernel_shape", [i64::MAX, 1])]),
        ("MaxPool", vec![Attribute::ints("kernel_shape", [1]), Attribute::ints("strides", [0])]),
        ("SpaceToDepth", vec![Attribute::int("blocksize", i64::MAX)]),
        ("Split", vec![Attribute::int("num_outputs", i64::MAX)]),
    ] {
        let mut model = model(vec![node(op, &["x", "x", "x"], &["y"], &attributes)], &["y"]);
        for shape in [&[2, 3][..], &[1, 1, 1], &[1, 4, 4, 4], &[i64::from(i32::MAX); 4]] {
            model.graph.as_mut().unwrap().input = vec![value("x", Some(shape))];
            assert!(import(&model, None).is_err(), "{op} {attributes:?}");
        }
    }
}

#[test]
fn large_graphs_are_read_in_a_row() {
    let names: Vec<String> = (0..=100_000).map(|index| format!("v{index}")).collect();
    let mut nodes = vec![node("Relu", &["x"], &["v0"], &[])];
    nodes.extend(names.windows(2).map(|pair| node("Relu", &[&pair[0]], &[&pair[1]], &[])));
    let module = import(&model(nodes, &["v100000"]), None).unwrap();
    assert_eq!(module.graph.nodes.len(), 100_002);
    // As many refusals.
    let nodes = (0..100_000).map(|index| node("Sin", &["x"], &[&names[index]], &[]));
    let error = import(&model(nodes.collect(), &["x"]), None).unwrap_err();
    assert_eq!(error.nodes.len(), 100_000);
}
