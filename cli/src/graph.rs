//! The picture of a module's graph: what is in it, and how it is drawn. Where its boxes go,
//! [`crate::layout`] says.

mod attributes;
pub(crate) mod dot;
pub(crate) mod near;
pub(crate) mod picture;
#[cfg(feature = "png")]
pub(crate) mod png;
#[cfg(not(feature = "png"))]
#[path = "graph/without_png.rs"]
pub(crate) mod png;
pub(crate) mod svg;
mod text;
