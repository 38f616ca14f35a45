//! Files of tensors to be written.

use std::io::Cursor;
use std::path::PathBuf;

use fourfold_inspect::exchange::is_onnx;
use fourfold_inspect::failure::Failure;
use fourfold_inspect::input::Input;
use fourfold_inspect::tensors::{Container, Request, Weights};
use fourfold_inspect::write::count::counted;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::input;
use crate::signals::Raised;

/// A file of tensors to be written.
pub(crate) struct Target {
    /// `None` for an object with `write`.
    path: Option<PathBuf>,
    extension: Option<String>,
    pub(crate) container: Container,
    raw: bool,
}

/// The containers that are written.
const ALL: [Container; 5] =
    [Container::Tsm, Container::Primitiv, Container::Safetensors, Container::Npz, Container::Npy];

/// The function that writes a file.
#[derive(Clone, Copy)]
pub(crate) enum Task {
    /// `convert`, which also writes models of ONNX.
    Convert,
    /// `save`, with the container of `like`.
    Save(Option<Container>),
}

impl Task {
    /// The names that `to` may be.
    fn names(self) -> String {
        let all = ALL.map(Container::name).join(", ");
        match self {
            Task::Convert => all + ", onnx",
            Task::Save(None) => all,
            Task::Save(Some(like)) => like.name().to_owned(),
        }
    }
}

impl Target {
    /// # Errors
    ///
    /// If neither `to` nor the name of the file determines the container, or these are not that of `like`.
    pub(crate) fn new(
        target: &Bound<'_, PyAny>,
        to: Option<&str>,
        task: Task,
        raw: bool,
    ) -> PyResult<Self> {
        let path = input::path_of(target)?;
        let name = match &path {
            Some(path) => path.clone(),
            None if target.getattr_opt("write")?.is_none() => {
                return Err(input::not_writable(target)?);
            }
            None => PathBuf::from(input::name_of(target)?.unwrap_or_default()),
        };
        if to == Some("onnx") || to.is_none() && is_onnx(&name) {
            let text = "tensors are not written as ONNX; use safetensors or npz; a module is converted from its file: fourfold.convert('model.tsm', 'model.onnx')";
            return Err(PyValueError::new_err(format!("{}: {text}", name.display())));
        }
        let found = match to {
            Some(to) => Some(ALL.into_iter().find(|it| it.name() == to).ok_or_else(|| {
                let names = task.names();
                PyValueError::new_err(format!("'{to}' is not a container; use one of {names}"))
            })?),
            None => Container::of_name(&name).filter(|found| found.kind().is_written()),
        };
        let like = if let Task::Save(like) = task { like } else { None };
        if let (Some(found), Some(like)) = (found.filter(|it| Some(*it) != like), like) {
            let (shown, found, like) = (name.display(), found.name(), like.name());
            let text = format!(
                "{shown}: {found}, and `like` is {like}; use `convert` for another container"
            );
            return Err(PyValueError::new_err(text));
        }
        let container = like.or(found).ok_or_else(|| {
            let shown = match name.as_os_str().is_empty() {
                true => "a file without a name".into(),
                false => name.display().to_string(),
            };
            let names = task.names();
            PyValueError::new_err(format!("{shown}: unknown container; pass `to`, one of {names}"))
        })?;
        let extension = name.extension().map(|it| it.to_string_lossy().to_lowercase());
        Ok(Target { path, extension, container, raw })
    }

    /// Writes tensors that were read from `input`, or returns the bytes for an object with `write`.
    pub(crate) fn write(
        &self,
        weights: &Weights<'_>,
        input: &Input,
        original: Option<&Input>,
        raised: &Raised,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let refused = |text: String| Failure::Usage(format!("{}: {text}", input.name));
        weights.check(self.container, self.raw).map_err(refused)?;
        let extension = self.extension.as_deref();
        let request = Request { input, original, extension };
        let made = self.container.kind().make(weights, &request);
        let made = made.map_err(|failure| match failure {
            // The bytes are good, but the tensors do not fit.
            Failure::Data { name, text } if name == input.name => refused(text),
            failure => failure,
        })?;
        match &self.path {
            Some(path) => {
                let written =
                    fourfold::replace_file(path, |writer| made.write(&mut raised.writer(writer)));
                written.map(|()| None).map_err(|error| Failure::io(path, error))
            }
            None => {
                let mut bytes = Cursor::new(Vec::new());
                made.write(&mut raised.writer(&mut bytes))?;
                Ok(Some(bytes.into_inner()))
            }
        }
    }

    /// The warning about metadata that the container cannot store.
    pub(crate) fn left_out(&self, weights: &Weights<'_>, input: &Input) -> Option<String> {
        let notes = weights.own_notes().len();
        let is_kept = notes == 0 || self.container.kind().keeps_notes();
        (!is_kept).then(|| {
            let (name, target) = (&input.name, self.container.name());
            let notes = counted(notes, "note");
            format!("{name}: {notes} of `__metadata__` left out: {target} has none")
        })
    }
}

/// Passes the bytes on to an object with `write`. A path has been written.
pub(crate) fn finish(target: &Bound<'_, PyAny>, bytes: Option<Vec<u8>>) -> PyResult<()> {
    bytes.map_or(Ok(()), |bytes| input::put(target.py(), target, &bytes))
}

/// The original file of a conversion.
pub(crate) fn original_of(
    like: Option<&Bound<'_, PyAny>>,
    target: &Target,
) -> PyResult<Option<Input>> {
    match like {
        Some(_) if !target.container.kind().takes_original() => {
            let name = target.container.name();
            let text = format!("`like` is for files of tsm and primitiv, not {name}");
            Err(PyValueError::new_err(text))
        }
        like => like.map(input::open).transpose(),
    }
}
