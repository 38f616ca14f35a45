//! Schemas of biniou: `.atd` files and their types.
//!
//! The language is the one that `atdgen -b` of version 2.10 takes. What that refuses is refused here, with the
//! line and column: imports, too, which later versions have. Besides, types may nest 256 levels deep, and types
//! with parameters have to come to an end.
//!
//! ```
//! use fourfold_schema::atd::{Presence, Schema, Shape};
//!
//! let schema = Schema::parse(r#"
//!     type 'a page = { items : 'a list; total : int <biniou repr="uvint"> }
//!     type shape = [ Circle of float | Empty <json name="empty"> ]
//!     type drawing = { inherit shape page; ?title : string option }
//! "#)?;
//! let drawing = schema.get("drawing").unwrap();
//! let Shape::Record(fields) = drawing.shape() else { panic!() };
//! let names: Vec<&str> = fields.iter().map(|field| field.name()).collect();
//! assert_eq!(names, ["items", "total", "title"]);
//! assert_eq!(format!("{:?}", fields.get(0).unwrap().ty()), "shape list");
//! assert_eq!(fields.get(2).unwrap().presence(), &Presence::Optional);
//!
//! let error = Schema::parse("type t = { x : itn }").unwrap_err();
//! assert_eq!(error.to_string(), "there is no type `itn` at line 1, column 16");
//! # Ok::<(), fourfold_schema::atd::Error>(())
//! ```
//!
//! [`Schema::to_value`] checks bytes and gives a [`Value`], which serde formats such as JSON can write;
//! [`Schema::make`] makes bytes from that. The JSON is that of `atdgen -j -j-std`, but for these:
//!
//! - A `~field` that is in the bytes is shown, whatever its value, so that it is there again when bytes are made.
//!   Nor are cells of a tuple shown that are not there.
//! - All digits of a float are there: `<json precision=..>` and `<json repr="int">` do not count. `serde_json` reads
//!   all of them with its feature `float_roundtrip`.
//! - A string that is not UTF-8 is a list of its bytes.
//! - What OCaml functions do, in `<ocaml wrap=..>` and `<json adapter.ocaml=..>`, is not done.
//! - A NaN or infinity, and null inside of a nullable, have no JSON: they are refused by serde's `Serialize`. [`Form`]
//!   has the former as floats.

mod annotation;
mod check;
mod columns;
mod compare;
mod declare;
mod dictionary;
mod differ;
mod error;
mod form;
mod format;
mod lexer;
mod make;
mod name;
mod node;
mod number;
mod of;
mod parse;
mod rows;
mod rules;
mod rust;
mod schema;
mod shape;
mod source;
mod value;
mod values;
mod verify;

pub use self::dictionary::{names, names_of};
pub use self::differ::check;
pub use self::error::ErrorKind;
pub use self::form::{Entries, Form};
pub use self::format::format;
pub use self::make::ListMaker;
pub use self::name::schema_of;
pub use self::rows::Rows;
pub use self::schema::{Error, Result, Schema};
pub use self::shape::{
    Cell, Cells, Field, Fields, Float, Int, Presence, Shape, Type, Variant, Variants,
};
pub use self::value::{List, Parts, Record, Value};
pub use self::values::Values;
use crate::common::Mark;
pub use crate::common::{
    Change, Changes, CommonKind, Location, Mismatch, Mismatches, Outcome, Verdict,
};

/// How deep types may nest: none that people write come near.
const MAX_DEPTH: usize = 256;

/// What is wrong, and where in the text. Boxed, since types are read inside of each other.
type Wrong = Box<(ErrorKind, Mark)>;

type Step<T> = core::result::Result<T, Wrong>;

#[cold]
fn wrong_at(kind: impl Into<ErrorKind>, mark: Mark) -> Wrong {
    Box::new((kind.into(), mark))
}

/// Refuses a type that is not what the type around it needs.
#[cold]
fn unfit<T>(what: &'static str, mark: Mark) -> Step<T> {
    Err(wrong_at(ErrorKind::Unfit(what), mark))
}
