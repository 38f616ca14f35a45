//! Where the fixtures are, which type a file has, and how the names in the schemas are found.

use crate::support::fixture::Fixtures;

pub(crate) const FIXTURES: Fixtures = Fixtures("biniou");

/// The type of a file that is called after it: `feat.point-small` holds a `feat.point`.
pub fn type_of(name: &str) -> &str {
    name.split_once('-').unwrap_or_else(|| panic!("{name} does not name its type")).0
}

/// File and type, as the manifest lists them in the section of a folder.
pub fn manifest(folder: &str) -> Vec<(String, String)> {
    let text = FIXTURES.text("MANIFEST.md");
    let heading = format!("## {folder}/");
    let section = text.lines().skip_while(|line| *line != heading).skip(1);
    let rows = section.take_while(|line| !line.starts_with("## ")).filter_map(|line| {
        let mut cells = line.strip_prefix('|')?.split('|').map(str::trim);
        let (file, name) = (cells.next()?, cells.next()?);
        let heading = name == "type" || name.starts_with("---");
        (!heading).then(|| (file.to_owned(), name.to_owned()))
    });
    rows.collect()
}
