//! Routes: where the part that a path of names leads to is in the bytes, for [`at`](crate::molecule::at()).
//!
//! Molecule's bytes have no names, so a type or a schema has to show how to step into each part. `fourfold-schema` makes
//! routes (`mol::path_of`, `mol::Schema::path`); this module is for code that has another description of the types.
//!
//! ```
//! use core::num::NonZeroUsize;
//! use fourfold::molecule::route::{Route, Step, Stop, Walk};
//! use fourfold::molecule::{Options, at, to_vec};
//! use fourfold::Path;
//!
//! // table Entry { id: Uint16, name: Bytes }
//! let bytes = to_vec(&(7u16, "molecule"))?;
//! let name = Step::Field { index: 1, count: NonZeroUsize::new(2) };
//! let stops = vec![Stop { step: name, segments: 0, next: 1 }];
//! let path = Path::new("name").unwrap().with_route(Route { stops, choices: Vec::new() })?;
//! assert_eq!(at::<&str>(&bytes, &path)?, "molecule");
//!
//! // Step by step, with the bytes of the part.
//! let options = Options::new();
//! let mut walk = Walk::new(&options, &bytes);
//! walk.step(name)?;
//! assert_eq!((walk.offset(), walk.part().len()), (14, 12));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use super::at::Walk;
pub use crate::path::{Choice, NOWHERE, Route, Step, Stop};
