//! Modules that TenniS has run, converted to ONNX and back.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use fourfold::tsm::{Module, Node};
use fourfold_onnx::{Options, export, import};
use fourfold_tennis::{NodeShapes, Operator, Shapes};

fn modules() -> Vec<PathBuf> {
    let runs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/tsm-runs");
    let folders = ["ops", "nets"].map(|folder| fs::read_dir(runs.join(folder)).unwrap());
    let files = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|it| it == "tsm")).collect()
}

/// The counts of dims of all outputs.
struct Ranks(Vec<Option<i32>>);

impl Ranks {
    fn of(module: &Module<'_>) -> Self {
        let shapes = Shapes::infer(module, &[]).unwrap();
        let rank = |node: &NodeShapes| i32::try_from(node.output()?.shape()?.len()).ok();
        Ranks(shapes.nodes().iter().map(rank).collect())
    }

    /// What a node does, spelled in one way: dims are counted from the start, and a format that does not count is
    /// left out.
    fn spelled(&self, node: &Node<'_>) -> Operator {
        let rank = node
            .inputs
            .first()
            .and_then(|&input| *self.0.get(usize::try_from(input).unwrap()).unwrap());
        let from_start = |dim: i32| if dim < 0 { dim + rank.unwrap() } else { dim };
        match Operator::of(node).unwrap() {
            Operator::AddBias { dim: Some(dim), .. } => {
                Operator::AddBias { format: None, dim: Some(dim) }
            }
            Operator::Softmax { dim, smooth } => Operator::Softmax { dim: from_start(dim), smooth },
            Operator::L2Norm { dim, epsilon } => Operator::L2Norm { dim: from_start(dim), epsilon },
            Operator::Concat { dim } => Operator::Concat { dim: from_start(dim) },
            Operator::ReduceSum { dims, keep_dims } => {
                Operator::ReduceSum { dims: from_start(dims), keep_dims }
            }
            Operator::ReduceMean { dims, keep_dims } => {
                let dims = dims.into_iter().map(from_start).collect();
                Operator::ReduceMean { dims, keep_dims }
            }
            other => other,
        }
    }
}

/// The first difference of what two modules compute, up to names of constants.
fn difference(one: &Module<'_>, two: &Module<'_>) -> Option<String> {
    let inputs = |module: &Module<'_>| -> Vec<_> {
        let nodes = module.inputs.iter().map(|&input| module.graph.get(input).unwrap());
        nodes.map(|node| (node.name().unwrap().to_owned(), node.shape(), node.dtype())).collect()
    };
    if inputs(one) != inputs(two) {
        return Some(format!("inputs {:?}, then {:?}", inputs(one), inputs(two)));
    }
    if one.outputs.len() != two.outputs.len() {
        return Some("counts of outputs".to_owned());
    }
    let (ranks, other_ranks) = (Ranks::of(one), Ranks::of(two));
    let mut open: Vec<(u32, u32)> =
        one.outputs.iter().copied().zip(two.outputs.iter().copied()).collect();
    let mut seen: HashSet<(u32, u32)> = HashSet::new();
    while let Some((a, b)) = open.pop() {
        if !seen.insert((a, b)) {
            continue;
        }
        let (a, b) = (one.graph.get(a).unwrap(), two.graph.get(b).unwrap());
        if a.is_const() && b.is_const() {
            if a.value() != b.value() {
                return Some(format!("tensor {:?}", a.name()));
            }
            continue;
        }
        if a.name() != b.name() {
            return Some(format!("{:?} is {:?} ({:?})", a.name(), b.name(), b.op()));
        }
        let (before, after) = (ranks.spelled(a), other_ranks.spelled(b));
        if before != after {
            return Some(format!("{before:?} is {after:?}"));
        }
        if a.inputs.len() != b.inputs.len() {
            return Some(format!(
                "{:?} has {} inputs, then {}",
                a.name(),
                a.inputs.len(),
                b.inputs.len()
            ));
        }
        open.extend(a.inputs.iter().copied().zip(b.inputs.iter().copied()));
    }
    None
}

/// Modules that are others after ONNX, and why that is right: what they compute is the same.
const OTHERS: &[(&str, &str)] = &[
    // ONNX has no such operator, so that TenniS's own is lost.
    ("argmax", "_cast and more, which the exporter writes for its bits"),
    ("batch_scale", "add_bias"),
    ("cast", "_cast"),
    ("where", "a condition of bytes"),
    ("constant_of_shape", "_cast"),
    ("crop_nd", "pad"),
    ("div-7", "where, which the exporter writes for divisors of 0"),
    ("expand", "unsqueeze"),
    ("flatten-2", "_reshape"),
    ("fused_batch_norm-2", "add_bias"),
    ("inner_prod-4", "flatten"),
    ("limit", "pad"),
    ("prewhiten", "sub"),
    ("range", "cast, sub and more, which the exporter counts by"),
    ("resize2d", "matmul or gather"),
    ("sample2d", "matmul, gather or pad"),
    ("to_float", "_cast"),
    ("unet", "gather"),
    ("softmax", "div"),
    // TenniS's own is infinite from 89 on, ONNX's is not.
    ("softplus", "relu, abs, mul, softplus, add"),
    // A param that does not change what is computed is lost.
    ("pooling2d-", "padding_type of the largest value"),
    // What the exporter knows is a constant.
    ("pad", "a padding of int32"),
    ("dims", "a tensor"),
    ("pooling2d_v2", "pooling2d"),
    ("reshape_v2", "_reshape"),
    ("shape", "a tensor"),
    ("squeeze-1", "axes"),
    ("strided_slice", "slice_v3"),
    // A constant for each size of a dim is a bias.
    ("add-4", "add_bias"),
];

#[test]
fn modules_are_the_same_after_onnx() {
    let (mut same, mut others) = (0, BTreeSet::new());
    let mut unlisted = Vec::new();
    for path in modules() {
        let bytes = fs::read(&path).unwrap();
        let module = Module::from_slice(&bytes).unwrap();
        let model = export(&module, &Options::new()).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        match import(&model, None) {
            Ok(back) => match difference(&module, &back) {
                None => same += 1,
                Some(difference) => {
                    if !OTHERS.iter().any(|(start, _)| name.starts_with(start)) {
                        unlisted.push(format!("{name}: {difference}"));
                    }
                    others.insert(name);
                }
            },
            Err(error) => unlisted.push(format!("{name}: {error}")),
        }
    }
    println!("{same} modules are the same, {} are others", others.len());
    assert!(same >= 179, "{same} modules are the same, these are not: {others:?}");
    assert!(unlisted.is_empty(), "{}", unlisted.join("\n"));
    // No line of the lists is there for nothing.
    let names =
        |list: &BTreeSet<String>, start: &str| list.iter().any(|name| name.starts_with(start));
    assert!(OTHERS.iter().all(|(start, _)| names(&others, start)), "{others:?}");
}
