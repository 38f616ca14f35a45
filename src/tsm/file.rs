//! A file: a module, or a standalone packed tensor.

use serde_core::ser::{Serialize, Serializer};

use super::{Header, Module, PackedTensor, Result, module};

/// What a file holds.
///
/// ```
/// use fourfold::tsm::{File, PackedTensor, Tensor, to_vec};
///
/// let bytes = PackedTensor::from(Tensor::scalar(7i16)).to_vec()?;
/// assert!(!File::is_module(&bytes));
/// let file = File::from_slice(&bytes)?;
/// assert!(matches!(file, File::Tensor(_)));
/// assert_eq!(to_vec(&file)?, bytes);
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum File<'de> {
    /// A module.
    Module(Module<'de>),
    /// A packed tensor, which is a list of tensors.
    Tensor(PackedTensor<'de>),
}

/// The count of fields of a packed tensor that has none: a file of it would end there.
const NO_FIELDS: [u8; 4] = [0; 4];

impl<'de> File<'de> {
    /// Whether the code of a module, `29 09 91 19`, is at byte 4.
    #[must_use]
    pub fn is_module(bytes: &[u8]) -> bool {
        bytes.get(Header::CODE_RANGE).is_some_and(|code| code == Header::CODE_BYTES)
    }

    /// Reads a module where its code is, and a packed tensor otherwise.
    ///
    /// # Errors
    ///
    /// Those of [`Module::from_slice`] where its code is, and for a module whose code is wrong: what is no
    /// packed tensor, and begins with the four zeros of a module or is sound but for the code. Those of
    /// [`PackedTensor::from_slice`] otherwise.
    pub fn from_slice(bytes: &'de [u8]) -> Result<Self> {
        if !File::is_module(bytes) {
            match PackedTensor::from_slice(bytes) {
                Ok(tensor) => return Ok(File::Tensor(tensor)),
                Err(_) if bytes.starts_with(&NO_FIELDS) || module::is_sound(bytes) => {}
                Err(error) => return Err(error),
            }
        }
        Module::from_slice(bytes).map(File::Module)
    }
}

impl Serialize for File<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> core::result::Result<S::Ok, S::Error> {
        match self {
            File::Module(module) => module.serialize(serializer),
            File::Tensor(tensor) => tensor.serialize(serializer),
        }
    }
}
