//! Schemas of Molecule: `.mol` files and their types.
//!
//! The language is the one that `moleculec` compiles. What that refuses is refused here, with the line and
//! column; besides, ids of unions have to fit the 32 bits that they are written in.
//!
//! ```
//! use fourfold_schema::mol::{Schema, Shape};
//!
//! let schema = Schema::parse("
//!     array Uint32 [byte; 4];
//!     vector Bytes <byte>;
//!     table Entry { id: Uint32, /* without spaces */ name: Bytes, }
//! ")?;
//! let entry = schema.get("Entry").unwrap();
//! let Shape::Table(fields) = entry.shape() else { panic!() };
//! let names: Vec<&str> = fields.iter().map(|field| field.name()).collect();
//! assert_eq!(names, ["id", "name"]);
//! assert_eq!(fields.get(0).unwrap().ty().size(), Some(4));
//!
//! let error = Schema::parse("table Entry { id: Uint32 }").unwrap_err();
//! assert_eq!(error.to_string(), "expected `,` after each field and item, found `}` at line 1, column 26");
//! # Ok::<(), fourfold_schema::mol::Error>(())
//! ```

mod check;
mod comment;
mod compare;
mod declare;
mod error;
mod fix;
mod form;
mod format;
mod habit;
mod make;
mod name;
mod note;
mod number;
mod of;
mod order;
mod parse;
mod path;
mod print;
mod rows;
mod rust;
mod shape;
mod source;
mod value;
mod values;
mod verify;

pub use self::check::check;
use self::declare::Source;
pub use self::error::ErrorKind;
pub use self::format::format;
pub use self::make::ListMaker;
pub use self::name::schema_of;
pub use self::number::{Number, NumberType};
pub use self::path::path_of;
pub use self::rows::Rows;
pub use self::shape::{Field, Fields, Item, Items, Shape, Type};
pub use self::value::{List, Parts, Record, Value};
pub use self::values::Values;
pub use crate::common::{
    Change, Changes, CommonKind, Location, Mismatch, Mismatches, Outcome, RustBytes, RustOptions,
    Verdict,
};
use crate::common::{Types, shortened};

/// What is wrong with a schema, and where.
pub type Error = crate::common::Error<ErrorKind>;

/// A result of this module.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// The types that a `.mol` file declares, and those it imports.
///
/// The outermost file's types come first, then those of imports; in each the order is that of the text.
#[derive(Clone, Debug)]
pub struct Schema {
    types: Types<shape::Layout>,
}

impl Schema {
    /// Reads a schema that imports nothing.
    ///
    /// # Errors
    ///
    /// Whatever `moleculec` refuses, with the line and column; `Import` where there is an import, since only
    /// [`from_file`](Schema::from_file) finds them.
    pub fn parse(text: &str) -> Result<Self> {
        let source = Source::new(None, text)?;
        let import = source.imports().next();
        match import {
            Some(import) => Err(source.error(ErrorKind::Import, import)),
            None => declare::declare(&[source]),
        }
    }

    /// Reads a schema from a file, and the files that it imports, by paths relative to it.
    ///
    /// A file that is imported twice is read once. Files may import each other, but nothing may import the
    /// outermost one. Each file may have 1 GiB.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Schema::parse), `Unreadable` for a file, `Cycle` for an import of the outermost file.
    pub fn from_file(path: impl AsRef<std::path::Path>) -> Result<Self> {
        source::read(path.as_ref(), crate::common::Within::Anywhere)
    }

    /// Reads a schema as [`from_file`](Schema::from_file) does, but no file outside of `folder`, by whatever names
    /// and links imports lead there.
    ///
    /// # Errors
    ///
    /// Those of [`from_file`](Schema::from_file), and `Outside`.
    pub fn from_file_within(
        path: impl AsRef<std::path::Path>,
        folder: impl AsRef<std::path::Path>,
    ) -> Result<Self> {
        source::read(path.as_ref(), crate::common::Within::Folder(folder.as_ref()))
    }

    /// Takes the values of an array of bytes for numbers, as a comment `fourfold: number` of its declaration does, or
    /// `fourfold: signed number`.
    ///
    /// ```
    /// use fourfold_schema::mol::Schema;
    ///
    /// let schema = Schema::parse("array Capacity [byte; 8];")?.with_number("Capacity", false)?;
    /// let value = schema.to_value(&[0, 1, 0, 0, 0, 0, 0, 0], "Capacity")?;
    /// assert_eq!(serde_json::to_string(&value)?, "256");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The text that [`Display`](core::fmt::Display) writes does not have it: for that, write the comment in the schema.
    ///
    /// # Errors
    ///
    /// `NoNumber` if the schema has no array of 1 to 32 bytes of that name.
    pub fn with_number(mut self, name: &str, is_signed: bool) -> Result<Self> {
        let refused = || Error::placeless(ErrorKind::NoNumber { name: shortened(name) });
        let ty = self.get(name).ok_or_else(refused)?;
        let size = match ty.shape() {
            Shape::Array(item, size) if item.is_byte() => size,
            _ => return Err(refused()),
        };
        let number = NumberType::new(size, is_signed).ok_or_else(refused)?;
        let id = ty.id();
        self.types.get_mut(id).shape.number = Some(number);
        Ok(self)
    }

    /// The type of that name: `byte`, or one that is declared.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Type<'_>> {
        Some(Type::new(self, self.types.id(name)?))
    }

    /// All types that are declared.
    pub fn types(&self) -> impl ExactSizeIterator<Item = Type<'_>> {
        self.types.declared().map(|id| Type::new(self, id))
    }
}
