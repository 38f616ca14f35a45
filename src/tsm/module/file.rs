//! Modules and tensors in files: opened with memory maps, written to a temporary file and renamed.

use std::path::Path;

use super::Module;
use crate::tensor::mmap::{self, save};
use crate::tensor::pieces;
use crate::tsm::{Options, PackedTensor, Result};

impl Module<'static> {
    /// Opens a `.tsm` file with a memory map: only the pages that are used are read, and tensors
    /// stay where they are, in the map, which lives as long as they do.
    ///
    /// The file must not be changed or truncated while the module or anything borrowed from it is in
    /// use; replacing it, as [`write_to`](Module::write_to) does, does not change the old file.
    /// [`Memory::open`](crate::Memory::open) documents what happens otherwise, and which files are
    /// read without a map.
    ///
    /// # Errors
    ///
    /// `Io` if the file cannot be opened, mapped or read; those of [`Module::from_slice`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let source = mmap::open(path.as_ref())?;
        Module::from_source(&source, &Options::new())
    }
}

impl Module<'_> {
    /// Writes a `.tsm` file tensor by tensor, to a temporary sibling that is renamed once it is
    /// complete: a reader finds the old file or the new one.
    ///
    /// # Errors
    ///
    /// `Io` if the file cannot be written; those of [`Module::to_vec`].
    pub fn write_to(&self, path: impl AsRef<Path>) -> Result<()> {
        save(path.as_ref(), |file| self.to_writer(file))
    }
}

impl PackedTensor<'static> {
    /// Opens a `.t` file with a memory map; the same as [`Module::open`], with the same duty.
    ///
    /// # Errors
    ///
    /// `Io` if the file cannot be opened, mapped or read; those of [`PackedTensor::from_slice`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let source = mmap::open(path.as_ref())?;
        PackedTensor::from_source(&source, &Options::new())
    }
}

impl PackedTensor<'_> {
    /// Writes a `.t` file, in the way of [`Module::write_to`].
    ///
    /// # Errors
    ///
    /// `Io` if the file cannot be written; those of [`PackedTensor::to_vec`].
    pub fn write_to(&self, path: impl AsRef<Path>) -> Result<()> {
        save(path.as_ref(), |file| pieces::write(file, |out| self.put(out)))
    }
}
