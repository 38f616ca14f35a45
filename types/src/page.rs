//! The page `docs/types.md`.

use std::fmt::Write as _;

use crate::run::{ANY, FORMATS, PEERS, Row, Run};
use crate::support::{Outcome, Table, Tried, cell, quote};

/// How many values came to each end.
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

/// The head of the page; figures follow.
const HEAD: &str = "\
# Any type

Made by `cargo run --release --manifest-path types/Cargo.toml -- --out docs/types.md`. Each value is written and read
again by each format. *Equal* came back equal; *not written* and *not read* were refused with an error; *another* came back as
another value; *panicked* ended in a panic. The last four columns are our formats with `with::any` around the value. [will-my-type-work.md](will-my-type-work.md) has one row per type.

";

/// The page.
pub fn page(run: &Run) -> String {
    let mut page = HEAD.to_owned();
    totals(&mut page, run);
    groups(&mut page, run);
    lost(&mut page, run);
    page.push_str("\n## Refused or different, by type\n\nEqual values of all values, where these are not all.\n\n");
    types(&mut page, run);
    lists(&mut page, run);
    page
}

fn columns() -> impl Iterator<Item = &'static str> {
    FORMATS.into_iter().chain(PEERS).chain(ANY)
}

fn totals(page: &mut String, run: &Run) {
    let values: usize = run.rows.iter().map(|row| row.values.len()).sum();
    let crates = include_str!("../Cargo.toml").matches(" = { version").count();
    let types = run.rows.len();
    let _ = writeln!(
        page,
        "{types} types of std, of serde's attributes and of {crates} crates; {values} values.\n"
    );
    let _ = writeln!(
        page,
        "| format | types all equal | equal | not written | not read | another | panicked |"
    );
    let _ = writeln!(page, "|---|--:|--:|--:|--:|--:|--:|");
    for (at, name) in columns().enumerate() {
        let mut counts = Counts::default();
        let mut whole = 0;
        for column in run.rows.iter().filter_map(|row| row.columns.get(at)) {
            column.iter().for_each(|outcome| counts.add(outcome));
            whole += usize::from(column.iter().all(|outcome| *outcome == Outcome::Equal));
        }
        let Counts { equal, unwritten, unread, different, panicked } = counts;
        let _ = writeln!(
            page,
            "| {name} | {whole} | {equal} | {unwritten} | {unread} | {different} | {panicked} |"
        );
    }
}

/// A row for each group.
fn groups(page: &mut String, run: &Run) {
    let _ = writeln!(page, "\n## By kind\n\nValues that came back equal.\n");
    let names: Vec<&str> = columns().collect();
    let _ = writeln!(page, "| | types | values | {} |", names.join(" | "));
    let _ = writeln!(page, "|---|--:|--:|{}", "--:|".repeat(names.len()));
    for rows in run.rows.chunk_by(|one, other| one.group == other.group) {
        let Some(first) = rows.first() else { continue };
        let values: usize = rows.iter().map(|row| row.values.len()).sum();
        let _ = write!(page, "| {} | {} | {values} |", first.group, rows.len());
        for at in 0..names.len() {
            let equal: usize = rows.iter().map(|row| equal(row, at)).sum();
            let _ = write!(page, " {equal} |");
        }
        page.push('\n');
    }
}

fn equal(row: &Row, at: usize) -> usize {
    let column = row.columns.get(at).into_iter().flatten();
    column.filter(|outcome| **outcome == Outcome::Equal).count()
}

/// What rmp-serde gives back and `any` does not, each in a line.
pub fn less_than_rmp(run: &Run) -> Vec<String> {
    let mut lines = Vec::new();
    for row in &run.rows {
        let Some(theirs) = row.columns.get(FORMATS.len()) else { continue };
        let any = row.columns.iter().skip(FORMATS.len() + PEERS.len());
        for (format, ours) in ANY.into_iter().zip(any) {
            for ((value, theirs), ours) in row.values.iter().zip(theirs).zip(ours) {
                let end = match ours {
                    _ if *theirs != Outcome::Equal => continue,
                    Outcome::Equal => continue,
                    Outcome::Unwritten(error) => format!("not written, {}", quote(error, 300)),
                    Outcome::Unread(error) => format!("not read, {}", quote(error, 300)),
                    Outcome::Different(back) => format!("**another**, {}", quote(back, 120)),
                    Outcome::Panicked(text) => format!("**panicked**, {}", quote(text, 300)),
                };
                lines.push(format!("- {format}: {}: {}: {end}", row.name, quote(value, 120)));
            }
        }
    }
    lines
}

fn lost(page: &mut String, run: &Run) {
    page.push_str("\n## What rmp-serde gives back, and `any` does not\n\n");
    match less_than_rmp(run) {
        lines if lines.is_empty() => page.push_str("None.\n"),
        lines => {
            page.push_str(&lines.join("\n"));
            page.push('\n');
        }
    }
}

/// A row for each type that does not come back in every format.
fn types(page: &mut String, run: &Run) {
    let names: Vec<&str> = columns().collect();
    let _ = writeln!(page, "| | {} |", names.join(" | "));
    let _ = writeln!(page, "|---|{}", "--:|".repeat(names.len()));
    for row in &run.rows {
        let values = row.values.len();
        if (0..names.len()).all(|at| equal(row, at) == values) {
            continue;
        }
        let _ = write!(page, "| {} |", row.name);
        for at in 0..names.len() {
            let _ = match equal(row, at) {
                count if count == values => write!(page, " all |"),
                count => write!(page, " {count} of {values} |"),
            };
        }
        page.push('\n');
    }
}

/// Values that came back as others, and values that were written and cannot be read, by type and error.
fn lists(page: &mut String, run: &Run) {
    for (at, format) in FORMATS.into_iter().enumerate() {
        let _ = writeln!(page, "\n## {format}: written, and not read back equal\n");
        let mut lines = String::new();
        for row in &run.rows {
            let mut ends: Vec<(String, Vec<String>)> = Vec::new();
            let column = row.columns.get(at).into_iter().flatten();
            for (value, outcome) in row.values.iter().zip(column) {
                let end = match outcome {
                    Outcome::Equal | Outcome::Unwritten(_) => continue,
                    Outcome::Unread(error) => format!("not read, {}", quote(error, 300)),
                    Outcome::Different(back) => format!("**another**, {}", quote(back, 120)),
                    Outcome::Panicked(text) => format!("**panicked**, {}", quote(text, 300)),
                };
                let value = quote(value, 120);
                match ends.iter_mut().find(|(other, _)| *other == end) {
                    Some((_, values)) => values.push(value),
                    None => ends.push((end, vec![value])),
                }
            }
            for (end, values) in ends {
                let _ = writeln!(lines, "- {}: {}: {end}", row.name, values.join(", "));
            }
        }
        page.push_str(if lines.is_empty() { "None.\n" } else { &lines });
    }
}

/// The rows of *Will my type work?*
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
            let any = row.columns.iter().skip(FORMATS.len() + PEERS.len());
            let cells = row.columns.iter().zip(any);
            let cells = cells.map(|(plain, any)| cell(&[tried("", plain), tried("`any`", any)]));
            table.row(row.name, &cells.collect::<Vec<_>>());
        }
    }
    table
}
