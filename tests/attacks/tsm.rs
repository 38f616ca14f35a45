//! Attacks on readers of tsm.

use fourfold::tsm::{ModuleBuilder, PackedTensor, Tensor};

use crate::molecule::File;

fn numbers(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A module with a chain of nodes, each of which has the previous one as input.
fn chain(nodes: usize) -> Vec<u8> {
    let mut graph = ModuleBuilder::new();
    let first = graph.param("x");
    let last = (0..nodes).fold(first, |node, _| graph.op("abs", "n", [node]).node());
    graph.build([first], [last]).unwrap().to_vec().unwrap()
}

/// Replaces the last four bytes `from` by `to`.
fn patched(mut bytes: Vec<u8>, from_end: usize, to: i32) -> Vec<u8> {
    let at = bytes.len() - from_end;
    bytes[at..at + 4].copy_from_slice(&to.to_le_bytes());
    bytes
}

pub(crate) fn files() -> Vec<File> {
    let mut text = vec![b'a'; 20_000];
    text.push(0xff);
    let module = chain(1);
    let header = module[..128].to_vec();
    let tiny = PackedTensor { fields: vec![Tensor::scalar(7_u8); 2000] }.to_vec().unwrap();
    let dims = |dims: &[i32]| {
        let count = i32::try_from(dims.len()).unwrap();
        [numbers(&[1]), vec![10], numbers(&[count]), numbers(dims)].concat()
    };
    vec![
        ("count-max", "2^31-1 items of 8 bytes: 16 GiB", &["Vec<u64>", "Vec<String>"], {
            numbers(&[i32::MAX])
        }),
        ("count-negative", "minus one items", &["Vec<u64>", "String"], numbers(&[-1])),
        ("text-2-31", "2^31-1 bytes of text: 2 GiB", &["String"], numbers(&[i32::MAX])),
        (
            "items-without-bytes",
            "2^31-1 items that take no bytes: 2 Gi turns",
            &["Vec<()>"],
            numbers(&[i32::MAX]),
        ),
        (
            "claims-in-claims",
            "each of 1000 levels claims all that is left",
            &["Vec<Vec<Vec<u8>>>", "Nest"],
            numbers(&[3000; 1000]),
        ),
        ("deep", "10,000 levels: the stack", &["Nest"], {
            [numbers(&[1; 10_000]), numbers(&[0])].concat()
        }),
        (
            "map-max",
            "2^31-1 entries: 32 GiB",
            &["HashMap<u64, u64>"],
            [numbers(&[i32::MAX]), vec![0; 64]].concat(),
        ),
        (
            "nodes-max",
            "a graph of 2^31-1 nodes: 100 GiB",
            &["Module"],
            [header.clone(), numbers(&[0, 0, i32::MAX])].concat(),
        ),
        (
            "inputs-max",
            "a module of 2^31-1 inputs: 8 GiB",
            &["Module"],
            [header, numbers(&[i32::MAX])].concat(),
        ),
        (
            "node-of-itself",
            "a node whose input is itself: an endless walk",
            &["Module"],
            patched(chain(1), 4, 1),
        ),
        (
            "node-beyond",
            "a node whose input is number 2^31-1",
            &["Module"],
            patched(chain(1), 4, i32::MAX),
        ),
        ("chain", "1000 nodes in a row: a stack for who recurses", &["Module"], chain(1000)),
        (
            "dims-overflow",
            "a tensor of (2^31-1)^8 elements",
            &["PackedTensor"],
            dims(&[i32::MAX; 8]),
        ),
        (
            "dims-overflow-to-zero",
            "a tensor of 2^64 elements, which is 0 of 64 bits",
            &["PackedTensor"],
            dims(&[65_536, 65_536, 65_536, 65_536]),
        ),
        ("dims-negative", "a tensor of minus four elements", &["PackedTensor"], dims(&[-2, 2])),
        (
            "dims-max",
            "2^31-1 dims",
            &["PackedTensor"],
            [numbers(&[1]), vec![10], numbers(&[i32::MAX])].concat(),
        ),
        (
            "void-elements",
            "2^31-1 elements that take no bytes",
            &["PackedTensor"],
            [numbers(&[1]), vec![0], numbers(&[1, i32::MAX])].concat(),
        ),
        ("many-tiny-tensors", "2000 tensors of one byte", &["PackedTensor"], tiny),
        (
            "tensors-max",
            "2^31-1 tensors: 100 GiB",
            &["PackedTensor"],
            [numbers(&[i32::MAX]), vec![0; 100]].concat(),
        ),
        (
            "late-invalid-text",
            "20,000 bytes of text of which the last is no UTF-8",
            &["String"],
            [numbers(&[20_001]), text].concat(),
        ),
        ("truncated", "a module cut in its last node", &["Module"], {
            module[..module.len() - 1].to_vec()
        }),
        ("empty", "nothing at all", &["Module", "PackedTensor", "Pair"], Vec::new()),
    ]
}
