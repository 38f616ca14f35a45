//! Makes a module in a few lines.

use alloc::vec::Vec;

use super::Module;
use crate::tsm::bubble::{DTYPE, NAME, OP, SHAPE, VALUE};
use crate::tsm::node::{CONST, PARAM};
use crate::tsm::wire::MAX_DIMS;
use crate::tsm::{DType, Error, ErrorKind, Header, IntoPacked, Node, Result};

/// A node of a [`ModuleBuilder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The position that the node has in [`Graph::nodes`](crate::tsm::Graph::nodes).
    #[must_use]
    pub fn index(self) -> u32 {
        self.0
    }
}

/// Makes a module node by node.
///
/// What goes wrong on the way, such as a name that is too long, is reported by
/// [`build`](ModuleBuilder::build).
///
/// ```
/// use fourfold::tsm::{DType, ModuleBuilder, Tensor};
///
/// let mut graph = ModuleBuilder::new();
/// let x = graph.param("x");
/// graph.at(x).shape(&[1, 3]).dtype(DType::Float32);
/// let w = graph.constant("w", Tensor::from_values(&[1.0f32; 6], &[3, 2])?);
/// let dense = graph.op("inner_prod", "dense", [x, w]).set("transpose", false).node();
/// let prob = graph.op("softmax", "prob", [dense]).set("dim", 1).set("smooth", true).node();
/// let module = graph.build([x], [prob])?;
///
/// assert!(module.check().is_empty());
/// let dim = module.graph.find("prob").unwrap().param("dim").unwrap();
/// assert_eq!(dim.first().unwrap().to_vec::<i32>()?, [1]);
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct ModuleBuilder<'de> {
    header: Header,
    nodes: Vec<Node<'de>>,
    /// The first thing that went wrong.
    error: Option<Error>,
}

impl<'de> ModuleBuilder<'de> {
    /// A graph without nodes.
    #[must_use]
    pub fn new() -> Self {
        ModuleBuilder::default()
    }

    /// All nodes, in the order of [`Graph::nodes`](crate::tsm::Graph::nodes).
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<'de> {
        // A count that no index can have is refused when the module is built.
        (0..u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)).map(NodeId)
    }

    /// The first node of that name, in whatever encoding.
    #[must_use]
    pub fn find(&self, name: impl AsRef<[u8]>) -> Option<NodeId> {
        let name = Some(name.as_ref());
        let found = self.nodes.iter().position(|node| node.name_bytes() == name)?;
        u32::try_from(found).ok().map(NodeId)
    }

    /// Puts bytes into the header, which TenniS does not look at.
    pub fn header(&mut self, header: Header) -> &mut Self {
        self.header = header;
        self
    }

    /// Adds an input, a `<param>`.
    pub fn param(&mut self, name: &str) -> NodeId {
        self.op(PARAM, name, []).node()
    }

    /// Adds a tensor, a `<const>`.
    pub fn constant(&mut self, name: &str, value: impl IntoPacked<'de>) -> NodeId {
        self.op(CONST, name, []).set(VALUE, value).node()
    }

    /// Adds an operator with its inputs, in the order of the arguments.
    pub fn op(
        &mut self,
        op: &str,
        name: &str,
        inputs: impl IntoIterator<Item = NodeId>,
    ) -> NodeBuilder<'_, 'de> {
        let inputs: Vec<u32> = inputs.into_iter().map(NodeId::index).collect();
        for &index in &inputs {
            self.own(index);
        }
        // A count that no index can have is refused when the module is built.
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node { inputs, ..Node::default() });
        NodeBuilder { graph: self, id }.set(OP, op).set(NAME, name)
    }

    /// A node that is there, to set further params.
    pub fn at(&mut self, node: NodeId) -> NodeBuilder<'_, 'de> {
        self.own(node.0);
        NodeBuilder { graph: self, id: node }
    }

    /// Makes the module.
    ///
    /// # Errors
    ///
    /// `ParamName`, `ElementCount` or `ForeignNode` for the first thing that went wrong on the way;
    /// `Refused` for what TenniS refuses, see [`Module::check`].
    pub fn build(
        self,
        inputs: impl IntoIterator<Item = NodeId>,
        outputs: impl IntoIterator<Item = NodeId>,
    ) -> Result<Module<'de>> {
        let indices = |nodes: Vec<NodeId>| nodes.into_iter().map(NodeId::index).collect();
        let mut module = Module {
            header: self.header,
            inputs: indices(inputs.into_iter().collect()),
            outputs: indices(outputs.into_iter().collect()),
            ..Module::default()
        };
        module.graph.nodes = self.nodes;
        match self.error {
            Some(error) => Err(error),
            None => module.accept().map(|()| module),
        }
    }

    /// Notes that a node is of another builder.
    fn own(&mut self, index: u32) {
        let nodes = self.nodes.len();
        if !usize::try_from(index).is_ok_and(|at| at < nodes) {
            self.note(Error::placeless(ErrorKind::ForeignNode { index, nodes }));
        }
    }

    fn note(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }
}

/// The header and the nodes of a module, to be changed. [`build`](ModuleBuilder::build) takes inputs and outputs.
///
/// ```
/// use fourfold::tsm::{Module, ModuleBuilder};
///
/// # let mut graph = ModuleBuilder::new();
/// # let x = graph.param("x");
/// # let relu = graph.op("relu", "relu", [x]).node();
/// # let bytes = graph.build([x], [relu])?.to_vec()?;
/// let mut graph = ModuleBuilder::from(Module::from_slice(&bytes)?);
/// let (x, relu) = (graph.find("x").unwrap(), graph.find("relu").unwrap());
/// let prob = graph.op("softmax", "prob", [relu]).set("dim", 1).node();
/// assert_eq!(graph.build([x], [prob])?.graph.nodes.len(), 3);
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
impl<'de> From<Module<'de>> for ModuleBuilder<'de> {
    fn from(module: Module<'de>) -> Self {
        ModuleBuilder { header: module.header, nodes: module.graph.nodes, error: None }
    }
}

/// A node of a [`ModuleBuilder`], to set its params.
#[derive(Debug)]
pub struct NodeBuilder<'a, 'de> {
    graph: &'a mut ModuleBuilder<'de>,
    id: NodeId,
}

impl<'de> NodeBuilder<'_, 'de> {
    /// Sets a param: a number, a list of numbers, text, or a tensor.
    #[allow(clippy::return_self_not_must_use, reason = "the node is set, used or not")]
    pub fn set(self, name: &str, value: impl IntoPacked<'de>) -> Self {
        let at = usize::try_from(self.id.0).unwrap_or(usize::MAX);
        let result = match (value.into_packed(), self.graph.nodes.get_mut(at)) {
            (Ok(value), Some(node)) => node.bubble.set(name, value),
            (Ok(_), None) => Ok(()),
            (Err(error), _) => Err(error),
        };
        if let Err(error) = result {
            self.graph.note(error);
        }
        self
    }

    /// Sets `#shape`, the shape of the output; -1 is an unknown size. TenniS loses one of more than
    /// 7 sizes, so that the module is not built.
    #[allow(clippy::return_self_not_must_use, reason = "the node is set, used or not")]
    pub fn shape(self, sizes: &[i32]) -> Self {
        if sizes.len() > MAX_DIMS {
            let found = sizes.len();
            self.graph.note(Error::placeless(ErrorKind::DimCount { found }));
        }
        self.set(SHAPE, sizes)
    }

    /// Sets `#dtype`, the type of the output.
    #[allow(clippy::return_self_not_must_use, reason = "the node is set, used or not")]
    pub fn dtype(self, dtype: DType) -> Self {
        self.set(DTYPE, i32::from(dtype.code()))
    }

    /// The node, to be an input of others.
    pub fn node(self) -> NodeId {
        self.id
    }
}
