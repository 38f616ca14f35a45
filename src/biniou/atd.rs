//! Schemas of biniou: `.atd` files, and what they say of types.
//!
//! The language is the one that `atdgen -b` of version 2.10 takes. What that refuses is refused here, with the
//! line and column: imports, too, which later versions have. Besides, types may nest 256 levels deep, and types
//! with parameters have to come to an end.
//!
//! ```
//! use fourfold::biniou::atd::{Presence, Schema, Shape};
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
//! # Ok::<(), fourfold::biniou::atd::Error>(())
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

#[cfg(feature = "schema")]
mod annotation;
#[cfg(feature = "schema")]
mod check;
#[cfg(feature = "schema")]
mod columns;
#[cfg(feature = "schema")]
mod compare;
#[cfg(feature = "schema")]
mod declare;
#[cfg(feature = "schema")]
mod differ;
mod error;
#[cfg(feature = "schema")]
mod form;
#[cfg(feature = "schema")]
mod format;
mod lexer;
#[cfg(feature = "schema")]
mod make;
#[cfg(feature = "schema")]
mod name;
#[cfg(feature = "schema")]
mod node;
#[cfg(feature = "schema")]
mod number;
#[cfg(feature = "schema")]
mod of;
mod parse;
#[cfg(feature = "schema")]
mod print;
#[cfg(feature = "schema")]
mod rows;
#[cfg(feature = "schema")]
mod rules;
#[cfg(feature = "schema")]
mod rust;
#[cfg(feature = "schema")]
mod schema;
#[cfg(feature = "schema")]
mod shape;
#[cfg(feature = "schema")]
mod source;
#[cfg(feature = "schema")]
mod value;
#[cfg(feature = "schema")]
mod values;
#[cfg(feature = "schema")]
mod verify;

use alloc::boxed::Box;

#[cfg(feature = "schema")]
pub use self::differ::check;
pub use self::error::ErrorKind;
#[cfg(feature = "schema")]
pub use self::form::{Entries, Form};
#[cfg(feature = "schema")]
pub use self::format::format;
#[cfg(feature = "schema")]
pub use self::make::ListMaker;
#[cfg(feature = "schema")]
pub use self::name::schema_of;
pub(super) use self::parse::parse;
#[cfg(feature = "schema")]
pub use self::rows::Rows;
#[cfg(feature = "schema")]
pub use self::schema::{Error, Result, Schema};
#[cfg(feature = "schema")]
pub use self::shape::{
    Cell, Cells, Field, Fields, Float, Int, Presence, Shape, Type, Variant, Variants,
};
#[cfg(feature = "schema")]
pub use self::value::{List, Parts, Record, Value};
#[cfg(feature = "schema")]
pub use self::values::Values;
use crate::schema::Mark;
#[cfg(feature = "schema")]
pub use crate::schema::{Change, Changes, Fault, Location, Mismatch, Mismatches, Outcome, Verdict};

/// How deep types may nest: none that people write come near.
const MAX_DEPTH: usize = 256;

/// What is wrong, and where in the text. Boxed, since types are read inside of each other.
type Wrong = Box<(ErrorKind, Mark)>;

type Step<T> = core::result::Result<T, Wrong>;

#[cold]
fn wrong_at(kind: impl Into<ErrorKind>, mark: Mark) -> Wrong {
    Box::new((kind.into(), mark))
}
