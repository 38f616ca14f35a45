//! Adjacently tagged enums, `#[serde(tag = "t", content = "c")]`, where fields have no names.
//!
//! serde writes a struct of two fields, the first a unit variant. It reads the tag as an
//! identifier, and, where the variant is a unit or has named fields, asks the data for the type of
//! the content. What the content is read as tells which of the two it is: of a unit, nothing, which
//! takes no memory.
//!
//! Two things remain. An enum may take no memory itself; and a type may keep to itself what it reads, as
//! `erased-serde` does. There one of the two is tried, for the latter named fields, and if the visitor does
//! not take that, this is noted, and everything is read once more. That happens once for each such variant
//! of a type.

use alloc::vec::Vec;
use core::hash::{Hash as _, Hasher};
use core::mem::Discriminant;

use crate::glue::nested::{self, Owner};

/// What reading one value knows about such enums.
#[derive(Debug, Default)]
pub(crate) struct Adjacent {
    /// The struct of two fields that was begun last, and where.
    begun: Option<(Struct, usize)>,
    /// The variant whose tag was read last, and where its content begins.
    content: Option<(Content, usize)>,
    /// Where a field would begin if there were one more.
    behind_last: Option<usize>,
    /// Whether that was asked for, and stepped over.
    stepped_over: bool,
    /// The variants that have turned out to be other than presumed.
    others: Vec<Content>,
    /// Whether the last of them is news.
    learned: bool,
}

nested::known! { Content }

/// What names a type of struct.
type Struct = (Owner, &'static [&'static str]);

/// A variant, by its enum and what the type takes the tag for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    of: Struct,
    tag: Tag,
}

/// Which variant a tag is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    /// What the type made of the tag: a variant of the enum without fields that serde derives for tags.
    /// Numbers would not do, since any number of them may mean the same.
    Made(u64),
    /// What stands in the data, where the type keeps to itself what it made of it, as `erased-serde`
    /// does.
    Read(u64),
}

impl Tag {
    /// The tag that a type made of what stands in the data.
    pub(crate) fn of<T>(tag: &T, read: u64) -> Self {
        // No more variants have a tag each than a u16 tells apart.
        if size_of::<T>() > size_of::<u16>() {
            return Tag::Read(read);
        }
        let which: Discriminant<T> = core::mem::discriminant(tag);
        let mut seen = Bytes(0);
        which.hash(&mut seen);
        Tag::Made(seen.finish())
    }
}

/// Keeps what it is given, which for the number of a variant is never more than there is room for.
struct Bytes(u64);

impl Hasher for Bytes {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 | u64::from(*byte);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// So many variants are learned by what stands in the data, which could claim any number of them.
const MOST_READ: usize = 256;

impl Adjacent {
    /// Notes where a struct of two fields begins.
    #[inline]
    pub(crate) fn expect_tag(
        &mut self,
        owner: Owner,
        fields: &'static [&'static str],
        offset: usize,
    ) {
        self.begun = Some(((owner, fields), offset));
    }

    /// Notes that such a struct has ended: what comes behind it is none of its parts, also where it took
    /// no bytes.
    #[inline]
    pub(crate) fn end_struct(&mut self) {
        self.begun = None;
        self.content = None;
    }

    /// Whether what begins at `offset` is the first field of such a struct.
    pub(crate) fn is_tag(&self, offset: usize) -> bool {
        self.begun.is_some_and(|(_, begun)| begun == offset)
    }

    /// Notes that a tag was read, and that its content begins at `offset`.
    pub(crate) fn expect_content(&mut self, tag: Tag, offset: usize) {
        self.content = self.begun.take().map(|(of, _)| (Content { of, tag }, offset));
    }

    /// The variant whose content begins at `offset`.
    pub(crate) fn take_content(&mut self, offset: usize) -> Option<Content> {
        self.content.take().filter(|(_, begins)| *begins == offset).map(|(content, _)| content)
    }

    /// Notes where the value of a field begins, which may be one that is not there.
    pub(crate) fn expect_last(&mut self, offset: usize) {
        (self.behind_last, self.stepped_over) = (Some(offset), false);
    }

    /// Whether that field was stepped over, and so is not there.
    pub(crate) fn take_stepped_over(&mut self) -> bool {
        self.behind_last = None;
        core::mem::take(&mut self.stepped_over)
    }

    /// Whether what is skipped at `offset` is a field that is not there.
    pub(crate) fn is_behind_last(&mut self, offset: usize) -> bool {
        self.stepped_over = self.behind_last.take() == Some(offset);
        self.stepped_over
    }

    /// Whether a variant, whose content is read as `T`, is a unit.
    pub(crate) fn is_unit<T>(&self, content: Content) -> bool {
        let presumed = match content.tag {
            Tag::Made(_) => size_of::<T>() == 0,
            Tag::Read(_) => false,
        };
        presumed != self.is_other(content)
    }

    /// Whether it has turned out to be other than presumed, in this reading or in another one around or
    /// inside of it.
    fn is_other(&self, content: Content) -> bool {
        self.others.contains(&content) || is_known(&content)
    }

    /// Notes that a visitor did not take what its variant was presumed to be, if that can be.
    #[cold]
    pub(crate) fn learn<T>(&mut self, content: Content) {
        let is_sure = match content.tag {
            Tag::Made(_) => size_of::<T>() != 0,
            Tag::Read(_) => self.others.len() >= MOST_READ,
        };
        if is_sure || self.is_other(content) {
            return;
        }
        self.others.push(content);
        self.learned = true;
        make_known(content);
    }

    /// Whether there is reason to start over.
    #[inline]
    pub(crate) fn has_learned(&self) -> bool {
        self.learned
    }

    /// Forgets everything but the types.
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.end_struct();
        self.behind_last = None;
        self.learned = false;
    }
}
