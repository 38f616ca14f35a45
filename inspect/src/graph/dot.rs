//! Writes a picture in Graphviz's DOT language.

use std::fmt::Write as _;

use super::colours::{Colours, DARK, LIGHT, Paint, Theme};
use super::picture::{Card, Picture, Repeat, Role};

pub fn write(picture: &Picture, theme: Theme) -> String {
    let mut dot = String::new();
    let colours = match theme {
        Theme::Auto => &LIGHT,
        Theme::Dark => &DARK,
    };
    // Writing to a string cannot fail.
    let _ = draw(picture, colours, &mut dot);
    dot
}

fn draw(picture: &Picture, colours: &Colours, dot: &mut String) -> std::fmt::Result {
    writeln!(dot, "digraph {} {{", quoted([picture.title.as_str()]))?;
    let Colours { paper, head, faint, wire, .. } = colours;
    let tooltip = quoted([picture.summary.as_str()]);
    writeln!(dot, "  graph [tooltip={tooltip}, bgcolor=\"{paper}\"];")?;
    writeln!(
        dot,
        "  node [shape=box, style=\"rounded,filled\", fontname=\"monospace\", fontsize=11, \
         fontcolor=\"{head}\"];"
    )?;
    writeln!(
        dot,
        "  edge [fontname=\"monospace\", fontsize=9, color=\"{wire}\", fontcolor=\"{faint}\"];"
    )?;
    for (at, card) in picture.cards.iter().enumerate() {
        let shape = match card.role {
            Role::Input | Role::Output => ", shape=ellipse",
            Role::Constant | Role::Operator | Role::Group => "",
        };
        let Paint { fill, border } = colours.paint(card.shade());
        let (label, class) = (quoted(lines(card)), card.shade().class());
        write!(
            dot,
            "  n{at} [label={label}{shape}, class={class}, color=\"{border}\", fillcolor=\"{fill}\""
        )?;
        if !(card.attributes.is_empty() && card.weights.is_empty()) {
            write!(dot, ", tooltip={}", quoted(card.title().lines()))?;
        }
        dot.push_str("];\n");
    }
    for (at, Repeat { cards, count }) in picture.repeats.iter().enumerate() {
        write!(dot, "  subgraph cluster{at} {{ label=\"× {count}\"; style=\"rounded,dashed\"; ")?;
        write!(dot, "color=\"{faint}\"; fontcolor=\"{head}\"; fontname=\"monospace\";")?;
        for card in cards {
            write!(dot, " n{card};")?;
        }
        dot.push_str(" }\n");
    }
    for wire in &picture.wires {
        write!(dot, "  n{} -> n{}", wire.from, wire.to)?;
        let output = picture.cards.get(wire.from).map_or("", |card| &card.output);
        match output {
            "" => dot.push_str(";\n"),
            output => writeln!(dot, " [label={}];", quoted([output]))?,
        }
    }
    dot.push_str("}\n");
    Ok(())
}

fn lines(card: &Card) -> impl Iterator<Item = &str> {
    let lines = std::iter::once(&card.head).chain(card.lines()).chain(&card.weight_lines);
    lines.map(|line| line.text.as_str())
}

/// A quoted string of Graphviz with these lines. Backslashes and quotes are escaped.
fn quoted<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let mut quoted = String::from("\"");
    for (at, line) in lines.into_iter().enumerate() {
        if at > 0 {
            quoted.push_str("\\n");
        }
        for letter in line.chars() {
            if matches!(letter, '"' | '\\') {
                quoted.push('\\');
            }
            quoted.push(letter);
        }
    }
    quoted.push('"');
    quoted
}
