//! Measures opening, reading and writing large model files, compared with `memcpy` and `cp`.
//!
//! `cargo run -p bench --release --bin models -- [MEBIBYTES]` (1024 by default) writes its files to
//! a temporary folder (`TMPDIR`), removes them, and prints Markdown: a table and the goals.

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use alloc::measure_value;
use fourfold::primitiv::{self, Model, Parameter, Shape};
use fourfold::tsm::{Module, ModuleBuilder, Tensor};

#[allow(dead_code, reason = "tests use the rest")]
#[path = "../../../tests/support/alloc.rs"]
mod alloc;

#[path = "../malloc.rs"]
mod malloc;

#[global_allocator]
static ALLOCATOR: alloc::Counting = alloc::Counting;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Bytes of one tensor: a layer of 1024 x 4096 floats.
const TENSOR: usize = 16 << 20;

/// Goals. The goal for bulk is 0.8 of the speed of `memcpy` and `cp`; those for many small values are a
/// twentieth of the times of TenniS's C++ loader (1.4 s at best) and primitiv's (0.18 s) on another machine.
const BULK: f64 = 1.25;
const OPENED: Duration = Duration::from_millis(2);
const NODES: Duration = Duration::from_millis(70);
const SCALARS: Duration = Duration::from_millis(9);

/// Rounds of slow tasks, and of fast ones.
const FEW: usize = 7;
const MANY: usize = 101;

fn main() -> Outcome<()> {
    let mebibytes: usize = std::env::args().nth(1).map_or(Ok(1024), |size| size.parse())?;
    malloc::keep_memory()?;
    let folder = tempfile::tempdir()?;
    let values = noise(TENSOR / size_of::<f32>());
    println!("Files of {mebibytes} MiB in tensors of 16 MiB, warm page cache; medians.\n");
    println!("| | time | compared with |\n|---|--:|--:|");
    let count = ((mebibytes << 20) / TENSOR).max(1);
    let mut goals = tsm(folder.path(), &values, count)?;
    goals.push(small_nodes()?);
    primitiv(folder.path(), &values, count)?;
    goals.push(small_parameters()?);
    println!();
    goals.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// A module of large constants.
fn tsm(folder: &Path, values: &[f32], count: usize) -> Outcome<Vec<String>> {
    let mut graph = ModuleBuilder::new();
    let mut outputs = Vec::new();
    for number in 0..count {
        let tensor = Tensor::from_values(values, &[1024, 4096])?;
        outputs.push(graph.constant(&format!("layer{number}"), tensor));
    }
    let module = graph.build([], outputs)?;
    let (path, copy) = (folder.join("large.tsm"), folder.join("copy.tsm"));
    module.write_to(&path)?;

    let mut times = Vec::new();
    for _ in 0..FEW {
        let ours = time(|| module.write_to(&copy))?;
        times.push((ours, cp(&path, &copy)?));
    }
    let written = row("tsm: write", &times, "`cp`");
    let mut goals = vec![ratio_goal("tsm, written", written, "`cp`")];
    drop(module);

    let mut memory = 0;
    let mut times = Vec::new();
    for _ in 0..MANY {
        let start = Instant::now();
        let (listed, stats) =
            measure_value(|| Module::open(&path).map(|module| module.index().len()));
        times.push(start.elapsed());
        // Each node's op and name are tensors too.
        assert_eq!(listed?, 3 * count);
        memory = stats.peak.max(memory);
    }
    let opened = median(times);
    println!(
        "| tsm: open and list {count} tensors | {} | {memory} bytes of memory |",
        show(opened)
    );
    goals.push(time_goal("tsm, opened", opened, OPENED));

    let module = Module::open(&path)?;
    let tensors: Vec<&Tensor<'_>> = module
        .graph
        .nodes
        .iter()
        .filter_map(|node| node.value().and_then(|value| value.first()))
        .collect();
    assert_eq!(tensors.len(), count);
    let mut times = Vec::new();
    for round in 0..=FEW {
        let ours = time(|| tensors.iter().try_for_each(|tensor| tensor.to_vec::<f32>().map(keep)))?;
        let plain = time(|| copy_each(tensors.iter().map(|tensor| tensor.bytes())))?;
        // The first round loads the pages of the file.
        if round > 0 {
            times.push((ours, plain));
        }
    }
    let read = row("tsm: read every tensor into owned floats", &times, "`memcpy` into a new `Vec`");
    goals.push(ratio_goal("tsm, read", read, "`memcpy`"));
    fs::remove_file(&path)?;
    fs::remove_file(&copy)?;
    Ok(goals)
}

/// A module of 100,001 nodes with one small tensor each.
fn small_nodes() -> Outcome<String> {
    let mut graph = ModuleBuilder::new();
    let first = graph.param("x");
    let mut last = first;
    for number in 0..100_000 {
        last = graph.op("relu", &format!("node{number}"), [last]).set("value", 1.0f32).node();
    }
    let bytes = graph.build([first], [last])?.to_vec()?;
    let mut times = Vec::new();
    for _ in 0..2 * FEW {
        let ours = time(|| Module::from_slice(&bytes))?;
        let plain = time(|| -> Outcome<Vec<u8>> { Ok(bytes.clone()) })?;
        times.push((ours, plain));
    }
    row(&format!("tsm: read 100,001 small nodes, {} bytes", bytes.len()), &times, "`memcpy`");
    Ok(time_goal("tsm, 100,001 small nodes read", ours(&times), NODES))
}

/// A model of large parameters.
fn primitiv(folder: &Path, values: &[f32], count: usize) -> Outcome<()> {
    let mut model = Model::new();
    for number in 0..count {
        let tensor = primitiv::Tensor::from_column_major(Shape::new(&[4096, 1024])?, values)?;
        model.insert(["layer".to_owned(), number.to_string()], Parameter::new(tensor)?)?;
    }
    let (path, copy) = (folder.join("large.model"), folder.join("copy.model"));
    model.write_to(&path)?;
    let mut times = Vec::new();
    for _ in 0..FEW {
        let ours = time(|| model.write_to(&copy))?;
        times.push((ours, cp(&path, &copy)?));
    }
    row("primitiv: write", &times, "`cp`");
    drop(model);

    let mut memory = 0;
    let mut times = Vec::new();
    for _ in 0..MANY {
        let start = Instant::now();
        let listed = || Model::open(&path).map(|model| model.entries().len());
        let (listed, stats) = measure_value(listed);
        times.push(start.elapsed());
        assert_eq!(listed?, count);
        memory = stats.peak.max(memory);
    }
    let time_taken = show(median(times));
    println!(
        "| primitiv: open and list {count} parameters | {time_taken} | {memory} bytes of memory |"
    );

    let model = Model::open(&path)?;
    let tensors: Vec<_> = model.entries().iter().map(|entry| entry.parameter().value()).collect();
    let mut times = Vec::new();
    for round in 0..=FEW {
        let ours = time(|| {
            tensors.iter().for_each(|tensor| keep(tensor.to_column_major()));
            Outcome::Ok(())
        })?;
        let plain = time(|| copy_each(tensors.iter().map(|tensor| tensor.data())))?;
        if round > 0 {
            times.push((ours, plain));
        }
    }
    row("primitiv: read every parameter into owned floats", &times, "`memcpy` into a new `Vec`");
    fs::remove_file(&path)?;
    fs::remove_file(&copy)?;
    Ok(())
}

/// A model of 70,000 scalars.
fn small_parameters() -> Outcome<String> {
    let mut model = Model::new();
    for number in 0..70_000 {
        let scalar = primitiv::Tensor::scalar(1.0);
        model.insert([format!("p{number:05}")], Parameter::new(scalar)?)?;
    }
    let bytes = primitiv::File::from(model).to_vec()?;
    let mut times = Vec::new();
    for _ in 0..2 * FEW {
        let ours = time(|| primitiv::File::from_slice(&bytes))?;
        let plain = time(|| Outcome::Ok(bytes.clone()))?;
        times.push((ours, plain));
    }
    row(&format!("primitiv: read 70,000 scalars, {} bytes", bytes.len()), &times, "`memcpy`");
    Ok(time_goal("primitiv, 70,000 scalars read", ours(&times), SCALARS))
}

/// Random numbers, which do not compress.
fn noise(count: usize) -> Vec<f32> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f32::from_bits(state >> 9 | 0x3f80_0000)
    };
    (0..count).map(|_| next()).collect()
}

/// Keeps the compiler from removing the read.
fn keep<T>(values: Vec<T>) {
    black_box(values);
}

fn copy_each<'a>(all: impl Iterator<Item = &'a [u8]>) -> Outcome<()> {
    all.for_each(|bytes| keep(bytes.to_vec()));
    Ok(())
}

/// The time of `cp`.
fn cp(from: &Path, to: &Path) -> Outcome<Duration> {
    let start = Instant::now();
    // A reflink would copy nothing.
    let status = Command::new("cp").arg("--reflink=never").args([from, to]).status()?;
    if !status.success() {
        return Err("cp failed".into());
    }
    Ok(start.elapsed())
}

fn time<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<Duration, E> {
    let start = Instant::now();
    let result = work()?;
    let elapsed = start.elapsed();
    drop(result);
    Ok(elapsed)
}

fn median<T: Ord + Copy>(mut all: Vec<T>) -> Option<T> {
    all.sort_unstable();
    all.get(all.len() / 2).copied()
}

/// Prints a row with the median of our times, and with the median ratio to the reference, which is returned.
fn row(what: &str, times: &[(Duration, Duration)], reference: &str) -> Option<f64> {
    let mut ratios: Vec<f64> =
        times.iter().map(|(ours, other)| ours.as_secs_f64() / other.as_secs_f64()).collect();
    ratios.sort_by(f64::total_cmp);
    let ratio = *ratios.get(ratios.len() / 2)?;
    println!("| {what} | {} | {ratio:.2} × {reference} |", show(ours(times)));
    Some(ratio)
}

fn ours(times: &[(Duration, Duration)]) -> Option<Duration> {
    median(times.iter().map(|(ours, _)| *ours).collect())
}

fn ratio_goal(what: &str, found: Option<f64>, reference: &str) -> String {
    let found = found.unwrap_or(f64::INFINITY);
    let verdict = verdict(found <= BULK);
    format!("- {what}: {found:.2} of {reference}, goal {BULK}: {verdict}")
}

fn time_goal(what: &str, found: Option<Duration>, most: Duration) -> String {
    let verdict = verdict(found.is_some_and(|found| found <= most));
    format!("- {what}: {}, goal {}: {verdict}", show(found), show(Some(most)))
}

fn verdict(reached: bool) -> &'static str {
    if reached { "reached" } else { "NOT" }
}

fn show(time: Option<Duration>) -> String {
    match time.unwrap_or_default().as_secs_f64() {
        seconds if seconds < 0.001 => format!("{:.0} µs", seconds * 1e6),
        seconds if seconds < 1.0 => format!("{:.1} ms", seconds * 1e3),
        seconds => format!("{seconds:.2} s"),
    }
}
