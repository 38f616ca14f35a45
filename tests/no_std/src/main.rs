//! Links and runs without the standard library: reads and writes every format on `core` + `alloc`.
//!
//! If anything in the dependency tree pulled `std` in, its panic handler would clash with this
//! one's and nothing would link. Exit code 0 means that a value came back equal.

#![no_std]
#![no_main]

extern crate alloc;

/// Made by `to_rust`: `UPDATE=1 cargo test -p fourfold-schema --test schema` makes them again.
#[rustfmt::skip]
#[allow(dead_code, reason = "not all of them are used here")]
mod made {
    pub mod cell;
    pub mod cell_cow;
    pub mod cell_newtypes;
    pub mod drawing;
    pub mod drawing_cow;
    pub mod drawing_newtypes;
}

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::alloc::{GlobalAlloc, Layout};
use core::ffi::{c_char, c_int, c_void};
use core::sync::atomic::{AtomicUsize, Ordering};

use fourfold::molecule::with::DynVec;
use fourfold::molecule::{self, Lazy, Options, Raw, Serializer};
use fourfold::{Path, biniou, primitiv, tsm};
use serde_core::de::Error as _;
use serde_core::{Deserialize, Deserializer, Serialize};

#[link(name = "c")]
unsafe extern "C" {
    fn aligned_alloc(align: usize, size: usize) -> *mut c_void;
    fn free(block: *mut c_void);
    fn abort() -> !;
}

// The compiled `alloc` mentions what unwinding needs, though nothing here unwinds: the first is in
// the compiler's own library, the second would be in `std`.
#[link(name = "gcc_s")]
unsafe extern "C" {}

#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

struct CAllocator;

// SAFETY: blocks come from the C library, which keeps to the alignment and never moves them.
unsafe impl GlobalAlloc for CAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let size = layout.size().next_multiple_of(layout.align());
        // SAFETY: the alignment is a power of two and the size a multiple of it.
        unsafe { aligned_alloc(layout.align().max(16), size.next_multiple_of(16)).cast() }
    }

    unsafe fn dealloc(&self, block: *mut u8, _: Layout) {
        // SAFETY: the block came from `alloc`.
        unsafe { free(block.cast()) }
    }
}

#[global_allocator]
static ALLOCATOR: CAllocator = CAllocator;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: ends the process.
    unsafe { abort() }
}

fn round_trip() -> molecule::Result<bool> {
    let value: (u8, DynVec<Vec<String>>, Option<u64>) =
        (7, DynVec(vec!["no".into(), "std".into()]), Some(1 << 40));
    let bytes = molecule::to_vec(&value)?;
    let mut serializer = Serializer::new(Vec::new());
    value.serialize(&mut serializer)?;
    let compatible = Options::new().compatible(true);
    let same = value == molecule::from_slice(&bytes)? && value == compatible.from_slice(&bytes)?;
    let refused = molecule::from_slice::<bool>(&[7]).is_err_and(|error| error.offset() == Some(0));
    Ok(same && refused && serializer.into_inner() == bytes)
}

/// Types that were generated from schemas.
fn made_types() -> Option<bool> {
    let script = made::cell::Script { args: made::cell::Bytes(vec![1, 2]), ..Default::default() };
    let bytes = molecule::to_vec(&script).ok()?;
    let same = molecule::from_slice::<made::cell::Script>(&bytes).ok()? == script;
    let lent = molecule::from_slice::<made::cell_cow::Script<'_>>(&bytes).ok()?;
    let drawing = made::drawing::Drawing {
        title: "a".into(),
        shapes: vec![made::drawing::Shape::Named("b".into()), made::drawing::Shape::Empty],
        tags: Vec::new(),
        next: None,
    };
    let drawn = biniou::to_vec(&drawing).ok()?;
    let read = biniou::from_slice::<made::drawing_cow::Drawing<'_>>(&drawn).ok()?;
    let same = same && molecule::to_vec(&lent).ok()? == bytes;
    Some(same && biniou::to_vec(&read).ok()? == drawn)
}

/// The same value in the other formats.
fn others() -> bool {
    let value: (u8, Vec<String>, Option<u64>) = (7, vec!["no".into(), "std".into()], Some(1 << 40));
    let same = [
        biniou::to_vec(&value).and_then(|bytes| biniou::from_slice(&bytes)).ok(),
        tsm::to_vec(&value).and_then(|bytes| tsm::from_slice(&bytes)).ok(),
        primitiv::to_vec(&value).and_then(|bytes| primitiv::from_slice(&bytes)).ok(),
    ];
    let scalar = tsm::Tensor::scalar(1.5f32).to_vec::<f32>();
    same.iter().all(|back| back.as_ref() == Some(&value)) && scalar.is_ok_and(|list| list == [1.5])
}

/// Errors have their paths with the feature `paths` alone, and their offsets always: of values, and of lazy values.
fn paths() -> Option<bool> {
    let mut good = true;
    let mut see = |offset: Option<usize>, path: &Path| {
        good &= offset.is_some() && path.is_empty() != cfg!(feature = "paths");
    };
    let error = molecule::from_slice::<(bool, u32)>(&[2, 0, 0, 0, 0]).err()?;
    see(error.offset(), error.path());
    // The path begins at the lazy value.
    let bytes = molecule::to_vec(&(7u32, Raw::of(&(7u8, 1u8)).ok()?)).ok()?;
    let (_, lazy) = molecule::from_slice::<(u32, Lazy<'_, (bool, u8)>)>(&bytes).ok()?;
    let error = lazy.get().err()?;
    see(error.offset(), error.path());
    let bytes = biniou::to_vec(&(7u32, (7u8, 1u8))).ok()?;
    let (_, lazy) = biniou::from_slice::<(u32, biniou::Lazy<'_, (bool, u8)>)>(&bytes).ok()?;
    let error = lazy.get().err()?;
    see(error.offset(), error.path());
    let bytes = primitiv::to_vec(&(7u32, vec![7u32])).ok()?;
    let (_, lazy) = primitiv::from_slice::<(u32, primitiv::Lazy<'_, Vec<bool>>)>(&bytes).ok()?;
    let error = lazy.get().err()?;
    see(error.offset(), error.path());
    // More bytes after the whole would not complete a lazy value.
    let mut bytes = molecule::to_vec(&(7u32, "sig")).ok()?;
    *bytes.get_mut(16)? = 9;
    let (_, lazy) = molecule::from_slice::<(u32, Lazy<'_, String>)>(&bytes).ok()?;
    let error = lazy.get().err()?;
    let is_short = matches!(error.kind(), molecule::ErrorKind::ShortItem { .. });
    let empty = [4, 0, 0, 0];
    let pairs = molecule::from_slice::<Vec<(u8, u8)>>(&empty).err()?;
    let bytes = molecule::from_slice::<Vec<u32>>(&empty).err()?;
    let kinds = is_short
        && matches!(pairs.kind(), molecule::ErrorKind::Unmarked { .. }) == cfg!(feature = "paths")
        && !matches!(bytes.kind(), molecule::ErrorKind::Unmarked { .. });
    let error = tsm::from_slice::<(bool, bool)>(&[1, 7]).err()?;
    see(error.offset(), error.path());
    Some(good && kinds)
}

/// How often a [`Nest`] was read.
static READS: AtomicUsize = AtomicUsize::new(0);

/// A type that reads what is in it while it is read itself.
struct Nest;

impl<'de> Deserialize<'de> for Nest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        READS.fetch_add(1, Ordering::Relaxed);
        let (_, inner) = <(u32, Option<Lazy<'de, Nest>>)>::deserialize(deserializer)?;
        match inner.map(|inner| inner.get()) {
            Some(Err(error)) => Err(D::Error::custom(error)),
            Some(Ok(_)) | None => Ok(Nest),
        }
    }
}

/// Nothing counts the levels around a reading here, and still lazy values in lazy values are not read twice as often
/// with each level.
fn damaged_lazy_values_in_lazy_values() -> bool {
    const LEVELS: usize = 40;
    let mut bytes = vec![0xff; 3];
    for _ in 0..LEVELS {
        let inner = molecule::from_slice::<Raw<'_>>(&bytes);
        let Ok(outer) = inner.and_then(|inner| molecule::to_vec(&(7u32, inner))) else {
            return false;
        };
        bytes = outer;
    }
    let is_refused = molecule::from_slice::<Nest>(&bytes).is_err();
    is_refused && READS.load(Ordering::Relaxed) <= LEVELS * LEVELS
}

#[unsafe(no_mangle)]
extern "C" fn main(_: c_int, _: *const *const c_char) -> c_int {
    match round_trip() {
        Ok(true)
            if others()
                && damaged_lazy_values_in_lazy_values()
                && paths() == Some(true)
                && made_types() == Some(true) =>
        {
            0
        }
        Ok(_) => 1,
        Err(_) => 2,
    }
}
