//! Limits that keep hostile input harmless: nesting, input length, reserved memory.

use crate::error::{CommonKind, Error};

/// How deep values may nest by default.
pub(crate) const DEFAULT_MAX_DEPTH: u16 = 128;

/// Maximum number of bytes of a reader by default: 1 GiB.
pub(crate) const DEFAULT_MAX_INPUT: u64 = 1 << 30;

/// How many more levels and wrappers may be entered.
///
/// Two counts against one limit: levels that take bytes (a struct, a sequence), and wrappers that
/// take none (`Some`, a newtype), which would otherwise recurse for ever in a type such as
/// `struct W(Option<Box<W>>)`. It is passed by value, so nothing has to be undone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Depth {
    pub(crate) levels: u16,
    pub(crate) wrappers: u16,
}

/// How many levels and wrappers a value has inside it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Height {
    pub(crate) levels: u16,
    pub(crate) wrappers: u16,
}

impl Depth {
    /// The depth of a whole message.
    #[inline]
    pub(crate) const fn new(limit: u16) -> Self {
        Depth { levels: limit, wrappers: limit }
    }

    /// The depth of values one level deeper.
    #[inline]
    pub(crate) fn enter(self) -> Option<Self> {
        Some(Depth { levels: self.levels.checked_sub(1)?, ..self })
    }

    /// The depth of a value one wrapper deeper.
    #[inline]
    pub(crate) fn wrap(self) -> Option<Self> {
        Some(Depth { wrappers: self.wrappers.checked_sub(1)?, ..self })
    }

    /// The depth inside a value of this height.
    fn inside(self, height: Height) -> Option<Self> {
        Some(Depth {
            levels: self.levels.checked_sub(height.levels)?,
            wrappers: self.wrappers.checked_sub(height.wrappers)?,
        })
    }

    /// Whether `height` more levels and wrappers may be entered.
    #[inline]
    pub(crate) fn has_room(self, height: u16) -> bool {
        self.levels.min(self.wrappers) >= height
    }

    /// The deeper of each.
    fn deepest(self, other: Self) -> Self {
        Depth { levels: self.levels.min(other.levels), wrappers: self.wrappers.min(other.wrappers) }
    }
}

/// A [`Depth`] that all nested values change, and that measures the height of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DepthMeter {
    at: Depth,
    /// How deep it has been since the last [`measure`](DepthMeter::measure).
    deepest: Depth,
    limit: u16,
}

impl DepthMeter {
    pub(crate) const fn new(limit: u16) -> Self {
        DepthMeter::within(Depth::new(limit), limit)
    }

    /// Begins a new message.
    #[inline]
    pub(crate) fn restart(&mut self) {
        *self = DepthMeter::new(self.limit);
    }

    /// Enters a level. Every call is followed by [`leave`](DepthMeter::leave), unless an error ends the
    /// whole work.
    #[inline]
    pub(crate) fn enter<K: From<CommonKind>>(&mut self) -> Result<(), Error<K>> {
        self.try_enter().ok_or_else(|| self.reached())
    }

    /// The same for errors of any kind.
    #[inline]
    pub(crate) fn try_enter(&mut self) -> Option<()> {
        self.at = self.at.enter()?;
        self.deepest.levels = self.deepest.levels.min(self.at.levels);
        Some(())
    }

    #[inline]
    pub(crate) fn leave(&mut self) {
        self.at.levels = self.at.levels.saturating_add(1);
    }

    /// Enters a wrapper; the same contract as [`enter`](DepthMeter::enter).
    #[inline]
    pub(crate) fn wrap<K: From<CommonKind>>(&mut self) -> Result<(), Error<K>> {
        let Some(at) = self.at.wrap() else { return Err(self.reached()) };
        self.at = at;
        self.deepest.wrappers = self.deepest.wrappers.min(at.wrappers);
        Ok(())
    }

    #[inline]
    pub(crate) fn unwrap(&mut self) {
        self.at.wrappers = self.at.wrappers.saturating_add(1);
    }

    /// A meter for a value of this maximum depth, under a limit that errors name.
    pub(crate) const fn within(depth: Depth, limit: u16) -> Self {
        DepthMeter { at: depth, deepest: depth, limit }
    }

    /// The limits for the nested values of the current one.
    #[cfg(feature = "any")]
    pub(crate) const fn limits(&self) -> Limits {
        Limits { depth: self.at, max_depth: self.limit }
    }

    /// Begins to measure a height; [`measured`](DepthMeter::measured) takes the result.
    pub(crate) fn measure(&mut self) -> Self {
        let outer = *self;
        self.deepest = self.at;
        outer
    }

    /// The height of what was entered and left since `outer`.
    pub(crate) fn measured(&mut self, outer: Self) -> Height {
        let height = Height {
            levels: self.at.levels.saturating_sub(self.deepest.levels),
            wrappers: self.at.wrappers.saturating_sub(self.deepest.wrappers),
        };
        self.deepest = self.deepest.deepest(outer.deepest);
        height
    }

    /// Checks the limit for a value of known height.
    pub(crate) fn pass<K: From<CommonKind>>(&mut self, height: Height) -> Result<(), Error<K>> {
        let Some(inside) = self.at.inside(height) else { return Err(self.reached()) };
        self.deepest = self.deepest.deepest(inside);
        Ok(())
    }

    #[cold]
    pub(crate) fn reached<K: From<CommonKind>>(&self) -> Error<K> {
        too_deep(self.limit)
    }

    /// The kind of that error.
    pub(crate) const fn error(&self) -> CommonKind {
        CommonKind::DepthLimit { limit: self.limit }
    }
}

/// How deep values under `with::any` may be nested, and the limit that errors name.
#[cfg(feature = "any")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) depth: Depth,
    pub(crate) max_depth: u16,
}

/// The error for a value that nests too deep.
#[cold]
#[inline(never)]
pub(crate) fn too_deep<K: From<CommonKind>>(limit: u16) -> Error<K> {
    Error::placeless(CommonKind::DepthLimit { limit })
}

/// For how many items a reader may still reserve memory.
///
/// Each item of an honest input has a byte of its own, so all counts together stay below its
/// length. Of a count alone the rest of the input is no bound: every level could claim it again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ItemBudget(usize);

impl ItemBudget {
    /// The budget for an input of `bytes` bytes.
    pub(crate) const fn new(bytes: usize) -> Self {
        ItemBudget(bytes)
    }

    /// For how many of the claimed items to reserve memory.
    #[inline]
    pub(crate) fn claim(&mut self, count: usize) -> usize {
        let granted = count.min(self.0);
        self.0 -= granted;
        granted
    }
}

/// Reads `reader` to its end. Returns an error if it has more than `limit` bytes.
///
/// Memory follows the bytes received: no length that a stream claims is used.
#[cfg(feature = "std")]
pub(crate) fn read_to_end<R: crate::io::Read, K: From<CommonKind>>(
    reader: R,
    limit: u64,
) -> Result<alloc::vec::Vec<u8>, Error<K>> {
    read_by_steps(reader, limit, |_| u64::MAX)
}

/// Up to this size, memory for bytes that are kept doubles. One less than a power of two, so that it does
/// not double once more to find the end of the input.
#[cfg(feature = "std")]
const SMALL: usize = (1 << 20) - 1;

/// Beyond that it grows by this fraction of its size.
#[cfg(feature = "std")]
const GROWTH: usize = 16;

/// As [`read_to_end`], for bytes that stay in memory: hardly any of it is unused.
#[cfg(feature = "std")]
pub(crate) fn read_to_keep<R: crate::io::Read, K: From<CommonKind>>(
    reader: R,
    limit: u64,
) -> Result<alloc::vec::Vec<u8>, Error<K>> {
    read_by_steps(reader, limit, |len| {
        let step = if len < SMALL { SMALL - len } else { len / GROWTH };
        u64::try_from(step).unwrap_or(u64::MAX)
    })
}

/// Reads in steps of `step(len)` bytes, where `len` is the number of bytes so far. Memory for a step is
/// reserved at once, except for the first step, which may be short.
#[cfg(feature = "std")]
fn read_by_steps<R: crate::io::Read, K: From<CommonKind>>(
    reader: R,
    limit: u64,
    step: impl Fn(usize) -> u64,
) -> Result<alloc::vec::Vec<u8>, Error<K>> {
    use crate::io::Read as _;

    let failed = |error| Error::placeless(CommonKind::Io(error));
    let mut bytes = alloc::vec::Vec::new();
    // One byte more than allowed shows that the input is too long.
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
        Ok(most) if bytes.len() > most => Err(Error::at(CommonKind::InputLimit { limit }, most)),
        _ => Ok(bytes),
    }
}
