//! Modules made of random numbers, so that fewer and smaller numbers are smaller modules.

use std::sync::OnceLock;

use fourfold::tsm::{DType, IntoPacked, Module, ModuleBuilder, NodeId, Tensor};
use fourfold_tennis::{ErrorKind, Operator, Output};

/// Numbers that are used up one after the other; then they are 0.
struct Numbers<'a>(std::slice::Iter<'a, u8>);

impl Numbers<'_> {
    fn below(&mut self, count: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or(0)) % count
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn integer(&mut self) -> i32 {
        self.one(&[1, 2, 1, 3, 0, 4, -1, 1, 2, 8, -2, 5, 1, 2, i32::MAX, i32::MIN])
    }

    fn integers(&mut self, count: usize) -> Vec<i32> {
        (0..count).map(|_| self.integer()).collect()
    }

    fn list(&mut self) -> Vec<i32> {
        let count = self.one(&[1, 4, 2, 3, 4, 0, 8]);
        self.integers(count)
    }

    fn float(&mut self) -> f32 {
        self.one(&[1.0, 0.5, 2.0, 0.0, -1.5, 1e9, f32::NAN, f32::INFINITY])
    }

    /// A param, by what the operator takes.
    fn param(&mut self, expected: &str) -> Tensor<'static> {
        let text = |text: &str| text.into_packed().unwrap().fields.remove(0);
        match expected {
            "integers" => Tensor::list(&self.list()).unwrap(),
            "2 integers" => Tensor::list(&self.integers(2)).unwrap(),
            // The batch and channels have no windows.
            "4 integers" => Tensor::list(&[vec![1, 1], self.integers(2)].concat()).unwrap(),
            "integers of the shape [2, 2]" => {
                Tensor::from_values(&self.integers(4), &[2, 2]).unwrap()
            }
            "integers of the shape [4, 2]" => {
                let padding = [vec![0; 4], self.integers(4)].concat();
                Tensor::from_values(&padding, &[4, 2]).unwrap()
            }
            "numbers" => {
                let count = self.below(4);
                Tensor::list(&(0..count).map(|_| self.float()).collect::<Vec<_>>()).unwrap()
            }
            "a number" => Tensor::scalar(self.float()),
            "a boolean" => Tensor::scalar(self.below(2) == 1),
            "the code of a dtype" => Tensor::scalar(i32::from(self.dtype().code())),
            "text" => text(self.one(&["xyxy", "xywh", ""])),
            "a tensor" => Tensor::list(&self.list()).unwrap(),
            "NCHW or NHWC" => text(self.one(&["NCHW", "NCHW", "NHWC"])),
            "forward or bidirectional" => text(self.one(&["forward", "bidirectional"])),
            _ if expected.contains("VALID") => text(self.one(&["VALID", "SAME"])),
            _ if expected.starts_with("0 (") => Tensor::scalar(self.one(&[0, 1, 2, 3])),
            _ => Tensor::scalar(self.integer()),
        }
    }

    fn dtype(&mut self) -> DType {
        use DType as D;
        self.one(&[
            D::Float32,
            D::Int32,
            D::Float32,
            D::Float64,
            D::UInt8,
            D::Int8,
            D::Int16,
            D::UInt16,
            D::UInt32,
            D::Int64,
            D::UInt64,
            D::Boolean,
            D::Float16,
            D::Char8,
        ])
    }
}

/// Params, and what each takes.
type Params = Vec<(&'static str, &'static str)>;

/// What an operator needs.
struct Needs {
    op: &'static str,
    params: Params,
    inputs: usize,
}

fn all() -> &'static [Needs] {
    static ALL: OnceLock<Vec<Needs>> = OnceLock::new();
    ALL.get_or_init(|| {
        let all = Operator::NAMES.iter().filter(|op| !op.starts_with('<'));
        all.map(|op| needs(op)).collect()
    })
}

fn needs(op: &'static str) -> Needs {
    let mut params = Params::new();
    loop {
        let mut graph = ModuleBuilder::new();
        let x = graph.param("x");
        let node = graph.op(op, "y", [x]);
        let node = params.iter().fold(node, |node, (param, expected)| {
            node.set(param, Numbers([].iter()).param(expected))
        });
        let y = node.node();
        let module = graph.build([x], [y]).unwrap();
        match Operator::of(&module.graph.nodes[1]).map_err(|error| error.kind) {
            Err(ErrorKind::Missing { param, expected }) => params.push((param, expected)),
            Ok(operator) => return Needs { op, params, inputs: inputs(&operator) },
            Err(kind) => panic!("{op}: {kind}"),
        }
    }
}

/// How many inputs an operator takes, as its errors have it.
fn inputs(operator: &Operator) -> usize {
    let x = Output::new(Some(DType::Float32), vec![Some(1); 4]);
    let is_count = |count: &usize| match operator.outputs(&vec![&x; *count]) {
        Ok(_) => true,
        Err(reason) => !reason.contains("count of inputs") && !reason.contains("is missing"),
    };
    (1..8).find(is_count).unwrap_or(1)
}

/// Params that some operators have.
const OPTIONAL: &[&str] = &[
    "dim",
    "axis",
    "keep_dims",
    "front",
    "end",
    "inverse",
    "offset",
    "type",
    "smooth",
    "begin_mask",
    "end_mask",
    "ellipsis_mask",
    "new_axis_mask",
    "shrink_axis_mask",
    "padding_value",
    "epsilon",
];

/// A module of few nodes, of which the last one is the output.
pub(crate) fn module(numbers: &[u8]) -> Module<'static> {
    let mut numbers = Numbers(numbers.iter());
    let mut graph = ModuleBuilder::new();
    let (mut params, mut nodes): (Vec<NodeId>, Vec<NodeId>) = (Vec::new(), Vec::new());
    let (common, rank) = (numbers.dtype(), numbers.one(&[4, 4, 2, 4, 3, 1, 5, 0]));
    for at in 0..=numbers.below(3) {
        let x = graph.param(&format!("x{at}"));
        // One type and count of dims for all, as a rule.
        let dtype = if numbers.below(4) == 3 { numbers.dtype() } else { common };
        let rank = if numbers.below(4) == 3 { numbers.below(7) } else { rank };
        let shape = numbers.integers(rank);
        // A size of 0 or less is unknown, as a rule.
        let known = numbers.below(2) == 0;
        let shape: Vec<i32> =
            shape.into_iter().map(|size| if known { size.max(0) } else { size }).collect();
        graph.at(x).shape(&shape).dtype(dtype);
        params.push(x);
        nodes.push(x);
    }
    for at in 0..=numbers.below(4) {
        let Needs { op, params: needed, inputs } = &all()[numbers.below(all().len())];
        let count = if numbers.below(8) == 7 { 1 + numbers.below(6) } else { *inputs };
        let mut given = Vec::new();
        for input in 0..count {
            given.push(match numbers.below(5) {
                0..3 => nodes[nodes.len() - 1 - numbers.below(nodes.len())],
                3 => graph
                    .constant(&format!("c{at}_{input}"), Tensor::list(&numbers.list()).unwrap()),
                _ => {
                    let batch =
                        if numbers.below(4) == 3 { numbers.integers(4) } else { vec![0; 4] };
                    let padding = [batch, numbers.integers(4)].concat();
                    let padding: Vec<i64> = padding.into_iter().map(i64::from).collect();
                    let padding = Tensor::from_values(&padding, &[4, 2]).unwrap();
                    graph.constant(&format!("c{at}_{input}"), padding)
                }
            });
        }
        let mut node = graph.op(op, &format!("n{at}"), given);
        for (param, expected) in needed {
            node = node.set(param, numbers.param(expected));
        }
        for _ in 0..numbers.below(4) {
            let param = numbers.one(OPTIONAL);
            if !needed.iter().any(|(name, _)| *name == param) {
                node = node.set(param, numbers.integer());
            }
        }
        if numbers.below(8) == 1 {
            let shape = numbers.list();
            node = node.shape(&shape[..shape.len().min(7)]);
        }
        if numbers.below(8) == 1 {
            node = node.dtype(numbers.dtype());
        }
        nodes.push(node.node());
    }
    graph.build(params, nodes.last().copied()).unwrap()
}
