//! Explaining takes memory in proportion to the input.

use fourfold::biniou::Value;
use fourfold::primitiv::{File, Key, Model, Parameter};
use fourfold::tsm::{ModuleBuilder, Tensor};
use fourfold::{biniou, molecule, primitiv};
use fourfold_inspect::spans;

use crate::alloc::measure_value;
use crate::biniou::values;
use crate::{Explain, explained};

/// The number of items of the smallest input, and the number of doublings.
const SMALLEST: usize = 2000;
const DOUBLINGS: u32 = if cfg!(debug_assertions) { 3 } else { 8 };

/// Explains inputs that double, and fails if memory more than doubles with them.
fn linear(name: &str, explain: Explain, make: impl Fn(usize) -> Vec<u8>) {
    let costs = (0..=DOUBLINGS).map(|power| {
        let bytes = make(SMALLEST << power);
        let (_, stats) = measure_value(|| explained(explain, &bytes));
        (bytes.len(), [stats.count, stats.peak, stats.total])
    });
    let costs: Vec<_> = costs.collect();
    for pair in costs.windows(2) {
        let [(len, first), (double, second)] = pair else { panic!("{name}") };
        println!("{name}: {second:?} for {double} bytes");
        for (before, after) in first.iter().zip(second) {
            // Growing vectors may have another capacity relative to their length each time.
            let most = 2 * double * (before + 64) / len;
            assert!(*after <= most, "{name}: {after} for {double} bytes, {most} at most");
        }
    }
    // That slack may be used once over all doublings; quadratic work would need it each time.
    let ((len, first), (long, last)) = (costs[0], costs[costs.len() - 1]);
    for (before, after) in first.iter().zip(last) {
        let most = 3 * (long / len + 1) * (before + 64);
        assert!(after <= most, "{name}: {after} for {long} bytes, {most} at most");
    }
}

/// Rows of a number, a name, texts and an option.
fn rows(count: usize) -> Vec<(u32, String, Vec<String>, Option<u64>)> {
    let row = |id: usize| {
        let tags = vec!["a".into(), "long enough to have a block".into()];
        (id as u32, format!("row {id:07}"), tags, (id % 2 == 0).then_some(1 << 40))
    };
    (0..count).map(row).collect()
}

#[test]
fn rows_of_molecule_and_biniou() {
    linear("molecule", spans::molecule::explain, |count| molecule::to_vec(&rows(count)).unwrap());
    linear("biniou", values, |count| biniou::to_vec(&rows(count)).unwrap());
}

#[test]
fn damaged_rows() {
    linear("tsm", spans::tsm::explain, |count| fourfold::tsm::to_vec(&rows(count)).unwrap());
    linear("primitiv", spans::primitiv::explain, |count| primitiv::to_vec(&rows(count)).unwrap());
}

/// A message with shared values and references.
#[test]
fn trees_of_biniou() {
    linear("biniou tree", values, |count| {
        let text = Value::String(b"text".to_vec());
        let items = (0..count).map(|at| match at {
            0 => Value::Shared(1, Box::new(Value::Tuple(vec![text.clone(); 3]))),
            at if at % 2 == 0 => Value::Reference(1),
            at => Value::Record(vec![(at as u32, Value::Svint(-7)), (3, text.clone())]),
        });
        biniou::to_vec(&Value::Tuple(items.collect())).unwrap()
    });
}

/// A chain of nodes.
#[test]
fn modules_of_tsm() {
    linear("tsm module", spans::tsm::explain, |count| {
        let mut graph = ModuleBuilder::new();
        let first = graph.param("x");
        let last = (0..count / 8).fold(first, |node, number| {
            let name = format!("n{number}");
            graph.op("conv", &name, [node, first]).set("dim", Tensor::scalar(7_i32)).node()
        });
        graph.build([first], [last]).unwrap().to_vec().unwrap()
    });
}

/// Many parameters, in and out of order.
#[test]
fn models_of_primitiv() {
    linear("primitiv model", spans::primitiv::explain, |count| {
        let entries = (0..count / 8).map(|number| {
            let key = [format!("layer{}", number % 97), format!("{:06}", number * 7919 % 999_983)];
            (Key::new(key), Parameter::new(primitiv::Tensor::scalar(1.5)).unwrap())
        });
        File::from(Model::from_entries(entries).unwrap()).to_vec().unwrap()
    });
}
