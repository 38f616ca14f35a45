//! What reading one value keeps in mind: where it is, how deep, what was shared, whose names.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::biniou::names::Read;
use crate::biniou::skip::{Skipper, note, spend_empty_rows};
use crate::biniou::value;
use crate::biniou::wire::{self, MOST_EMPTY_ROWS, Tag};
use crate::biniou::{Dictionary, Error, ErrorKind, Options, Result, Value};
use crate::limits::Depth;
use crate::read::Reader;

/// How many items shared values may expand to, for each byte of the input.
const EXPANSION_PER_BYTE: usize = 64;

/// This many bytes of a string count as an item when it is read again.
const BYTES_PER_ITEM: usize = 16;

#[derive(Debug)]
pub(super) struct State<'de> {
    pub(super) reader: Reader<'de>,
    input: &'de [u8],
    pub(super) depth: Depth,
    /// The names of the types read so far.
    pub(super) names: Read,
    /// The names that the user has told.
    dictionary: Option<Arc<Dictionary>>,
    /// Whether records are looked through for equal fields before they are read ..
    pub(super) looks_ahead: bool,
    /// .. and if not, whether there were any.
    pub(super) met_duplicate: bool,
    /// Whether the next value is a field of a record, where an optional one is bare.
    pub(super) in_field: bool,
    /// Where shared values are: the positions of their own offsets of 0, in order.
    definitions: Vec<usize>,
    /// Those that are being read.
    open: Vec<usize>,
    /// How many references lead to what is being read.
    expanding: usize,
    /// What references may still expand to.
    expansion: usize,
    empty_rows: usize,
}

impl<'de> State<'de> {
    pub(super) fn new(options: &Options, input: &'de [u8], looks_ahead: bool) -> Self {
        State {
            reader: Reader::new(input, 0),
            input,
            depth: Depth::new(options.max_depth),
            names: Read::default(),
            dictionary: options.names.clone(),
            looks_ahead,
            met_duplicate: false,
            in_field: false,
            definitions: Vec::new(),
            open: Vec::new(),
            expanding: 0,
            expansion: expansion_limit(input),
            empty_rows: usize::try_from(MOST_EMPTY_ROWS).unwrap_or(usize::MAX),
        }
    }

    /// Reads a value that takes bytes of its own around others.
    #[inline]
    pub(super) fn level<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let (outer, offset) = (self.depth, self.reader.offset());
        self.in_field = false;
        self.depth.enter().map_err(|error: Error| error.or_offset(offset))?;
        let result = read(self);
        // Also after an error: some types go on without the value that failed.
        self.depth = outer;
        result
    }

    /// Reads what is in a newtype struct.
    #[inline]
    pub(super) fn wrapper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let (outer, offset) = (self.depth, self.reader.offset());
        self.depth.wrap().map_err(|error: Error| error.or_offset(offset))?;
        let result = read(self);
        self.depth = outer;
        result
    }

    /// Steps over a value.
    pub(super) fn skip(&mut self, tag: Tag) -> Result<()> {
        let State { depth, definitions, empty_rows, reader, .. } = self;
        Skipper { depth: *depth, definitions, empty_rows }.value(reader, tag)
    }

    /// Steps over a tag and its value.
    pub(super) fn skip_tagged(&mut self) -> Result<()> {
        let tag = wire::take_tag(&mut self.reader)?;
        self.skip(tag)
    }

    /// Reads a node of the format's own tree.
    pub(super) fn own_tree(&mut self, tag: Tag) -> Result<Value> {
        let State { reader, depth, empty_rows, .. } = self;
        value::read_untagged(tag, reader, depth, empty_rows)
    }

    /// Counts rows that take no bytes.
    pub(super) fn spend_empty_rows(&mut self, rows: usize, offset: usize) -> Result<()> {
        spend_empty_rows(&mut self.empty_rows, rows, offset)
    }

    /// The name that the user has told for a hash.
    pub(super) fn told_name(&self, hash: u32) -> Option<&str> {
        self.dictionary.as_deref()?.name(hash)
    }

    /// Reads the value of a SHARED, here or where the reference leads.
    #[cold]
    pub(super) fn shared<T>(
        &mut self,
        read: impl FnOnce(&mut Self, Tag) -> Result<T>,
    ) -> Result<T> {
        let position = self.reader.offset();
        let distance = wire::take_uvint(&mut self.reader)?;
        if distance == 0 {
            note(&mut self.definitions, position);
            return self.definition(position, read);
        }
        let target = usize::try_from(distance)
            .ok()
            .and_then(|distance| position.checked_sub(distance))
            .filter(|target| self.definitions.binary_search(target).is_ok());
        let Some(target) = target else {
            return Err(Error::at(ErrorKind::Reference { distance }, position));
        };
        if self.open.contains(&target) {
            return Err(Error::at(ErrorKind::Cycle, position));
        }

        let behind = self.reader;
        self.reader = Reader::new(self.input.get(target..).unwrap_or_default(), target);
        wire::take_uvint(&mut self.reader)?;
        self.expanding += 1;
        let result = self.definition(target, read);
        self.expanding -= 1;
        self.reader = behind;
        result
    }

    fn definition<T>(
        &mut self,
        position: usize,
        read: impl FnOnce(&mut Self, Tag) -> Result<T>,
    ) -> Result<T> {
        self.open.push(position);
        let result = self.level(|state| {
            let tag = wire::take_tag(&mut state.reader)?;
            read(state, tag)
        });
        self.open.pop();
        result
    }

    /// Counts an item that is read again, because somebody refers to it.
    #[inline]
    pub(super) fn spend_item(&mut self) -> Result<()> {
        match self.expanding {
            0 => Ok(()),
            _ => self.spend(1),
        }
    }

    /// Counts a string that is read again.
    #[inline]
    pub(super) fn spend_bytes(&mut self, bytes: usize) -> Result<()> {
        match self.expanding {
            0 => Ok(()),
            _ => self.spend(bytes / BYTES_PER_ITEM),
        }
    }

    #[cold]
    fn spend(&mut self, items: usize) -> Result<()> {
        match self.expansion.checked_sub(items) {
            Some(left) => {
                self.expansion = left;
                Ok(())
            }
            None => {
                let limit = expansion_limit(self.input);
                Err(Error::at(ErrorKind::Expansion { limit }, self.reader.offset()))
            }
        }
    }
}

fn expansion_limit(input: &[u8]) -> usize {
    input.len().saturating_mul(EXPANSION_PER_BYTE)
}
