//! Types of elements.

use fourfold::tsm::DType;

macro_rules! data_types {
    ($($name:ident = $number:literal, $text:literal, $bits:literal;)+) => {
        /// A type of elements (`TensorProto.DataType`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum DataType {
            $(
                #[doc = concat!("`", $text, "`, number ", $number, ".")]
                $name = $number,
            )+
        }

        impl DataType {
            /// The type of a number in a model. 0 is none, as are numbers of later versions.
            #[must_use]
            pub const fn of(number: i32) -> Option<Self> {
                match number {
                    $($number => Some(Self::$name),)+
                    _ => None,
                }
            }

            /// The number in a model.
            #[must_use]
            pub const fn number(self) -> i32 {
                match self {
                    $(Self::$name => $number,)+
                }
            }

            /// The name, as ONNX writes it in types: `float`, `int64`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            /// Bits of one element; 0 for strings.
            #[must_use]
            pub const fn bits(self) -> usize {
                match self {
                    $(Self::$name => $bits,)+
                }
            }
        }
    };
}

data_types! {
    Float = 1, "float", 32;
    Uint8 = 2, "uint8", 8;
    Int8 = 3, "int8", 8;
    Uint16 = 4, "uint16", 16;
    Int16 = 5, "int16", 16;
    Int32 = 6, "int32", 32;
    Int64 = 7, "int64", 64;
    String = 8, "string", 0;
    Bool = 9, "bool", 8;
    Float16 = 10, "float16", 16;
    Double = 11, "double", 64;
    Uint32 = 12, "uint32", 32;
    Uint64 = 13, "uint64", 64;
    Complex64 = 14, "complex64", 64;
    Complex128 = 15, "complex128", 128;
    Bfloat16 = 16, "bfloat16", 16;
    Float8E4m3fn = 17, "float8e4m3fn", 8;
    Float8E4m3fnuz = 18, "float8e4m3fnuz", 8;
    Float8E5m2 = 19, "float8e5m2", 8;
    Float8E5m2fnuz = 20, "float8e5m2fnuz", 8;
    Uint4 = 21, "uint4", 4;
    Int4 = 22, "int4", 4;
    Float4E2m1 = 23, "float4e2m1", 4;
    Float8E8m0 = 24, "float8e8m0", 8;
    Uint2 = 25, "uint2", 2;
    Int2 = 26, "int2", 2;
    Float6E2m3 = 27, "float6e2m3", 6;
    Float6E3m2 = 28, "float6e3m2", 6;
}

/// The types that both ONNX and TenniS have.
const SHARED: [(DataType, DType); 14] = [
    (DataType::Float, DType::Float32),
    (DataType::Double, DType::Float64),
    (DataType::Float16, DType::Float16),
    (DataType::Int8, DType::Int8),
    (DataType::Int16, DType::Int16),
    (DataType::Int32, DType::Int32),
    (DataType::Int64, DType::Int64),
    (DataType::Uint8, DType::UInt8),
    (DataType::Uint16, DType::UInt16),
    (DataType::Uint32, DType::UInt32),
    (DataType::Uint64, DType::UInt64),
    (DataType::Bool, DType::Boolean),
    (DataType::Complex64, DType::Complex64),
    (DataType::Complex128, DType::Complex128),
];

impl DataType {
    /// The type that ONNX has for one of TenniS.
    pub(crate) fn of_tennis(dtype: DType) -> Option<Self> {
        SHARED.iter().find(|(_, tennis)| *tennis == dtype).map(|(onnx, _)| *onnx)
    }

    /// The type that TenniS has for this one.
    pub(crate) fn to_tennis(self) -> Option<DType> {
        SHARED.iter().find(|(onnx, _)| *onnx == self).map(|(_, tennis)| *tennis)
    }
}
