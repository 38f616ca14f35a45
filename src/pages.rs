//! The documentation chapters of this crate: what other implementations write is written how, the bytes
//! of each format, the types that work, and the subcommands. This module is only text, exists only in the
//! documentation, and is no part of the API.
//!
//! The chapters link to each other as files. The links are defined once more at the start, as
//! modules: of two definitions, Markdown takes the first.

#[doc = include_str!("../docs/benchmarks.md")]
pub mod benchmarks {}
#[doc = include_str!("../docs/convert.md")]
pub mod convert {}
#[doc = "[wire-biniou.md]: crate::pages::wire_biniou"]
#[doc = ""]
#[doc = include_str!("../docs/from-atdgen.md")]
pub mod from_atdgen {}
#[doc = "[wire-molecule.md]: crate::pages::wire_molecule"]
#[doc = "[on-chain.md]: https://docs.rs/crate/fourfold/latest/source/docs/on-chain.md"]
#[doc = ""]
#[doc = include_str!("../docs/from-moleculec.md")]
pub mod from_moleculec {}
#[doc = "[wire-primitiv.md]: crate::pages::wire_primitiv"]
#[doc = ""]
#[doc = include_str!("../docs/from-primitiv.md")]
pub mod from_primitiv {}
#[doc = "[wire-molecule.md]: crate::pages::wire_molecule"]
#[doc = ""]
#[doc = include_str!("../docs/from-serde_molecule.md")]
pub mod from_serde_molecule {}
#[doc = "[wire-tsm.md]: crate::pages::wire_tsm"]
#[doc = ""]
#[doc = include_str!("../docs/from-tennis.md")]
pub mod from_tennis {}
#[doc = include_str!("../docs/json.md")]
pub mod json {}
#[doc = "[ARCHITECTURE.md]: https://docs.rs/crate/fourfold/latest/source/ARCHITECTURE.md"]
#[doc = "[CONTRIBUTING.md]: https://docs.rs/crate/fourfold/latest/source/CONTRIBUTING.md"]
#[doc = "[SECURITY.md]: https://docs.rs/crate/fourfold/latest/source/SECURITY.md"]
#[doc = "[docs/convert.md]: crate::pages::convert"]
#[doc = "[docs/hostile.md]: https://docs.rs/crate/fourfold/latest/source/docs/hostile.md"]
#[doc = "[docs/lazy-speed.md]: https://docs.rs/crate/fourfold/latest/source/docs/lazy-speed.md"]
#[doc = "[docs/on-chain.md]: https://docs.rs/crate/fourfold/latest/source/docs/on-chain.md"]
#[doc = "[docs/memory.md]: https://docs.rs/crate/fourfold/latest/source/docs/memory.md"]
#[doc = "[docs/onnx.md]: https://docs.rs/crate/fourfold/latest/source/docs/onnx.md"]
#[doc = "[docs/json.md]: crate::pages::json"]
#[doc = "[docs/from-atdgen.md]: crate::pages::from_atdgen"]
#[doc = "[docs/from-moleculec.md]: crate::pages::from_moleculec"]
#[doc = "[docs/from-primitiv.md]: crate::pages::from_primitiv"]
#[doc = "[docs/from-serde_molecule.md]: crate::pages::from_serde_molecule"]
#[doc = "[docs/from-tennis.md]: crate::pages::from_tennis"]
#[doc = "[docs/wire-biniou.md]: crate::pages::wire_biniou"]
#[doc = "[docs/wire-molecule.md]: crate::pages::wire_molecule"]
#[doc = "[docs/wire-primitiv.md]: crate::pages::wire_primitiv"]
#[doc = "[docs/speed.md]: crate::pages::speed"]
#[doc = "[docs/types.md]: https://docs.rs/crate/fourfold/latest/source/docs/types.md"]
#[doc = "[docs/will-my-type-work.md]: crate::pages::will_my_type_work"]
#[doc = "[docs/wire-sta.md]: https://docs.rs/crate/fourfold/latest/source/docs/wire-sta.md"]
#[doc = "[docs/wire-tsm.md]: crate::pages::wire_tsm"]
#[doc = "[src/biniou/guide.md]: crate::biniou"]
#[doc = "[src/molecule/guide.md]: crate::molecule"]
#[doc = "[src/primitiv/guide.md]: crate::primitiv"]
#[doc = "[src/tsm/guide.md]: crate::tsm"]
#[doc = "[English]: crate"]
#[doc = ""]
#[doc = include_str!("explain_svg.md")]
#[doc = ""]
#[doc = include_str!("../README.zh.md")]
pub mod readme_zh {}
#[doc = "[benchmarks.md]: crate::pages::benchmarks"]
#[doc = "[benchmarks-plain.md]: https://docs.rs/crate/fourfold/latest/source/docs/benchmarks-plain.md"]
#[doc = "[build-cost.md]: https://docs.rs/crate/fourfold/latest/source/docs/build-cost.md"]
#[doc = "[memory.md]: https://docs.rs/crate/fourfold/latest/source/docs/memory.md"]
#[doc = "[schema-speed.md]: https://docs.rs/crate/fourfold/latest/source/docs/schema-speed.md"]
#[doc = ""]
#[doc = include_str!("../docs/speed.md")]
pub mod speed {}
#[doc = "[types.md]: https://docs.rs/crate/fourfold/latest/source/docs/types.md"]
#[doc = ""]
#[doc = include_str!("../docs/will-my-type-work.md")]
pub mod will_my_type_work {}
#[doc = include_str!("../docs/wire-biniou.md")]
pub mod wire_biniou {}
#[doc = include_str!("../docs/wire-molecule.md")]
pub mod wire_molecule {}
#[doc = include_str!("../docs/wire-primitiv.md")]
pub mod wire_primitiv {}
#[doc = include_str!("../docs/wire-tsm.md")]
pub mod wire_tsm {}
