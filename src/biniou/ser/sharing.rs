//! Shared values of the message that is being serialized: where they are, and which references lead to
//! them.
//!
//! The distance of a reference depends on everything between, which may still grow. So a reference is
//! one byte until the message is complete.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::biniou::budget::{Budget, cost};
use crate::biniou::wire;
use crate::biniou::{Error, ErrorKind, Result};
use crate::limits::Height;

/// What is in the place of a reference's distance until that is known. Not that of a definition.
pub(super) const PLACEHOLDER: u8 = wire::HERE + 1;

/// The shared values written so far.
#[derive(Debug, Default)]
pub(super) struct Sharing {
    /// In the order of their positions.
    sites: Vec<Site>,
    /// Addresses of values that others hold, too, with the numbers of their sites.
    known: BTreeMap<Address, usize>,
    /// Numbers of the sites whose values are being written.
    open: Vec<usize>,
    /// How many bytes of strings were written.
    text: usize,
}

/// Where a value is in memory. An array and a slice of it may begin at one address but are written
/// differently: the size of a reference distinguishes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Address {
    start: usize,
    size: usize,
    reference: usize,
}

impl Address {
    pub(super) fn of<T: ?Sized>(value: &T) -> Self {
        Address {
            start: core::ptr::from_ref(value).cast::<()>().addr(),
            size: size_of_val(value),
            reference: size_of::<&T>(),
        }
    }

    pub(super) fn is_empty(self) -> bool {
        self.size == 0
    }
}

/// A position where a shared value's offset is.
#[derive(Clone, Copy, Debug)]
struct Site {
    position: usize,
    part: Part,
}

/// What is at a site.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// The value itself: how far it reaches, how many bytes of strings are in it (until it is
    /// complete: were before it), how high it is, and its rows that take no bytes.
    Definition { end: usize, text: usize, height: Height, empty_rows: usize },
    /// A reference to the value at the site of that number.
    Reference { target: usize },
}

impl Sharing {
    pub(super) fn clear(&mut self) {
        self.sites.clear();
        self.known.clear();
        self.open.clear();
    }

    /// Notes a reference to the value at `address` if it has been written, and returns its height.
    pub(super) fn refer(&mut self, address: Address, position: usize) -> Result<Option<Height>> {
        let Some(target) = self.known.get(&address).copied() else { return Ok(None) };
        if self.open.contains(&target) {
            return Err(Error::placeless(ErrorKind::Cycle));
        }
        self.sites.push(Site { position, part: Part::Reference { target } });
        match self.sites.get(target).map(|site| site.part) {
            Some(Part::Definition { height, .. }) => Ok(Some(height)),
            _ => Ok(None),
        }
    }

    /// Notes that a value begins; others may refer to it by `address`.
    pub(super) fn define(&mut self, address: Option<Address>, position: usize) {
        let site = self.sites.len();
        let part = Part::Definition {
            end: position,
            text: self.text,
            height: Height::default(),
            empty_rows: 0,
        };
        self.sites.push(Site { position, part });
        self.open.push(site);
        if let Some(address) = address {
            self.known.insert(address, site);
        }
    }

    /// Notes that the value begun last is complete.
    pub(super) fn close(&mut self, at: usize, height_of_it: Height) {
        let site = self.open.pop().and_then(|site| self.sites.get_mut(site));
        if let Some(Part::Definition { end, text, height, .. }) = site.map(|site| &mut site.part) {
            (*end, *text, *height) = (at, self.text.wrapping_sub(*text), height_of_it);
        }
    }

    /// Notes that a string was written.
    #[inline]
    pub(super) fn note_text(&mut self, bytes: usize) {
        self.text = self.text.wrapping_add(bytes);
    }

    /// Notes rows that take no bytes. Readers meet them again at each reference.
    pub(super) fn spend_empty_rows(&mut self, rows: usize) {
        for site in &self.open {
            let part = self.sites.get_mut(*site).map(|site| &mut site.part);
            if let Some(Part::Definition { empty_rows, .. }) = part {
                *empty_rows = empty_rows.saturating_add(rows);
            }
        }
    }

    /// Notes that what is from `position` on has moved by `by` bytes.
    pub(super) fn moved(&mut self, position: usize, by: isize) {
        for site in self.sites.iter_mut().rev().take_while(|site| site.position >= position) {
            site.shift(by);
        }
    }

    /// Notes that each item that begins at one of `starts`, in order, has moved by its number.
    pub(super) fn spread(&mut self, starts: &[usize]) {
        let mut number = 0usize;
        let first = starts.first().copied().unwrap_or(usize::MAX);
        let from = self.sites.partition_point(|site| site.position < first);
        for site in self.sites.iter_mut().skip(from) {
            while starts.get(number + 1).is_some_and(|next| *next <= site.position) {
                number += 1;
            }
            site.shift(isize::try_from(number).unwrap_or(isize::MAX));
        }
    }

    /// Puts the distances of references in. This lengthens what is between, but references only lead back,
    /// to what has its final offset. Returns what is left of the budget for references.
    pub(super) fn resolve_references(
        &self,
        out: &mut Vec<u8>,
        budget: &Budget,
    ) -> Result<Option<usize>> {
        if self.sites.iter().all(|site| matches!(site.part, Part::Definition { .. })) {
            return Ok(None);
        }
        // How much longer than the draft is what precedes each site, and before the end.
        let mut longer = Vec::with_capacity(self.sites.len() + 1);
        let mut offsets = Vec::with_capacity(self.sites.len());
        let mut sum = 0;
        for site in &self.sites {
            longer.push(sum);
            let offset_of = |site: &Site, longer: usize| site.position + longer;
            let offset = match site.part {
                Part::Definition { .. } => 0,
                Part::Reference { target } => match (self.sites.get(target), longer.get(target)) {
                    (Some(there), Some(before)) => offset_of(site, sum) - offset_of(there, *before),
                    _ => 0,
                },
            };
            let offset = u128::try_from(offset).unwrap_or(u128::MAX);
            sum += wire::uvint_size(offset) - 1;
            offsets.push(offset);
        }
        longer.push(sum);
        self.rewrite(out, &offsets);
        self.refuse_expansion(&longer, budget.expansion_limit(out.len())).map(Some)
    }

    /// Refuses references that expand to more than `limit` bytes, since readers refuse them. Returns
    /// what is left.
    fn refuse_expansion(&self, longer: &[usize], limit: usize) -> Result<usize> {
        // What the references before each site expand to, with those that they lead to.
        let mut before = Vec::with_capacity(self.sites.len());
        let mut sum = 0usize;
        for site in &self.sites {
            before.push(sum);
            let Part::Reference { target } = site.part else { continue };
            let Some(Site { position, part: Part::Definition { end, text, empty_rows, .. } }) =
                self.sites.get(target)
            else {
                continue;
            };
            // A value is complete before a reference to it, so this comes after everything inside it.
            let next = self.sites.partition_point(|site| site.position < *end);
            let at = |values: &[usize], index| values.get(index).copied().unwrap_or_default();
            let bytes = (end + at(longer, next)) - (position + at(longer, target));
            let inner = before.get(next).map_or(sum, |sum| *sum) - at(&before, target);
            let own = cost(bytes, *text).saturating_add(*empty_rows);
            sum = sum.saturating_add(own).saturating_add(inner);
        }
        limit.checked_sub(sum).ok_or_else(|| {
            let hint = "remove the mark `shared`: each value is then written in full";
            Error::placeless(ErrorKind::Expansion { limit }).or_hint(Some(hint))
        })
    }

    fn rewrite(&self, out: &mut Vec<u8>, offsets: &[u128]) {
        let draft = core::mem::take(out);
        let mut rest = draft.as_slice();
        let mut done = 0;
        for (site, offset) in self.sites.iter().zip(offsets) {
            let Some((before, after)) = rest.split_at_checked(site.position - done) else { break };
            out.extend_from_slice(before);
            wire::put_uvint(out, *offset);
            rest = after.get(1..).unwrap_or_default();
            done = site.position + 1;
        }
        out.extend_from_slice(rest);
    }
}

impl Site {
    fn shift(&mut self, by: isize) {
        self.position = self.position.saturating_add_signed(by);
        if let Part::Definition { end, .. } = &mut self.part {
            *end = end.saturating_add_signed(by);
        }
    }
}
