//! The module `wire`: headers without serde.

use fourfold::molecule::ErrorKind;
use fourfold::molecule::wire::{
    Framing, Parts, Table, byte_items, check_size, exactly, header_size, lazy_header, number_bytes,
    parse_bytes, parse_fixvec, take_offsets,
};
use fourfold::{CommonKind, Reader};

use crate::support::random::Dice;

/// A header with some numbers changed slightly.
fn bytes(g: &mut Dice) -> Vec<u8> {
    let count = g.below(4);
    let body = g.below(6);
    let size = header_size(count) + body;
    let mut bytes = number_bytes(size).to_vec();
    let mut offset = header_size(count);
    for _ in 0..count {
        bytes.extend(number_bytes(offset));
        offset = (offset + g.below(3)).min(size);
    }
    bytes.extend((0..body).map(|n| u8::try_from(n).unwrap()));
    if g.below(2) == 0 {
        let at = g.below(bytes.len());
        bytes[at] = bytes[at].wrapping_add(u8::try_from(g.below(5)).unwrap());
    }
    bytes
}

#[test]
fn checked_headers_can_be_read() {
    let mut g = Dice::of("wire");
    let mut good = 0;
    for _ in 0..20_000 {
        let bytes = bytes(&mut g);
        let lazy = lazy_header(&bytes).map(|header| Parts::new(&bytes, header));
        let Ok(table) = Table::parse(&bytes, 0) else { continue };
        good += 1;
        let mut parts = Parts::from(table);
        let mut lazy = lazy.expect("a header that was checked");
        let mut taken = table.header().to_vec();
        for index in 0..table.count() {
            let part = parts.take().unwrap().unwrap();
            assert_eq!(lazy.take().unwrap(), Some(part));
            assert_eq!(parts.get(index), Some((taken.len(), part)));
            taken.extend(part);
        }
        assert_eq!((parts.take(), lazy.take()), (Ok(None), Ok(None)));
        assert_eq!(parts.get(table.count()), None);
        assert!(table.count() == 0 || taken == bytes, "{bytes:?}");
    }
    assert!(good > 5_000, "{good}");
}

/// Any offset in the input is allowed.
#[test]
fn offsets_do_not_overflow() {
    let base = usize::MAX;
    let table = [12, 0, 0, 0, 8, 0, 0, 0, 1, 2, 3, 4];
    let parsed = Table::parse(&table, base).unwrap();
    assert_eq!(parsed.count_offset(), base);
    for len in 0..table.len() {
        let bytes = &table[..len];
        assert!(Table::parse(bytes, base).is_err());
        assert!(parse_bytes(bytes, base).is_err());
        assert!(parse_fixvec(bytes, base).is_err());
        assert!(exactly(bytes, len + 1, base).is_err());
        let mut reader = Reader::new(bytes, base);
        assert!(take_offsets(&mut reader, 12, |_| {}).is_err());
        assert_eq!(byte_items(bytes), None);
    }
    assert!(parse_fixvec(&[9, 0, 0, 0, 1], 4).is_err());
}

#[test]
fn sizes_are_limited() {
    assert!(check_size(0xffff_ffff).is_ok());
    if let Ok(size) = usize::try_from(1_u64 << 32) {
        let error = check_size(size).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::TooLarge { .. }), "{error}");
    }
}

#[test]
fn records_end_at_their_full_size() {
    let error = Framing::FullSize.split(&[3, 0, 0, 0]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ShortFullSize { stated: 3 }), "{error}");
    let error = Framing::FullSize.split(&[5, 0, 0, 0]).unwrap_err();
    let end = CommonKind::UnexpectedEnd { needed: 5, left: 4 };
    assert_eq!(error.kind().to_string(), end.to_string());
    assert_eq!(Framing::FullSize.size(&[5, 0, 0]).unwrap(), None);
}
