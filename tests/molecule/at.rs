//! `at` with paths of field numbers: the same values and errors as reading the whole message. Paths of names are tested in
//! `schema/tests/schema/at.rs`.

use std::collections::BTreeMap;

use fourfold::molecule::route::{Choice, Route, Step, Stop};
use fourfold::molecule::{Options, Path, at, from_slice, to_vec};

fn path(text: &str) -> Path {
    Path::new(text).unwrap()
}

#[test]
fn endless_routes_are_refused() {
    let stop = |step, next| Stop { step, segments: 0, next };
    let all = |next| stop(Step::Bytes { start: 0, size: 8, whole: 8 }, next);
    let with = |stops, choices| path("a").with_route(Route { stops, choices });
    for (stops, ends) in [
        (vec![all(1), all(2)], true),
        (vec![all(2), all(0)], true),
        (vec![all(0)], false),
        (vec![all(1), all(2), all(1)], false),
    ] {
        let error = with(stops, Vec::new()).err().map(|error| error.to_string());
        let circle = "the steps of its route go in a circle";
        assert_eq!(error.as_deref(), (!ends).then_some(circle));
    }
    // Each nested union takes four bytes.
    let choose = stop(Step::Choose { first: 0, count: 1 }, 0);
    let route = with(vec![choose, all(0)], vec![Choice { id: 0, next: 0 }]).unwrap();
    let error = at::<u8>(&[0; 8], &route).unwrap_err();
    assert_eq!(error.offset(), Some(8), "{error}");
}

#[test]
fn errors_in_headers_have_path_and_offset() {
    // A table of two fields: an id, and a dynvec of two texts.
    let good = to_vec(&(7u32, vec!["ab", "c"])).unwrap();
    assert_eq!(at::<&str>(&good, &path("1[1]")).unwrap(), "c");
    let change = |at: usize, number: u8| {
        let mut bad = good.clone();
        bad[at] = number;
        bad
    };
    let cases: &[(Vec<u8>, &str, &str)] = &[
        (change(0, 41), "1[1]", "input ends early: 41 bytes needed, 39 left at byte 0"),
        (change(0, 38), "1[1]", "full size 38 differs from the 39 bytes given at byte 0"),
        (change(4, 13), "1[1]", "offset 13 is not a multiple of 4 at byte 4"),
        (change(4, 4), "1[1]", "offset 4 leaves no room for a header of 8 bytes or more at byte 4"),
        (
            change(4, 8),
            "1[1]",
            "field or item 1 does not exist: there are 1, counted from 0 at byte 4",
        ),
        (change(8, 11), "1[1]", "offset 11 is before the previous offset 12 at byte 8"),
        (change(8, 40), "1[1]", "offset 40 is beyond the full size 39 at byte 8"),
        (change(16, 22), "1[1]", "full size 22 differs from the 23 bytes given in 1 at byte 16"),
        (change(20, 13), "1[1]", "offset 13 is not a multiple of 4 in 1 at byte 20"),
        (change(24, 24), "1[1]", "offset 24 is beyond the full size 23 in 1 at byte 24"),
        (
            change(34, 2),
            "1[1]",
            "field or item ends early: 2 bytes needed, 1 left in 1[1] at byte 38",
        ),
        (
            good.clone(),
            "1[2]",
            "field or item 2 does not exist: there are 2, counted from 0 in 1 at byte 20",
        ),
        (
            good.clone(),
            "2",
            "field or item 2 does not exist: there are 2, counted from 0 at byte 4",
        ),
        (good.clone(), "0.0", "full size 7 differs from the 4 bytes given in 0 at byte 12"),
        (good.clone(), "0[1]", "7 items cannot fill 0 bytes evenly in 0 at byte 12"),
        (
            good.clone(),
            "1[0].name",
            "the position of `name` is unknown in 1[0] at byte 28; use `Schema::path` or `path_of`, or numbers \
             of fields as in `0.1[2]`",
        ),
        (vec![], "1", "input ends early: 4 bytes needed, 0 left at byte 0"),
        (
            vec![4, 0, 0, 0],
            "1",
            "field or item 1 does not exist: there are 0, counted from 0 at byte 0",
        ),
    ];
    for (bytes, text, expected) in cases {
        assert_eq!(at::<&str>(bytes, &path(text)).unwrap_err().to_string(), *expected, "{text}");
    }
    // Values that are not on the path are not checked.
    for bad in [change(24, 24), change(28, 9), change(34, 2)] {
        assert_eq!(at::<u32>(&bad, &path("0")).unwrap(), 7);
    }
    assert_eq!(at::<&str>(&change(28, 9), &path("1[1]")).unwrap(), "c");
}

/// A field may be absent, an item may not.
#[test]
fn errors_of_values_without_bytes_are_those_of_the_whole_message() {
    // Two values without bytes: fields of a table, or items of a dynvec.
    let empty = [12, 0, 0, 0, 12, 0, 0, 0, 12, 0, 0, 0];
    let field = from_slice::<(String, String)>(&empty).unwrap_err();
    let item = from_slice::<Vec<String>>(&empty).unwrap_err();
    assert_eq!(
        item.to_string(),
        "field or item ends early: 4 bytes needed, 0 left in [0] at byte 12"
    );
    let error = at::<String>(&empty, &path("0")).unwrap_err();
    assert_eq!(
        (error.offset(), error.kind().to_string()),
        (field.offset(), field.kind().to_string())
    );
    let error = at::<String>(&empty, &path("[0]")).unwrap_err();
    assert_eq!((error.offset(), error.to_string()), (item.offset(), item.to_string()));
}

#[test]
fn trailing_bytes_are_allowed_by_an_option() {
    let trailing = Options::new().allow_trailing(true);
    let mut bytes = to_vec(&(7u8, vec![("a", 1u32), ("b", 2)])).unwrap();
    bytes.extend([0xff; 9]);
    assert!(at::<u32>(&bytes, &path("1[1].1")).is_err());
    assert_eq!(trailing.at::<u32>(&bytes, &path("1[1].1")).unwrap(), 2);
}

/// `max_depth` counts from the value, and an item of a dynvec is dynamic.
#[test]
fn values_are_read_as_in_the_whole_message() -> fourfold::molecule::Result<()> {
    use fourfold::molecule::{Raw, from_slice};

    let items = to_vec(&vec![Raw::of(&7u32)?, Raw::of(&8u32)?])?;
    let whole = from_slice::<Vec<u32>>(&items).unwrap_err();
    let part = at::<u32>(&items, &Path::new("[0]").unwrap()).unwrap_err();
    assert_eq!(part.to_string(), whole.to_string());

    let nested = vec![vec![vec!["text".to_owned()]]];
    let bytes = to_vec(&nested)?;
    let path = Path::new("[0][0]").unwrap();
    for depth in 0..5 {
        let options = Options::new().max_depth(depth);
        let part = to_vec(&nested[0][0])?;
        let alone = options.from_slice::<Vec<String>>(&part).is_ok();
        assert_eq!(options.at::<Vec<String>>(&bytes, &path).is_ok(), alone, "{depth}");
    }
    // An entry of a map has two steps, but counts as one level.
    let maps = BTreeMap::from([(1u8, BTreeMap::from([(2u8, 3u32)]))]);
    let path = Path::new("[0].1[0].1").unwrap();
    assert_eq!(Options::new().max_depth(2).at::<u32>(&to_vec(&maps)?, &path)?, 3);
    Ok(())
}
