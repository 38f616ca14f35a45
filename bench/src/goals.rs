//! How fast each format has to be, beside whom.

use crate::measure::Row;
use crate::peer::Column::{self, Borrow, Copy, Read, Write};
use crate::report::{best, fastest, number};

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
    molecule Write OFFICIAL => block 0.10;
    molecule Read OFFICIAL => block 0.50;
    molecule Write Beside::Memcpy => genesis 3.0;
};

/// A line for each goal of the set.
pub(crate) fn print(set: &str, rows: &[Row]) {
    for goal in GOALS.iter().filter(|goal| goal.set == set) {
        let Some(row) = rows.iter().find(|row| row.name == goal.ours) else { continue };
        let (column, name) = (goal.column, row.name);
        let (ratio, beside) = match goal.beside {
            Beside::Memcpy => (row.ratio(column, row, Copy), "memcpy"),
            Beside::Best => of(row, column, best(rows, column)),
            Beside::Of(names) => {
                let known = rows.iter().filter(|row| names.contains(&row.name));
                of(row, column, fastest(known, column))
            }
        };
        let reached =
            if ratio.is_some_and(|ratio| ratio <= goal.ratio) { "reached" } else { "NOT" };
        let (ratio, wanted) = (number(ratio), goal.ratio);
        println!("- {name} {column:?}: {ratio} of {beside}, goal {wanted:.2}: {reached}");
    }
    println!();
}

fn of(row: &Row, column: Column, other: Option<&Row>) -> (Option<f64>, &'static str) {
    let ratio = other.and_then(|other| row.ratio(column, other, column));
    (ratio, other.map_or("nobody", |other| other.name))
}
