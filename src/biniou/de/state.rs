//! What reading one value keeps in mind: where it is, how deep, what was shared, whose names.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::biniou::definitions::{Definitions, expansion_limit};
use crate::biniou::names::Read;
use crate::biniou::skip::{Skipper, spend_empty_rows};
use crate::biniou::value;
use crate::biniou::wire::{self, MOST_EMPTY_ROWS, Tag};
use crate::biniou::{Dictionary, Error, ErrorKind, Options, Result, Value};
use crate::limits::Depth;
use crate::read::Reader;

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
    definitions: Definitions,
    /// Those that are being read.
    open: Vec<usize>,
    /// How many references lead to what is being read.
    expanding: usize,
    /// How many bytes references may still stand for.
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
            definitions: Definitions::default(),
            open: Vec::new(),
            expanding: 0,
            expansion: expansion_limit(input.len()),
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

    /// Takes a string's length and bytes, and says where these begin.
    #[inline]
    pub(super) fn take_string(&mut self) -> Result<(&'de [u8], usize)> {
        let (bytes, offset) = wire::take_string(&mut self.reader)?;
        self.definitions.pass_text(bytes.len());
        Ok((bytes, offset))
    }

    /// Steps over a value.
    pub(super) fn skip(&mut self, tag: Tag) -> Result<()> {
        let State { depth, definitions, reader, .. } = self;
        let empty_rows = match self.expanding {
            0 => &mut self.empty_rows,
            _ => &mut self.expansion,
        };
        Skipper { depth: *depth, definitions, empty_rows }.value(reader, tag)
    }

    /// Steps over a tag and its value.
    pub(super) fn skip_tagged(&mut self) -> Result<()> {
        let tag = wire::take_tag(&mut self.reader)?;
        self.skip(tag)
    }

    /// Reads a node of the format's own tree.
    pub(super) fn own_tree(&mut self, tag: Tag) -> Result<Value> {
        let State { reader, depth, .. } = self;
        let empty_rows = match self.expanding {
            0 => &mut self.empty_rows,
            _ => &mut self.expansion,
        };
        value::read_untagged(tag, reader, depth, empty_rows)
    }

    /// Counts rows that take no bytes: of those that are read again each counts as a byte.
    pub(super) fn spend_empty_rows(&mut self, rows: usize, offset: usize) -> Result<()> {
        match self.expanding {
            0 => spend_empty_rows(&mut self.empty_rows, rows, offset),
            _ => self.expand(rows, offset),
        }
    }

    /// The name that the user has told for a hash.
    pub(super) fn told_name(&self, hash: u32) -> Option<&str> {
        self.dictionary.as_deref()?.name(hash)
    }

    /// Reads the value of a SHARED, here or where the reference leads.
    #[cold]
    pub(super) fn shared<T>(
        &mut self,
        read: impl FnOnce(&mut Self, Tag, usize) -> Result<T>,
    ) -> Result<T> {
        let position = self.reader.offset();
        let distance = wire::take_uvint(&mut self.reader)?;
        if distance == 0 {
            self.definitions.begin(position);
            let value = self.definition(position, read)?;
            self.definitions.end(position, self.reader.offset());
            return Ok(value);
        }
        let target =
            usize::try_from(distance).ok().and_then(|distance| position.checked_sub(distance));
        let found = target.and_then(|target| Some((target, self.definitions.find(target)?)));
        let Some((target, cost)) = found else {
            return Err(Error::at(ErrorKind::Reference { distance }, position));
        };
        if self.open.contains(&target) {
            return Err(Error::at(ErrorKind::Cycle, position));
        }

        self.expand(cost.unwrap_or(self.input.len()), position)?;

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
        read: impl FnOnce(&mut Self, Tag, usize) -> Result<T>,
    ) -> Result<T> {
        self.open.push(position);
        let result = self.level(|state| {
            let at = state.reader.offset();
            let tag = wire::take_tag(&mut state.reader)?;
            read(state, tag, at)
        });
        self.open.pop();
        result
    }

    /// Counts bytes that are read again, because somebody refers to them.
    #[cold]
    fn expand(&mut self, bytes: usize, offset: usize) -> Result<()> {
        match self.expansion.checked_sub(bytes) {
            Some(left) => {
                self.expansion = left;
                Ok(())
            }
            None => {
                let limit = expansion_limit(self.input.len());
                Err(Error::at(ErrorKind::Expansion { limit }, offset))
            }
        }
    }
}
