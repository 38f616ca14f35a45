//! What the operators of TenniS take and compute.
#![doc = include_str!("../README.md")]

mod error;
mod kinds;
mod operator;
mod params;
mod value;

pub use self::error::{Error, ErrorKind};
pub use self::kinds::{
    AutoPad, Direction, Format, PadType, PaddingMethod, PoolType, ResizeType, WinogradMode,
};
pub use self::operator::Operator;
