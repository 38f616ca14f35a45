//! `fourfold convert`: the tensors of one file, written as another.

mod save;

use std::path::{Path, PathBuf};

use clap::Args;
use fourfold::biniou::Options;

use self::save::{save, save_seekable};
use crate::failure::{Ended, Failure, remark};
use crate::input::Input;
use crate::output::print;
use crate::progress::{Progress, patiently};
use crate::target;
use crate::tensors::{Container, Order, Role, Source, Tensor, Weights};
use crate::tensors::{npy, npz, primitiv, safetensors, tsm};
use crate::write::plain::OneLine;

/// Convert weights between tsm, primitiv, safetensors and NumPy's npz and npy.
///
/// Prints a line for each tensor: what it is and how its elements lie, there and here. How names,
/// types and layouts map: `convert` among the pages of the crate's documentation,
/// docs.rs/fourfold.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The file to read, or `-` for standard input.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write, or `-` for standard output, which prints nothing else then.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// What to write, if the name of OUT does not tell.
    #[arg(long, value_name = "CONTAINER")]
    to: Option<Container>,
    /// The tsm or primitiv file that the tensors came from: everything else is taken from it. A
    /// tsm module cannot be written without.
    #[arg(long, value_name = "ORIGINAL")]
    like: Option<PathBuf>,
    /// Also the attributes of a module's operators, not only the values of its `<const>` nodes.
    #[arg(long)]
    all: bool,
    /// Print to a terminal, too, if OUT is `-`.
    #[arg(long)]
    force: bool,
}

const EXAMPLES: &str = "\
Examples:
  fourfold convert model.tsm model.safetensors
  fourfold convert model.safetensors new.tsm --like model.tsm
  fourfold convert encoder.model encoder.npz";

impl Arguments {
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let Some(target) = self.to.or_else(|| Container::of_name(&self.output)) else {
            let text = format!(
                "{}: the name does not say what to write; --to does",
                self.output.display()
            );
            return Err(Failure::Usage(text));
        };
        if self.like.is_some() && !matches!(target, Container::Tsm | Container::Primitiv) {
            return Err(Failure::Usage("--like is for files of tsm and primitiv".into()));
        }
        target::spare_terminal(self.force || self.output.as_os_str() != "-")?;
        let inputs = [Some(self.input.as_path()), self.like.as_deref()].into_iter().flatten();
        target::spare_inputs(&self.output, inputs.clone())?;
        target::spare_inputs_of_printing(inputs)?;
        let input = patiently("reading", || Input::open(&self.input))?;
        let refused = |text: String| Failure::data(&input.name, text);
        let source = patiently("reading", || Source::read(&input, &Options::new()))?;
        let mut weights = source.weights().map_err(refused)?;
        let found = weights.tensors.len();
        if !self.all {
            weights.tensors.retain(|tensor| tensor.role != Role::Attribute);
        }
        weights.check(target).map_err(refused)?;
        let is_empty = weights.tensors.is_empty();
        let bytes = weights.tensors.iter().map(|tensor| tensor.bytes.len()).sum();
        let progress = Progress::of_bytes(bytes);
        match target {
            Container::Safetensors => {
                weights.describe();
                let (tensors, notes) = (&weights.tensors, &weights.notes);
                save(&self.output, &progress, |writer| safetensors::write(tensors, notes, writer))?;
            }
            Container::Npz => save_seekable(&self.output, &progress, |writer| {
                npz::write(&weights.tensors, writer)
            })?,
            Container::Npy => match weights.tensors.as_slice() {
                [tensor] => save(&self.output, &progress, |writer| npy::write(tensor, writer))?,
                several => {
                    let count = several.len();
                    return Err(refused(format!("{count} tensors: a file of npy holds one")));
                }
            },
            Container::Tsm => {
                let original = self.like.as_deref().map(Input::open).transpose()?;
                let document =
                    patiently("reading", || self.tsm(&weights, &input, original.as_ref()))?;
                save(&self.output, &progress, |writer| document.write(writer))?;
            }
            Container::Primitiv => {
                let original = self.like.as_deref().map(Input::open).transpose()?;
                let file =
                    patiently("reading", || self.primitiv(&weights, &input, original.as_ref()))?;
                save(&self.output, &progress, |writer| primitiv::write(&file, writer))?;
            }
        }
        drop(progress);
        if self.output.as_os_str() != "-" {
            print(|out| weights.tensors.iter().try_for_each(|tensor| line(tensor, target, out)))?;
        }
        // Nothing is wrong, and yet it is hardly what was wanted.
        match (is_empty, found) {
            (false, _) => {}
            (true, 0) => remark(&format!("{}: no tensors", input.name)),
            (true, _) => {
                let name = &input.name;
                remark(&format!(
                    "{name}: no weights, only attributes of operators: --all takes them"
                ));
            }
        }
        Ok(Ended::Good)
    }

    /// The tsm file to write.
    fn tsm<'a>(
        &self,
        weights: &'a Weights<'_>,
        input: &Input,
        original: Option<&'a Input>,
    ) -> Result<tsm::Document<'a>, Failure> {
        let refused = |text: String| Failure::data(&input.name, text);
        let Some(original) = original else {
            if self.output.extension().is_some_and(|extension| extension == "tsm") {
                let text = "a module is more than its weights: --like names the one to fill";
                return Err(Failure::Usage(text.into()));
            }
            return tsm::packed(weights).map_err(refused);
        };
        let document = tsm::Document::read(&original.bytes);
        let mut document = document.map_err(|text| Failure::data(&original.name, text))?;
        document.put_back(weights).map_err(refused)?;
        Ok(document)
    }

    /// The file of primitiv to write.
    fn primitiv<'a>(
        &self,
        weights: &'a Weights<'_>,
        input: &Input,
        original: Option<&'a Input>,
    ) -> Result<fourfold::primitiv::File<'a>, Failure> {
        let refused = |text: String| Failure::data(&input.name, text);
        let Some(original) = original else {
            let made = match self.output.extension().and_then(|extension| extension.to_str()) {
                Some("param") => primitiv::parameter(weights),
                Some("tensor") => primitiv::tensor(weights),
                _ => primitiv::model(weights),
            };
            return made.map_err(refused);
        };
        let file = primitiv::read(&original.bytes);
        let mut file = file.map_err(|text| Failure::data(&original.name, text))?;
        primitiv::put_back(&mut file, weights).map_err(refused)?;
        Ok(file)
    }
}

/// One line: `w: F32 [2, 3] column-major → F32 [2, 3] row-major`.
fn line(
    tensor: &Tensor<'_>,
    target: Container,
    out: &mut dyn std::io::Write,
) -> std::io::Result<()> {
    let Some((dtype, shape)) = tensor.stored_in(target) else { return Ok(()) };
    let order = match target {
        Container::Tsm | Container::Safetensors => Order::RowMajor,
        Container::Primitiv => Order::ColumnMajor,
        Container::Npz | Container::Npy if shape.len() > tensor.shape.len() => Order::RowMajor,
        Container::Npz | Container::Npy => tensor.order,
    };
    let name = OneLine(&tensor.name);
    writeln!(out, "{name}: {tensor} {} → {dtype} {shape:?} {order}", tensor.order)
}

impl Weights<'_> {
    /// Refuses what the container cannot hold, before anything is written.
    fn check(&self, target: Container) -> Result<(), String> {
        for tensor in &self.tensors {
            let name = &tensor.name;
            let missing = || format!("{} has no place in {}", tensor.dtype, target.name());
            let (dtype, _) =
                tensor.stored_in(target).ok_or_else(|| format!("{} in {name}", missing()))?;
            if target == Container::Npz && name.len() > npz::LONGEST_NAME {
                let (len, start) = (name.len(), name.get(..32).unwrap_or_default());
                return Err(format!("a name of {len} bytes, too long for a zip file: {start}.."));
            }
            if target == Container::Safetensors && name == safetensors::METADATA {
                return Err(format!("safetensors has another use for the name {name}"));
            }
            let is_flag = dtype == crate::tensors::DType::Bool;
            if let Some(byte) = tensor.bytes.iter().find(|byte| is_flag && **byte > 1) {
                return Err(format!("a BOOL of {byte}, neither 0 nor 1, in {name}"));
            }
        }
        Ok(())
    }

    /// Notes what the tensors come from, which they themselves do not say.
    fn describe(&mut self) {
        if !matches!(self.container, Container::Safetensors) {
            let order = match self.tensors.first() {
                Some(first) if self.tensors.iter().all(|other| other.order == first.order) => {
                    first.order.to_string()
                }
                Some(_) => "mixed".into(),
                None => Order::RowMajor.to_string(),
            };
            self.notes.insert("fourfold.source".into(), self.container.name().into());
            self.notes.insert("fourfold.source_layout".into(), order);
        }
    }
}

/// Whether the output is a regular file, or one that is not there yet.
fn is_regular(path: &Path) -> bool {
    path.as_os_str() != "-" && std::fs::metadata(path).map_or(true, |found| found.is_file())
}
