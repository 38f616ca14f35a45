//! Which peers meet on which data.

use std::rc::Rc;

use crate::data::{Data, ckb, gaps, log, mesh, saves, ticks, updates};
use crate::peer::{Copies, Peer, Run, ready};
use crate::peers::{self, derived};
use crate::{Outcome, ocaml};

/// A set by name, and what it is made by.
pub(crate) struct Set {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) field: fn(&Wanted<'_>) -> Outcome<Field>,
}

/// Whether a peer of this name is asked for.
pub(crate) type Wanted<'a> = dyn Fn(&str) -> bool + 'a;

/// Who runs, and who does not, with the reason.
#[derive(Default)]
pub(crate) struct Field {
    pub(crate) runs: Vec<Box<dyn Run>>,
    pub(crate) left_out: Vec<(&'static str, String)>,
}

impl Field {
    fn new<V: Data>(values: &Rc<Vec<V>>) -> Self {
        let mut field = Field::default();
        field.add_copies("(clone + drop)", values, V::clone);
        field
    }

    fn add_copies<V: Data>(&mut self, name: &'static str, values: &Rc<Vec<V>>, copy: fn(&V) -> V) {
        self.runs.push(Box::new(Copies { name, values: Rc::clone(values), copy }));
    }

    fn add<V: Data>(&mut self, peers: impl IntoIterator<Item = Peer<V>>, wanted: &Wanted<'_>) {
        for peer in peers.into_iter().filter(|peer| wanted(peer.name)) {
            let name = peer.name;
            match ready(peer) {
                Ok(run) => self.runs.push(run),
                Err(error) => self.left_out.push((name, error.to_string())),
            }
        }
    }

    /// The set's schema in OCaml has the set's name.
    fn add_ocaml<V: Data>(&mut self, values: &[V], set: &str, wanted: &Wanted<'_>) -> Outcome<()> {
        if let ([value], true) = (values, wanted(ocaml::NAME)) {
            match ocaml::start(set, &fourfold::biniou::to_vec(value)?) {
                Ok(run) => self.runs.push(run),
                Err(error) => self.left_out.push((ocaml::NAME, error.to_string())),
            }
        }
        Ok(())
    }
}

pub(crate) const SETS: &[Set] = &[
    Set {
        name: "log",
        about: "10,000 records of an HTTP log: text",
        field: |wanted| {
            let values = Rc::new(vec![log::log()]);
            let mut field = Field::new(&values);
            field.add(peers::serde(&values), wanted);
            field.add([peers::serde_molecule(&values)], wanted);
            field.add(derived!(&values, log::Log, log::BorrowedLog<'_>), wanted);
            field.add_ocaml(&values, "log", wanted)?;
            Ok(field)
        },
    },
    Set {
        name: "mesh",
        about: "125,000 triangles of twelve `f32`",
        field: |wanted| {
            let values = Rc::new(vec![mesh::mesh()]);
            let mut field = Field::new(&values);
            field.add_copies("(push + drop)", &values, mesh::pushed);
            field.add(peers::serde(&values), wanted);
            field.add([peers::serde_molecule(&values)], wanted);
            field.add(derived!(&values, mesh::Mesh), wanted);
            field.add([peers::safetensors(&values)], wanted);
            Ok(field)
        },
    },
    Set {
        name: "saves",
        about: "500 saved players: nested, with many optional parts",
        field: |wanted| {
            let values = Rc::new(vec![saves::saves()]);
            let marked = values.iter().map(saves::marked::saves).collect::<Outcome<_>>()?;
            let mut field = Field::new(&values);
            field.add(peers::serde(&values), wanted);
            field.add([peers::serde_molecule(&Rc::new(marked))], wanted);
            field.add(derived!(&values, saves::Saves, saves::borrowed::Saves<'_>), wanted);
            field.add_ocaml(&values, "saves", wanted)?;
            Ok(field)
        },
    },
    Set {
        name: "updates",
        about: "1,000 updates of a game: many small enums and integers",
        field: |wanted| {
            let values = Rc::new(vec![updates::updates()]);
            let marked = values.iter().map(updates::marked::updates).collect::<Outcome<_>>()?;
            let mut field = Field::new(&values);
            field.add(peers::serde(&values), wanted);
            field.add([peers::serde_molecule(&Rc::new(marked))], wanted);
            field.add(derived!(&values, updates::plain::Updates), wanted);
            Ok(field)
        },
    },
    Set {
        name: "block",
        about: "a CKB block of 1,000 transactions",
        field: |wanted| blocks(ckb::block(), wanted),
    },
    Set {
        name: "genesis",
        about: "the first block of the CKB main network: programs of half a megabyte",
        field: |wanted| blocks(ckb::genesis()?, wanted),
    },
    Set {
        name: "ticks",
        about: "1,000 messages of 20 bytes, one by one; times are those of one message",
        field: |wanted| {
            let values = Rc::new(ticks::ticks());
            let mut field = Field::new(&values);
            field.add(peers::serde(&values), wanted);
            field.add([peers::serde_molecule(&values)], wanted);
            field.add(derived!(&values, ticks::Tick), wanted);
            Ok(field)
        },
    },
    Set {
        name: "gaps",
        about: "10,000 records without some of their optional fields, which biniou leaves out",
        field: |wanted| {
            let values = Rc::new(vec![gaps::gaps()]);
            let mut field = Field::new(&values);
            // Others have no such fields.
            let is_biniou = |name: &str| name == "fourfold::biniou" && wanted(name);
            field.add(peers::serde(&values), &is_biniou);
            Ok(field)
        },
    },
];

/// Peers with derives of their own are not here: the types are also those of tests and examples.
/// serde-zap says that it is for people, as serde does by default, and so gets hashes and bytes as
/// text, like serde_json.
fn blocks(block: ckb::Block, wanted: &Wanted<'_>) -> Outcome<Field> {
    let values = Rc::new(vec![block]);
    let marked = values.iter().map(ckb::marked::block).collect::<Outcome<_>>()?;
    let mut field = Field::new(&values);
    field.add(peers::serde(&values), wanted);
    field.add([peers::serde_molecule(&Rc::new(marked))], wanted);
    field.add([peers::strict(&values), peers::official(&values)], wanted);
    Ok(field)
}
