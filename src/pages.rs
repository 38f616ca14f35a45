//! The pages of `docs/` for those who come from elsewhere, and the README in Chinese: their examples
//! are tested as the crate's own are, and are no part of its documentation.

#[doc = include_str!("../docs/from-atdgen.md")]
mod from_atdgen {}
#[doc = include_str!("../docs/from-moleculec.md")]
mod from_moleculec {}
#[doc = include_str!("../docs/from-primitiv.md")]
mod from_primitiv {}
#[doc = include_str!("../docs/from-serde_molecule.md")]
mod from_serde_molecule {}
#[doc = include_str!("../docs/from-tennis.md")]
mod from_tennis {}
#[doc = include_str!("../README.zh.md")]
mod readme_zh {}
