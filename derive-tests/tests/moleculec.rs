//! Schemas beside the official compiler: both take the same ones, and see the same types in them.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, panic};

use fourfold::molecule::Schema;
use fourfold::molecule::schema::{Shape, Type};
use molecule_codegen::Parser;
use molecule_codegen::ast::{HasName, TopDecl};

#[allow(dead_code, reason = "the tests of other formats need the rest")]
#[path = "../../tests/support/random.rs"]
mod random;

use random::Dice;

/// What the official compiler sees: a line for each type, or that it refuses the schema.
fn official(path: &Path) -> Option<Vec<String>> {
    // It refuses by panicking.
    let ast = panic::catch_unwind(|| Parser::parse(&path)).ok()?;
    let lines = ast.decls().iter().map(|decl| {
        let what = match &**decl {
            TopDecl::Primitive(_) => "byte".to_owned(),
            TopDecl::Option_(it) => format!("option {}", it.item().typ().name()),
            TopDecl::Union(it) => it.items().iter().fold("union".to_owned(), |line, item| {
                format!("{line} {}:{}", item.typ().name(), item.id())
            }),
            TopDecl::Array(it) => {
                let (item, count) = (it.item().typ().name(), it.item_count());
                format!("array {item} {count} = {}", it.total_size())
            }
            TopDecl::Struct(it) => {
                let fields = it.fields().iter().map(|field| (field.name(), field.typ().name()));
                format!("struct{} = {}", members(fields), it.total_size())
            }
            TopDecl::FixVec(it) => format!("fixvec {}", it.item().typ().name()),
            TopDecl::DynVec(it) => format!("dynvec {}", it.item().typ().name()),
            TopDecl::Table(it) => {
                let fields = it.fields().iter().map(|field| (field.name(), field.typ().name()));
                format!("table{}", members(fields))
            }
        };
        format!("{} {what}", decl.name())
    });
    Some(lines.collect())
}

fn members<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    fields.map(|(name, ty)| format!(" {name}:{ty}")).collect()
}

/// The same lines by our own reader.
fn ours(schema: &Schema) -> Vec<String> {
    schema.types().map(line).collect()
}

fn line(ty: Type<'_>) -> String {
    let fixed = |text: String| format!("{text} = {}", ty.size().expect("a fixed size"));
    let what = match ty.shape() {
        Shape::Byte => "byte".to_owned(),
        Shape::Option(item) => format!("option {}", item.name()),
        Shape::Union(items) => items.iter().fold("union".to_owned(), |line, item| {
            format!("{line} {}:{}", item.ty().name(), item.id())
        }),
        Shape::Array(item, count) => fixed(format!("array {} {count}", item.name())),
        Shape::Struct(fields) => {
            let fields = fields.iter().map(|field| (field.name(), field.ty().name()));
            fixed(format!("struct{}", members(fields)))
        }
        Shape::FixVec(item) => format!("fixvec {}", item.name()),
        Shape::DynVec(item) => format!("dynvec {}", item.name()),
        Shape::Table(fields) => {
            let fields = fields.iter().map(|field| (field.name(), field.ty().name()));
            format!("table{}", members(fields))
        }
        other => panic!("{other:?}"),
    };
    format!("{} {what}", ty.name())
}

/// What stands between words: all of it means nothing.
const BLANKS: [&str; 7] = [" ", "\n", "\t", "\r\n", "/* a /* b */ */", "// c\n", "# d\n"];

/// Words and signs of a schema.
fn tokens(dice: &mut Dice) -> Vec<String> {
    let count = 1 + dice.below(dice.size() / 4 + 2);
    let mut declarations: Vec<Vec<String>> = Vec::new();
    // Which of them have a fixed size: those that structs and arrays may take.
    let mut fixed = vec!["byte".to_owned()];
    let mut all = fixed.clone();
    let digits = |dice: &mut Dice| (1 + dice.below(40)).to_string();
    for number in 0..count {
        let name = format!("{}{number}", dice.one_of(&["T", "struct", "a_", "Zz"]));
        let fixed_item = fixed[dice.below(fixed.len())].clone();
        let any_item = all[dice.below(all.len())].clone();
        let mut text = String::new();
        match dice.below(6) {
            0 => {
                write!(text, "array {name} [ {fixed_item} ; {} ] ;", digits(dice)).unwrap();
                fixed.push(name.clone());
            }
            1 => {
                write!(text, "struct {name} {{ ").unwrap();
                for field in 0..=dice.below(4) {
                    let ty = &fixed[dice.below(fixed.len())];
                    write!(text, "f{field} : {ty} , ").unwrap();
                }
                text.push('}');
                fixed.push(name.clone());
            }
            2 => write!(text, "vector {name} < {any_item} > ;").unwrap(),
            3 => write!(text, "option {name} ( {any_item} ) ;").unwrap(),
            4 => {
                write!(text, "union {name} {{ ").unwrap();
                for item in 0..=dice.below(4) {
                    let ty = &all[dice.below(all.len())];
                    match dice.below(3) {
                        0 => write!(text, "{ty} : {} , ", item * 10 + dice.below(9)).unwrap(),
                        _ => write!(text, "{ty} , ").unwrap(),
                    }
                }
                text.push('}');
            }
            _ => {
                write!(text, "table {name} {{ ").unwrap();
                for field in 0..dice.below(5) {
                    let ty = &all[dice.below(all.len())];
                    write!(text, "{}{field} : {ty} , ", dice.one_of(&["f", "table", "option"]))
                        .unwrap();
                }
                text.push('}');
            }
        }
        all.push(name);
        // Out of order, where that is so.
        let at = declarations.len() - dice.below(declarations.len() + 1);
        declarations.insert(at, text.split_whitespace().map(str::to_owned).collect());
    }
    let syntax = if dice.one_in(4) { "syntax = 1 ;" } else { "" };
    syntax.split_whitespace().map(str::to_owned).chain(declarations.into_iter().flatten()).collect()
}

/// One word or sign gone, doubled, moved, or replaced by another.
fn damage(tokens: &mut Vec<String>, dice: &mut Dice) {
    let at = dice.below(tokens.len());
    let other = tokens[dice.below(tokens.len())].clone();
    match dice.below(5) {
        0 => drop(tokens.remove(at)),
        1 => tokens.insert(at, other),
        2 => tokens[at] = other,
        3 => {
            let words = [
                "byte",
                "Byte",
                "0",
                "01",
                "T0",
                "t0",
                "_",
                "x",
                "import",
                "syntax",
                "/",
                "/*",
                "4294967295",
            ];
            tokens[at] = dice.one_of(&words).to_owned();
        }
        _ => {
            let with = dice.below(tokens.len());
            tokens.swap(at, with);
        }
    }
}

fn text(tokens: &[String], dice: &mut Dice) -> String {
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        // Between signs nothing is needed.
        let is_sign =
            |token: &str| !token.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let may_touch = is_sign(token) || before.is_none_or(|before| is_sign(before));
        if !(may_touch && dice.one_in(2)) {
            text.push_str(dice.one_of(&BLANKS));
        }
        text.push_str(token);
    }
    text
}

/// The official compiler sees the same types in what is written of a schema.
fn assert_written(schema: &Schema, path: &Path) {
    fs::write(path, schema.to_string()).unwrap();
    assert_eq!(official(path), Some(ours(schema)), "{schema}");
}

fn compare(texts: impl Fn(&mut Dice) -> String, name: &str, count: usize) -> (usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schema.mol");
    let (mut taken, mut refused) = (0, 0);
    random::check(name, count, texts, |_, text| {
        fs::write(&path, &text).unwrap();
        let official = official(&path);
        let read = Schema::from_file(&path);
        match (official, read) {
            (Some(official), Ok(schema)) => {
                assert_eq!(ours(&schema), official);
                assert_written(&schema, &path);
                taken += 1;
            }
            (None, Err(_)) => refused += 1,
            (Some(_), Err(error)) => panic!("refused: {error}"),
            (None, Ok(schema)) => panic!("taken: {schema:?}"),
        }
    });
    (taken, refused)
}

#[test]
fn random_schemas_are_seen_alike() {
    let whole = |dice: &mut Dice| {
        let tokens = tokens(dice);
        text(&tokens, dice)
    };
    let (taken, refused) = compare(whole, "schemas", 400);
    // Two items of a union may come to one id.
    assert!(taken > 250, "{taken} taken, {refused} refused");
}

#[test]
fn damaged_schemas_are_taken_or_refused_alike() {
    let damaged = |dice: &mut Dice| {
        let mut tokens = tokens(dice);
        damage(&mut tokens, dice);
        text(&tokens, dice)
    };
    let (taken, refused) = compare(damaged, "damaged schemas", 1_000);
    assert!(taken > 50 && refused > 300, "{taken} taken, {refused} refused");
}

#[test]
fn the_schemas_of_the_fixtures_are_seen_alike() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/molecule/schemas");
    let mut types = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let schema = Schema::from_file(&path).unwrap();
        assert_eq!(Some(ours(&schema)), official(&path), "{}", path.display());
        let written = tempfile::tempdir().unwrap();
        assert_written(&schema, &written.path().join("written.mol"));
        types += schema.types().len();
    }
    assert!(types > 100, "{types}");
}
