//! Files of one known document: in memory, from readers, with memory maps.

use alloc::vec::Vec;

use super::file::put_header;
use super::{DataType, File, Model, Optimizer, Parameter, Tensor};
#[cfg(feature = "std")]
use crate::io;
use crate::primitiv::{Options, Result};
use crate::tensor::pieces::gather;

/// For each document that files can contain.
macro_rules! saved {
    ($($type:ident ($borrowed:ty) ($owned:ty),)*) => {$(
        impl<'de> $borrowed {
            /// Reads a file of it, with the header that files have.
            ///
            /// The function [`from_slice`](crate::primitiv::from_slice) reads one without a header.
            ///
            /// # Errors
            ///
            /// Those of [`File::from_slice`], and `OtherData` if the file holds something else.
            pub fn from_slice(bytes: &'de [u8]) -> Result<Self> {
                File::from_slice(bytes)?.try_into()
            }

            /// As [`from_slice`](Self::from_slice), with other options.
            ///
            /// # Errors
            ///
            /// Those of [`File::from_slice_with`], and `OtherData` if the file holds something else.
            pub fn from_slice_with(bytes: &'de [u8], options: &Options) -> Result<Self> {
                File::from_slice_with(bytes, options)?.try_into()
            }

            /// The bytes of a file of it, with the header that files have.
            ///
            /// The function [`to_vec`](crate::primitiv::to_vec) writes it without a header.
            ///
            /// # Errors
            ///
            /// `TooLarge` for names beyond 4 GiB.
            pub fn to_file_bytes(&self) -> Result<Vec<u8>> {
                gather(|out| {
                    put_header(out, DataType::$type);
                    self.put(out)
                })
            }
        }

        impl $owned {
            /// Reads such a file from `reader`; see [`File::from_reader`].
            ///
            /// # Errors
            ///
            /// Those of [`File::from_reader`], and `OtherData` if the file holds something else.
            #[cfg(feature = "std")]
            pub fn from_reader<R: io::Read>(reader: R) -> Result<Self> {
                File::from_reader(reader)?.try_into()
            }

            /// As [`from_reader`](Self::from_reader), with other options.
            ///
            /// # Errors
            ///
            /// Those of [`File::from_reader_with`], and `OtherData` if the file holds something else.
            #[cfg(feature = "std")]
            pub fn from_reader_with<R: io::Read>(reader: R, options: &Options) -> Result<Self> {
                File::from_reader_with(reader, options)?.try_into()
            }
        }
    )*};
}

saved! {
    Tensor (Tensor<'de>) (Tensor<'static>),
    Parameter (Parameter<'de>) (Parameter<'static>),
    Model (Model<'de>) (Model<'static>),
    Optimizer (Optimizer<'de>) (Optimizer<'static>),
}

#[cfg(feature = "mmap")]
mod mapped {
    use std::path::Path;

    use super::{DataType, File, Model, Optimizer, Parameter, Result, put_header};
    use crate::primitiv::Options;
    use crate::tensor::mmap::{self, save};
    use crate::tensor::pieces;

    impl File<'static> {
        /// Opens a file with a memory map: only the pages that are used are read, and tensors keep the map
        /// alive.
        ///
        /// While it is mapped, the file must not be changed or truncated; replacing it, as
        /// [`write_to`](File::write_to) does, is fine. [`Memory::open`](crate::Memory::open)
        /// documents what happens otherwise, and which files are read without a map.
        ///
        /// # Errors
        ///
        /// `Io`, and those of [`from_slice`](File::from_slice).
        pub fn open(path: impl AsRef<Path>) -> Result<Self> {
            File::open_with(path, &Options::new())
        }

        /// As [`open`](File::open), with other options.
        ///
        /// # Errors
        ///
        /// `Io`, and those of [`Options::from_slice`].
        pub fn open_with(path: impl AsRef<Path>, options: &Options) -> Result<Self> {
            File::from_source(&mmap::open(path.as_ref())?, options)
        }
    }

    impl File<'_> {
        /// Writes a temporary sibling of `path` and renames it to `path` once it is complete.
        ///
        /// # Errors
        ///
        /// `Io`, and those of [`to_vec`](File::to_vec).
        pub fn write_to(&self, path: impl AsRef<Path>) -> Result<()> {
            save(path.as_ref(), |file| self.to_writer(file))
        }
    }

    /// For each document that primitiv has files of.
    macro_rules! files {
        ($($type:ident)*) => {$(
            impl $type<'static> {
                /// Opens a file of it with a memory map; see [`File::open`].
                ///
                /// # Errors
                ///
                /// Those of [`File::open`], and `OtherData` if the file holds something else.
                pub fn open(path: impl AsRef<Path>) -> Result<Self> {
                    File::open(path)?.try_into()
                }

                /// As [`open`](Self::open), with other options.
                ///
                /// # Errors
                ///
                /// Those of [`File::open_with`], and `OtherData` if the file holds something else.
                pub fn open_with(path: impl AsRef<Path>, options: &Options) -> Result<Self> {
                    File::open_with(path, options)?.try_into()
                }
            }

            impl $type<'_> {
                /// Writes a file of it; see [`File::write_to`].
                ///
                /// # Errors
                ///
                /// Those of [`File::write_to`].
                pub fn write_to(&self, path: impl AsRef<Path>) -> Result<()> {
                    save(path.as_ref(), |file| {
                        pieces::write(file, |out| {
                            put_header(out, DataType::$type);
                            self.put(out)
                        })
                    })
                }
            }
        )*};
    }

    files! { Parameter Model Optimizer }
}
