//! Sequences, maps, sets and graphs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::run::Run;
use crate::support::Rows;

fn texts() -> [(String, u8); 2] {
    [("b".to_owned(), 1), ("a".to_owned(), 2)]
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct AsSeq {
    #[serde(with = "indexmap::map::serde_seq")]
    map: indexmap::IndexMap<String, u8>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Eithers {
    #[serde(with = "either::serde_untagged")]
    a: either::Either<u8, String>,
    #[serde(with = "either::serde_untagged_optional")]
    b: Option<either::Either<u8, String>>,
}

#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, enum_map::Enum)]
enum Key {
    A,
    B,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Arrays {
    #[serde(with = "serde_big_array::BigArray")]
    big: [u8; 100],
    #[serde(with = "serde_arrays")]
    other: [u16; 40],
}

pub fn rows(run: &mut Run) {
    sequences(run);
    maps(run);
    graphs(run);
}

fn sequences(run: &mut Run) {
    run.group("Sequences");
    run.row(
        "`smallvec::SmallVec`",
        vec![smallvec::SmallVec::<[u32; 2]>::new(), smallvec::smallvec![1, 2, 3]],
    );
    run.row(
        "`arrayvec::ArrayVec`",
        vec![
            arrayvec::ArrayVec::<String, 4>::new(),
            arrayvec::ArrayVec::from_iter(["a".to_owned(), String::new()]),
        ],
    );
    run.row(
        "`heapless::Vec`",
        vec![heapless::Vec::<u16, 4>::new(), heapless::Vec::from_slice(&[1, 2]).unwrap()],
    );
    run.row_by_json("`heapless::Deque`", vec![heapless::Deque::<u8, 4>::new()]);
    run.row(
        "`tinyvec::ArrayVec`",
        vec![tinyvec::ArrayVec::<[u8; 4]>::new(), tinyvec::ArrayVec::from([1u8, 2, 3, 4])],
    );
    run.row(
        "`tinyvec::TinyVec`",
        vec![tinyvec::TinyVec::<[u8; 2]>::new(), tinyvec::TinyVec::from(&[1u8, 2, 3][..])],
    );
    run.row("`thin_vec::ThinVec`", vec![thin_vec::ThinVec::<u8>::new(), thin_vec::thin_vec![1, 2]]);
    run.row("`ecow::EcoVec`", vec![ecow::EcoVec::<u8>::new(), ecow::eco_vec![1, 2]]);
    run.row("`nonempty::NonEmpty`", vec![nonempty::nonempty![1u8], nonempty::nonempty![1, 2]]);
    run.row(
        "`vec1::Vec1`",
        vec![vec1::vec1!["a".to_owned()], vec1::vec1![String::new(), "b".to_owned()]],
    );
    run.row(
        "`bit_vec::BitVec`",
        vec![bit_vec::BitVec::new(), bit_vec::BitVec::from_elem(70, true)],
    );
    run.row("`bit_set::BitSet`", vec![bit_set::BitSet::new(), [1usize, 70].into_iter().collect()]);
    run.row(
        "`fixedbitset::FixedBitSet`",
        vec![
            fixedbitset::FixedBitSet::new(),
            fixedbitset::FixedBitSet::with_capacity_and_blocks(70, [7, 1]),
        ],
    );
    run.row(
        "`roaring::RoaringBitmap`",
        vec![roaring::RoaringBitmap::new(), [1u32, 2, 1 << 30].into_iter().collect()],
    );
    run.row(
        "`roaring::RoaringTreemap`",
        vec![[1u64, 1 << 40].into_iter().collect::<roaring::RoaringTreemap>()],
    );
    run.row("`serde_big_array`, `serde_arrays`", vec![Arrays { big: [7; 100], other: [300; 40] }]);
    run.row("`triomphe::Arc`", vec![triomphe::Arc::new("text".to_owned())]);
    run.row(
        "`either::Either`",
        vec![either::Either::<u8, String>::Left(1), either::Either::Right("text".to_owned())],
    );
    run.row(
        "`either::serde_untagged`",
        vec![
            Eithers { a: either::Left(1), b: None },
            Eithers { a: either::Right("text".to_owned()), b: Some(either::Left(2)) },
        ],
    );
    let mut slab = slab::Slab::new();
    slab.insert("a".to_owned());
    let gone = slab.insert("b".to_owned());
    slab.insert("c".to_owned());
    slab.remove(gone);
    run.row_by_json("`slab::Slab`", vec![slab::Slab::new(), slab]);
}

fn maps(run: &mut Run) {
    run.group("Maps and sets");
    run.row(
        "`indexmap::IndexMap`",
        vec![indexmap::IndexMap::new(), indexmap::IndexMap::<String, u8>::from_iter(texts())],
    );
    run.row(
        "`indexmap::IndexSet`",
        vec![indexmap::IndexSet::new(), indexmap::IndexSet::<u16>::from([2, 1])],
    );
    run.row(
        "`indexmap::map::serde_seq`",
        vec![
            AsSeq { map: indexmap::IndexMap::new() },
            AsSeq { map: texts().into_iter().collect() },
        ],
    );
    run.row(
        "`hashbrown::HashMap`",
        vec![
            hashbrown::HashMap::new(),
            hashbrown::HashMap::<String, u8>::from_iter([("a".to_owned(), 1)]),
        ],
    );
    run.row(
        "`hashbrown::HashSet`",
        vec![hashbrown::HashSet::new(), hashbrown::HashSet::<i32>::from_iter([-1])],
    );
    run.row(
        "`linked_hash_map::LinkedHashMap`",
        vec![
            linked_hash_map::LinkedHashMap::new(),
            linked_hash_map::LinkedHashMap::<String, u8>::from_iter(texts()),
        ],
    );
    run.row(
        "`heapless::LinearMap`",
        vec![heapless::LinearMap::<u8, u8, 4>::new(), [(1u8, 2u8)].into_iter().collect()],
    );
    run.row(
        "`heapless::index_map::FnvIndexMap`",
        vec![
            heapless::index_map::FnvIndexMap::<u8, u8, 4>::new(),
            [(1u8, 2u8)].into_iter().collect(),
        ],
    );
    run.row(
        "`bimap::BiBTreeMap`",
        vec![bimap::BiBTreeMap::<String, u8>::new(), texts().into_iter().collect()],
    );
    run.row(
        "`bimap::BiHashMap`",
        vec![bimap::BiHashMap::<String, u8>::new(), [("a".to_owned(), 1)].into_iter().collect()],
    );
    run.row(
        "`vec_map::VecMap`",
        vec![vec_map::VecMap::<String>::new(), [(3usize, "a".to_owned())].into_iter().collect()],
    );
    run.row("`enum_map::EnumMap`", vec![enum_map::enum_map! { Key::A => 1u8, Key::B => 2 }]);
    run.row(
        "`priority_queue::PriorityQueue`",
        vec![priority_queue::PriorityQueue::<String, u8>::new(), texts().into_iter().collect()],
    );
    run.row(
        "`rangemap::RangeMap`",
        vec![
            rangemap::RangeMap::<u32, String>::new(),
            [(1..5, "a".to_owned())].into_iter().collect(),
        ],
    );
    run.row(
        "`rangemap::RangeInclusiveSet`",
        vec![[1u8..=5].into_iter().collect::<rangemap::RangeInclusiveSet<u8>>()],
    );
    let mut slots = slotmap::SlotMap::<slotmap::DefaultKey, String>::new();
    let key = slots.insert("a".into());
    slots.insert("b".into());
    slots.remove(key);
    run.row("`slotmap::DefaultKey`", vec![key]);
    run.row_by_json("`slotmap::SlotMap`", vec![slots]);
    let mut second = slotmap::SecondaryMap::<slotmap::DefaultKey, u8>::new();
    second.insert(key, 7);
    run.row_by_json("`slotmap::SecondaryMap`", vec![second]);
    run.row(
        "`BTreeMap<Uuid, Vec<SmolStr>>`",
        vec![BTreeMap::from([(uuid::Uuid::nil(), vec![smol_str::SmolStr::new("a")])])],
    );
}

fn graphs(run: &mut Run) {
    run.group("Graphs");
    let mut graph = petgraph::Graph::<String, u8>::new();
    run.row_by_json("`petgraph::Graph`, empty", vec![graph.clone()]);
    let a = graph.add_node("a".into());
    let b = graph.add_node("b".into());
    graph.add_edge(a, b, 7);
    run.row_by_json("`petgraph::Graph`", vec![graph.clone()]);
    let mut stable = petgraph::stable_graph::StableGraph::<String, u8>::from(graph);
    stable.remove_node(a);
    run.row_by_json("`petgraph::StableGraph`", vec![stable]);
    run.row_by_json(
        "`petgraph::GraphMap`",
        vec![petgraph::graphmap::UnGraphMap::<u8, u8>::from_edges([(1, 2, 7)])],
    );
    run.row_by_json("`petgraph::graph::NodeIndex`", vec![a]);
}
