//! `fourfold graph`: the picture of the graph of a module or an ONNX model.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use fourfold_inspect::graph::colours::Theme;
use fourfold_inspect::graph::heat::{self, Cost};
use fourfold_inspect::graph::{Shape, dot, draw, near, picture, repeats, stack, subgraph};
use fourfold_inspect::write::plain::plain_bytes;

use crate::failure::{ExitStatus, Failure};
use crate::hex::Hex;
use crate::output;
use crate::paper::Paper;
use crate::pdf;
use crate::png;
use crate::progress::with_progress;
use crate::target;

/// Draw the graph of a tsm module or an ONNX model.
///
/// Operators are boxes with their constant inputs (weights) and their params (stride, padding)
/// inside; params that are the operator's defaults are only in the tooltips of an SVG. Activations,
/// normalisations and biases that alone use the operator before them are in its box (not in DOT). Inputs and
/// outputs of the graph are round. Below a box is the type and shape of its output, if the file contains them. The
/// colour of a box shows the family of its operator (convolution, pooling, shape, ...); see the legend. A long graph
/// is drawn in columns, from left to right.
/// SVG, PNG and PDF need no other program; DOT is the language of Graphviz.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fourfold graph model.tsm -o model.svg
  fourfold graph model.onnx --fold -o model.pdf --paper a3
  fourfold graph model.tsm --to dot | dot -Tsvg -o model.svg
  fourfold graph huge.tsm --around conv5_3 --steps 4 -o part.png")]
pub(crate) struct Arguments {
    /// The module or model, or `-` for standard input.
    file: PathBuf,
    /// The picture, or `-` for standard output, which is the default. PNG and PDF are not printed to a
    /// terminal without --force.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print PNG and PDF to a terminal, too.
    #[arg(long)]
    force: bool,
    /// The picture format [default: by the output's extension; svg if it has none].
    #[arg(long, value_name = "KIND")]
    to: Option<Kind>,
    /// Draw the graph in an attribute of a node of an ONNX model, such as `if_1/then_branch`: the node's name or first
    /// output, and the attribute. Boxes of such nodes list their graphs.
    #[arg(long, value_name = "NODE/ATTRIBUTE", conflicts_with = "shapes")]
    subgraph: Option<String>,
    /// Draw only the surroundings of the nodes of this name.
    #[arg(long, value_name = "NAME")]
    around: Option<String>,
    /// The most steps from these nodes.
    #[arg(long, value_name = "COUNT", default_value_t = 3, requires = "around")]
    steps: usize,
    /// Draw parts once that follow each other and are equal except for names and values of weights, such as
    /// residual blocks, with their number. Parts with other sizes of weights, attributes, single numbers or
    /// connections are drawn themselves.
    #[arg(long)]
    fold: bool,
    /// The shape of an input of a module: 1x3x224x224, or x=1x3x224x224 for the input x; ? is an unknown size. Without
    /// it, the shapes are those that the module stores. Can be repeated. Shapes of all outputs follow from those of the
    /// inputs.
    #[arg(long = "input", value_name = "SHAPE", allow_hyphen_values = true)]
    shapes: Vec<Shape>,
    /// Colour operators by this number, which is added to their boxes.
    #[arg(long, value_name = "COST")]
    heat: Option<Cost>,
    /// Draw in dark colours. By default an SVG follows the setting of its viewer, and other pictures are
    /// light.
    #[arg(long)]
    dark: bool,
    /// Use this font file for a PNG, and in a PDF for what is not Latin. Characters that it lacks are taken from
    /// installed fonts.
    #[arg(long, value_name = "FILE")]
    font: Option<PathBuf>,
    /// Pixels per unit of the drawing in a PNG [default: 2, or less if the drawing is large].
    #[arg(long, value_name = "FACTOR")]
    scale: Option<f32>,
    /// Print a PDF on paper of this size, in landscape: on one page if its text has 6 points or more there, else on as
    /// many as that takes. Without it, one page is as large as the drawing.
    #[arg(long, value_name = "SIZE")]
    paper: Option<Paper>,
    #[command(flatten)]
    hex: Hex,
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
    /// A page with text that can be searched.
    Pdf,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let kind = self.kind()?;
        self.refuse_options(kind)?;
        let is_text = matches!(kind, Kind::Svg | Kind::Dot);
        target::refuse_terminal(is_text || self.force || self.output.is_some())?;
        let inputs = [Some(self.file.as_path()), self.font.as_deref()];
        target::refuse_to_overwrite(self.output(), inputs.into_iter().flatten())?;
        let input = self.hex.open_as(&self.file, true)?;
        let mut picture = match &self.subgraph {
            Some(path) => subgraph(&input, &title(&self.file), path)?,
            None => picture(&input, &title(&self.file), &self.shapes)?,
        };
        if let Some(name) = &self.around {
            let found = near::keep_near(&mut picture, name, self.steps);
            if !found {
                return Err(Failure::Usage(format!("{}: there is no node {name}", input.name)));
            }
        }
        if let Some(cost) = self.heat {
            heat::colour_file(&mut picture, cost, &input, &self.shapes)?;
        }
        if self.fold {
            repeats::fold(&mut picture);
        }
        if kind != Kind::Dot {
            stack::stack(&mut picture);
        }
        let theme = if self.dark { Theme::Dark } else { Theme::Auto };
        let name = &input.name;
        let bytes = match kind {
            Kind::Dot => dot::write(&picture, theme).into_bytes(),
            Kind::Svg => {
                with_progress("drawing", || draw(&picture, theme, name))?.text.into_bytes()
            }
            Kind::Pdf => {
                let font = self.font.as_deref();
                with_progress("drawing", || {
                    pdf::render(&mut picture, theme, name, font, self.paper)
                })?
            }
            Kind::Png => {
                let font = self.font.as_deref();
                with_progress("drawing", || {
                    png::render(&mut picture, theme, name, font, self.scale)
                })?
            }
        };
        output::save(self.output(), &bytes)?;
        Ok(ExitStatus::Good)
    }

    /// Refuses options that have no effect for a kind of picture.
    fn refuse_options(&self, kind: Kind) -> Result<(), Failure> {
        let [png, pdf] = [(Kind::Png, "PNG", "png"), (Kind::Pdf, "PDF", "pdf")];
        let options = [
            ("--font", self.font.is_some(), &[png, pdf][..]),
            ("--scale", self.scale.is_some(), &[png]),
            ("--paper", self.paper.is_some(), &[pdf]),
        ];
        for (option, _, kinds) in options.into_iter().filter(|(_, is_given, _)| *is_given) {
            let Some((_, _, first)) = kinds.first() else { continue };
            if !kinds.iter().any(|(one, ..)| *one == kind) {
                let names: Vec<&str> = kinds.iter().map(|(_, name, _)| *name).collect();
                let names = names.join(" and ");
                let text = format!("{option} is for {names}; leave it out, or use `--to {first}`");
                return Err(Failure::Usage(text));
            }
        }
        Ok(())
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
            (None, Some(Some("pdf"))) => Ok(Kind::Pdf),
            (None, Some(_)) => {
                let name = self.output().display();
                Err(Failure::Usage(format!(
                    "{name}: graph does not draw such files; it writes .svg, .dot or .gv, .png and .pdf. \
                     `--to` selects one of them for any name"
                )))
            }
        }
    }
}

/// The title of the picture: the file name without folders.
fn title(path: &Path) -> String {
    match path.file_name() {
        Some(name) if path.as_os_str() != "-" => plain_bytes(name.to_string_lossy().as_bytes()),
        _ => "module".into(),
    }
}
