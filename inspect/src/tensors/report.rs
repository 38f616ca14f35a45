//! The content of a file with only tensors: safetensors, npz and npy.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::tensors::{self, Order, Source, Weights};
use crate::write::count::number;
use crate::write::listing::{Tensor, Tensors, named};
use crate::write::plain::plain_bytes;
use crate::write::report::About;
use crate::write::table::{Side, Table};
use crate::write::width::head;

/// How many columns of a note are shown. JSON has all of it.
const NOTE: usize = 120;

#[derive(Debug, Serialize)]
pub struct TensorsReport {
    file: String,
    format: &'static str,
    bytes: u64,
    /// What the file is besides its tensors.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    model: BTreeMap<&'static str, String>,
    /// The metadata of a safetensors file.
    metadata: BTreeMap<String, String>,
    tensors: Tensors,
    /// Tensors whose elements are in column-major order.
    column_major: Vec<String>,
    /// Tensors that cannot be read, with the reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<String>,
}

impl TensorsReport {
    /// The report of a file, of which these are the tensors.
    pub fn of(source: &dyn Source, weights: &Weights<'_>, about: &About<'_>) -> Self {
        let mut tensors = Tensors::default();
        let mut column_major = Vec::new();
        for tensor in &weights.tensors {
            if tensor.order == Order::ColumnMajor {
                column_major.push(tensor.name.clone());
            }
            tensors.push(row(tensor, about.bytes));
        }
        TensorsReport {
            file: about.name.to_owned(),
            format: weights.container.name(),
            bytes: number(about.bytes.len()),
            model: source.summary().into_iter().collect(),
            metadata: weights.notes.clone(),
            tensors,
            column_major,
            unread: weights.unread.iter().map(ToString::to_string).collect(),
        }
    }
}

fn row(tensor: &tensors::Tensor<'_>, file: &[u8]) -> Tensor {
    let start = match &tensor.bytes {
        Cow::Borrowed(bytes) => bytes.as_ptr().addr().checked_sub(file.as_ptr().addr()),
        Cow::Owned(_) => None,
    };
    // Elements that were unpacked, or are in another file, are not in the file's bytes.
    let is_inside =
        |start: usize| start.checked_add(tensor.bytes.len()).is_some_and(|end| end <= file.len());
    let start = start.filter(|start| is_inside(*start) && !tensor.bytes.is_empty());
    let count = tensor.shape.iter().fold(1u64, |count, size| count.saturating_mul(number(*size)));
    Tensor {
        name: tensor.name.clone(),
        dtype: tensor.dtype.to_string(),
        shape: tensor.shape.iter().map(|size| number(*size).into()).collect(),
        batch: 1,
        elements: count,
        bytes: number(tensor.bytes.len()),
        offset: start.map(number),
    }
}

impl fmt::Display for TensorsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", named(&self.file, self.format, self.bytes))?;
        for (name, text) in &self.model {
            writeln!(f, "{name}: {text}")?;
        }
        if !self.model.is_empty() {
            writeln!(f)?;
        }
        if !self.metadata.is_empty() {
            writeln!(f, "metadata")?;
            let mut table = Table::new([Side::Left, Side::Left]);
            for (key, text) in &self.metadata {
                let cell = |text: &str| head(&plain_bytes(text.as_bytes()), NOTE).into_owned();
                table.row([cell(key), cell(text)]);
            }
            table.fmt(f)?;
            writeln!(f)?;
        }
        writeln!(f, "tensors: {}", self.tensors.sum("element"))?;
        self.tensors.fmt(f)?;
        if !self.unread.is_empty() {
            writeln!(f, "\nnot read")?;
            self.unread
                .iter()
                .try_for_each(|text| writeln!(f, "  {}", plain_bytes(text.as_bytes())))?;
        }
        match self.column_major.as_slice() {
            [] => Ok(()),
            names => {
                let names: Vec<String> =
                    names.iter().map(|name| plain_bytes(name.as_bytes())).collect();
                writeln!(f, "\ncolumn-major: {}", names.join(", "))
            }
        }
    }
}
