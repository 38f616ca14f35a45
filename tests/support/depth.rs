//! Depth: writers refuse exactly the values that are too deep for readers.

use fourfold::Category;

use super::assert_reason;
use super::erased::{self, AnyType, Boxed, TestType, Value, check_each};
use super::fixture::Hex;
use super::format::{Format, Options as _};
use super::zoo::deep::{calls, chain, directory, list, negatives, nest, skipping, sums, tree};

/// A type whose values are as deep as a test requires.
pub(crate) struct Deep<F: Format> {
    pub(crate) ty: AnyType<F>,
    make: Box<dyn Fn(usize) -> Boxed<F>>,
}

impl<F: Format> Deep<F> {
    pub(crate) fn new<T: TestType>(name: &'static str, make: fn(usize) -> T) -> Self {
        Deep {
            ty: AnyType::of::<T>(name),
            make: Box::new(move |levels| -> Boxed<F> { Box::new(make(levels)) }),
        }
    }

    pub(crate) fn value(&self, levels: usize) -> Boxed<F> {
        (self.make)(levels)
    }
}

/// The recursive types of the zoo that a format has.
pub(crate) fn zoo<F: Format>() -> Vec<Deep<F>> {
    let mut all = vec![
        Deep::new("list", list),
        Deep::new("tree", tree),
        Deep::new("nest", nest),
        Deep::new("directory", directory),
        Deep::new("chain", chain),
        Deep::new("negatives", negatives),
        Deep::new("sums", sums),
        Deep::new("calls", calls),
        Deep::new("skipping", skipping),
    ];
    all.retain(|deep| deep.value(1).to_vec().is_ok());
    assert!(all.len() > 7, "{}", all.len());
    all
}

/// The least depth limit up to `most` with which a value is written and read. Asserts that both sides agree on each limit.
pub(crate) fn least_depth<F: Format, S>(
    ty: &AnyType<F, S>,
    value: &Value<F>,
    most: u16,
) -> Option<u16> {
    let bytes = value.to_vec_with(&F::options().max_depth(u16::MAX)).ok()?;
    let (name, shown) = (ty.name, Hex(&bytes));
    let mut least = None;
    for depth in 0..=most {
        let options = F::options().max_depth(depth);
        let (written, read) = (value.to_vec_with(&options), ty.from_slice_with(&options, &bytes));
        match (written, read) {
            (Ok(written), Ok(read)) => {
                assert_eq!(Hex(&written), shown, "depth {depth}");
                assert_eq!(*read, *value, "depth {depth}");
                least.get_or_insert(depth);
            }
            (Err(write), Err(read)) => {
                assert_reason(&write, &value);
                assert_reason(&read, &value);
                assert_eq!(write.category(), Category::Limit, "{write}");
                assert_eq!(read.category(), Category::Limit, "{read} in {shown}");
                assert!(read.offset().is_some(), "{read}");
                assert_eq!(least, None, "depth {depth} does not do for {name} {value:?}");
                if matches!(F::NAME, "primitiv" | "tsm") {
                    // Names may differ, since serde lists aliases for readers.
                    let steps = [&write, &read].map(|error| error.path().segments().count());
                    assert_eq!(steps[0], steps[1], "{write} in {value:?}, {read} in {shown}");
                }
            }
            (Ok(_), Err(read)) => {
                panic!("depth {depth} only writes {name} {value:?}: {read} in {shown}")
            }
            (Err(write), Ok(_)) => {
                panic!("depth {depth} only reads {name} {value:?}: {write} {shown}")
            }
        }
    }
    least
}

/// Writing and reading agree on the depth of each type, up to twenty of its levels.
pub(crate) fn writing_and_reading_agree<F: Format>(types: &[Deep<F>]) {
    for deep in types {
        for levels in 0..=20 {
            least_depth(&deep.ty, &*deep.value(levels), 128).unwrap();
        }
    }
}

/// Every level counts, so that no chain is endless.
pub(crate) fn every_level_counts<F: Format>(types: &[Deep<F>]) {
    for deep in types {
        let least = |levels| least_depth(&deep.ty, &*deep.value(levels), 128).unwrap();
        let step = least(8) - least(7);
        assert!(step > 0, "a level of {} is free", deep.ty.name);
        assert_eq!(least(16) - least(8), 8 * step, "{}", deep.ty.name);
    }
}

/// Checks this many random values of each type that serde shows completely.
pub(crate) fn every_type_agrees<F: Format, S>(types: &[AnyType<F, S>], count: usize) {
    check_each(types, |ty| {
        // A value that serde does not show completely may be written but not read.
        if ty.visible {
            ty.check(count, |_, value| {
                least_depth(ty, value, 16);
            });
        }
    });
}

/// The default accepts this many levels of each type, and refuses two hundred.
pub(crate) fn default_accepts<F: Format>(types: &[Deep<F>], levels: usize) {
    for Deep { ty, make } in types {
        let value = make(levels);
        let bytes = value.to_vec().unwrap();
        erased::assert_read_alike(ty, &*value, &bytes);
        let value = make(200);
        let bytes = value.to_vec_with(&F::options().max_depth(u16::MAX)).unwrap();
        erased::assert_refused_alike(ty, &*value, &bytes, Category::Limit);
    }
}
