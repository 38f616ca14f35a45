//! Counts the instructions of each turn of `bench`, and compares them with saved counts.
//!
//! `cargo run -p bench --release --bin instructions` builds `bench`, runs it under callgrind and
//! prints Markdown. Unlike times, counts hardly vary between runs, so a change of one percent is visible.
//! They depend on the compiler and the C library: do not compare with counts of other machines.
//! In the saved counts, `new` marks sets that were added later.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

const USAGE: &str = "\
usage: instructions [OPTION]..

  --data NAME,..    these sets of data (all)
  --crate PART,..   crates whose names contain one of these parts (fourfold)
  --kept FILE       counts to compare with (bench/instructions.tsv)
  --keep FILE       write the counts to FILE
  --program FILE    an existing build of `bench`";

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The sets of `bench`, in its order.
const SETS: [&str; 8] = ["log", "mesh", "saves", "updates", "block", "genesis", "ticks", "gaps"];

/// The function of a turn in `bench`. The full name: `--dump-after` accepts no pattern.
const TURN: &str = "bench::measure::turn_to_count";

/// Instructions by set, format and column.
type Counts = BTreeMap<[String; 3], u64>;

struct Arguments {
    data: Vec<String>,
    crates: String,
    kept: PathBuf,
    keep: Option<PathBuf>,
    program: Option<PathBuf>,
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> Outcome<Self> {
        let mut arguments = Arguments {
            data: SETS.map(str::to_owned).to_vec(),
            crates: "fourfold".to_owned(),
            kept: Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions.tsv"),
            keep: None,
            program: None,
        };
        while let Some(option) = words.next() {
            let value = words.next().ok_or(USAGE)?;
            match option.as_str() {
                "--data" => arguments.data = value.split(',').map(str::to_owned).collect(),
                "--crate" => arguments.crates = value,
                "--kept" => arguments.kept = value.into(),
                "--keep" => arguments.keep = Some(value.into()),
                "--program" => arguments.program = Some(value.into()),
                _ => return Err(USAGE.into()),
            }
        }
        Ok(arguments)
    }
}

fn main() -> Outcome<()> {
    let arguments = Arguments::parse(env::args().skip(1))?;
    let program = arguments.program.clone().map_or_else(build, Ok)?;
    let folder = tempfile::tempdir()?;
    let mut counts = Counts::new();
    for set in &arguments.data {
        count(&program, set, &arguments.crates, folder.path(), &mut counts)?;
    }
    let kept = match arguments.kept.exists() {
        true => parse(&fs::read_to_string(&arguments.kept)?)?,
        false => Counts::new(),
    };
    print!("{}", table(&counts, &kept)?);
    if let Some(path) = &arguments.keep {
        fs::write(path, lines(&counts))?;
    }
    Ok(())
}

/// Builds `bench` in the release profile and returns its path.
fn build() -> Outcome<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--package", "bench", "--bin", "bench"])
        .status()?;
    match built.success() {
        true => Ok(env::current_exe()?.with_file_name("bench")),
        false => Err("bench does not build".into()),
    }
}

/// Counts all turns of a set in one run: callgrind dumps after each turn.
fn count(
    program: &Path,
    set: &str,
    crates: &str,
    folder: &Path,
    counts: &mut Counts,
) -> Outcome<()> {
    let out = folder.join(set);
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no"])
        .arg(format!("--toggle-collect={TURN}"))
        .arg(format!("--dump-after={TURN}"))
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(program)
        .args(["--once", "--data", set, "--crate", crates])
        // Otherwise `bench` sets these and restarts itself.
        .envs([("MALLOC_TRIM_THRESHOLD_", "2000000000"), ("MALLOC_MMAP_THRESHOLD_", "1000000000")])
        .stderr(Stdio::piped())
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    for (turn, part) in String::from_utf8(output.stdout)?.lines().zip(1..) {
        let name = format!("{}.{part}", out.display());
        let text = fs::read_to_string(&name)
            .map_err(|error| format!("callgrind did not see {TURN}: {name}: {error}"))?;
        let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
        let total = total.ok_or_else(|| format!("{name} has no total"))?.trim().parse()?;
        counts.insert(key(turn)?, total);
    }
    Ok(())
}

/// The first three columns of a line: set, format and task.
fn key(line: &str) -> Outcome<[String; 3]> {
    let mut words = line.split('\t').map(str::to_owned);
    match (words.next(), words.next(), words.next()) {
        (Some(set), Some(format), Some(column)) => Ok([set, format, column]),
        _ => Err(format!("not a turn: {line}").into()),
    }
}

fn parse(text: &str) -> Outcome<Counts> {
    text.lines()
        .map(|line| {
            let (_, count) = line.rsplit_once('\t').ok_or("no count in a line")?;
            Ok((key(line)?, count.parse()?))
        })
        .collect()
}

fn lines(counts: &Counts) -> String {
    let line = |(key, count): (&[String; 3], &u64)| format!("{}\t{count}\n", key.join("\t"));
    counts.iter().map(line).collect()
}

/// Millions of instructions and the ratio to the saved counts, by set and format.
fn table(counts: &Counts, kept: &Counts) -> Outcome<String> {
    let mut text = String::from(
        "| data | format | turn | million | kept | ratio |\n|---|---|---|--:|--:|--:|\n",
    );
    let mut ratios: BTreeMap<[&str; 2], Vec<f64>> = BTreeMap::new();
    for (key @ [set, format, column], count) in counts {
        let now = millions(*count)?;
        let (before, ratio) = match kept.get(key) {
            None => (String::new(), String::new()),
            Some(before) => {
                let before = millions(*before)?;
                ratios.entry([format, column]).or_default().push(now / before);
                (format!("{before:.3}"), format!("{:.3}", now / before))
            }
        };
        text += &format!("| {set} | {format} | {column} | {now:.3} | {before} | {ratio} |\n");
    }
    for ([format, column], ratios) in ratios {
        let logs: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        let mean = (logs / f64::from(u32::try_from(ratios.len())?)).exp();
        let worst = ratios.iter().copied().fold(0.0, f64::max);
        text += &format!("| all | {format} | {column} | | | mean {mean:.3}, most {worst:.3} |\n");
    }
    Ok(text)
}

fn millions(count: u64) -> Outcome<f64> {
    Ok(f64::from(u32::try_from(count)?) / 1e6)
}
