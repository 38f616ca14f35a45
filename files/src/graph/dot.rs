//! A picture in the language of Graphviz.

use std::fmt::Write as _;

use super::picture::{Card, Picture, Role};

pub fn write(picture: &Picture) -> String {
    let mut dot = String::new();
    // Writing to a string cannot fail.
    let _ = draw(picture, &mut dot);
    dot
}

fn draw(picture: &Picture, dot: &mut String) -> std::fmt::Result {
    writeln!(dot, "digraph {} {{", quoted([picture.title.as_str()]))?;
    writeln!(dot, "  graph [tooltip={}];", quoted([picture.summary.as_str()]))?;
    dot.push_str("  node [shape=box, style=\"rounded,filled\", fillcolor=\"#f3f5f8\", ");
    dot.push_str("fontname=\"monospace\", fontsize=11];\n");
    dot.push_str("  edge [fontname=\"monospace\", fontsize=9];\n");
    for (at, card) in picture.cards.iter().enumerate() {
        let style = match card.role {
            Role::Input => ", shape=ellipse, fillcolor=\"#dff1e4\"",
            Role::Output => ", shape=ellipse, fillcolor=\"#fbe9d0\"",
            Role::Constant => ", fillcolor=\"#eee9f7\"",
            Role::Operator => "",
        };
        write!(dot, "  n{at} [label={}{style}", quoted(lines(card)))?;
        if !card.attributes.is_empty() {
            write!(dot, ", tooltip={}", quoted(card.title().lines()))?;
        }
        dot.push_str("];\n");
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
    let lines = std::iter::once(&card.head).chain(card.lines()).chain(&card.weights);
    lines.map(String::as_str)
}

/// A string of Graphviz with these lines. Backslashes and quotes would end it or mean something.
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
