use super::*;

fn table(bytes: &[u8]) -> Result<Table<'_>, alloc::string::String> {
    Table::parse(bytes, 100).map_err(|e| alloc::format!("{e}"))
}

#[test]
fn a_table_lends_its_items() {
    let bytes = [15, 0, 0, 0, 12, 0, 0, 0, 14, 0, 0, 0, 7, 8, 9];
    let table = table(&bytes).unwrap();
    assert_eq!(table.count(), 2);
    let mut parts = Parts::from(table);
    assert!(matches!(parts.take(), Ok(Some([7, 8]))));
    assert!(matches!(parts.take(), Ok(Some([9]))));
    assert!(matches!(parts.take(), Ok(None)));
}

#[test]
fn each_error_of_a_header_has_its_offset() {
    let cases: &[(&[u8], &str)] = &[
        (&[], "input ends early: 4 bytes needed, 0 left at byte 100"),
        (&[5, 0, 0, 0], "full size 5 differs from the 4 bytes given at byte 100"),
        (&[0, 0, 0, 0], "full size 0 differs from the 4 bytes given at byte 100"),
        (&[5, 0, 0, 0, 0], "field or item ends early: 4 bytes needed, 1 left at byte 104"),
        (&[8, 0, 0, 0, 13, 0, 0, 0], "offset 13 is not a multiple of 4 at byte 104"),
        (
            &[8, 0, 0, 0, 4, 0, 0, 0],
            "offset 4 leaves no room for a header of 8 bytes or more at byte 104",
        ),
        (
            &[8, 0, 0, 0, 12, 0, 0, 0],
            "offset 12 announces a header longer than the full size 8 at byte 104",
        ),
        (
            &[12, 0, 0, 0, 12, 0, 0, 0, 11, 0, 0, 0],
            "offset 11 is before the previous offset 12 at byte 108",
        ),
        (
            &[12, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0],
            "offset 13 is beyond the full size 12 at byte 108",
        ),
    ];
    for (bytes, text) in cases {
        assert_eq!(table(bytes).unwrap_err(), *text);
    }
}

#[test]
fn a_fixvec_is_filled_evenly() {
    let is_fixvec = |bytes: &[u8]| {
        let exact = parse_unmarked_fixvec(bytes, 0).is_ok();
        assert!(!exact || even_fixvec(bytes).is_some(), "{bytes:?}");
        exact
    };
    assert!(is_fixvec(&[0, 0, 0, 0]));
    assert!(is_fixvec(&[1, 0, 0, 0, 7, 7]));
    assert!(!is_fixvec(&[0, 0, 0, 0, 7]));
    assert!(!is_fixvec(&[2, 0, 0, 0, 7, 7, 7]));
    assert!(!is_fixvec(&[255, 255, 255, 255]));
}
