//! Params of rare types and numbers.

use fourfold::tsm::{DType, Module, ModuleBuilder, NodeId, Tensor};

use super::{error, graph, module};

/// One node of integers.
fn of_int(
    dtype: DType,
    shape: &[i32],
    op: &str,
    params: &[(&'static str, f32)],
) -> Module<'static> {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    graph.at(x).shape(shape).dtype(dtype);
    let node = graph.op(op, "y", [x]);
    let y = params.iter().fold(node, |node, (name, value)| node.set(name, *value)).node();
    graph.build([x], [y]).unwrap()
}

#[test]
fn scales_of_double_have_fractions() {
    let resized = |scales: Tensor<'static>| {
        graph(&module(&[1, 2, 4, 4], |graph, x| {
            let scales = graph.constant("scales", scales);
            vec![graph.op("sample2d_v2", "y", [x, scales]).set("type", 3).node()]
        }))
    };
    let double = resized(Tensor::from_values(&[1.0, 1.0, 1.5, 1.5_f64], &[4]).unwrap());
    assert_eq!(double, resized(Tensor::from_values(&[1.0, 1.0, 1.5, 1.5_f32], &[4]).unwrap()));
}

#[test]
fn params_beyond_the_type_are_refused() {
    for (dtype, op, param, value) in [
        (DType::Int32, "relu_max", "max", 3e9),
        (DType::UInt8, "relu_max", "max", -3e9),
        (DType::Int64, "leaky_relu", "scale", 1e19),
        (DType::UInt64, "relu_max", "max", 2e19),
        (DType::Int16, "leaky_relu", "scale", f32::NAN),
    ] {
        let text = error(&of_int(dtype, &[4], op, &[(param, value)]));
        let reason =
            format!("what its param {value} is as {dtype} depends on how TenniS is compiled");
        assert!(text.contains(&reason), "{text}");
    }
    graph(&of_int(DType::UInt64, &[4], "relu_max", &[("max", 1e19)]));
    graph(&of_int(DType::Int16, &[4], "leaky_relu", &[("scale", 70000.0)]));
}

#[test]
fn one_row_of_integers_is_not_mixed() {
    let resized = |kind: i32| {
        let mut graph = ModuleBuilder::new();
        let x = graph.param("x");
        graph.at(x).shape(&[1, 2, 1, 4]).dtype(DType::UInt8);
        let sizes = graph.constant("sizes", Tensor::list(&[-1, -1, 3, 8]).unwrap());
        let y = graph.op("_resize2d", "y", [x, sizes]).set("type", kind).node();
        graph.build([x], [y]).unwrap()
    };
    let text = error(&resized(0));
    assert!(
        text.contains("it resizes one row or column of uint8 by linear interpolation"),
        "{text}"
    );
    graph(&resized(2));
}

#[test]
fn thresholds_are_those_of_runtimes() {
    let selected = |threshold: f32| {
        let mut graph = ModuleBuilder::new();
        let (boxes, scores) = (graph.param("boxes"), graph.param("scores"));
        graph.at(boxes).shape(&[6, 4]).dtype(DType::Float32);
        graph.at(scores).shape(&[6]).dtype(DType::Float32);
        let node = graph.op("non_max_suppression_v3", "y", [boxes, scores]);
        let node = node.set("max_output_size", 5).set("iou_threshold", threshold);
        let y = node.set("score_threshold", 0.0f32).set("mode", "xyxy").node();
        graph.build([boxes, scores], [y]).unwrap()
    };
    graph(&selected(1.0));
    for threshold in [-0.5, 1.5, f32::NAN] {
        let text = error(&selected(threshold));
        assert!(text.contains(&format!("its iou_threshold is {threshold}")), "{text}");
    }
}

/// Padding of a pool that is computed of free sizes, and the pool.
fn padding(graph: &mut ModuleBuilder<'static>, x: NodeId) -> [NodeId; 2] {
    let mut four = |name: &str, values: [i32; 4]| {
        graph.constant(name, Tensor::from_values(&values, &[4]).unwrap())
    };
    let (ksize, stride) = (four("ksize", [1, 1, 3, 3]), four("stride", [1, 1, 2, 2]));
    let padding = graph.op("_onnx_pooling2d_padding", "padding", [x, ksize, stride]).node();
    let pool = graph.op("pooling2d_v2", "y", [x, padding, ksize, stride]);
    [padding, pool.set("format", "NCHW").node()]
}

#[test]
fn computed_padding_is_that_of_its_pool_only() {
    let free = [1, 2, -1, -1];
    let pool = graph(&module(&free, |graph, x| vec![padding(graph, x)[1]]));
    let ops: Vec<&str> = pool.node.iter().map(|node| node.op_type.as_str()).collect();
    assert_eq!(ops, ["MaxPool"]);
    let reason =
        "padding that is computed depends on sizes that are unknown; give the input's shape";
    let output = error(&module(&free, |graph, x| padding(graph, x).to_vec()));
    assert!(
        output.contains(&format!("node \"padding\" (_onnx_pooling2d_padding): {reason}")),
        "{output}"
    );
    let other = error(&module(&free, |graph, x| {
        let [padding, pool] = padding(graph, x);
        vec![pool, graph.op("_cast", "cast", [padding]).set("dtype", 7).node()]
    }));
    assert!(other.contains(&format!("node \"cast\" (_cast): {reason}")), "{other}");
}
