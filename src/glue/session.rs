//! What a reader of one pass keeps of a document: where it is, how deep, what has failed. Knows neither bytes
//! nor a format.

#[cfg(feature = "any")]
use crate::any::Limits;
use crate::error::{Error, Fault, Kind};
use crate::glue::adjacent::Adjacent;
use crate::glue::nested::UnderWay;
use crate::limits::{Depth, ItemBudget, too_deep};
use crate::read::Reader;

/// The length that a tuple announces if its type itself knows where it ends.
pub(crate) const UNBOUNDED: usize = usize::MAX;

/// Whether bytes may be left behind a value.
#[derive(Clone, Copy)]
pub(crate) enum Trailing {
    Allowed,
    Refused,
}

impl Trailing {
    /// As the options of a reader say.
    #[inline]
    pub(crate) const fn of(allow_trailing: bool) -> Self {
        if allow_trailing { Trailing::Allowed } else { Trailing::Refused }
    }
}

/// The state of one reading.
#[derive(Debug)]
pub(crate) struct Session<'de, S> {
    pub(crate) reader: Reader<'de>,
    /// How deep the next value may be.
    pub(crate) depth: Depth,
    max_depth: u16,
    /// For how many items memory may be taken.
    pub(crate) items: ItemBudget,
    /// What is known about adjacently tagged enums.
    pub(crate) adjacent: Adjacent,
    /// Where a part failed. If its type goes on, it reads at an offset that means nothing.
    pub(crate) failed_at: Option<usize>,
    /// Where the last part began of a tuple that knows by itself where it ends.
    pub(crate) knows_end: Option<usize>,
    /// What the format keeps besides.
    pub(crate) own: S,
}

/// What a format keeps besides.
pub(crate) trait Own {
    type Kind: Kind;

    /// Refuses a value for what only this format notes.
    fn check(&self) -> Result<(), Error<Self::Kind>> {
        Ok(())
    }

    /// Whether it was found out that the value has to be read once more.
    fn wants_another_reading(&self) -> bool {
        false
    }

    /// Begins the value again, with what was found out.
    fn start_over(&mut self);
}

/// The reading of the first value.
pub(crate) struct First<'de, S> {
    pub(crate) session: Session<'de, S>,
    bytes: &'de [u8],
    depth: Depth,
    reading: UnderWay,
}

impl<'de, S: Own> First<'de, S> {
    #[inline]
    pub(crate) fn new(session: Session<'de, S>, bytes: &'de [u8]) -> Self {
        let reading = UnderWay::fast().unwrap_or_else(UnderWay::exact);
        First { bytes, depth: session.depth, session, reading }
    }

    /// Reads the value, and again as long as a reading finds out something about its types. Each time, the
    /// next reading gets further.
    #[inline]
    pub(crate) fn read<T>(
        &mut self,
        trailing: Trailing,
        read: impl Fn(&mut Session<'de, S>) -> Result<T, Error<S::Kind>>,
    ) -> Result<T, Error<S::Kind>> {
        loop {
            let value = read(&mut self.session);
            if self.session.wants_another_reading() {
                self.start_over();
                continue;
            }
            return match value {
                Ok(value) => self.session.check_end(trailing).map(|()| value),
                Err(error) => Err(error.or_offset(0)),
            };
        }
    }

    #[cold]
    #[inline(never)]
    fn start_over(&mut self) {
        let First { session, bytes, depth, reading } = self;
        reading.make_exact();
        session.reader = Reader::new(bytes, 0);
        session.depth = *depth;
        session.items = ItemBudget::new(bytes.len());
        session.adjacent.forget();
        session.failed_at = None;
        session.knows_end = None;
        session.own.start_over();
    }
}

impl<'de, S: Own> Session<'de, S> {
    #[inline]
    fn wants_another_reading(&self) -> bool {
        self.adjacent.has_learned() || self.own.wants_another_reading()
    }

    /// Makes sure that all of a value was read, and that nothing stands behind it that may not.
    #[inline(never)]
    pub(crate) fn check_end(&self, trailing: Trailing) -> Result<(), Error<S::Kind>> {
        self.own.check()?;
        self.check_abandoned()?;
        match trailing {
            Trailing::Allowed => Ok(()),
            Trailing::Refused => self.reader.finish(),
        }
    }
}

impl<'de, S> Session<'de, S> {
    #[inline]
    pub(crate) fn new(max_depth: u16, bytes: &'de [u8], own: S) -> Self {
        Session {
            reader: Reader::new(bytes, 0),
            depth: Depth::new(max_depth),
            max_depth,
            items: ItemBudget::new(bytes.len()),
            adjacent: Adjacent::default(),
            failed_at: None,
            knows_end: None,
            own,
        }
    }

    /// Begins the next value. What went wrong in the one before stays noted.
    #[inline]
    pub(crate) fn begin_next(&mut self) {
        self.depth = Depth::new(self.max_depth);
        self.adjacent.forget();
    }

    /// Refuses a value whose type swallowed an error of a part and went on.
    #[inline]
    pub(crate) fn check_abandoned<K: Kind>(&self) -> Result<(), Error<K>> {
        match self.failed_at {
            None => Ok(()),
            Some(offset) => Err(Error::at(Fault::Abandoned, offset)),
        }
    }

    /// Goes one level further in.
    #[inline]
    pub(crate) fn enter<K: Kind>(&mut self) -> Result<(), Error<K>> {
        match self.depth.enter() {
            Some(depth) => self.depth = depth,
            None => return Err(self.too_deep()),
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn too_deep<K: Kind>(&mut self) -> Error<K> {
        let error = too_deep(self.max_depth);
        self.refused(error)
    }

    /// Reads one level further in. Depth is restored also after an error: some types go on without the value
    /// that failed.
    #[inline]
    pub(crate) fn in_level<T, K: Kind>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Error<K>>,
    ) -> Result<T, Error<K>> {
        let outer = self.depth;
        let Some(depth) = outer.enter() else { return Err(self.too_deep()) };
        self.depth = depth;
        let result = read(self);
        self.depth = outer;
        result
    }

    /// The same of what is in a `Some` or newtype struct.
    #[inline]
    pub(crate) fn in_wrapper<T, K: Kind>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Error<K>>,
    ) -> Result<T, Error<K>> {
        let outer = self.depth;
        let Some(depth) = outer.wrap() else { return Err(self.too_deep()) };
        self.depth = depth;
        let result = read(self);
        self.depth = outer;
        result
    }

    /// Notes a part that is refused without being read to its end, and gives the error a place.
    #[cold]
    pub(crate) fn refused<K: Kind>(&mut self, error: Error<K>) -> Error<K> {
        let offset = self.reader.offset();
        self.refused_at(error, offset)
    }

    /// The same of a part that began at `offset`.
    #[cold]
    pub(crate) fn refused_at<K: Kind>(&mut self, error: Error<K>, offset: usize) -> Error<K> {
        self.failed_at.get_or_insert(error.offset().unwrap_or(offset));
        error.or_offset(offset)
    }

    /// The limits for a part in MessagePack.
    #[cfg(feature = "any")]
    pub(crate) fn limits(&self) -> Limits {
        Limits { depth: self.depth, max_depth: self.max_depth }
    }
}
