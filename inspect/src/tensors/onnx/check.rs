//! Values that the nodes of a graph use and compute.

use std::collections::HashSet;

use fourfold_onnx::Graph;

use super::text::{node_name, operator, shown, subgraphs};

/// The names that are used before they are there, and those that are there twice.
pub(super) fn errors(graph: &Graph) -> Vec<String> {
    let mut check = Check { scopes: Vec::new(), errors: Vec::new() };
    check.graph(graph);
    check.errors
}

struct Check<'a> {
    /// The names in the graph and in those around it.
    scopes: Vec<HashSet<&'a str>>,
    errors: Vec<String>,
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
            let unknown = node.input.iter().filter(|name| !self.has(name)).map(|name| {
                let text = "which no input, tensor or node before it has";
                format!("{} uses {}, {text}", of_node(), quoted(name))
            });
            let unknown: Vec<String> = unknown.collect();
            self.errors.extend(unknown);
            subgraphs(node).for_each(|(_, graph)| self.graph(graph));
            for name in node.output.iter().filter(|name| !name.is_empty()) {
                if self.scopes.last_mut().is_some_and(|scope| !scope.insert(name)) {
                    let text = "which is there already";
                    self.errors.push(format!("{} computes {}, {text}", of_node(), quoted(name)));
                }
            }
        }
        let missing = graph.output.iter().filter(|output| !self.has(&output.name));
        let missing = missing.map(|it| format!("nothing computes the output {}", quoted(&it.name)));
        let missing: Vec<String> = missing.collect();
        self.errors.extend(missing);
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
