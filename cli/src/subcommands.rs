//! The subcommands: one file each, with arguments and code. Shared code is in the modules of `src/`.
//! A new one for a single file works like `diff`, one for several files like `info`.

pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod detect;
pub(crate) mod diff;
pub(crate) mod dump;
pub(crate) mod explain;
pub(crate) mod graph;
pub(crate) mod info;
pub(crate) mod make;
pub(crate) mod manual;
pub(crate) mod schema;
#[cfg(feature = "sql")]
pub(crate) mod sql;
pub(crate) mod verify;
