//! Generates the official types of the CKB schemas, with the official compiler.

use std::path::Path;
use std::{env, fs};

use molecule_codegen::{Compiler, Language};

/// They lie beside each other: the second one imports the first.
const SCHEMAS: [&str; 2] = ["blockchain", "extensions"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schemas =
        Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../tests/fixtures/molecule/schemas");
    let out_dir = env::var("OUT_DIR")?;
    for name in SCHEMAS {
        let schema = schemas.join(name).with_extension("mol");
        println!("cargo::rerun-if-changed={}", schema.display());
        Compiler::new()
            .input_schema_file(&schema)
            .generate_code(Language::Rust)
            .output_dir(&out_dir)
            .run()?;

        // What comes out is Rust of edition 2021. This is all that 2024 refuses in it.
        let code = Path::new(&out_dir).join(name).with_extension("rs");
        let text = fs::read_to_string(&code)?;
        fs::write(&code, text.replace("(ref item)", "(item)"))?;
    }
    Ok(())
}
