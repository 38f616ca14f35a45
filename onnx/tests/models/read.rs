//! What models have.

use fourfold_onnx::proto::{Kind, Size, Type};
use fourfold_onnx::{Attribute, DataType, Model, Value};

use super::{ALL, bytes, model};

#[test]
fn nothing_is_lost() {
    for name in ALL {
        let written = model(name).to_bytes().unwrap();
        // This one has an empty text, which is not written.
        match name {
            "small.onnx" => assert_eq!(written.len(), bytes(name).len() - 2),
            _ => assert_eq!(written, bytes(name), "{name}"),
        }
        assert_eq!(Model::read(written).unwrap(), model(name), "{name}");
    }
}

#[test]
fn nodes_and_constants() {
    let model = model("small.onnx");
    assert_eq!(
        (model.ir_version, &*model.producer_name, &*model.producer_version),
        (8, "make.py", "1")
    );
    assert_eq!((&*model.opset_import[0].domain, model.opset_import[0].version), ("", 17));
    let properties: Vec<_> =
        model.metadata_props.iter().map(|entry| (&*entry.key, &*entry.value)).collect();
    assert_eq!(properties, [("author", "nobody"), ("empty", "")]);

    let graph = model.graph.unwrap();
    let operators: Vec<_> = graph.node.iter().map(|node| &*node.op_type).collect();
    assert_eq!(operators, ["Conv", "BatchNormalization", "Relu", "Constant", "Mul"]);
    assert_eq!(graph.node[0].input, ["x", "w"]);
    assert_eq!(graph.node[0].output, ["conv"]);
    assert_eq!(graph.node[4].doc_string, "twice");
    let attribute = |name: &str| {
        let attribute = graph.node[0].attribute.iter().find(|attribute| attribute.name == name);
        attribute.unwrap().value().unwrap()
    };
    assert_eq!(attribute("pads"), Value::Ints(&[1, 1, 1, 1]));
    assert_eq!(attribute("strides"), Value::Ints(&[2, 2]));

    let weights = &graph.initializer[0];
    assert_eq!((&*weights.name, &*weights.dims), ("w", &[2, 3, 3, 3][..]));
    assert_eq!(weights.dtype().unwrap(), DataType::Float);
    assert_eq!(&weights.elements(None).unwrap()[212..], (53.0_f32 / 64.0).to_le_bytes());
    assert_eq!(sizes(graph.input[0].r#type.as_ref().unwrap()), ["batch", "3", "8", "8"]);
}

/// Sizes of a tensor's dimensions, `?` for an unknown one.
fn sizes(r#type: &Type) -> Vec<String> {
    let Some(Kind::Tensor(tensor)) = &r#type.value else { panic!("{type:?}") };
    let sizes = tensor.shape.iter().flat_map(|shape| &shape.dim).map(|dim| match &dim.value {
        Some(Size::Value(size)) => size.to_string(),
        Some(Size::Name(name)) => name.clone(),
        None => "?".into(),
    });
    sizes.collect()
}

#[test]
fn attributes_of_all_types() {
    let model = model("attributes.onnx");
    let node = &model.graph.as_ref().unwrap().node[0];
    assert_eq!(node.input, ["x", "", "z"]);
    let value = |name: &str| {
        node.attribute.iter().find(|attribute| attribute.name == name).unwrap().value().unwrap()
    };
    assert_eq!(value("f"), Value::Float(0.5));
    assert_eq!(value("i"), Value::Int(-3));
    assert_eq!(value("zero"), Value::Int(0));
    assert!(matches!(value("s"), Value::String(text) if text == "text"));
    assert!(matches!(value("t"), Value::Tensor(tensor) if tensor.dims == [2]));
    assert!(matches!(value("g"), Value::Graph(graph) if graph.name == "inner"));
    assert!(matches!(value("sparse"), Value::SparseTensor(sparse) if sparse.dims == [7]));
    assert!(matches!(value("tp"), Value::Type(tp) if sizes(tp) == ["2"]));
    assert_eq!(value("floats"), Value::Floats(&[1.5, -2.5]));
    assert_eq!(value("ints"), Value::Ints(&[1, -1, 1 << 40]));
    assert!(matches!(value("strings"), Value::Strings([a, b]) if a == "a" && b == "é"));
    assert!(matches!(value("tensors"), Value::Tensors([_, _])));
    assert!(matches!(value("graphs"), Value::Graphs([_, _])));
    assert!(matches!(value("sparses"), Value::SparseTensors([_])));
    assert!(matches!(value("tps"), Value::Types([_, _])));
    assert_eq!(value("none"), Value::Ints(&[]));
    assert_eq!(value("untyped"), Value::Int(9));
    assert_eq!(Attribute::default().value(), None);
}

#[test]
fn attributes_that_are_made_equal_those_that_are_read() {
    let model = model("attributes.onnx");
    let made = [
        Attribute::float("f", 0.5),
        Attribute::int("i", -3),
        Attribute::int("zero", 0),
        Attribute::string("s", "text"),
        Attribute::floats("floats", [1.5, -2.5]),
        Attribute::ints("ints", [1, -1, 1 << 40]),
    ];
    for made in made {
        assert!(model.graph.as_ref().unwrap().node[0].attribute.contains(&made), "{made:?}");
    }
}

#[test]
fn inner_graphs_and_functions() {
    let model = model("nested.onnx");
    let graph = model.graph.as_ref().unwrap();
    let inner = graph.node[0].attribute.iter().map(|attribute| match attribute.value() {
        Some(Value::Graph(graph)) => &*graph.node[0].op_type,
        other => panic!("{other:?}"),
    });
    let mut inner: Vec<_> = inner.collect();
    inner.sort_unstable();
    assert_eq!(inner, ["Neg", "Relu"]);
    assert_eq!((&*graph.node[1].domain, &*graph.node[1].op_type), ("test", "Twice"));
    assert_eq!((&*model.functions[0].name, &*model.functions[0].node[0].op_type), ("Twice", "Add"));
}

#[test]
fn types_of_all_kinds() {
    let model = model("types.onnx");
    let graph = model.graph.as_ref().unwrap();
    let kind = |name: &str| {
        let info = graph.input.iter().find(|info| info.name == name).unwrap();
        info.r#type.as_ref().unwrap()
    };
    assert_eq!(sizes(kind("tensor")), ["n", "?", "3"]);
    let shape = |name| match &kind(name).value {
        Some(Kind::Tensor(tensor)) => tensor.shape.as_ref().map(|shape| shape.dim.len()),
        other => panic!("{other:?}"),
    };
    assert_eq!((shape("no_shape"), shape("scalar")), (None, Some(0)));
    let inner = |element: &Option<Type>| sizes(element.as_ref().unwrap());
    match &kind("sequence").value {
        Some(Kind::Sequence(element)) => assert_eq!(inner(&element.elem_type), ["n", "?", "3"]),
        other => panic!("{other:?}"),
    }
    match &kind("map").value {
        Some(Kind::Map(map)) => {
            assert_eq!(DataType::of(map.key_type), Some(DataType::String));
            assert_eq!(inner(&map.value_type), ["n", "?", "3"]);
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(&kind("optional").value, Some(Kind::Optional(_))));
    assert!(matches!(&kind("sparse").value, Some(Kind::SparseTensor(_))));
}
