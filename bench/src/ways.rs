//! Ways to do one thing, beside each other: each turn is timed in interleaved rounds, and its instructions are counted
//! by callgrind, if that is there.

use std::env;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

pub(crate) type Outcome<T> = Result<T, Box<dyn Error>>;

/// A way to do it once.
pub(crate) type Way = Box<dyn Fn() -> Outcome<()>>;

pub(crate) const ROUNDS: usize = 15;
const TURN: Duration = Duration::from_millis(20);

/// Works once. The name is what callgrind looks for.
#[inline(never)]
fn turn(way: &Way) -> Outcome<()> {
    way()
}

/// Keeps what was made from being optimized away.
pub(crate) fn kept<T>(made: T) -> Outcome<()> {
    drop(black_box(made));
    Ok(())
}

/// All turns once, in order, to be counted.
pub(crate) fn once<'w>(ways: impl IntoIterator<Item = &'w Way>) -> Outcome<()> {
    ways.into_iter().try_for_each(turn)
}

/// The instructions of so many turns, which this program takes once where it is called with `--once`; none where there
/// is no callgrind.
pub(crate) fn counts(turns: usize) -> Option<Vec<u64>> {
    let counted = concat!(env!("CARGO_CRATE_NAME"), "::ways::turn");
    let folder = tempfile::tempdir().ok()?;
    let out = folder.path().join("counts");
    let status = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no"])
        .arg(format!("--toggle-collect={counted}"))
        .arg(format!("--dump-after={counted}"))
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(env::current_exe().ok()?)
        .arg("--once")
        .stderr(Stdio::null())
        .status();
    status.ok().filter(ExitStatus::success)?;
    let count = |turn| {
        let text = fs::read_to_string(format!("{}.{turn}", out.display())).ok()?;
        text.lines().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
    };
    (1..=turns).map(count).collect()
}

/// Seconds of each way: medians of rounds in which each has a turn.
pub(crate) fn times(ways: &[Way]) -> Outcome<Vec<f64>> {
    let mut times = vec![Vec::new(); ways.len()];
    for _ in 0..=ROUNDS {
        for (way, times) in ways.iter().zip(&mut times) {
            let (start, mut count) = (Instant::now(), 0u32);
            while start.elapsed() < TURN {
                turn(way)?;
                count += 1;
            }
            times.push(start.elapsed().as_secs_f64() / f64::from(count));
        }
    }
    Ok(times.into_iter().map(median).collect())
}

/// The median of all but the first, which warms up.
fn median(mut times: Vec<f64>) -> f64 {
    times.remove(0);
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
