//! Measures in interleaved rounds: each crate has a turn in each round, so that noise affects all alike.

use std::time::Duration;

use crate::Outcome;
use crate::format::{Column, Kind, Run};

pub(crate) const COLUMNS: [Column; 4] = [Column::Write, Column::Read, Column::Borrow, Column::Copy];

/// The results of one crate.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) size: usize,
    pub(crate) memory: Option<(f64, f64)>,
    /// Seconds for one message in each round, in the order of [`COLUMNS`]. Empty if not supported.
    times: [Vec<f64>; 4],
}

impl Row {
    pub(crate) fn times(&self, column: Column) -> &[f64] {
        let at = COLUMNS.iter().position(|known| *known == column);
        at.and_then(|at| self.times.get(at)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn seconds(&self, column: Column) -> Option<f64> {
        median(self.times(column).to_vec())
    }

    /// The median of the ratios to `other` in the same round.
    pub(crate) fn ratio(&self, column: Column, other: &Row, others: Column) -> Option<f64> {
        let pairs = self.times(column).iter().zip(other.times(others));
        median(pairs.map(|(time, other)| time / other).collect())
    }
}

/// Runs `rounds` turns of at least `turn` for each crate.
///
/// # Errors
///
/// If a turn fails.
pub(crate) fn measure(runs: &[Box<dyn Run>], rounds: usize, turn: Duration) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for run in runs {
        rows.push(Row {
            name: run.name(),
            kind: run.kind(),
            size: run.size(),
            memory: run.memory()?,
            times: Default::default(),
        });
    }
    for round in 0..=rounds {
        for (run, row) in runs.iter().zip(&mut rows) {
            for (column, times) in COLUMNS.into_iter().zip(&mut row.times) {
                if run.has(column) {
                    let seconds = run.turn(column, turn)?;
                    // The first round warms up.
                    if round > 0 {
                        times.push(seconds / f64::from(u32::try_from(run.count())?));
                    }
                }
            }
        }
    }
    Ok(rows)
}

/// Runs one turn for each crate, and prints set, name and column.
///
/// # Errors
///
/// If a turn fails.
pub(crate) fn once(set: &str, runs: &[Box<dyn Run>]) -> Outcome<()> {
    for run in runs {
        for column in COLUMNS.into_iter().filter(|column| *column != Column::Copy) {
            if run.has(column) {
                turn_to_count(run.as_ref(), column)?;
                println!("{set}\t{}\t{column:?}", run.name());
            }
        }
    }
    Ok(())
}

/// The program `instructions` finds this function by name.
#[inline(never)]
fn turn_to_count(run: &dyn Run, column: Column) -> Outcome<f64> {
    run.turn(column, Duration::ZERO)
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// The fastest other serde crate, by median.
pub(crate) fn best(rows: &[Row], column: Column) -> Option<&Row> {
    fastest(rows.iter().filter(|row| row.kind == Kind::Serde), column)
}

pub(crate) fn fastest<'a>(rows: impl Iterator<Item = &'a Row>, column: Column) -> Option<&'a Row> {
    rows.filter_map(|row| Some((row, row.seconds(column)?)))
        .min_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(row, _)| row)
}

pub(crate) fn of_best(rows: &[Row], row: &Row, column: Column) -> Option<f64> {
    row.ratio(column, best(rows, column)?, column)
}
