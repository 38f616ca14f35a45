//! The calls of the web viewer's worker: summary, parts, JSON, graph, tensors and differences of a file. Results are
//! JSON texts and bytes.

mod download;
mod file;
mod graph;
mod memory;
mod params;
mod source;
mod summary;
mod tensors;
mod values;

use std::io::Write as _;
use std::rc::Rc;

use fourfold_inspect::diff::{Comparer, Reader as For, write as write_differences};
use fourfold_inspect::explain::Subject;
use fourfold_inspect::explain::page::{Packed, Window, packed, unexplained};
use fourfold_inspect::formats::Parts;
use fourfold_inspect::hints::{Hints, set_hints};
use fourfold_inspect::input::Input;
use fourfold_inspect::tensors::Container;
use serde::Serialize;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::download::Out;
use crate::file::File;
use crate::source::{Reader, Sink};
use crate::values::{Chosen, Counted, Wanted};

/// An open file.
#[wasm_bindgen]
pub struct Opened {
    file: File,
    /// The row stream of the latest call of `rows`.
    stream: Vec<u8>,
    /// The graph of the latest call of `graph`.
    graph: Option<graph::Graph>,
    /// The tensor whose elements are viewed.
    chosen: Option<Rc<Chosen>>,
    /// Statistics in progress.
    counted: Option<Counted>,
}

/// Maximum number of rows that are shown at once.
const MOST_ROWS: u64 = 1_000_000;

#[wasm_bindgen]
impl Opened {
    /// Opens a file of that name and length.
    #[wasm_bindgen(constructor)]
    pub fn new(reader: Reader, name: String, len: usize) -> Result<Opened, JsError> {
        set_hints(Hints { raw: "download safetensors instead", ..Hints::default() });
        let file = File::open(reader, name, len).map_err(js_error)?;
        Ok(Opened { file, stream: Vec::new(), graph: None, chosen: None, counted: None })
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
        let mut out = Out::new(sink, file);
        file.buffer.lend(|input| summary::write_json(file, input, &mut out)).map_err(js_error)?;
        out.flush().map_err(js_error)
    }

    /// Lays out the graph of a module, or a part of it, for the calls below: its description.
    pub fn graph(&mut self, selection: &str) -> Result<String, JsError> {
        let selection: graph::Selection = serde_json::from_str(selection).map_err(js_error)?;
        let laid_out = self.file.buffer.lend(|input| graph::Graph::new(input, &selection));
        text(&self.graph.insert(laid_out.map_err(js_error)?).about())
    }

    /// For each box its left and upper end, width, height and family.
    pub fn boxes(&self) -> Vec<f32> {
        self.graph.as_ref().map(graph::Graph::boxes).unwrap_or_default()
    }

    /// Both ends of all lines.
    pub fn lines(&self) -> Vec<f32> {
        self.graph.as_ref().map(graph::Graph::lines).unwrap_or_default()
    }

    /// The source and target box of each connection.
    pub fn wires(&self) -> Vec<u32> {
        self.graph.as_ref().map(graph::Graph::wires).unwrap_or_default()
    }

    /// The drawing of an area, as elements of SVG.
    #[wasm_bindgen(js_name = graphPart)]
    pub fn graph_part(&self, left: f64, top: f64, right: f64, bottom: f64) -> String {
        let area = fourfold_inspect::graph::svg::Area { left, top, right, bottom };
        self.graph.as_ref().map(|graph| graph.part(&area)).unwrap_or_default()
    }

    /// The whole drawing of the graph, or of a part of it.
    #[wasm_bindgen(js_name = graphSvg)]
    pub fn graph_svg(&self, selection: &str) -> Result<String, JsError> {
        let selection: graph::Selection = serde_json::from_str(selection).map_err(js_error)?;
        let laid_out = self.file.buffer.lend(|input| graph::Graph::new(input, &selection));
        Ok(laid_out.map_err(js_error)?.svg())
    }

    /// The boxes whose name or first line contains a text: pairs of the box in the drawing, which may be a closed group,
    /// and the position of the found one among all.
    #[wasm_bindgen(js_name = findBoxes)]
    pub fn find_boxes(&self, text: &str) -> Vec<u32> {
        self.graph.as_ref().map(|graph| graph.find(text)).unwrap_or_default()
    }

    /// The name and groups of a box, by its position among all.
    #[wasm_bindgen(js_name = boxInside)]
    pub fn box_inside(&self, position: usize) -> Result<String, JsError> {
        let graph = self.graph.as_ref().ok_or_else(|| JsError::new("no graph"))?;
        text(&graph.inside(position).map_err(js_error)?)
    }

    /// The details of a box.
    #[wasm_bindgen(js_name = boxReport)]
    pub fn box_report(&self, at: usize) -> Result<String, JsError> {
        let graph = self.graph.as_ref().ok_or_else(|| JsError::new("no graph"))?;
        let report = |input: &Input| graph.report(&self.file, input, at);
        text(&self.file.buffer.lend(report).map_err(js_error)?)
    }

    /// The list of tensors.
    pub fn tensors(&self) -> Result<String, JsError> {
        text(&self.file.buffer.lend(|input| tensors::list(&self.file, input)).map_err(js_error)?)
    }

    /// Begins to compute the statistics of a tensor, instead of those of another one.
    #[wasm_bindgen(js_name = startNumbers)]
    pub fn start_numbers(&mut self, index: usize) -> Result<(), JsError> {
        let chosen = self.choose(index)?;
        self.counted = Some(Counted::new(chosen).map_err(js_error)?);
        Ok(())
    }

    /// Reads the next piece of the tensor. Returns the statistics after the last one.
    #[wasm_bindgen(js_name = stepNumbers)]
    pub fn step_numbers(&mut self) -> Result<Option<String>, JsError> {
        let counted = self.counted.as_mut().ok_or_else(|| js_error("no tensor"))?;
        let numbers = counted.step(&self.file).map_err(js_error)?;
        numbers.map(|numbers| text(&numbers)).transpose()
    }

    /// What a slice selects of each axis of a tensor.
    pub fn axes(&mut self, index: usize, slice: &str) -> Result<String, JsError> {
        text(&self.choose(index)?.axes(slice).map_err(js_error)?)
    }

    /// The elements of a window of a tensor.
    pub fn elements(&mut self, index: usize, wanted: &str) -> Result<String, JsError> {
        let chosen = self.choose(index)?;
        let wanted: Wanted = serde_json::from_str(wanted).map_err(js_error)?;
        text(&chosen.window(&self.file, &wanted).map_err(js_error)?)
    }

    fn choose(&mut self, index: usize) -> Result<Rc<Chosen>, JsError> {
        if let Some(chosen) = self.chosen.as_ref().filter(|chosen| chosen.is(index)) {
            return Ok(Rc::clone(chosen));
        }
        let chosen = self.file.buffer.lend(|input| Chosen::new(&self.file, input, index));
        Ok(Rc::clone(self.chosen.insert(Rc::new(chosen.map_err(js_error)?))))
    }

    /// Writes the tensors, or the one at that position, to a container of that name.
    pub fn convert(
        &mut self,
        target: &str,
        index: Option<usize>,
        sink: &Sink,
    ) -> Result<(), JsError> {
        let target = match target {
            "npz" => Container::Npz,
            "npy" => Container::Npy,
            _ => Container::Safetensors,
        };
        let file = &self.file;
        if !file.buffer.lend(|input| download::takes_slices(file, input, target, index)) {
            self.file.load().map_err(js_error)?;
        }
        let file = &self.file;
        let written =
            file.buffer.lend(|input| download::write_tensors(file, input, target, index, sink));
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
    let found = match file.typed() {
        None => comparer.compare(None, old, new),
        Some(typed) => {
            let names = || Ok(file.names.clone());
            comparer.compare_with(typed, old, new, names, &mut |_, _| {})
        }
    };
    let found = found.map_err(failed)?;
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
