//! The list of all tensors of a module, with their offsets in the file.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::Module;
use crate::tsm::wire::COUNT_SIZE;
use crate::tsm::{DType, Tensor};

/// A tensor of a module, and the range of its bytes.
///
/// [`Display`](fmt::Display) is one line, such as
/// `conv1/kernel float32 [8, 3, 3, 3] at 300..1164`; a field after the first is shown as
/// `conv1/kernel[1]`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry<'a> {
    /// The node: a position in [`Graph::nodes`](crate::tsm::Graph::nodes).
    pub node: usize,
    /// What the node is called. Empty if it has no name.
    pub node_name: &'a [u8],
    /// The name of the param.
    pub param_name: &'a [u8],
    /// Which of the param's tensors this is.
    pub field: usize,
    /// The type of the elements.
    pub dtype: DType,
    /// The size of each dim.
    pub shape: &'a [i32],
    /// The range of the elements in the file. For a module that was built, the range that they would have.
    pub range: Range<usize>,
}

impl Entry<'_> {
    /// What the node is called, if that is UTF-8.
    #[must_use]
    pub fn node_name_str(&self) -> Option<&str> {
        core::str::from_utf8(self.node_name).ok()
    }

    /// The name of the param, if it is UTF-8.
    #[must_use]
    pub fn param_name_str(&self) -> Option<&str> {
        core::str::from_utf8(self.param_name).ok()
    }
}

impl fmt::Display for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = (self.node_name_str(), self.param_name_str());
        match names {
            (Some(node), Some(param)) => write!(f, "{node}/{param}")?,
            _ => {
                let (node, param) = (self.node_name, self.param_name);
                write!(f, "{}/{}", node.escape_ascii(), param.escape_ascii())?;
            }
        }
        if self.field > 0 {
            write!(f, "[{}]", self.field)?;
        }
        write!(f, " {} {:?} at {:?}", self.dtype, self.shape, self.range)
    }
}

impl Module<'_> {
    /// Every tensor, in the order of the file, `#op` and `#name` included.
    ///
    /// The places follow from the sizes; no tensor's data are looked at.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold::tsm::{ModuleBuilder, Tensor};
    ///
    /// let mut graph = ModuleBuilder::new();
    /// let k = graph.constant("k", Tensor::from_values(&[1.0f32, 2.0], &[2])?);
    /// let module = graph.build([], [k])?;
    /// let bytes = module.to_vec()?;
    ///
    /// let index = module.index();
    /// let value = index.iter().find(|entry| entry.param_name == b"value").unwrap();
    /// assert_eq!(value.to_string(), "k/value float32 [2] at 220..228");
    /// assert_eq!(bytes[value.range.clone()], [0, 0, 0x80, 0x3f, 0, 0, 0, 0x40]);
    /// # Ok::<(), fourfold::tsm::Error>(())
    /// ```
    #[must_use]
    pub fn index(&self) -> Vec<Entry<'_>> {
        let params = self.graph.nodes.iter().flat_map(|node| &node.bubble.params);
        let mut entries = Vec::with_capacity(params.map(|param| param.value.fields.len()).sum());
        let mut start = self.nodes_offset();
        for (at, node) in self.graph.nodes.iter().enumerate() {
            let node_name = node.name_bytes().unwrap_or_default();
            let mut param_start = start.saturating_add(COUNT_SIZE);
            for param in &node.bubble.params {
                let mut field_start = param_start.saturating_add(param.before_fields());
                for (field, tensor) in param.value.fields.iter().enumerate() {
                    let end = field_start.saturating_add(Tensor::size(tensor));
                    entries.push(Entry {
                        node: at,
                        node_name,
                        param_name: param.name(),
                        field,
                        dtype: tensor.dtype(),
                        shape: tensor.shape(),
                        range: field_start.saturating_add(tensor.head())..end,
                    });
                    field_start = end;
                }
                param_start = field_start;
            }
            start = param_start.saturating_add(node.inputs_size());
        }
        entries
    }
}
