//! Definitions as formatted ATD text.

use core::fmt;

use super::parse::{self, Annotations, Cell, Definition, Expression, Kind, Member, Presence};
use super::schema::Schema;

/// All definitions of its own file as one text that atdgen compiles to the same OCaml. Annotations are kept, comments are not. Schemas
/// that differ in blanks and comments only have the same text.
///
/// ```
/// use fourfold_schema::atd::Schema;
///
/// let schema = Schema::parse(r#"type t={x:int;(* both *)?y:t option} type 'a u = [A of ('a*int)|B<json name="b">]"#)?;
/// assert_eq!(
///     schema.to_string(),
///     "type t = {\n  x : int;\n  ?y : t option;\n}\n\n\
///      type 'a u = [\n  | A of ('a * int)\n  | B <json name=\"b\">\n]\n",
/// );
/// # Ok::<(), fourfold_schema::atd::Error>(())
/// ```
impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // It has been read before.
        let text = self.sources.first().map_or("", |source| &source.text);
        let Ok(text) = parse::parse(text) else { return Ok(()) };
        print(f, &text.annotations, &text.definitions)
    }
}

/// Writes a text with what is before its definitions.
pub(super) fn print(
    out: &mut dyn fmt::Write,
    head: &Annotations<'_>,
    definitions: &[Definition<'_>],
) -> fmt::Result {
    let mut printer = Printer { out, indent: 0 };
    let mut is_first = head.is_empty();
    if !is_first {
        let mut space = "";
        for section in head {
            printer.out.write_str(space)?;
            printer.section(section)?;
            space = " ";
        }
        printer.out.write_char('\n')?;
    }
    for definition in definitions {
        if !core::mem::take(&mut is_first) {
            printer.out.write_char('\n')?;
        }
        printer.definition(definition)?;
    }
    Ok(())
}

struct Printer<'w> {
    out: &'w mut dyn fmt::Write,
    /// How many records and sum types are open.
    indent: usize,
}

impl Printer<'_> {
    fn definition(&mut self, definition: &Definition<'_>) -> fmt::Result {
        let Definition { name, parameters, annotations, body } = definition;
        self.out.write_str("type ")?;
        match &parameters[..] {
            [] => {}
            [one] => write!(self.out, "'{one} ")?,
            [first, others @ ..] => {
                write!(self.out, "('{first}")?;
                others.iter().try_for_each(|name| write!(self.out, ", '{name}"))?;
                self.out.write_str(") ")?;
            }
        }
        self.out.write_str(name.text)?;
        self.annotations(annotations)?;
        self.out.write_str(" = ")?;
        self.expression(body)?;
        self.out.write_char('\n')
    }

    fn expression(&mut self, ty: &Expression<'_>) -> fmt::Result {
        match &ty.kind {
            Kind::Sum(members) => self.members(members, "[", "| ", "", "]")?,
            Kind::Record(members) => self.members(members, "{", "", ";", "}")?,
            Kind::Tuple(cells) => self.list(cells, " * ", Self::cell)?,
            Kind::Name(name, arguments) => {
                match &arguments[..] {
                    [] => {}
                    [one] => {
                        self.expression(one)?;
                        self.out.write_char(' ')?;
                    }
                    several => {
                        self.list(several, ", ", Self::expression)?;
                        self.out.write_char(' ')?;
                    }
                }
                self.out.write_str(name.text)?;
            }
            Kind::Parameter(name) => write!(self.out, "'{name}")?,
        }
        self.annotations(&ty.annotations)
    }

    /// Fields or variants, each in a line.
    fn members(
        &mut self,
        members: &[Member<'_>],
        open: &str,
        before: &str,
        after: &str,
        close: &str,
    ) -> fmt::Result {
        self.out.write_str(open)?;
        self.indent += 1;
        for member in members {
            self.line()?;
            self.out.write_str(before)?;
            self.member(member)?;
            self.out.write_str(after)?;
        }
        self.indent -= 1;
        if !members.is_empty() {
            self.line()?;
        }
        self.out.write_str(close)
    }

    fn line(&mut self) -> fmt::Result {
        self.out.write_char('\n')?;
        (0..self.indent).try_for_each(|_| self.out.write_str("  "))
    }

    fn member(&mut self, member: &Member<'_>) -> fmt::Result {
        let (name, presence, annotations, ty) = match member {
            Member::Own(name, presence, annotations, ty) => (name, presence, annotations, ty),
            Member::Inherit(ty) => {
                self.out.write_str("inherit ")?;
                return self.expression(ty);
            }
        };
        let sign = match presence {
            Presence::Required => "",
            Presence::Optional => "?",
            Presence::Default => "~",
        };
        write!(self.out, "{sign}{}", name.text)?;
        self.annotations(annotations)?;
        let Some(ty) = ty else { return Ok(()) };
        let is_variant = name.text.starts_with(|first: char| first.is_ascii_uppercase());
        self.out.write_str(if is_variant { " of " } else { " : " })?;
        self.expression(ty)
    }

    /// What is in round brackets.
    fn list<T>(
        &mut self,
        items: &[T],
        between: &str,
        mut put: impl FnMut(&mut Self, &T) -> fmt::Result,
    ) -> fmt::Result {
        self.out.write_char('(')?;
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.out.write_str(between)?;
            }
            put(self, item)?;
        }
        self.out.write_char(')')
    }

    fn cell(&mut self, cell: &Cell<'_>) -> fmt::Result {
        for section in &cell.annotations {
            self.section(section)?;
            self.out.write_char(' ')?;
        }
        if !cell.annotations.is_empty() {
            self.out.write_str(": ")?;
        }
        self.expression(&cell.ty)
    }

    fn annotations(&mut self, annotations: &Annotations<'_>) -> fmt::Result {
        annotations.iter().try_for_each(|section| {
            self.out.write_char(' ')?;
            self.section(section)
        })
    }

    fn section(&mut self, section: &parse::Section<'_>) -> fmt::Result {
        write!(self.out, "<{}", section.name)?;
        for entry in &section.entries {
            write!(self.out, " {}", entry.key)?;
            if let Some(value) = &entry.value {
                self.out.write_char('=')?;
                self.string(value)?;
            }
        }
        self.out.write_char('>')
    }

    /// A string, which need not be UTF-8.
    fn string(&mut self, bytes: &[u8]) -> fmt::Result {
        self.out.write_char('"')?;
        for chunk in bytes.utf8_chunks() {
            chunk.valid().chars().try_for_each(|c| self.character(c))?;
            chunk.invalid().iter().try_for_each(|byte| write!(self.out, "\\x{byte:02x}"))?;
        }
        self.out.write_char('"')
    }

    fn character(&mut self, c: char) -> fmt::Result {
        match c {
            '"' => self.out.write_str("\\\""),
            '\\' => self.out.write_str("\\\\"),
            '\n' => self.out.write_str("\\n"),
            '\r' => self.out.write_str("\\r"),
            '\t' => self.out.write_str("\\t"),
            '\u{8}' => self.out.write_str("\\b"),
            c if c.is_ascii_control() => write!(self.out, "\\x{:02x}", u32::from(c)),
            c => self.out.write_char(c),
        }
    }
}
