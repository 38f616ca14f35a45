//! Generates the official types of the CKB schema, with the official compiler.

use std::path::Path;
use std::{env, fs};

use molecule_codegen::{Compiler, Language};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schema = Path::new(&env::var("CARGO_MANIFEST_DIR")?)
        .join("../tests/fixtures/molecule/schemas/blockchain.mol");
    println!("cargo::rerun-if-changed={}", schema.display());
    let out_dir = env::var("OUT_DIR")?;
    Compiler::new()
        .input_schema_file(&schema)
        .generate_code(Language::Rust)
        .output_dir(&out_dir)
        .run()?;

    // What comes out is Rust of edition 2021. This is all that 2024 refuses in it.
    let code = Path::new(&out_dir).join("blockchain.rs");
    let text = fs::read_to_string(&code)?;
    fs::write(&code, text.replace("(ref item)", "(item)"))?;
    Ok(())
}
