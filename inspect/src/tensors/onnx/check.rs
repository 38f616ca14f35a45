//! Values that the nodes of a graph use and compute.

use std::collections::HashSet;

use fourfold_onnx::Graph;

use super::super::kind::Errors;
use super::text::{node_name, operator, shown, subgraphs};

/// The names that are used before they are there, and those that are there twice.
pub(super) fn errors(graph: &Graph) -> Errors {
    let mut check = Check { scopes: Vec::new(), errors: Errors::default() };
    check.graph(graph);
    check.errors
}

struct Check<'a> {
    /// The names in the graph and in those around it.
    scopes: Vec<HashSet<&'a str>>,
    errors: Errors,
}

impl<'a> Check<'a> {
    /// Readers limit how deep graphs are.
    fn graph(&mut self, graph: &'a Graph) {
        let inputs = graph.input.iter().map(|input| input.name.as_str());
        let tensors = graph.initializer.iter().map(|tensor| tensor.name.as_str());
        let sparse = graph.sparse_initializer.iter().flat_map(|tensor| &tensor.values);
        // Old models list tensors under inputs, too.
        let names = inputs.chain(tensors).chain(sparse.map(|values| values.name.as_str()));
        self.scopes.push(names.collect());
        for node in &graph.node {
            let of_node = || format!("node {} ({})", quoted(node_name(node)), operator(node));
            for name in &node.input {
                if !self.has(name) {
                    self.errors.add(|| {
                        let text = "which no input, tensor or node before it has";
                        format!("{} uses {}, {text}", of_node(), quoted(name))
                    });
                }
            }
            subgraphs(node).for_each(|(_, graph)| self.graph(graph));
            for name in node.output.iter().filter(|name| !name.is_empty()) {
                if self.scopes.last_mut().is_some_and(|scope| !scope.insert(name)) {
                    self.errors.add(|| {
                        format!("{} computes {}, which is there already", of_node(), quoted(name))
                    });
                }
            }
        }
        for output in &graph.output {
            if !self.has(&output.name) {
                self.errors.add(|| format!("nothing computes the output {}", quoted(&output.name)));
            }
        }
        self.scopes.pop();
    }

    /// Whether a value has that name. An input that is left out has none.
    fn has(&self, name: &str) -> bool {
        name.is_empty() || self.scopes.iter().any(|scope| scope.contains(name))
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", shown(name.as_bytes()))
}
