//! Checks a module: what TenniS refuses, and what is suspicious.

use alloc::collections::BTreeMap;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::Module;
use super::cycles::cycles;
use super::diagnostic::{Diagnostic, DiagnosticKind as K};
use crate::tsm::bubble::{NAME, OP, OUTPUT_COUNT, SHAPE, is_text};
use crate::tsm::node::VAR;
use crate::tsm::wire::{MAGIC, MAX_DIMS, NAME_LIMIT};
use crate::tsm::{DType, Error, ErrorKind, Node, PackedTensor, Result, Tensor};

impl Module<'_> {
    /// Everything that is wrong with the module: first what TenniS refuses it for, then what is
    /// suspicious.
    ///
    /// A module that was read has nothing of the first kind.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold::tsm::{Module, ModuleBuilder, Severity};
    ///
    /// let mut graph = ModuleBuilder::new();
    /// let x = graph.param("x");
    /// let y = graph.op("relu", "y", [x]).node();
    /// graph.op("relu", "unused", [x]).node();
    /// let mut module = graph.build([x], [y])?;
    /// let [unused] = &module.check()[..] else { panic!() };
    /// assert_eq!(unused.to_string(), "node 2: no output needs it");
    /// assert_eq!(unused.severity(), Severity::Suspicious);
    ///
    /// module.outputs.push(9);
    /// assert_eq!(module.check()[0].to_string(), "outputs[1] is node 9, of 3");
    /// assert!(module.to_vec().is_err());
    /// # Ok::<(), fourfold::tsm::Error>(())
    /// ```
    #[must_use]
    pub fn check(&self) -> Vec<Diagnostic> {
        let needed = self.needed();
        let mut diagnostics = Vec::new();
        let _: ControlFlow<()> = self.refusals(&needed, |diagnostic| {
            diagnostics.push(diagnostic);
            ControlFlow::Continue(())
        });
        self.suspicions(&needed, &mut diagnostics);
        diagnostics
    }

    /// The first thing that TenniS refuses the module for.
    pub(super) fn refusal(&self) -> Option<Diagnostic> {
        match self.refusals(&self.needed(), ControlFlow::Break) {
            ControlFlow::Break(diagnostic) => Some(diagnostic),
            ControlFlow::Continue(()) => None,
        }
    }

    /// Refuses what TenniS refuses.
    pub(super) fn accept(&self) -> Result<()> {
        match self.refusal() {
            Some(diagnostic) => Err(Error::placeless(ErrorKind::Refused(diagnostic))),
            None => Ok(()),
        }
    }

    /// Which nodes an output needs, as TenniS determines it: nothing after a `<param>` or a `<const>`.
    fn needed(&self) -> Vec<bool> {
        self.reached(|node| !node.is_param() && !node.is_const())
    }

    /// Which nodes can be reached from an output through nodes that satisfy `leads_on`.
    fn reached(&self, leads_on: impl Fn(&Node<'_>) -> bool) -> Vec<bool> {
        let mut reached = alloc::vec![false; self.graph.nodes.len()];
        let mut waiting: Vec<u32> = self.outputs.clone();
        while let Some(index) = waiting.pop() {
            let Some(node) = self.graph.get(index) else { continue };
            match usize::try_from(index).ok().and_then(|at| reached.get_mut(at)) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            if leads_on(node) {
                waiting.extend(&node.inputs);
            }
        }
        reached
    }

    /// Reports what TenniS refuses, in the order of the file as far as there is one.
    fn refusals<B>(
        &self,
        needed: &[bool],
        mut report: impl FnMut(Diagnostic) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.header.code != MAGIC {
            report(Diagnostic::of_module(K::Code { found: self.header.code }))?;
        }
        let nodes = self.graph.nodes.len();
        for (position, &index) in self.inputs.iter().enumerate() {
            if self.graph.get(index).is_none() {
                report(Diagnostic::of_module(K::InputIndex { position, index, nodes }))?;
            }
        }
        for (position, &index) in self.outputs.iter().enumerate() {
            if self.graph.get(index).is_none() {
                report(Diagnostic::of_module(K::OutputIndex { position, index, nodes }))?;
            }
        }
        let mut listed = alloc::vec![false; nodes];
        for &index in &self.inputs {
            if let Some(listed) = usize::try_from(index).ok().and_then(|at| listed.get_mut(at)) {
                *listed = true;
            }
        }
        for (at, node) in self.graph.nodes.iter().enumerate() {
            for (name, kind) in [(OP, "#op"), (NAME, "#name")] {
                if let Some(kind) = not_text(node.bubble.tensor(name), kind) {
                    report(Diagnostic::of_node(at, kind))?;
                }
            }
            if node.param(OUTPUT_COUNT).is_some_and(|value| !value.first().is_some_and(is_one)) {
                report(Diagnostic::of_node(at, K::OutputCount))?;
            }
            if let Some(dtype) = node.param(SHAPE).map(sizes_of).filter(|dtype| !is_cast(*dtype)) {
                report(Diagnostic::of_node(at, K::ShapeType { dtype }))?;
            }
            for (position, &index) in node.inputs.iter().enumerate() {
                if self.graph.get(index).is_none() {
                    report(Diagnostic::of_node(at, K::NodeInputIndex { position, index, nodes }))?;
                }
            }
            let is = |flags: &[bool]| flags.get(at).copied().unwrap_or(false);
            if is(needed) && node.is_param() && !is(&listed) {
                report(Diagnostic::of_node(at, K::UnlistedParam))?;
            }
            if is(needed) && node.inputs.is_empty() && !node.is_param() && !node.is_const() {
                report(Diagnostic::of_node(at, K::NoInputs))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Adds what TenniS accepts and should not please anyone.
    fn suspicions(&self, needed: &[bool], diagnostics: &mut Vec<Diagnostic>) {
        if self.outputs.is_empty() && !self.graph.nodes.is_empty() {
            diagnostics.push(Diagnostic::of_module(K::NoOutputs));
        }
        let mut listed = BTreeMap::new();
        for (position, &index) in self.inputs.iter().enumerate() {
            if self.graph.get(index).is_some_and(|node| !node.is_param()) {
                diagnostics.push(Diagnostic::of_module(K::InputNotParam { position }));
            }
            if listed.insert(index, position).is_some() {
                diagnostics.push(Diagnostic::of_module(K::RepeatedInput { position }));
            }
        }
        let mut names = BTreeMap::new();
        for (at, node) in self.graph.nodes.iter().enumerate() {
            let mut add = |kind| diagnostics.push(Diagnostic::of_node(at, kind));
            if let Some(name) = node.name_bytes() {
                let first = *names.entry(name).or_insert(at);
                if first != at {
                    add(K::DuplicateName { first });
                }
            }
            let is_input = u32::try_from(at).is_ok_and(|index| listed.contains_key(&index));
            if needed.get(at) == Some(&false) && !is_input {
                add(K::Unreachable);
            }
            of_node(node, &mut add);
        }
        let saved = self.saved();
        for nodes in cycles(&self.graph) {
            let first = nodes.first().copied();
            let is_saved = first.and_then(|at| saved.get(at)) == Some(&true);
            diagnostics.push(Diagnostic { node: first, kind: K::Cycle { nodes } });
            if is_saved {
                diagnostics.push(Diagnostic { node: first, kind: K::EndlessSave });
            }
        }
        self.unsaved_inputs(&saved, diagnostics);
    }

    /// Which nodes TenniS visits when it saves the module: all that an output leads to, also through a
    /// `<param>` or `<const>`.
    fn saved(&self) -> Vec<bool> {
        self.reached(|_| true)
    }

    /// Adds the inputs of the module that TenniS would save without an input of their own.
    fn unsaved_inputs(&self, saved: &[bool], diagnostics: &mut Vec<Diagnostic>) {
        let place = |index: u32| usize::try_from(index).ok().filter(|at| *at < saved.len());
        let mut kept = saved.to_vec();
        for listed in self.inputs.iter().filter_map(|&index| place(index)) {
            if let Some(kept) = kept.get_mut(listed) {
                *kept = true;
            }
        }
        for (at, node) in self.graph.nodes.iter().enumerate() {
            if kept.get(at) != Some(&true) {
                continue;
            }
            let is_left_out = |index: &u32| {
                place(*index).and_then(|input| kept.get(input)).is_some_and(|kept| !*kept)
            };
            if let Some(&index) = node.inputs.iter().find(|index| is_left_out(index)) {
                diagnostics.push(Diagnostic::of_node(at, K::UnsavedInput { index }));
            }
        }
    }
}

/// What is suspicious about a node by itself.
fn of_node(node: &Node<'_>, add: &mut impl FnMut(K)) {
    if node.op_bytes() == Some(b"") {
        add(K::EmptyOp);
    }
    let is_variable = node.op_bytes() == Some(VAR.as_bytes());
    if is_variable {
        add(K::Variable);
    }
    if node.is_const() && node.value().is_none() {
        add(K::NoValue);
    }
    if (node.is_const() || node.is_param() || is_variable) && !node.inputs.is_empty() {
        add(K::IdleInputs { count: node.inputs.len() });
    }
    if let Some(shape) = node.bubble.tensor(SHAPE) {
        let (dtype, count) = (shape.dtype(), shape.count());
        if (dtype != DType::Int32 && is_cast(dtype)) || count > MAX_DIMS {
            add(K::Shape { dtype, count });
        }
    }
    let mut params: Vec<&[u8]> = Vec::new();
    for param in &node.bubble.params {
        let name = || param.name().escape_ascii().to_string().into_boxed_str();
        if param.name().len() >= NAME_LIMIT {
            add(K::LongParamName { len: param.name().len() });
        }
        if param.value.fields.is_empty() {
            add(K::NoFields { name: name() });
        }
        if param.value.fields.iter().any(|field| field.dtype() == DType::Ptr) {
            add(K::Pointers { name: name() });
        }
        params.push(param.name());
    }
    params.sort_unstable();
    let pairs = params.iter().zip(params.iter().skip(1));
    let mut twice: Vec<&[u8]> = pairs.filter(|(a, b)| a == b).map(|(name, _)| *name).collect();
    twice.dedup();
    for name in twice {
        add(K::DuplicateParam { name: name.escape_ascii().to_string().into_boxed_str() });
    }
}

/// Why TenniS does not take this for text, if it does not.
fn not_text(tensor: Option<&Tensor<'_>>, param: &'static str) -> Option<K> {
    match tensor {
        None => Some(K::Missing { param }),
        Some(tensor) if is_text(tensor) => None,
        Some(tensor) => {
            Some(K::NotText { param, dtype: tensor.dtype(), dims: tensor.shape().len() })
        }
    }
}

/// What the sizes of a `#shape` are: for TenniS the void that a param without a tensor is.
fn sizes_of(shape: &PackedTensor<'_>) -> DType {
    shape.first().map_or(DType::Void, Tensor::dtype)
}

/// Whether TenniS makes an int32 of elements of that type.
fn is_cast(dtype: DType) -> bool {
    use DType as D;
    matches!(
        dtype,
        D::Boolean
            | D::Int8
            | D::UInt8
            | D::Int16
            | D::UInt16
            | D::Int32
            | D::UInt32
            | D::Int64
            | D::UInt64
            | D::Float16
            | D::Float32
            | D::Float64
            | D::Char8
            | D::Char16
            | D::Char32
    )
}

/// Whether TenniS makes a 1 of this: of the first number or character, cut to an integer, or of decimal
/// text.
fn is_one(tensor: &Tensor<'_>) -> bool {
    // The integer part is 1. An f64 represents all integers below 2.
    let is_one = |number: f64| (1.0..2.0).contains(&number);
    match tensor.dtype() {
        DType::Char8 if tensor.shape().len() == 1 => leads_with_one(tensor.bytes()),
        // Characters that are no text are small integers.
        DType::Char8 => matches!(tensor.bytes(), [1, ..]),
        DType::Char16 => matches!(tensor.bytes(), [1, 0, ..]),
        DType::Char32 => matches!(tensor.bytes(), [1, 0, 0, 0, ..]),
        DType::Float32 => tensor
            .values::<f32>()
            .is_ok_and(|values| values.first().is_some_and(|value| is_one(f64::from(*value)))),
        DType::Float64 => {
            tensor.values::<f64>().is_ok_and(|values| values.first().is_some_and(|v| is_one(*v)))
        }
        // The halves from 1 up to 2 have one exponent.
        DType::Float16 => matches!(tensor.bytes(), [_, 0x3c..=0x3f, ..]),
        DType::Int64 | DType::UInt64 => {
            // Cut to 32 bits.
            matches!(tensor.bytes(), [1, 0, 0, 0, ..])
        }
        _ => tensor.integers().is_ok_and(|numbers| numbers.first() == Some(&1)),
    }
}

/// Whether a 1 is left of what C's `strtol` reads at the start of this, cut to 32 bits: blanks, a sign,
/// digits. What 64 bits do not hold becomes the number next to it that they do.
fn leads_with_one(text: &[u8]) -> bool {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let start = text.iter().position(|byte| !is_blank(byte)).unwrap_or(text.len());
    let text = text.get(start..).unwrap_or_default();
    let (sign, digits) = match text {
        [b'-', digits @ ..] => (-1, digits),
        [b'+', digits @ ..] => (1, digits),
        digits => (1, digits),
    };
    let digits = digits.iter().map_while(|byte| char::from(*byte).to_digit(10));
    let number = digits.fold(0i64, |number, digit| {
        number.saturating_mul(10).saturating_add(sign * i64::from(digit))
    });
    number & 0xffff_ffff == 1
}
