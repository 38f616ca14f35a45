//! `fourfold convert`: writes the tensors or records of a file in another format, and extracts and packs packages.

mod graph;
mod package;
#[cfg(feature = "tables")]
mod records;
mod save;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use fourfold::biniou::Options;
use fourfold_inspect::exchange::{InputShape, can_have_graphs, has_graphs, is_onnx};
use fourfold_inspect::formats::container;
use fourfold_inspect::tensors::{Container, Request, Role, Tensor, read_as};
use fourfold_inspect::write::count::counted;
use fourfold_inspect::write::plain::OneLine;

use self::package::Task;
use self::save::save;
use crate::failure::{ExitStatus, Failure, warn};
use crate::hex::Hex;
use crate::input::Input;
use crate::output::print;
use crate::progress::{Progress, with_progress};
#[cfg(feature = "tables")]
use crate::records::Form;
use crate::target;

/// Convert weights between tsm, primitiv, safetensors and NumPy's npz and npy, and from ONNX; convert records into
/// Parquet, CSV and JSON lines, and modules of TenniS into models of ONNX and back; extract packages of SeetaFace, and
/// pack them.
///
/// Prints a line for each tensor: its type, and the order of its elements in both files. How names,
/// types and layouts are mapped: chapter `convert` of the crate's documentation, docs.rs/fourfold.
///
/// A module of TenniS becomes a model of ONNX (.onnx) that computes the same, and a model a module (.tsm, without
/// --like); operators that have no exact counterpart are refused, all of them at once (docs/onnx.md).
///
/// A package (.sta, .csta) becomes a file .json and one for each binary in it, beside it. From that JSON, or another one
/// that names files in its folder, the package is made again.
///
/// Records of several files become one OUT: IN is then a pattern in quotes, or a directory with -r. Files that cannot be
/// opened are reported and left out, and the exit code is 1. OUT itself is never read, nor are files named .parquet,
/// .csv, .jsonl or .ndjson in directories, since convert writes such files.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The file to read, or `-` for standard input.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write, or `-` for standard output; the lines of tensors are then not printed.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// The output format, if the extension of OUT does not select it.
    #[arg(long, value_name = "FORM")]
    to: Option<Target>,
    /// The tsm or primitiv file that the tensors came from: everything else is copied from it. Required
    /// to write a tsm module.
    #[arg(long, value_name = "ORIGINAL")]
    like: Option<PathBuf>,
    /// Convert the attributes of a module's operators too, not only the values of its `<const>` nodes.
    #[arg(long)]
    all: bool,
    /// Write elements of a type that OUT lacks as the numbers of their bits, although these are other values: in npz and
    /// npy, bfloat16 as uint16, 8-bit floats as uint8, and fixed-point numbers of tsm as int8.
    #[arg(long)]
    raw: bool,
    /// The shape of an input of a module that becomes a model of ONNX, or of a model that becomes a module: 1x3x224x224,
    /// or x=1x3x224x224 for the input x; ? is an unknown size. Without it, the shapes are those that IN stores. Can be
    /// repeated.
    #[arg(long = "input", value_name = "SHAPE", allow_hyphen_values = true)]
    shapes: Vec<InputShape>,
    /// If OUT is `-`, print to a terminal, too.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    hex: Hex,
    #[cfg(feature = "tables")]
    #[command(flatten)]
    records: records::Request,
}

const EXAMPLES: &str = "\
Examples:
  fourfold convert model.tsm model.safetensors
  fourfold convert model.safetensors new.tsm --like model.tsm
  fourfold convert encoder.model encoder.npz
  fourfold convert model.tsm model.onnx --input 1x3x224x224
  fourfold convert model.onnx new.tsm
  fourfold convert face_detector.sta face_detector.json
  fourfold convert face_detector.json new.sta
  fourfold convert log.biniou log.parquet --schema log.atd --type log_list
  fourfold convert log.biniou - --to jsonl --schema log.atd --type entry | jq .request
  fourfold convert 'logs/*.biniou' logs.parquet --schema log.atd --type entry --column host --column bytes
  fourfold convert block.bin txs.parquet --schema blockchain.mol --type Block --explode transactions";

/// The output format.
#[derive(Clone, Copy, Debug)]
enum Target {
    Tensors(Container),
    /// A model of ONNX, made of a module.
    Model,
    #[cfg(feature = "tables")]
    Records(Form),
}

impl Target {
    const fn container(self) -> Option<Container> {
        match self {
            Target::Tensors(container) => Some(container),
            Target::Model => None,
            #[cfg(feature = "tables")]
            Target::Records(_) => None,
        }
    }
}

/// The containers that can be written.
fn written() -> impl Iterator<Item = Container> {
    Container::value_variants().iter().copied().filter(|container| container.kind().is_written())
}

impl ValueEnum for Target {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<Target>> = LazyLock::new(|| {
            let tensors = written().map(Target::Tensors).chain([Target::Model]);
            #[cfg(feature = "tables")]
            let tensors = tensors.chain(Form::ALL.map(Target::Records));
            tensors.collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Target::Tensors(container) => container.to_possible_value(),
            Target::Model => Container::Onnx.to_possible_value(),
            #[cfg(feature = "tables")]
            Target::Records(form) => Some(PossibleValue::new(form.name())),
        }
    }
}

impl Arguments {
    /// The output format of records, if records are converted.
    #[cfg(feature = "tables")]
    fn form(&self) -> Option<Form> {
        match self.to {
            None => Form::of_name(&self.output),
            Some(Target::Records(form)) => Some(form),
            Some(Target::Tensors(_) | Target::Model) => None,
        }
    }

    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        #[cfg(feature = "tables")]
        if let Some(form) = self.form() {
            return self.records.run(&self.input, &self.output, form, self.force, self.hex);
        }
        #[cfg(feature = "tables")]
        if self.records.is_given() {
            let text = "records are written as .parquet, .csv, .jsonl or .ndjson: use such a name, or --to";
            return Err(Failure::Usage(text.into()));
        }
        if matches!(self.to, Some(Target::Model)) || self.to.is_none() && is_onnx(&self.output) {
            return self.convert_graph();
        }
        if let Some(task) = Task::of_name(&self.output).filter(|_| self.to.is_none()) {
            return self.convert_package(task);
        }
        let request = self.to.and_then(Target::container);
        let target = request.or_else(|| Container::of_name(&self.output));
        let Some(target) = target.filter(|target| target.kind().is_written()) else {
            return Err(self.no_target());
        };
        let kind = target.kind();
        if !can_have_graphs(target) {
            self.refuse_shapes()?;
        }
        if self.like.is_some() && !kind.takes_original() {
            return Err(Failure::Usage("--like is for files of tsm and primitiv".into()));
        }
        target::refuse_terminal(self.force || self.output.as_os_str() != "-")?;
        let inputs = [Some(self.input.as_path()), self.like.as_deref()].into_iter().flatten();
        target::refuse_to_overwrite(&self.output, inputs.clone())?;
        target::refuse_to_print_over(inputs)?;
        let input = with_progress("reading", || self.hex.open(&self.input))?;
        let refused = |text: String| Failure::data(&input.name, text);
        let found = container(&input, &Options::new())?;
        if self.like.is_none() && has_graphs(found, target) {
            self.refuse_options_of_tensors()?;
            graph::write_tsm(&input, &self.output, &self.shapes)?;
            return Ok(ExitStatus::Good);
        }
        self.refuse_shapes()?;
        let source = with_progress("reading", || read_as(found, &input))?;
        let beside = source.beside();
        target::refuse_to_overwrite(&self.output, beside.iter().map(|(path, _)| path.as_path()))?;
        let mut weights = source.weights().map_err(refused)?;
        let found = weights.tensors.len();
        if !self.all {
            weights.tensors.retain(|tensor| tensor.role != Role::Attribute);
        }
        weights.check(target, self.raw).map_err(refused)?;
        let notes = weights.own_notes().len();
        if notes > 0 && !kind.keeps_notes() {
            let (name, target) = (&input.name, target.name());
            let notes = counted(notes, "note");
            warn(&format!("{name}: {notes} of `__metadata__` left out: {target} has none"));
        }
        let is_empty = weights.tensors.is_empty();
        let bytes = weights.tensors.iter().map(|tensor| tensor.bytes.len()).sum();
        let progress = Progress::of_bytes(bytes);
        let original = self.like.as_deref().map(|path| self.hex.open(path)).transpose()?;
        let extension = self.output.extension().map(|it| it.to_string_lossy().to_lowercase());
        let extension = extension.as_deref();
        let request = Request { input: &input, original: original.as_ref(), extension };
        let made = with_progress("reading", || kind.make(&weights, &request))?;
        save(&self.output, &progress, kind.seeks(), |writer| made.write(writer))?;
        drop(progress);
        if self.output.as_os_str() != "-" {
            print(|out| weights.tensors.iter().try_for_each(|tensor| line(tensor, target, out)))?;
        }
        // Not an error, but probably not what the user wanted.
        match (is_empty, found) {
            (false, _) => {}
            (true, 0) => warn(&format!("{}: no tensors", input.name)),
            (true, _) => {
                let name = &input.name;
                warn(&format!(
                    "{name}: no weights, only attributes of operators: --all takes them"
                ));
            }
        }
        Ok(ExitStatus::Good)
    }
}

impl Arguments {
    fn refuse_options_of_tensors(&self) -> Result<(), Failure> {
        match self.like.is_some() || self.all || self.raw {
            true => Err(Failure::Usage("--like, --all and --raw are for tensors".into())),
            false => Ok(()),
        }
    }

    /// The input of a conversion that is not one of tensors.
    fn open(&self) -> Result<Input, Failure> {
        self.refuse_options_of_tensors()?;
        target::refuse_to_overwrite(&self.output, [self.input.as_path()])?;
        target::refuse_to_print_over([self.input.as_path()])?;
        with_progress("reading", || self.hex.open(&self.input))
    }

    fn convert_graph(&self) -> Result<ExitStatus, Failure> {
        target::refuse_terminal(self.force || self.output.as_os_str() != "-")?;
        graph::write_onnx(&self.open()?, &self.input, &self.output, &self.shapes)?;
        Ok(ExitStatus::Good)
    }

    fn refuse_shapes(&self) -> Result<(), Failure> {
        match self.shapes.is_empty() {
            true => Ok(()),
            false => Err(Failure::Usage(
                "--input is for graphs, whose shapes depend on it: a module as a model of ONNX (OUT like model.onnx), \
                 or a model as a module (OUT like model.tsm, without --like). Tensors are written as they are"
                    .into(),
            )),
        }
    }

    fn convert_package(&self, task: Task) -> Result<ExitStatus, Failure> {
        self.refuse_shapes()?;
        let input = self.open()?;
        match task {
            Task::Extract => package::extract(&input, &self.input, &self.output)?,
            Task::Pack => package::pack(&input, &self.input, &self.output)?,
        }
        Ok(ExitStatus::Good)
    }

    /// The error for a name that does not select an output format, with the names that do.
    fn no_target(&self) -> Failure {
        let name = self.output.display();
        let extension = self.output.extension().map(|it| it.to_string_lossy().to_lowercase());
        if matches!(extension.as_deref(), Some("parquet" | "csv" | "jsonl" | "ndjson")) {
            return Failure::Usage(format!(
                "{name}: records need the feature `tables`, which this command was built without: \
                 `cargo install --locked fourfold-cli`"
            ));
        }
        let what = match extension {
            Some(extension) => format!("convert does not write `.{extension}` files"),
            None => "the name has no extension that selects the output format".into(),
        };
        let kinds = written().map(|container| {
            let endings = container.kind().extensions().iter().map(|ending| format!(".{ending}"));
            format!("{} ({})", container.name(), endings.collect::<Vec<_>>().join(", "))
        });
        let kinds: Vec<String> = kinds.collect();
        Failure::Usage(format!(
            "{name}: {what}; it writes tensors as {}, and records as .parquet, .csv, .jsonl or \
             .ndjson. `--to` selects one of them for any name. Modules are written as .onnx. Packages are written as .sta and extracted \
             as .json",
            kinds.join(", ")
        ))
    }
}

/// One line: `w: float32 [2, 3] column-major → float32 [2, 3] row-major`.
fn line(
    tensor: &Tensor<'_>,
    target: Container,
    out: &mut dyn std::io::Write,
) -> std::io::Result<()> {
    let kind = target.kind();
    let Some((dtype, shape)) = tensor.stored_in(kind) else { return Ok(()) };
    let order = kind.order(tensor, &shape);
    let name = OneLine(&tensor.name);
    writeln!(out, "{name}: {tensor} {} → {dtype} {shape:?} {order}", tensor.order)
}

/// Whether the output is a regular file, or does not exist yet.
fn is_regular(path: &Path) -> bool {
    path.as_os_str() != "-" && std::fs::metadata(path).map_or(true, |found| found.is_file())
}
