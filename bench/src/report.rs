//! Markdown of what was measured.

use crate::goals;
use crate::measure::Row;
use crate::peer::{Column, Kind};
use crate::sets::Set;

const SHOWN: [Column; 3] = [Column::Write, Column::Read, Column::Borrow];

/// The set's table, and how far it is from its goals.
pub(crate) fn print(set: &Set, rows: &[Row], left_out: &[(&str, String)]) {
    println!("## {}\n\n{}\n", set.name, set.about);
    println!(
        "| peer | bytes | write | read | borrowed | write / memcpy | read / memcpy | \
         borrowed / memcpy | write / best | read / best | borrowed / best | \
         peak writing / bytes | peak reading / value |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    if let Some(first) = rows.iter().find(|row| row.kind != Kind::Floor) {
        let copy = duration(first.seconds(Column::Copy));
        println!("| (memcpy of the first) | {} | {copy} |{}", first.size, " – |".repeat(10));
    }
    for row in rows {
        let mut cells = vec![row.name.to_owned()];
        cells.push(if row.size > 0 { row.size.to_string() } else { "–".to_owned() });
        cells.extend(SHOWN.map(|column| duration(row.seconds(column))));
        cells.extend(SHOWN.map(|column| number(row.ratio(column, row, Column::Copy))));
        cells.extend(SHOWN.map(|column| {
            number(best(rows, column).and_then(|best| row.ratio(column, best, column)))
        }));
        cells.push(number(row.memory.map(|(writing, _)| writing)));
        cells.push(number(row.memory.map(|(_, reading)| reading)));
        println!("| {} |", cells.join(" | "));
    }
    println!();
    for (name, reason) in left_out {
        println!("- left out: {name} ({reason})");
    }
    goals::print(set.name, rows);
}

/// The serde peer with the least median. Not one of ours.
pub(crate) fn best(rows: &[Row], column: Column) -> Option<&Row> {
    fastest(rows.iter().filter(|row| row.kind == Kind::Serde), column)
}

pub(crate) fn fastest<'a>(rows: impl Iterator<Item = &'a Row>, column: Column) -> Option<&'a Row> {
    rows.filter_map(|row| Some((row, row.seconds(column)?)))
        .min_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(row, _)| row)
}

fn duration(seconds: Option<f64>) -> String {
    match seconds {
        None => "–".to_owned(),
        Some(seconds) if seconds < 1e-6 => format!("{:.1} ns", seconds * 1e9),
        Some(seconds) if seconds < 1e-3 => format!("{:.1} µs", seconds * 1e6),
        Some(seconds) => format!("{:.2} ms", seconds * 1e3),
    }
}

pub(crate) fn number(number: Option<f64>) -> String {
    number.map_or("–".to_owned(), |number| format!("{number:.2}"))
}
