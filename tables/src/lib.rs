//! Files of biniou records and of Molecule tables as Arrow record batches.
//!
//! A schema describes the rows of a file: a `.atd` file of biniou, a `.mol` file of Molecule, or a Rust type. A
//! [`Reader`] decodes the file's bytes directly into the columns of record batches; a [`Writer`] encodes batches as
//! the same bytes.
//!
//! ```
//! use fourfold_tables::{Schema, Table};
//!
//! let schema = Schema::biniou("type entry = { host : string; bytes : int; ?user : string option }")?;
//! let table = Table::new(&schema, "entry")?;
//! assert_eq!(table.schema().field(1).to_string(), r#"Field { "bytes": Int64 }"#);
//!
//! #[derive(serde::Serialize)]
//! struct Entry { host: &'static str, bytes: i64 }
//! let log = fourfold::biniou::to_vec(&vec![Entry { host: "a", bytes: 1 }, Entry { host: "b", bytes: 2 }])?;
//!
//! let mut batches = table.read(&*log);
//! let batch = batches.next().unwrap()?;
//! assert_eq!((batch.num_rows(), batch.num_columns()), (2, 3));
//! assert_eq!(batch.column(2).null_count(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![doc = include_str!("types.md")]

mod column;
#[cfg(feature = "datafusion")]
pub mod datafusion;
mod error;
mod explode;
mod options;
mod part;
mod reader;
mod rows;
mod schema;
mod source;
mod table;
mod writer;

pub use self::error::{Damage, Error, Result};
pub use self::explode::Exploded;
pub use self::options::{Damaged, Options, Strings, Sums, WideNumbers};
pub use self::reader::Reader;
pub use self::schema::Schema;
pub use self::table::{Table, arrow_schema};
pub use self::writer::{Form, Writer};
// The trait that `Reader` implements.
pub use arrow_array::RecordBatchReader;
