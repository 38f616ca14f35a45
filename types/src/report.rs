//! Writes `docs/types.md`, and the rows of `docs/will-my-type-work.md`.

use std::fmt::Write as _;

use crate::run::{ANY, FORMATS, OTHERS, Row, Run};
use crate::support::{Outcome, Table, Tried, cell, quote};

/// Number of values with each outcome.
#[derive(Clone, Copy, Default)]
struct Counts {
    equal: usize,
    unwritten: usize,
    unread: usize,
    different: usize,
    panicked: usize,
}

impl Counts {
    fn add(&mut self, outcome: &Outcome) {
        let count = match outcome {
            Outcome::Equal => &mut self.equal,
            Outcome::Unwritten(_) => &mut self.unwritten,
            Outcome::Unread(_) => &mut self.unread,
            Outcome::Different(_) => &mut self.different,
            Outcome::Panicked(_) => &mut self.panicked,
        };
        *count += 1;
    }
}

/// The head of the report.
const HEAD: &str = "\
# Any type

Written by `cargo run --manifest-path types/Cargo.toml -- --out docs/types.md`. Each format writes each value
and reads it back. *Equal*: the value read is equal; *not written*, *not read*: refused with an error; *another*: a different
value is read; *panicked*: a panic. The last four columns are our formats with `with::any` around the value. [will-my-type-work.md](will-my-type-work.md) has one row per type.

";

/// The report.
pub fn report(run: &Run) -> String {
    let mut report = HEAD.to_owned();
    totals(&mut report, run);
    groups(&mut report, run);
    lost(&mut report, run);
    report.push_str("\n## Refused or different, by type\n\nNumber of equal values, for types with values that are not equal.\n\n");
    types(&mut report, run);
    lists(&mut report, run);
    report
}

fn columns() -> impl Iterator<Item = &'static str> {
    FORMATS.into_iter().chain(OTHERS).chain(ANY)
}

fn totals(report: &mut String, run: &Run) {
    let values: usize = run.rows.iter().map(|row| row.values.len()).sum();
    let crates = include_str!("../Cargo.toml").matches(" = { version").count();
    let types = run.rows.len();
    let _ = writeln!(
        report,
        "{types} types of std, of serde's attributes and of {crates} crates; {values} values.\n"
    );
    let _ = writeln!(
        report,
        "| format | types all equal | equal | not written | not read | another | panicked |"
    );
    let _ = writeln!(report, "|---|--:|--:|--:|--:|--:|--:|");
    for (at, name) in columns().enumerate() {
        let mut counts = Counts::default();
        let mut whole = 0;
        for column in run.rows.iter().filter_map(|row| row.columns.get(at)) {
            column.iter().for_each(|outcome| counts.add(outcome));
            whole += usize::from(column.iter().all(|outcome| *outcome == Outcome::Equal));
        }
        let Counts { equal, unwritten, unread, different, panicked } = counts;
        let _ = writeln!(
            report,
            "| {name} | {whole} | {equal} | {unwritten} | {unread} | {different} | {panicked} |"
        );
    }
}

/// A row for each group.
fn groups(report: &mut String, run: &Run) {
    let _ = writeln!(report, "\n## By kind\n\nValues read back equal.\n");
    let names: Vec<&str> = columns().collect();
    let _ = writeln!(report, "| | types | values | {} |", names.join(" | "));
    let _ = writeln!(report, "|---|--:|--:|{}", "--:|".repeat(names.len()));
    for rows in run.rows.chunk_by(|one, other| one.group == other.group) {
        let Some(first) = rows.first() else { continue };
        let values: usize = rows.iter().map(|row| row.values.len()).sum();
        let _ = write!(report, "| {} | {} | {values} |", first.group, rows.len());
        for at in 0..names.len() {
            let equal: usize = rows.iter().map(|row| equal(row, at)).sum();
            let _ = write!(report, " {equal} |");
        }
        report.push('\n');
    }
}

fn equal(row: &Row, at: usize) -> usize {
    let column = row.columns.get(at).into_iter().flatten();
    column.filter(|outcome| **outcome == Outcome::Equal).count()
}

/// A line for each value that rmp-serde reads back equal and `any` does not.
pub fn less_than_rmp(run: &Run) -> Vec<String> {
    let mut lines = Vec::new();
    for row in &run.rows {
        let Some(theirs) = row.columns.get(FORMATS.len()) else { continue };
        let any = row.columns.iter().skip(FORMATS.len() + OTHERS.len());
        for (format, ours) in ANY.into_iter().zip(any) {
            for ((value, theirs), ours) in row.values.iter().zip(theirs).zip(ours) {
                let result = match ours {
                    _ if *theirs != Outcome::Equal => continue,
                    Outcome::Equal => continue,
                    Outcome::Unwritten(error) => format!("not written, {}", quote(error, 300)),
                    Outcome::Unread(error) => format!("not read, {}", quote(error, 300)),
                    Outcome::Different(back) => format!("**another**, {}", quote(back, 120)),
                    Outcome::Panicked(text) => format!("**panicked**, {}", quote(text, 300)),
                };
                lines.push(format!("- {format}: {}: {}: {result}", row.name, quote(value, 120)));
            }
        }
    }
    lines
}

fn lost(report: &mut String, run: &Run) {
    report.push_str("\n## Equal with rmp-serde, but not with `any`\n\n");
    match less_than_rmp(run) {
        lines if lines.is_empty() => report.push_str("None.\n"),
        lines => {
            report.push_str(&lines.join("\n"));
            report.push('\n');
        }
    }
}

/// A row for each type that some format does not read back equal.
fn types(report: &mut String, run: &Run) {
    let names: Vec<&str> = columns().collect();
    let _ = writeln!(report, "| | {} |", names.join(" | "));
    let _ = writeln!(report, "|---|{}", "--:|".repeat(names.len()));
    for row in &run.rows {
        let values = row.values.len();
        if (0..names.len()).all(|at| equal(row, at) == values) {
            continue;
        }
        let _ = write!(report, "| {} |", row.name);
        for at in 0..names.len() {
            let _ = match equal(row, at) {
                count if count == values => write!(report, " all |"),
                count => write!(report, " {count} of {values} |"),
            };
        }
        report.push('\n');
    }
}

/// Lists values that are read as different values, or written but not read, by type and error.
fn lists(report: &mut String, run: &Run) {
    for (at, format) in FORMATS.into_iter().enumerate() {
        let _ = writeln!(report, "\n## {format}: written, and not read back equal\n");
        let mut lines = String::new();
        for row in &run.rows {
            let mut outcomes: Vec<(String, Vec<String>)> = Vec::new();
            let column = row.columns.get(at).into_iter().flatten();
            for (value, outcome) in row.values.iter().zip(column) {
                let result = match outcome {
                    Outcome::Equal | Outcome::Unwritten(_) => continue,
                    Outcome::Unread(error) => format!("not read, {}", quote(error, 300)),
                    Outcome::Different(back) => format!("**another**, {}", quote(back, 120)),
                    Outcome::Panicked(text) => format!("**panicked**, {}", quote(text, 300)),
                };
                let value = quote(value, 120);
                match outcomes.iter_mut().find(|(other, _)| *other == result) {
                    Some((_, values)) => values.push(value),
                    None => outcomes.push((result, vec![value])),
                }
            }
            for (result, values) in outcomes {
                let _ = writeln!(lines, "- {}: {}: {result}", row.name, values.join(", "));
            }
        }
        report.push_str(if lines.is_empty() { "None.\n" } else { &lines });
    }
}

/// The tables of *Will my type work?*
pub fn cells(run: &Run) -> Table {
    let mut table = Table::default();
    for rows in run.rows.chunk_by(|one, other| one.group == other.group) {
        let Some(first) = rows.first() else { continue };
        table.group(first.group, &FORMATS);
        for row in rows {
            let tried = |mark, outcomes: &Vec<Outcome>| {
                let values = row.values.iter().cloned().zip(outcomes.iter().cloned()).collect();
                Tried { mark, values }
            };
            let any = row.columns.iter().skip(FORMATS.len() + OTHERS.len());
            let cells = row.columns.iter().zip(any);
            let cells = cells.map(|(plain, any)| cell(&[tried("", plain), tried("`any`", any)]));
            table.row(row.name, &cells.collect::<Vec<_>>());
        }
    }
    table
}
