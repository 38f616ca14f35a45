//! Random schemas in several `.atd` files that import types from each other: they are equal to one file with all types.

use std::collections::{BTreeMap, BTreeSet};
use std::{fmt, fs};

use fourfold_schema::RustOptions;
use fourfold_schema::atd::{ErrorKind, Result, Schema, Type};
use tempfile::TempDir;

use super::{Purpose, definitions, values};
use crate::random::{self, Dice};
use crate::values::{make, to_json};

const SETS: usize = 300;

/// A type in one of the files.
struct Line {
    /// Its index among all types.
    id: usize,
    name: String,
    text: String,
    /// For an import: the file, the module as it is written, and the name in that file.
    imported: Option<(usize, String, String)>,
}

impl Line {
    fn imported(parameter: &str, id: usize, name: &str, from: (usize, &str, &str)) -> Self {
        let (file, there, section) = from;
        let module = module(file);
        let renamed = if there == name { String::new() } else { format!("t = \"{there}\" ") };
        let text =
            format!("type {parameter} {name} <{section} from = \"{module}\" {renamed}> = abstract");
        let imported = Some((file, module, there.into()));
        Line { id, name: name.into(), text, imported }
    }
}

/// Every other module is in a library.
fn module(file: usize) -> String {
    match file {
        0 => "Main".into(),
        _ if file % 2 == 0 => format!("Lib.M{file}"),
        _ => format!("M{file}"),
    }
}

fn path(file: usize) -> String {
    match file {
        0 => "main.atd".into(),
        _ if file % 3 == 0 => format!("M{file}.atd"),
        _ => format!("m{file}.atd"),
    }
}

/// A schema, and the same schema in several files. The first file names all types.
struct Set {
    whole: String,
    files: Vec<Vec<Line>>,
    /// Names of types, each with a value as JSON.
    values: Vec<(String, String)>,
    /// Files that a test leaves out.
    gone: BTreeSet<usize>,
    /// A file, and a type that a test imports from itself.
    ring: Option<(usize, Line)>,
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (file, lines) in self.files.iter().enumerate() {
            writeln!(f, "{}:", path(file))?;
            lines.iter().try_for_each(|line| writeln!(f, "  {}", line.text))?;
        }
        writeln!(f, "without {:?}", self.gone)?;
        match &self.ring {
            Some((file, line)) => writeln!(f, "in {}: {}", path(*file), line.text),
            None => Ok(()),
        }
    }
}

/// Definitions that have to be in the same file: inherited ones, and rows of tables.
fn is_tied(words: &[&str], at: usize) -> bool {
    words[at - 1] == "inherit" || words[at + 1..].join(" ").starts_with(TABLE)
}

const TABLE: &str = "list <ocaml repr = \"array\" > <biniou repr = \"table\"";

impl Set {
    fn random(dice: &mut Dice) -> Self {
        let count = 1 + dice.below(6);
        let mut whole = definitions(dice, Purpose::Values, count);
        if dice.one_in(3) {
            whole.push_str("type one = { twos : two list ; last : int }\n");
            whole.push_str("type two = [ End | One of one option ]\n");
        }
        let types: Vec<Vec<&str>> =
            whole.lines().map(|line| line.split_whitespace().collect()).collect();
        let parameter = |id: usize| Some(types[id][1]).filter(|it| it.starts_with('\''));
        let name = |id: usize| types[id][1 + usize::from(parameter(id).is_some())];
        let ids: BTreeMap<&str, usize> = (0..types.len()).map(|id| (name(id), id)).collect();

        let mut groups: Vec<usize> = (0..types.len()).collect();
        for (id, words) in types.iter().enumerate() {
            for at in 3..words.len() {
                if let Some(other) = ids.get(words[at]).filter(|_| is_tied(words, at)) {
                    let (old, new) = (groups[*other], groups[id]);
                    groups.iter_mut().filter(|it| **it == old).for_each(|it| *it = new);
                }
            }
        }
        let count = 2 + dice.below(4);
        let homes: Vec<usize> = types.iter().map(|_| dice.below(count)).collect();
        let home = |id: usize| homes[groups[id]];

        // The types that each file imports: the first file all, others those that their own types use.
        let mut imported = vec![BTreeSet::new(); count];
        imported[0].extend((0..types.len()).filter(|id| home(*id) != 0));
        for (id, words) in types.iter().enumerate() {
            let used = words.iter().filter_map(|word| ids.get(word));
            imported[home(id)].extend(used.copied().filter(|used| home(*used) != home(id)));
        }
        // For each file and type, its name in the file, and the line that imports it.
        let mut names = vec![BTreeMap::new(); count];
        let mut lines: Vec<BTreeMap<usize, Line>> = (0..count).map(|_| BTreeMap::new()).collect();
        let mut rings = Vec::new();
        for id in 0..types.len() {
            // Each file may import the type from any earlier file in this order.
            let mut order: Vec<usize> = (0..count).filter(|file| *file != home(id)).collect();
            (1..order.len()).for_each(|at| order.swap(at, dice.below(at + 1)));
            order.insert(0, home(id));
            let from: Vec<usize> = (0..count).map(|at| order[dice.below(at)]).collect();
            for at in (1..count).rev() {
                if imported[order[at]].contains(&id) && from[at] != home(id) {
                    imported[from[at]].insert(id);
                }
            }
            names[home(id)].insert(id, name(id).to_owned());
            for at in 1..count {
                let file = order[at];
                if !imported[file].contains(&id) {
                    continue;
                }
                let is_renamed = file > 0 && dice.one_in(3);
                let here = if is_renamed { format!("x{file}_{id}") } else { name(id).to_owned() };
                let section = dice.one_of(&["ocaml", "ocaml_biniou"]);
                let there: &str = &names[from[at]][&id];
                let parameter = parameter(id).unwrap_or_default();
                lines[file]
                    .insert(id, Line::imported(parameter, id, &here, (from[at], there, section)));
                let back = Line::imported(parameter, id, name(id), (file, &here, section));
                rings.push((home(id), back));
                names[file].insert(id, here);
            }
        }
        for (id, words) in types.iter().enumerate() {
            let own = &names[home(id)];
            let words = words.iter().map(|word| match ids.get(word) {
                Some(id) => &own[id],
                None => *word,
            });
            let text = words.collect::<Vec<_>>().join(" ");
            let line = Line { id, name: name(id).into(), text, imported: None };
            lines[home(id)].insert(id, line);
        }
        // What others inherit has to be a record there.
        rings.retain(|(_, line)| groups.iter().filter(|it| **it == groups[line.id]).count() == 1);
        let ring = dice.below(rings.len().max(1));
        let ring = (ring < rings.len()).then(|| rings.swap_remove(ring));

        let schema = Schema::parse(&whole).unwrap();
        let value = |ty: Type<'_>| {
            let json = values::value(ty, 0, dice).to_string();
            (ty.name().unwrap().to_owned(), json)
        };
        let values = schema.types().map(value).collect();
        let gone = (1..count).filter(|_| dice.one_in(2)).collect();
        let files = lines.into_iter().map(|lines| lines.into_values().collect()).collect();
        Set { whole, files, values, gone, ring }
    }

    /// Writes all files except `gone`, and reads the first one.
    fn read(&self, gone: &BTreeSet<usize>) -> (TempDir, Result<Schema>) {
        let folder = tempfile::tempdir().unwrap();
        for (file, lines) in self.files.iter().enumerate().filter(|(it, _)| !gone.contains(it)) {
            let text: Vec<&str> = lines.iter().map(|line| &*line.text).collect();
            fs::write(folder.path().join(path(file)), text.join("\n")).unwrap();
        }
        let schema = Schema::from_file(folder.path().join(path(0)));
        (folder, schema)
    }

    /// The types that are imported from missing files, with their modules, in the order in which files are found.
    fn missing(&self) -> Vec<(&str, &str)> {
        let (mut found, mut at, mut missing) = (vec![0], 0, Vec::new());
        while let Some(file) = found.get(at).copied() {
            for line in &self.files[file] {
                match &line.imported {
                    Some((from, module, _)) if self.gone.contains(from) => {
                        missing.push((&*line.name, &**module));
                    }
                    Some((from, ..)) if !found.contains(from) => found.push(*from),
                    _ => {}
                }
            }
            at += 1;
        }
        missing
    }

    /// Whether a type of a file contains a missing type.
    fn lacks<'s>(
        &'s self,
        file: usize,
        name: &'s str,
        seen: &mut BTreeSet<(usize, &'s str)>,
    ) -> bool {
        if !seen.insert((file, name)) {
            return false;
        }
        let find = |name: &str| self.files[file].iter().find(|line| line.name == name);
        let Some(line) = find(name) else { return false };
        match &line.imported {
            Some((from, _, there)) => self.gone.contains(from) || self.lacks(*from, there, seen),
            None => line.text.split(' ').any(|word| self.lacks(file, word, seen)),
        }
    }
}

fn rust(schema: &Schema) -> String {
    schema.to_rust(&RustOptions::new()).unwrap()
}

fn names(schema: &Schema) -> Vec<&str> {
    schema.types().filter_map(Type::name).collect()
}

#[test]
fn several_files_are_equal_to_one_file() {
    random::check("sets of atd files", SETS, Set::random, |_, set| {
        let whole = Schema::parse(&set.whole).unwrap();
        let (_folder, schema) = set.read(&BTreeSet::new());
        let schema = schema.unwrap();
        assert_eq!(schema.missing().len(), 0);
        assert_eq!(names(&schema), names(&whole));
        assert!(schema.compare(&whole).is_empty() && whole.compare(&schema).is_empty());
        assert_eq!(rust(&schema), rust(&whole));
        for (name, json) in &set.values {
            let bytes = make(&schema, json, name).unwrap();
            assert_eq!(bytes, make(&whole, json, name).unwrap(), "{name}: {json}");
            let shown = to_json(&schema, &bytes, name).unwrap();
            assert_eq!(shown, to_json(&whole, &bytes, name).unwrap(), "{name}: {json}");
        }
    });
}

#[test]
fn all_missing_types_are_named() {
    let (mut refused, mut chosen) = (0, 0);
    random::check("sets of atd files", SETS, Set::random, |_, set| {
        let (_folder, schema) = set.read(&set.gone);
        let schema = schema.unwrap();
        let missing = set.missing();
        assert_eq!(schema.missing().collect::<Vec<_>>(), missing);
        let listed: Vec<_> =
            missing.iter().map(|(name, module)| format!("`{name}` of {module}")).collect();
        // An unused type with parameters is not part of any type.
        let is_needed = |line: &Line| match &line.imported {
            Some((from, ..)) => set.gone.contains(from) && !line.text.starts_with("type '"),
            None => false,
        };
        match schema.to_rust(&RustOptions::new()) {
            Err(error) => {
                let expected = ErrorKind::Missing { names: listed.join(", ") };
                assert_eq!(error.kind(), &expected);
                assert!(!error.to_string().contains('\n'), "{error}");
                refused += 1;
            }
            Ok(text) => assert!(!set.files[0].iter().any(is_needed), "{text}"),
        }
        let text = schema.to_rust(&RustOptions::new().with_type("abstract", "Mine")).unwrap();
        assert!(!text.contains("Mine") || !missing.is_empty(), "{text}");
        chosen += usize::from(text.contains("Mine"));
        let whole = Schema::parse(&set.whole).unwrap();
        for (name, json) in &set.values {
            let made = make(&schema, json, name);
            if made.is_ok() || !set.lacks(0, name, &mut BTreeSet::new()) {
                assert_eq!(made.unwrap(), make(&whole, json, name).unwrap(), "{name}: {json}");
            }
        }
    });
    println!("{SETS} sets, {refused} refused, {chosen} with a type for what is missing");
    assert!(refused > SETS / 4 && chosen > SETS / 10, "{refused} {chosen}");
}

#[test]
fn types_that_are_imported_from_themselves_are_refused() {
    let mut count = 0;
    random::check("sets of atd files", SETS, Set::random, |_, mut set| {
        let Some((file, line)) = set.ring.take() else { return };
        count += 1;
        let place = set.files[file].iter().position(|it| it.id == line.id).unwrap();
        set.files[file][place] = line;
        let (_folder, schema) = set.read(&BTreeSet::new());
        let error = schema.unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Cyclic);
        assert!(error.location().unwrap().file().is_some());
        assert!(!error.to_string().contains('\n'), "{error}");
    });
    println!("{SETS} sets, {count} with a type that comes from itself");
    assert!(count > SETS / 4, "{count}");
}
