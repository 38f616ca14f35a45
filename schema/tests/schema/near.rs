//! Names that are suggested for an unknown one.

use fourfold_schema::suggestion;

#[test]
fn near_names_differ_in_few_letters() {
    let known = ["Block", "BlockV1", "Byte32", "Bytes", "RawTransaction", "a", "b"];
    for (name, near) in [
        ("Blok", "`Block`"),
        ("block", "`Block` or `BlockV1`"),
        ("Blcok", "`Block`"),
        ("BlockV2", "`BlockV1` or `Block`"),
        ("byte", "`Bytes` or `Byte32`"),
        ("raw_transaction", "`RawTransaction`"),
        ("A", "`a`"),
    ] {
        assert_eq!(suggestion(name, known), format!(" (did you mean {near}?)"), "{name}");
    }
    for name in ["c", "", "Header"] {
        assert!(suggestion(name, known).starts_with(" (there are `Block`, `BlockV1`, "), "{name}");
    }
    let long = "x".repeat(1 << 20);
    assert!(suggestion(&long, [&*long]).starts_with(" (there is only `xxx"));
}

#[cfg_attr(miri, ignore = "compares thousands of names")]
#[test]
fn a_suggestion_is_short() {
    let names: Vec<String> = (0..100_000).map(|at| format!("T{at}")).collect();
    let known = || names.iter().map(String::as_str);
    assert!(suggestion("nothing", known()).ends_with("`T7` and many more)"));
    assert!(suggestion("nothing", known().take(20)).ends_with("`T7` and 12 more)"));
    assert_eq!(suggestion("t10", known().take(20)), " (did you mean `T10`, `T0` or `T1`?)");
    assert_eq!(suggestion("nothing", ["Word"]), " (there is only `Word`)");
    assert_eq!(suggestion("nothing", []), "");
}
