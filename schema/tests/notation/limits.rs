//! Limits of depth, memory and work, for hostile bytes and hostile texts.

use fourfold::{Category, CommonKind};
use fourfold_schema::notation::{Builtin, Error, ErrorKind, Notation, Options, Scalars, Tree};

use super::{FIXTURES, notation, section_4};
use crate::support::alloc::measure_value;

/// Decoding needs at most this many bytes per byte of input: a structure of one byte is two
/// trees, in vectors that double as they grow.
const PEAK: usize = 600;
const CONSTANT: usize = 128 << 10;

fn is_depth_limit(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Common(CommonKind::DepthLimit { .. }))
}

#[test]
fn results_are_one_pointer() {
    assert_eq!(size_of::<fourfold_schema::notation::Result<()>>(), size_of::<*const ()>());
}

/// Each level is an array and a structure.
#[test]
fn depth_is_limited_in_decoding_and_encoding() {
    let notation = notation("list := <int8:n><list*$n:items>; <list:all>");
    let nested = |levels: usize| {
        let mut bytes = vec![1; levels];
        bytes.push(0);
        bytes
    };
    // The outermost structure, then `levels` times a structure and an array, then both once more.
    for (depth, levels) in [(3, 0), (5, 1), (127, 62), (128, 62)] {
        let options = Options::new().max_depth(depth);
        let bytes = nested(levels);
        let tree = options.decode(&notation, &bytes).unwrap();
        assert_eq!(options.encode(&notation, &tree).unwrap(), bytes);

        let deeper = nested(levels + 1);
        assert!(is_depth_limit(&options.decode(&notation, &deeper).unwrap_err()));
        let tree = Options::new().max_depth(1000).decode(&notation, &deeper).unwrap();
        assert!(is_depth_limit(&options.encode(&notation, &tree).unwrap_err()));
    }
    let error = notation.decode(&nested(1000)).unwrap_err();
    assert_eq!(error.category(), Category::Limit);
    assert_eq!(error.offset(), Some(64));
    assert_eq!(error.path().segments().len(), 1 + 2 * 63 + 1);
}

#[test]
fn chains_of_aliases_are_limited() {
    let chain = |types: usize| {
        let mut text = String::from("t0 := <int8:x>;");
        for i in 1..types {
            text += &format!("t{i} := <t{}>;", i - 1);
        }
        text + &format!("<t{}>", types - 1)
    };
    let short = notation(&chain(128));
    assert_eq!(short.decode(&[7]).unwrap().int("x"), Some(7));
    let long = notation(&chain(129));
    assert!(is_depth_limit(&long.decode(&[7]).unwrap_err()));
    let tree = short.decode(&[7]).unwrap();
    assert!(is_depth_limit(&long.encode(&tree).unwrap_err()));
    // Other names of a built-in type are that type.
    for types in [128, 50_000] {
        let mut text = String::from("t0 := int8;");
        for i in 1..types {
            text += &format!("t{i} := t{};", i - 1);
        }
        let array = notation(&(text + &format!("<t{}*3:a>", types - 1)));
        let tree = array.decode(&[7, 8, 9]).unwrap();
        let scalars = tree.get("a").and_then(Tree::as_scalars).unwrap();
        assert_eq!((scalars.builtin(), scalars.bytes()), (Builtin::Int8, &[7, 8, 9][..]));
        assert_eq!(array.encode(&tree).unwrap(), [7, 8, 9]);
    }
    // The parser does not recurse for a long chain.
    assert!(is_depth_limit(&notation(&chain(50_000)).decode(&[7]).unwrap_err()));
}

#[test]
fn depth_of_texts_is_limited() {
    type Make = fn(usize) -> String;
    let cases: [Make; 5] = [
        |n| format!("{}<int8>{}", "[".repeat(n), "]".repeat(n)),
        |n| format!("{}int8{}", "<".repeat(n), ">".repeat(n)),
        |n| format!("<int8*{}1{}:a>", "(".repeat(n), ")".repeat(n)),
        |n| format!("<int8*({}1):a>", "-".repeat(2 * n)),
        |n| format!("<int8:n><int8*{}0{}:a>", "$n[".repeat(n), "]".repeat(n)),
    ];
    for make in cases {
        assert!(Notation::parse(&make(60)).is_ok(), "{}", make(60));
        for levels in [130, 100_000] {
            let error = Notation::parse(&make(levels)).unwrap_err();
            assert!(is_depth_limit(&error), "{error}");
            assert!(error.offset().is_some());
        }
    }
    // A long text is not a deep one.
    let long = format!("<int8:n><int8*(0{}):a>", "+$n*1".repeat(100_000));
    let sum = notation(&long).decode(&[0]).unwrap();
    assert_eq!(sum.get("a").and_then(Tree::as_scalars).map(Scalars::len), Some(0));
    let wide = "<int8>".repeat(100_000);
    assert!(notation(&wide).decode(&[7; 100_000]).is_ok());
}

#[test]
fn values_without_bytes_are_limited() {
    let limited = |error: Error| {
        assert!(matches!(error.kind(), ErrorKind::ZeroBytes { limit: 4096 }), "{error}");
        error
    };
    // Items that are arrays, and items that are structures.
    for item in ["<byte*0>", "<byte*0:x><int8*0:y>"] {
        let text = format!("<int32:n><[{item}]*$n:a><byte*$n:rest>");
        let notation = notation(&text);
        let mut bytes = 4096i32.to_le_bytes().to_vec();
        bytes.resize(4 + 4096, 7);
        let tree = notation.decode(&bytes).unwrap();
        assert_eq!(notation.encode(&tree).unwrap(), bytes);

        let mut bytes = 4097i32.to_le_bytes().to_vec();
        bytes.resize(4 + 4097, 7);
        let error = limited(notation.decode(&bytes).unwrap_err());
        assert_eq!(error.offset(), Some(4));
        assert_eq!(error.path(), &"a[4096]");

        let empty = tree.get("a[0]").unwrap();
        let built = Tree::structure([
            ("n", 4097.into()),
            ("a", Tree::Array(vec![empty.clone(); 4097])),
            ("rest", vec![7; 4097].into()),
        ]);
        limited(notation.encode(&built).unwrap_err());
    }
    // Structures that are no items: 2^60 from no bytes at all.
    let mut text = String::from("t0 := <byte*0:x><byte*0:y>;");
    for i in 1..60 {
        text += &format!("t{i} := <t{}:x><t{}:y>;", i - 1, i - 1);
    }
    limited(notation(&(text + "<t59>")).decode(&[]).unwrap_err());
    // A count above the limit is refused before the first item.
    let notation = notation("<int32:n><[<byte*0>]*$n:a>");
    let error = limited(notation.decode(&i32::MAX.to_le_bytes()).unwrap_err());
    assert_eq!(error.path(), &"a");
}

/// Items of one byte with many fields that take no bytes.
#[test]
fn arrays_without_bytes_are_limited() {
    let fields: String = (0..1000).map(|field| format!("<int8*0:f{field}>")).collect();
    let notation = notation(&format!("<[<byte:b>{fields}]*4:few><[<byte:b>{fields}]*5:many>"));
    let (result, stats) = measure_value(|| notation.decode(&[7; 9]));
    let error = result.unwrap_err();
    // The limit for nine bytes is 4,240.
    assert!(matches!(error.kind(), ErrorKind::ZeroBytes { limit: 4240 }), "{error}");
    assert_eq!((error.offset(), error.path().to_string().as_str()), (Some(5), "many[0].f240"));
    assert!(stats.peak < 4240 * 400, "{stats:?}");

    // Up to the limit, values survive.
    let count = 4096 + 16 * 2;
    let text: String = (0..count).map(|field| format!("<int8*0:f{field}>")).collect();
    let parse = |text: &str| Notation::parse(text).unwrap();
    let some = parse(&format!("<int16:n>{text}"));
    let tree = some.decode(&[1, 0]).unwrap();
    assert_eq!(some.encode(&tree).unwrap(), [1, 0]);
    let more = parse(&format!("<int16:n>{text}<int8*0:more>"));
    assert!(matches!(more.decode(&[1, 0]).unwrap_err().kind(), ErrorKind::ZeroBytes { .. }));
    let Tree::Struct(fields) = &tree else { panic!("{tree:?}") };
    let none = tree.get("f0").unwrap().clone();
    let fields = fields.iter().map(|(name, tree)| (name.to_owned(), tree.clone()));
    let tree = Tree::structure(fields.chain([("more".to_owned(), none)]));
    assert!(matches!(more.encode(&tree).unwrap_err().kind(), ErrorKind::ZeroBytes { limit: 4128 }));
}

#[test]
fn memory_is_not_reserved_by_a_count_alone() {
    let texts = [
        "<int32:n><int64*$n:a>",
        "<int32:n><[<int8:x>]*$n:a>",
        "<int32:n><[<byte*$n:x>]*$n:a>",
        "<int32:n><[<byte*0:x>]*$n:a>",
        "<int32:n><byte*($n * $n):a>",
        "<int32:n><[<[<int8:y>]*$n:x>]*$n:a>",
    ];
    for text in texts {
        let notation = notation(text);
        for count in [i32::MAX, 1 << 20, 5000, 300] {
            let mut bytes = count.to_le_bytes().to_vec();
            bytes.resize(204, 0);
            let (result, stats) = measure_value(|| notation.decode(&bytes).map(drop));
            assert!(result.is_err(), "{text}");
            assert!(stats.peak <= CONSTANT, "{text}: {stats:?}");
        }
    }
    // The worst case: a structure for each byte.
    let notation = notation("<[<byte:x>]*100000>");
    let bytes = vec![7; 100_000];
    let (tree, stats) = measure_value(|| notation.decode(&bytes));
    assert!(tree.is_ok());
    assert!(stats.peak <= PEAK * bytes.len() + CONSTANT, "{stats:?}");
    // A big tensor is not copied.
    let notation = section_4("<header><module>");
    let bytes = FIXTURES.bytes("good/mlp.tsm");
    let (tree, stats) = measure_value(|| notation.decode(&bytes));
    assert!(tree.is_ok());
    assert!(stats.total <= 6 * bytes.len(), "{stats:?} of {}", bytes.len());
}

/// Each level claims as many items as there are bytes left, or more.
#[test]
fn memory_is_not_reserved_by_nested_counts() {
    let notation = notation("list := <int16:n><list*$n:items>; <list>");
    let (error, stats) = measure_value(|| notation.decode(&[0, 4].repeat(64)).unwrap_err());
    assert_eq!(
        error.to_string(),
        "input ends early: 2048 bytes needed, 126 left in items at byte 2"
    );
    assert!(stats.peak <= CONSTANT, "{stats:?}");

    for len in [64u16, 128, 1024, 2048] {
        let bytes: Vec<u8> = (1..=len).flat_map(|level| (len - level).to_le_bytes()).collect();
        let (error, stats) = measure_value(|| notation.decode(&bytes).err());
        assert!(error.is_some_and(|error| len == 64 || is_depth_limit(&error)));
        assert!(stats.peak <= CONSTANT, "{len}: {stats:?}");
    }
}

/// Each of many items needs the sum of one long array: work that grows with the square of the
/// input would not come to an end here.
#[test]
fn sums_of_long_arrays_are_computed_once() {
    let count: usize = 400_000;
    let sized = i32::try_from(count).unwrap().to_le_bytes();
    let mut bytes = sized.to_vec();
    bytes.resize(4 + count, 0);
    bytes.resize(4 + 2 * count, 1);
    let notation =
        notation("<int32:n><int8*$n:long><[<int8:x><byte*(sum($long) + 0 * prod($long)):y>]*$n:a>");
    let tree = notation.decode(&bytes).unwrap();
    assert_eq!(notation.encode(&tree).unwrap(), bytes);
}

#[test]
fn trailing_bytes_are_an_option() {
    let notation = notation("<int8:a>");
    let lax = Options::new().allow_trailing(true);
    assert_eq!(lax.decode(&notation, &[1, 2]).unwrap().int("a"), Some(1));
    assert!(Options::default().decode(&notation, &[1, 2]).is_err());
}
