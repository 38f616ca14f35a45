//! Limits that keep hostile input harmless: nesting, input length, reserved memory.

use crate::error::{Error, Fault};

/// How deep values may nest by default.
pub(crate) const DEFAULT_MAX_DEPTH: u16 = 128;

/// How many bytes a reader may give by default: 1 GiB.
pub(crate) const DEFAULT_MAX_INPUT: u64 = 1 << 30;

/// Counts how deep the value at hand is nested.
///
/// Two counts against one limit: levels that take bytes (a struct, a sequence), and wrappers that
/// take none (`Some`, a newtype), which would otherwise recurse for ever in a type such as
/// `struct W(Option<Box<W>>)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth {
    at: Height,
    /// How deep it has been since the last [`measure`](Depth::measure).
    peak: Height,
    limit: u16,
}

/// How many levels and wrappers lie in one another.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Height {
    pub(crate) levels: u16,
    pub(crate) wrappers: u16,
}

impl Depth {
    pub(crate) const fn new(limit: u16) -> Self {
        let none = Height { levels: 0, wrappers: 0 };
        Depth { at: none, peak: none, limit }
    }

    /// Enters a level. Every call is followed by [`leave`](Depth::leave), unless an error ends the
    /// whole work.
    #[inline]
    pub(crate) fn enter<K: From<Fault>>(&mut self) -> Result<(), Error<K>> {
        if self.at.levels >= self.limit {
            return Err(self.reached());
        }
        self.at.levels += 1;
        self.peak.levels = self.peak.levels.max(self.at.levels);
        Ok(())
    }

    /// How many more levels and how many more wrappers can be entered.
    #[inline]
    pub(crate) const fn room(&self) -> (u16, u16) {
        let Height { levels, wrappers } = self.at;
        (self.limit.saturating_sub(levels), self.limit.saturating_sub(wrappers))
    }

    #[inline]
    pub(crate) fn leave(&mut self) {
        self.at.levels = self.at.levels.saturating_sub(1);
    }

    /// Enters a wrapper; the same contract as [`enter`](Depth::enter).
    #[inline]
    pub(crate) fn wrap<K: From<Fault>>(&mut self) -> Result<(), Error<K>> {
        if self.at.wrappers >= self.limit {
            return Err(self.reached());
        }
        self.at.wrappers += 1;
        self.peak.wrappers = self.peak.wrappers.max(self.at.wrappers);
        Ok(())
    }

    #[inline]
    pub(crate) fn unwrap(&mut self) {
        self.at.wrappers = self.at.wrappers.saturating_sub(1);
    }

    /// Whether so many levels, and so many wrappers, can be entered.
    #[inline]
    pub(crate) fn has_room(&self, height: u16) -> bool {
        self.limit.saturating_sub(self.at.levels.max(self.at.wrappers)) >= height
    }

    /// How deep the parts of the value at hand may be.
    #[cfg(feature = "any")]
    pub(crate) const fn limits(&self) -> crate::any::Limits {
        let (levels, wrappers) = self.room();
        crate::any::Limits { reach: Reach { levels, wrappers }, max_depth: self.limit }
    }

    /// Begins to measure how high what follows is; [`measured`](Depth::measured) wants the result.
    pub(crate) fn measure(&mut self) -> Self {
        let outer = *self;
        self.peak = self.at;
        outer
    }

    /// How high what was entered and left since `outer` was.
    pub(crate) fn measured(&mut self, outer: Self) -> Height {
        let height = Height {
            levels: self.peak.levels.saturating_sub(self.at.levels),
            wrappers: self.peak.wrappers.saturating_sub(self.at.wrappers),
        };
        self.peak.levels = self.peak.levels.max(outer.peak.levels);
        self.peak.wrappers = self.peak.wrappers.max(outer.peak.wrappers);
        height
    }

    /// Enters and leaves something as high as was measured before.
    pub(crate) fn pass<K: From<Fault>>(&mut self, height: Height) -> Result<(), Error<K>> {
        let levels = self.at.levels.saturating_add(height.levels);
        let wrappers = self.at.wrappers.saturating_add(height.wrappers);
        if levels.max(wrappers) > self.limit {
            return Err(self.reached());
        }
        self.peak.levels = self.peak.levels.max(levels);
        self.peak.wrappers = self.peak.wrappers.max(wrappers);
        Ok(())
    }

    #[cold]
    pub(crate) fn reached<K: From<Fault>>(&self) -> Error<K> {
        Error::placeless(Fault::DepthLimit { limit: self.limit })
    }
}

/// How many levels and wrappers may still be around the parts of a value: two small numbers that go
/// along by value, where [`Depth`] is one thing that all parts change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    pub(crate) levels: u16,
    pub(crate) wrappers: u16,
}

impl Reach {
    /// That of a whole document.
    #[inline(always)]
    pub(crate) const fn new(limit: u16) -> Self {
        Reach { levels: limit, wrappers: limit }
    }

    /// That of parts one level further in.
    #[inline(always)]
    pub(crate) fn enter(self) -> Option<Self> {
        Some(Reach { levels: self.levels.checked_sub(1)?, ..self })
    }

    /// That of a value one wrapper further in.
    #[inline(always)]
    pub(crate) fn wrap(self) -> Option<Self> {
        Some(Reach { wrappers: self.wrappers.checked_sub(1)?, ..self })
    }

    /// Whether so many levels, and so many wrappers, can be entered.
    #[inline(always)]
    pub(crate) fn has_room(self, height: u16) -> bool {
        self.levels.min(self.wrappers) >= height
    }
}

/// The error where a value is nested too deep.
#[cold]
#[inline(never)]
pub(crate) fn too_deep<K: From<Fault>>(limit: u16) -> Error<K> {
    Error::placeless(Fault::DepthLimit { limit })
}

/// How many items a reader may still be told to make room for.
///
/// Each item of an honest input has a byte of its own, so all counts together stay below its
/// length. Of a count alone the rest of the input is no bound: every level could claim it again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room(usize);

impl Room {
    /// Room for the items of an input of so many bytes.
    pub(crate) const fn new(bytes: usize) -> Self {
        Room(bytes)
    }

    /// What there is room for if so many items are claimed.
    #[inline]
    pub(crate) fn claim(&mut self, count: usize) -> usize {
        let granted = count.min(self.0);
        self.0 -= granted;
        granted
    }
}

/// Reads `reader` to its end, but refuses it once it gives more than `limit` bytes.
///
/// Memory follows the bytes received: a stream's claims about its length are never asked for.
#[cfg(feature = "std")]
pub(crate) fn read_to_end<R: crate::io::Read, K: From<Fault>>(
    reader: R,
    limit: u64,
) -> Result<alloc::vec::Vec<u8>, Error<K>> {
    read_by_steps(reader, limit, |_| u64::MAX)
}

/// Up to so many bytes, memory for bytes that are kept doubles. One less than a power of two, so that it
/// does not double once more to see that there are no others.
#[cfg(feature = "std")]
const SMALL: usize = (1 << 20) - 1;

/// Behind that it grows by this part of what there is.
#[cfg(feature = "std")]
const GROWTH: usize = 16;

/// As [`read_to_end`], for bytes that stay in memory as they are: next to none of it lies idle.
#[cfg(feature = "std")]
pub(crate) fn read_to_keep<R: crate::io::Read, K: From<Fault>>(
    reader: R,
    limit: u64,
) -> Result<alloc::vec::Vec<u8>, Error<K>> {
    read_by_steps(reader, limit, |len| {
        let step = if len < SMALL { SMALL - len } else { len / GROWTH };
        u64::try_from(step).unwrap_or(u64::MAX)
    })
}

/// Reads so many bytes at a time as `step` says of those that there are. Memory for them is taken at once,
/// but for the first, which may be few.
#[cfg(feature = "std")]
fn read_by_steps<R: crate::io::Read, K: From<Fault>>(
    reader: R,
    limit: u64,
    step: impl Fn(usize) -> u64,
) -> Result<alloc::vec::Vec<u8>, Error<K>> {
    use crate::io::Read as _;

    let failed = |error| Error::placeless(Fault::Io(error));
    let mut bytes = alloc::vec::Vec::new();
    // One byte more than is allowed tells an input of just that length from a longer one.
    let mut reader = reader.take(limit.saturating_add(1));
    loop {
        let next = step(bytes.len());
        if !bytes.is_empty() {
            let more = usize::try_from(next).unwrap_or(usize::MAX);
            let reserved = bytes.try_reserve_exact(more);
            reserved.map_err(|_| failed(crate::io::ErrorKind::OutOfMemory.into()))?;
        }
        let read = reader.by_ref().take(next).read_to_end(&mut bytes).map_err(failed)?;
        if u64::try_from(read).unwrap_or(u64::MAX) < next {
            break;
        }
    }
    match usize::try_from(limit) {
        Ok(most) if bytes.len() > most => Err(Error::at(Fault::InputLimit { limit }, most)),
        _ => Ok(bytes),
    }
}
