//! The built-in types: their names, sizes and bytes.

use std::fmt;

use super::{ErrorKind, Tree};

macro_rules! builtins {
    (
        { $($(#[$int_doc:meta])* $int:ident $int_name:literal $int_type:ty;)* }
        { $($(#[$float_doc:meta])* $float:ident $float_name:literal $float_type:ty;)* }
    ) => {
        /// A type that is built in.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Builtin {
            $($(#[$int_doc])* $int,)*
            $($(#[$float_doc])* $float,)*
        }

        impl Builtin {
            const ALL: &[Builtin] = &[$(Builtin::$int,)* $(Builtin::$float,)*];

            /// Its name, always with the number of bits.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Builtin::$int => $int_name,)*
                    $(Builtin::$float => $float_name,)*
                }
            }

            /// What errors call an array of it.
            pub(super) fn array_name(self) -> &'static str {
                match self {
                    $(Builtin::$int => concat!("array of ", $int_name),)*
                    $(Builtin::$float => concat!("array of ", $float_name),)*
                }
            }

            /// How many bytes a value takes.
            #[must_use]
            pub fn size(self) -> usize {
                match self {
                    $(Builtin::$int => size_of::<$int_type>(),)*
                    $(Builtin::$float => size_of::<$float_type>(),)*
                }
            }

            /// The value of `size` bytes.
            pub(super) fn read(self, bytes: &[u8]) -> Tree<'static> {
                match self {
                    $(Builtin::$int => Tree::Int(<$int_type>::from_le_bytes(sized(bytes)).into()),)*
                    $(Builtin::$float => {
                        Tree::$float(<$float_type>::from_le_bytes(sized(bytes)))
                    })*
                }
            }

            /// Appends the bytes of a value, if it is one of this type.
            pub(super) fn put(self, value: &Tree<'_>, out: &mut Vec<u8>) -> Result<(), ErrorKind> {
                match (self, value) {
                    $((Builtin::$int, Tree::Int(found)) => {
                        let range = ErrorKind::Range { found: *found, builtin: self };
                        let int = <$int_type>::try_from(*found).map_err(|_| range)?;
                        out.extend(int.to_le_bytes());
                    })*
                    $((Builtin::$float, Tree::$float(float)) => out.extend(float.to_le_bytes()),)*
                    _ => return Err(ErrorKind::mismatch(self.name(), value)),
                }
                Ok(())
            }
        }
    };
}

builtins! {
    {
    /// A signed integer of one byte.
    Int8 "int8" i8;
    /// A signed integer of two bytes.
    Int16 "int16" i16;
    /// A signed integer of four bytes; `int` is the same.
    Int32 "int32" i32;
    /// A signed integer of eight bytes.
    Int64 "int64" i64;
    /// A character, or a part of one, of one byte; `char` is the same.
    Char8 "char8" u8;
    /// A character, or a part of one, of two bytes.
    Char16 "char16" u16;
    /// A character of four bytes.
    Char32 "char32" u32;
    /// A byte, from 0 to 255.
    Byte "byte" u8;
    }
    {
    /// IEEE 754 binary32; `float` is the same.
    Float32 "float32" f32;
    /// IEEE 754 binary64.
    Float64 "float64" f64;
    }
}

impl Builtin {
    /// The type of a name.
    pub(super) fn of(name: &str) -> Option<Builtin> {
        let name = match name {
            "int" => "int32",
            "char" => "char8",
            "float" => "float32",
            name => name,
        };
        Builtin::ALL.iter().copied().find(|builtin| builtin.name() == name)
    }

    /// Whether values are integers: all but floats are.
    pub(super) fn is_integer(self) -> bool {
        !matches!(self, Builtin::Float32 | Builtin::Float64)
    }
}

impl fmt::Display for Builtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Callers take as many bytes as the type has.
fn sized<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().unwrap_or([0; N])
}
