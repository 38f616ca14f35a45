//! Documents in documents: a type may read one while it is read itself.
//!
//! A reading may go through its document more than once: a fast attempt, an exact reading, and another with
//! what that has shown. If each did so, documents in one another would be read twice as often with each
//! level. So with `std` a reading knows what is around it: inside of an exact reading all are exact from the
//! start, and what one has learned about types the others know as well. Knows no format.

use crate::glue::de::Shape;

#[cfg(not(feature = "std"))]
pub(crate) use self::alone::{exact, exact_readings_around, fast};
#[cfg(feature = "std")]
pub(crate) use self::threads::{Known, exact, exact_readings_around, fast};

/// So many exact readings may be around one that begins anew for a reason that others do not share.
const MAX_EXACT_AROUND: usize = 4;

/// Whether a reading that is about to begin may do so once more for a reason of its own document.
pub(crate) fn may_start_over() -> bool {
    exact_readings_around() < MAX_EXACT_AROUND
}

/// Reads a value, and once more as long as reading shows something about the types in it: each time lets the
/// next one come further.
#[inline]
pub(crate) fn learning<S, T>(
    state: &mut S,
    read: impl Fn(&mut S) -> T,
    has_learned: impl Fn(&S) -> bool,
    start_over: impl Fn(&mut S),
) -> T {
    match fast(|| Some(read(state))) {
        Some(value) if !has_learned(state) => value,
        _ => learn(state, read, has_learned, start_over),
    }
}

#[cold]
fn learn<S, T>(
    state: &mut S,
    read: impl Fn(&mut S) -> T,
    has_learned: impl Fn(&S) -> bool,
    start_over: impl Fn(&mut S),
) -> T {
    exact(|| {
        loop {
            start_over(state);
            let value = read(state);
            if !has_learned(state) {
                return value;
            }
        }
    })
}

/// A type with parts, by what serde shows of it: facts are learned of such.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Owner {
    name: &'static str,
    size: usize,
}

impl Owner {
    /// The owner of this name that is read as `T`.
    #[inline]
    pub(crate) const fn of<T>(name: &'static str) -> Self {
        Owner::new(name, Shape::of::<T>())
    }

    /// The owner of this name that is read as a value of this shape.
    pub(crate) const fn new(name: &'static str, shape: Shape) -> Self {
        Owner { name, size: shape.size }
    }
}

/// `known! { Fact }` keeps what the readings of a thread have learned: `is_known` and `make_known`.
macro_rules! known {
    ($fact:ty) => {
        #[cfg(feature = "std")]
        std::thread_local! {
            static KNOWN: crate::glue::nested::Known<$fact> = const { crate::glue::nested::Known::new() };
        }

        /// Whether a reading inside of the outermost one has learned this.
        #[cold]
        #[cfg_attr(not(feature = "std"), expect(unused_variables, reason = "nothing is kept"))]
        fn is_known(fact: &$fact) -> bool {
            #[cfg(feature = "std")]
            return KNOWN.try_with(|known| known.contains(fact)).unwrap_or(false);
            #[cfg(not(feature = "std"))]
            return false;
        }

        /// Tells it to the others.
        #[cold]
        #[cfg_attr(not(feature = "std"), expect(unused_variables, reason = "nothing is kept"))]
        fn make_known(fact: $fact) {
            #[cfg(feature = "std")]
            let _ = KNOWN.try_with(|known| known.add(fact));
        }
    };
}
pub(crate) use known;

#[cfg(feature = "std")]
mod threads {
    use alloc::vec::Vec;
    use core::cell::{Cell, RefCell};

    /// So many fast attempts may be around one another: inside of more, readings are exact.
    const MAX_FAST_AROUND: usize = 2;

    /// What an exact reading adds to the number of what is around a reading.
    const EXACT_UNIT: usize = MAX_FAST_AROUND + 1;

    std::thread_local! {
        /// The attempts and exact readings of this thread that are under way.
        static AROUND: Cell<usize> = const { Cell::new(0) };
        /// How many outermost exact readings there have been.
        static OUTERMOST: Cell<u64> = const { Cell::new(0) };
    }

    /// Has the number as it was, also where a type panics.
    struct Restore(usize);

    impl Drop for Restore {
        #[inline]
        fn drop(&mut self) {
            AROUND.set(self.0);
        }
    }

    /// Makes a fast attempt, if what is around it lets it.
    #[inline(always)]
    pub(crate) fn fast<T>(read: impl FnOnce() -> Option<T>) -> Option<T> {
        let around = AROUND.get();
        if around >= MAX_FAST_AROUND {
            return None;
        }
        AROUND.set(around + 1);
        let _restore = Restore(around);
        read()
    }

    /// Reads exactly.
    pub(crate) fn exact<T>(read: impl FnOnce() -> T) -> T {
        let around = AROUND.get();
        if around < EXACT_UNIT {
            OUTERMOST.set(OUTERMOST.get().wrapping_add(1));
        }
        AROUND.set(around.saturating_add(EXACT_UNIT));
        let _restore = Restore(around);
        read()
    }

    /// How many exact readings are around what is read now.
    pub(crate) fn exact_readings_around() -> usize {
        AROUND.get() / EXACT_UNIT
    }

    /// What has been learned about types inside of the outermost exact reading that is under way.
    #[derive(Debug)]
    pub(crate) struct Known<T> {
        /// Which reading that was.
        of: Cell<u64>,
        facts: RefCell<Vec<T>>,
    }

    impl<T: PartialEq> Known<T> {
        pub(crate) const fn new() -> Self {
            Known { of: Cell::new(0), facts: RefCell::new(Vec::new()) }
        }

        /// Whether this is known.
        pub(crate) fn contains(&self, fact: &T) -> bool {
            exact_readings_around() > 0
                && self.of.get() == OUTERMOST.get()
                && self.facts.try_borrow().is_ok_and(|facts| facts.contains(fact))
        }

        /// Notes this.
        pub(crate) fn add(&self, fact: T) {
            let Ok(mut facts) = self.facts.try_borrow_mut() else { return };
            if exact_readings_around() == 0 {
                return;
            }
            if self.of.replace(OUTERMOST.get()) != OUTERMOST.get() {
                facts.clear();
            }
            facts.push(fact);
        }
    }
}

/// Without threads that are known, nothing is: what other threads read must not change what this one does. So
/// documents in one another may be read once more with each level.
#[cfg(not(feature = "std"))]
mod alone {
    /// Makes a fast attempt.
    #[inline(always)]
    pub(crate) fn fast<T>(read: impl FnOnce() -> Option<T>) -> Option<T> {
        read()
    }

    /// Reads exactly.
    pub(crate) fn exact<T>(read: impl FnOnce() -> T) -> T {
        read()
    }

    /// How many exact readings are known to be around what is read now.
    pub(crate) const fn exact_readings_around() -> usize {
        0
    }
}
