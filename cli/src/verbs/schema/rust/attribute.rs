//! Attributes beside those of serde, in text that `to_rust` has written.

/// Puts `#[attribute]` before a type, or before a field or variant: `Note`, `Note.text`. `None` if there is no such one.
pub(super) fn insert(text: &str, place: &str, attribute: &str) -> Option<String> {
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

/// Whether a line is that word behind the others.
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
    fn attributes_are_beside_those_that_are_there() {
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
        for place in ["", "Note", "Notes.", "Notes.li", "E.list", "Notes.One", "T.list"] {
            assert_eq!(insert(TEXT, place, "x"), None, "{place}");
        }
    }
}
