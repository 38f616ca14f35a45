//! Hostile schemas and values get an error of one line.

use std::fs;

use crate::command::{Folder, fourfold, fourfold_with};

/// A schema of nested vectors, and a value with as many levels.
fn nested(levels: usize) -> (String, Vec<u8>) {
    let mut text = "vector V1 <byte>;\n".to_owned();
    (2..=levels).for_each(|level| text += &format!("vector V{level} <V{}>;\n", level - 1));
    let mut bytes = vec![0; 4];
    for _ in 2..=levels {
        let size = u32::try_from(bytes.len() + 8).unwrap().to_le_bytes();
        bytes = [&size[..], &[8, 0, 0, 0], &bytes].concat();
    }
    (text, bytes)
}

#[test]
fn values_that_nest_too_deep_are_refused_and_others_are_shown() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let (schema, file) = (path("deep.mol"), path("deep.bin"));
    let put = |levels| {
        let (text, bytes) = nested(levels);
        fs::write(&schema, text).unwrap();
        fs::write(&file, &bytes).unwrap();
        (format!("V{levels}"), bytes)
    };
    let (name, bytes) = put(128);
    let by = ["--schema", &schema, "--type", &name];
    for subcommand in [
        &["dump", "--json"][..],
        &["dump"],
        &["dump", "--yaml"],
        &["verify"],
        &["explain"],
        &["info"],
    ] {
        fourfold(&[subcommand, &[&*file], &by[..]].concat()).succeeded();
    }
    let json = fourfold(&[&["dump", "--json", &file], &by[..]].concat()).stdout;
    assert!(fourfold_with(&["make", "-", "--schema", &schema], &json).stdout == bytes);
    assert_eq!(fourfold(&[&["diff", &file, &file], &by[..]].concat()).code, 0);

    let (name, _) = put(140);
    let by = ["--schema", &schema, "--type", &name];
    for subcommand in [&["dump"][..], &["verify"], &["info"], &["diff", &file]] {
        let run = fourfold(&[subcommand, &[&*file], &by[..]].concat());
        assert_eq!(run.code, 2, "{subcommand:?}");
        let output = run.text().to_owned() + &run.stderr;
        assert_eq!(output.lines().count(), 1, "{output}");
        assert!(output.contains("nested deeper than 128 levels"), "{output}");
    }
    let run = fourfold(&[&["explain", &file], &by[..]].concat());
    assert_eq!(run.code, 2);
    assert!(run.text().contains("nested deeper than 128 levels"), "{}", run.text());
    let deep = format!(
        "{{\"fourfold\":\"molecule\",\"type\":\"{name}\",\"value\":{}\"0x\"{}}}",
        "[".repeat(139),
        "]".repeat(139)
    );
    let run = fourfold_with(&["make", "-", "--schema", &schema], deep.as_bytes());
    assert_eq!((run.code, run.stderr.lines().count()), (2, 1), "{}", run.stderr);
}

#[test]
fn values_of_biniou_that_nest_too_deep_are_refused() {
    let folder = Folder::new();
    let schema = &folder.write("deep.atd", "type t = [ End | More of t ]");
    let by = ["--schema", schema, "--type", "t"];
    let hash = |name: &str| fourfold::biniou::hash(name).to_be_bytes();
    let more = hash("More");
    let level = [23, more[0] | 0x80, more[1], more[2], more[3]];
    let mut bytes = level.repeat(200);
    bytes.push(23);
    bytes.extend(hash("End"));
    for subcommand in ["dump", "verify", "info"] {
        let run = fourfold_with(&[&[subcommand, "-"], &by[..]].concat(), &bytes);
        let output = run.text().to_owned() + &run.stderr;
        assert_eq!((run.code, output.lines().count()), (2, 1), "{subcommand}: {output}");
        assert!(output.contains("nested deeper than 128 levels"), "{output}");
        let deeper = [&[subcommand, "-", "--max-depth", "300"], &by[..]].concat();
        assert_eq!(fourfold_with(&deeper, &bytes).code, 0, "{subcommand}");
    }
}

/// The error of a schema of any length is one line, with an excerpt of one line.
#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn long_and_circular_schemas_are_refused() {
    const LONG: usize = 1 << 24;
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    for (name, text) in [
        ("name.mol", "table T { ".to_owned() + &"x".repeat(LONG)),
        ("open.mol", "/*".repeat(LONG / 2)),
        ("deep.atd", "type t = ".to_owned() + &"(".repeat(LONG)),
        ("open.atd", "(*".repeat(LONG / 2)),
        ("circle.mol", "import circle; vector V <byte>;".into()),
        ("endless.mol", "vector A <B>; vector B <A>;".into()),
        ("endless.atd", "type 'a t = ('a * 'a) t  type u = int t".into()),
    ] {
        fs::write(path(name), text).unwrap();
        for subcommand in
            [&["verify", "-", "--schema"][..], &["schema", "format"], &["schema", "check"]]
        {
            let run = fourfold(&[subcommand, &[&path(name)]].concat());
            // The schema has no spaces except where words need them.
            let is_good = subcommand == ["schema", "format"]
                && name.starts_with(['c', 'e'])
                && name.ends_with("mol");
            assert_eq!(
                run.code,
                if is_good { 0 } else { 2 },
                "{subcommand:?} {name}: {}",
                run.stderr
            );
            let output = run.text().to_owned() + &run.stderr;
            assert!(output.len() < 2_000 && output.lines().count() <= 4, "{name}: {output}");
        }
    }
}
