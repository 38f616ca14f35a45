#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![cfg_attr(
    not(all(
        feature = "std",
        feature = "any",
        feature = "biniou",
        feature = "molecule",
        feature = "primitiv",
        feature = "tsm"
    )),
    allow(
        dead_code,
        unreachable_pub,
        unused_imports,
        unused_macros,
        reason = "what one format uses alone is not dead: that is looked for where all are built"
    )
)]
#![cfg_attr(
    not(all(feature = "any", feature = "std")),
    allow(
        rustdoc::broken_intra_doc_links,
        reason = "guides speak of readers and writers, and of all marks"
    )
)]
// Links of the README as modules: of two definitions Markdown takes the first.
#![cfg_attr(
    all(feature = "biniou", feature = "molecule", feature = "primitiv", feature = "tsm"),
    doc = "[`biniou`]: crate::biniou",
    doc = "[`molecule`]: crate::molecule",
    doc = "[`primitiv`]: crate::primitiv",
    doc = "[`tsm`]: crate::tsm",
    doc = "[docs/convert.md]: crate::pages::convert",
    doc = "[docs/json.md]: crate::pages::json",
    doc = "[ARCHITECTURE.md]: https://docs.rs/crate/fourfold/latest/source/ARCHITECTURE.md",
    doc = "[CONTRIBUTING.md]: https://docs.rs/crate/fourfold/latest/source/CONTRIBUTING.md",
    doc = "[SECURITY.md]: https://docs.rs/crate/fourfold/latest/source/SECURITY.md",
    doc = "[docs/build-cost.md]: https://docs.rs/crate/fourfold/latest/source/docs/build-cost.md",
    doc = "[docs/hostile.md]: https://docs.rs/crate/fourfold/latest/source/docs/hostile.md",
    doc = "[docs/lazy-speed.md]: https://docs.rs/crate/fourfold/latest/source/docs/lazy-speed.md",
    doc = "[docs/on-chain.md]: https://docs.rs/crate/fourfold/latest/source/docs/on-chain.md",
    doc = "[docs/memory.md]: https://docs.rs/crate/fourfold/latest/source/docs/memory.md",
    doc = "[docs/onnx.md]: https://docs.rs/crate/fourfold/latest/source/docs/onnx.md",
    doc = "[docs/from-atdgen.md]: crate::pages::from_atdgen",
    doc = "[docs/from-moleculec.md]: crate::pages::from_moleculec",
    doc = "[docs/from-primitiv.md]: crate::pages::from_primitiv",
    doc = "[docs/from-serde_molecule.md]: crate::pages::from_serde_molecule",
    doc = "[docs/from-tennis.md]: crate::pages::from_tennis",
    doc = "[docs/python-speed.md]: https://docs.rs/crate/fourfold/latest/source/docs/python-speed.md",
    doc = "[docs/speed.md]: crate::pages::speed",
    doc = "[docs/types.md]: https://docs.rs/crate/fourfold/latest/source/docs/types.md",
    doc = "[docs/web-bytes.png]: https://docs.rs/crate/fourfold/latest/source/docs/web-bytes.png",
    doc = "[docs/will-my-type-work.md]: crate::pages::will_my_type_work",
    doc = "[docs/wire-biniou.md]: crate::pages::wire_biniou",
    doc = "[docs/wire-molecule.md]: crate::pages::wire_molecule",
    doc = "[docs/wire-primitiv.md]: crate::pages::wire_primitiv",
    doc = "[docs/wire-sta.md]: https://docs.rs/crate/fourfold/latest/source/docs/wire-sta.md",
    doc = "[docs/wire-tsm.md]: crate::pages::wire_tsm",
    doc = "[src/biniou/guide.md]: crate::biniou",
    doc = "[src/molecule/guide.md]: crate::molecule",
    doc = "[src/primitiv/guide.md]: crate::primitiv",
    doc = "[src/tsm/guide.md]: crate::tsm",
    doc = "[中文]: crate::pages::readme_zh",
    doc = "",
    doc = include_str!("explain_svg.md")
)]
#![doc = ""]
#![doc = include_str!("../README.md")]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "any")]
mod any;
#[cfg(any(feature = "biniou", feature = "molecule", feature = "tsm"))]
mod buffer;
#[cfg(all(feature = "std", any(feature = "biniou", feature = "molecule")))]
mod buffered;
mod count;
mod error;
mod failed;
#[cfg(any(feature = "biniou", feature = "molecule", feature = "tsm"))]
mod forecast;
mod glue;
mod hexadecimal;
mod io;
mod limits;
pub mod mark;
#[cfg(all(doc, feature = "biniou", feature = "molecule", feature = "primitiv", feature = "tsm"))]
pub mod pages;
#[cfg(all(feature = "rayon", any(feature = "biniou", feature = "molecule")))]
mod parallel;
mod path;
mod raw;
mod read;
#[cfg(any(feature = "mmap", feature = "primitiv", feature = "tsm"))]
mod tensor;
mod text;

#[cfg(feature = "biniou")]
pub mod biniou;
#[cfg(feature = "molecule")]
pub mod molecule;
#[cfg(feature = "primitiv")]
pub mod primitiv;
#[cfg(feature = "tsm")]
pub mod tsm;

#[doc(hidden)]
pub use crate::error::sealed::Sealed;
pub use crate::error::{Category, CommonKind, Error, Kind};
pub use crate::path::{Path, PathError, Segment};
pub use crate::raw::{Items, Lazy, List, OwnedRaw, Raw, RawFormat};
pub use crate::read::Reader;
#[cfg(any(feature = "primitiv", feature = "tsm"))]
pub use crate::tensor::Memory;
#[cfg(feature = "mmap")]
pub use crate::tensor::replace_file;
