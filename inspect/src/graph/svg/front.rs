//! What is above the boxes: the title, the summary and the legend.

use std::fmt::{self, Write as _};

use super::super::picture::{Picture, Shade};
use super::{LEADING, LINE, MARGIN, Short};
use crate::graph::text;
use crate::layout::{Point, length};
use crate::write::markup::Escaped;
use crate::write::width::{columns, ends};

/// The font size of the title, and the most columns of it.
const TITLE: f64 = 16.0;
const TITLE_COLUMNS: usize = 60;
/// The least columns of lines of the summary.
const LEAST_COLUMNS: usize = 40;
/// The distances between items of the legend, and of title, summary, legend and boxes.
const GAP: (f64, f64) = (18.0, 12.0);
/// The width and height of a box in the legend, and the distance to its text.
const SWATCH: (f64, f64, f64) = (16.0, 11.0, 6.0);

/// The front of a picture.
#[derive(Default)]
pub(super) struct Front {
    title: String,
    summary: Vec<String>,
    items: Vec<(Point, Shade, String)>,
    pub(super) width: f64,
    /// Including the distance to the boxes.
    pub(super) height: f64,
}

impl Front {
    /// Lays it out for boxes of that width.
    pub(super) fn of(picture: &Picture, most: f64) -> Self {
        let title = ends(&picture.title, TITLE_COLUMNS).into_owned();
        let mut front = Front { width: text::width(&title, TITLE), title, ..Front::default() };
        front.height = TITLE * 1.1;
        let least = text::width(" ", LINE) * length(LEAST_COLUMNS);
        let most = most.max(front.width).max(least);
        for line in wrapped(&picture.summary, most) {
            front.width = front.width.max(text::width(&line, LINE));
            front.height += LINE * LEADING;
            front.summary.push(line);
        }
        let (mut x, mut y) = (0.0, front.height + GAP.1);
        for (shade, name) in picture.legend() {
            let (swatch, _, gap) = SWATCH;
            let width = swatch + gap + text::width(&name, LINE);
            if x > 0.0 && x + width > most {
                (x, y) = (0.0, y + LINE * LEADING * 1.2);
            }
            front.items.push((Point::new(x, y), shade, name));
            front.width = front.width.max(x + width);
            front.height = y + SWATCH.1;
            x += width + GAP.0;
        }
        front.height += GAP.1 + 8.0;
        front
    }

    pub(super) fn draw(&self, svg: &mut String) -> fmt::Result {
        writeln!(svg, "<g transform=\"translate({MARGIN} {MARGIN})\">")?;
        let (y, title) = (Short(TITLE * 0.8), Escaped(&self.title));
        writeln!(svg, "<text class=\"title head\" y=\"{y}\">{title}</text>")?;
        let mut y = TITLE * 1.1;
        for line in &self.summary {
            y += LINE * LEADING;
            writeln!(svg, "<text class=\"out\" y=\"{}\">{}</text>", Short(y), Escaped(line))?;
        }
        svg.push_str("<g class=\"legend\">\n");
        for (at, shade, name) in &self.items {
            let (x, y, class) = (Short(at.x), Short(at.y), shade.class());
            let (width, height, gap) = SWATCH;
            let (after, line) = (Short(at.x + width + gap), Short(at.y + height - 1.5));
            let name = Escaped(name);
            writeln!(
                svg,
                "<g class=\"{class}\"><rect class=\"box\" x=\"{x}\" y=\"{y}\" width=\"{width}\" \
                 height=\"{height}\" rx=\"3\"/><text x=\"{after}\" y=\"{line}\">{name}</text></g>"
            )?;
        }
        svg.push_str("</g>\n</g>\n");
        Ok(())
    }
}

/// The words in lines of at most that width, if no word is wider.
fn wrapped(text: &str, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line)
                if text::width(" ", LINE) * length(columns(line) + 1 + columns(word)) <= most =>
            {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
