//! Schemas beside the official compiler: both take the same ones, and see the same types in them.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

use std::fs;
use std::path::Path;

use fourfold::molecule::Schema;
use fourfold::molecule::schema::{Shape, Type};
use molecule_codegen::Parser;
use molecule_codegen::ast::{HasName, TopDecl};

#[allow(dead_code, reason = "the tests of other formats need the rest")]
#[path = "../../tests/support/random.rs"]
mod random;
#[path = "../common/schemas.rs"]
mod schemas;

use random::Dice;
use schemas::{Numbers, Purpose};

/// What the official compiler sees: a line for each type, or that it refuses the schema.
fn official(path: &Path) -> Option<Vec<String>> {
    let mut lines = None;
    // It refuses by panicking.
    random::failure(|| {
        let ast = Parser::parse(&path);
        // An id has 32 bits in the bytes, which it does not check.
        let fits = |decl: &TopDecl| match decl {
            TopDecl::Union(it) => it.items().iter().all(|item| u32::try_from(item.id()).is_ok()),
            _ => true,
        };
        if ast.decls().iter().all(|decl| fits(decl)) {
            lines = Some(ast.decls().iter().map(|decl| official_line(decl)).collect());
        }
    });
    lines
}

fn official_line(decl: &TopDecl) -> String {
    let what = match decl {
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
const BLANKS: [&str; 11] = [
    " ",
    "\n",
    "\t",
    "\r\n",
    "/* a /* b */ */",
    "/**/",
    "/*\n * c\r * d\n\n */",
    "// e\n",
    "// f\r g */ /* \r\n",
    "# ü \u{2028} \u{85}\n",
    "/// /\n\n//\n",
];

impl Numbers for Dice {
    fn below(&mut self, bound: usize) -> usize {
        Dice::below(self, bound)
    }
}

/// Words and signs of a schema, behind what it imports. Its names have numbers from `first` on, and it may use
/// types of `others`.
fn schema(
    dice: &mut Dice,
    imports: &[String],
    count: usize,
    first: usize,
    others: &[String],
) -> (Vec<String>, Vec<String>) {
    let declarations = schemas::declarations(dice, Purpose::Text, count, first, others);
    let names = declarations.iter().map(|it| it.split(' ').nth(1).unwrap().to_owned()).collect();
    let syntax = match dice.below(16) {
        0..=2 => "syntax = 1 ;",
        3 => "syntax = 2 ;",
        _ => "",
    };
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let imports = imports.iter().flat_map(|path| ["import".to_owned(), path.clone(), ";".into()]);
    let body = declarations.iter().flat_map(|text| words(text));
    (words(syntax).into_iter().chain(imports).chain(body).collect(), names)
}

/// Words and signs of a schema that imports nothing.
fn tokens(dice: &mut Dice) -> Vec<String> {
    let count = 1 + dice.below(dice.size() / 4 + 2);
    schema(dice, &[], count, 0, &[]).0
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
                "18446744073709551616",
                "00",
                "=",
                "\r",
                "\u{a0}",
                "*/",
                "//",
                "../a",
                "ü",
                "\u{feff}",
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

/// What both said of some schemas.
#[derive(Debug, Default)]
struct Tally {
    taken: usize,
    refused: usize,
}

impl Tally {
    /// Both say of the schema in a file that it is good, with the same types, or that it is not.
    fn judge(&mut self, path: &Path) {
        let written = path.with_file_name("written.mol");
        match (official(path), Schema::from_file(path)) {
            (Some(official), Ok(schema)) => {
                assert_eq!(ours(&schema), official);
                assert_written(&schema, &written);
                self.taken += 1;
            }
            (None, Err(_)) => self.refused += 1,
            (Some(_), Err(error)) => panic!("refused: {error}"),
            (None, Ok(schema)) => panic!("taken: {schema:?}"),
        }
    }
}

fn compare(texts: impl Fn(&mut Dice) -> String, name: &str, count: usize) -> Tally {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schema.mol");
    let mut tally = Tally::default();
    random::check(name, count, texts, |_, text| {
        fs::write(&path, &text).unwrap();
        tally.judge(&path);
    });
    println!("{name}: {tally:?}");
    tally
}

#[test]
fn random_schemas_are_seen_alike() {
    let whole = |dice: &mut Dice| {
        let tokens = tokens(dice);
        text(&tokens, dice)
    };
    let tally = compare(whole, "schemas", 1_000);
    // Two items of a union may come to one id, and numbers may be too large.
    assert!(tally.taken > 500 && tally.refused > 50, "{tally:?}");
}

/// Files in folders, which import each other.
fn files(dice: &mut Dice) -> Vec<(String, String)> {
    const FOLDERS: [&str; 4] = ["", "a/", "a/b/", "c/"];
    let count = 1 + dice.below(5);
    let paths: Vec<String> =
        (0..count).map(|file| format!("{}f{file}", dice.one_of(&FOLDERS))).collect();
    let mut files = Vec::new();
    let mut names: Vec<String> = Vec::new();
    // The outermost one is the first: it may use all types.
    for (number, path) in paths.iter().enumerate().rev() {
        let mut imports = Vec::new();
        for other in &paths[number + 1..] {
            for _ in 0..[1, 1, 1, 2, 0][dice.below(5)] {
                imports.push(relative(path, other, dice));
            }
        }
        // In a circle, as itself, or one that is not there.
        if dice.one_in(4) {
            let other = dice.below(count);
            imports.push(relative(path, &paths[other], dice));
        }
        if dice.one_in(16) {
            imports.push(dice.one_of(&["nowhere", "a", "../../f0", "a/../f0"]).to_owned());
        }
        let count = 1 + dice.below(3);
        // What is imported may be used without being imported here.
        let (tokens, own) = schema(dice, &imports, count, number * 10, &names);
        names.extend(own);
        files.push((format!("{path}.mol"), text(&tokens, dice)));
    }
    files
}

/// An import of one file in another one.
fn relative(of: &str, to: &str, dice: &mut Dice) -> String {
    let ups = of.matches('/').count();
    match of.rsplit_once('/') {
        // Without a way up, where that is so.
        Some((folder, _)) if to.starts_with(&format!("{folder}/")) && dice.one_in(2) => {
            to[folder.len() + 1..].to_owned()
        }
        _ => format!("{}{to}", "../".repeat(ups)),
    }
}

#[test]
fn files_that_import_each_other_are_seen_alike() {
    let mut tally = Tally::default();
    random::check("files", 600, files, |_, files| {
        let folder = tempfile::tempdir().unwrap();
        for inner in ["a/b", "c"] {
            fs::create_dir_all(folder.path().join(inner)).unwrap();
        }
        for (path, text) in &files {
            fs::write(folder.path().join(path), text).unwrap();
        }
        for (path, _) in &files {
            tally.judge(&folder.path().join(path));
        }
    });
    println!("{tally:?}");
    assert!(tally.taken > 400 && tally.refused > 400, "{tally:?}");
}

#[test]
fn damaged_schemas_are_taken_or_refused_alike() {
    let damaged = |dice: &mut Dice| {
        let mut tokens = tokens(dice);
        damage(&mut tokens, dice);
        text(&tokens, dice)
    };
    let tally = compare(damaged, "damaged schemas", 2_000);
    assert!(tally.taken > 80 && tally.refused > 1_000, "{tally:?}");
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
