//! Goals: the greatest ratio of a format's time to that of another crate.

use crate::format::Column::{self, Borrow, Copy, Read, Write};
use crate::measure::{Row, best, fastest};
use crate::ocaml;
use crate::text::number;

struct Goal {
    set: &'static str,
    ours: &'static str,
    column: Column,
    reference: Reference,
    ratio: f64,
}

enum Reference {
    /// The fastest other serde crate.
    Best,
    /// The fastest of these.
    Of(&'static [&'static str]),
    Memcpy,
}

const CBOR: Reference = Reference::Of(&["cbor4ii"]);
const NAMED: Reference = Reference::Of(&["rmp-serde, named", "cbor4ii"]);
const OFFICIAL: Reference = Reference::Of(&["molecule (official)"]);
const OCAML: Reference = Reference::Of(&[ocaml::NAME]);

macro_rules! goals {
    ($($ours:ident $column:ident $reference:expr => $($set:ident $ratio:literal),+;)*) => {
        &[$($(Goal {
            set: stringify!($set),
            ours: concat!("fourfold::", stringify!($ours)),
            column: $column,
            reference: $reference,
            ratio: $ratio,
        }),+),*]
    };
}

const GOALS: &[Goal] = goals! {
    molecule Write Reference::Best => log 0.80, mesh 0.60, saves 0.85, updates 0.60;
    molecule Read Reference::Best => log 0.80, mesh 0.50, saves 0.82, updates 0.75;
    molecule Borrow Reference::Best => log 0.40, saves 0.55;
    biniou Write CBOR => log 0.50, mesh 0.35, saves 0.50, updates 0.40;
    biniou Read NAMED => log 0.42, mesh 0.12, saves 0.42, updates 0.26;
    biniou Borrow NAMED => log 0.15, saves 0.25;
    tsm Write Reference::Best => log 1.0, mesh 0.6, saves 1.0, updates 0.8;
    tsm Read Reference::Best => log 0.9, mesh 0.5, saves 0.9, updates 0.8;
    // Eight times as fast, and twice as fast.
    biniou Write OCAML => log 0.125, saves 0.125;
    biniou Read OCAML => log 0.50, saves 0.50;
    molecule Write OFFICIAL => block 0.10;
    molecule Read OFFICIAL => block 0.50;
    molecule Write Reference::Memcpy => genesis 3.0;
    // Small messages show the cost of a call: no slower than the best.
    molecule Write Reference::Best => ticks 1.0;
    molecule Read Reference::Best => ticks 1.0;
    tsm Write Reference::Best => ticks 1.0;
    tsm Read Reference::Best => ticks 1.0;
    biniou Write CBOR => ticks 1.0;
    biniou Read NAMED => ticks 1.0;
};

/// A line for each goal of the set, if both sides were measured.
pub(crate) fn lines(set: &str, rows: &[Row]) -> Vec<String> {
    GOALS.iter().filter(|goal| goal.set == set).filter_map(|goal| line(goal, rows)).collect()
}

fn line(goal: &Goal, rows: &[Row]) -> Option<String> {
    let column = goal.column;
    let row = rows.iter().find(|row| row.name == goal.ours)?;
    let (reference, other, others) = match goal.reference {
        Reference::Memcpy => ("`memcpy`", row, Copy),
        Reference::Best => named(best(rows, column)?, column),
        Reference::Of(names) => {
            let known = rows.iter().filter(|row| names.contains(&row.name));
            named(fastest(known, column)?, column)
        }
    };
    let ratio = row.ratio(column, other, others)?;
    let verdict = if ratio <= goal.ratio { REACHED } else { MISSED };
    let (set, name, found, wanted) = (goal.set, row.name, number(Some(ratio)), goal.ratio);
    let done = match column {
        Write => "written",
        Read => "read",
        Borrow => "borrowed",
        Copy => "copied",
    };
    Some(format!("- {set}, {name}, {done}: {found} of {reference}, goal {wanted}{verdict}"))
}

fn named(row: &Row, column: Column) -> (&'static str, &Row, Column) {
    (row.name, row, column)
}

/// Ends of the lines of goals, here and in the output of `models` and `memory`.
pub(crate) const REACHED: &str = ": reached";
pub(crate) const MISSED: &str = ": NOT";
