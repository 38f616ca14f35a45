//! Formats shapes as text.

use std::fmt::{self, Display as _};

use fourfold::biniou::{Dictionary, Tag};

use super::{Field, Fields, Kind, Parts, Shape, name, word};
use crate::write::count::{counted_in_groups, grouped, number};
use crate::write::width::Blanks;

/// A shape as text, similar to atd.
pub(in crate::formats::biniou) struct Drawn<'a> {
    pub(in crate::formats::biniou) shape: &'a Shape,
    pub(in crate::formats::biniou) names: &'a Dictionary,
    pub(in crate::formats::biniou) indent: usize,
    /// Number of levels shown.
    pub(in crate::formats::biniou) depth: usize,
}

impl<'a> Drawn<'a> {
    fn part(&self, shape: &'a Shape) -> Self {
        Drawn { shape, depth: self.depth.saturating_sub(1), ..*self }
    }

    fn indented(&self, shape: &'a Shape) -> Self {
        Drawn { indent: self.indent + 1, ..self.part(shape) }
    }

    fn line(&self, f: &mut fmt::Formatter<'_>, indent: usize) -> fmt::Result {
        write!(f, "\n{}", Blanks(indent * 2))
    }

    fn kind(&self, kind: &'a Kind, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = word(kind.tag);
        match &kind.parts {
            Parts::None => f.write_str(word),
            _ if self.depth == 0 => write!(f, "{word} ..."),
            Parts::Items { least, most, item } => {
                let least = grouped(number(*least));
                match grouped(number(*most)) {
                    most if most == least => write!(f, "{word} of {most} ")?,
                    most => write!(f, "{word} of {least} to {most} ")?,
                }
                if item.is_empty() { f.write_str("items") } else { self.part(item).fmt(f) }
            }
            Parts::Tuples(tuples) => {
                for (at, shapes) in tuples.values().enumerate() {
                    f.write_str(if at > 0 { " | (" } else { "(" })?;
                    for (at, shape) in shapes.iter().enumerate() {
                        f.write_str(if at > 0 { ", " } else { "" })?;
                        self.part(shape).fmt(f)?;
                    }
                    f.write_str(")")?;
                }
                Ok(())
            }
            Parts::Fields { records, fields } => self.fields(kind, *records, fields, f),
            Parts::Variants(fields) => self.variants(kind, fields, f),
        }
    }

    fn fields(
        &self,
        kind: &Kind,
        records: u64,
        fields: &'a Fields,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        match kind.tag {
            Tag::Table => write!(f, "table of {} {{", counted_in_groups(records, "row"))?,
            _ => f.write_str("{")?,
        }
        for field in &fields.list {
            self.line(f, self.indent + 1)?;
            // As in atd, `?` is an optional field.
            let optional = if field.count < records { "?" } else { "" };
            write!(f, "{optional}{}: ", name(field.hash, self.names))?;
            self.indented(&field.shape).fmt(f)?;
            if field.count < records {
                write!(f, "  (in {} of {})", grouped(field.count), grouped(records))?;
            }
        }
        self.line(f, self.indent)?;
        f.write_str("}")
    }

    fn variants(&self, kind: &Kind, fields: &'a Fields, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbered = kind.tag == Tag::NumVariant;
        if let (true, [Field { hash: 0, count, shape }]) = (numbered, fields.list.as_slice()) {
            // An option or nullable in atd.
            let some: u64 = shape.kinds.iter().map(|kind| kind.count).sum();
            if shape.is_empty() {
                return f.write_str("option (all None)");
            }
            f.write_str("option of ")?;
            self.part(shape).fmt(f)?;
            return match count - some.min(*count) {
                0 => Ok(()),
                none => write!(f, " ({} None)", grouped(none)),
            };
        }
        f.write_str(if numbered { "num_variant [" } else { "[" })?;
        for field in &fields.list {
            self.line(f, self.indent + 1)?;
            match numbered {
                true => write!(f, "| {}", field.hash)?,
                false => write!(f, "| {}", name(field.hash, self.names))?,
            }
            if !field.shape.is_empty() {
                f.write_str(" of ")?;
                self.indented(&field.shape).fmt(f)?;
            }
            write!(f, "  ({})", counted_in_groups(field.count, "time"))?;
        }
        self.line(f, self.indent)?;
        f.write_str("]")
    }
}

impl fmt::Display for Drawn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.shape.is_empty() {
            return f.write_str("nothing");
        }
        let several = self.shape.kinds.len() > 1;
        for (at, kind) in self.shape.kinds.iter().enumerate() {
            f.write_str(if at > 0 { " | " } else { "" })?;
            self.kind(kind, f)?;
            if several {
                write!(f, " ({})", counted_in_groups(kind.count, "time"))?;
            }
        }
        Ok(())
    }
}
