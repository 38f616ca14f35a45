//! Times several ways to do one task in interleaved rounds, and counts their instructions with callgrind, if it is
//! installed.

use std::env;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

pub(crate) type Outcome<T> = Result<T, Box<dyn Error>>;

/// Does a task once.
pub(crate) type Case = Box<dyn Fn() -> Outcome<()>>;

pub(crate) const ROUNDS: usize = 15;
const TURN: Duration = Duration::from_millis(20);

/// Runs a case once. callgrind finds this function by name.
#[inline(never)]
fn turn(case: &Case) -> Outcome<()> {
    case()
}

/// Drops a result that the compiler must not optimize away.
pub(crate) fn consume<T>(result: T) -> Outcome<()> {
    drop(black_box(result));
    Ok(())
}

/// Runs each case once, in order, for callgrind.
pub(crate) fn once<'w>(cases: impl IntoIterator<Item = &'w Case>) -> Outcome<()> {
    cases.into_iter().try_for_each(turn)
}

/// The instructions of each turn of this program with `--once`; `None` without callgrind.
pub(crate) fn counts(turns: usize) -> Option<Vec<u64>> {
    let counted = concat!(env!("CARGO_CRATE_NAME"), "::cases::turn");
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

/// Seconds of each case: medians of interleaved rounds.
pub(crate) fn times(cases: &[Case]) -> Outcome<Vec<f64>> {
    let mut times = vec![Vec::new(); cases.len()];
    for _ in 0..=ROUNDS {
        for (case, times) in cases.iter().zip(&mut times) {
            let (start, mut count) = (Instant::now(), 0u32);
            while start.elapsed() < TURN {
                turn(case)?;
                count += 1;
            }
            times.push(start.elapsed().as_secs_f64() / f64::from(count));
        }
    }
    Ok(times.into_iter().map(median).collect())
}

/// The median of all but the first round, which warms up.
fn median(mut times: Vec<f64>) -> f64 {
    times.remove(0);
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
