//! Nodes and the graph that they make.

use alloc::vec::Vec;

use super::bubble::{DTYPE, NAME, OP, SHAPE, VALUE};
use super::document::{Pieces, put_indices, put_list, take_index, take_list, within};
use super::{Bubble, DType, PackedTensor, Result};
use crate::read::Reader;
#[cfg(feature = "std")]
use crate::tensor::memory::Source;

/// The op of a node that is an input.
pub(super) const PARAM: &str = "<param>";
/// The op of a node that is a tensor.
pub(super) const CONST: &str = "<const>";
/// The op of a node that TenniS has reserved and does not run.
pub(super) const VAR: &str = "<var>";

/// A node: an operator, an input (`<param>`) or a tensor (`<const>`).
///
/// On the wire the bubble, a count, and the inputs as uint32. What the node does and is called are
/// params of the bubble, `#op` and `#name`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node<'de> {
    /// The params.
    pub bubble: Bubble<'de>,
    /// The nodes whose outputs are the arguments, in their order: positions in [`Graph::nodes`].
    pub inputs: Vec<u32>,
}

impl<'de> Node<'de> {
    /// What the node does, if that is UTF-8.
    #[must_use]
    pub fn op(&self) -> Option<&str> {
        self.op_bytes().and_then(|bytes| core::str::from_utf8(bytes).ok())
    }

    /// What the node does, in whatever encoding. `None` if `#op` is missing or no text.
    #[must_use]
    pub fn op_bytes(&self) -> Option<&[u8]> {
        self.bubble.text(OP)
    }

    /// What the node is called, if that is UTF-8.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name_bytes().and_then(|bytes| core::str::from_utf8(bytes).ok())
    }

    /// What the node is called, in whatever encoding. `None` if `#name` is missing or no text.
    #[must_use]
    pub fn name_bytes(&self) -> Option<&[u8]> {
        self.bubble.text(NAME)
    }

    /// The shape of the output by `#shape`, -1 for a size that is not known.
    ///
    /// `None` if there is none, or if it does not hold int32 or other integers that fit (TenniS casts
    /// floats too).
    #[must_use]
    pub fn shape(&self) -> Option<Vec<i32>> {
        let sizes = self.bubble.tensor(SHAPE)?.integers().ok()?;
        sizes.into_iter().map(|size| i32::try_from(size).ok()).collect()
    }

    /// The type of the output by `#dtype`.
    ///
    /// `None` if there is none, or if it is not the code of a type.
    #[must_use]
    pub fn dtype(&self) -> Option<DType> {
        let codes = self.bubble.tensor(DTYPE)?.integers().ok()?;
        DType::from_code(u8::try_from(*codes.first()?).ok()?)
    }

    /// The value of the param of that name.
    #[must_use]
    pub fn param(&self, name: impl AsRef<[u8]>) -> Option<&PackedTensor<'de>> {
        self.bubble.get(name)
    }

    /// The tensor that a `<const>` is.
    #[must_use]
    pub fn value(&self) -> Option<&PackedTensor<'de>> {
        self.bubble.get(VALUE)
    }

    /// Whether this node is an input.
    #[must_use]
    pub fn is_param(&self) -> bool {
        self.op_bytes() == Some(PARAM.as_bytes())
    }

    /// Whether this is a tensor.
    #[must_use]
    pub fn is_const(&self) -> bool {
        self.op_bytes() == Some(CONST.as_bytes())
    }

    pub(super) fn take(reader: &mut Reader<'de>) -> Result<Self> {
        let bubble = within("bubble", Bubble::take(reader))?;
        Ok(Node { bubble, inputs: within("inputs", take_list(reader, take_index))? })
    }

    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        self.bubble.put(out)?;
        put_indices(out, &self.inputs)
    }

    /// The same node without the input's lifetime: borrowed bytes are copied.
    #[must_use]
    pub fn into_owned(self) -> Node<'static> {
        Node { bubble: self.bubble.into_owned(), inputs: self.inputs }
    }

    /// The same node, borrowed from the input that it was read from.
    #[cfg(feature = "std")]
    pub(super) fn within(self, source: &Source) -> Node<'static> {
        Node { bubble: self.bubble.within(source), inputs: self.inputs }
    }
}

/// The nodes, in the order of the file. Indices are positions in it; an input may come after the
/// node that uses it.
///
/// On the wire a count, and the nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph<'de> {
    /// The nodes.
    pub nodes: Vec<Node<'de>>,
}

impl<'de> Graph<'de> {
    /// The node at that position.
    #[must_use]
    pub fn get(&self, index: u32) -> Option<&Node<'de>> {
        self.nodes.get(usize::try_from(index).ok()?)
    }

    /// The first node of that name. Names need not be unique.
    #[must_use]
    pub fn find(&self, name: impl AsRef<[u8]>) -> Option<&Node<'de>> {
        let name = name.as_ref();
        self.nodes.iter().find(|node| node.name_bytes() == Some(name))
    }

    /// The same graph without the input's lifetime: borrowed bytes are copied.
    #[must_use]
    pub fn into_owned(self) -> Graph<'static> {
        Graph { nodes: self.nodes.into_iter().map(Node::into_owned).collect() }
    }

    /// The same graph, borrowed from the input that it was read from.
    #[cfg(feature = "std")]
    pub(super) fn within(self, source: &Source) -> Graph<'static> {
        Graph { nodes: self.nodes.into_iter().map(|node| node.within(source)).collect() }
    }
}

impl<'de> Graph<'de> {
    pub(super) fn take(reader: &mut Reader<'de>) -> Result<Self> {
        Ok(Graph { nodes: take_list(reader, Node::take)? })
    }

    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        put_list(out, &self.nodes, Node::put)
    }
}
