#![doc = include_str!("../README.md")]

#[cfg(feature = "notation")]
pub mod notation;
