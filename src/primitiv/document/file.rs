//! Files: a version, a data type, and one document.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::pieces::Pieces;
use super::{Model, Optimizer, Parameter, Shape, Tensor, within};
#[cfg(feature = "std")]
use crate::io;
use crate::primitiv::wire::{self, VERSION};
use crate::primitiv::{Error, ErrorKind, Options, Result};
use crate::read::Reader;
use crate::tensor::memory::Memory;
#[cfg(feature = "std")]
use crate::tensor::memory::Source;
use crate::tensor::pieces;

/// A file: three uint32 (0, 1 and the data type), then the data.
///
/// ```
/// use fourfold::primitiv::{Data, File, Model, Parameter, Tensor};
///
/// let mut model = Model::new();
/// model.insert(["w"], Parameter::new(Tensor::scalar(0.5))?)?;
/// let bytes = File::from(model).to_vec()?;
///
/// let file = File::from_slice(&bytes)?;
/// assert_eq!((file.version.major, file.version.minor), (0, 1));
/// let Data::Model(model) = &file.data else { panic!("no model") };
/// assert_eq!(model.get(["w"]).unwrap().value().at(&[], 0), Some(0.5));
/// assert_eq!(file.to_vec()?, bytes);
///
/// let error = File::from_slice(&bytes[..20]).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "count 1 needs 10 bytes or more, 0 left in parameters at byte 15",
/// );
/// # Ok::<(), fourfold::primitiv::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File<'de> {
    /// The version of the format: 0.1.
    pub version: Version,
    /// What the file holds.
    pub data: Data<'de>,
}

/// The version of the format. There is no other than 0.1, the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Version {
    /// Major version: 0.
    pub major: u32,
    /// Minor version: 1.
    pub minor: u32,
}

impl Default for Version {
    fn default() -> Self {
        let [major, minor] = VERSION;
        Version { major, minor }
    }
}

/// The documents that a file can hold, as numbers in its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum DataType {
    /// [`Shape`]; no release of primitiv writes such files.
    Shape = 0x0,
    /// [`Tensor`]; no release of primitiv writes such files.
    Tensor = 0x100,
    /// [`Parameter`].
    Parameter = 0x200,
    /// [`Model`].
    Model = 0x300,
    /// [`Optimizer`].
    Optimizer = 0x400,
}

impl DataType {
    /// The number in the header.
    #[must_use]
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// The data type of a number in the header.
    #[must_use]
    pub const fn from_number(number: u32) -> Option<Self> {
        Some(match number {
            0x0 => DataType::Shape,
            0x100 => DataType::Tensor,
            0x200 => DataType::Parameter,
            0x300 => DataType::Model,
            0x400 => DataType::Optimizer,
            _ => return None,
        })
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// How many bytes each number of the header takes.
const NUMBER_SIZE: usize = wire::uint32(0).len();

/// The number of bytes before the data type.
const DATA_TYPE_AT: usize = VERSION.len() * NUMBER_SIZE;

/// For each document: conversions to and from a file.
macro_rules! data {
    ($($variant:ident ($type:ty),)*) => {
        /// What a file holds.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Data<'de> {
            $(
                #[doc = concat!("A [`", stringify!($variant), "`].")]
                $variant($type),
            )*
        }

        impl<'de> Data<'de> {
            /// Which document it is.
            #[must_use]
            pub const fn data_type(&self) -> DataType {
                match self {
                    $(Data::$variant(_) => DataType::$variant,)*
                }
            }

            fn take(which: DataType, reader: &mut Reader<'de>, lenient: bool) -> Result<Self> {
                match which {
                    $(DataType::$variant => $variant::take(reader, lenient).map(Data::$variant),)*
                }
            }

            fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
                match self {
                    $(Data::$variant(value) => value.put(out),)*
                }
            }
        }

        $(
            impl<'de> From<$type> for File<'de> {
                fn from(value: $type) -> Self {
                    File { version: Version::default(), data: Data::$variant(value) }
                }
            }

            /// Refuses a file of something else, as `OtherData`.
            impl<'de> TryFrom<File<'de>> for $type {
                type Error = Error;

                fn try_from(file: File<'de>) -> Result<Self> {
                    match file.data {
                        Data::$variant(value) => Ok(value),
                        other => Err(other.is_not(DataType::$variant)),
                    }
                }
            }
        )*
    };
}

data! {
    Shape(Shape),
    Tensor(Tensor<'de>),
    Parameter(Parameter<'de>),
    Model(Model<'de>),
    Optimizer(Optimizer<'de>),
}

impl<'de> Data<'de> {
    #[cold]
    fn is_not(&self, expected: DataType) -> Error {
        let (found, expected) = (self.data_type().number(), expected.number());
        Error::at(ErrorKind::OtherData { found, expected }, DATA_TYPE_AT)
    }

    pub(super) fn moved<'to>(self, to: &impl Fn(Memory<'de>) -> Memory<'to>) -> Data<'to> {
        match self {
            Data::Shape(shape) => Data::Shape(shape),
            Data::Tensor(tensor) => Data::Tensor(tensor.moved(to)),
            Data::Parameter(parameter) => Data::Parameter(parameter.moved(to)),
            Data::Model(model) => Data::Model(model.moved(to)),
            Data::Optimizer(optimizer) => Data::Optimizer(optimizer.into_owned()),
        }
    }
}

impl<'de> File<'de> {
    /// Where the version is.
    pub const VERSION_RANGE: Range<usize> = 0..DATA_TYPE_AT;

    /// Where the data type is.
    pub const DATA_TYPE_RANGE: Range<usize> = DATA_TYPE_AT..DATA_TYPE_AT + NUMBER_SIZE;

    /// Whether bytes begin as every file does: with three small uint32, two for the version and one for the data
    /// type. They need not be those of a version that is known.
    ///
    /// ```
    /// use fourfold::primitiv::{File, Shape};
    ///
    /// assert!(File::sniff(&File::from(Shape::new(&[3])?).to_vec()?));
    /// assert!(!File::sniff(b"not primitiv"));
    /// # Ok::<(), fourfold::primitiv::Error>(())
    /// ```
    #[must_use]
    pub fn sniff(bytes: &[u8]) -> bool {
        let [zero @ .., _] = wire::uint32(0);
        let [small @ .., _] = zero;
        let starts = |at, with: &[u8]| bytes.get(at..).is_some_and(|it| it.starts_with(with));
        starts(0, &zero) && starts(NUMBER_SIZE, &zero) && starts(DATA_TYPE_AT, &small)
    }

    /// Reads a file, whose tensors borrow from `bytes`.
    ///
    /// The same as [`from_slice`](crate::primitiv::from_slice).
    ///
    /// # Errors
    ///
    /// Every error of the bytes, with its offset and path.
    pub fn from_slice(bytes: &'de [u8]) -> Result<Self> {
        File::from_slice_with(bytes, &Options::new())
    }

    /// As [`from_slice`](File::from_slice), with other options; the same as [`Options::from_slice`].
    ///
    /// # Errors
    ///
    /// Those of [`Options::from_slice`].
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold::primitiv::{Data, File, Model, Options};
    ///
    /// let mut bytes = Model::new().to_file_bytes()?;
    /// bytes.push(7);
    /// assert!(File::from_slice(&bytes).is_err());
    /// let options = Options::new().allow_trailing(true);
    /// assert_eq!(File::from_slice_with(&bytes, &options)?.data, Data::Model(Model::new()));
    /// # Ok::<(), fourfold::primitiv::Error>(())
    /// ```
    pub fn from_slice_with(bytes: &'de [u8], options: &Options) -> Result<Self> {
        let mut reader = Reader::new(bytes, 0);
        let file = File::take(&mut reader, options.lenient)?;
        if !options.allow_trailing {
            reader.finish()?;
        }
        Ok(file)
    }

    /// Reads a file from `reader`: to the end first, and then from memory.
    ///
    /// The bytes are in memory once: tensors share them, and they live as long as one of the tensors.
    ///
    /// # Errors
    ///
    /// Those of [`from_slice`](File::from_slice), `Io` if the reader fails, `InputLimit` if it has
    /// more than 1 GiB.
    #[cfg(feature = "std")]
    pub fn from_reader<R: io::Read>(reader: R) -> Result<File<'static>> {
        File::from_reader_with(reader, &Options::new())
    }

    /// As [`from_reader`](File::from_reader), with other options.
    ///
    /// # Errors
    ///
    /// Those of [`Options::from_reader`].
    #[cfg(feature = "std")]
    pub fn from_reader_with<R: io::Read>(reader: R, options: &Options) -> Result<File<'static>> {
        let bytes = crate::limits::read_to_keep(reader, options.max_input)?;
        File::from_source(&Source::of_bytes(bytes), options)
    }

    /// Reads a file whose tensors stay in `source`.
    #[cfg(feature = "std")]
    pub(super) fn from_source(source: &Source, options: &Options) -> Result<File<'static>> {
        let File { version, data } = File::from_slice_with(source.as_slice(), options)?;
        Ok(File { version, data: data.moved(&|memory: Memory<'_>| memory.within(source)) })
    }

    /// Drops the statistics of all parameters: what primitiv writes with `with_stats` off.
    pub fn clear_stats(&mut self) {
        match &mut self.data {
            Data::Parameter(parameter) => parameter.clear_stats(),
            Data::Model(model) => model.clear_stats(),
            Data::Shape(_) | Data::Tensor(_) | Data::Optimizer(_) => {}
        }
    }

    /// The bytes of the file.
    ///
    /// # Errors
    ///
    /// `Version` if it is not 0.1, `TooLarge` for names beyond 4 GiB.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        pieces::gather(|out| self.put(out))
    }

    /// Writes the file to `writer`, piece by piece and never all of it in memory.
    ///
    /// # Errors
    ///
    /// Those of [`to_vec`](File::to_vec), and `Io` if the writer fails.
    #[cfg(feature = "std")]
    pub fn to_writer<W: io::Write>(&self, writer: W) -> Result<()> {
        pieces::write(writer, |out| self.put(out))
    }

    /// The same without the input's lifetime: borrowed bytes are copied.
    #[must_use]
    pub fn into_owned(self) -> File<'static> {
        File { version: self.version, data: self.data.moved(&Memory::into_owned) }
    }

    pub(super) fn take(reader: &mut Reader<'de>, lenient: bool) -> Result<Self> {
        let version = within("version", File::take_version(reader, lenient))?;
        let start = reader.offset();
        let found = within("data_type", wire::take_uint32(reader, lenient))?;
        let Some(which) = DataType::from_number(found) else {
            return within("data_type", Err(Error::at(ErrorKind::DataType { found }, start)));
        };
        Ok(File { version, data: Data::take(which, reader, lenient)? })
    }

    fn take_version(reader: &mut Reader<'de>, lenient: bool) -> Result<Version> {
        let first = reader.offset();
        let major = wire::take_uint32(reader, lenient)?;
        let second = reader.offset();
        let minor = wire::take_uint32(reader, lenient)?;
        let offset = if VERSION.first() == Some(&major) { second } else { first };
        match [major, minor] == VERSION {
            true => Ok(Version { major, minor }),
            false => Err(Error::at(ErrorKind::Version { major, minor }, offset)),
        }
    }

    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        let Version { major, minor } = self.version;
        if [major, minor] != VERSION {
            return Err(Error::placeless(ErrorKind::Version { major, minor }));
        }
        put_header(out, self.data.data_type());
        self.data.put(out)
    }
}

/// Appends the version and the data type.
pub(super) fn put_header(out: &mut Pieces<'_>, data_type: DataType) {
    for number in VERSION.into_iter().chain([data_type.number()]) {
        out.put(&wire::uint32(number));
    }
}
