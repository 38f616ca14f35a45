//! The module `wire`: the grammar without serde.

use fourfold::Reader;
use fourfold::biniou::wire::{
    Source, Zigzag as _, put_uvint, take_length, take_table_counts, take_uvint, target, vint,
};
use fourfold::biniou::{Error, ErrorKind};

use crate::support::random::Dice;

/// The fast path for vints of at most 64 bits reads the same numbers.
#[test]
fn vints_are_read_alike() {
    let mut g = Dice::of("vints");
    for round in 0..50_000_u32 {
        let number = u128::from(u64::MAX >> (round % 64)).saturating_sub(u128::from(round % 3));
        let mut bytes = Vec::new();
        put_uvint(&mut bytes, number);
        let size = bytes.len();
        bytes.extend((0..g.below(10)).map(|_| 0xff));
        let expected = (u64::try_from(number).unwrap(), size);
        assert_eq!(vint::uvint(&bytes), expected);
        assert_eq!(vint::outlined_uvint(&bytes), expected);
        let mut reader = Reader::new(&bytes, 0);
        assert_eq!(take_uvint(&mut reader).unwrap(), number);
        assert_eq!(reader.offset(), size);
        assert_eq!(vint::uvint(&bytes[..size - 1]), vint::NOTHING);
    }
    let mut bytes = Vec::new();
    put_uvint(&mut bytes, 1 << 64);
    assert_eq!(vint::uvint(&bytes), vint::NOTHING);
    assert_eq!(take_uvint(&mut Reader::new(&bytes, 0)).unwrap(), 1 << 64);
}

#[test]
fn signs_are_read_back() {
    for number in [0, 1, -1, i64::MAX, i64::MIN] {
        assert_eq!(i64::unzigzag(number.zigzag()), number);
    }
}

/// A user's reader that claims any number of bytes.
struct FalseClaim(usize, &'static [u8]);

impl Source<'static> for FalseClaim {
    type Error = ErrorKind;
    type Place = ();

    fn place(&self) {}

    fn left(&self) -> usize {
        self.0
    }

    fn take(&mut self, len: usize) -> Result<&'static [u8], ErrorKind> {
        let (taken, rest) = self.1.split_at_checked(len).ok_or(ErrorKind::VintRange)?;
        self.1 = rest;
        Ok(taken)
    }

    fn take_array<const N: usize>(&mut self) -> Result<[u8; N], ErrorKind> {
        let taken = self.take(N)?;
        taken.try_into().map_err(|_| ErrorKind::VintRange)
    }

    fn fail(&mut self, (): (), kind: impl FnOnce() -> ErrorKind) -> ErrorKind {
        kind()
    }
}

#[test]
fn nothing_overflows() {
    let (mut tables, mut lengths) = (0, 0);
    for left in [0, 1, usize::MAX] {
        for bytes in [&[1, 1][..], &[0xff, 0xff, 0x7f, 0xff, 0x7f], &[0xff; 40], &[]] {
            tables += usize::from(take_table_counts(&mut FalseClaim(left, bytes)).is_ok());
            lengths += usize::from(take_length(&mut FalseClaim(left, bytes), usize::MAX).is_ok());
        }
    }
    assert_eq!((tables, lengths), (2, 1));
    let error: Error = take_length(&mut Reader::new(&[5, 1], usize::MAX), 1).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Length { .. }), "{error}");
    assert_eq!(target(3, u128::MAX), None);
}
