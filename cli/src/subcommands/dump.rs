//! `fourfold dump`.

use std::path::PathBuf;

use clap::Args;
use fourfold::biniou::{Dictionary, Options};
use fourfold_inspect::formats::{FileKind, Parts, Typed};
use fourfold_inspect::model::{Document, Part};
use fourfold_inspect::package::{self, Value};
use fourfold_inspect::show::select::select;
use fourfold_inspect::show::{json, lines, tree, yaml};
use fourfold_inspect::tensors::{Weights, read_as};
use fourfold_inspect::write::plain::{plain, quoted};
use fourfold_inspect::write::report::About;

use crate::choice::Choice;
use crate::chosen;
use crate::depth::Depth;
use crate::failure::{ExitStatus, Failure, warn};
use crate::input::Input;
use crate::inputs::{Found, Inputs};
use crate::many::{self, Headings, Outcome, Settings};
use crate::names::Names;
use crate::output;
use crate::progress::with_progress;
use crate::schema::Types;
use crate::target;

/// Larger tensors are summarised in the tree and in YAML.
const MOST_FOR_PEOPLE: usize = 64;

/// Larger tensors are summarised in JSON.
const MOST_IN_JSON: usize = 1 << 16;

/// Print the content of a file, or one nested value.
///
/// Reads files of safetensors, npz and npy too, and packages of SeetaFace (.sta), whose binaries are shown by their size
/// and written by --raw. Each of several files has a heading (in JSON, an object with `file` and
/// `document`; JSON lines are concatenated without names). Tensors of more than 64 elements are summarised (in JSON, of
/// more than 65,536) unless --full is given.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  fourfold dump model.tsm
  fourfold dump model.tsm --path 'graph[3].bubble.value' --full
  fourfold dump save.biniou --dict save.atd
  fourfold dump block.bin --schema blockchain.mol --type Block
  fourfold dump block.bin --schema blockchain.mol --type Block --ckb
  fourfold dump save.biniou --schema save.atd --type player --json
  fourfold dump cell.hex --hex --schema blockchain.mol --type CellOutput
  fourfold dump block.bin --schema blockchain.mol --type Block --path transactions[0] --raw -o tx.bin
  fourfold dump log.biniou --jsonl --dict log.atd | jq .request
  fourfold dump weights.model --json --full > weights.json
  fourfold dump model.sta --path backbone.tsm --raw | fourfold info -")]
pub(crate) struct Arguments {
    #[command(flatten)]
    files: Inputs,
    /// Indented, a line for each field: the default.
    #[arg(long, group = "form")]
    tree: bool,
    /// JSON, from which `make` makes the same bytes again; see chapter `json` of the crate's documentation,
    /// docs.rs/fourfold.
    #[arg(long, group = "form")]
    json: bool,
    /// JSON of records, one per line: of concatenated values, of those in a stream of chunks, and of the items of a list
    /// that is the whole file.
    #[arg(long, group = "form")]
    jsonl: bool,
    /// The bytes of the value at `--path`, unchanged; with --hex, as hexadecimal digits.
    ///
    /// Items of a biniou list have no tag of their own.
    #[arg(long, group = "form", requires = "path", conflicts_with = "ckb")]
    raw: bool,
    /// YAML of the same structure.
    #[arg(long, group = "form")]
    yaml: bool,
    /// The JSON of CKB's RPC, with a `.mol` schema: numbers and bytes as `0x…`, `hash_type` and `dep_type` by name.
    #[arg(long, conflicts_with = "tree")]
    ckb: bool,
    #[command(flatten)]
    format: Choice,
    /// One nested value only, by its keys and positions, such as `graph[3].bubble.value`.
    ///
    /// The value and its parents are checked. The rest is checked only as far as it must be read to find the value; to
    /// check the whole file, use `verify`.
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    types: Types,
    /// All elements of all tensors.
    #[arg(long)]
    full: bool,
    /// The file to write; standard output by default. For one input file.
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: PathBuf,
    #[command(flatten)]
    depth: Depth,
}

impl Arguments {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        self.depth.run(|| {
            let files = self.files.find()?;
            if self.output.as_os_str() != "-" {
                let instead = "without it, they are printed one after another";
                many::only_one(&files, "-o", instead)?;
            }
            let mut headings = Headings::of(&files);
            let settings = Settings { format: self.format, names: &self.names, types: &self.types };
            let files = settings.for_files(files, &self.output, |names, types| {
                Ok(FileSettings {
                    typed: match self.ckb {
                        true => types.read_ckb(self.format)?,
                        false => types.read(self.format)?,
                    },
                    types: types.clone(),
                    names: names.read()?,
                    has_names: !names.is_empty(),
                })
            })?;
            many::each(files, |file, settings| self.dump(file, settings, &mut headings))
        })
    }

    fn dump(
        &self,
        file: &Found,
        settings: &FileSettings,
        headings: &mut Headings,
    ) -> Result<Outcome, Failure> {
        let FileSettings { typed, types, names, has_names } = settings;
        let options = self.depth.options();
        let is_known = self.format.format.is_some() || typed.is_some();
        let input = with_progress("reading", || self.files.hex.open_as(&file.path, is_known))?;
        if let Some((container, outcome)) =
            chosen::container(self.format, typed.as_ref(), &input, &options)
        {
            if *has_names {
                return Err(no_names(&input));
            }
            if self.raw {
                let (name, container) = (&input.name, container.name());
                let text = "`--json --full` prints all elements of a tensor";
                let text = format!("{name}: --raw does not read {container}; {text}");
                return Err(Failure::Usage(text));
            }
            let source = with_progress("reading", || read_as(container, &input))?;
            let weights = source.weights().map_err(|text| Failure::data(&input.name, text))?;
            let (status, word) = outcome;
            self.show(&input, &Document::of_weights(&weights), headings)?;
            return Ok((status.max(warn_of_unread(&weights, &input)), word));
        }
        if let Some(package) = chosen::package(self.format, typed.as_ref(), &input)? {
            if *has_names {
                return Err(no_names(&input));
            }
            return match self.raw {
                true => self.print_binary(&package, &input),
                false => self.show(&input, &package::document(&package), headings),
            };
        }
        let chosen = with_progress("reading", || {
            file.choose(self.format, typed.as_ref(), &input, &options, Choice::of)
        });
        let chosen = match chosen? {
            Ok(chosen) => chosen,
            Err(outcome) => return Ok(outcome),
        };
        let kind = chosen.kind();
        // Only the schema has the types.
        if let Some(note) = chosen.mismatch().filter(|_| !kind.has_types() && !self.raw) {
            return Err(Failure::data(&input.name, note));
        }
        chosen.warn(&input);
        let with_schema: Dictionary;
        let names = match chosen.mismatch() {
            Some(_) => {
                with_schema = types.names(typed.as_ref(), names.clone())?;
                &with_schema
            }
            None => names,
        };
        if *has_names && !kind.has_hashes() {
            return Err(no_names(&input));
        }
        if self.raw {
            return Ok(chosen.outcome(self.print_raw(kind, &input, &options)?));
        }
        if let Some(part) = self.part(kind, &input, names, &options) {
            return Ok(chosen.outcome(self.print(&input, &part, headings)?));
        }
        let about =
            About { name: &input.name, bytes: &input.bytes, names, depth: usize::MAX, inputs: &[] };
        let refused = |text| Failure::data(&input.name, text);
        let loaded =
            with_progress("reading", || kind.load(&input.bytes, &options)).map_err(refused)?;
        let document = with_progress("reading", || loaded.document(&about))?;
        if let Some(text) = loaded.left_out() {
            warn(&format!("{}: {text}", input.name));
        }
        Ok(chosen.outcome(self.show(&input, &document, headings)?))
    }

    /// Writes the bytes of the requested value.
    fn print_raw(
        &self,
        kind: &dyn FileKind,
        input: &Input,
        options: &Options,
    ) -> Result<Outcome, Failure> {
        target::refuse_terminal(self.files.hex.is_given() || self.output.as_os_str() != "-")?;
        let parts = Parts::new(kind, &input.bytes, options);
        let path = self.path.as_deref().unwrap_or_default();
        let found = with_progress("looking for the value", || parts.path(path));
        let bytes = found.and_then(|path| parts.bytes_of(&path));
        let missing = || Failure::Usage(format!("{}: {}", input.name, parts.missing(path)));
        self.files.hex.save(&self.output, bytes.ok_or_else(missing)?)?;
        Ok((ExitStatus::Good, many::SHOWN))
    }

    /// Writes the bytes of the requested binary of a package.
    fn print_binary(&self, package: &Value<'_>, input: &Input) -> Result<Outcome, Failure> {
        target::refuse_terminal(self.files.hex.is_given() || self.output.as_os_str() != "-")?;
        let path = self.path.as_deref().unwrap_or_default();
        let found = fourfold::Path::new(path).ok().and_then(|path| package.at(&path));
        let what = match found {
            Some(Value::Binary(bytes)) => {
                self.files.hex.save(&self.output, bytes)?;
                return Ok((ExitStatus::Good, many::SHOWN));
            }
            Some(other) => format!("{path} is of type {}, not binary", other.type_name()),
            None => format!("no value at {path:?}"),
        };
        let name = &input.name;
        Err(Failure::Usage(format!(
            "{name}: {what}; `fourfold info` lists the binaries of a package"
        )))
    }

    /// The requested value, if it can be read without the rest.
    fn part<'a>(
        &self,
        kind: &'a dyn FileKind,
        input: &'a Input,
        names: &'a Dictionary,
        options: &Options,
    ) -> Option<Part<'a>> {
        // An invalid path can still be a name, so its error is reported only if nothing is found.
        let path = fourfold::Path::new(self.path.as_deref()?).ok()?;
        match path.is_empty() {
            true => None,
            false => with_progress("looking for the value", || {
                kind.part(&input.bytes, &path, names, options)
            }),
        }
    }

    fn show(
        &self,
        input: &Input,
        document: &Document<'_>,
        headings: &mut Headings,
    ) -> Result<Outcome, Failure> {
        match &self.path {
            None if self.jsonl => {
                output::write_data(&self.output, |out| {
                    lines::document(document, self.most(), out)
                })?;
                Ok((ExitStatus::Good, many::SHOWN))
            }
            // RPC values are not wrapped in an object.
            None if self.ckb && !document.is_row() => {
                self.print(input, document.inside(), headings)
            }
            None if self.json || self.yaml || self.ckb => {
                self.print(input, &document.whole(), headings)
            }
            None => self.print(input, document.inside(), headings),
            Some(path) => match select(document.inside(), path, document.root) {
                Ok(part) => self.print(input, &part, headings),
                Err(text) => Err(Failure::Usage(format!("{}: {text}", input.name))),
            },
        }
    }

    const fn is_json(&self) -> bool {
        self.json || self.ckb && !self.yaml
    }

    /// The most elements of a tensor that is written whole.
    const fn most(&self) -> usize {
        match (self.full, self.is_json() || self.jsonl) {
            (true, _) => usize::MAX,
            (false, true) => MOST_IN_JSON,
            (false, false) => MOST_FOR_PEOPLE,
        }
    }

    fn print(
        &self,
        input: &Input,
        part: &Part<'_>,
        headings: &mut Headings,
    ) -> Result<Outcome, Failure> {
        let most = self.most();
        let width = crate::width::of_file(&self.output);
        let are_several = headings.are_wanted();
        match (self.is_json(), self.yaml) {
            _ if self.jsonl => output::write_data(&self.output, |out| lines::part(part, most, out)),
            (true, _) => output::write_data(&self.output, |out| {
                if are_several {
                    writeln!(out, "{{\"file\": {}, \"document\":", quoted(&input.name))?;
                }
                json::write(part, most, width, out)?;
                if are_several { out.write_all(b"}\n") } else { Ok(()) }
            }),
            (_, true) => output::write_data(&self.output, |out| {
                if are_several {
                    writeln!(out, "--- # {}", plain(&input.name))?;
                }
                yaml::write(part, most, out)
            }),
            _ => output::write(&self.output, |out| {
                headings.write(out, Some(&input.name))?;
                tree::write(part, most, width, out)
            }),
        }?;
        Ok((ExitStatus::Good, many::SHOWN))
    }
}

/// Prints the tensors that the document does not have.
fn warn_of_unread(weights: &Weights<'_>, input: &Input) -> ExitStatus {
    weights.unread.iter().for_each(|it| warn(&format!("{}: left out: {it}", input.name)));
    match weights.unread.is_empty() {
        true => ExitStatus::Good,
        false => ExitStatus::Diagnostics,
    }
}

fn no_names(input: &Input) -> Failure {
    let text = "--dict has names for biniou only; names of this format are in the file";
    Failure::Usage(format!("{}: {text}", input.name))
}

/// The settings for a file, from the command line or the project.
struct FileSettings {
    typed: Option<Typed>,
    types: Types,
    names: Dictionary,
    has_names: bool,
}
