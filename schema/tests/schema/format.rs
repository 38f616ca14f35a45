//! The formatter of schemas: it loses nothing, and does not change formatted text.

use fourfold_schema::atd;
use fourfold_schema::mol::{Schema, format};

use crate::atdgen;
use crate::fixture::Fixtures;
use crate::random::{self, Dice};

fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Formats a text, and checks that nothing is lost.
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
            // Comments still belong to the same declarations.
            assert_eq!(before.to_string(), after.to_string());
        }
    }
}

/// Other blanks and comments between tokens.
#[test]
fn blanks_are_normalized() {
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
        // A comment within the path of an import is refused.
        if format(&mangled).is_ok() {
            formatted(&mangled);
        }
    }
}

#[test]
fn comments_stay_at_their_declaration() {
    for (text, form) in [
        ("table T{}", "table T {}\n"),
        ("table T{a:byte,}", "table T {\n    a: byte,\n}\n"),
        (
            "import   a ;import ../b/c;\n\n\n\nunion U{A,B:7,}option O(A);",
            "import a;\nimport ../b/c;\n\nunion U {\n    A,\n    B: 7,\n}\n\noption O (A);\n",
        ),
        (
            "/* first */\n# second\nvector V<byte>; // trailing\n// below\n",
            "/* first */\n# second\nvector V <byte>; // trailing\n// below\n",
        ),
        (
            "struct S { // open\n a: byte, /* a\n b */ /* c */ b: byte, // end\n // last\n } // after\nvector V <byte>;",
            "struct S { // open\n    a: byte, /* a\n b */ /* c */\n    b: byte, // end\n    // last\n} // after\n\nvector V <byte>;\n",
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

/// The comments of an `.atd` text, in order.
fn comments(text: &str) -> Vec<&str> {
    let (mut found, mut open, mut start) = (Vec::new(), 0, 0);
    let (mut quote, mut is_escaped) = (None, false);
    for (at, letter) in text.char_indices() {
        let before = text[..at].chars().next_back();
        match quote {
            Some(end) => {
                quote = Some(end).filter(|_| is_escaped || letter != end);
                is_escaped = !is_escaped && letter == '\\';
            }
            None if letter == '"' => quote = Some(letter),
            None if text[at..].starts_with("(*") && (open == 0 || at >= start + 2) => {
                (open, start) = (open + 1, if open == 0 { at } else { start });
            }
            None if open > 0 && letter == ')' && before == Some('*') && at >= start + 3 => {
                open -= 1;
                if open == 0 {
                    found.push(&text[start..=at]);
                }
            }
            None => {}
        }
    }
    found
}

/// Formats an `.atd` text, and checks that it has the same types.
fn atd_form(text: &str) -> String {
    let form = atd::format(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let types = |text: &str| atd::Schema::parse(text).unwrap().to_string();
    assert_eq!(types(&form), types(text), "{text}\n{form}");
    assert_eq!(atd::format(&form).unwrap(), form, "{text}");
    form
}

#[test]
fn atd_files_keep_types_and_comments() {
    let fixtures = Fixtures("biniou");
    let mut count = 0;
    for name in fixtures.names("schemas", "atd") {
        let text = fixtures.text(&format!("schemas/{name}.atd"));
        let form = atd_form(&text);
        assert_eq!(comments(&form), comments(&text), "{text}\n{form}");
        count += comments(&text).len();
    }
    assert!(count > 3, "{count}");
}

#[test]
fn comments_of_atd_files_stay_at_their_declaration() {
    for (text, form) in [
        ("(* nothing *)", "(* nothing *)\n"),
        // What looks like a comment in a string is none.
        ("type t = [A <json name=\"(* a *)\">]", "type t = [\n  | A <json name=\"(* a *)\">\n]\n"),
        (
            "type t = { x : int; (* a *) y : int (* b (* c *) *) }(* d *)",
            "type t = {\n  x : int; (* a *)\n  y : int; (* b (* c *) *)\n} (* d *)\n",
        ),
        (
            "(* head *)\n\n\n(* one *)\n(* two *)\ntype t = int (* trailing *)\n(* below *)\n\n\n(* far *)\n\ntype u = t\n\n(* end *)",
            "(* head *)\n\n(* one *)\n(* two *)\ntype t = int (* trailing *)\n(* below *)\n\n(* far *)\n\ntype u = t\n\n(* end *)\n",
        ),
        (
            "type t = [ (* open *)\n(* a *)\nA of (int * (* second *) (* third\n *) string *)\n\n(* b *)| B (* c *)\n(* last *)\n]",
            "type t = [ (* open *)\n  (* a *)\n  | A of (int * (* second *) (* third\n *) string)\n  (* b *)\n  | B (* c *)\n  (* last *)\n]\n",
        ),
        (
            "type (* n *) t (* m *) <a (* k *) b=\"\" (* v *) > =\n(* what *)\n { x(* f *):(* g *)int }",
            "type (* n *) t (* m *) <a (* k *) b=\"\" (* v *)> = (* what *) {\n  x (* f *) : (* g *) int;\n}\n",
        ),
        ("type t = [ (* none *) ]\r\n(* a *)\r\n", "type t = [ (* none *) ]\n(* a *)\n"),
    ] {
        assert_eq!(atd_form(text), form);
    }
    let error = atd::format("type t = { x : int (* a *) y : int }").unwrap_err();
    assert_eq!((error.location().unwrap().line(), error.location().unwrap().column()), (1, 30));
}

/// Random schemas with comments and blanks between all tokens.
#[test]
fn random_atd_files_lose_no_comment() {
    let mut count = 0;
    random::check("atd forms", 1_000, atdgen::schema, |_, text: String| {
        if atd::Schema::parse(&text).is_ok() {
            let form = atd_form(&text);
            assert_eq!(comments(&form), comments(&text), "{text}\n{form}");
            count += comments(&text).len();
        }
    });
    assert!(count > 300, "{count} comments");
}
