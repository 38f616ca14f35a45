//! Shared parts of reports: the first line with the file, and the table of tensors.

use std::fmt;

use serde::Serialize;

use super::count::counted_in_groups;
use super::plain::plain;
use super::table::{Side, Table};

/// A tensor without its data.
#[derive(Debug, Serialize)]
pub struct Tensor {
    pub name: String,
    pub dtype: String,
    /// Sizes of 64 bits, or -1 for unknown ones.
    pub shape: Vec<i128>,
    /// The size of the batch, if the format has batches; else 1.
    #[serde(skip_serializing_if = "is_one")]
    pub batch: u64,
    pub elements: u64,
    pub bytes: u64,
    /// The offset of the data in the file, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde requires")]
const fn is_one(batch: &u64) -> bool {
    *batch == 1
}

/// Tensors, and their totals.
#[derive(Debug, Default, Serialize)]
pub struct Tensors {
    pub count: u64,
    pub elements: u64,
    pub bytes: u64,
    pub list: Vec<Tensor>,
}

impl Tensors {
    pub fn push(&mut self, tensor: Tensor) {
        self.count += 1;
        self.elements = self.elements.saturating_add(tensor.elements);
        self.bytes = self.bytes.saturating_add(tensor.bytes);
        self.list.push(tensor);
    }

    /// `3 tensors, 1,200 elements, 4,800 bytes`
    pub fn sum(&self, elements: &str) -> String {
        let (count, bytes) =
            (counted_in_groups(self.count, "tensor"), counted_in_groups(self.bytes, "byte"));
        format!("{count}, {}, {bytes}", counted_in_groups(self.elements, elements))
    }
}

impl fmt::Display for Tensors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new([Side::Left, Side::Left, Side::Left, Side::Right]);
        for tensor in &self.list {
            let mut shape = brackets(&tensor.shape, usize::MAX);
            if tensor.batch != 1 {
                shape.push_str(&format!(" x {}", tensor.batch));
            }
            let (name, dtype) = (plain(&tensor.name).into_owned(), tensor.dtype.clone());
            let mut bytes = counted_in_groups(tensor.bytes, "byte");
            // As wide as `bytes`, so that the numbers are aligned.
            bytes.extend((!bytes.ends_with('s')).then_some(' '));
            table.row([name, dtype, shape, bytes]);
        }
        table.fmt(f)
    }
}

/// `[1, 3, ?]`: sizes below 0 are unknown, and at most `most` sizes are shown.
pub fn brackets<T: Copy + TryInto<u64>>(shape: &[T], most: usize) -> String {
    let sizes = shape.iter().take(most).map(|size| match (*size).try_into() {
        Ok(size) => size.to_string(),
        Err(_) => "?".into(),
    });
    let more = (shape.len() > most).then(|| "…".into());
    format!("[{}]", sizes.chain(more).collect::<Vec<String>>().join(", "))
}

/// The first line of a report.
pub fn named(name: &str, what: impl fmt::Display, bytes: u64) -> String {
    let name = std::path::Path::new(name).display();
    format!("{name}: {what}, {}", counted_in_groups(bytes, "byte"))
}
