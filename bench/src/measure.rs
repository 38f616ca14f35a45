//! Interleaved rounds: in each of them everybody has a turn, so that what disturbs the machine
//! disturbs all alike.

use std::time::Duration;

use crate::Outcome;
use crate::peer::{Column, Kind, Run};

pub(crate) const COLUMNS: [Column; 4] = [Column::Write, Column::Read, Column::Borrow, Column::Copy];

/// What the rounds showed of one peer.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) size: usize,
    pub(crate) memory: Option<(f64, f64)>,
    /// Seconds for one document in each round, in the order of [`COLUMNS`]. Empty if it cannot.
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

    /// The median of each round's ratio to what `other` took in the same round.
    pub(crate) fn ratio(&self, column: Column, other: &Row, others: Column) -> Option<f64> {
        let pairs = self.times(column).iter().zip(other.times(others));
        median(pairs.map(|(time, other)| time / other).collect())
    }
}

/// Gives everybody `rounds` turns of at least `turn`.
///
/// # Errors
///
/// If a peer does not work, though it did when it was made ready.
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

/// Gives everybody one turn, and says whose turn it was: set, name, column.
///
/// # Errors
///
/// If a peer does not work, though it did when it was made ready.
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

/// The program `instructions` knows this function by its name.
#[inline(never)]
fn turn_to_count(run: &dyn Run, column: Column) -> Outcome<f64> {
    run.turn(column, Duration::ZERO)
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// The serde format with the least median. Not one of ours.
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
