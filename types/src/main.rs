//! Any type: what each format makes of the types of serde, of std and of other crates.
//!
//! `cargo run --release --manifest-path types/Cargo.toml -- --out docs/types.md` writes the page, and without
//! `--out` prints it. `--update docs/will-my-type-work.md` writes the rows of that page, and `--check` compares
//! them, as this package's test does.

mod crates;
mod page;
mod run;
#[allow(dead_code, unused_imports, reason = "the main crate's tests need the rest")]
#[path = "../../tests/support/types/mod.rs"]
mod support;

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, panic};

/// Every row.
fn all() -> run::Run {
    let mut run = run::Run::default();
    support::rows(&mut run);
    crates::rows(&mut run);
    run
}

/// What the program was told to do.
enum Task<'a> {
    Print,
    Out(&'a Path),
    Check { page: &'a Path, update: bool },
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let task = match arguments[..] {
        [] => Task::Print,
        ["--out", path] => Task::Out(path.as_ref()),
        ["--check", path] => Task::Check { page: path.as_ref(), update: false },
        ["--update", path] => Task::Check { page: path.as_ref(), update: true },
        _ => {
            eprintln!("usage: fourfold-types [--out PAGE | --check PAGE | --update PAGE]");
            return ExitCode::from(2);
        }
    };
    // A panic is an outcome like any other.
    panic::set_hook(Box::new(|_| {}));
    let done = match task {
        Task::Print => {
            print!("{}", page::page(&all()));
            Ok(())
        }
        Task::Out(path) => fs::write(path, page::page(&all())).map_err(|error| error.to_string()),
        Task::Check { page, update } => {
            let mut run = run::Run::default();
            crates::rows(&mut run);
            let same = support::check_page(page, "crates", page::cells(&run).text(), update);
            match page::less_than_rmp(&run) {
                lines if lines.is_empty() => same,
                lines => Err(format!("rmp-serde gives these back:\n{}", lines.join("\n"))),
            }
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
