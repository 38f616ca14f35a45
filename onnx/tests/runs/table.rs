//! The table of operators in the documentation.

use std::collections::BTreeSet;

use fourfold_onnx::REFUSED;
use fourfold_tennis::Operator;

use super::{made, rare, usual};

#[test]
fn the_table_has_all_operators_and_their_tests() {
    let text = include_str!("../../../docs/onnx.md");
    let table = text.split("## Operators\n").nth(1).unwrap();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .take_while(|line| !line.starts_with("## "))
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`')).collect()
        })
        .collect();
    let names: BTreeSet<&str> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(names.len(), rows.len());
    assert_eq!(names, Operator::NAMES.iter().copied().collect());

    let refused = rows.iter().filter(|row| row[1] == "refused").map(|row| (row[0], row[3]));
    assert_eq!(refused.collect::<BTreeSet<_>>(), REFUSED.iter().copied().collect());

    // Files are called after the operator without `_`, and numbered.
    let stem = |name: &str| name.rsplit_once('-').map(|(stem, _)| stem.to_owned());
    let modules = [usual().1, rare().1].concat();
    let runs = modules.iter().filter_map(|path| stem(path.file_stem()?.to_str()?));
    let runs: BTreeSet<String> = runs.collect();
    let made: BTreeSet<String> = made::cases().iter().filter_map(|(name, _)| stem(name)).collect();
    for row in &rows {
        let name = row[0].trim_start_matches('_');
        match row[4] {
            // All modules have these.
            "runs" if ["<param>", "<const>", "field"].contains(&name) => {}
            "runs" => assert!(runs.contains(name), "{name} has not been run"),
            "made" => assert!(made.contains(name), "{name} is not made"),
            other => assert_eq!((row[1], other), ("refused", "refused"), "{name}"),
        }
    }
}
