//! Inserts attributes into the code that `to_rust` generates.

/// Inserts `#[attribute]` before a type, field or variant: `Note`, `Note.text`, `Bytes.0`; for `*`, before each struct
/// and enum. `None` if there is no such item.
pub(super) fn insert(text: &str, place: &str, attribute: &str) -> Option<String> {
    if place == "*" {
        return Some(at_each(text, attribute));
    }
    let (ty, member) = match place.split_once('.') {
        Some((ty, member)) => (ty, Some(member)),
        None => (place, None),
    };
    let lines: Vec<&str> = text.lines().collect();
    let kinds = ["pub struct ", "pub enum ", "pub type "];
    let declares = |line: &&str| kinds.iter().any(|kind| is_named(line, kind, ty));
    let at = lines.iter().position(declares)?;
    let (at, margin) = match member {
        None => (at, ""),
        // The value of a newtype is in the line of its name.
        Some("0") => {
            let (head, value) = lines.get(at)?.split_once('(')?;
            let line = format!("{head}(#[{attribute}] {value}");
            let (before, rest) = lines.split_at_checked(at)?;
            return Some([before, &[line.trim_end()], rest.get(1..)?].concat().join("\n") + "\n");
        }
        Some(member) => {
            let block = lines.iter().enumerate().skip(at + 1).take_while(|(_, line)| **line != "}");
            let mut members = block.filter(|(_, line)| {
                ["    pub ", "    "].iter().any(|it| is_named(line, it, member))
            });
            (members.next()?.0, "    ")
        }
    };
    let line = format!("{margin}#[{attribute}]");
    let (before, rest) = lines.split_at_checked(at)?;
    let lines: Vec<&str> = [before, &[&line], rest].concat();
    Some(lines.join("\n") + "\n")
}

/// Inserts `#[attribute]` before each struct and enum, with its name for `{}`.
fn at_each(text: &str, attribute: &str) -> String {
    let mut all = String::new();
    for line in text.lines() {
        let declared = ["pub struct ", "pub enum "].iter().find_map(|it| line.strip_prefix(it));
        if let Some(rest) = declared {
            let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next();
            let attribute = attribute.replace("{}", name.unwrap_or_default());
            all.push_str(&format!("#[{attribute}]\n"));
        }
        all.push_str(line);
        all.push('\n');
    }
    all
}

/// Whether a line is `before` followed by that word.
fn is_named(line: &str, before: &str, name: &str) -> bool {
    let rest = line.strip_prefix(before).and_then(|rest| rest.strip_prefix(name));
    rest.is_some_and(|rest| {
        !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '#'))
    }) && !name.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#[derive(A)]\npub struct Notes<'a> {\n    #[serde(with = \"x\")]\n    pub list: u8,\n    pub list2: u8,\n}\n\npub enum E {\n    One(u8),\n    Two,\n}\n\npub type T = Notes;\n";

    #[test]
    fn attributes_are_added_to_existing_ones() {
        for (place, line) in [
            ("Notes", "#[derive(A)]\n#[ts(x)]\npub struct Notes"),
            ("Notes.list", "    #[serde(with = \"x\")]\n    #[ts(x)]\n    pub list: u8"),
            ("Notes.list2", "    #[ts(x)]\n    pub list2"),
            ("E.One", "{\n    #[ts(x)]\n    One(u8)"),
            ("E.Two", "    #[ts(x)]\n    Two,"),
            ("T", "\n#[ts(x)]\npub type T"),
        ] {
            let text = insert(TEXT, place, "ts(x)").unwrap();
            assert!(text.contains(line), "{place}: {text}");
            assert_eq!(text.replace("    #[ts(x)]\n", "").replace("#[ts(x)]\n", ""), TEXT);
        }
        let tuple =
            "pub struct Long(\n    #[serde(with = \"x\")]\n    pub u8,\n);\n\npub enum Empty {}\n";
        let text = insert(tuple, "Long.0", "ts(x)").unwrap();
        assert_eq!(text, tuple.replace("Long(", "Long(#[ts(x)]"));
        let text = insert(tuple, "*", "ts(rename = \"{}\")").unwrap();
        let (first, second) = ("#[ts(rename = \"Long\")]\n", "#[ts(rename = \"Empty\")]\n");
        assert_eq!(
            text,
            format!("{first}{}", tuple.replace("pub enum", &format!("{second}pub enum")))
        );
        for place in
            ["", "Note", "Notes.", "Notes.li", "E.list", "Notes.One", "Notes.0", "T.list", "T.0"]
        {
            assert_eq!(insert(TEXT, place, "x"), None, "{place}");
        }
    }
}
