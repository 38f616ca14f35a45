//! The report as a whole, and the short tables of `docs/speed.md`.

use crate::arguments::Arguments;
use crate::{Outcome, machine};

/// Marks in the page. The program replaces what is between them.
const BEGIN: &str = "<!-- figures: begin (written by `cargo run -p bench`) -->\n";
const END: &str = "<!-- figures: end -->";

/// When, where and by what.
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

/// The whole report.
pub(crate) fn report(origin: &Origin, summary: &str, tables: &str) -> String {
    let Origin { date, machine, build, command, rounds, milliseconds } = origin;
    let versions = machine::versions();
    let text = format!(
        "# Benchmarks

A program has measured and written all figures of this page, except one row: *atdgen in the goals, of like data
elsewhere* has atdgen's times for like data on another machine, from which the goals were set.

- Date: {date}
- Machine: {machine}
- Compiler: {build}
- Command: `{command}`
- Versions: {versions}

All peers of a set run in one process, in {rounds} interleaved rounds. In each round, every peer has a turn of
{milliseconds} ms for each task, so noise of the machine disturbs all peers alike. Times are medians over the
rounds; ratios are medians of the ratios of each round. *Write* writes into a new `Vec`, *read* reads an owned
value, *borrowed* reads a value whose text stays in the input; both ways of reading include dropping the value.
*Best* is the fastest serde peer of that column that lays values out one after another: none of our formats,
none with a derive of its own, none that splits values into columns. The process keeps its memory
(`MALLOC_TRIM_THRESHOLD_`, `MALLOC_MMAP_THRESHOLD_`); otherwise the figures would mostly show how glibc gives
memory back. *Peak* is the most memory that was allocated at a time, divided by the bytes written, or by a clone
of the value. OCaml's atdgen is a process of its own, with turns in the same rounds. *(clone + drop)* copies the
values as they are in memory, and *(push + drop)* pushes them one by one into a `Vec` that begins and grows as
serde's does: these are floors, not peers.

{summary}{tables}"
    );
    format!("{}\n", text.trim_end())
}

/// What the page of speed quotes.
pub(crate) fn quoted(origin: &Origin, tables: &str) -> String {
    let Origin { date, machine, build, .. } = origin;
    format!(
        "\nMedians of interleaved rounds, and in brackets the ratio to the best serde peer, which is not one of \
         ours; {date}, {machine}, {build}. All peers, goals, and how it was measured: \
         [benchmarks.md].\n\n{tables}"
    )
}

/// `text` with `quoted` between the marks.
///
/// # Errors
///
/// If the marks are missing.
pub(crate) fn replace(text: &str, quoted: &str) -> Outcome<String> {
    let (before, rest) = text.split_once(BEGIN).ok_or("the page has no mark to begin at")?;
    let (_, after) = rest.split_once(END).ok_or("the page has no mark to end at")?;
    Ok(format!("{before}{BEGIN}{quoted}{END}{after}"))
}
