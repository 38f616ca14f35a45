//! The type of a tensor's elements: its code, name and size.

use core::fmt;

use serde_core::de::{self, Deserialize, Deserializer};
use serde_core::ser::{Serialize, Serializer};

use super::{Error, ErrorKind};

/// One variant a line: name, code, bytes of an element, the name in text, what it is.
macro_rules! dtypes {
    ($($variant:ident = $code:literal, $size:literal, $name:literal, $doc:literal;)*) => {
        /// What a tensor's elements are.
        ///
        /// On the wire a byte, the code. TenniS 1.3.0 supports these 33; its specification ends at 24
        /// and has 6 bytes for `FLOAT64`, where every implementation has 8.
        ///
        /// ```
        /// use fourfold::tsm::DType;
        ///
        /// assert_eq!(DType::Float32.code(), 10);
        /// assert_eq!(DType::Float32.size(), 4);
        /// assert_eq!(DType::Float32.to_string(), "float32");
        /// assert_eq!(DType::from_code(33), None);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum DType {
            $(#[doc = $doc] $variant = $code,)*
        }

        impl DType {
            /// All of them, in the order of their codes.
            pub const ALL: &'static [DType] = &[$(DType::$variant,)*];

            /// How many bytes an element takes.
            #[must_use]
            pub const fn size(self) -> usize {
                match self { $(DType::$variant => $size,)* }
            }

            /// The name that NumPy and ONNX have for it, as `float32`; types that they do not have are called as in
            /// TenniS, in small letters, as `sink8q0`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(DType::$variant => $name,)* }
            }

            /// The type with that code, if there is one.
            #[must_use]
            pub const fn from_code(code: u8) -> Option<Self> {
                match code { $($code => Some(DType::$variant),)* _ => None }
            }
        }
    };
}

dtypes! {
    Void = 0, 0, "void", "Nothing: no bytes, whatever the shape.";
    Int8 = 1, 1, "int8", "A signed byte.";
    UInt8 = 2, 1, "uint8", "An unsigned byte.";
    Int16 = 3, 2, "int16", "A signed integer of 16 bits.";
    UInt16 = 4, 2, "uint16", "An unsigned integer of 16 bits.";
    Int32 = 5, 4, "int32", "A signed integer of 32 bits.";
    UInt32 = 6, 4, "uint32", "An unsigned integer of 32 bits.";
    Int64 = 7, 8, "int64", "A signed integer of 64 bits.";
    UInt64 = 8, 8, "uint64", "An unsigned integer of 64 bits.";
    Float16 = 9, 2, "float16", "A float of 16 bits (feature `half` for its values).";
    Float32 = 10, 4, "float32", "A float of 32 bits.";
    Float64 = 11, 8, "float64", "A float of 64 bits.";
    Ptr = 12, 8, "ptr", "A pointer: 8 bytes here, 4 in files of a 32-bit TenniS.";
    Char8 = 13, 1, "char8", "A byte of text, as a rule of UTF-8.";
    Char16 = 14, 2, "char16", "A code unit of UTF-16.";
    Char32 = 15, 4, "char32", "A code point.";
    Unknown8 = 16, 1, "unknown8", "1 byte that TenniS does not interpret.";
    Unknown16 = 17, 2, "unknown16", "2 bytes that TenniS does not interpret.";
    Unknown32 = 18, 4, "unknown32", "4 bytes that TenniS does not interpret.";
    Unknown64 = 19, 8, "unknown64", "8 bytes that TenniS does not interpret.";
    Unknown128 = 20, 16, "unknown128", "16 bytes that TenniS does not interpret.";
    Boolean = 21, 1, "bool", "A byte of 0 or 1.";
    Complex32 = 22, 4, "complex32", "Two floats of 16 bits.";
    Complex64 = 23, 8, "complex64", "Two floats of 32 bits.";
    Complex128 = 24, 16, "complex128", "Two floats of 64 bits.";
    Sink8Q0 = 25, 1, "sink8q0", "A fixed-point number of 8 bits.";
    Sink8Q1 = 26, 1, "sink8q1", "A fixed-point number of 8 bits, 1 of them after the point.";
    Sink8Q2 = 27, 1, "sink8q2", "A fixed-point number of 8 bits, 2 of them after the point.";
    Sink8Q3 = 28, 1, "sink8q3", "A fixed-point number of 8 bits, 3 of them after the point.";
    Sink8Q4 = 29, 1, "sink8q4", "A fixed-point number of 8 bits, 4 of them after the point.";
    Sink8Q5 = 30, 1, "sink8q5", "A fixed-point number of 8 bits, 5 of them after the point.";
    Sink8Q6 = 31, 1, "sink8q6", "A fixed-point number of 8 bits, 6 of them after the point.";
    Sink8Q7 = 32, 1, "sink8q7", "A fixed-point number of 8 bits, 7 of them after the point.";
}

impl DType {
    /// Its byte in a file.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }
}

impl Default for DType {
    /// [`Void`](DType::Void), as in TenniS.
    fn default() -> Self {
        DType::Void
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl From<DType> for u8 {
    fn from(dtype: DType) -> u8 {
        dtype.code()
    }
}

impl TryFrom<u8> for DType {
    type Error = Error;

    /// # Errors
    ///
    /// `DType` if there is none with that code.
    fn try_from(code: u8) -> Result<Self, Error> {
        DType::from_code(code).ok_or_else(|| Error::placeless(ErrorKind::DType { code }))
    }
}

impl Serialize for DType {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.code())
    }
}

impl<'de> Deserialize<'de> for DType {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = u8::deserialize(deserializer)?;
        DType::from_code(code).ok_or_else(|| de::Error::custom(ErrorKind::DType { code }))
    }
}
