//! Large values: reading takes memory in proportion to the bytes.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Debug;
use std::io::{self, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_bytes::ByteBuf;

use super::alloc::{Stats, measure_value};
use super::format::Format;
use super::zoo::deep::tree;
use super::zoo::{Key, Point, Record, Shape, Suit};

/// Maximum memory for reading.
#[derive(Clone, Copy)]
pub(crate) struct Bound {
    /// Peak memory for each byte of input.
    pub(crate) peak: usize,
    /// The sum of all allocations, for each byte of input.
    pub(crate) total: usize,
    /// A constant, for errors and values without bytes.
    pub(crate) constant: usize,
}

impl Bound {
    #[track_caller]
    pub(crate) fn hold(&self, stats: Stats, input: usize) {
        let most = |per_byte: usize| input.saturating_mul(per_byte).saturating_add(self.constant);
        assert!(stats.peak <= most(self.peak), "{stats:?} of {input}");
        assert!(stats.total <= most(self.total), "{stats:?} of {input}");
    }
}

/// Counts the written bytes.
struct Count(usize);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Bound {
    /// Asserts that a value survives, within the bound. The writer has no second copy of the bytes, except for a vector
    /// that doubles.
    #[track_caller]
    pub(crate) fn hold_for<F: Format, T>(&self, name: &str, value: &T)
    where
        T: Serialize + DeserializeOwned + PartialEq + Debug,
    {
        let (bytes, stats) = measure_value(|| F::to_vec(value).unwrap());
        assert!(stats.peak <= 3 * bytes.len() + self.constant, "{name} {stats:?}");
        let (read, stats) = measure_value(|| F::from_slice::<T>(&bytes).unwrap());
        // Too large to print.
        assert!(&read == value, "{name} comes back as something else");
        self.hold(stats, bytes.len());
        let (read, stats) = measure_value(|| F::from_reader::<T>(bytes.as_slice()).unwrap());
        assert!(&read == value, "{name} is read as something else");
        self.hold(stats, bytes.len());

        let mut count = Count(0);
        let ((), stats) = measure_value(|| F::to_writer(&mut count, value).unwrap());
        assert_eq!(count.0, bytes.len(), "{name}");
        // The other formats write the complete message at once.
        if matches!(F::NAME, "primitiv" | "tsm") {
            assert!(stats.peak <= 2 * self.constant, "{name} {stats:?}");
        }
    }
}

/// Many items, each made from its index.
pub(crate) fn many<T>(make: impl Fn(u32) -> T) -> Vec<T> {
    (0..COUNT).map(make).collect()
}

/// The number of items of a large value.
pub(crate) const COUNT: u32 = if cfg!(debug_assertions) { 20_000 } else { 100_000 };

/// Vectors and maps of many items.
pub(crate) fn items<F: Format>(bound: &Bound) {
    macro_rules! hold {
        ($($name:literal $value:expr;)*) => { $(bound.hold_for::<F, _>($name, &$value);)* };
    }
    hold! {
        "u32" many(|n| n);
        "string" many(|n| n.to_string());
        "empty string" many(|_| String::new());
        "bytes" many(|n| n.to_le_bytes().to_vec());
        "none" many(|_| None::<u8>);
        "none of eight" many(|_| None::<u64>);
        "option" many(|n| Some(n).filter(|n| n % 3 == 0));
        "packed" many(|n| (n, [1_u8; 3]));
        "mixed" many(|n| (n, n.to_string()));
        "struct" many(|id| Key { id, name: id.to_string() });
        "unit variant" many(|_| Suit::Spades);
        "variant" many(Shape::Circle);
        "deque" VecDeque::from(many(|n| n));
        "map" BTreeMap::from_iter(many(|n| (n, n.to_string())));
        "hash" HashMap::<u32, u8>::from_iter(many(|n| (n, 1)));
        "triples" many(|n| [f32::from_bits(n); 3]);
        "vectors" many(|n| vec![String::new(); n as usize % 3]);
    }
}

/// Sixty-four megabytes in few values.
pub(crate) fn sixty_four_megabytes<F: Format>(bound: &Bound) {
    const SIZE: usize = 64 << 20;
    let bytes: Vec<u8> = (0_u32..1024).map(|n| n.to_le_bytes()[n as usize % 2]).collect();
    let bytes = ByteBuf::from(bytes.repeat(SIZE / 1024));
    bound.hold_for::<F, _>("bytes", &bytes);
    bound.hold_for::<F, _>("bytes in a tuple", &(1_u8, Some(bytes)));
    let text = "sixty-four bytes, of which some are not ASCII: äöü ÄÖÜ €".repeat(1 << 20);
    bound.hold_for::<F, _>("text", &text);
    // Items are read one by one, which is slow without optimization.
    let count = if cfg!(debug_assertions) { SIZE / 64 } else { SIZE / 8 };
    bound.hold_for::<F, _>("numbers", &vec![0x0102_0304_0506_0708_u64; count]);
}

/// A record with many items, and a deep tree.
pub(crate) fn nested<F: Format>(bound: &Bound) {
    let key = |n: u32| Key { id: n, name: "name".repeat(n as usize % 5) };
    let record = Record {
        id: 1,
        key: key(1),
        corner: None,
        corners: vec![Point { x: 1, y: 2 }; 1000],
        keys: Some((0..1000).map(key).collect()),
        shape: Shape::Nothing,
        suits: vec![Suit::Hearts; 1000],
        parent: None,
    };
    bound.hold_for::<F, _>("record", &record);
    bound.hold_for::<F, _>("tree", &tree(20));
}
