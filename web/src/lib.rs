//! The calls of the web viewer's worker: summary, parts, JSON, graph, tensors and differences of a file. Results are
//! JSON texts and bytes.

mod download;
mod file;
mod graph;
mod memory;
mod source;
mod summary;
mod tensors;

use std::io::Write as _;

use fourfold_inspect::diff::{Comparer, Reader as For, write as write_differences};
use fourfold_inspect::explain::Subject;
use fourfold_inspect::explain::page::{Packed, Window, packed, unexplained};
use fourfold_inspect::formats::Parts;
use fourfold_inspect::input::Input;
use fourfold_inspect::tensors::Container;
use serde::Serialize;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::download::Out;
use crate::file::File;
use crate::source::{Reader, Sink};

/// An open file.
#[wasm_bindgen]
pub struct Opened {
    file: File,
    /// The row stream of the latest call of `rows`.
    stream: Vec<u8>,
}

/// Maximum number of rows that are shown at once.
const MOST_ROWS: u64 = 1_000_000;

#[wasm_bindgen]
impl Opened {
    /// Opens a file of that name and length.
    #[wasm_bindgen(constructor)]
    pub fn new(reader: Reader, name: String, len: usize) -> Result<Opened, JsError> {
        Ok(Opened { file: File::open(reader, name, len).map_err(js_error)?, stream: Vec::new() })
    }

    /// Adds a schema, or a list of names.
    #[wasm_bindgen(js_name = takeSchema)]
    pub fn take_schema(&mut self, name: String, text: &str) -> Result<(), JsError> {
        self.file.take_schema(name, text).map_err(js_error)
    }

    /// Chooses the file's type in the schema.
    #[wasm_bindgen(js_name = chooseType)]
    pub fn choose_type(&mut self, name: Option<String>) -> Result<(), JsError> {
        self.file.choose_type(name).map_err(js_error)
    }

    /// The summary of the file.
    pub fn summary(&self) -> Result<String, JsError> {
        self.file.buffer.lend(|input| text(&summary::summary(&self.file, input)))
    }

    /// The rows of the parts from that offset on: their description. The row stream is fetched with `stream`
    /// afterwards.
    pub fn rows(&mut self, offset: usize) -> Result<String, JsError> {
        let (file, window) = (&self.file, Window { offset: Some(offset), length: None });
        let packed = file.buffer.lend(|input| rows(file, input, window)).map_err(js_error)?;
        let about = text(&packed)?;
        self.stream = packed.stream;
        Ok(about)
    }

    /// The stream of those rows.
    pub fn stream(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.stream)
    }

    /// Writes the whole file as JSON.
    pub fn json(&mut self, sink: &Sink) -> Result<(), JsError> {
        self.file.load().map_err(js_error)?;
        let file = &self.file;
        let mut out = Out::new(sink, &file.buffer);
        file.buffer.lend(|input| summary::write_json(file, input, &mut out)).map_err(js_error)?;
        out.flush().map_err(js_error)
    }

    /// The picture of a module, or of a part of it.
    pub fn graph(&self, around: Option<String>, steps: usize) -> Result<String, JsError> {
        let drawn = |input: &Input| graph::drawn(input, around.as_deref(), steps);
        text(&self.file.buffer.lend(drawn).map_err(js_error)?)
    }

    /// The details of a node of a module.
    pub fn node(&self, index: usize) -> Result<String, JsError> {
        let node = |input: &Input| graph::node(&self.file, input, index);
        text(&self.file.buffer.lend(node).map_err(js_error)?)
    }

    /// The list of tensors.
    pub fn tensors(&self) -> Result<String, JsError> {
        text(&self.file.buffer.lend(|input| tensors::list(&self.file, input)).map_err(js_error)?)
    }

    /// The statistics of a tensor.
    pub fn numbers(&self, index: usize) -> Result<String, JsError> {
        let numbers = |input: &Input| tensors::numbers(&self.file, input, index);
        text(&self.file.buffer.lend(numbers).map_err(js_error)?)
    }

    /// Writes the tensors to a container of that name.
    pub fn convert(&mut self, target: &str, sink: &Sink) -> Result<(), JsError> {
        let target = match target {
            "npz" => Container::Npz,
            _ => Container::Safetensors,
        };
        let file = &self.file;
        if !file.buffer.lend(|input| download::takes_slices(file, input, target)) {
            self.file.load().map_err(js_error)?;
        }
        let file = &self.file;
        let written = file.buffer.lend(|input| download::write_tensors(file, input, target, sink));
        written.map_err(js_error)
    }

    /// The list of differences to another file.
    pub fn diff(&mut self, other: &mut Opened) -> Result<String, JsError> {
        self.file.load().map_err(js_error)?;
        other.file.load().map_err(js_error)?;
        let (old, new) = (&self.file, &other.file);
        let compared = old
            .buffer
            .lend(|old_input| new.buffer.lend(|new_input| differences(old, old_input, new_input)));
        compared.map_err(js_error)
    }
}

fn rows(file: &File, input: &Input, window: Window) -> Result<Packed, String> {
    let kind = file.kind_for_spans(input).ok();
    let Some(kind) = kind.as_ref().and_then(file::Kind::file_kind) else {
        return Ok(unexplained(input.bytes.len()));
    };
    let parts = Parts::new(kind, &input.bytes, &file.options);
    let subject = Subject { name: &input.name, kind, bytes: &input.bytes, parts, path: "" };
    packed(&subject, window, MOST_ROWS).map_err(|error| error.to_string())
}

fn differences(file: &File, old: &Input, new: &Input) -> Result<String, String> {
    let comparer = Comparer {
        tolerance: None,
        names: &file.names,
        options: &file.options,
        reader: For::Person,
    };
    let failed = |failure: fourfold_inspect::failure::Failure| failure.to_string();
    let found = match &file.typed {
        None => comparer.compare(None, old, new).map_err(failed)?,
        Some(typed) => {
            let of = |input| typed.of_input(input, &file.options).map_err(failed);
            let (old_type, new_type) = (of(old)?, of(new)?);
            let names = || Ok(file.names.clone());
            comparer.compare_typed((&old_type, old), (&new_type, new), names).map_err(failed)?
        }
    };
    let mut out = Vec::new();
    write_differences(&mut out, &found, For::Program).map_err(|error| error.to_string())?;
    String::from_utf8(out).map_err(|error| error.to_string())
}

fn js_error(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}

fn text(value: &impl Serialize) -> Result<String, JsError> {
    serde_json::to_string(value).map_err(js_error)
}
