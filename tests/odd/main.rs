//! Documents of random schemas, of all that a type may legally ask of serde: whichever way they are
//! read and written, it comes to the same.
//!
//! A failure tells its seed: `FOURFOLD_ODD_SEED=1234 FOURFOLD_ODD=1 cargo test --test odd` tries that
//! one alone, and a larger `FOURFOLD_ODD` tries more than the default.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod dice;
mod digest;
mod draw;
mod format;
mod known;
mod marks;
mod parts;
mod properties;
mod read;
mod report;
mod schema;
mod target;
mod write;

/// A test of each property for each of its formats.
macro_rules! tests {
    ($($property:ident: $($test:ident $format:ident)*;)*) => {$(
        mod $property {
            $(
                #[test]
                fn $test() {
                    crate::properties::$property::<crate::format::$format>();
                }
            )*
        }
    )*};
}

tests! {
    reads_alike: biniou Biniou molecule Molecule primitiv Primitiv tsm Tsm;
    writes_alike: biniou Biniou molecule Molecule primitiv Primitiv tsm Tsm;
    reads_two_alike: biniou Biniou primitiv Primitiv tsm Tsm;
}
