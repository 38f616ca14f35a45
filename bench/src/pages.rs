//! The text of `docs/benchmarks.md`, and the short tables of `docs/speed.md`.

use crate::arguments::Arguments;
use crate::{Outcome, machine};

/// Markers in `docs/speed.md`. The program replaces the text between them.
const BEGIN: &str = "<!-- figures: begin (written by `cargo run -p bench`) -->\n";
const END: &str = "<!-- figures: end -->";

/// Date, machine, build and command of the measurements.
pub(crate) struct Origin {
    date: String,
    machine: String,
    build: String,
    command: String,
    rounds: usize,
    milliseconds: u128,
}

pub(crate) fn origin(arguments: &Arguments) -> Origin {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let options = if words.is_empty() { String::new() } else { format!(" -- {}", words.join(" ")) };
    Origin {
        date: arguments.date.clone().unwrap_or_default(),
        machine: machine::machine(),
        build: machine::build(),
        command: format!("{}cargo run -p bench --release{options}", machine::environment()),
        rounds: arguments.rounds,
        milliseconds: arguments.turn.as_millis(),
    }
}

/// The text of `docs/benchmarks.md`.
pub(crate) fn report(origin: &Origin, summary: &str, tables: &str) -> String {
    let Origin { date, machine, build, command, rounds, milliseconds } = origin;
    let versions = machine::versions();
    let text = format!(
        "# Benchmarks

The program `bench` wrote this report. One row was not measured: *atdgen on another machine* has the times for similar
data from which the goals were set.

- Date: {date}
- Machine: {machine}
- Compiler: {build}
- Command: `{command}`
- Versions: {versions}

All crates of a set run in one process, in {rounds} interleaved rounds. In each round, each crate has a turn of
{milliseconds} ms for each task, so that noise affects all alike. Times are medians over the rounds; ratios are
medians of the ratios of each round. *Write* writes into a new `Vec`, *read* reads an owned value, *borrowed* reads
a value that borrows text from the input; both include dropping the value. *Best* is the fastest row-oriented serde
crate of that column: not our formats, not crates with a derive of their own, not crates that split values into
columns. The process keeps freed memory (`MALLOC_TRIM_THRESHOLD_`, `MALLOC_MMAP_THRESHOLD_`); otherwise glibc's
returning of memory would dominate the figures. *Peak* is the peak allocation, divided by the bytes written, or by
a clone of the value. OCaml's atdgen is a separate process, with turns in the same rounds. *(clone + drop)* copies
the values in memory, and *(push + drop)* pushes them one by one into a `Vec` that grows as serde's does: these are
lower bounds, not formats.

{summary}{tables}"
    );
    format!("{}\n", text.trim_end())
}

/// The text between the markers of `docs/speed.md`.
pub(crate) fn quoted(origin: &Origin, tables: &str) -> String {
    let Origin { date, machine, build, .. } = origin;
    format!(
        "\nMedians of interleaved rounds, and in brackets the ratio to the best other serde crate; \
         {date}, {machine}, {build}. All crates, goals and the method: [benchmarks.md].\n\n{tables}"
    )
}

/// `text` with `quoted` between the markers.
///
/// # Errors
///
/// If a marker is missing.
pub(crate) fn replace(text: &str, quoted: &str) -> Outcome<String> {
    let (before, rest) = text.split_once(BEGIN).ok_or("the begin marker is missing")?;
    let (_, after) = rest.split_once(END).ok_or("the end marker is missing")?;
    Ok(format!("{before}{BEGIN}{quoted}{END}{after}"))
}
