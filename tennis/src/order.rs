//! The order in which nodes can be computed.

use fourfold::tsm::Module;

/// The positions of nodes, each after those of its inputs.
pub(crate) struct Order {
    /// First the nodes that an output needs, then the others. Nodes of cycles, and what follows from
    /// them, are missing.
    pub(crate) nodes: Vec<u32>,
    /// How many of them an output needs.
    pub(crate) needed: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    /// Its inputs are being visited.
    Open,
    Done,
    /// In a cycle, or after one.
    Cyclic,
}

impl Order {
    pub(crate) fn of(module: &Module<'_>) -> Self {
        let mut visit = Visit {
            module,
            states: vec![State::New; module.graph.nodes.len()],
            nodes: Vec::with_capacity(module.graph.nodes.len()),
        };
        module.outputs.iter().for_each(|&output| visit.from(output));
        let needed = visit.nodes.len();
        let all = u32::try_from(module.graph.nodes.len()).unwrap_or(u32::MAX);
        (0..all).for_each(|node| visit.from(node));
        Order { nodes: visit.nodes, needed }
    }
}

struct Visit<'a, 'de> {
    module: &'a Module<'de>,
    states: Vec<State>,
    nodes: Vec<u32>,
}

impl Visit<'_, '_> {
    fn state(&mut self, node: u32) -> Option<&mut State> {
        self.states.get_mut(usize::try_from(node).ok()?)
    }

    /// Visits a node and all that it needs, with a stack of its own: chains may be long.
    fn from(&mut self, start: u32) {
        let module = self.module;
        // A node, and which of its inputs is next.
        let mut open: Vec<(u32, usize)> = Vec::new();
        self.enter(start, &mut open);
        while let Some((node, next)) = open.last_mut() {
            let (node, at) = (*node, *next);
            *next += 1;
            match inputs_of(module, node).get(at) {
                Some(&input) => match self.state(input).copied() {
                    Some(State::New) => self.enter(input, &mut open),
                    Some(State::Open | State::Cyclic) => self.set(node, State::Cyclic),
                    Some(State::Done) | None => {}
                },
                None => {
                    open.pop();
                    self.leave(node, open.last().map(|(user, _)| *user));
                }
            }
        }
    }

    fn enter(&mut self, node: u32, open: &mut Vec<(u32, usize)>) {
        if let Some(state @ State::New) = self.state(node) {
            *state = State::Open;
            open.push((node, 0));
        }
    }

    fn leave(&mut self, node: u32, user: Option<u32>) {
        match self.state(node).copied() {
            Some(State::Cyclic) => {
                if let Some(user) = user {
                    self.set(user, State::Cyclic);
                }
            }
            _ => {
                self.set(node, State::Done);
                self.nodes.push(node);
            }
        }
    }

    fn set(&mut self, node: u32, new: State) {
        if let Some(state) = self.state(node) {
            *state = new;
        }
    }
}

/// The inputs of a node. TenniS ignores those of a `<param>` or a `<const>`.
pub(crate) fn inputs_of<'a>(module: &'a Module<'_>, node: u32) -> &'a [u32] {
    match module.graph.get(node) {
        Some(node) if !node.is_param() && !node.is_const() => &node.inputs,
        _ => &[],
    }
}
