//! What the operators of TenniS take and compute.
#![doc = include_str!("../README.md")]

mod cost;
mod error;
mod input;
mod kinds;
mod memory;
mod operator;
mod order;
mod output;
mod params;
mod rules;
mod shapes;
mod value;
mod values;

pub use self::error::{Error, ErrorKind};
pub use self::input::{Input, InputError};
pub use self::kinds::{
    AutoPad, Direction, Format, PadType, PaddingMethod, PoolType, ResizeType, WinogradMode,
};
pub use self::operator::Operator;
pub use self::output::{Output, Size};
pub use self::rules::detection::prior_ratios;
pub use self::rules::elementwise::upcast;
pub use self::shapes::{NodeShapes, Shapes};
