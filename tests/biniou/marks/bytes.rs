//! The bytes of values with marks, and the bytes that readers with marks accept.

use super::*;
use fourfold::biniou::{from_slice, hash, to_vec};

#[track_caller]
fn assert_bytes<T: TestType>(value: &T, bytes: &[u8]) {
    assert_eq!(to_vec(value).unwrap(), bytes, "{value:?}");
    assert_outcome("bytes", value, Expected::Bytes);
}

/// A field tag.
fn field(name: &str) -> [u8; 4] {
    (1 << 31 | hash(name)).to_be_bytes()
}

#[test]
fn numbers() {
    assert_bytes(&Int8(255), &[1, 255]);
    assert_bytes(&Level(7), &[1, 7]);
    assert_bytes(&Int16(0x0102), &[2, 1, 2]);
    assert_bytes(&Int16(65535_i64), &[2, 255, 255]);
    assert_bytes(&Int32(-2), &[3, 255, 255, 255, 254]);
    assert_bytes(&Int64(-2_i8), &[4, 255, 255, 255, 255, 255, 255, 255, 254]);
    assert_bytes(&Uvint(300_i32), &[16, 0xac, 2]);
    assert_bytes(&Svint(300_u32), &[17, 0xd8, 4]);
    assert_bytes(&Svint(-1_i8), &[17, 1]);
    assert_bytes(&Float32(1.5_f64), &[11, 0x3f, 0xc0, 0, 0]);
    assert_bytes(&Char('ÿ'), &[1, 255]);
    assert_bytes(&'ÿ', &[18, 2, 0xc3, 0xbf]);
    assert_bytes(&Int8(vec![1, 2]), &[19, 2, 1, 1, 2]);
    assert_bytes(&vec![Level(1), Level(2)], &[19, 2, 1, 1, 2]);
    assert_bytes(&Int8(Some(5)), &[22, 0x80, 1, 5]);
    assert_bytes(&Int8((1, 2)), &[20, 2, 1, 1, 1, 2]);
    assert_bytes(&Int8(Vec::<u8>::new()), &[19, 0]);
    assert_bytes(&Int8(vec![Some(5), None]), &[19, 2, 22, 0x80, 1, 5, 0]);
    assert_bytes(&Char(vec!['a', 'b']), &[19, 2, 1, b'a', b'b']);
}

#[test]
fn tables() {
    let (x, y) = (field("x"), field("y"));
    let rows = [&[25, 2, 2], &x[..], &[17], &y, &[17], &[2, 4], &[5, 8]].concat();
    let points = || vec![Point { x: 1, y: 2 }, Point { x: -3, y: 4 }];
    assert_bytes(&Table(points()), &rows);
    assert_bytes(&Points(points()), &rows);
    assert_bytes(&Some(Points(points())), &[&[22, 0x80], &rows[..]].concat());
    assert_bytes(&Table(Some(points())), &[&[22, 0x80], &rows[..]].concat());
    assert_bytes(&vec![Points(points())], &[&[19, 1], &rows[..]].concat());
    assert_bytes(&Points(vec![]), &[25, 0]);
    assert_bytes(&Table(vec![Empty {}; 3]), &[25, 3, 0]);

    // A table is read from an ARRAY of RECORD, too, and the reverse.
    let plain = to_vec(&points()).unwrap();
    assert_eq!(from_slice::<Points>(&plain).unwrap().0, points());
    assert_eq!(from_slice::<Vec<Point>>(&rows).unwrap(), points());
    assert_eq!(from_slice::<Points>(&[19, 0]).unwrap().0, []);
    assert_eq!(from_slice::<Vec<Point>>(&[25, 0]).unwrap(), []);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Field {
    #[serde(with = "fourfold::biniou::with::optional", default)]
    a: Option<u8>,
    #[serde(with = "fourfold::biniou::with::optional", default)]
    b: Option<Option<u8>>,
}

#[test]
fn optionals() {
    let (a, b) = (field("a"), field("b"));
    assert_bytes(&Optional(Some(5_u8)), &[22, 0x80, 16, 5]);
    assert_bytes(&Optional(None::<u8>), &[22, 0]);
    assert_bytes(&vec![Optional(Some(5_u8))], &[19, 1, 22, 0x80, 16, 5]);
    assert_bytes(&Field { a: None, b: None }, &[21, 0]);
    assert_bytes(&Field { a: Some(5), b: None }, &[&[21, 1], &a[..], &[16, 5]].concat());
    assert_bytes(&Field { a: None, b: Some(None) }, &[&[21, 1], &b[..], &[22, 0]].concat());
    let both = [&[21, 2], &a[..], &[16, 5], &b, &[22, 0x80, 16, 6]].concat();
    assert_bytes(&Field { a: Some(5), b: Some(Some(6)) }, &both);
    // In a TABLE every row has the column.
    let header = [&[25, 2, 2], &a[..], &[22], &b, &[22]].concat();
    let rows = vec![Field { a: None, b: Some(None) }, Field { a: Some(5), b: None }];
    let cells = [0, 0x80, 22, 0, 0x80, 16, 5, 0];
    assert_bytes(&Table(rows), &[&header[..], &cells].concat());
    // OCaml's readers refuse these too.
    for wrapped in [&[22, 0][..], &[22, 0x80, 16, 5]] {
        let bytes = [&[21, 1], &a[..], wrapped].concat();
        assert!(from_slice::<Field>(&bytes).is_err(), "{bytes:02x?}");
    }
}

/// Without `default`, serde reports a missing field where the field is left out.
#[test]
fn optional_needs_a_default() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Lone {
        #[serde(with = "fourfold::biniou::with::optional")]
        field: Option<u8>,
    }
    assert_outcome("some", &Lone { field: Some(1) }, Expected::Bytes);
    let bytes = to_vec(&Lone { field: None }).unwrap();
    assert_eq!(bytes, [21, 0]);
    match from_slice::<Lone>(&bytes) {
        Ok(back) => assert_eq!(back, Lone { field: None }),
        // The offset of the first field.
        Err(error) => assert_eq!(error.to_string(), "missing field `field` at byte 2"),
    }
}

#[test]
fn optional_needs_a_default_in_generic_types() {
    let value = |one| Generic { one: Optional(one), many: vec![], maybe: None };
    assert_outcome("some", &value(Some(1_u8)), Expected::Bytes);
    let bytes = to_vec(&value(None::<u8>)).unwrap();
    match from_slice::<Generic<Optional<Option<u8>>>>(&bytes) {
        Ok(back) => assert_eq!(back, value(None)),
        Err(error) => assert_eq!(error.to_string(), "missing field `one` at byte 2"),
    }
}

/// The tags that each reader accepts: a five with each mark, read with each other mark.
#[test]
fn tags_that_readers_of_numbers_accept() {
    let written = [
        ("int8", to_vec(&Int8(5)).unwrap()),
        ("int16", to_vec(&Int16(5)).unwrap()),
        ("int32", to_vec(&Int32(5)).unwrap()),
        ("int64", to_vec(&Int64(5)).unwrap()),
        ("uvint", to_vec(&Uvint(5)).unwrap()),
        ("svint", to_vec(&Svint(5)).unwrap()),
        ("float32", to_vec(&5_f32).unwrap()),
        ("float64", to_vec(&5_f64).unwrap()),
        ("string", to_vec("\u{5}").unwrap()),
        ("bool", to_vec(&true).unwrap()),
    ];
    #[track_caller]
    fn reads<T: TestType>(written: &[(&str, Vec<u8>)], value: &T, takes: &[&str]) {
        for (name, bytes) in written {
            match from_slice::<T>(bytes) {
                Ok(read) => {
                    assert_eq!(&read, value, "{name}");
                    assert!(takes.contains(name), "{value:?} is read from {name}");
                }
                Err(error) => {
                    assert!(!takes.contains(name), "{value:?} from {name}: {error}");
                    let text = error.to_string();
                    assert!(text.starts_with(&format!("found {name}, expected ")), "{text}");
                    assert!(text.contains(" at byte 0"), "{text}");
                }
            }
        }
    }
    let int = ["int8", "int16", "uvint", "svint"];
    reads(&written, &5_u8, &int);
    reads(&written, &5_i8, &int);
    reads(&written, &5_u64, &int);
    reads(&written, &5_i128, &int);
    reads(&written, &5_u128, &int);
    reads(&written, &Int8(5_u8), &int);
    reads(&written, &Int16(5_i32), &int);
    reads(&written, &Uvint(5_i64), &int);
    reads(&written, &Svint(5_u32), &int);
    reads(&written, &Level(5), &int);
    reads(&written, &Int32(5_i32), &["int32"]);
    reads(&written, &Int32(5_u8), &["int32"]);
    reads(&written, &Int64(5_i64), &["int64"]);
    reads(&written, &Time(5), &["int64"]);
    reads(&written, &5_f32, &["float32"]);
    reads(&written, &5_f64, &["float64"]);
    reads(&written, &Float32(5_f32), &["float32"]);
    reads(&written, &Float32(5_f64), &["float32"]);
    reads(&written, &Char('\u{5}'), &["int8"]);
    reads(&written, &'\u{5}', &["string"]);
    reads(&written, &String::from("\u{5}"), &["string"]);
    reads(&written, &true, &["bool"]);
    // As in OCaml, readers do not check the range of the mark.
    assert_eq!(from_slice::<Int8<i32>>(&to_vec(&Svint(1000)).unwrap()).unwrap(), Int8(1000));
}
