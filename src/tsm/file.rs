//! A file: a module, or a packed tensor that stands alone. Knows how the two are told apart.

use serde_core::ser::{Serialize, Serializer};

use super::wire::{HEADER_CODE_OFFSET, MAGIC};
use super::{Module, PackedTensor, Result};

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
    /// Whether the code of a module, `29 09 91 19`, stands at byte 4.
    #[must_use]
    pub fn is_module(bytes: &[u8]) -> bool {
        let code = bytes.get(HEADER_CODE_OFFSET..).and_then(<[u8]>::first_chunk);
        code == Some(&MAGIC.to_le_bytes())
    }

    /// Reads a module where its code is, and a packed tensor otherwise.
    ///
    /// # Errors
    ///
    /// Those of [`Module::from_slice`] where its code is, or four zeros in front of what is no packed tensor;
    /// those of [`PackedTensor::from_slice`] otherwise.
    pub fn from_slice(bytes: &'de [u8]) -> Result<Self> {
        if File::is_module(bytes) {
            return Module::from_slice(bytes).map(File::Module);
        }
        match PackedTensor::from_slice(bytes) {
            Ok(tensor) => Ok(File::Tensor(tensor)),
            Err(_) if bytes.starts_with(&NO_FIELDS) => Module::from_slice(bytes).map(File::Module),
            Err(error) => Err(error),
        }
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
