//! Operators read from modules that TenniS has run, and from nodes made here.

use std::fs;

use fourfold::tsm::{DType, IntoPacked, Module, ModuleBuilder, Node, Tensor};
use fourfold_tennis::{AutoPad, Direction, Format, Operator, PadType, PoolType, ResizeType};

use crate::runs::modules;

fn node<'a>(op: &str, params: &[(&str, Tensor<'static>)]) -> Node<'a> {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let node = graph.op(op, "it", [x]);
    let node = params.iter().fold(node, |node, (name, value)| node.set(name, value.clone()));
    let node = node.node();
    graph.build([x], [node]).unwrap().graph.nodes.remove(1)
}

fn set(value: impl IntoPacked<'static>) -> Tensor<'static> {
    value.into_packed().unwrap().fields.remove(0)
}

fn error(op: &str, params: &[(&str, Tensor<'static>)]) -> String {
    Operator::of(&node(op, params)).unwrap_err().to_string()
}

#[test]
fn operators_that_tennis_has_run_are_read_and_written_again() {
    let modules = modules();
    assert_eq!(modules.len(), 245);
    for path in modules {
        let bytes = fs::read(&path).unwrap();
        for read in &Module::from_slice(&bytes).unwrap().graph.nodes {
            let operator = Operator::of(read).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            assert_eq!(Some(operator.name()), read.op());
            let params = operator.params().unwrap();
            if params.is_empty() {
                continue;
            }
            let written = node(operator.name(), &params);
            assert_eq!(Operator::of(&written).unwrap(), operator, "{path:?}");
            // Nothing is written that the file does not have.
            for (name, _) in params {
                assert!(read.param(name).is_some(), "{path:?}: {name}");
            }
        }
    }
}

#[test]
fn numbers_are_cast_as_tennis_casts_them() {
    let scale = |value| Operator::of(&node("leaky_relu", &[("scale", value)])).unwrap();
    for value in [
        set(2i32),
        set(2u8),
        set(2i64),
        set(2.0f32),
        set(2.0f64),
        set(true),
        set("2.0 and more"),
        Tensor::from_values(&[2i16, 7], &[1, 2]).unwrap(),
        // 2 as a float of 16 bits.
        Tensor::new(fourfold::tsm::Prototype::new(DType::Float16, [1]), vec![0, 0x40]).unwrap(),
    ] {
        let expected = if value.dtype() == DType::Boolean { 1.0 } else { 2.0 };
        assert_eq!(scale(value), Operator::LeakyRelu { scale: expected });
    }

    let dim = |value| Operator::of(&node("concat", &[("dim", value)])).unwrap();
    // The upper bits and the fraction are lost.
    assert_eq!(dim(set((1i64 << 32) + 1)), Operator::Concat { dim: 1 });
    assert_eq!(dim(set(-1.9f32)), Operator::Concat { dim: -1 });
    assert_eq!(dim(set(" -1x")), Operator::Concat { dim: -1 });
    assert_eq!(dim(set("x")), Operator::Concat { dim: 0 });

    // A boolean is a byte.
    let transposed = |value| Operator::of(&node("inner_prod", &[("transpose", value)])).unwrap();
    for (value, transpose) in
        [(set("TRUE"), true), (set("1"), false), (set(256i32), false), (set(-1i32), true)]
    {
        assert_eq!(transposed(value), Operator::InnerProd { transpose, kernel_packed: false });
    }

    // Slices end at the largest integer.
    let slice = node("slice", &[("begin", set(&[0i64][..])), ("size", set(&[i64::MAX][..]))]);
    let expected = Operator::Slice { begin: vec![0], size: vec![i32::MAX] };
    assert_eq!(Operator::of(&slice).unwrap(), expected);
}

#[test]
fn params_that_are_missing_have_the_defaults_of_tennis() {
    let pairs = Tensor::from_values(&[0i32; 8], &[4, 2]).unwrap();
    let four = set(&[1i32, 1, 2, 2][..]);
    let conv = node(
        "conv2d",
        &[
            ("format", set("NCHW")),
            ("padding", pairs),
            ("stride", four.clone()),
            ("dialations", four),
        ],
    );
    let expected = Operator::Conv2d {
        format: Format::Nchw,
        padding: [[0; 2]; 4],
        padding_value: 0.0,
        stride: [1, 1, 2, 2],
        dilation: [1, 1, 2, 2],
        kernel_packed: false,
    };
    assert_eq!(Operator::of(&conv).unwrap(), expected);
    // Of two names the official one is written.
    let names: Vec<_> = expected.params().unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["format", "padding", "stride", "dilation"]);

    for (op, expected) in [
        ("chunk", None),
        ("_copy", Some(Operator::Copy)),
        ("sample2d_v2", Some(Operator::Sample2dV2 { kind: ResizeType::Hard })),
        ("squeeze", Some(Operator::Squeeze { axes: None })),
        (
            "_dragon_pooling2d_padding",
            Some(Operator::DragonPooling2dPadding {
                ceil: true,
                auto_pad: AutoPad::Valid,
                padding: [[0; 2]; 4],
            }),
        ),
        ("pooling2d_v2", None),
    ] {
        assert_eq!(Operator::of(&node(op, &[])).ok(), expected, "{op}");
    }
    let pooling = node("pooling2d_v2", &[("format", set("NHWC"))]);
    assert_eq!(
        Operator::of(&pooling).unwrap(),
        Operator::Pooling2dV2 {
            format: Format::Nhwc,
            kind: PoolType::Max,
            padding_type: PadType::Black,
        },
    );
}

#[test]
fn tennis_takes_any_direction_but_one_for_forward() {
    for (text, direction) in [
        ("forward", Direction::Forward),
        ("reverse", Direction::Forward),
        ("bidirectional", Direction::Bidirectional),
    ] {
        let lstm = node("LSTM", &[("direction", set(text)), ("hidden_size", set(4))]);
        assert_eq!(Operator::of(&lstm).unwrap(), Operator::Lstm { direction, hidden_size: 4 });
    }
}

#[test]
fn errors_name_the_node_the_param_and_what_is_expected() {
    assert_eq!(
        error("identity", &[]),
        "node \"it\" (identity): the CPU backend of TenniS 1.3.0 has no such operator",
    );
    assert_eq!(
        error("softmax", &[]),
        "node \"it\" (softmax): no param \"dim\"; set it to an integer",
    );
    assert_eq!(
        error("softmax", &[("dim", Tensor::list::<i32>(&[]).unwrap())]),
        "node \"it\" (softmax): param \"dim\" is int32 [0]; expected an integer",
    );
    assert_eq!(
        error("global_pooling2d", &[("format", set("CHW"))]),
        "node \"it\" (global_pooling2d): param \"format\" is \"CHW\"; expected NCHW or NHWC",
    );
    assert_eq!(
        error("global_pooling2d", &[("format", set("NCHW")), ("type", set(2))]),
        "node \"it\" (global_pooling2d): param \"type\" is 2; expected 0 (max) or 1 (average)",
    );
    assert_eq!(
        error("space_to_batch4d", &[("padding", set(&[0i32, 0, 0, 0][..]))]),
        "node \"it\" (space_to_batch4d): param \"padding\" is int32 [4]; expected integers of the shape [2, 2]",
    );
    assert_eq!(
        error("_cast", &[("dtype", set(33))]),
        "node \"it\" (_cast): param \"dtype\" is 33; expected the code of a dtype",
    );
}

#[test]
fn every_operator_has_a_name_of_its_own() {
    let mut names = Operator::NAMES.to_vec();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Operator::NAMES.len());
}
