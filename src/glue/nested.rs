//! Documents in documents: a type may read one while it is read itself. Knows which readings
//! surround one, knows no format.
//!
//! A document may be read more than once: by the fast reader, by the exact one, and again with what
//! that has found out. If every nested document did this, the number of readings would double with
//! each level. So with `std` a reading knows what surrounds it: inside an exact reading all
//! readings are exact from the start, and what one has found out about types, the others know as
//! well.

use crate::glue::de::Shape;

#[cfg(not(feature = "std"))]
pub(crate) use self::alone::UnderWay;
#[cfg(feature = "std")]
pub(crate) use self::threads::{Known, UnderWay};

/// A type with parts, by what serde shows of it. Facts are kept by owner.
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

/// `known! { Fact }` keeps what the readings of a thread have found out: `is_known` and
/// `make_known`.
macro_rules! known {
    ($fact:ty) => {
        #[cfg(feature = "std")]
        std::thread_local! {
            static KNOWN: crate::glue::nested::Known<$fact> = const { crate::glue::nested::Known::new() };
        }

        /// Whether a reading inside the outermost one has found this out.
        #[cold]
        #[cfg_attr(not(feature = "std"), expect(unused_variables, reason = "nothing is kept"))]
        fn is_known(fact: &$fact) -> bool {
            #[cfg(feature = "std")]
            return KNOWN.try_with(|known| known.contains(fact)).unwrap_or(false);
            #[cfg(not(feature = "std"))]
            return false;
        }

        /// Tells the other readings.
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

    /// How many fast readings may surround one another. Inside more, readings are exact.
    const MAX_FAST_AROUND: usize = 2;

    /// What an exact reading adds to the count of surrounding readings.
    const EXACT_UNIT: usize = MAX_FAST_AROUND + 1;

    std::thread_local! {
        /// The fast and exact readings of this thread that are under way.
        static AROUND: Cell<usize> = const { Cell::new(0) };
        /// How many outermost exact readings there have been.
        static OUTERMOST: Cell<u64> = const { Cell::new(0) };
    }

    /// A reading that is under way. It counts until this is dropped, also if a type panics.
    pub(crate) struct UnderWay {
        /// What surrounds it.
        around: usize,
    }

    impl UnderWay {
        /// Begins a fast reading, unless too many readings surround it.
        #[inline(always)]
        pub(crate) fn fast() -> Option<Self> {
            let around = AROUND.get();
            if around >= MAX_FAST_AROUND {
                return None;
            }
            AROUND.set(around + 1);
            Some(UnderWay { around })
        }

        /// Begins an exact reading.
        #[cold]
        pub(crate) fn exact() -> Self {
            let mut reading = UnderWay { around: AROUND.get() };
            reading.make_exact();
            reading
        }

        /// Goes on as an exact reading.
        #[cold]
        pub(crate) fn make_exact(&mut self) {
            let exact = self.around.saturating_add(EXACT_UNIT);
            if AROUND.replace(exact) != exact && self.around < EXACT_UNIT {
                OUTERMOST.set(OUTERMOST.get().wrapping_add(1));
            }
        }
    }

    impl Drop for UnderWay {
        #[inline]
        fn drop(&mut self) {
            AROUND.set(self.around);
        }
    }

    /// How many exact readings surround the current one.
    fn exact_readings_around() -> usize {
        AROUND.get() / EXACT_UNIT
    }

    /// What has been found out about types inside the current outermost exact reading.
    #[derive(Debug)]
    pub(crate) struct Known<T> {
        /// The number of that reading.
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

        /// Records a fact.
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

/// Without thread-locals nothing is kept: other threads must not change what this one reads. So
/// nested documents may be read once more with each level.
#[cfg(not(feature = "std"))]
mod alone {
    /// A reading that is under way.
    pub(crate) struct UnderWay;

    impl UnderWay {
        /// Begins a fast reading.
        #[inline(always)]
        pub(crate) fn fast() -> Option<Self> {
            Some(UnderWay)
        }

        /// Begins an exact reading.
        pub(crate) fn exact() -> Self {
            UnderWay
        }

        /// Goes on as an exact reading.
        pub(crate) fn make_exact(&mut self) {}
    }
}
