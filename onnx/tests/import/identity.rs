//! Modules that TenniS has run, converted to ONNX and back.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use fourfold::tsm::{Module, Node};
use fourfold_onnx::{Options, export, import};
use fourfold_tennis::{NodeShapes, Operator, PadType, PoolType, Shapes};

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
            // Where the largest value is taken, padding has none of its own.
            Operator::Pooling2d { format, kind: PoolType::Max, padding, ksize, stride, .. } => {
                let padding_type = PadType::Black;
                let kind = PoolType::Max;
                Operator::Pooling2d { format, kind, padding, padding_type, ksize, stride }
            }
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

/// Modules with operators that are decomposed in the table of the documentation, and what these become.
const DECOMPOSED: &[(&str, &str)] = &[
    ("argmax", "_cast and more, which the exporter writes for its bits"),
    ("batch_scale", "add_bias"),
    ("crop_nd", "pad"),
    ("dims", "a tensor"),
    ("expand", "unsqueeze"),
    ("fused_batch_norm-2", "add_bias"),
    ("inner_prod-4", "flatten"),
    ("limit", "pad"),
    ("prewhiten", "sub"),
    ("range", "cast, sub and more, which the exporter counts by"),
    ("resize2d", "matmul or gather"),
    ("sample2d", "matmul, gather or pad"),
    ("shape", "a tensor"),
    (
        "softplus",
        "relu, abs, mul, softplus, add: TenniS's own is infinite from 89 on, ONNX's is not",
    ),
    ("strided_slice", "slice_v3"),
    ("unet", "gather"),
];

/// Modules of exact operators, for which ONNX has the same as for others.
const AMBIGUOUS: &[(&str, &str)] = &[
    ("add-4", "`add_bias` is the same sum"),
    ("cast-7", "booleans of ONNX are 0 or 1, those of TenniS bytes"),
    ("where-1", "booleans of ONNX are 0 or 1, those of TenniS bytes"),
    ("div-7", "ONNX does not define divisions of integers by 0"),
    ("flatten-2", "`_reshape` to 0, 0, -1 is the same"),
    ("pad-", "paddings of ONNX have one type"),
    ("pooling2d_v2-", "inputs that are constants are params"),
    ("reshape_v2-1", "inputs that are constants are params"),
    ("to_float-", "it has no effect on floats"),
];

/// Whether the table of the documentation calls all operators exact.
fn is_exact(module: &Module<'_>) -> bool {
    let text = include_str!("../../../docs/onnx.md");
    let exact: HashSet<&str> = text
        .lines()
        .filter(|line| line.contains("` | exact |"))
        .filter_map(|line| line.split('`').nth(1))
        .collect();
    module.graph.nodes.iter().all(|node| exact.contains(node.op().unwrap()))
}

#[test]
fn modules_are_the_same_after_onnx() {
    let (mut same, mut others) = (0, Vec::new());
    let mut unlisted = Vec::new();
    for path in modules() {
        let bytes = fs::read(&path).unwrap();
        let module = Module::from_slice(&bytes).unwrap();
        let model = export(&module, &Options::new()).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let Some(difference) = difference(&module, &import(&model, None).unwrap()) else {
            same += 1;
            continue;
        };
        let list = if is_exact(&module) { AMBIGUOUS } else { DECOMPOSED };
        if !list.iter().any(|(start, _)| name.starts_with(start)) {
            unlisted.push(format!("{name}: {difference}"));
        }
        others.push(name);
    }
    println!("{same} modules are the same, {} are others", others.len());
    assert!(same >= 191, "{same} modules are the same, these are not: {others:?}");
    assert!(unlisted.is_empty(), "{}", unlisted.join("\n"));
    // No line of the lists is there for nothing.
    let is_used = |start: &str| others.iter().any(|name| name.starts_with(start));
    assert!([DECOMPOSED, AMBIGUOUS].concat().iter().all(|(start, _)| is_used(start)), "{others:?}");
}
