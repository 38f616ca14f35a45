//! Columns of text, as wide as their content and the requested width (`{table:80}`) allow.

use std::borrow::Cow;
use std::fmt;

use crate::write::width::{Blanks, columns, ends};

/// Maximum width of a column. Wider cells shift the rest of their own row only. On a terminal, a column may take half
/// of it.
const WIDEST: usize = 48;

/// Maximum width of a cell: names in files can have any length.
const WIDEST_CELL: usize = 400;

/// Minimum width of a shortened column.
const NARROWEST: usize = 12;

/// The separator before each cell.
const GAP: &str = "  ";

/// The alignment of a column.
#[derive(Clone, Copy, Debug)]
pub enum Side {
    Left,
    Right,
}

/// Rows of cells.
#[derive(Debug)]
pub struct Table {
    sides: Vec<Side>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with that many columns.
    pub fn new(sides: impl Into<Vec<Side>>) -> Self {
        Table { sides: sides.into(), rows: Vec::new() }
    }

    /// Adds a row with as many cells. Cells that are too wide lose their middle.
    pub fn row(&mut self, cells: impl Into<Vec<String>>) {
        let mut cells = cells.into();
        for cell in &mut cells {
            if let Cow::Owned(shortened) = ends(cell, WIDEST_CELL) {
                *cell = shortened;
            }
        }
        self.rows.push(cells);
    }
}

/// Each row is indented by two blanks.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let requested = f.width();
        let widest = requested.map_or(WIDEST, |line| WIDEST.max(line / 2));
        let mut widths = vec![0; self.sides.len()];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = columns(cell).min(widest).max(*width);
            }
        }
        // If lines would be too long for a terminal, the widest column is shortened in the middle: names usually
        // differ at their start or end.
        let (longest, width) = (0..)
            .zip(&widths)
            .max_by_key(|(_, width)| **width)
            .map_or((0, 0), |(at, width)| (at, *width));
        let others = widths.iter().sum::<usize>() - width + widths.len() * GAP.len();
        let most = requested
            .map_or(usize::MAX, |line| line.saturating_sub(others).max(NARROWEST.min(width)));
        if let Some(width) = widths.get_mut(longest) {
            *width = most.min(*width);
        }
        for row in &self.rows {
            let mut line = String::new();
            let cells = row.iter().zip(&self.sides).zip(&widths);
            for (at, ((cell, side), width)) in cells.enumerate() {
                let cell = &*ends(cell, if at == longest { most } else { usize::MAX });
                let blanks = Blanks::after(cell, *width).to_string();
                let (before, after) = match side {
                    Side::Left => ("", blanks.as_str()),
                    Side::Right => (blanks.as_str(), ""),
                };
                line.extend([GAP, before, cell, after]);
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_cells_lose_their_middle() {
        let mut table = Table::new([Side::Left, Side::Left]);
        table.row(["n".repeat(1 << 16), "m".repeat(1 << 16)]);
        let half = |letter: &str| letter.repeat(199);
        let text = format!("  {0}…n{0}  {1}…m{1}\n", half("n"), half("m"));
        assert_eq!(table.to_string(), text);
    }
}
