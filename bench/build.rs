//! Generates the official types of the CKB schema with the official compiler, and passes compiler and profile to the
//! report.

use std::path::Path;
use std::process::Command;
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

    // The generated code is of edition 2021; edition 2024 refuses only this.
    let code = Path::new(&out_dir).join("blockchain.rs");
    let text = fs::read_to_string(&code)?;
    fs::write(&code, text.replace("(ref item)", "(item)"))?;

    let compiler = Command::new(env::var("RUSTC")?).arg("--version").output()?;
    let compiler = String::from_utf8(compiler.stdout)?;
    println!("cargo::rustc-env=BENCH_RUSTC={}", compiler.trim());
    println!("cargo::rustc-env=BENCH_PROFILE={}", env::var("PROFILE")?);
    let mut overridden = Vec::new();
    for name in ["CARGO_PROFILE_RELEASE_LTO", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS"] {
        println!("cargo::rerun-if-env-changed={name}");
        overridden.extend(env::var(name).map(|value| format!("{name}={value}")));
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().replace('\x1f', " ");
    overridden.extend((!flags.is_empty()).then(|| format!("RUSTFLAGS={flags}")));
    println!("cargo::rustc-env=BENCH_OVERRIDDEN={}", overridden.join(";"));
    Ok(())
}
