//! Generates the official types of `vault.mol`, and types of this library for the corpus of damaged inputs.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use fourfold_schema::mol::{RustOptions, Schema};
use molecule_codegen::{Compiler, Language};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo has no OUT_DIR")?);
    official(&folder)?;
    fs::write(folder.join("corpus.rs"), corpus()?)?;
    Ok(())
}

fn official(folder: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=vault.mol");
    Compiler::new()
        .input_schema_file("vault.mol")
        .generate_code(Language::Rust)
        .output_dir(folder)
        .run()?;
    // The generated code is of edition 2021; edition 2024 refuses only this.
    let code = folder.join("vault.rs");
    let text = fs::read_to_string(&code)?;
    fs::write(&code, text.replace("(ref item)", "(item)"))?;
    Ok(())
}

/// The types of all schemas, each in a module, and a function that reads the type with an index in the list of files.
fn corpus() -> Result<String, Box<dyn Error>> {
    let fixtures = Path::new("../../../tests/fixtures/molecule");
    println!("cargo::rerun-if-changed={}", fixtures.display());
    let mut files: Vec<String> = fs::read_dir(fixtures.join("bad"))?
        .map(|entry| {
            Ok(entry?.file_name().into_string().map_err(|_| "a file name is not UTF-8")?)
        })
        .collect::<Result<_, Box<dyn Error>>>()?;
    files.sort();
    let (mut modules, mut arms) = (String::new(), String::new());
    let mut last = None;
    for (index, file) in files.iter().enumerate() {
        let (schema, rest) = file.split_once('.').ok_or("a file name without a type")?;
        let name = rest.strip_suffix(".txt").ok_or("not a .txt file")?;
        if last != Some(schema) {
            let path = fixtures.join("schemas").join(schema).with_extension("mol");
            let types = Schema::from_file(path)?.to_rust(&RustOptions::new());
            let uses = "use alloc::{boxed::Box, string::String, vec::Vec};";
            modules += &format!("pub mod {schema} {{\n{uses}\n{types}}}\n");
            last = Some(schema);
        }
        arms += &format!("{index} => from_slice::<{schema}::{name}>(bytes).is_ok(),\n");
    }
    Ok(format!(
        "{modules}\npub fn is_accepted(index: u8, bytes: &[u8]) -> Option<bool> {{\n\
         Some(match index {{\n{arms}_ => return None,\n}})\n}}\n"
    ))
}
