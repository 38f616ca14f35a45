//! Makes modules of TenniS of ONNX models.

mod attributes;
mod compare;
mod einsum;
mod elementwise;
mod graph;
mod images;
mod kernels;
mod layout;
mod matrices;
mod normalization;
mod reductions;
mod resample;
mod resize;
mod shapes;
mod site;
mod slices;
mod table;
mod tensors;
mod whole;
mod window;

use std::collections::{HashMap, HashSet};

use fourfold::tsm::Module;
use fourfold_tennis::Input;

use self::attributes::Attributes;
use self::graph::{Graph, Value};
use self::shapes::Given;
use self::site::Site;
pub use self::table::{COUNTERPARTS, Counterpart};
use self::tensors::tensor_of;
use crate::error::Quoted;
use crate::external::Folder;
use crate::proto::{self, Model, Node, ValueInfo};
use crate::refused::{INPUT, MODEL, OUTPUT, Refused, RefusedNode, TENSOR};

/// A value, or why there is none.
type Lowered<T = ()> = Result<T, String>;

/// A node that is taken over, or why not.
type Done = Lowered;

/// The versions of ONNX's operators that are known.
const OPSETS: std::ops::RangeInclusive<i64> = 7..=28;

/// Makes a module that computes what the model computes. Names of values are those of nodes.
///
/// `folder` is where the model is; without one, elements in other files are refused.
///
/// # Errors
///
/// All nodes that TenniS's CPU backend does not compute as ONNX does, and all tensors and inputs that it does not
/// have, each with the reason.
///
/// # Examples
///
/// ```
/// use fourfold_onnx::{Graph, Model, Node, import};
///
/// let node = Node { op_type: "Sin".into(), name: "wave".into(), ..Node::default() };
/// let graph = Graph { node: vec![node], ..Graph::default() };
/// let opset = fourfold_onnx::proto::OperatorSet { version: 17, ..Default::default() };
/// let model = Model { ir_version: 8, graph: Some(graph), opset_import: vec![opset], ..Model::default() };
///
/// let refused = import(&model, None).unwrap_err();
/// assert_eq!(refused.nodes[0].to_string(), "node \"wave\" (Sin): TenniS has no counterpart");
/// ```
pub fn import(model: &Model, folder: Option<&Folder>) -> Result<Module<'static>, Refused> {
    import_with(model, folder, &[])
}

/// As [`import`], with shapes of inputs in place of those that the model has.
///
/// # Errors
///
/// Those of [`import`], and shapes for inputs that the model does not have.
pub fn import_with(
    model: &Model,
    folder: Option<&Folder>,
    inputs: &[Input],
) -> Result<Module<'static>, Refused> {
    let opset = opset(model)?;
    let graph = model.graph.as_ref();
    let graph =
        graph.ok_or_else(|| Refused::one(&model.producer_name, MODEL, "it has no graph"))?;
    let shapes = shapes::given(graph, inputs)?;
    let mut import = Import {
        opset,
        folder,
        shapes: &shapes,
        graph: Graph::default(),
        functions: model
            .functions
            .iter()
            .map(|it| (it.domain.as_str(), it.name.as_str()))
            .collect(),
        outputs: graph.output.iter().map(|output| output.name.as_str()).collect(),
        refusals: Vec::new(),
        unsorted: None,
    };
    let (scope, sources) = import.graph(graph, None);
    import.finish(graph, &sources, scope).map_err(|nodes| {
        let examples = shapes::examples(graph, &shapes);
        Refused::new(nodes, examples, |examples| {
            import_with(model, folder, &[inputs, examples].concat())
        })
    })
}

/// What to do with nodes that use values before they are computed.
const SORT: &str = "sort the nodes, by onnxruntime.quantization.onnx_model.ONNXModel(model).topological_sort() of Python; \
                    they must not be in a cycle";

/// Why there is no value for an output of a node.
const MISSING: &str = "an output that TenniS's operator does not have";

/// The operator that has graphs for both values of a condition.
const BRANCHES: &str = "If";

/// The name of a node; of one without a name that of its first output.
fn name_of(node: &Node) -> &str {
    match node.name.as_str() {
        "" => node.output.iter().find(|name| !name.is_empty()).map_or("", String::as_str),
        name => name,
    }
}

/// The version of ONNX's own operators.
fn opset(model: &Model) -> Result<i64, Refused> {
    let own = model.opset_import.iter().find(|set| is_own(&set.domain));
    let refused = |reason: &str| Refused::one(&model.producer_name, MODEL, reason);
    let version = own.map(|set| set.version);
    let version =
        version.ok_or_else(|| refused("it does not have the version of its operators"))?;
    let (first, last) = (OPSETS.start(), OPSETS.end());
    match OPSETS.contains(&version) {
        true => Ok(version),
        false => Err(refused(&format!(
            "opset {version} is not supported, versions {first} to {last} are; convert the model, by \
             onnx.version_converter.convert_version(model, 17) of Python"
        ))),
    }
}

/// Whether a set of operators is that of ONNX itself.
fn is_own(domain: &str) -> bool {
    matches!(domain, "" | "ai.onnx")
}

/// What is known of a name.
#[derive(Clone)]
enum Known {
    Value(Value),
    /// What computes it is refused.
    Refused,
    /// TenniS's operator does not have the output.
    Missing,
}

/// The names of a graph, which end with it, and those of the graphs around it.
#[derive(Default)]
struct Scope<'s, 'a> {
    outer: Option<&'s Scope<'s, 'a>>,
    values: HashMap<&'a str, Known>,
    /// The names of all values that nodes compute.
    makers: HashSet<&'a str>,
}

impl<'a> Scope<'_, 'a> {
    fn value(&self, name: &str) -> Option<&Known> {
        self.values.get(name).or_else(|| self.outer?.value(name))
    }

    fn makes(&self, name: &str) -> bool {
        self.makers.contains(name) || self.outer.is_some_and(|outer| outer.makes(name))
    }

    /// Adds a value; false if another one has its name.
    fn define(&mut self, name: &'a str, value: Known) -> bool {
        let is_new = self.value(name).is_none();
        self.values.insert(name, value);
        is_new
    }

    /// Adds the results of a node, which may have more outputs.
    fn results(&mut self, node: &'a Node, results: Vec<Known>) -> Done {
        let results = results.into_iter().chain(std::iter::repeat(Known::Missing));
        for (name, value) in node.output.iter().zip(results).filter(|(name, _)| !name.is_empty()) {
            if !self.define(name, value) {
                return Err(format!("it computes {}, which is there already", Quoted(name)));
            }
        }
        Ok(())
    }
}

/// A module on its way.
struct Import<'a> {
    opset: i64,
    folder: Option<&'a Folder>,
    /// Shapes of inputs in place of those of the model.
    shapes: &'a Given<'a>,
    graph: Graph,
    /// Domains and names of the functions that the model defines.
    functions: HashSet<(&'a str, &'a str)>,
    outputs: HashSet<&'a str>,
    refusals: Vec<RefusedNode>,
    /// Which refusal is the first node that uses a value before it is computed, and how many others do.
    unsorted: Option<(usize, usize)>,
}

impl<'a> Import<'a> {
    /// All that a graph computes. Returns its names and its inputs.
    fn graph<'s>(
        &mut self,
        graph: &'a proto::Graph,
        outer: Option<&'s Scope<'s, 'a>>,
    ) -> (Scope<'s, 'a>, Vec<Value>) {
        self.names(graph);
        let mut scope = Scope { outer, ..Scope::default() };
        let inputs = self.sources(graph, &mut scope);
        scope.makers.extend(graph.node.iter().flat_map(|node| &node.output).map(String::as_str));
        for node in &graph.node {
            if let Err(reason) = self.node(node, &mut scope) {
                self.refusals.push(RefusedNode::new(name_of(node), &node.op_type, &reason));
            }
            for name in node.output.iter().filter(|name| !name.is_empty()) {
                scope.values.entry(name).or_insert(Known::Refused);
            }
        }
        (scope, inputs)
    }

    /// The branch of a node that a known condition selects, as if it were nodes of the graph around it.
    fn branch(
        &mut self,
        node: &'a Node,
        condition: Option<&Value>,
        scope: &mut Scope<'_, 'a>,
    ) -> Done {
        let is_true = condition.and_then(Value::truth).ok_or(
            "its condition is computed when the model runs, and TenniS has no branches; export the model without them",
        )?;
        let name = if is_true { "then_branch" } else { "else_branch" };
        let graph = Attributes::of(&node.attribute).graph(name)?;
        let (outputs, results) = (node.output.len(), graph.output.len());
        if outputs != results {
            return Err(format!("it has {outputs} outputs, its {name} {results}"));
        }
        let (inner, inputs) = self.graph(graph, Some(scope));
        if !inputs.is_empty() {
            return Err(format!("its {name} has inputs, and branches have none in ONNX"));
        }
        let result = |output: &ValueInfo| {
            let result = inner.value(&output.name).cloned();
            result.ok_or_else(|| format!("its {name} does not compute {}", Quoted(&output.name)))
        };
        let results = graph.output.iter().map(result).collect::<Lowered<Vec<_>>>()?;
        scope.results(node, results)
    }

    /// Reserves all names, so that nodes between have others.
    fn names(&mut self, graph: &'a proto::Graph) {
        let inputs = graph.input.iter().map(|input| &input.name);
        let tensors = graph.initializer.iter().map(|tensor| &tensor.name);
        let nodes = graph.node.iter().flat_map(|node| &node.output);
        for name in inputs.chain(tensors).chain(nodes).filter(|name| !name.is_empty()) {
            self.graph.names.reserve(name);
        }
    }

    /// Tensors and inputs. Old models list tensors under both.
    fn sources(&mut self, graph: &'a proto::Graph, scope: &mut Scope<'_, 'a>) -> Vec<Value> {
        for tensor in &graph.initializer {
            let value = match tensor_of(tensor, self.folder) {
                Ok(value) => Known::Value(Value::constant(&tensor.name, value)),
                Err(reason) => {
                    self.refusals.push(RefusedNode::new(&tensor.name, TENSOR, &reason));
                    Known::Refused
                }
            };
            self.define(scope, TENSOR, &tensor.name, value);
        }
        for tensor in &graph.sparse_initializer {
            let name = tensor.values.as_ref().map_or("", |values| values.name.as_str());
            self.refusals.push(RefusedNode::new(
                name,
                TENSOR,
                "TenniS does not have sparse tensors",
            ));
            self.define(scope, TENSOR, name, Known::Refused);
        }
        let mut inputs = Vec::new();
        for input in shapes::inputs_of(graph) {
            let value = match shapes::type_of(input, self.shapes) {
                Ok((dtype, shape)) => {
                    let value = self.graph.input(&input.name, dtype, shape);
                    inputs.push(value.clone());
                    Known::Value(value)
                }
                Err(reason) => {
                    self.refusals.push(RefusedNode::new(&input.name, INPUT, &reason));
                    Known::Refused
                }
            };
            self.define(scope, INPUT, &input.name, value);
        }
        inputs
    }

    fn define(&mut self, scope: &mut Scope<'_, 'a>, kind: &str, name: &'a str, value: Known) {
        if !scope.define(name, value) {
            self.refusals.push(RefusedNode::new(name, kind, "another value has this name"));
        }
    }

    fn node(&mut self, node: &'a Node, scope: &mut Scope<'_, 'a>) -> Done {
        if self.functions.contains(&(node.domain.as_str(), node.op_type.as_str())) {
            return Err("it is a function of the model; inline it, by onnx.inliner.inline_local_functions of Python".into());
        }
        if !is_own(&node.domain) {
            return Err(format!("TenniS has no operators of {}", Quoted(&node.domain)));
        }
        let counterpart = Counterpart::of(&node.op_type);
        if counterpart.is_none() && node.op_type != BRANCHES {
            return Err("TenniS has no counterpart".into());
        }
        let mut inputs = Vec::with_capacity(node.input.len());
        for name in &node.input {
            inputs.push(match scope.value(name) {
                _ if name.is_empty() => None,
                Some(Known::Value(value)) => Some(value.clone()),
                // It comes after what was refused, which is enough.
                Some(Known::Refused) => return Ok(()),
                Some(Known::Missing) => {
                    return Err(format!("it uses {}, {MISSING}", Quoted(name)));
                }
                None if scope.makes(name) => {
                    return self.unsorted(name);
                }
                None => return Err(format!("it uses {}, which is not in the graph", Quoted(name))),
            });
        }
        let Some(counterpart) = counterpart else {
            return self.branch(node, inputs.first().and_then(Option::as_ref), scope);
        };
        let mut site = Site {
            graph: &mut self.graph,
            node,
            attributes: Attributes::of(&node.attribute),
            folder: self.folder,
            opset: self.opset,
            inputs,
            results: Vec::new(),
            outputs: &self.outputs,
        };
        (counterpart.import)(&mut site)?;
        site.attributes.finish()?;
        let results = site.results;
        scope.results(node, results.into_iter().map(Known::Value).collect())
    }

    /// Refuses the first node that uses a value before it is computed, and counts the others.
    fn unsorted(&mut self, name: &str) -> Done {
        if let Some((_, others)) = &mut self.unsorted {
            *others += 1;
            return Ok(());
        }
        self.unsorted = Some((self.refusals.len(), 0));
        Err(format!("it uses {} before that is computed", Quoted(name)))
    }

    fn finish(
        mut self,
        graph: &'a proto::Graph,
        inputs: &[Value],
        scope: Scope<'_, 'a>,
    ) -> Result<Module<'static>, Vec<RefusedNode>> {
        let mut outputs = Vec::with_capacity(graph.output.len());
        for output in &graph.output {
            let reason = match scope.value(&output.name) {
                Some(Known::Value(value)) => {
                    outputs.push((output.name.as_str(), value.clone()));
                    continue;
                }
                Some(Known::Refused) => continue,
                Some(Known::Missing) => MISSING,
                None => "no node computes it",
            };
            self.refusals.push(RefusedNode::new(&output.name, OUTPUT, reason));
        }
        if let Some((at, others)) = self.unsorted {
            let more = match others {
                0 => String::new(),
                others => format!(", the first of {} such nodes", others + 1),
            };
            if let Some(first) = self.refusals.get_mut(at) {
                first.reason += &format!("{more}; {SORT}");
            }
        }
        if !self.refusals.is_empty() {
            return Err(self.refusals);
        }
        // Tensors of one owner are moved, not copied.
        drop(scope);
        let built = self.graph.finish(inputs, &outputs);
        built.map_err(|error| vec![RefusedNode::new(&graph.name, MODEL, &error)])
    }
}
