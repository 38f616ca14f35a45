//! Generates official types of random schemas with the official compiler, and Rust types with this project's generator:
//! types with one change, and types of random `.atd` schemas.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, panic};

use fourfold_schema::atd::{self, Type};
use fourfold_schema::{RustBytes, RustOptions};
use molecule_codegen::ast::HasName;
use molecule_codegen::{Compiler, Language, Parser};

#[allow(
    dead_code,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "tests need the rest, and report by panicking"
)]
#[path = "../schema/tests/schema/atd_random/schemas.rs"]
mod atd_schemas;
#[allow(clippy::indexing_slicing, reason = "types that are made have the parts that are changed")]
#[path = "mutations.rs"]
mod mutations;
#[allow(
    dead_code,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unreachable,
    clippy::unwrap_used,
    reason = "tests need the rest, and report by panicking"
)]
#[path = "../tests/support/random.rs"]
mod random;
#[path = "../derive-tests/common/schemas.rs"]
mod schemas;

use mutations::Verdict;
use random::Dice;
use schemas::{Numbers, Purpose};

/// The Rust types that the library generates from the CKB schemas.
const TYPES: &str = "../schema/tests/schema/made/extensions.rs";

/// The number of random Molecule schemas.
const COUNT: usize = 300;

/// The number of random `.atd` schemas.
const ATD_COUNT: usize = 48;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../derive-tests/common/schemas.rs");
    println!("cargo::rerun-if-changed=../schema/tests/schema/atd_random/schemas.rs");
    println!("cargo::rerun-if-changed=../tests/support/random.rs");
    println!("cargo::rerun-if-env-changed=FOURFOLD_SEED");
    let out_dir = env::var("OUT_DIR")?;
    mutated(Path::new(&out_dir))?;
    official(Path::new(&out_dir))?;
    own(Path::new(&out_dir))
}

/// Writes a module for each type with one change, and a list of all.
fn mutated(out_dir: &Path) -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=mutations.rs");
    println!("cargo::rerun-if-changed={TYPES}");
    let mut modules = String::new();
    let mut list = String::from("const MUTATIONS: &[Mutation] = &[\n");
    for (number, mutation) in mutations::all(&fs::read_to_string(TYPES)?).iter().enumerate() {
        let mutations::Mutation { name, change, code, verdict } = mutation;
        writeln!(modules, "pub(super) mod m{number} {{ use crate::types::*; {code} }}")?;
        let verdict = match verdict {
            Verdict::Same => "Verdict::Same".to_owned(),
            Verdict::Fix { path, fix } => format!("Verdict::Fix({path:?}, {fix:?})"),
            Verdict::Mark { path, mark } => format!("Verdict::Mark({path:?}, {mark:?})"),
        };
        writeln!(
            list,
            "Mutation {{ name: {name:?}, change: {change:?}, verdict: {verdict}, \
             check: |schema| schema.check::<mutated::m{number}::{name}>({name:?}) }},"
        )?;
    }
    list.push_str("];\n");
    let allowed = "#[allow(clippy::all, dead_code, unused_imports, unreachable_pub)]";
    let text = format!("{allowed}\nmod mutated {{\n{modules}}}\n{list}");
    fs::write(out_dir.join("mutations.rs"), text)?;
    Ok(())
}

/// Generates the code of a schema; the file has the schema's name.
fn generate(schema: &Path, out_dir: &Path) -> Result<String, Box<dyn std::error::Error>> {
    Compiler::new()
        .input_schema_file(schema)
        .generate_code(Language::Rust)
        .output_dir(out_dir)
        .run()?;

    // The generated code is of edition 2021; edition 2024 refuses only this.
    let code = out_dir.join(schema.file_stem().unwrap_or_default()).with_extension("rs");
    let text = fs::read_to_string(&code)?.replace("(ref item)", "(item)");
    fs::write(&code, &text)?;
    Ok(text)
}

/// Writes a file with a module for each random schema, and a list of all: their texts, and the official verdict on bytes of
/// each type.
fn official(out_dir: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = SplitMix(0);
    let mut modules = String::new();
    let mut list = String::from("pub(crate) const SCHEMAS: &[Official] = &[\n");
    let mut made = 0;
    // The compiler panics if two items of a union have the same id.
    panic::set_hook(Box::new(|_| ()));
    while made < COUNT {
        let count = 3 + numbers.below(5);
        let text = schemas::declarations(&mut numbers, Purpose::Values, count, 0, &[]).join("\n");
        let name = format!("random_{made}");
        let path = out_dir.join(&name).with_extension("mol");
        fs::write(&path, &text)?;
        let Ok(ast) = panic::catch_unwind(|| Parser::parse(&path)) else { continue };
        let code = generate(&path, out_dir)?;
        writeln!(modules, "mod {name} {{ {code} }}")?;
        writeln!(list, "Official {{ schema: {text:?}, verdicts: &[")?;
        for decl in ast.decls().iter().filter(|decl| decl.name() != "byte") {
            let name = decl.name();
            let ty = format!("random_{made}::{}Reader<'_>", camel(name));
            writeln!(list, "({name:?}, |bytes| verdict::<{ty}>(bytes)),")?;
        }
        list.push_str("] },\n");
        made += 1;
    }
    list.push_str("];\n");
    fs::write(out_dir.join("random.rs"), modules + &list)?;
    Ok(())
}

/// Writes a file with a module for each random `.atd` schema, and a list of all: their texts, and functions that read and
/// write each type.
fn own(out_dir: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut dice = Dice::of("rust types of atd schemas");
    let mut modules = String::new();
    let mut list = String::from("pub(crate) const SCHEMAS: &[Generated] = &[\n");
    let forms = [RustBytes::Owned, RustBytes::Borrowed, RustBytes::Cow];
    for (number, bytes) in (0..ATD_COUNT).zip(forms.into_iter().cycle()) {
        let count = 1 + dice.below(6);
        let text = atd_schemas::definitions(&mut dice, atd_schemas::Purpose::Values, count);
        let schema = atd::Schema::parse(&text)?;
        let options = RustOptions::new().with_bytes(bytes);
        let code =
            schema.to_rust(&if number % 2 == 0 { options } else { options.with_newtypes() })?;
        writeln!(modules, "mod atd_{number} {{ {code} }}")?;
        writeln!(list, "Generated {{ schema: {text:?}, types: &[")?;
        for name in schema.types().filter_map(Type::name) {
            let ty = format!("atd_{number}::{}", camel(name));
            writeln!(list, "({name:?}, |bytes| again::<{ty}>(bytes)),")?;
        }
        list.push_str("] },\n");
    }
    list.push_str("];\n");
    fs::write(out_dir.join("atd_random.rs"), modules + &list)?;
    Ok(())
}

/// The type name that the compiler generates for a name.
fn camel(name: &str) -> String {
    let mut parts = String::new();
    for part in name.split(['_', '\'']) {
        let mut letters = part.chars();
        parts.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        parts.push_str(letters.as_str());
    }
    parts
}

/// The same numbers in each build.
struct SplitMix(u64);

impl Numbers for SplitMix {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).unwrap_or_default()
    }
}
