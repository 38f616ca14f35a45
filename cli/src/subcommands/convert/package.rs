//! Extracts packages of SeetaFace into JSON and the files of their binaries, and packs such JSON.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use fourfold::Memory;
use fourfold_inspect::exchange::Folder;
use fourfold_inspect::formats::unreadable;
use fourfold_inspect::model::Node;
use fourfold_inspect::package::{self, DEEPEST, EXTENSIONS, is_package};
use fourfold_inspect::show::json;
use fourfold_inspect::write::count::counted;
use fourfold_inspect::write::plain::OneLine;

use crate::failure::{Failure, warn};
use crate::input::{self, Input};
use crate::output::{self, print};
use crate::target;

/// Maximum number of bytes of a value.
const LONGEST: u64 = 0x7fff_ffff;

/// What is done with a package.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task {
    Extract,
    Pack,
}

impl Task {
    /// The task that the extension of the output selects.
    pub(super) fn of_name(output: &Path) -> Option<Self> {
        match &*output.extension()?.to_str()?.to_ascii_lowercase() {
            "json" => Some(Task::Extract),
            extension if EXTENSIONS.contains(&extension) => Some(Task::Pack),
            _ => None,
        }
    }
}

/// Writes the JSON of a package, and its binaries to the same folder.
pub(super) fn extract(input: &Input, source: &Path, target: &Path) -> Result<(), Failure> {
    if !is_package(&input.bytes) {
        let text =
            "not a package of SeetaFace; `fourfold dump --json` prints the JSON of other files";
        let unreadable = unreadable(input);
        return Err(unreadable.unwrap_or_else(|| Failure::data(&input.name, text)));
    }
    let value = package::open(input)?;
    let stem = target.file_stem().unwrap_or_default().to_string_lossy();
    let (json, files) = package::extract(&value, &stem);
    let files = files.into_iter().map(|(name, bytes)| (folder(target).join(name), bytes));
    let files: Vec<(PathBuf, &[u8])> = files.collect();
    let mut text = Vec::new();
    json::write(&json, usize::MAX, None, &mut text).map_err(|error| Failure::io(target, error))?;
    // Before anything is written.
    refuse_to_replace(target, &text)?;
    for (path, bytes) in &files {
        target::refuse_to_overwrite(path, [source])?;
        refuse_to_replace(path, bytes)?;
    }
    for (path, bytes) in &files {
        output::save(path, bytes)?;
    }
    output::save(target, &text)?;
    if !package::is_sorted(&value) {
        let text = "its keys are in another order than OpenRoleZoo writes them: packing sorts them";
        warn(&format!("{}: {text}", input.name));
    }
    print(|out| {
        files.iter().try_for_each(|(path, bytes)| {
            let name = path.display().to_string();
            writeln!(out, "{}: {}", OneLine(&name), counted(bytes.len(), "byte"))
        })
    })
}

/// The folder of a file.
fn folder(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}

/// Refuses to replace a file of other content.
fn refuse_to_replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let is_same = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => true,
        Err(error) => return Err(Failure::io(path, error)),
        Ok(about) if about.is_file() => {
            Memory::open(path).map_err(|error| Failure::io(path, error))?.as_slice() == bytes
        }
        Ok(_) => false,
    };
    match is_same {
        true => Ok(()),
        false => Err(Failure::Usage(format!(
            "{}: this file exists and has other content; move it, or give OUT another name",
            path.display()
        ))),
    }
}

/// Writes the package that JSON describes, with the files that it names.
pub(super) fn pack(input: &Input, source: &Path, target: &Path) -> Result<(), Failure> {
    if is_package(&input.bytes) {
        let name = &input.name;
        let text = "this is a package already; extract it first, to a name like model.json";
        return Err(Failure::Usage(format!("{name}: {text}")));
    }
    let text = input::text(input)?;
    let refused = |text: String| Failure::data(&input.name, text);
    let node = Node::parse(text, DEEPEST.into()).map_err(|error| refused(error.to_string()))?;
    let (beside, mut files) = (Folder::of(source), Vec::new());
    let value = package::pack(&node, &mut |name| {
        let shown = folder(source).join(name);
        let refused = |error: &dyn std::fmt::Display| format!("{}: {error}", shown.display());
        let found = beside.find(name).map_err(|error| refused(&error))?;
        let path = found.filter(|_| !name.is_empty()).ok_or_else(|| {
            format!(
                "{name:?} is not in the folder of the JSON file; copy it there, and write its name"
            )
        })?;
        match fs::metadata(&path) {
            Ok(about) if !about.is_file() => return Err(refused(&"this is not a file")),
            Err(error) => return Err(refused(&error)),
            Ok(about) if about.len() > LONGEST => {
                return Err(refused(&"a value of a package has at most 2,147,483,647 bytes"));
            }
            Ok(_) => {}
        }
        let bytes = fs::read(&path).map_err(|error| refused(&error))?;
        files.push(path);
        Ok(bytes)
    });
    let value = value.map_err(|wrong| refused(wrong.in_text(text)))?;
    target::refuse_to_overwrite(target, files.iter().map(PathBuf::as_path))?;
    output::write_data(target, |out| package::write(&value, out))
}
