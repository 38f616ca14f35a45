//! The goals and means of the report, and the short tables of `docs/speed.md`.

use crate::format::{Column, Kind};
use crate::goals::{MISSED, REACHED};
use crate::measure::Row;
use crate::measure::{best, of_best};
use crate::report::{Measured, SHOWN};
use crate::text::{duration, number};

/// The sets of the means.
const SHAPES: [&str; 4] = ["log", "mesh", "saves", "updates"];

/// Crates of goals, which the short tables always show.
const QUOTED: [&str; 4] =
    ["rmp-serde, named", "cbor4ii", "molecule (official)", crate::ocaml::NAME];

/// The number of goals in `text` that are reached, and those that are not.
pub(crate) fn goals(text: &str) -> String {
    let reached = text.lines().filter(|line| line.ends_with(REACHED)).count();
    let missed: Vec<&str> = text.lines().filter(|line| line.ends_with(MISSED)).collect();
    let all = reached + missed.len();
    let mut out = format!("## Goals\n\n{reached} of {all} reached.\n\n");
    if !missed.is_empty() {
        out += &format!("Not reached:\n\n{}\n\n", missed.join("\n"));
    }
    out
}

/// Geometric means of the ratios to the best other serde crate of each set.
pub(crate) fn means(all: &[Measured]) -> String {
    let shapes: Vec<&Measured> =
        all.iter().filter(|measured| SHAPES.contains(&measured.set.name)).collect();
    let Some(first) = shapes.first() else { return String::new() };
    let names: Vec<&str> = shapes.iter().map(|measured| measured.set.name).collect();
    let mut out = format!(
        "## Means\n\nGeometric means of the ratios to the best other serde crate, over {}. A crate that \
         lacks one of these sets has no mean.\n\n| crate | write / best | read / best | borrowed / best |\n\
         |---|--:|--:|--:|\n",
        names.join(", ")
    );
    for row in &first.rows {
        let cells = SHOWN.map(|column| number(mean(&shapes, row.name, column)));
        out += &format!("| {} | {} |\n", row.name, cells.join(" | "));
    }
    out + "\n"
}

/// The mean over the sets in which another serde crate has this column.
fn mean(shapes: &[&Measured], name: &str, column: Column) -> Option<f64> {
    let counted = shapes.iter().filter(|measured| best(&measured.rows, column).is_some());
    let ratio = |measured: &&Measured| of_best(&measured.rows, measured.row(name)?, column);
    let ratios: Vec<f64> = counted.map(ratio).collect::<Option<_>>()?;
    let count = f64::from(u32::try_from(ratios.len()).ok()?);
    (count > 0.0).then(|| (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / count).exp())
}

/// A short table for each set: our formats, the best crates of each column, and those of the goals.
pub(crate) fn quote(all: &[Measured]) -> String {
    let mut out = String::new();
    for Measured { set, rows, .. } in all {
        out += &format!(
            "**{}**: {}\n\n| | bytes | write | read | borrowed |\n|---|--:|--:|--:|--:|\n",
            set.name, set.about
        );
        let winners = SHOWN.map(|column| best(rows, column).map(|row| row.name));
        let quoted = |row: &&Row| {
            row.kind == Kind::Ours
                || winners.contains(&Some(row.name))
                || QUOTED.contains(&row.name)
        };
        for row in rows.iter().filter(quoted) {
            let cells = SHOWN.map(|column| match of_best(rows, row, column) {
                Some(ratio) => format!("{} ({ratio:.2})", duration(row.seconds(column))),
                None => duration(row.seconds(column)),
            });
            let name =
                if row.kind == Kind::Ours { format!("**{}**", row.name) } else { row.name.into() };
            out += &format!("| {name} | {} | {} |\n", row.size, cells.join(" | "));
        }
        out += "\n";
    }
    out
}
