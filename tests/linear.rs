//! Reading and writing take memory and steps in proportion to the input.
//!
//! No test uses a clock. For inputs that double, the tests count the values that are read, the calls of a reader's
//! stream, allocations and their bytes. With optimizations the largest inputs have half a million items, so that
//! quadratic work would not end.
//! `cargo test --test linear -- --nocapture` prints the slopes.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking, and its numbers are small"
)]

#[path = "linear/lazy.rs"]
mod lazy;
#[path = "support/mod.rs"]
mod support;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::rc::Rc;

use fourfold::{biniou, molecule, primitiv, tsm};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};
use support::alloc::{Stats, measure_value};
use support::format::{Biniou, Format, Molecule, Tsm, for_formats};

support::format::formats! { biniou Biniou, molecule Molecule, primitiv Primitiv, tsm Tsm }

#[global_allocator]
static ALLOCATOR: support::alloc::Counting = support::alloc::Counting;

/// The number of items of the smallest input, and the number of doublings.
const SMALLEST: usize = 2000;
const DOUBLINGS: u32 = if cfg!(debug_assertions) { 3 } else { 8 };

thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// A value that counts how often values of this kind are read.
#[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Serialize)]
#[serde(transparent)]
struct Counted<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Counted<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        STEPS.set(STEPS.get() + 1);
        T::deserialize(deserializer).map(Counted)
    }
}

/// A stream that counts its calls.
struct Calls<'a> {
    bytes: &'a [u8],
    calls: usize,
}

impl Read for Calls<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        self.bytes.read(buffer)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    id: Counted<u32>,
    name: Counted<String>,
    tags: Vec<Counted<String>>,
    parent: Option<Counted<u64>>,
}

fn rows(count: usize) -> Vec<Row> {
    let row = |id: usize| Row {
        id: Counted(u32::try_from(id).unwrap()),
        name: Counted(format!("row {id:07}")),
        tags: vec![Counted("a".into()), Counted("long enough to have a block".into())],
        parent: (id % 2 == 0).then_some(Counted(1 << 40)),
    };
    (0..count).map(row).collect()
}

fn map(count: usize) -> BTreeMap<Counted<String>, Counted<u32>> {
    (0..count).map(|id| (Counted(format!("{id:08}")), Counted(7))).collect()
}

/// The counts of a piece of work, and the size of its input in bytes.
#[derive(Clone, Copy)]
struct Cost {
    bytes: usize,
    steps: usize,
    memory: Stats,
}

type Count = fn(&Cost) -> usize;

/// Runs `work` on an input of `bytes` bytes. Steps are the values that were read, unless the work counts something else.
fn cost<R>(bytes: usize, work: impl FnOnce() -> R) -> Cost {
    STEPS.set(0);
    let (_, memory) = measure_value(work);
    Cost { bytes, steps: STEPS.get(), memory }
}

/// Runs over inputs that double, and fails if any count more than doubles with them.
fn linear(name: &str, run: impl Fn(usize) -> Cost) {
    let costs: Vec<Cost> = (0..=DOUBLINGS).map(|power| run(SMALLEST << power)).collect();
    let (first, last) = (costs[0], costs[costs.len() - 1]);
    let slope = |count: Count| {
        (count(&last) as f64 - count(&first) as f64) / (last.bytes - first.bytes) as f64
    };
    println!(
        "{name}: {} bytes; per byte {:.3} steps, {:.3} allocations, {:.2} bytes at once, {:.2} in all",
        last.bytes,
        slope(|cost| cost.steps),
        slope(|cost| cost.memory.count),
        slope(|cost| cost.memory.peak),
        slope(|cost| cost.memory.total),
    );
    let counts: [(&str, Count); 4] = [
        ("steps", |cost| cost.steps),
        ("allocations", |cost| cost.memory.count),
        ("bytes at once", |cost| cost.memory.peak),
        ("bytes in all", |cost| cost.memory.total),
    ];
    for (what, count) in counts {
        for pair in costs.windows(2) {
            // Growing vectors may have another capacity relative to their length each time.
            let before = count(&pair[0]) as u64 + 64;
            let most = 2 * (pair[1].bytes as u64 * before) / pair[0].bytes as u64;
            let found = count(&pair[1]) as u64;
            assert!(
                found <= most,
                "{name}: {found} {what} for {} bytes, {most} at most",
                pair[1].bytes
            );
        }
        // That slack may be used once over all doublings; quadratic work would need it each time.
        let most = 3 * (last.bytes / first.bytes + 1) as u64 * (count(&first) as u64 + 64);
        assert!(count(&last) as u64 <= most, "{name}: {} {what}, {most} at most", count(&last));
    }
}

fn both<F: Format, T: Serialize + DeserializeOwned + PartialEq>(name: &str, make: fn(usize) -> T) {
    let name = format!("{} {name}", F::NAME);
    linear(&format!("{name}, written"), |count| {
        let value = make(count);
        let bytes = F::to_vec(&value).unwrap().len();
        cost(bytes, || F::to_vec(&value).unwrap())
    });
    linear(&format!("{name}, read"), |count| {
        let value = make(count);
        let bytes = F::to_vec(&value).unwrap();
        let cost = cost(bytes.len(), || F::from_slice::<T>(&bytes).unwrap());
        assert!(F::from_slice::<T>(&bytes).unwrap() == value, "{name}");
        cost
    });
    linear(&format!("{name}, from a reader"), |count| {
        let bytes = F::to_vec(&make(count)).unwrap();
        let mut calls = Calls { bytes: &bytes, calls: 0 };
        let read = || F::from_reader::<T>(&mut calls).map(drop).unwrap();
        let mut cost = cost(bytes.len(), read);
        cost.steps += calls.calls;
        cost
    });
    linear(&format!("{name}, skipped"), |count| {
        // As a field that the type does not have, or as far as the format can skip.
        let bytes = F::to_vec(&make(count)).unwrap();
        cost(bytes.len(), || {
            let _ = F::from_slice::<IgnoredAny>(&bytes);
        })
    });
}

/// Tests for each format.
mod each {
    use super::*;

    for_formats! { { structs maps numbers texts one_text } }

    fn structs<F: Format>() {
        both::<F, _>("structs", rows);
    }

    fn maps<F: Format>() {
        both::<F, _>("map", map);
    }

    fn numbers<F: Format>() {
        both::<F, _>("numbers", |count| vec![Counted(1_u64 << 50); count]);
    }

    fn texts<F: Format>() {
        both::<F, _>("texts", |count| vec!["a text of some length, not short".to_owned(); count]);
    }

    fn one_text<F: Format>() {
        both::<F, _>("one text", |count| "é".repeat(20 * count));
    }
}

/// The sizes of the first items determine how much memory is reserved for the others, so that a large output is moved at
/// most once more. If it grew by half at a time, the total allocated would be three times the message.
#[test]
fn output_memory_is_reserved_by_the_first_items() {
    fn check<F: Format>(value: &impl Serialize) {
        let (bytes, stats) = measure_value(|| F::to_vec(value).unwrap());
        let text = format!("{}: {stats:?} for {} bytes", F::NAME, bytes.len());
        println!("{text}");
        assert!(stats.peak < bytes.len() * 9 / 8, "{text}");
        assert!(stats.total < bytes.len() * 2, "{text}");
    }
    let rows = rows(16_000);
    check::<Biniou>(&rows);
    check::<Molecule>(&rows);
    check::<Tsm>(&rows);
}

/// If the first items mislead, unused memory is freed.
#[test]
fn unused_output_memory_is_freed() {
    let texts: Vec<String> =
        (0..20_000).map(|at| "x".repeat(if at < 100 { 1000 } else { 0 })).collect();
    for (name, bytes) in [
        ("biniou", biniou::to_vec(&texts).unwrap()),
        ("molecule", molecule::to_vec(&texts).unwrap()),
        ("tsm", tsm::to_vec(&texts).unwrap()),
    ] {
        let (len, capacity) = (bytes.len(), bytes.capacity());
        assert!(capacity <= 2 * len, "{name}: {capacity} for {len} bytes");
    }
    // A wrong length reserves at most memory for a few items.
    struct Endless(std::ops::Range<usize>);
    impl Iterator for Endless {
        type Item = u64;
        fn next(&mut self) -> Option<u64> {
            self.0.next().map(|number| number as u64)
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            (usize::MAX, None)
        }
    }
    struct Texts;
    impl Serialize for Texts {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(Endless(0..2_000).map(|number| number.to_string()))
        }
    }
    let (bytes, stats) = measure_value(|| molecule::to_vec(&Texts).unwrap());
    assert!(stats.peak < 64 * bytes.len(), "molecule: {stats:?} for {} bytes", bytes.len());
}

/// A message of biniou, with values that are shared and referred to.
#[test]
fn biniou_trees() {
    use biniou::Value;

    fn tree(count: usize) -> Vec<u8> {
        let text = Value::String(b"text".to_vec());
        let items = (0..count).map(|at| match at {
            0 => Value::Shared(1, Box::new(Value::Tuple(vec![text.clone(); 3]))),
            at if at % 2 == 0 => Value::Reference(1),
            at => Value::Record(vec![(at as u32, Value::Svint(-7)), (3, text.clone())]),
        });
        biniou::to_vec(&Value::Tuple(items.collect())).unwrap()
    }

    linear("biniou tree, read", |count| {
        let bytes = tree(count);
        cost(bytes.len(), || biniou::from_slice::<Value>(&bytes).unwrap())
    });
    linear("biniou tree, written", |count| {
        let bytes = tree(count);
        let tree: Value = biniou::from_slice(&bytes).unwrap();
        cost(bytes.len(), || biniou::to_vec(&tree).unwrap())
    });
    linear("biniou sharing, written", |count| {
        let shared = biniou::with::Shared(Rc::new("text".to_owned()));
        let many = vec![shared; count];
        let bytes = biniou::to_vec(&many).unwrap().len();
        cost(bytes, || biniou::to_vec(&many).unwrap())
    });
}

/// A chain of nodes.
#[test]
fn tsm_modules() {
    use tsm::{Module, ModuleBuilder, Tensor};

    fn chain(count: usize) -> Vec<u8> {
        let mut graph = ModuleBuilder::new();
        let first = graph.param("x");
        let last = (0..count / 8).fold(first, |node, number| {
            let name = format!("n{number}");
            graph.op("conv", &name, [node, first]).set("dim", Tensor::scalar(7_i32)).node()
        });
        graph.build([first], [last]).unwrap().to_vec().unwrap()
    }

    linear("tsm module, read", |count| {
        let bytes = chain(count);
        cost(bytes.len(), || Module::from_slice(&bytes).unwrap())
    });
    linear("tsm module, written", |count| {
        let bytes = chain(count);
        let module = Module::from_slice(&bytes).unwrap();
        cost(bytes.len(), || module.to_vec().unwrap())
    });
    linear("tsm module, checked and listed", |count| {
        let bytes = chain(count);
        let module = Module::from_slice(&bytes).unwrap();
        cost(bytes.len(), || (module.check(), module.index().len()))
    });
}

/// Many parameters, in and out of order.
#[test]
fn primitiv_models() {
    use primitiv::{File, Key, Model, Parameter, Tensor};

    fn model(count: usize) -> Vec<u8> {
        let entries = (0..count / 8).map(|number| {
            let key = [format!("layer{}", number % 97), format!("{:06}", number * 7919 % 999_983)];
            (Key::new(key), Parameter::new(Tensor::scalar(1.5)).unwrap())
        });
        File::from(Model::from_entries(entries).unwrap()).to_vec().unwrap()
    }

    linear("primitiv model, read", |count| {
        let bytes = model(count);
        cost(bytes.len(), || File::from_slice(&bytes).unwrap())
    });
    linear("primitiv model, written", |count| {
        let bytes = model(count);
        let file = File::from_slice(&bytes).unwrap();
        cost(bytes.len(), || file.to_vec().unwrap())
    });
}
