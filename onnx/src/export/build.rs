//! Makes a graph: nodes, and the constants that nodes use.

use std::collections::HashMap;

use bytes::Bytes;

use crate::dtype::DataType;
use crate::names::Names;
use crate::proto::{Attribute, Graph, Node, Tensor};

/// A graph on its way.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) names: Names,
    nodes: Vec<Node>,
    /// All constants by name; those that no node uses are left out.
    constants: HashMap<String, Tensor>,
    /// Names in the order in which constants were made.
    order: Vec<String>,
    /// How many elements there are in constants that are computed.
    pub(super) computed: i64,
    /// Constants that nodes share.
    shared: HashMap<(i32, Vec<i64>, Bytes), String>,
}

impl Builder {
    /// Adds a node.
    pub(super) fn node(
        &mut self,
        op: &str,
        inputs: Vec<String>,
        outputs: Vec<String>,
        attributes: Vec<Attribute>,
    ) {
        self.nodes.push(Node {
            name: outputs.iter().find(|name| !name.is_empty()).cloned().unwrap_or_default(),
            op_type: op.to_owned(),
            input: inputs,
            output: outputs,
            attribute: attributes,
            ..Node::default()
        });
    }

    /// How many nodes there are.
    pub(super) fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Gives the only output of the last node another name. False if it is not called `from`.
    pub(super) fn rename_last(&mut self, from: &str, to: &str) -> bool {
        match self.nodes.last_mut() {
            Some(node) if node.output == [from] => {
                node.name = to.to_owned();
                node.output = vec![to.to_owned()];
                true
            }
            _ => false,
        }
    }

    /// Adds a constant with a name that is unique already.
    pub(super) fn named(&mut self, name: &str, dtype: DataType, dims: Vec<i64>, bytes: Bytes) {
        let tensor = Tensor {
            name: name.to_owned(),
            data_type: dtype.number(),
            dims,
            raw_data: Some(bytes),
            ..Tensor::default()
        };
        self.order.push(name.to_owned());
        self.constants.insert(name.to_owned(), tensor);
    }

    /// The name of a constant, which is made if there is none that is equal.
    pub(super) fn constant(&mut self, dtype: DataType, dims: &[i64], bytes: Bytes) -> String {
        let key = (dtype.number(), dims.to_vec(), bytes);
        if let Some(name) = self.shared.get(&key) {
            return name.clone();
        }
        let name = self.names.unique("constant");
        self.named(&name, dtype, key.1.clone(), key.2.clone());
        self.shared.insert(key, name.clone());
        name
    }

    /// A constant, if a value is one.
    pub(super) fn find(&self, name: &str) -> Option<&Tensor> {
        self.constants.get(name)
    }

    /// The nodes that `outputs` need, and the constants that these use.
    pub(super) fn finish(self, outputs: &[String]) -> Graph {
        let mut producers: HashMap<&str, usize> = HashMap::new();
        for (index, node) in self.nodes.iter().enumerate() {
            producers.extend(node.output.iter().map(|name| (name.as_str(), index)));
        }
        let mut needed = vec![false; self.nodes.len()];
        let mut used: HashMap<&str, ()> = HashMap::new();
        let mut names: Vec<&str> = outputs.iter().map(String::as_str).collect();
        while let Some(name) = names.pop() {
            if used.insert(name, ()).is_some() {
                continue;
            }
            let Some(&index) = producers.get(name) else { continue };
            if let (Some(needed), Some(node)) = (needed.get_mut(index), self.nodes.get(index))
                && !std::mem::replace(needed, true)
            {
                names.extend(node.input.iter().map(String::as_str));
            }
        }
        let order: Vec<&String> =
            self.order.iter().filter(|name| used.contains_key(name.as_str())).collect();
        let mut constants = self.constants;
        let initializer = order.iter().filter_map(|name| constants.remove(*name)).collect();
        let nodes = self.nodes.iter().zip(needed);
        let node = nodes.filter(|(_, needed)| *needed).map(|(node, _)| node.clone()).collect();
        Graph { node, initializer, ..Graph::default() }
    }
}
