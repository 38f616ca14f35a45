//! Compares the schema parser with the official compiler: both accept the same schemas, with the same types.

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

use fourfold_schema::mol::{Schema, Shape, Type};
use molecule_codegen::Parser;
use molecule_codegen::ast::{HasName, TopDecl};

#[allow(dead_code, reason = "tests of other formats use the rest")]
#[path = "../../tests/support/random.rs"]
mod random;
#[path = "../common/schemas.rs"]
mod schemas;

use random::Dice;
use schemas::{Numbers, Purpose};

/// The types of the official compiler, a line for each; `None` if it refuses the schema.
fn official(path: &Path) -> Option<Vec<String>> {
    let mut lines = None;
    // The compiler panics to refuse a schema.
    random::failure(|| {
        let ast = Parser::parse(&path);
        // The compiler does not check that an id fits in 32 bits.
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

/// The same lines for our parser.
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

/// White space and comments.
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

/// The tokens of a schema with imports, and the names of its types. Names are numbered from `first`, and the types of
/// `others` may be used.
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

/// The tokens of a schema without imports.
fn tokens(dice: &mut Dice) -> Vec<String> {
    let count = 1 + dice.below(dice.size() / 4 + 2);
    schema(dice, &[], count, 0, &[]).0
}

/// Removes, duplicates, replaces or moves one token.
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
        // Punctuation needs no space.
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

/// Asserts that the official compiler reads the same types from the text of a schema.
fn assert_written(schema: &Schema, path: &Path) {
    fs::write(path, schema.to_string()).unwrap();
    assert_eq!(official(path), Some(ours(schema)), "{schema}");
}

/// The number of schemas that both accepted or refused.
#[derive(Debug, Default)]
struct Tally {
    accepted: usize,
    refused: usize,
}

impl Tally {
    /// Asserts that both accept the schema in a file, with the same types, or both refuse it.
    fn compare(&mut self, path: &Path) {
        let written = path.with_file_name("written.mol");
        match (official(path), Schema::from_file(path)) {
            (Some(official), Ok(schema)) => {
                assert_eq!(ours(&schema), official);
                assert_written(&schema, &written);
                self.accepted += 1;
            }
            (None, Err(_)) => self.refused += 1,
            (Some(_), Err(error)) => panic!("refused: {error}"),
            (None, Ok(schema)) => panic!("accepted: {schema:?}"),
        }
    }
}

fn compare(texts: impl Fn(&mut Dice) -> String, name: &str, count: usize) -> Tally {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schema.mol");
    let mut tally = Tally::default();
    random::check(name, count, texts, |_, text| {
        fs::write(&path, &text).unwrap();
        tally.compare(&path);
    });
    println!("{name}: {tally:?}");
    tally
}

#[test]
fn random_schemas_have_the_same_types() {
    let whole = |dice: &mut Dice| {
        let tokens = tokens(dice);
        text(&tokens, dice)
    };
    let tally = compare(whole, "schemas", 1_000);
    // Some unions repeat an id, and some numbers are too large.
    assert!(tally.accepted > 500 && tally.refused > 50, "{tally:?}");
}

/// Files in folders that import each other.
fn files(dice: &mut Dice) -> Vec<(String, String)> {
    const FOLDERS: [&str; 4] = ["", "a/", "a/b/", "c/"];
    let count = 1 + dice.below(5);
    let paths: Vec<String> =
        (0..count).map(|file| format!("{}f{file}", dice.one_of(&FOLDERS))).collect();
    let mut files = Vec::new();
    let mut names: Vec<String> = Vec::new();
    // The first file may use the types of all others.
    for (number, path) in paths.iter().enumerate().rev() {
        let mut imports = Vec::new();
        for other in &paths[number + 1..] {
            for _ in 0..[1, 1, 1, 2, 0][dice.below(5)] {
                imports.push(relative(path, other, dice));
            }
        }
        // A cycle, the file itself, or a missing file.
        if dice.one_in(4) {
            let other = dice.below(count);
            imports.push(relative(path, &paths[other], dice));
        }
        if dice.one_in(16) {
            imports.push(dice.one_of(&["nowhere", "a", "../../f0", "a/../f0"]).to_owned());
        }
        let count = 1 + dice.below(3);
        // Types of indirect imports may be used.
        let (tokens, own) = schema(dice, &imports, count, number * 10, &names);
        names.extend(own);
        files.push((format!("{path}.mol"), text(&tokens, dice)));
    }
    files
}

/// The path of an import of `to` in `of`.
fn relative(of: &str, to: &str, dice: &mut Dice) -> String {
    let ups = of.matches('/').count();
    match of.rsplit_once('/') {
        // Without `../`, if `to` is below the folder.
        Some((folder, _)) if to.starts_with(&format!("{folder}/")) && dice.one_in(2) => {
            to[folder.len() + 1..].to_owned()
        }
        _ => format!("{}{to}", "../".repeat(ups)),
    }
}

#[test]
fn files_that_import_each_other_have_the_same_types() {
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
            tally.compare(&folder.path().join(path));
        }
    });
    println!("{tally:?}");
    assert!(tally.accepted > 400 && tally.refused > 400, "{tally:?}");
}

#[test]
fn damaged_schemas_are_accepted_or_refused_alike() {
    let damaged = |dice: &mut Dice| {
        let mut tokens = tokens(dice);
        damage(&mut tokens, dice);
        text(&tokens, dice)
    };
    let tally = compare(damaged, "damaged schemas", 2_000);
    assert!(tally.accepted > 80 && tally.refused > 1_000, "{tally:?}");
}

#[test]
fn the_schemas_of_the_fixtures_have_the_same_types() {
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
