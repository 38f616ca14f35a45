//! Columns of text, as wide as what stands in them.

use std::fmt;

/// Wider cells push what is behind them to the right, in their own row only.
const WIDEST: usize = 48;

/// How a column stands in its width.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Left,
    Right,
}

/// Rows of cells.
#[derive(Debug)]
pub(super) struct Table<const COLUMNS: usize> {
    sides: [Side; COLUMNS],
    rows: Vec<[String; COLUMNS]>,
}

impl<const COLUMNS: usize> Table<COLUMNS> {
    pub(super) const fn new(sides: [Side; COLUMNS]) -> Self {
        Table { sides, rows: Vec::new() }
    }

    pub(super) fn row(&mut self, cells: [String; COLUMNS]) {
        self.rows.push(cells);
    }
}

/// Each row is indented by two blanks.
impl<const COLUMNS: usize> fmt::Display for Table<COLUMNS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut widths = [0; COLUMNS];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = columns(cell).min(WIDEST).max(*width);
            }
        }
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, side), width) in row.iter().zip(self.sides).zip(widths) {
                let blanks = " ".repeat(width.saturating_sub(columns(cell)));
                let (before, after) = match side {
                    Side::Left => ("", blanks.as_str()),
                    Side::Right => (blanks.as_str(), ""),
                };
                line.extend(["  ", before, cell, after]);
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

fn columns(cell: &str) -> usize {
    cell.chars().count()
}
