//! Tests which types of std, serde and other crates each format writes and reads back.
//!
//! `cargo run --manifest-path types/Cargo.toml -- --out docs/types.md` writes the report; without
//! `--out` it is printed. `--update docs/will-my-type-work.md` writes the tables of that file, and `--check` compares
//! them, as this package's test does.

mod crates;
mod report;
mod run;
#[allow(dead_code, unused_imports, reason = "the main crate's tests need the rest")]
#[path = "../../tests/support/types/mod.rs"]
mod support;

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, panic};

/// Tests all types.
fn all() -> run::Run {
    let mut run = run::Run::default();
    support::rows(&mut run);
    crates::rows(&mut run);
    run
}

enum Task<'a> {
    Print,
    Out(&'a Path),
    Check { file: &'a Path, update: bool },
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let task = match arguments[..] {
        [] => Task::Print,
        ["--out", path] => Task::Out(path.as_ref()),
        ["--check", path] => Task::Check { file: path.as_ref(), update: false },
        ["--update", path] => Task::Check { file: path.as_ref(), update: true },
        _ => {
            eprintln!("usage: fourfold-types [--out FILE | --check FILE | --update FILE]");
            return ExitCode::from(2);
        }
    };
    // A panic is an outcome like any other.
    panic::set_hook(Box::new(|_| {}));
    let done = match task {
        Task::Print => {
            print!("{}", report::report(&all()));
            Ok(())
        }
        Task::Out(path) => {
            fs::write(path, report::report(&all())).map_err(|error| error.to_string())
        }
        Task::Check { file, update } => {
            let mut run = run::Run::default();
            crates::rows(&mut run);
            let same = support::check_page(file, "crates", report::cells(&run).text(), update);
            match report::less_than_rmp(&run) {
                lines if lines.is_empty() => same,
                lines => Err(format!(
                    "rmp-serde reads these back equal, `any` does not:\n{}",
                    lines.join("\n")
                )),
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
