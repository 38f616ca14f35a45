//! Reports the shapes of a module's nodes, and what they cost.

use std::fmt;

use fourfold::tsm::Module;
use fourfold_tennis::{Error, Input, NodeShapes, Output, Shapes, Size};
use serde::Serialize;

use super::report::{name, op};
use crate::write::count::counted_in_groups;
use crate::write::table::{Side, Table};

/// Most outputs of a packed node that are listed.
const MOST_OUTPUTS: usize = 8;

/// The shapes of all nodes but tensors, in the order in which they are computed. Numbers are `null` if they are
/// unknown.
#[derive(Debug, Serialize)]
pub(super) struct ShapesReport {
    multiply_adds: Option<u64>,
    parameters: u64,
    parameter_bytes: u64,
    /// Tensors, and outputs until their last use.
    peak_bytes: Option<u64>,
    nodes: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    node: u32,
    name: String,
    op: String,
    outputs: Vec<OutputReport>,
    multiply_adds: Option<u64>,
    parameters: u64,
    parameter_bytes: u64,
    /// Why the shape is unknown.
    unknown: Option<String>,
    #[serde(skip)]
    text: String,
}

/// An output. Sizes are `null` if they are unknown.
#[derive(Debug, Serialize)]
struct OutputReport {
    dtype: Option<String>,
    shape: Option<Vec<Size>>,
}

impl ShapesReport {
    /// # Errors
    ///
    /// What TenniS would refuse; inputs that the module does not have.
    pub(super) fn of(module: &Module<'_>, inputs: &[Input]) -> Result<Self, Error> {
        let shapes = Shapes::infer(module, inputs)?;
        let rows = shapes.order().iter().filter_map(|&index| {
            let (node, found) = (module.graph.get(index)?, shapes.node(index)?);
            (!node.is_const()).then(|| Row::of(index, name(node), op(node), found))
        });
        Ok(ShapesReport {
            multiply_adds: shapes.multiply_adds(),
            parameters: shapes.parameters(),
            parameter_bytes: shapes.parameter_bytes(),
            peak_bytes: shapes.peak_bytes(),
            nodes: rows.collect(),
        })
    }
}

impl Row {
    fn of(node: u32, name: String, op: String, found: &NodeShapes) -> Self {
        let outputs = found.outputs.iter().take(MOST_OUTPUTS).map(Output::to_string);
        let mut text = outputs.collect::<Vec<_>>().join("; ");
        if let Some(more) = found.outputs.len().checked_sub(MOST_OUTPUTS).filter(|more| *more > 0) {
            text = format!("{text} and {more} more");
        }
        let outputs = found.outputs.iter().map(|output| OutputReport {
            dtype: output.dtype().map(|dtype| dtype.to_string()),
            shape: output.shape().map(<[Size]>::to_vec),
        });
        Row {
            node,
            name,
            op,
            outputs: outputs.collect(),
            multiply_adds: found.multiply_adds,
            parameters: found.parameters,
            parameter_bytes: found.parameter_bytes,
            unknown: found.unknown.clone(),
            text,
        }
    }

    fn is_unknown(&self) -> bool {
        self.outputs.iter().all(|output| output.shape.is_none())
    }

    /// The costs that are not 0, and the reason if the shape is unknown.
    fn cost(&self) -> String {
        let costs = [
            self.multiply_adds.filter(|count| *count > 0).map(multiply_adds),
            (self.parameters > 0).then(|| counted_in_groups(self.parameters, "parameter")),
            self.unknown.clone(),
        ];
        costs.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

fn multiply_adds(count: u64) -> String {
    counted_in_groups(count, "multiply-add")
}

impl fmt::Display for ShapesReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.nodes.iter().all(Row::is_unknown) && !self.nodes.is_empty() {
            return writeln!(
                f,
                "\nshapes: unknown, because the module does not state those of its inputs"
            );
        }
        let bytes = |bytes| counted_in_groups(bytes, "byte");
        let known =
            |text: Option<String>, what: &str| text.unwrap_or_else(|| format!("unknown {what}"));
        let costs = [
            known(self.multiply_adds.map(multiply_adds), "multiply-adds"),
            format!("parameters of {}", bytes(self.parameter_bytes)),
            known(
                self.peak_bytes.map(|peak| format!("{} at the peak", bytes(peak))),
                "memory at the peak",
            ),
        ];
        writeln!(f, "\nshapes: {}", costs.join(", "))?;
        let mut table = Table::new([Side::Left; 4]);
        for row in &self.nodes {
            table.row([row.name.clone(), row.op.clone(), row.text.clone(), row.cost()]);
        }
        table.fmt(f)
    }
}
