//! Builds the scripts with cargo, and measures their size.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind, SymbolKind};

/// The target of the scripts.
pub const TARGET: &str = "riscv64imac-unknown-none-elf";

/// The lock scripts, which differ only in how they read.
pub const PROGRAMS: [&str; 5] = ["borrowed", "partial", "owned", "official", "serde_molecule"];

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A built script.
pub struct Program {
    pub elf: Vec<u8>,
}

/// The optimization level.
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

    /// The value in a manifest.
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
/// If cargo fails.
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
        false => {
            Err(format!("cannot build the scripts; install the target: rustup target add {TARGET}")
                .into())
        }
    }
}

impl Program {
    /// Reads a script in the folder that [`build`] returns.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn open(folder: &Path, name: &str) -> Outcome<Self> {
        Ok(Program { elf: fs::read(folder.join(name))? })
    }

    /// Bytes of code and constants: the size on chain without the file's headers.
    ///
    /// # Errors
    ///
    /// If the file is not a program.
    pub fn size(&self) -> Outcome<u64> {
        let file = object::File::parse(&*self.elf)?;
        let counted = [
            SectionKind::Text,
            SectionKind::ReadOnlyData,
            SectionKind::ReadOnlyString,
            SectionKind::Data,
        ];
        let sections = file.sections().filter(|section| counted.contains(&section.kind()));
        Ok(sections.map(|section| section.size()).sum())
    }

    /// The names of functions by address.
    ///
    /// # Errors
    ///
    /// If the file is not a program.
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

    /// Bytes of zeroed memory, which are not in the file.
    ///
    /// # Errors
    ///
    /// If the file is not a program.
    pub fn memory(&self) -> Outcome<u64> {
        let file = object::File::parse(&*self.elf)?;
        let zeroed =
            file.sections().filter(|section| section.kind() == SectionKind::UninitializedData);
        Ok(zeroed.map(|section| section.size()).sum())
    }
}
