//! Compares formats and crates: writing, reading into owned values, reading into borrowed values.
//!
//! `cargo run -p bench --release` prints Markdown: medians over interleaved rounds, the medians of
//! each round's ratios to `memcpy` of the same bytes and to the best other serde crate, peak memory, and the
//! goals of our formats. `--out docs/benchmarks.md --speed docs/speed.md` writes all figures of the reports.
//!
//! Each crate writes into a new `Vec`. The time of reading includes dropping the value.

use std::error::Error;
use std::ffi::OsStr;
use std::process::{Command, Stdio};
use std::{env, fs};

use arguments::Arguments;
use report::Measured;

mod allocator;
mod arguments;
mod data;
mod format;
mod formats;
mod goals;
mod machine;
mod malloc;
mod measure;
mod ocaml;
mod pages;
mod random;
mod report;
mod sets;
mod summary;
mod text;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let arguments = Arguments::parse(env::args().skip(1))?;
    malloc::keep_memory()?;
    let mut all = Vec::new();
    let mut tables = String::new();
    let mut print = |text: String| {
        println!("{text}");
        tables.push_str(&text);
        tables.push('\n');
    };
    for set in sets::SETS {
        if arguments.data.is_empty() || arguments.data.iter().any(|name| name == set.name) {
            let wanted = |name: &str| {
                let crates = &arguments.crates;
                (name != ocaml::NAME || arguments.ocaml)
                    && (crates.is_empty() || crates.iter().any(|part| name.contains(part.as_str())))
            };
            let selection = (set.select)(&wanted)?;
            if arguments.once {
                measure::once(set.name, &selection.runs)?;
                continue;
            }
            let rows = measure::measure(&selection.runs, arguments.rounds, arguments.turn)?;
            let measured = Measured::new(set, selection, rows);
            print(measured.to_string());
            all.push(measured);
        }
    }
    if arguments.once {
        return Ok(());
    }
    if let Some(size) = &arguments.models {
        print(format!("## Model files\n\n{}", sibling("models", &[size.as_ref()])?));
    }
    if let Some(most) = &arguments.memory {
        let mut options: Vec<&OsStr> = vec!["--most".as_ref(), most.as_ref()];
        // Writes its own report and chart to the same folder.
        let folder = arguments.out.as_ref().and_then(|path| path.parent());
        if let (Some(date), Some(folder)) = (&arguments.date, folder) {
            options.extend([
                "--date".as_ref(),
                date.as_ref(),
                "--out".as_ref(),
                folder.as_os_str(),
            ]);
        }
        print(format!("## Memory\n\n{}", sibling("memory", &options)?));
    }
    let summary = summary::goals(&tables) + &summary::means(&all);
    println!("{summary}");

    let origin = pages::origin(&arguments);
    if let Some(path) = &arguments.out {
        fs::write(path, pages::report(&origin, &summary, &tables))?;
    }
    if let Some(path) = &arguments.speed {
        let quoted = pages::quoted(&origin, &summary::quote(&all));
        fs::write(path, pages::replace(&fs::read_to_string(path)?, &quoted)?)?;
    }
    Ok(())
}

/// The output of another program of this package. Each has its own allocator.
fn sibling(name: &str, arguments: &[&OsStr]) -> Outcome<String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["run", "--quiet", "--release", "--package", "bench", "--bin", name, "--"])
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("{name} failed with {}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
