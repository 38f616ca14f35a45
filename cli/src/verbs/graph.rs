//! `fourfold graph`: the picture of a module's graph.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use fourfold::biniou::Options;
use fourfold::tsm::{File, Module};

use crate::failure::{Ended, Failure};
use crate::formats;
use crate::graph::picture::Picture;
use crate::graph::svg::{self, Svg};
use crate::graph::{dot, near, png};
use crate::input::Input;
use crate::output;
use crate::progress::patiently;
use crate::target;
use crate::write::plain::plain_bytes;

/// How many boxes a picture has at most.
const MOST_BOXES: usize = 4_000;
/// And how many connections.
const MOST_WIRES: usize = 20_000;

/// Draw the graph of a tsm module.
///
/// Operators are boxes with their `<const>` inputs (weights) and their params (stride,
/// padding) inside, inputs and outputs of the module are round. Below a box stands what comes out of it, as far as the file says so. Nothing but this
/// program is needed for SVG and PNG; DOT is the language of Graphviz.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fourfold graph model.tsm -o model.svg
  fourfold graph model.tsm --to dot | dot -Tpdf -o model.pdf
  fourfold graph huge.tsm --around conv5_3 --steps 4 -o part.png")]
pub(crate) struct Arguments {
    /// The module, or `-` for standard input.
    file: PathBuf,
    /// The picture, or `-` for standard output, which it is anyway unless that is a terminal and the
    /// picture a PNG.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print a PNG to a terminal, too.
    #[arg(long)]
    force: bool,
    /// What kind of picture [default: by the ending of the output's name; svg if it has none].
    #[arg(long, value_name = "KIND")]
    to: Option<Kind>,
    /// Draw only what is near the nodes of this name.
    #[arg(long, value_name = "NAME")]
    around: Option<String>,
    /// How many steps near is.
    #[arg(long, value_name = "COUNT", default_value_t = 3, requires = "around")]
    steps: usize,
    /// Take the letters of a PNG from this font file.
    #[arg(long, value_name = "FILE")]
    font: Option<PathBuf>,
    /// How many pixels of a PNG a unit of the drawing has [default: 2, or less if the drawing is large].
    #[arg(long, value_name = "FACTOR")]
    scale: Option<f32>,
}

/// A kind of picture.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Scalable Vector Graphics.
    Svg,
    /// The language of Graphviz.
    Dot,
    /// Pixels.
    Png,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let kind = self.kind()?;
        target::spare_terminal(kind != Kind::Png || self.force || self.output.is_some())?;
        let inputs = [Some(self.file.as_path()), self.font.as_deref()];
        target::spare_inputs(self.output(), inputs.into_iter().flatten())?;
        let input = Input::open(&self.file)?;
        let module = Module::from_slice(&input.bytes).map_err(|error| refused(&input, error))?;
        let mut picture = Picture::of(&module, &title(&self.file));
        if let Some(name) = &self.around {
            let found = near::keep_near(&mut picture, name, self.steps);
            if !found {
                return Err(Failure::Usage(format!("{}: no node is called {name}", input.name)));
            }
        }
        let bytes = match kind {
            Kind::Dot => dot::write(&picture).into_bytes(),
            Kind::Svg => patiently("drawing", || draw(&picture, &input.name))?.text.into_bytes(),
            Kind::Png => {
                let font = self.font.as_deref();
                patiently("drawing", || {
                    png::render(&draw(&picture, &input.name)?, font, self.scale)
                })?
            }
        };
        output::save(self.output(), &bytes)?;
        Ok(Ended::Good)
    }

    fn output(&self) -> &Path {
        self.output.as_deref().unwrap_or(Path::new("-"))
    }

    fn kind(&self) -> Result<Kind, Failure> {
        let ending = self.output().extension().map(|ending| ending.to_ascii_lowercase());
        match (self.to, ending.as_ref().map(|ending| ending.to_str())) {
            (Some(kind), _) => Ok(kind),
            (None, None | Some(Some("svg"))) => Ok(Kind::Svg),
            (None, Some(Some("dot" | "gv"))) => Ok(Kind::Dot),
            (None, Some(Some("png"))) => Ok(Kind::Png),
            (None, Some(_)) => {
                let name = self.output().display();
                let text = format!("{name}: the name does not say what to draw; --to does");
                Err(Failure::Usage(text))
            }
        }
    }
}

/// Why a file has no graph: what is wrong with the module, or that it is none.
fn refused(input: &Input, error: impl std::fmt::Display) -> Failure {
    let settled = formats::settled(&input.bytes, &Options::new());
    match settled.filter(|_| !File::is_module(&input.bytes)) {
        None => Failure::data(&input.name, error),
        Some(format) => {
            let text = format.kind().without_graph();
            Failure::Usage(format!("{}: {text}; only modules of tsm have a graph", input.name))
        }
    }
}

/// The picture, unless there is too much in it to be one.
fn draw(picture: &Picture, name: &str) -> Result<Svg, Failure> {
    let refuse = |count: usize, what: &str, most: usize| {
        Err(Failure::Usage(format!(
            "{name}: {count} {what}, of which a picture shows {most}: \
             draw a part with --around NAME, or all with --to dot"
        )))
    };
    if picture.cards.len() > MOST_BOXES {
        return refuse(picture.cards.len(), "boxes", MOST_BOXES);
    }
    if picture.wires.len() > MOST_WIRES {
        return refuse(picture.wires.len(), "connections", MOST_WIRES);
    }
    svg::write(picture).map_err(|error| {
        Failure::Usage(format!(
            "{name}: the connections pass more than {} places: \
             draw a part with --around NAME, or all with --to dot",
            error.most
        ))
    })
}

/// What the picture is called: the name of the file without its folders.
fn title(path: &Path) -> String {
    match path.file_name() {
        Some(name) if path.as_os_str() != "-" => plain_bytes(name.to_string_lossy().as_bytes()),
        _ => "module".into(),
    }
}
