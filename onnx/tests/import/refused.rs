//! Models that are refused, and models that are large.

use fourfold_onnx::proto::{
    Dimension, Entry, Function, Kind, OperatorSet, Shape, Size, TensorType, Type,
};
use fourfold_onnx::{
    Attribute, DataType, Graph, Model, Node, Tensor, ValueInfo, import, import_with,
};

pub(super) fn node(op: &str, inputs: &[&str], outputs: &[&str], attributes: &[Attribute]) -> Node {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Node {
        op_type: op.to_owned(),
        input: owned(inputs),
        output: owned(outputs),
        attribute: attributes.to_vec(),
        ..Node::default()
    }
}

pub(super) fn value(name: &str, shape: Option<&[i64]>) -> ValueInfo {
    let dimension =
        |&size: &i64| Dimension { value: Some(Size::Value(size)), ..Dimension::default() };
    let shape = shape.map(|sizes| Shape { dim: sizes.iter().map(dimension).collect() });
    let tensor = TensorType { elem_type: DataType::Float.number(), shape };
    let r#type = Some(Type { value: Some(Kind::Tensor(tensor)), ..Type::default() });
    ValueInfo { name: name.to_owned(), r#type, ..ValueInfo::default() }
}

/// A model with the input `x`.
pub(super) fn model(node: Vec<Node>, outputs: &[&str]) -> Model {
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
fn outputs_that_tennis_does_not_have_are_refused_where_they_are_used() {
    let dropout = || node("Dropout", &["x"], &["y", "mask"], &[]);
    import(&model(vec![dropout()], &["y"]), None).unwrap();
    assert_eq!(
        refused(&model(vec![dropout(), node("Not", &["mask"], &["z"], &[])], &["z", "mask"])),
        "2 nodes cannot be converted\n  \
         node \"z\" (Not): it uses \"mask\", an output that TenniS's operator does not have\n  \
         output \"mask\": an output that TenniS's operator does not have",
    );
    let norm = node("BatchNormalization", &["x", "x", "x", "x", "x"], &["y", "mean"], &[]);
    assert_eq!(
        refused(&model(vec![norm], &["y"])),
        "1 node cannot be converted\n  node \"y\" (BatchNormalization): \
         it is in training mode, as its outputs 1 to 4 show; export the model for inference",
    );
}

#[test]
fn values_have_to_be_computed_before_they_are_used() {
    let cycle = vec![node("Add", &["x", "b"], &["a"], &[]), node("Relu", &["a"], &["b"], &[])];
    assert_eq!(
        refused(&model(cycle, &["b"])),
        "1 node cannot be converted\n  node \"a\" (Add): it uses \"b\" before that is computed; sort the nodes, \
         by onnxruntime.quantization.onnx_model.ONNXModel(model).topological_sort() of Python; \
         they must not be in a cycle",
    );
    let names = ["d", "c", "b", "a", "x"];
    let reversed =
        names.iter().zip(&names[1..]).map(|(to, from)| node("Relu", &[from], &[to], &[]));
    let text = refused(&model(reversed.collect(), &["d"]));
    assert!(text.starts_with(
        "1 node cannot be converted\n  node \"d\" (Relu): it uses \"c\" before that is computed, the first of 3 such nodes; sort"
    ), "{text}");
    let missing = vec![node("Add", &["x", "nowhere"], &["a"], &[])];
    assert!(
        refused(&model(missing, &["a"]))
            .ends_with("it uses \"nowhere\", which is not in the graph")
    );
    let twice = vec![node("Relu", &["x"], &["a"], &[]), node("Relu", &["x"], &["a"], &[])];
    assert!(refused(&model(twice, &["a"])).ends_with("it computes \"a\", which is there already"));
    assert!(refused(&model(Vec::new(), &["y"])).ends_with("\n  output \"y\": no node computes it"));
}

#[test]
fn long_names_are_shortened() {
    let long = "n".repeat(1 << 16);
    let foreign = Node { domain: long.clone(), ..node(&long, &["x"], &[&long], &[]) };
    let unknown = node("Relu", &[&long], &["y"], &[Attribute::int(&long, 1)]);
    let early = node("Relu", &[&format!("{long}2")], &[&format!("{long}3")], &[]);
    let mut model = model(vec![foreign, unknown, early], &[&format!("{long}4")]);
    model.graph.as_mut().unwrap().input.push(ValueInfo { name: long, ..ValueInfo::default() });
    let text = refused(&model);
    for line in text.lines() {
        assert!(line.len() < 600, "{} bytes", line.len());
    }
    assert!(text.contains("n\"...: no node computes it"), "{text}");
}

#[test]
fn versions_have_to_be_known() {
    for version in [6, 29, i64::MIN] {
        let mut model = model(Vec::new(), &["x"]);
        model.opset_import[0].version = version;
        let text = refused(&model);
        let expected = format!(
            "\n  model: opset {version} is not supported, versions 7 to 28 are; \
             convert the model, by onnx.version_converter.convert_version(model, 17) of Python"
        );
        assert!(text.ends_with(&expected), "{text}");
    }
    let mut model = model(Vec::new(), &["x"]);
    model.opset_import.clear();
    assert!(refused(&model).ends_with("it does not have the version of its operators"));
}

#[test]
fn unknown_shapes_are_named_where_they_are_needed() {
    let mut model = model(vec![node("MatMul", &["x", "x"], &["y"], &[])], &["y"]);
    model.graph.as_mut().unwrap().input = vec![value("x", None)];
    let error = import(&model, None).unwrap_err();
    assert!(error.to_string().ends_with("its input is unknown; give the input's shape"));
    import_with(&model, None, &error.examples).unwrap();
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
    assert!(error.contains("\n  tensor \"w\": elements are in"), "{error}");
    assert!(error.contains("outside the model's folder"), "{error}");
    for (location, end) in [
        ("", "external data has no location; export the model again, with its weights"),
        (".", "elements are in \".\", which is no file; move the file with the weights there"),
        ("w.bin", "copy the file with the weights there, under this name"),
    ] {
        let tensor = &mut model.graph.as_mut().unwrap().initializer[0];
        tensor.external_data = vec![entry("location", location)];
        let error = import(&model, Some(&folder)).unwrap_err().to_string();
        assert!(error.ends_with(end), "{error}");
    }
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

/// A constant of floats.
fn weights(name: &str, dims: &[i64]) -> Tensor {
    let count = usize::try_from(dims.iter().product::<i64>()).unwrap();
    Tensor {
        name: name.into(),
        dims: dims.to_vec(),
        data_type: DataType::Float.number(),
        float_data: vec![0.5; count],
        ..Tensor::default()
    }
}

#[test]
fn nodes_share_what_is_made_of_a_constant() {
    let grouped = |index: usize| {
        let groups = if index % 2 == 0 { 2 } else { 4 };
        node("Conv", &["x", "w"], &[&format!("y{index}")], &[Attribute::int("group", groups)])
    };
    let lstm = |index: usize| {
        let size = Attribute::int("hidden_size", 8);
        node("LSTM", &["s", "v", "r"], &[&format!("z{index}")], &[size])
    };
    let nodes: Vec<Node> = (0..1000).flat_map(|index| [grouped(index), lstm(index)]).collect();
    let names: Vec<&str> = nodes.iter().map(|node| node.output[0].as_str()).collect();
    let mut model = model(nodes.clone(), &names);
    let graph = model.graph.as_mut().unwrap();
    graph.input = vec![value("x", Some(&[1, 4, 5, 5])), value("s", Some(&[2, 1, 3]))];
    graph.initializer =
        vec![weights("w", &[4, 2, 3, 3]), weights("v", &[1, 32, 3]), weights("r", &[1, 32, 8])];
    // Both kinds of groups need weights of their own.
    graph.initializer.push(weights("u", &[4, 1, 3, 3]));
    graph.node.iter_mut().skip(2).step_by(4).for_each(|node| node.input[1] = "u".into());
    let module = import(&model, None).unwrap();
    // Two slabs of w for each convolution, since TenniS packs these in place; u as filters of channels, v, r, and the
    // zeros of a bias.
    let tensors = module.graph.nodes.iter().filter(|node| node.is_const());
    let large = tensors.filter(|node| node.value().unwrap().first().unwrap().count() > 1);
    assert_eq!(large.count(), 1004);
}

#[test]
fn copies_of_weights_are_limited() {
    let product = |index: usize| node("Gemm", &["x", "w"], &[&format!("y{index}")], &[]);
    let nodes: Vec<Node> = (0..1100).map(product).collect();
    let names: Vec<&str> = nodes.iter().map(|node| node.output[0].as_str()).collect();
    let mut model = model(nodes.clone(), &names);
    model.graph.as_mut().unwrap().initializer = vec![weights("w", &[3, 100_000])];
    assert!(refused(&model).contains("1318800000 bytes of weights are shared"));
}

#[test]
fn lists_are_read_if_they_are_short() {
    let mut model = model(vec![node("Squeeze", &["x", "axes"], &["y"], &[])], &["y"]);
    model.graph.as_mut().unwrap().initializer = vec![Tensor {
        name: "axes".into(),
        dims: vec![2000],
        data_type: DataType::Int64.number(),
        int64_data: vec![0; 2000],
        ..Tensor::default()
    }];
    assert!(refused(&model).ends_with("its axes are 2000 integers, TenniS takes at most 1024"));
}

/// A model whose input has a type, and a node that is refused for it.
fn refused_of(dtype: DataType, shape: &[i64], node: Node) -> String {
    let mut model = model(vec![node], &["y"]);
    let mut x = value("x", Some(shape));
    if let Some(Type { value: Some(Kind::Tensor(tensor)), .. }) = &mut x.r#type {
        tensor.elem_type = dtype.number();
    }
    model.graph.as_mut().unwrap().input = vec![x];
    refused(&model)
}

#[test]
fn reasons_are_those_of_kernels() {
    let image = &[1, 2, 8, 8];
    for (op, dtype, attributes, reason) in [
        (
            "Softmax",
            DataType::Int32,
            vec![],
            "ONNX has softmax of floats only, not of int32; cast its input",
        ),
        (
            "Erf",
            DataType::Int32,
            vec![],
            "TenniS does not compute erf of int32; cast its input to float",
        ),
        (
            "Abs",
            DataType::Float16,
            vec![],
            "TenniS does not compute abs of float16; cast its input to float",
        ),
        (
            "ReduceMean",
            DataType::Int32,
            vec![Attribute::ints("axes", [0, 2])],
            "cast its input to float",
        ),
        (
            "MaxPool",
            DataType::Double,
            vec![Attribute::ints("kernel_shape", [3, 3]), Attribute::ints("strides", [2, 2])],
            "cast its input to float",
        ),
    ] {
        let node = node(op, &["x"], &["y"], &attributes);
        let text = refused_of(dtype, image, node.clone());
        assert!(text.ends_with(reason), "{text}");
        // The fix works.
        let mut fixed = model(
            vec![
                self::node("Cast", &["x"], &["c"], &[Attribute::int("to", 1)]),
                Node { input: vec!["c".into()], ..node },
            ],
            &["y"],
        );
        fixed.graph.as_mut().unwrap().input = vec![value("x", Some(image))];
        import(&fixed, None).unwrap();
    }
}

#[test]
fn flags_are_0_or_1() {
    let keeps = node("ReduceMax", &["x"], &["y"], &[Attribute::int("keepdims", 2)]);
    let text = refused_of(DataType::Float, &[2], keeps);
    assert!(text.ends_with("keepdims is 2; 0 or 1 is expected"), "{text}");
}

#[test]
fn dims_without_elements_have_no_largest_one() {
    for (op, is_refused) in [("ReduceMax", true), ("ReduceMean", true), ("ReduceL1", false)] {
        let reduce = node(op, &["x"], &["y"], &[Attribute::ints("axes", [1])]);
        let mut empty = model(vec![reduce], &["y"]);
        empty.graph.as_mut().unwrap().input = vec![value("x", Some(&[2, 0]))];
        assert_eq!(import(&empty, None).is_err(), is_refused, "{op}");
    }
}

#[test]
fn parts_of_constants_are_refused() {
    let relu = node("Relu", &["w"], &["fixed"], &[]);
    let split = node("Split", &["fixed"], &["y", "z"], &[]);
    let mut parts = model(vec![relu, split], &["y"]);
    parts.graph.as_mut().unwrap().initializer.push(weights("w", &[2]));
    let text = refused(&parts);
    assert!(
        text.contains("its inputs are constants, of whose results TenniS takes none"),
        "{text}"
    );
    parts.graph.as_mut().unwrap().node[0].input = vec!["x".into()];
    import(&parts, None).unwrap();
}

/// `ceil_mode` needs sizes, and nothing else.
#[test]
fn pooling_needs_sizes_where_it_says_so() {
    let attributes = [
        Attribute::ints("kernel_shape", [2, 2]),
        Attribute::ints("strides", [3, 3]),
        Attribute::ints("pads", [1, 1, 1, 1]),
        Attribute::int("ceil_mode", 1),
    ];
    let mut model = model(vec![node("MaxPool", &["x"], &["y"], &attributes)], &["y"]);
    let x = value("x", Some(&[1, 1, 6, 6]));
    let mut free = x.clone();
    if let Some(Type { value: Some(Kind::Tensor(tensor)), .. }) = &mut free.r#type {
        tensor.shape.as_mut().unwrap().dim[3].value = None;
    }
    model.graph.as_mut().unwrap().input = vec![free];
    let error = import(&model, None).unwrap_err();
    assert!(error.to_string().ends_with("give the input's shape"));
    assert_eq!(error.examples, ["x=1x1x6x224".parse().unwrap()]);
    import_with(&model, None, &error.examples).unwrap();
    let error = import_with(&model, None, &["y=1".parse().unwrap()]).unwrap_err();
    assert!(error.to_string().ends_with("input \"y\": the model has no such input; its inputs: x"));
    model.graph.as_mut().unwrap().input = vec![x];
    import(&model, None).unwrap();
}

/// A model that resizes x by sizes that are computed of its shape.
fn resized(place: &str, free: bool) -> Model {
    let attributes = [
        Attribute::string("mode", "linear"),
        Attribute::string("coordinate_transformation_mode", place.to_owned()),
    ];
    let nodes = vec![
        node("Shape", &["x"], &["s"], &[]),
        node("Resize", &["x", "", "", "s"], &["y"], &attributes),
    ];
    let mut model = model(nodes, &["y"]);
    let mut x = value("x", Some(&[1, 1, 6, 6]));
    if let Some(Type { value: Some(Kind::Tensor(tensor)), .. }) = &mut x.r#type {
        let width = tensor.shape.as_mut().unwrap().dim.get_mut(3).unwrap();
        width.value = width.value.take().filter(|_| !free);
    }
    model.graph.as_mut().unwrap().input = vec![x];
    model
}

#[test]
fn other_places_of_pixels_need_sizes() {
    for place in ["align_corners", "pytorch_half_pixel"] {
        assert!(refused(&resized(place, true)).ends_with("give the input's shape"), "{place}");
        import(&resized(place, false), None).unwrap();
    }
    let text = refused(&resized("tf_crop_and_resize", true));
    assert!(
        text.ends_with("TenniS does not have tf_crop_and_resize (coordinate_transformation_mode)")
    );
}

/// Sizes are claims.
#[test]
fn weights_of_images_are_bounded() {
    let corners = Attribute::string("coordinate_transformation_mode", "align_corners");
    let linear = Attribute::string("mode", "linear");
    let nodes = (0..100).map(|index| {
        let attributes = [corners.clone(), linear.clone()];
        node("Resize", &["x", "", "", "sizes"], &[&format!("y{index}")], &attributes)
    });
    let names: Vec<String> = (0..100).map(|index| format!("y{index}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut model = model(nodes.collect(), &names);
    let graph = model.graph.as_mut().unwrap();
    graph.input = vec![value("x", Some(&[1, 1, 1000, 1000]))];
    graph.initializer = vec![Tensor {
        name: "sizes".into(),
        dims: vec![4],
        data_type: DataType::Int64.number(),
        int64_data: vec![1, 1, 1001, 1001],
        ..Tensor::default()
    }];
    assert!(refused(&model).ends_with("resize and pad them before the model"));
}

#[test]
fn branches_and_functions_are_refused_with_a_way() {
    let nodes = vec![node("Cast", &["x"], &["c"], &[Attribute::int("to", 9)])];
    let text = refused(&model([nodes, vec![node("If", &["x"], &["y"], &[])]].concat(), &["y"]));
    assert!(text.contains("its condition is computed when the model runs"), "{text}");
    let own = Node { domain: "own".into(), ..node("Twice", &["x"], &["y"], &[]) };
    let mut model = model(vec![own], &["y"]);
    let function = Function { domain: "own".into(), name: "Twice".into(), ..Function::default() };
    model.functions.push(function);
    assert!(refused(&model).contains("onnx.inliner.inline_local_functions"));
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
