//! Values of biniou as text for people: what OCaml's `Bi_io.view` and the tool `bdump` print.

mod layout;
mod printer;
mod text;

use std::collections::BTreeMap;

use fourfold::biniou::{Dictionary, Table, Tag, Value};

use self::layout::Layout;

/// Writes a value as text, byte for byte as OCaml's `Bi_io.view` does.
///
/// Lines have up to 78 columns where that is possible. Records are in braces, arrays and tables in
/// brackets, tuples in parentheses, variants in angle brackets; num_variants are `None` or `Some`,
/// with their number if it is not 0. int8 to int64 are in hexadecimal, other integers in decimal.
/// Names are not in the bytes, so their hashes are shown; see [`view_with`].
///
/// As in OCaml, where a uvint has 63 bits and a sign, those from 2^62 to below 2^63 are shown as
/// the negative numbers that OCaml reads. OCaml reads none beyond; they are shown as they are.
///
/// ```
/// use fourfold::biniou::Value;
/// use fourfold_inspect::view::view;
///
/// let value = Value::Tuple(vec![Value::Int8(7), Value::from("hi"), Value::from(0.5)]);
/// assert_eq!(view(&value), r#"(0x07, "hi", 0.5)"#);
/// ```
pub fn view(value: &Value) -> String {
    view_with(value, &Dictionary::new())
}

/// Writes a value as text like [`view`], with the names that `names` has for its hashes.
///
/// ```
/// use fourfold::biniou::{Dictionary, Value, hash};
/// use fourfold_inspect::view::view_with;
///
/// let point = Value::Record(vec![(hash("x"), Value::Svint(1)), (hash("y"), Value::Svint(-2))]);
/// let names = Dictionary::from_words("x\n")?;
/// assert_eq!(view_with(&point, &names), r##"{ "x": 1, #00000079: -2 }"##);
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
pub fn view_with(value: &Value, names: &Dictionary) -> String {
    let mut drawing = Drawing { names, shared: Shared::default() };
    drawing.value(value).print()
}

/// What is known while a value becomes a layout.
struct Drawing<'a> {
    names: &'a Dictionary,
    shared: Shared,
}

/// How shared values are numbered: by how many nodes of that kind came before, references too.
#[derive(Default)]
struct Shared {
    count: usize,
    /// The number of each content that was shown.
    shown: BTreeMap<Content, usize>,
    /// The content of each shared value in the bytes.
    contents: BTreeMap<u32, Content>,
}

/// OCaml takes two shared values for one if their content is at the same place in memory. That is
/// so for all those without content, of which there is only one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Content {
    Unit,
    EmptyArray,
    EmptyTable,
    /// Another shared value.
    Node(u32),
    /// That of this shared value alone.
    Of(u32),
}

impl Content {
    fn of(id: u32, value: &Value) -> Content {
        match value {
            Value::Unit => Content::Unit,
            Value::Array(items) if items.is_empty() => Content::EmptyArray,
            Value::Table(table) if table.rows.is_empty() => Content::EmptyTable,
            Value::Shared(inner, _) | Value::Reference(inner) => Content::Node(*inner),
            Value::Overlong(_, value) => Content::of(id, value),
            _ => Content::Of(id),
        }
    }
}

impl Shared {
    /// Counts a node; returns its content's number, and whether the content is new.
    fn meet(&mut self, content: Content) -> (usize, bool) {
        self.count += 1;
        let number = *self.shown.entry(content).or_insert(self.count);
        (number, number == self.count)
    }
}

impl Drawing<'_> {
    fn value(&mut self, value: &Value) -> Layout {
        Layout::Word(match value {
            Value::Bool(value) => value.to_string(),
            Value::Int8(number) => format!("0x{number:02x}"),
            Value::Int16(number) => format!("0x{number:04x}"),
            Value::Int32(number) => format!("0x{number:08x}"),
            Value::Int64(number) => format!("0x{number:016x}"),
            Value::Float32(number) => text::float(f64::from(*number)),
            Value::Float64(number) => text::float(*number),
            Value::Uvint(number) => text::uvint(*number),
            Value::Svint(number) => number.to_string(),
            Value::String(bytes) => text::quoted(bytes),
            Value::Unit => "unit".into(),
            Value::Array(items) if items.is_empty() => "[]".into(),
            Value::Array(items) => return Layout::Brackets(self.values(items)),
            Value::Tuple(items) => return Layout::Parentheses(self.values(items)),
            Value::Record(fields) => {
                let fields = fields.iter().map(|(hash, value)| self.field(*hash, value));
                return Layout::Braces(fields.collect());
            }
            Value::NumVariant(number, argument) => {
                let number = if *number == 0 { String::new() } else { number.to_string() };
                match argument {
                    None => format!("None{number}"),
                    Some(value) => return self.value(value).labelled(format!("Some{number}")),
                }
            }
            Value::Variant(hash, argument) => match argument {
                None => format!("<{}>", self.name(*hash)),
                Some(value) => return Layout::angles(self.field(*hash, value)),
            },
            Value::Table(table) => return self.table(table),
            Value::Shared(id, value) => return self.shared(*id, value),
            Value::Reference(id) => {
                let content = self.shared.contents.get(id).copied();
                let (number, _) = self.shared.meet(content.unwrap_or(Content::Of(*id)));
                format!("shared{number}")
            }
            Value::Overlong(_, value) => return self.value(value),
            _ => String::new(),
        })
    }

    fn values(&mut self, values: &[Value]) -> Vec<Layout> {
        values.iter().map(|value| self.value(value)).collect()
    }

    fn table(&mut self, table: &Table) -> Layout {
        if table.rows.is_empty() {
            return Layout::Word("[]".into());
        }
        Layout::Brackets(table.rows.iter().map(|row| self.row(&table.columns, row)).collect())
    }

    fn row(&mut self, columns: &[(u32, Tag)], cells: &[Value]) -> Layout {
        let cells = columns.iter().zip(cells);
        Layout::Braces(cells.map(|((hash, _), cell)| self.field(*hash, cell)).collect())
    }

    fn shared(&mut self, id: u32, value: &Value) -> Layout {
        let content = Content::of(id, value);
        self.shared.contents.insert(id, content);
        match self.shared.meet(content) {
            (number, true) => self.value(value).labelled(format!("shared{number} ->")),
            (number, false) => Layout::Word(format!("shared{number}")),
        }
    }

    fn field(&mut self, hash: u32, value: &Value) -> Layout {
        let label = format!("{}:", self.name(hash));
        self.value(value).labelled(label)
    }

    fn name(&self, hash: u32) -> String {
        match self.names.name(hash) {
            Some(name) => text::quoted(name.as_bytes()),
            None => text::hash(hash),
        }
    }
}
