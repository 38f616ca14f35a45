//! Modules that nobody has made in earnest: long, shared, and random.

use fourfold::tsm::{ModuleBuilder, Tensor};
use fourfold_onnx::{Model, Options, export};
use quickcheck::{Gen, QuickCheck};

use super::{graph, random};

#[test]
fn random_modules_never_panic_nor_take_much_memory() {
    fn check(numbers: Vec<u8>) -> bool {
        match export(&random::module(&numbers), &Options::new()) {
            Ok(model) => {
                let bytes = model.to_bytes().unwrap();
                bytes.len() < 16 << 20 && Model::read(bytes).is_ok_and(|it| it == model)
            }
            Err(error) => error.to_string().lines().count() == error.nodes.len() + 1,
        }
    }

    QuickCheck::new().rng(Gen::new(200)).tests(1000).quickcheck(check as fn(Vec<u8>) -> bool);
}

#[test]
fn ten_thousand_nodes_share_a_constant() {
    let mut module = ModuleBuilder::new();
    let x = module.param("x");
    module.at(x).shape(&[256, 256]);
    let shared = Tensor::from_values(&vec![1.0f32; 65_536], &[256, 256]).unwrap();
    let shared = module.constant("shared", shared);
    let last = (0..10_000).fold(x, |last, _| module.op("add", "sum", [last, shared]).node());
    let graph = graph(&module.build([x], [last]).unwrap());
    assert_eq!((graph.node.len(), graph.initializer.len()), (10_000, 1));
}
