//! Times formats beside one another: writing, reading into owned values, reading into borrowed ones.
//!
//! `cargo run -p bench --release` prints Markdown: medians over interleaved rounds, the medians of
//! each round's ratios to `memcpy` of the peer's own bytes and to the best serde peer, the most
//! memory that each takes, and how far our formats are from their goals. Options stand in
//! `arguments`; with `--out docs/benchmarks.md --speed docs/speed.md` no figure is typed by hand.
//!
//! Everybody writes into a new `Vec`, and the time of reading includes dropping what was read.

use std::error::Error;
use std::ffi::OsStr;
use std::process::{Command, Stdio};
use std::{env, fs};

use arguments::Arguments;
use report::Measured;

mod allocator;
mod arguments;
mod data;
mod goals;
mod kept;
mod machine;
mod measure;
mod ocaml;
mod pages;
mod peer;
mod peers;
mod random;
mod report;
mod sets;
mod summary;
mod text;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let arguments = Arguments::parse(env::args().skip(1))?;
    kept::keep_memory()?;
    let mut all = Vec::new();
    let mut tables = String::new();
    let mut say = |text: String| {
        println!("{text}");
        tables.push_str(&text);
        tables.push('\n');
    };
    for set in sets::SETS {
        if arguments.data.is_empty() || arguments.data.iter().any(|name| name == set.name) {
            let wanted = |name: &str| {
                let peers = &arguments.peers;
                (name != ocaml::NAME || arguments.ocaml)
                    && (peers.is_empty() || peers.iter().any(|part| name.contains(part.as_str())))
            };
            let field = (set.field)(&wanted)?;
            if arguments.once {
                measure::once(set.name, &field.runs)?;
                continue;
            }
            let rows = measure::measure(&field.runs, arguments.rounds, arguments.turn)?;
            let measured = Measured::new(set, field, rows);
            say(measured.to_string());
            all.push(measured);
        }
    }
    if arguments.once {
        return Ok(());
    }
    if let Some(size) = &arguments.models {
        say(format!("## Model files\n\n{}", sibling("models", &[size.as_ref()])?));
    }
    if let Some(most) = &arguments.memory {
        let mut options: Vec<&OsStr> = vec!["--most".as_ref(), most.as_ref()];
        // Its own page and chart lie beside the report.
        let folder = arguments.out.as_ref().and_then(|path| path.parent());
        if let (Some(date), Some(folder)) = (&arguments.date, folder) {
            options.extend([
                "--date".as_ref(),
                date.as_ref(),
                "--out".as_ref(),
                folder.as_os_str(),
            ]);
        }
        say(format!("## Memory\n\n{}", sibling("memory", &options)?));
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

/// What another program of this package prints. Each has an allocator of its own.
fn sibling(name: &str, arguments: &[&OsStr]) -> Outcome<String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["run", "--quiet", "--release", "--package", "bench", "--bin", name, "--"])
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("{name} ended with {}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
