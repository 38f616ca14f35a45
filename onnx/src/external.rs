//! Elements in files beside the model.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

use crate::error::Problem;
use crate::proto::{Entry, Model};

/// The folder of a model, inside which files with elements may be.
///
/// Each file is opened once: elements share its bytes, which are a memory map with the feature `mmap`. A mapped file
/// must not be changed or truncated.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// The bytes of each file, by the path without links.
    files: Arc<Mutex<BTreeMap<PathBuf, Bytes>>>,
}

impl Folder {
    /// The folder in which the file `model` is.
    #[must_use]
    pub fn of(model: &Path) -> Self {
        let folder = model.parent().filter(|folder| !folder.as_os_str().is_empty());
        let path = folder.unwrap_or(Path::new(".")).to_owned();
        Folder { path, files: Arc::default() }
    }

    /// The files from which elements came so far, with their bytes.
    #[must_use]
    pub fn files(&self) -> Vec<(PathBuf, Bytes)> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.iter().map(|(path, bytes)| (path.clone(), bytes.clone())).collect()
    }

    /// The path without links of the file at `location`, a path from the folder. `None` if that is not inside the folder.
    ///
    /// # Errors
    ///
    /// If there is no such file.
    pub fn find(&self, location: &str) -> io::Result<Option<PathBuf>> {
        let path = Path::new(location);
        let is_inside = |component| matches!(component, Component::Normal(_) | Component::CurDir);
        if !path.components().all(is_inside) || location.contains(['\\', '\0']) {
            return Ok(None);
        }
        let path = self.path.join(path).canonicalize()?;
        let is_inside = path.starts_with(self.path.canonicalize()?);
        Ok(is_inside.then_some(path))
    }

    /// The bytes of the file at `location`.
    fn open(&self, location: &str) -> Result<Bytes, Problem> {
        let io = |error| Problem::Io { location: location.to_owned(), error };
        let path = self.find(location).map_err(io)?;
        let path = path.ok_or_else(|| Problem::Outside(location.to_owned()))?;
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = files.get(&path) {
            return Ok(bytes.clone());
        }
        // A pipe or a device would block, or never end.
        if !path.is_file() {
            return Err(Problem::NotFile(location.to_owned()));
        }
        let bytes = read(&path).map_err(io)?;
        files.insert(path, bytes.clone());
        Ok(bytes)
    }
}

/// The bytes of a file.
#[cfg(feature = "mmap")]
fn read(path: &Path) -> io::Result<Bytes> {
    fourfold::Memory::open(path).map(Bytes::from_owner)
}

/// The bytes of a file.
#[cfg(not(feature = "mmap"))]
fn read(path: &Path) -> io::Result<Bytes> {
    std::fs::read(path).map(Bytes::from)
}

impl Model {
    /// Moves the raw bytes of the main graph's constants to a file beside the model, called `location`. Returns the
    /// bytes of that file, in pieces. Small tensors stay, as ONNX's own tools leave them: shapes are read from them.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold_onnx::{DataType, Graph, Model, Tensor};
    ///
    /// let number = DataType::Uint8.number();
    /// let bytes = Some(vec![7; 4096].into());
    /// let tensor = Tensor { dims: vec![4096], data_type: number, raw_data: bytes, ..Tensor::default() };
    /// let graph = Graph { initializer: vec![tensor], ..Graph::default() };
    /// let mut model = Model { graph: Some(graph), ..Model::default() };
    ///
    /// let data = model.move_weights("model.onnx.data");
    /// assert_eq!(data.concat(), [7; 4096]);
    /// assert!(model.to_bytes()?.len() < 100);
    /// # Ok::<(), fourfold_onnx::Error>(())
    /// ```
    pub fn move_weights(&mut self, location: &str) -> Vec<Bytes> {
        const SMALL: usize = 1024;
        let (mut pieces, mut offset) = (Vec::new(), 0);
        for tensor in self.graph.iter_mut().flat_map(|graph| &mut graph.initializer) {
            let Some(bytes) = tensor.raw_data.take_if(|bytes| bytes.len() >= SMALL) else {
                continue;
            };
            let entry = |key: &str, value: String| Entry { key: key.to_owned(), value };
            tensor.external_data = vec![
                entry("location", location.to_owned()),
                entry("offset", offset.to_string()),
                entry("length", bytes.len().to_string()),
            ];
            tensor.data_location = EXTERNAL;
            offset += bytes.len();
            pieces.push(bytes);
        }
        pieces
    }
}

/// The `data_location` of tensors whose elements are in another file.
pub(crate) const EXTERNAL: i32 = 1;

/// Which bytes of which file a tensor has.
pub(crate) struct Range<'a> {
    location: &'a str,
    offset: u64,
    length: Option<u64>,
}

impl<'a> Range<'a> {
    pub(crate) fn of(entries: &'a [Entry]) -> Result<Self, Problem> {
        let find = |key: &str| {
            entries.iter().find(|entry| entry.key == key).map(|entry| entry.value.as_str())
        };
        let number = |key| match find(key) {
            None => Ok(None),
            Some(value) => match value.parse::<u64>() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(Problem::Entry { key, value: value.to_owned() }),
            },
        };
        let (offset, length) = (number("offset")?.unwrap_or(0), number("length")?);
        let location = find("location").filter(|location| !location.is_empty());
        Ok(Range { location: location.ok_or(Problem::NoLocation)?, offset, length })
    }

    /// The bytes, if there are `needed` ones.
    pub(crate) fn read(&self, folder: Option<&Folder>, needed: usize) -> Result<Bytes, Problem> {
        let Some(folder) = folder else {
            return Err(Problem::External(self.location.to_owned()));
        };
        let bytes = folder.open(self.location)?;
        if let Some(length) = self.length
            && usize::try_from(length) != Ok(needed)
        {
            return Err(Problem::Length { length, needed });
        }
        let start = usize::try_from(self.offset).ok();
        let range = start.and_then(|start| Some(start..start.checked_add(needed)?));
        match range.filter(|range| range.end <= bytes.len()) {
            Some(range) => Ok(bytes.slice(range)),
            None => Err(Problem::Short {
                location: self.location.to_owned(),
                size: bytes.len(),
                offset: self.offset,
                needed,
            }),
        }
    }
}
