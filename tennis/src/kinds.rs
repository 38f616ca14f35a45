//! Params that are one of a few names or codes.

use fourfold::tsm::{Result, Tensor};

use crate::value::{Value, text, write_text};

/// Params that are names: what each is called in the file.
macro_rules! names {
    ($($(#[$doc:meta])* $name:ident, $expected:literal {
        $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)*
    })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl Value for $name {
            const EXPECTED: &'static str = $expected;

            fn read(tensor: &Tensor<'_>) -> Option<Self> {
                match text(tensor)? {
                    $($text => Some($name::$variant),)*
                    _ => None,
                }
            }

            fn write(&self) -> Result<Tensor<'static>> {
                write_text(match self { $($name::$variant => $text,)* })
            }
        }
    )*};
}

/// Params that are codes.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident, $expected:literal {
        $($(#[$variant_doc:meta])* $variant:ident = $code:literal,)*
    })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant = $code,)*
        }

        impl Value for $name {
            const EXPECTED: &'static str = $expected;

            fn read(tensor: &Tensor<'_>) -> Option<Self> {
                match i32::read(tensor)? {
                    $($code => Some($name::$variant),)*
                    _ => None,
                }
            }

            fn write(&self) -> Result<Tensor<'static>> {
                (*self as i32).write()
            }
        }
    )*};
}

names! {
    /// The order of the dims of images.
    Format, "NCHW or NHWC" {
        /// Batch, channels, height, width.
        Nchw = "NCHW",
        /// Batch, height, width, channels.
        Nhwc = "NHWC",
    }
    /// How the padding of a window is computed.
    AutoPad, "NOTSET, VALID, SAME, SAME_LOWER or SAME_UPPER" {
        /// As the param `padding` has it.
        NotSet = "NOTSET",
        /// As the param `padding` has it, without a part of a window at the end.
        Valid = "VALID",
        /// `SAME_LOWER`, in operators of Dragon only.
        Same = "SAME",
        /// As many outputs as inputs divided by the stride.
        SameLower = "SAME_LOWER",
        /// As many outputs as inputs divided by the stride.
        SameUpper = "SAME_UPPER",
    }
    /// How TensorFlow computes the padding of a window.
    PaddingMethod, "SAME or VALID" {
        /// As many outputs as inputs divided by the stride.
        Same = "SAME",
        /// As the param `padding` has it.
        Valid = "VALID",
    }
    /// The tiles of Winograd's algorithm.
    WinogradMode, "winograd_f23 or winograd_f63" {
        /// Tiles of 2 by 2 outputs, from 4 by 4 inputs.
        F23 = "winograd_f23",
        /// Tiles of 6 by 6 outputs, from 8 by 8 inputs.
        F63 = "winograd_f63",
    }
}

codes! {
    /// What a pooling operator does with a window.
    PoolType, "0 (max) or 1 (average)" {
        /// The largest value.
        Max = 0,
        /// The mean.
        Avg = 1,
    }
    /// What the padding of a pooling operator is.
    PadType, "0 (black), 1 (copy), 2 (loop) or 3 (white)" {
        /// No value: an average is of the values in the window.
        Black = 0,
        /// The value at the edge.
        Copy = 1,
        /// The values at the other edge.
        Loop = 2,
        /// 0: an average is divided by the size of the window.
        White = 3,
    }
    /// How an image is resampled.
    ResizeType, "0 (linear), 1 (cubic), 2 (nearest) or 3 (hard)" {
        /// Linear interpolation of pixel centers.
        Linear = 0,
        /// Cubic interpolation of pixel centers.
        Cubic = 1,
        /// The nearest pixel.
        Nearest = 2,
        /// The pixel at the coordinate divided by the scale, without its fraction.
        Hard = 3,
    }
}

/// The direction of an LSTM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the first step to the last. TenniS takes every other text for this, also `reverse`.
    Forward,
    /// Both ways.
    Bidirectional,
}

impl Value for Direction {
    const EXPECTED: &'static str = "forward or bidirectional";

    fn read(tensor: &Tensor<'_>) -> Option<Self> {
        text(tensor).map(|text| match text {
            "bidirectional" => Direction::Bidirectional,
            _ => Direction::Forward,
        })
    }

    fn write(&self) -> Result<Tensor<'static>> {
        write_text(match self {
            Direction::Forward => "forward",
            Direction::Bidirectional => "bidirectional",
        })
    }
}
