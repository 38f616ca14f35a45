//! Elements in files beside the model.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use bytes::Bytes;

use crate::error::Problem;
use crate::proto::{Entry, Model};

/// The folder of a model, inside which files with elements may be.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder in which the file `model` is.
    #[must_use]
    pub fn of(model: &Path) -> Self {
        match model.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => Folder(folder.to_owned()),
            _ => Folder(PathBuf::from(".")),
        }
    }

    /// The file at `location`, which is a path from the folder and, with all links followed, inside it.
    fn open(&self, location: &str) -> Result<File, Problem> {
        let outside = || Problem::Outside(location.to_owned());
        let io = |error| Problem::Io { location: location.to_owned(), error };
        let path = Path::new(location);
        let is_inside = |component| matches!(component, Component::Normal(_) | Component::CurDir);
        if !path.components().all(is_inside) || location.contains(['\\', '\0']) {
            return Err(outside());
        }
        let path = self.0.join(path).canonicalize().map_err(io)?;
        if !path.starts_with(self.0.canonicalize().map_err(io)?) {
            return Err(outside());
        }
        // A pipe or a device would block, or never end.
        match path.is_file() {
            true => File::open(path).map_err(io),
            false => Err(io(std::io::Error::other("not a file"))),
        }
    }
}

impl Model {
    /// The `location` of each tensor of the main graph whose elements are in another file.
    pub fn external_files(&self) -> impl Iterator<Item = &str> {
        let graph = self.graph.iter();
        let initializers = graph.clone().flat_map(|graph| &graph.initializer);
        let attributes = graph.flat_map(|graph| &graph.node).flat_map(|node| &node.attribute);
        let tensors = initializers.chain(attributes.flat_map(|it| it.t.as_deref()));
        let external = tensors.filter(|tensor| tensor.data_location == EXTERNAL);
        external
            .flat_map(|tensor| &tensor.external_data)
            .filter_map(|entry| (entry.key == "location").then_some(entry.value.as_str()))
    }

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
        Ok(Range { location: find("location").unwrap_or(""), offset, length })
    }

    /// The bytes, if there are `needed` ones.
    pub(crate) fn read(&self, folder: Option<&Folder>, needed: usize) -> Result<Bytes, Problem> {
        let Some(folder) = folder else {
            return Err(Problem::External(self.location.to_owned()));
        };
        let mut file = folder.open(self.location)?;
        let io = |error| Problem::Io { location: self.location.to_owned(), error };
        let rest = file.metadata().map_err(io)?.len().saturating_sub(self.offset);
        // Compared before anything is reserved: shapes and lengths are claims.
        let found = usize::try_from(self.length.unwrap_or(rest).min(rest)).unwrap_or(usize::MAX);
        if found != needed {
            return Err(Problem::Bytes { found, needed });
        }
        file.seek(SeekFrom::Start(self.offset)).map_err(io)?;
        let mut bytes = vec![0; needed];
        file.read_exact(&mut bytes).map_err(io)?;
        Ok(bytes.into())
    }
}
