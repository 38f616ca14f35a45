//! The end of a value: prefixes are refused, and trailing bytes are an error or are left unread.

use crate::round_trip::{Hex, Type, assert_reason, types};
use crate::support::erased::{Reader, TestType, Value, check_each};
use crate::support::format::Tsm;
use fourfold::Category;
use fourfold::tsm::{Options, from_reader, from_slice, take_from_slice, to_vec};

/// Values per type.
const CASES: usize = if cfg!(debug_assertions) { 10 } else { 200 };

/// Where a value is cut at most, and near its end.
const CUTS: usize = if cfg!(debug_assertions) { 50 } else { 200 };

/// For types that can be read back.
#[test]
fn every_type_ends_where_its_bytes_do() {
    let types: Vec<Type> = types().into_iter().filter(|ty| ty.visible).collect();
    check_each(&types, |ty| {
        ty.check(CASES, |_, value| {
            // Refused values are tested elsewhere.
            if let Ok(bytes) = ty.special.bytes_of(value) {
                assert_no_prefix(ty, &bytes);
                assert_trailing(ty, value, &bytes);
            }
        });
    });
}

/// Asserts that each truncated value is an EOF error, read either way.
fn assert_no_prefix(ty: &Type, bytes: &[u8]) {
    let lenient = Options::new().allow_trailing(true);
    // Long values are truncated at both ends and at some other bytes.
    let step = (bytes.len() / CUTS).max(1);
    for cut in (0..bytes.len()).filter(|cut| cut % step == 0 || bytes.len() - cut < 20) {
        let (name, part, whole) = (ty.name, Hex(&bytes[..cut]), Hex(bytes));
        let error = match ty.from_slice(part.0) {
            Ok(value) => panic!("{name} {value:?} is read from {part} of {whole}"),
            Err(error) => error,
        };
        assert!(error.is_eof(), "{name} {part} of {whole}: {error}");
        assert_eq!(error.category(), Category::Eof, "{name}: {error}");
        assert_reason(&error, &part);
        let at = error.offset().unwrap_or_else(|| panic!("{name} {part}: no place in {error}"));
        assert!(at <= cut, "{name} {part}: {error}");

        for other in [
            ty.from_reader(part.0).unwrap_err(),
            ty.take_from_slice(part.0).unwrap_err(),
            ty.from_slice_with(&lenient, part.0).unwrap_err(),
        ] {
            assert_eq!(other.to_string(), error.to_string(), "{name} {part}");
        }
    }
}

/// Asserts that trailing bytes are refused at their offset, or left unread if that is allowed.
fn assert_trailing(ty: &Type, value: &Value<Tsm>, bytes: &[u8]) {
    let name = ty.name;
    for more in [&[0][..], &[1], &[0xff; 7], bytes] {
        let long = [bytes, more].concat();
        let shown = Hex(&long);
        if !more.is_empty() {
            for error in [ty.from_slice(&long).unwrap_err(), ty.from_reader(&long).unwrap_err()] {
                assert_eq!(error.offset(), Some(bytes.len()), "{name} {shown}: {error}");
                assert!(!error.is_eof(), "{name} {shown}: {error}");
                assert_reason(&error, &shown);
            }
        }
        let (read, rest) = ty.take_from_slice(&long).unwrap();
        assert_eq!(*read, *value, "{name} {shown}");
        assert_eq!(rest, more, "{name} {shown}");
        assert_eq!(rest.as_ptr_range().end, long.as_ptr_range().end, "{name}: another slice");
        let lenient = Options::new().allow_trailing(true);
        for reader in [Reader::Options(&lenient), Reader::OptionsStream(&lenient)] {
            assert_eq!(*ty.read(&reader, &long).unwrap(), *value, "{name} {shown}");
        }
    }
}

/// A value without bytes cannot be truncated.
#[test]
fn values_without_bytes() {
    assert!(to_vec(&()).unwrap().is_empty());
    from_slice::<()>(&[]).unwrap();
    from_reader::<_, ()>(&[][..]).unwrap();
    assert_eq!(from_slice::<[(); 3]>(&[]).unwrap(), [(); 3]);
    assert_eq!(from_slice::<()>(&[0]).unwrap_err().offset(), Some(0));
    assert_eq!(take_from_slice::<()>(&[7]).unwrap(), ((), &[7][..]));
}

/// The error of a truncated number has the offset of its first byte.
#[test]
fn truncated_values_have_path_and_offset() {
    #[track_caller]
    fn missing<T: TestType>(bytes: &[u8], at: usize, path: &str) {
        let error = from_slice::<T>(bytes).unwrap_err();
        assert!(error.is_eof(), "{error}");
        assert_eq!(error.offset(), Some(at), "{error}");
        assert_eq!(error.path().to_string(), path, "{error}");
    }
    use crate::support::zoo::{Key, Record};

    missing::<u32>(&[1, 2, 3], 0, "");
    missing::<(u8, u32)>(&[1, 2, 3], 1, "[1]");
    missing::<(u8, (u8, bool))>(&[1, 2], 2, "[1][1]");
    missing::<String>(&[1, 0, 0], 0, "");
    missing::<Key>(&[1, 0, 0, 0, 9], 4, "name");
    missing::<Vec<Key>>(&[1, 0, 0, 0, 5, 0, 0, 0, 0], 8, "[0].name");
    missing::<Option<u16>>(&[], 0, "");
    missing::<Option<u16>>(&[1, 0], 1, "");
    missing::<Record>(&[0; 8], 8, "key.id");
    // For text, the offset is after the count. For items, it is that of a count that exceeds the input.
    missing::<String>(&[5, 0, 0, 0, b'a'], 4, "");
    missing::<(u8, String)>(&[1, 5, 0, 0, 0, b'a'], 5, "[1]");
    missing::<(u8, Vec<u16>)>(&[1, 0, 0x20, 0, 0, 1], 1, "[1]");
}
