//! The options of a table.

use crate::{Error, Form};

/// Options of a [`Table`](crate::Table): how types become columns, how files are read, and how SQL writes them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Options {
    wide: Option<WideNumbers>,
    pub(crate) strings: Strings,
    pub(crate) sums: Sums,
    pub(crate) recursion: usize,
    pub(crate) batch_rows: usize,
    pub(crate) batch_bytes: usize,
    pub(crate) max_row: usize,
    pub(crate) damaged: Damaged,
    pub(crate) compatible: bool,
    pub(crate) form: Form,
}

/// How numbers of more than 64 bits are represented: `Uint128` and `Uint256` of Molecule, `Int128` and `Int256`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WideNumbers {
    /// `Utf8`: the decimal digits of every number. Text is compared character by character: `"9"` is greater than
    /// `"10"`.
    #[default]
    Text,
    /// `Decimal128(38, 0)`, which pyarrow, DuckDB, polars and Spark read exactly. A number with more digits is
    /// [`TooWide`](crate::Error::TooWide).
    Decimal,
    /// `FixedSizeBinary`, little-endian, as in the file.
    Bytes,
}

/// How strings of biniou are represented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strings {
    /// `Utf8`; a string that is not UTF-8 is an error.
    #[default]
    Text,
    /// `Binary`.
    Bytes,
}

/// How sum types and unions are represented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sums {
    /// A struct: the variant's name, and a nullable child for each variant that has a value. Works in Parquet.
    #[default]
    Struct,
    /// A dense union of Arrow, with a child for each variant. Parquet has no unions.
    Union,
}

/// What happens at a damaged row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Damaged {
    /// It is an error, and ends the reader.
    #[default]
    Stop,
    /// It is counted and skipped, if the file shows where the next row begins.
    Skip,
}

impl Options {
    /// The default options.
    #[must_use]
    pub const fn new() -> Self {
        Options {
            wide: None,
            strings: Strings::Text,
            sums: Sums::Struct,
            recursion: 2,
            batch_rows: 8192,
            batch_bytes: 16 << 20,
            max_row: 1 << 30,
            damaged: Damaged::Stop,
            compatible: false,
            form: Form::List,
        }
    }

    /// How numbers of more than 64 bits are represented: `Uint128` and `Uint256` of Molecule, `Int128` and `Int256`.
    /// The default is text, which can represent all of them; in tables of DataFusion decimals, because SQL compares,
    /// sorts and adds them as numbers.
    #[must_use]
    pub const fn wide_numbers(mut self, choice: WideNumbers) -> Self {
        self.wide = Some(choice);
        self
    }

    pub(crate) fn wide(&self) -> WideNumbers {
        self.wide.unwrap_or_default()
    }

    /// The same with the defaults of SQL tables.
    #[cfg(feature = "datafusion")]
    pub(crate) fn for_sql(mut self) -> Self {
        self.wide.get_or_insert(WideNumbers::Decimal);
        self
    }

    /// How strings of biniou are represented.
    #[must_use]
    pub const fn strings(mut self, choice: Strings) -> Self {
        self.strings = choice;
        self
    }

    /// How sum types and unions are represented.
    #[must_use]
    pub const fn sums(mut self, choice: Sums) -> Self {
        self.sums = choice;
        self
    }

    /// How many levels of a recursive type become columns, 2 by default: values below that are encoded bytes.
    #[must_use]
    pub const fn recursion(mut self, times: usize) -> Self {
        self.recursion = times;
        self
    }

    /// Maximum number of rows in a batch, 8,192 by default. Batches of large rows are shorter.
    #[must_use]
    pub const fn batch_rows(mut self, rows: usize) -> Self {
        self.batch_rows = if rows == 0 { 1 } else { rows };
        self
    }

    /// Lowers the maximum number of rows in a batch.
    #[cfg(feature = "datafusion")]
    pub(crate) fn at_most_rows(self, rows: usize) -> Self {
        let rows = self.batch_rows.min(rows);
        self.batch_rows(rows)
    }

    /// A batch ends after this many bytes of the file, 16 MiB by default.
    #[must_use]
    pub const fn batch_bytes(mut self, bytes: usize) -> Self {
        self.batch_bytes = bytes;
        self
    }

    /// A batch also ends at this memory size: nulls of wide columns take memory, but no bytes of the file.
    pub(crate) const fn batch_memory(&self) -> usize {
        self.batch_bytes.saturating_mul(4)
    }

    /// Maximum size of a row, 1 GiB by default: at most this much of a file is in memory. Rows of less than 1 MiB are
    /// always accepted.
    #[must_use]
    pub const fn max_row(mut self, bytes: usize) -> Self {
        self.max_row = bytes;
        self
    }

    /// What happens at a damaged row.
    #[must_use]
    pub const fn damaged(mut self, choice: Damaged) -> Self {
        self.damaged = choice;
        self
    }

    /// Whether tables of Molecule may have more fields than the schema, as written by a later version of the schema.
    #[must_use]
    pub const fn compatible(mut self, yes: bool) -> Self {
        self.compatible = yes;
        self
    }

    /// How SQL writes rows, in `COPY` and `INSERT`: as a list by default. [`Table::write`](crate::Table::write) has a
    /// parameter for it instead.
    #[must_use]
    pub const fn form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }
}

/// The names of an option's values.
type Choices<T, const N: usize = 2> = [(&'static str, T); N];

const WIDE: Choices<WideNumbers, 3> =
    [("text", WideNumbers::Text), ("decimal", WideNumbers::Decimal), ("bytes", WideNumbers::Bytes)];
const STRINGS: Choices<Strings> = [("text", Strings::Text), ("bytes", Strings::Bytes)];
const SUMS: Choices<Sums> = [("struct", Sums::Struct), ("union", Sums::Union)];
const DAMAGED: Choices<Damaged> = [("stop", Damaged::Stop), ("skip", Damaged::Skip)];
const YES: Choices<bool> = [("false", false), ("true", true)];
const FORM: Choices<Form, 4> = [
    ("list", Form::List),
    ("table", Form::Table),
    ("stream", Form::Stream),
    ("values", Form::Values),
];

impl Options {
    /// Sets an option by the names of its method and value, as the options of SQL do.
    ///
    /// ```
    /// use fourfold_tables::{Options, Strings};
    ///
    /// let options = Options::new().choose("strings", "bytes")?.choose("recursion", "3")?;
    /// assert_eq!(options, Options::new().strings(Strings::Bytes).recursion(3));
    /// # Ok::<(), fourfold_tables::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Option`, which lists the possible names.
    pub fn choose(self, name: &str, value: &str) -> Result<Self, Error> {
        Ok(match name {
            "wide_numbers" => self.wide_numbers(chosen(name, value, &WIDE)?),
            "strings" => self.strings(chosen(name, value, &STRINGS)?),
            "sums" => self.sums(chosen(name, value, &SUMS)?),
            "recursion" => self.recursion(number(name, value)?),
            "batch_rows" => self.batch_rows(number(name, value)?),
            "batch_bytes" => self.batch_bytes(number(name, value)?),
            "max_row" => self.max_row(number(name, value)?),
            "damaged" => self.damaged(chosen(name, value, &DAMAGED)?),
            "compatible" => self.compatible(chosen(name, value, &YES)?),
            "form" => self.form(chosen(name, value, &FORM)?),
            _ => {
                let names = self.chosen().map(|(name, _)| format!("`{name}`")).join(", ");
                return Err(Error::Option {
                    name: name.into(),
                    text: format!("is not an option; the options are {names}"),
                });
            }
        })
    }

    /// The current value of each option, by the names of [`choose`](Options::choose).
    #[must_use]
    pub fn chosen(&self) -> [(&'static str, String); 10] {
        [
            ("wide_numbers", name_of(self.wide(), &WIDE)),
            ("strings", name_of(self.strings, &STRINGS)),
            ("sums", name_of(self.sums, &SUMS)),
            ("recursion", self.recursion.to_string()),
            ("batch_rows", self.batch_rows.to_string()),
            ("batch_bytes", self.batch_bytes.to_string()),
            ("max_row", self.max_row.to_string()),
            ("damaged", name_of(self.damaged, &DAMAGED)),
            ("compatible", name_of(self.compatible, &YES)),
            ("form", name_of(self.form, &FORM)),
        ]
    }
}

fn chosen<T: Copy>(name: &str, value: &str, choices: &[(&str, T)]) -> Result<T, Error> {
    let found = choices.iter().find(|(choice, _)| *choice == value);
    found.map(|(_, choice)| *choice).ok_or_else(|| {
        let names: Vec<String> = choices.iter().map(|(choice, _)| format!("`{choice}`")).collect();
        let names = names.join(" or ");
        Error::Option { name: name.into(), text: format!("is {names}, not `{value}`") }
    })
}

fn number(name: &str, value: &str) -> Result<usize, Error> {
    value.parse().map_err(|_| Error::Option {
        name: name.into(),
        text: format!("is a number, not `{value}`"),
    })
}

fn name_of<T: Copy + PartialEq>(value: T, choices: &[(&str, T)]) -> String {
    let named = choices.iter().find(|(_, choice)| *choice == value);
    named.map(|(name, _)| (*name).to_owned()).unwrap_or_default()
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}
