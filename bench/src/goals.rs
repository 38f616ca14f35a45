//! How fast each format has to be, beside whom.

use crate::measure::{Row, best, fastest};
use crate::ocaml;
use crate::peer::Column::{self, Borrow, Copy, Read, Write};
use crate::text::number;

struct Goal {
    set: &'static str,
    ours: &'static str,
    column: Column,
    beside: Beside,
    ratio: f64,
}

enum Beside {
    /// The best serde peer.
    Best,
    /// The best of these.
    Of(&'static [&'static str]),
    Memcpy,
}

const CBOR: Beside = Beside::Of(&["cbor4ii"]);
const NAMED: Beside = Beside::Of(&["rmp-serde, named", "cbor4ii"]);
const OFFICIAL: Beside = Beside::Of(&["molecule (official)"]);
const OCAML: Beside = Beside::Of(&[ocaml::NAME]);

macro_rules! goals {
    ($($ours:ident $column:ident $beside:expr => $($set:ident $ratio:literal),+;)*) => {
        &[$($(Goal {
            set: stringify!($set),
            ours: concat!("fourfold::", stringify!($ours)),
            column: $column,
            beside: $beside,
            ratio: $ratio,
        }),+),*]
    };
}

const GOALS: &[Goal] = goals! {
    molecule Write Beside::Best => log 0.80, mesh 0.60, saves 0.85, updates 0.60;
    molecule Read Beside::Best => log 0.80, mesh 0.50, saves 0.82, updates 0.75;
    molecule Borrow Beside::Best => log 0.40, saves 0.55;
    biniou Write CBOR => log 0.50, mesh 0.35, saves 0.50, updates 0.40;
    biniou Read NAMED => log 0.42, mesh 0.12, saves 0.42, updates 0.26;
    biniou Borrow NAMED => log 0.15, saves 0.25;
    tsm Write Beside::Best => log 1.0, mesh 0.6, saves 1.0, updates 0.8;
    tsm Read Beside::Best => log 0.9, mesh 0.5, saves 0.9, updates 0.8;
    // Eight times as fast, and twice.
    biniou Write OCAML => log 0.125, saves 0.125;
    biniou Read OCAML => log 0.50, saves 0.50;
    molecule Write OFFICIAL => block 0.10;
    molecule Read OFFICIAL => block 0.50;
    molecule Write Beside::Memcpy => genesis 3.0;
    // Whoever pays for each call pays here: no worse than the best.
    molecule Write Beside::Best => ticks 1.0;
    molecule Read Beside::Best => ticks 1.0;
    tsm Write Beside::Best => ticks 1.0;
    tsm Read Beside::Best => ticks 1.0;
    biniou Write CBOR => ticks 1.0;
    biniou Read NAMED => ticks 1.0;
};

/// A line for each goal of the set whose two sides were measured.
pub(crate) fn lines(set: &str, rows: &[Row]) -> Vec<String> {
    GOALS.iter().filter(|goal| goal.set == set).filter_map(|goal| line(goal, rows)).collect()
}

fn line(goal: &Goal, rows: &[Row]) -> Option<String> {
    let column = goal.column;
    let row = rows.iter().find(|row| row.name == goal.ours)?;
    let (beside, other, others) = match goal.beside {
        Beside::Memcpy => ("`memcpy`", row, Copy),
        Beside::Best => named(best(rows, column)?, column),
        Beside::Of(names) => {
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
    Some(format!("- {set}, {name}, {done}: {found} of {beside}, goal {wanted}{verdict}"))
}

fn named(row: &Row, column: Column) -> (&'static str, &Row, Column) {
    (row.name, row, column)
}

/// Ends of lines, here and in what `models` and `memory` print.
pub(crate) const REACHED: &str = ": reached";
pub(crate) const MISSED: &str = ": NOT";
