//! Shared values of a document under construction: where they are, and who refers to them.
//!
//! How far a reference leads back depends on everything between, which may still grow, so
//! references hold one byte until the document is complete.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::biniou::wire;
use crate::biniou::{Error, ErrorKind, Result};

/// What stands in the place of a reference's offset. Not 0, which would be a definition.
pub(super) const PLACEHOLDER: u8 = 1;

/// The shared values written so far.
#[derive(Debug, Default)]
pub(super) struct Sharing {
    /// In the order of their positions.
    sites: Vec<Site>,
    /// Addresses of values that somebody else holds too, with the numbers of their sites.
    known: BTreeMap<usize, usize>,
    /// Numbers of the sites whose values are being written.
    open: Vec<usize>,
}

/// A place where a shared value's offset is.
#[derive(Clone, Copy, Debug)]
struct Site {
    position: usize,
    /// The number of the site that this refers to. `None` where the value itself is.
    target: Option<usize>,
}

impl Sharing {
    pub(super) fn clear(&mut self) {
        self.sites.clear();
        self.known.clear();
        self.open.clear();
    }

    /// Notes a reference to the value at `address` if it has been written.
    pub(super) fn refer(&mut self, address: usize, position: usize) -> Result<bool> {
        let target = self.known.get(&address).copied();
        let Some(site) = target else { return Ok(false) };
        if self.open.contains(&site) {
            return Err(Error::placeless(ErrorKind::Cycle));
        }
        self.sites.push(Site { position, target });
        Ok(true)
    }

    /// Notes that a value begins; others may refer to it by `address`.
    pub(super) fn define(&mut self, address: Option<usize>, position: usize) {
        let site = self.sites.len();
        self.sites.push(Site { position, target: None });
        self.open.push(site);
        if let Some(address) = address {
            self.known.insert(address, site);
        }
    }

    /// Notes that the value begun last is complete.
    pub(super) fn close(&mut self) {
        self.open.pop();
    }

    /// Notes that what lies from `position` on has moved by `by` bytes.
    pub(super) fn moved(&mut self, position: usize, by: isize) {
        for site in self.sites.iter_mut().rev().take_while(|site| site.position >= position) {
            site.position = site.position.saturating_add_signed(by);
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
            site.position += number;
        }
    }

    /// Puts the references' offsets in. They lengthen one another, so sizes are settled first.
    pub(super) fn settle(&self, out: &mut Vec<u8>) {
        if self.sites.iter().all(|site| site.target.is_none()) {
            return;
        }
        let mut sizes: Vec<usize> = self.sites.iter().map(|_| 1).collect();
        loop {
            let offsets = self.offsets(&sizes);
            let needed: Vec<usize> =
                offsets.iter().map(|offset| wire::uvint_size(*offset)).collect();
            if needed == sizes {
                self.rewrite(out, &offsets);
                return;
            }
            sizes = needed;
        }
    }

    /// The offset that stands at each site if those before it have these sizes.
    fn offsets(&self, sizes: &[usize]) -> Vec<u128> {
        let mut longer = 0;
        let mut finals = Vec::new();
        for (site, size) in self.sites.iter().zip(sizes) {
            finals.push(site.position + longer);
            longer += size - 1;
        }
        let distance = |(site, position): (&Site, &usize)| {
            let target = site.target.and_then(|target| finals.get(target));
            let distance = target.map_or(0, |target| position - target);
            u128::try_from(distance).unwrap_or(u128::MAX)
        };
        self.sites.iter().zip(&finals).map(distance).collect()
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
