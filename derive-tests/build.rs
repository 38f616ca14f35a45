//! Generates the official types of the CKB schemas with the official compiler.

use std::path::Path;
use std::{env, fs};

use molecule_codegen::{Compiler, Language};

/// The second one imports the first.
const SCHEMAS: [&str; 2] = ["blockchain", "extensions"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schemas =
        Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../tests/fixtures/molecule/schemas");
    println!("cargo::rerun-if-changed=build.rs");
    let out_dir = env::var("OUT_DIR")?;
    for name in SCHEMAS {
        let schema = schemas.join(name).with_extension("mol");
        println!("cargo::rerun-if-changed={}", schema.display());
        generate(&schema, Path::new(&out_dir))?;
    }
    Ok(())
}

/// Generates the code of a schema to a file with the schema's name.
fn generate(schema: &Path, out_dir: &Path) -> Result<(), Box<dyn std::error::Error>> {
    Compiler::new()
        .input_schema_file(schema)
        .generate_code(Language::Rust)
        .output_dir(out_dir)
        .run()?;

    // The generated code is of edition 2021; edition 2024 refuses only this.
    let code = out_dir.join(schema.file_stem().unwrap_or_default()).with_extension("rs");
    let text = fs::read_to_string(&code)?.replace("(ref item)", "(item)");
    fs::write(&code, text)?;
    Ok(())
}
