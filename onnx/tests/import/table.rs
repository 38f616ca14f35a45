//! The table of the documentation.

use fourfold_onnx::COUNTERPARTS;

#[test]
fn the_table_of_the_documentation_has_all_operators() {
    let text = include_str!("../../../docs/onnx.md");
    let (_, back) = text.split_once("## Back\n").unwrap();
    let rows: Vec<&str> = back.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    let expected = COUNTERPARTS.iter().map(|counterpart| {
        let how = if counterpart.is_exact { "exact" } else { "decomposed" };
        format!("| {} | {how} | {} |", counterpart.op, counterpart.tennis)
    });
    assert_eq!(rows, expected.collect::<Vec<_>>());
    assert!(COUNTERPARTS.is_sorted_by_key(|counterpart| counterpart.op));
}
