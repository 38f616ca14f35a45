//! Which crates are measured on which data set.

use std::rc::Rc;

use crate::data::{Data, ckb, gaps, log, mesh, saves, ticks, updates};
use crate::format::{Copies, Format, Run, ready};
use crate::formats::{self, derived};
use crate::{Outcome, ocaml};

/// A data set with the formats that are measured on it.
pub(crate) struct Set {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) select: fn(&Wanted<'_>) -> Outcome<Selection>,
}

/// Whether a crate of this name is selected.
pub(crate) type Wanted<'a> = dyn Fn(&str) -> bool + 'a;

/// The formats that run, and those left out with the reason.
#[derive(Default)]
pub(crate) struct Selection {
    pub(crate) runs: Vec<Box<dyn Run>>,
    pub(crate) left_out: Vec<(&'static str, String)>,
}

impl Selection {
    fn new<V: Data>(values: &Rc<Vec<V>>) -> Self {
        let mut selection = Selection::default();
        selection.add_copies("(clone + drop)", values, V::clone);
        selection
    }

    fn add_copies<V: Data>(&mut self, name: &'static str, values: &Rc<Vec<V>>, copy: fn(&V) -> V) {
        self.runs.push(Box::new(Copies { name, values: Rc::clone(values), copy }));
    }

    fn add<V: Data>(&mut self, formats: impl IntoIterator<Item = Format<V>>, wanted: &Wanted<'_>) {
        for format in formats.into_iter().filter(|format| wanted(format.name)) {
            let name = format.name;
            match ready(format) {
                Ok(run) => self.runs.push(run),
                Err(error) => self.left_out.push((name, error.to_string())),
            }
        }
    }

    /// Adds atdgen, with the schema of the set's name.
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
        select: |wanted| {
            let values = Rc::new(vec![log::log()]);
            let mut selection = Selection::new(&values);
            selection.add(formats::serde(&values), wanted);
            selection.add([formats::serde_molecule(&values)], wanted);
            selection.add(derived!(&values, log::Log, log::BorrowedLog<'_>), wanted);
            selection.add_ocaml(&values, "log", wanted)?;
            Ok(selection)
        },
    },
    Set {
        name: "mesh",
        about: "125,000 triangles of twelve `f32`",
        select: |wanted| {
            let values = Rc::new(vec![mesh::mesh()]);
            let mut selection = Selection::new(&values);
            selection.add_copies("(push + drop)", &values, mesh::pushed);
            selection.add(formats::serde(&values), wanted);
            selection.add([formats::serde_molecule(&values)], wanted);
            selection.add(derived!(&values, mesh::Mesh), wanted);
            selection.add([formats::safetensors(&values)], wanted);
            Ok(selection)
        },
    },
    Set {
        name: "saves",
        about: "500 saved players: nested, with many optional fields",
        select: |wanted| {
            let values = Rc::new(vec![saves::saves()]);
            let marked = values.iter().map(saves::marked::saves).collect::<Outcome<_>>()?;
            let mut selection = Selection::new(&values);
            selection.add(formats::serde(&values), wanted);
            selection.add([formats::serde_molecule(&Rc::new(marked))], wanted);
            selection.add(derived!(&values, saves::Saves, saves::borrowed::Saves<'_>), wanted);
            selection.add_ocaml(&values, "saves", wanted)?;
            Ok(selection)
        },
    },
    Set {
        name: "updates",
        about: "1,000 updates of a game: many small enums and integers",
        select: |wanted| {
            let values = Rc::new(vec![updates::updates()]);
            let marked = values.iter().map(updates::marked::updates).collect::<Outcome<_>>()?;
            let mut selection = Selection::new(&values);
            selection.add(formats::serde(&values), wanted);
            selection.add([formats::serde_molecule(&Rc::new(marked))], wanted);
            selection.add(derived!(&values, updates::plain::Updates), wanted);
            Ok(selection)
        },
    },
    Set {
        name: "block",
        about: "a CKB block of 1,000 transactions",
        select: |wanted| blocks(ckb::block(), wanted),
    },
    Set {
        name: "genesis",
        about: "the first block of the CKB main network: programs of half a megabyte",
        select: |wanted| blocks(ckb::genesis()?, wanted),
    },
    Set {
        name: "ticks",
        about: "1,000 separate messages of 20 bytes; times are for one message",
        select: |wanted| {
            let values = Rc::new(ticks::ticks());
            let mut selection = Selection::new(&values);
            selection.add(formats::serde(&values), wanted);
            selection.add([formats::serde_molecule(&values)], wanted);
            selection.add(derived!(&values, ticks::Tick), wanted);
            Ok(selection)
        },
    },
    Set {
        name: "gaps",
        about: "10,000 records without some of their optional fields, which biniou leaves out",
        select: |wanted| {
            let values = Rc::new(vec![gaps::gaps()]);
            let mut selection = Selection::new(&values);
            // Other formats cannot leave fields out.
            let is_biniou = |name: &str| name == "fourfold::biniou" && wanted(name);
            selection.add(formats::serde(&values), &is_biniou);
            Ok(selection)
        },
    },
];

/// Without crates with their own derives: the types are shared with tests and examples. serde-zap keeps serde's default
/// `is_human_readable`, so it writes hashes and bytes as text, like serde_json.
fn blocks(block: ckb::Block, wanted: &Wanted<'_>) -> Outcome<Selection> {
    let values = Rc::new(vec![block]);
    let marked = values.iter().map(ckb::marked::block).collect::<Outcome<_>>()?;
    let mut selection = Selection::new(&values);
    selection.add(formats::serde(&values), wanted);
    selection.add([formats::serde_molecule(&Rc::new(marked))], wanted);
    selection.add([formats::strict(&values), formats::official(&values)], wanted);
    Ok(selection)
}
