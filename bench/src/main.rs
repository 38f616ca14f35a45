//! Times formats beside one another: writing, reading into owned values, reading into borrowed ones.
//!
//! `cargo run -p bench --release -- [--data NAME,..] [--peer PART,..] [--rounds N] [--ms N]` prints
//! Markdown: medians over interleaved rounds, the medians of each round's ratios to `memcpy` of
//! the peer's own bytes and to the best serde peer, and the most memory that each takes.
//!
//! Everybody writes into a new `Vec`, and the time of reading includes dropping what was read.

use std::error::Error;
use std::time::Duration;

mod allocator;
mod data;
mod goals;
mod measure;
mod peer;
mod peers;
mod random;
mod report;
mod sets;

type Outcome<T> = Result<T, Box<dyn Error>>;

const USAGE: &str = "usage: bench [--data NAME,..] [--peer PART,..] [--rounds N] [--ms N]";

/// What the command line asks for.
struct Arguments {
    /// Names of sets. Empty means all.
    data: Vec<String>,
    /// Parts of peers' names. Empty means all.
    peers: Vec<String>,
    rounds: usize,
    turn: Duration,
}

fn main() -> Outcome<()> {
    let arguments = arguments()?;
    keep_memory()?;
    for set in sets::SETS {
        if arguments.data.is_empty() || arguments.data.iter().any(|name| name == set.name) {
            let wanted = |name: &str| {
                let peers = &arguments.peers;
                peers.is_empty() || peers.iter().any(|part| name.contains(part.as_str()))
            };
            let field = (set.field)(&wanted)?;
            let rows = measure::measure(&field.runs, arguments.rounds, arguments.turn)?;
            report::print(set, &rows, &field.left_out);
        }
    }
    Ok(())
}

fn arguments() -> Outcome<Arguments> {
    let mut arguments = Arguments {
        data: Vec::new(),
        peers: Vec::new(),
        rounds: 15,
        turn: Duration::from_millis(20),
    };
    let mut words = std::env::args().skip(1);
    while let Some(option) = words.next() {
        let value = words.next().ok_or(USAGE)?;
        let list = || value.split(',').map(str::to_owned);
        match option.as_str() {
            "--data" => arguments.data.extend(list()),
            "--peer" => arguments.peers.extend(list()),
            "--rounds" => arguments.rounds = value.parse()?,
            "--ms" => arguments.turn = Duration::from_millis(value.parse()?),
            _ => return Err(USAGE.into()),
        }
    }
    let unknown = |name: &&String| !sets::SETS.iter().any(|set| set.name == *name);
    match arguments.data.iter().find(unknown) {
        Some(name) => Err(format!("no data named {name}").into()),
        None => Ok(arguments),
    }
}

/// glibc gives memory back to the system whenever a large value is dropped, and fetches it again
/// page by page for the next: more time than the work itself takes, and a matter of luck. So this
/// program starts itself once more, told to keep it.
#[cfg(all(unix, target_env = "gnu"))]
fn keep_memory() -> Outcome<()> {
    use std::os::unix::process::CommandExt;

    const KEPT: [(&str, &str); 2] =
        [("MALLOC_TRIM_THRESHOLD_", "2000000000"), ("MALLOC_MMAP_THRESHOLD_", "1000000000")];
    if KEPT.iter().all(|(name, _)| std::env::var_os(name).is_some()) {
        return Ok(());
    }
    let mut again = std::process::Command::new(std::env::current_exe()?);
    Err(again.args(std::env::args_os().skip(1)).envs(KEPT).exec().into())
}

#[cfg(not(all(unix, target_env = "gnu")))]
fn keep_memory() -> Outcome<()> {
    Ok(())
}
