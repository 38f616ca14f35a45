//! Names, shapes, and which nodes there are.

use fourfold::tsm::{ModuleBuilder, Node, Tensor};
use fourfold_onnx::proto::{Kind, Size};
use fourfold_onnx::{Graph, Options, ValueInfo, export};
use fourfold_tennis::{Input, Operator};

use super::{graph, module};

/// Nodes as `output = Operator(inputs)`.
fn nodes(graph: &Graph) -> Vec<String> {
    let node = |node: &fourfold_onnx::Node| {
        format!("{} = {}({})", node.output.join(", "), node.op_type, node.input.join(", "))
    };
    graph.node.iter().map(node).collect()
}

fn shape(info: &ValueInfo) -> Vec<String> {
    let Some(Kind::Tensor(tensor)) = &info.r#type.as_ref().unwrap().value else {
        panic!("{info:?}")
    };
    let dims = tensor.shape.as_ref().unwrap().dim.iter();
    dims.map(|dim| match &dim.value {
        Some(Size::Value(size)) => size.to_string(),
        Some(Size::Name(name)) => name.clone(),
        None => "?".to_owned(),
    })
    .collect()
}

#[test]
fn names_and_shapes_are_kept() {
    let module = module(&[-1, 3, -1, 8], |graph, x| {
        let bias = graph.constant("bias", Tensor::from_values(&[1.0f32, 2.0, 3.0], &[3]).unwrap());
        let sum = graph.op("add_bias", "sum", [x, bias]).set("dim", 1).node();
        vec![graph.op("relu", "y", [sum]).node()]
    });
    let graph = graph(&module);
    assert_eq!(nodes(&graph), ["sum = Add(x, constant)", "y = Relu(sum)"]);
    assert_eq!(graph.node[0].name, "sum");
    assert_eq!(graph.initializer[0].dims, [3, 1, 1]);
    assert_eq!(shape(&graph.input[0]), ["batch", "3", "x_2", "8"]);
    assert_eq!(shape(&graph.output[0]), ["batch", "3", "x_2", "8"]);
    assert_eq!(
        (&*graph.value_info[0].name, shape(&graph.value_info[0])),
        ("sum", shape(&graph.output[0]))
    );
}

/// An output has the name of an input's size only if it has that size.
#[test]
fn free_sizes_of_outputs_have_names() {
    let module = module(&[-1, 4], |graph, x| {
        let flat = graph.op("flatten", "flat", [x]).set("dim", 0).node();
        let twice = Operator::Concat { dim: 0 }.add_to(graph, "twice", vec![x, x]).unwrap();
        vec![graph.op("relu", "y", [x]).node(), flat, twice]
    });
    let graph = graph(&module);
    let shapes: Vec<Vec<String>> = graph.output.iter().map(shape).collect();
    assert_eq!(shapes, [vec!["batch", "4"], vec!["flat_0"], vec!["twice_0", "4"]]);
}

#[test]
fn sizes_that_are_equal_for_some_numbers_only_have_names_of_their_own() {
    let module = module(&[1, 1, -1, 9], |graph, x| {
        let weights = Tensor::from_values(&[1.0_f32; 9], &[1, 1, 3, 3]).unwrap();
        let w = graph.constant("w", weights);
        let ints = |graph: &mut ModuleBuilder<'static>, name: &str, value: i32| {
            graph.constant(name, Tensor::from_values(&[value], &[1]).unwrap())
        };
        let (zero, end) = (ints(graph, "zero", 0), ints(graph, "end", 3000));
        let (axis, one) = (ints(graph, "axis", 2), ints(graph, "one", 1));
        let padding = || Tensor::from_values(&[0i32, 0, 0, 0, 1, 1, 1, 1], &[4, 2]).unwrap();
        let mut strided = |op: &str, name: &str, input| {
            let node = graph.op(op, name, [input, w]).set("format", "NCHW");
            let node = node.set("padding", padding()).set("stride", &[1i32, 1, 2, 2][..]);
            node.set("dilation", &[1i32; 4][..]).node()
        };
        // Odd heights come back, even ones do not.
        let half = strided("conv2d", "half", x);
        let back = strided("transpose_conv2d", "back", half);
        let cut = graph.op("slice_v3", "cut", [x, zero, end, axis, one]).node();
        vec![back, cut]
    });
    let graph = graph(&module);
    let shapes: Vec<Vec<String>> = graph.output.iter().map(shape).collect();
    assert_eq!(shapes, [["1", "1", "back_2", "9"], ["1", "1", "cut_2", "9"]]);
}

#[test]
fn shapes_are_given_by_options() {
    let module = module(&[-1, -1], |graph, x| vec![graph.op("relu", "y", [x]).node()]);
    let options = Options::new().inputs(vec!["x=2x3".parse::<Input>().unwrap()]);
    let graph = export(&module, &options).unwrap().graph.unwrap();
    assert_eq!(shape(&graph.input[0]), ["2", "3"]);
}

#[test]
fn nodes_and_constants_that_no_output_needs_are_left_out() {
    let module = module(&[2, 2], |graph, x| {
        let unused = graph.constant("unused", Tensor::from_values(&[1.0f32], &[1]).unwrap());
        graph.op("an operator that is unknown", "aside", [x, unused]).node();
        vec![graph.op("relu", "y", [x]).node()]
    });
    let graph = graph(&module);
    assert_eq!(nodes(&graph), ["y = Relu(x)"]);
    assert_eq!(graph.initializer, []);
}

#[test]
fn outputs_that_are_inputs_constants_or_there_twice_get_a_name() {
    let module = module(&[2], |graph, x| {
        let one = graph.constant("one", Tensor::from_values(&[1.0f32], &[1]).unwrap());
        let y = graph.op("relu", "y", [x]).node();
        vec![x, one, y, y]
    });
    let graph = graph(&module);
    assert_eq!(
        nodes(&graph),
        [
            "y = Relu(x)",
            "x/output = Identity(x)",
            "one/output = Identity(one)",
            "y/output = Identity(y)"
        ]
    );
    let names: Vec<_> = graph.output.iter().map(|output| &*output.name).collect();
    assert_eq!(names, ["x/output", "one/output", "y", "y/output"]);
}

#[test]
fn shapes_that_are_computed_are_constants() {
    let module = module(&[2, 3, 4], |graph, x| {
        let shape = graph.op("_shape", "shape", [x]).node();
        let index = graph.constant("index", Tensor::from_values(&[2i32, 0, 1], &[3]).unwrap());
        let turned = graph.op("gather", "turned", [shape, index]).node();
        vec![graph.op("_reshape_v2", "y", [x, turned]).node()]
    });
    let graph = graph(&module);
    assert_eq!(nodes(&graph), ["y = Reshape(x, constant)"]);
    let bytes = graph.initializer[0].elements(None).unwrap();
    assert_eq!(*bytes, [4i64, 2, 3].map(i64::to_le_bytes).concat());
}

#[test]
fn fields_of_packed_outputs_are_called_as_their_nodes_are() {
    let module = module(&[4, 2], |graph, x| {
        let packed = graph.op("chunk", "packed", [x]).set("chunks", 2).set("dim", 0).node();
        vec![graph.op("_field", "second", [packed]).set("offset", 1).node()]
    });
    assert_eq!(nodes(&graph(&module)), ["packed:0, second = Split(x, constant)"]);
}

#[test]
fn names_that_are_there_twice_or_empty_or_no_text_are_unique() {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    graph.at(x).shape(&[2]);
    let mut last = x;
    for name in ["", "x", "x", "a\nb\u{0}\u{202e}", "constant"] {
        last = graph.op("relu", name, [last]).node();
    }
    let module = graph.build([x], [last]).unwrap();
    let graph = super::graph(&module);
    let names: Vec<_> = graph.node.iter().map(|node| &*node.output[0]).collect();
    assert_eq!(names, ["_1", "x_1", "x_2", "a\nb\u{0}\u{202e}", "constant"]);
}

#[test]
fn a_hundred_thousand_nodes_are_converted() {
    let module = module(&[2], |graph, x| {
        let mut last = x;
        for _ in 0..100_000 {
            last = graph.op("relu", "relu", [last]).node();
        }
        vec![last]
    });
    // Nodes of the file may be in any order.
    let mut reversed = module;
    let count = u32::try_from(reversed.graph.nodes.len()).unwrap();
    reversed.graph.nodes.reverse();
    let turned = |index: &mut u32| *index = count - 1 - *index;
    reversed.inputs.iter_mut().chain(&mut reversed.outputs).for_each(turned);
    let inputs = reversed.graph.nodes.iter_mut().flat_map(|node: &mut Node<'_>| &mut node.inputs);
    inputs.for_each(turned);
    let graph = graph(&reversed);
    assert_eq!(graph.node.len(), 100_000);
    assert_eq!(graph.node[99_999].output, ["relu_99999"]);
}
