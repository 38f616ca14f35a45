//! `fourfold schema format`: schemas in the standard format.

use std::fs;

use fourfold_schema::mol;

use crate::command::{Folder, fourfold, in_root};

#[test]
fn a_schema_is_formatted_and_checked() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let (mol, form, atd, bad) = (path("a.mol"), path("b.mol"), path("c.atd"), path("d.mol"));
    let text = "import e;\n// about T\ntable T{a:E,/* trailing */}";
    fs::write(&mol, text).unwrap();
    fs::write(&atd, "type t = { a : int } (* x *)").unwrap();
    fs::write(&bad, "table T { a: E }").unwrap();

    let run = fourfold(&["schema", "format", &mol]);
    let expected = "import e;\n// about T\ntable T {\n    a: E, /* trailing */\n}\n";
    assert_eq!((run.code, run.text(), &*run.stderr), (0, expected, ""));
    assert_eq!(fourfold(&["schema", "format", &mol, "-o", &form]).code, 0);
    assert_eq!(fs::read_to_string(&form).unwrap(), expected);
    // The schema is not overwritten.
    assert_eq!(fourfold(&["schema", "format", &mol, "-o", &mol]).code, 1);
    assert_eq!(fs::read_to_string(&mol).unwrap(), text);

    let run = fourfold(&["schema", "format", "--check", &mol, &form]);
    let verdicts = format!("{mol}: not formatted, from line 3\n{form}: good\n");
    assert_eq!((run.code, run.text(), &*run.stderr), (3, &*verdicts, ""));
    assert_eq!(fourfold(&["schema", "format", "--check", &form]).code, 0);

    let run = fourfold(&["schema", "format", &atd]);
    let expected = "type t = {\n  a : int;\n} (* x *)\n";
    assert_eq!((run.code, run.text(), &*run.stderr), (0, expected, ""));
    let run = fourfold(&["schema", "format", "--check", &bad, &atd, &form]);
    let verdicts = format!("{atd}: not formatted, from line 1\n{form}: good\n");
    assert_eq!((run.code, run.text()), (2, &*verdicts));
    assert!(run.stderr.contains("expected `,`"), "{}", run.stderr);
    assert_eq!(fourfold(&["schema", "format", &mol, &form]).code, 1);
    assert_eq!(fourfold(&["schema", "format", "no/such.mol"]).code, 1);
}

/// The fixtures' schemas keep their comments.
#[test]
fn formatted_schemas_are_those_of_the_library() {
    let path = "tests/fixtures/molecule/schemas/blockchain.mol";
    let run = fourfold(&["schema", "format", path]);
    let text = fs::read_to_string(in_root(path)).unwrap();
    assert_eq!(run.text(), mol::format(&text).unwrap());
}
