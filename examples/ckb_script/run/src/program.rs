//! The scripts as programs: built by cargo, and their size.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind, SymbolKind};

/// What the scripts are compiled for.
pub const TARGET: &str = "riscv64imac-unknown-none-elf";

/// The lock scripts, which differ in how they read alone.
pub const PROGRAMS: [&str; 5] = ["borrowed", "partial", "owned", "official", "serde_molecule"];

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A script that was built.
pub struct Program {
    pub elf: Vec<u8>,
}

/// How programs are optimized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// `opt-level = "z"`
    Z,
    /// `opt-level = "s"`
    S,
    /// `opt-level = 3`
    Three,
}

impl Level {
    pub const ALL: [Self; 3] = [Level::Z, Level::S, Level::Three];

    /// As a manifest has it.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Level::Z => "\"z\"",
            Level::S => "\"s\"",
            Level::Three => "3",
        }
    }
}

/// Builds all scripts.
///
/// # Errors
///
/// What cargo says.
pub fn build(level: Level) -> Outcome<PathBuf> {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../script");
    let target = scripts.join("target").join(level.text().trim_matches('"'));
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--bins", "--config"])
        .arg(format!("profile.release.opt-level={}", level.text()))
        .env("CARGO_TARGET_DIR", &target)
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .current_dir(&scripts)
        .status()?;
    match status.success() {
        true => Ok(target.join(TARGET).join("release")),
        false => Err(format!(
            "the scripts do not build: has rustup the target? rustup target add {TARGET}"
        )
        .into()),
    }
}

impl Program {
    /// The script of that name, in the folder that [`build`] gives.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn open(folder: &Path, name: &str) -> Outcome<Self> {
        Ok(Program { elf: fs::read(folder.join(name))? })
    }

    /// Bytes of code and constants: what lies on the chain, but for the headers of the file.
    ///
    /// # Errors
    ///
    /// If it is no program.
    pub fn size(&self) -> Outcome<u64> {
        let file = object::File::parse(&*self.elf)?;
        let kept = [
            SectionKind::Text,
            SectionKind::ReadOnlyData,
            SectionKind::ReadOnlyString,
            SectionKind::Data,
        ];
        let sections = file.sections().filter(|section| kept.contains(&section.kind()));
        Ok(sections.map(|section| section.size()).sum())
    }

    /// Where its functions begin.
    ///
    /// # Errors
    ///
    /// If it is no program.
    pub fn functions(&self) -> Outcome<BTreeMap<u64, String>> {
        let file = object::File::parse(&*self.elf)?;
        let is_function = |symbol: &object::Symbol<'_, '_>| {
            symbol.kind() == SymbolKind::Text && symbol.size() > 0
        };
        let named = file.symbols().filter(is_function).map(|symbol| {
            Ok((symbol.address(), format!("{:#}", rustc_demangle::demangle(symbol.name()?))))
        });
        named.collect()
    }

    /// Bytes of memory that it asks for beside those of the file.
    ///
    /// # Errors
    ///
    /// If it is no program.
    pub fn memory(&self) -> Outcome<u64> {
        let file = object::File::parse(&*self.elf)?;
        let zeroed =
            file.sections().filter(|section| section.kind() == SectionKind::UninitializedData);
        Ok(zeroed.map(|section| section.size()).sum())
    }
}
