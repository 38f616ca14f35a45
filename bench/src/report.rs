//! The results of one set as Markdown.

use std::fmt::{self, Write};

use crate::format::{Column, Kind};
use crate::goals;
use crate::measure::{Row, of_best};
use crate::ocaml;
use crate::sets::{Selection, Set};
use crate::text::{duration, number};

pub(crate) const SHOWN: [Column; 3] = [Column::Write, Column::Read, Column::Borrow];

/// A set and its results.
pub(crate) struct Measured {
    pub(crate) set: &'static Set,
    pub(crate) rows: Vec<Row>,
    pub(crate) left_out: Vec<(&'static str, String)>,
}

impl Measured {
    pub(crate) fn new(set: &'static Set, selection: Selection, rows: Vec<Row>) -> Self {
        Measured { set, rows, left_out: selection.left_out }
    }

    pub(crate) fn row(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }
}

/// The set's table and goals.
impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Measured { set, rows, left_out } = self;
        writeln!(f, "## {}\n\n{}\n", set.name, set.about)?;
        writeln!(
            f,
            "| crate | bytes | write | read | borrowed | write / memcpy | read / memcpy | \
             borrowed / memcpy | write / best | read / best | borrowed / best | \
             peak writing / bytes | peak reading / value |"
        )?;
        writeln!(f, "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")?;
        if let Some(first) = rows.iter().find(|row| row.kind != Kind::LowerBound) {
            let copy = duration(first.seconds(Column::Copy));
            let none = " – |".repeat(10);
            writeln!(f, "| (memcpy of the first) | {} | {copy} |{none}", first.size)?;
        }
        for row in rows {
            let mut cells = vec![row.name.to_owned()];
            cells.push(if row.size > 0 { row.size.to_string() } else { "–".to_owned() });
            cells.extend(SHOWN.map(|column| duration(row.seconds(column))));
            cells.extend(SHOWN.map(|column| number(row.ratio(column, row, Column::Copy))));
            cells.extend(SHOWN.map(|column| number(of_best(rows, row, column))));
            cells.push(number(row.memory.map(|(writing, _)| writing)));
            cells.push(number(row.memory.map(|(_, reading)| reading)));
            writeln!(f, "| {} |", cells.join(" | "))?;
        }
        f.write_char('\n')?;
        for (name, reason) in left_out {
            writeln!(f, "- left out: {name} ({})", reason.trim())?;
        }
        for line in goals::lines(set.name, rows) {
            writeln!(f, "{line}")?;
        }
        per_record(self, f)
    }
}

/// Times for one record, compared with OCaml.
fn per_record(measured: &Measured, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let schema = ocaml::SCHEMAS.iter().find(|schema| schema.set == measured.set.name);
    let (Some(schema), Some(_)) = (schema, measured.row(ocaml::NAME)) else { return Ok(()) };
    writeln!(f, "\n| for each record | write | read |\n|---|--:|--:|")?;
    for name in ["fourfold::biniou", ocaml::NAME] {
        let Some(row) = measured.row(name) else { continue };
        let each = |column| duration(row.seconds(column).map(|all| all / schema.records));
        writeln!(f, "| {name} | {} | {} |", each(Column::Write), each(Column::Read))?;
    }
    let [write, read] = schema.reference.map(|nanoseconds| duration(Some(nanoseconds / 1e9)));
    writeln!(f, "| atdgen on another machine | {write} | {read} |")
}
