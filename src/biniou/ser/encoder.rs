//! The message that is being serialized, and the state that all of its values share.

use alloc::vec::Vec;

use serde_core::ser::Serialize;

use super::adjacent::Adjacent;
use super::fields::Field;
use super::output::Output;
use super::prefix::Prefix;
use super::sharing::Sharing;
use super::table::Table;
use super::value::Value;
use super::written::Written;
use crate::biniou::budget::Budget;
use crate::biniou::error::FLATTEN;
use crate::biniou::names::VariantsWritten;
use crate::biniou::{Error, ErrorKind, Options, Result};
use crate::error::CommonKind;
use crate::limits::DepthMeter;

/// A message that is being serialized.
#[derive(Debug)]
pub(in crate::biniou) struct Encoder {
    pub(super) out: Output,
    pub(super) depth: DepthMeter,
    /// The fields of the larger records that are being written.
    pub(super) fields: Vec<Field>,
    pub(super) variants: VariantsWritten,
    pub(super) sharing: Sharing,
    /// The tables that are being written, the innermost last.
    pub(super) tables: Vec<Table>,
    /// How many maps of unknown length are being written, as serde's `flatten` makes.
    pub(super) flattened: u16,
    pub(super) adjacent: Adjacent,
    /// Whether the options have names for readers.
    pub(super) tells_names: bool,
    /// Whether a value failed. Its type may ignore the error, but the bytes are no message then.
    pub(super) failed: bool,
    /// What readers accept of this message and those after it ..
    budget: Budget,
    /// .. and how many rows without columns it has so far.
    empty_rows: usize,
    max_depth: u16,
}

impl Encoder {
    pub(in crate::biniou) fn new(options: &Options) -> Self {
        Encoder {
            out: Output::new(),
            depth: DepthMeter::new(options.max_depth),
            fields: Vec::new(),
            variants: VariantsWritten::default(),
            sharing: Sharing::default(),
            tables: Vec::new(),
            flattened: 0,
            adjacent: Adjacent::NONE,
            tells_names: options.names.is_some(),
            failed: false,
            budget: Budget::new(),
            empty_rows: 0,
            max_depth: options.max_depth,
        }
    }

    /// Begins a message, whatever happened to the one before.
    pub(super) fn begin(&mut self) {
        self.out.clear();
        self.depth = DepthMeter::new(self.max_depth);
        self.sharing.clear();
        self.fields.clear();
        self.tables.clear();
        self.flattened = 0;
        self.adjacent = Adjacent::NONE;
        self.failed = false;
        self.empty_rows = 0;
    }

    /// Completes the message: inserts the distances of references.
    pub(super) fn complete(&mut self) -> Result<()> {
        if self.failed {
            return Err(Error::placeless(CommonKind::Abandoned));
        }
        let Encoder { out, sharing, budget, .. } = self;
        let left = out.edit(|out| sharing.resolve_references(out, budget))?;
        budget.empty_rows = budget.empty_rows.saturating_sub(self.empty_rows);
        budget.next_value(out.len(), left);
        Ok(())
    }

    /// The complete message.
    pub(super) fn document(&self) -> &[u8] {
        self.out.written()
    }

    /// Completes the message, by value. The rest of the state stays here, since moving it takes longer.
    #[inline(never)]
    pub(super) fn take_document(&mut self) -> Result<Vec<u8>> {
        self.complete()?;
        Ok(core::mem::take(&mut self.out).finish())
    }

    /// Writes a value after its tag.
    #[inline]
    pub(super) fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<Written> {
        value.serialize(Value::<false>::new(self, Prefix::TAGGED))
    }

    /// Refuses what serde's `flatten` could not read back, which needs a self-describing format.
    #[inline]
    pub(super) fn refuse_flattened(
        &self,
        (reason, hint): (&'static str, &'static str),
    ) -> Result<()> {
        match self.flattened {
            0 => Ok(()),
            _ => Err(Error::placeless(CommonKind::Unsupported { reason, hint: Some(hint) })),
        }
    }

    /// Counts rows that take no bytes.
    pub(super) fn spend_empty_rows(&mut self, rows: usize) -> Result<()> {
        match self.empty_rows.checked_add(rows).filter(|sum| *sum <= self.budget.empty_rows) {
            Some(sum) => {
                self.empty_rows = sum;
                self.sharing.spend_empty_rows(rows);
                Ok(())
            }
            None => {
                let rows = u128::try_from(rows).unwrap_or(u128::MAX);
                Err(Error::placeless(ErrorKind::EmptyRows { rows }))
            }
        }
    }
}

/// serde buffers flattened types, and its buffer holds no integers of 128 bits.
pub(super) const WIDE_IN_FLATTENED: (&str, &str) =
    ("flattened types cannot hold 128-bit integers", "use `u64` or `i64`");

/// Bytes that happen to be UTF-8 would be text.
pub(super) const BYTES_IN_FLATTENED: (&str, &str) =
    ("bytes in a flattened type could come back as text", FLATTEN);
