//! Multiply-adds, parameters, and memory at the peak.

use fourfold::tsm::{DType, Module, ModuleBuilder, NodeId, Tensor};
use fourfold_tennis::{Format, Input, Operator, Shapes};

fn tensor(shape: &[i32]) -> Tensor<'static> {
    let count = shape.iter().product::<i32>();
    Tensor::from_values(&vec![0f32; usize::try_from(count).unwrap()], shape).unwrap()
}

fn conv(graph: &mut ModuleBuilder<'static>, x: NodeId, w: NodeId) -> NodeId {
    let operator = Operator::Conv2d {
        format: Format::Nchw,
        padding: [[0, 0], [0, 0], [1, 1], [1, 1]],
        padding_value: 0.0,
        stride: [1; 4],
        dilation: [1; 4],
        kernel_packed: false,
    };
    operator.add_to(graph, "conv", [x, w]).unwrap()
}

fn infer(module: &Module<'_>, input: &str) -> Shapes {
    Shapes::infer(module, &[input.parse().unwrap()]).unwrap()
}

#[test]
fn costs_are_those_of_the_shapes() {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let w = graph.constant("w", tensor(&[4, 3, 3, 3]));
    let conv = conv(&mut graph, x, w);
    let relu = graph.op("relu", "relu", [conv]).node();
    let flat = graph.op("flatten", "flat", [relu]).node();
    let dense = graph.constant("dense", tensor(&[256, 10]));
    let y = graph.op("inner_prod", "y", [flat, dense]).node();
    // No output needs this one.
    let unused = graph.constant("unused", tensor(&[99]));
    let module = graph.build([x], [y]).unwrap();
    let shapes = infer(&module, "2x3x8x8");

    let at = |node: NodeId| shapes.node(node.index()).unwrap();
    assert_eq!(at(conv).multiply_adds, Some(2 * 4 * 8 * 8 * 27));
    assert_eq!((at(conv).parameters, at(conv).parameter_bytes), (108, 432));
    assert_eq!((at(relu).multiply_adds, at(relu).parameters), (Some(0), 0));
    assert_eq!(at(y).multiply_adds, Some(2 * 256 * 10));
    assert_eq!(at(unused).output().unwrap().to_string(), "float32 [99]");

    assert_eq!(shapes.multiply_adds(), Some(2 * 4 * 64 * 27 + 2 * 2560));
    assert_eq!((shapes.parameters(), shapes.parameter_bytes()), (108 + 2560, (108 + 2560) * 4));
    // The outputs of conv and relu, and the input until conv has read it.
    let (x, conv) = (2 * 3 * 64 * 4, 2 * 4 * 64 * 4);
    assert_eq!(shapes.peak_bytes(), Some((108 + 2560) * 4 + (x + conv).max(2 * conv)));

    let free = infer(&module, "?x3x8x8");
    assert_eq!((free.multiply_adds(), free.peak_bytes()), (None, None));
    assert_eq!(free.parameters(), 108 + 2560);
}

#[test]
fn an_output_is_kept_until_its_last_use() {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let a = graph.op("relu", "a", [x]).node();
    // A view of a: a stays as long as the view does.
    let view = Operator::Reshape { shape: vec![-1] }.add_to(&mut graph, "view", [a]).unwrap();
    let b = graph.op("relu", "b", [a]).node();
    let c = graph.op("relu", "c", [b]).node();
    let flat = graph.op("flatten2d", "flat", [c]).node();
    let d = graph.op("add", "d", [view, view]).node();
    let module = graph.build([x], [flat, d]).unwrap();
    // With 4 bytes each: a, c (an output, as its view is) and d at the end; a, b and c before.
    let shapes = infer(&module, "1");
    assert_eq!(shapes.peak_bytes(), Some(12));
}

#[test]
fn a_tensor_that_two_nodes_share_counts_once_in_total() {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let w = graph.constant("w", tensor(&[5]));
    let a = graph.op("add", "a", [x, w]).node();
    let b = graph.op("add", "b", [a, w]).node();
    let module = graph.build([x], [b]).unwrap();
    let shapes = infer(&module, "5");
    assert_eq!(shapes.node(a.index()).unwrap().parameters, 5);
    assert_eq!(shapes.node(b.index()).unwrap().parameters, 5);
    assert_eq!((shapes.parameters(), shapes.parameter_bytes()), (5, 20));
}

#[test]
fn inputs_are_found_by_name_or_in_order() {
    let mut graph = ModuleBuilder::new();
    let [x, y] = ["x", "y"].map(|name| graph.param(name));
    graph.at(x).shape(&[-1, 3]);
    graph.at(y).shape(&[3]).dtype(DType::Int64);
    let sum = graph.op("add", "sum", [x, y]).node();
    let module = graph.build([x, y], [sum]).unwrap();
    let found = |inputs: &[&str]| {
        let inputs: Vec<Input> = inputs.iter().map(|text| text.parse().unwrap()).collect();
        match Shapes::infer(&module, &inputs) {
            Ok(shapes) => shapes.node(sum.index()).unwrap().output().unwrap().to_string(),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(found(&[]), "float64 [?, 3]");
    assert_eq!(found(&["4x3"]), "float64 [4, 3]");
    assert_eq!(found(&["y=1", "2x3"]), "float64 [2, 3]");
    assert_eq!(
        found(&["4x3", "5"]),
        "node \"sum\" (add): sizes 3 and 5 cannot be broadcast; inputs: float32 [4, 3], int64 [5]"
    );
    assert_eq!(found(&["z=1"]), "input \"z\": the module has no such input; its inputs: x, y");
    assert_eq!(
        found(&["1", "1", "1"]),
        "shapes are given for more inputs than the module has; its inputs: x, y"
    );
    for (text, found) in [("4x-3", "-3"), ("x=", ""), ("", "")] {
        let said = "is no size of a dim; write a shape as 1x3x224x224, or x=1x3x224x224 for the input x; ? is a size \
                    that varies, () the shape of a single number";
        let error = text.parse::<Input>().unwrap_err();
        assert_eq!(error.to_string(), format!("{found:?} {said}"));
    }
    for text in ["x=()", "()", "x=?x3", "a=b=4"] {
        assert_eq!(text.parse::<Input>().unwrap().to_string(), text);
    }
}
