//! Reports the content of a module of TenniS or of a tensor file.

use std::collections::BTreeMap;
use std::fmt;
use std::mem;

use fourfold::tsm::{self, Diagnostic, Header, Module, Node, PackedTensor, Severity};
use serde::Serialize;

use super::shapes::ShapesReport;
use crate::tensors::params;
use crate::write::count::{counted_in_groups, grouped, number};
use crate::write::listing::{Tensor, Tensors, brackets, named};
use crate::write::plain::plain_bytes;
use crate::write::report::About;
use crate::write::table::{Side, Table};

/// A module.
#[derive(Debug, Serialize)]
pub(super) struct ModuleReport {
    file: String,
    format: &'static str,
    bytes: u64,
    header: HeaderReport,
    nodes: u64,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    operators: BTreeMap<String, u64>,
    /// `null` if TenniS would refuse the module.
    shapes: Option<ShapesReport>,
    /// Why there are no shapes.
    shapes_error: Option<String>,
    /// The values of `<const>` nodes.
    weights: Tensors,
    /// The params of other nodes, except those that begin with `#`.
    settings: Tensors,
    /// The params that begin with `#`, such as `#op`, `#name`, `#shape`.
    own: Own,
    diagnostics: Vec<Found>,
}

#[derive(Debug, Serialize)]
struct HeaderReport {
    fake: u32,
    code: String,
    /// Number of free bytes that are not 0.
    data_bytes: u64,
}

/// An input or an output.
#[derive(Debug, Serialize)]
struct Port {
    node: u32,
    name: String,
    op: String,
    dtype: Option<String>,
    shape: Option<Vec<i64>>,
}

#[derive(Debug, Default, Serialize)]
struct Own {
    count: u64,
    bytes: u64,
}

/// Diagnostics of one kind.
#[derive(Debug, Serialize)]
struct Found {
    severity: &'static str,
    count: u64,
    first: String,
}

impl ModuleReport {
    /// # Errors
    ///
    /// If shapes are given for inputs that do not lead to shapes of all nodes.
    pub(super) fn of(module: &Module<'_>, about: &About<'_>) -> Result<Self, String> {
        let (shapes, shapes_error) = match ShapesReport::of(module, about.inputs) {
            Ok(shapes) => (Some(shapes), None),
            Err(error) if about.inputs.is_empty() => (None, Some(error.to_string())),
            Err(error) => return Err(error.to_string()),
        };
        let mut operators = BTreeMap::new();
        for node in &module.graph.nodes {
            *operators.entry(op(node)).or_default() += 1;
        }
        let port = |index: &u32| Port::of(module, *index);
        let mut report = ModuleReport {
            file: about.name.to_owned(),
            format: "tsm",
            bytes: number(about.bytes.len()),
            header: HeaderReport::of(&module.header),
            nodes: number(module.graph.nodes.len()),
            inputs: module.inputs.iter().map(port).collect(),
            outputs: module.outputs.iter().map(port).collect(),
            operators,
            shapes,
            shapes_error,
            weights: Tensors::default(),
            settings: Tensors::default(),
            own: Own::default(),
            diagnostics: found(&module.check()),
        };
        report.list(module);
        Ok(report)
    }

    fn list(&mut self, module: &Module<'_>) {
        let params = module.graph.nodes.iter().flat_map(params);
        let fields =
            params.flat_map(|(param, is_weight)| param.value.fields.iter().map(move |_| is_weight));
        for (entry, is_weight) in module.index().into_iter().zip(fields) {
            let bytes = number(entry.range.len());
            if entry.param_name.starts_with(b"#") {
                self.own.count += 1;
                self.own.bytes = self.own.bytes.saturating_add(bytes);
                continue;
            }
            let mut name = plain_bytes(entry.node_name);
            if !is_weight {
                name = format!("{name}/{}", plain_bytes(entry.param_name));
            }
            if entry.field > 0 {
                name = format!("{name}[{}]", entry.field);
            }
            let tensors = if is_weight { &mut self.weights } else { &mut self.settings };
            tensors.push(Tensor {
                name,
                dtype: entry.dtype.to_string(),
                shape: entry.shape.iter().copied().map(i128::from).collect(),
                batch: 1,
                elements: elements(entry.shape),
                bytes,
                offset: Some(number(entry.range.start)),
            });
        }
    }
}

impl HeaderReport {
    fn of(header: &Header) -> Self {
        HeaderReport {
            fake: header.fake,
            code: format!("{:#x}", header.code),
            data_bytes: number(header.data.iter().filter(|byte| **byte != 0).count()),
        }
    }
}

impl Port {
    fn of(module: &Module<'_>, node: u32) -> Self {
        let found = module.graph.get(node);
        let value = found.and_then(Node::value).and_then(PackedTensor::first);
        let shape = found.and_then(Node::shape).or_else(|| Some(value?.shape().to_vec()));
        let kind = found.and_then(Node::dtype).or_else(|| Some(value?.dtype()));
        Port {
            node,
            name: found.map(name).unwrap_or_default(),
            op: found.map(op).unwrap_or_default(),
            dtype: kind.map(|kind| kind.to_string()),
            shape: shape.map(|shape| shape.into_iter().map(i64::from).collect()),
        }
    }

    fn prototype(&self) -> String {
        match (&self.dtype, &self.shape) {
            (None, None) => "type and shape not given".into(),
            (Some(dtype), None) => format!("{dtype}, shape not given"),
            (None, Some(shape)) => format!("{}, type not given", brackets(shape, usize::MAX)),
            (Some(dtype), Some(shape)) => format!("{dtype} {}", brackets(shape, usize::MAX)),
        }
    }
}

pub(super) fn name(node: &Node<'_>) -> String {
    plain_bytes(node.name_bytes().unwrap_or_default())
}

pub(super) fn op(node: &Node<'_>) -> String {
    plain_bytes(node.op_bytes().unwrap_or_default())
}

/// The product of the sizes, which were checked when the tensor was read.
fn elements(shape: &[i32]) -> u64 {
    let sizes = shape.iter().map(|size| u64::try_from(*size).unwrap_or(0));
    sizes.fold(1, u64::saturating_mul)
}

fn found(diagnostics: &[Diagnostic]) -> Vec<Found> {
    let mut found: Vec<(mem::Discriminant<tsm::DiagnosticKind>, Found)> = Vec::new();
    for diagnostic in diagnostics {
        let kind = mem::discriminant(&diagnostic.kind);
        match found.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, found)) => found.count += 1,
            None => {
                let severity = match diagnostic.severity() {
                    Severity::Refused => "refused",
                    _ => "suspicious",
                };
                found.push((kind, Found { severity, count: 1, first: diagnostic.to_string() }));
            }
        }
    }
    found.into_iter().map(|(_, found)| found).collect()
}

impl fmt::Display for ModuleReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HeaderReport { fake, code, data_bytes } = &self.header;
        writeln!(f, "{}", named(&self.file, "tsm module", self.bytes))?;
        writeln!(f, "header: code {code}, fake {fake:#x}, {data_bytes} of its free bytes in use")?;
        for (what, ports) in [("inputs", &self.inputs), ("outputs", &self.outputs)] {
            writeln!(f, "\n{what}: {}", ports.len())?;
            let mut table = Table::new([Side::Left, Side::Left, Side::Left]);
            for port in ports {
                table.row([port.name.clone(), port.op.clone(), port.prototype()]);
            }
            table.fmt(f)?;
        }
        writeln!(f, "\nnodes: {}", grouped(self.nodes))?;
        let mut table = Table::new([Side::Right, Side::Left]);
        let mut operators: Vec<_> = self.operators.iter().collect();
        operators.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (op, count) in operators {
            table.row([grouped(*count), op.clone()]);
        }
        table.fmt(f)?;
        if let Some(shapes) = &self.shapes {
            shapes.fmt(f)?;
        }
        if let Some(error) = &self.shapes_error {
            writeln!(f, "\nshapes: {error}")?;
        }
        writeln!(f, "\nweights (<const>): {}", self.weights.sum("parameter"))?;
        self.weights.fmt(f)?;
        writeln!(f, "\nsettings of operators: {}", self.settings.sum("element"))?;
        self.settings.fmt(f)?;
        let Own { count, bytes } = &self.own;
        let (count, bytes) =
            (counted_in_groups(*count, "tensor"), counted_in_groups(*bytes, "byte"));
        writeln!(f, "\nnames and what else begins with #: {count}, {bytes}")?;
        let diagnostics = self.diagnostics.iter().map(|found| found.count).sum();
        writeln!(f, "\n{}", counted_in_groups(diagnostics, "diagnostic"))?;
        let mut table = Table::new([Side::Right, Side::Left, Side::Left]);
        for Found { severity, count, first } in &self.diagnostics {
            let such = if *count > 1 { ", for example" } else { "" };
            table.row([grouped(*count), format!("{severity}{such}"), first.clone()]);
        }
        table.fmt(f)
    }
}

/// A file of tensors without a module.
#[derive(Debug, Serialize)]
pub(super) struct PackedReport {
    file: String,
    format: &'static str,
    bytes: u64,
    tensors: Tensors,
}

impl PackedReport {
    pub(super) fn of(packed: &PackedTensor<'_>, about: &About<'_>) -> Self {
        let mut tensors = Tensors::default();
        for (field, tensor) in packed.fields.iter().enumerate() {
            tensors.push(Tensor {
                name: format!("[{field}]"),
                dtype: tensor.dtype().to_string(),
                shape: tensor.shape().iter().copied().map(i128::from).collect(),
                batch: 1,
                elements: number(tensor.count()),
                bytes: number(tensor.bytes().len()),
                offset: None,
            });
        }
        let (file, bytes) = (about.name.to_owned(), number(about.bytes.len()));
        PackedReport { file, format: "tsm", bytes, tensors }
    }
}

impl fmt::Display for PackedReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", named(&self.file, "tsm tensors without a module", self.bytes))?;
        writeln!(f, "\n{}", self.tensors.sum("element"))?;
        self.tensors.fmt(f)
    }
}
