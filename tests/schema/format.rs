//! Schemas in one form: nothing is lost, and what is in that form stays as it is.

use fourfold::biniou::atd;
use fourfold::molecule::Schema;
use fourfold::molecule::schema::format;

use crate::fixture::Fixtures;
use crate::random::Dice;

fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Checks that a form has all of a text, and gives it.
fn formatted(text: &str) -> String {
    let form = format(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(without_blanks(&form), without_blanks(text), "{text}\n{form}");
    assert_eq!(format(&form).unwrap(), form, "{text}");
    assert!(form.lines().all(|line| line == line.trim_end()), "{form}");
    form
}

fn schemas() -> Vec<String> {
    let fixtures = Fixtures("molecule");
    fixtures
        .names("schemas", "mol")
        .iter()
        .map(|it| fixtures.text(&format!("schemas/{it}.mol")))
        .collect()
}

#[test]
fn schemas_of_the_fixtures_lose_nothing() {
    for text in schemas() {
        let form = formatted(&text);
        if let (Ok(before), Ok(after)) = (Schema::parse(&text), Schema::parse(&form)) {
            // Comments, too, speak of what they spoke of.
            assert_eq!(before.to_string(), after.to_string());
        }
    }
}

/// Other blanks between words give the same form, or at least one that loses nothing.
#[test]
fn blanks_of_all_kinds_become_those_of_the_form() {
    let mut dice = Dice::of("blanks of schemas");
    for _ in 0..if cfg!(debug_assertions) { 300 } else { 5_000 } {
        let texts = schemas();
        let text = &texts[dice.below(texts.len())];
        let mut mangled = String::new();
        for line in text.lines() {
            match line.contains("//") || line.contains("/*") || line.contains('*') {
                true => mangled.push_str(line),
                false => line.chars().for_each(|c| match (c, dice.below(4)) {
                    (' ', 0) => mangled.push('\n'),
                    (' ', 1) => mangled.push_str(" /* a */ "),
                    (' ', 2) => mangled.push_str("\t // b\n"),
                    (',' | ';' | '{' | '}', 0) => mangled.extend([c, ' ', '\n', '\n', '\n']),
                    (',' | ';' | '{' | '}', 1) => mangled.extend([' ', c]),
                    _ => mangled.push(c),
                }),
            }
            mangled.push_str(["\n", "\r\n", " \n"][dice.below(3)]);
        }
        // A path has no comment inside.
        if format(&mangled).is_ok() {
            formatted(&mangled);
        }
    }
}

#[test]
fn each_comment_has_its_place() {
    for (text, form) in [
        ("table T{}", "table T {}\n"),
        ("table T{a:byte,}", "table T {\n    a: byte,\n}\n"),
        (
            "import   a ;import ../b/c;\n\n\n\nunion U{A,B:7,}option O(A);",
            "import a;\nimport ../b/c;\n\nunion U {\n    A,\n    B: 7,\n}\n\noption O (A);\n",
        ),
        (
            "/* first */\n# second\nvector V<byte>; // beside\n// below\n",
            "/* first */\n# second\nvector V <byte>; // beside\n// below\n",
        ),
        (
            "struct S { // open\n a: byte, /* a\n b */ /* c */ b: byte, // end\n // last\n } // behind\nvector V <byte>;",
            "struct S { // open\n    a: byte, /* a\n b */ /* c */\n    b: byte, // end\n    // last\n} // behind\n\nvector V <byte>;\n",
        ),
        ("table /* in */ T { /* none */ }", "table /* in */ T { /* none */\n}\n"),
        ("array A [ byte ; // count\n 4 ];", "array A [byte; // count\n    4];\n"),
        (
            "syntax=1;table T{\n\n\na:byte,\n\n\nb:byte,\n\n}",
            "syntax = 1;\ntable T {\n    a: byte,\n\n    b: byte,\n}\n",
        ),
    ] {
        assert_eq!(formatted(text), form);
    }
    let error = format("table T { a: byte }").unwrap_err();
    assert_eq!((error.location().unwrap().line(), error.line()), (1, "table T { a: byte }"));
}

#[test]
fn atd_files_have_their_form_or_are_refused() {
    let fixtures = Fixtures("biniou");
    let (mut kept, mut refused) = (0, 0);
    for name in fixtures.names("schemas", "atd") {
        let text = fixtures.text(&format!("schemas/{name}.atd"));
        match atd::format(&text) {
            Ok(form) => {
                kept += 1;
                assert_eq!(atd::format(&form).unwrap(), form);
                assert!(
                    atd::Schema::parse(&form)
                        .unwrap()
                        .compare(&atd::Schema::parse(&text).unwrap())
                        .is_empty()
                );
            }
            Err(error) => {
                refused += 1;
                assert_eq!(error.kind(), &atd::ErrorKind::Comment);
                assert!(error.line().contains("(*"), "{}", error.line());
            }
        }
    }
    assert!(kept + refused > 3 && refused > 0, "{kept} {refused}");
    let error = atd::format("type t = { x : int; (* a *) y : int }").unwrap_err();
    assert_eq!(error.to_string(), "a comment, which the one form would lose at line 1, column 21");
    // What looks like a comment in a string is none.
    let text = "type t = [\n  | A <json name=\"(* a *)\">\n]\n";
    assert_eq!(atd::format(text).unwrap(), text);
}
