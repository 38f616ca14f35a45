//! Operators: what a node does, typed.

mod list;

use fourfold::tsm::{ModuleBuilder, Node, NodeId, Tensor};

pub use self::list::Operator;
use crate::error::{Error, ErrorKind};
use crate::params::{Params, Written};

/// Makes `Operator`: first the operators without params, then those with.
///
/// A field is its name (and, where Rust needs another one, that of the param), its type, and how the
/// param is read: a method of `Params`.
macro_rules! operators {
    (
        $(#[$enum_doc:meta])*
        $operator:ident
        plain { $($(#[$plain_doc:meta])* $plain:ident = $plain_op:literal;)* }
        params { $($(#[$doc:meta])* $variant:ident = $op:literal {
            $($field:ident $(as $param:literal)?: $type:ty = $how:ident $(($default:expr))?),* $(,)?
        })* }
    ) => {
        $(#[$enum_doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $operator {
            $($(#[$plain_doc])* $plain,)*
            $($(#[$doc])* $variant {
                $(
                    #[doc = concat!(
                        "The param `", operators!(@name $field $($param)?), "`",
                        $(", ", stringify!($default), " if it is missing",)? "."
                    )]
                    $field: $type,
                )*
            },)*
        }

        impl $operator {
            /// The names of all operators, as `#op` has them.
            pub const NAMES: &'static [&'static str] = &[$($plain_op,)* $($op,)*];

            /// What `#op` is.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self {
                    $($operator::$plain => $plain_op,)*
                    $($operator::$variant { .. } => $op,)*
                }
            }

            /// Reads the params of a node whose `#op` is `op`.
            pub(super) fn read(op: &str, params: Params<'_, '_>) -> Result<Option<Self>, Error> {
                Ok(Some(match op {
                    $($plain_op => $operator::$plain,)*
                    $($op => $operator::$variant {
                        $($field: params.$how(
                            operators!(@name $field $($param)?) $(, $default)?
                        )?,)*
                    },)*
                    _ => return Ok(None),
                }))
            }

            /// Adds the params, but for those with a default that have it.
            pub(super) fn write(&self, written: &mut Written) -> fourfold::tsm::Result<()> {
                match self {
                    $($operator::$plain => {})*
                    $($operator::$variant { $($field,)* } => {
                        $($(if *$field != $default)? {
                            $field.put(operators!(@name $field $($param)?), written)?;
                        })*
                    })*
                }
                Ok(())
            }
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $param:literal) => { $param };
}

use operators;

impl Operator {
    /// Reads what a node does. Params are cast as TenniS casts them.
    ///
    /// # Errors
    ///
    /// If TenniS's CPU backend does not have the operator, if a param is missing that has no default,
    /// or if one has another type or shape.
    ///
    /// ```
    /// use fourfold::tsm::ModuleBuilder;
    /// use fourfold_tennis::Operator;
    ///
    /// let mut graph = ModuleBuilder::new();
    /// let x = graph.param("x");
    /// let prob = graph.op("softmax", "prob", [x]).set("dim", 1i64).node();
    /// let module = graph.build([x], [prob])?;
    ///
    /// let operator = Operator::of(&module.graph.nodes[1])?;
    /// assert_eq!(operator, Operator::Softmax { dim: 1, smooth: true });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(node: &Node<'_>) -> Result<Self, Error> {
        let unknown = || Error::new(node, ErrorKind::UnknownOperator);
        let op = node.op().ok_or_else(unknown)?;
        Operator::read(op, Params { node })?.ok_or_else(unknown)
    }

    /// The params of a node that does this: names and values. Those that are what TenniS takes if they
    /// are missing are left out.
    ///
    /// # Errors
    ///
    /// `ElementCount` for a list of more than 2,147,483,647 numbers.
    pub fn params(&self) -> fourfold::tsm::Result<Vec<(&'static str, Tensor<'static>)>> {
        let mut written = Written::new();
        self.write(&mut written)?;
        Ok(written)
    }

    /// Adds a node that does this to a module.
    ///
    /// # Errors
    ///
    /// Those of [`params`](Operator::params).
    ///
    /// ```
    /// use fourfold::tsm::ModuleBuilder;
    /// use fourfold_tennis::Operator;
    ///
    /// let mut graph = ModuleBuilder::new();
    /// let x = graph.param("x");
    /// let prob = Operator::Softmax { dim: 1, smooth: true }.add_to(&mut graph, "prob", [x])?;
    /// let module = graph.build([x], [prob])?;
    /// assert_eq!(module.graph.nodes[1].op(), Some("softmax"));
    /// # Ok::<(), fourfold::tsm::Error>(())
    /// ```
    pub fn add_to(
        &self,
        graph: &mut ModuleBuilder<'_>,
        name: &str,
        inputs: impl IntoIterator<Item = NodeId>,
    ) -> fourfold::tsm::Result<NodeId> {
        let params = self.params()?;
        let node = graph.op(self.name(), name, inputs);
        let node = params.into_iter().fold(node, |node, (param, value)| node.set(param, value));
        Ok(node.node())
    }
}
