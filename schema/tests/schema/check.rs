//! Rust types checked against `.mol` schemas: matching types pass, and each change of a schema is reported.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use fourfold::molecule;
use fourfold::molecule::with::{dynvec, fixvec};
use fourfold_schema::mol::{self, Mismatches, Schema};
use serde::{Deserialize, Serialize};

use crate::ckb::types::*;

const FOLDER: &str = "../tests/fixtures/molecule/schemas";

fn text(name: &str) -> String {
    fs::read_to_string(format!("{FOLDER}/{name}.mol")).unwrap()
}

fn chain() -> Schema {
    Schema::from_file(format!("{FOLDER}/extensions.mol")).unwrap()
}

type Check = fn(&Schema, &str) -> Result<(), Mismatches>;

/// Types with the same name in Rust and in the schemas.
macro_rules! checks {
    ($($type:ident)*) => {
        &[$((stringify!($type), |schema, name| schema.check::<$type>(name))),*]
    };
}

const CHAIN: &[(&str, Check)] = checks! {
    Byte32 Uint256 Bytes ProposalShortId Script OutPoint CellInput CellOutput CellDep RawTransaction
    Transaction RawHeader Header UncleBlock Block BlockV1 CellbaseWitness WitnessArgs BytesOptVec BytesVec
    Byte32Vec UncleBlockVec TransactionVec ProposalShortIdVec CellDepVec CellInputVec CellOutputVec
};

const EXTENSIONS: &[(&str, Check)] = checks! {
    BeUint32 BeUint64 HeaderDigest HeaderView UncleBlockVecView TransactionView BlockExt BlockExtV1 EpochExt
    TransactionKey NumberHash TransactionInfo CellEntry CellDataEntry RelayMessage CompactBlock
    CompactBlockV1 RelayTransaction RelayTransactions RelayTransactionHashes GetRelayTransactions
    GetBlockTransactions BlockTransactions GetBlockProposal BlockProposal IndexTransaction
    BlockFilterMessage GetBlockFilters BlockFilters GetBlockFilterHashes BlockFilterHashes
    GetBlockFilterCheckPoints BlockFilterCheckPoints SyncMessage GetHeaders GetBlocks SendHeaders SendBlock
    FilteredBlock MerkleProof InIBD VerifiableHeader LightClientMessage GetLastState SendLastState
    GetLastStateProof SendLastStateProof GetBlocksProof SendBlocksProof SendBlocksProofV1
    GetTransactionsProof SendTransactionsProof SendTransactionsProofV1 Time RawAlert Alert Identify
    Uint32Vec Uint64Vec Uint256Vec HeaderVec OutPointVec RelayTransactionVec IndexTransactionVec
    HeaderDigestVec VerifiableHeaderVec FilteredBlockVec
};

#[test]
fn types_of_a_ckb_node_match_its_schemas() {
    let schema = chain();
    for (name, check) in CHAIN.iter().chain(EXTENSIONS) {
        if let Err(mismatches) = check(&schema, name) {
            panic!("{name}:\n{mismatches}");
        }
    }
}

type Made = fn() -> Result<Schema, Mismatches>;

macro_rules! made {
    ($($type:ident)*) => {
        &[$((stringify!($type), mol::schema_of::<$type>)),*]
    };
}

const MADE: &[(&str, Made)] = made! {
    Block BlockV1 CellbaseWitness WitnessArgs BytesOptVec HeaderView BlockExtV1 EpochExt TransactionInfo CellEntry
    RelayMessage SyncMessage LightClientMessage BlockFilterMessage Alert Identify
};

/// The schema generated from a type is equal to the original schema in sizes and, where Rust has names, in names.
#[test]
fn the_schema_of_a_type_is_equal_to_the_original() {
    let written = chain();
    for (name, schema_of) in MADE {
        let made = schema_of().unwrap_or_else(|mismatches| panic!("{name}:\n{mismatches}"));
        let ty = made.types().last().unwrap();
        let (_, check) = CHAIN.iter().chain(EXTENSIONS).find(|(own, _)| own == name).unwrap();
        check(&made, ty.name())
            .unwrap_or_else(|mismatches| panic!("{name}:\n{mismatches}\n{made}"));
        let sizes = |schema: &Schema, ty: &str| schema.get(ty).unwrap().size();
        assert_eq!(sizes(&made, ty.name()), sizes(&written, name), "{made}");
    }
    let block = fs::read("../tests/fixtures/molecule/genesis/mainnet.bin").unwrap();
    mol::schema_of::<Block>().unwrap().to_value(&block, "Block").unwrap();
}

/// The printed text of a schema is parsed as the same schema.
#[test]
fn printed_schemas_are_parsed_as_the_same_schema() {
    for file in fs::read_dir(FOLDER).unwrap() {
        let path = file.unwrap().path();
        let schema = Schema::from_file(&path).unwrap();
        let text = schema.to_string();
        let again = Schema::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(again.to_string(), text, "{path:?}");
        let lines = |schema: &Schema| schema.types().map(crate::molecule::line).collect::<Vec<_>>();
        assert_eq!(lines(&again), lines(&schema), "{path:?}");
        let docs =
            |schema: &Schema| schema.types().map(|ty| ty.docs().to_owned()).collect::<Vec<_>>();
        assert_eq!(docs(&again), docs(&schema), "{path:?}");
    }
}

/// Types without a name in Rust get unique names in the schema.
#[test]
fn types_without_a_name_get_a_unique_name() {
    #[derive(Deserialize, Serialize)]
    enum Shape {
        Nothing,
        Also,
        Side(u32),
        Other(u32),
        Box(u8, String),
        Named { r#type: Option<u8>, wide: (u16, u16) },
    }

    #[derive(Deserialize, Serialize)]
    #[serde(rename = "byte")]
    struct Byte {
        #[serde(rename = "0-a")]
        a: f64,
        #[serde(rename = "0 a")]
        b: char,
    }

    #[derive(Deserialize, Serialize)]
    struct All(Byte, Shape, BTreeMap<String, ()>, [i16; 3]);

    let schema = mol::schema_of::<All>().unwrap();
    let expected = "array Float64 [byte; 8];

array Char [byte; 4];

table byte2 {
    f0_a: Float64,
    f0_a_: Char,
}

option Shape_Nothing (byte);

option Shape_Also (byte);

array Uint32 [byte; 4];

array Shape_Other [byte; 4];

vector Bytes <byte>;

table Shape_Box {
    f0: byte,
    f1: Bytes,
}

option ByteOpt (byte);

array Uint16 [byte; 2];

array Uint16Array2 [Uint16; 2];

table Shape_Named {
    type: ByteOpt,
    wide: Uint16Array2,
}

union Shape {
    Shape_Nothing: 0,
    Shape_Also: 1,
    Uint32: 2,
    Shape_Other: 3,
    Shape_Box: 4,
    Shape_Named: 5,
}

table Unit {}

table BytesUnitTuple {
    key: Bytes,
    value: Unit,
}

vector BytesUnitTupleVec <BytesUnitTuple>;

array Int16 [byte; 2];

array Int16Array3 [Int16; 3];

table All {
    f0: byte2,
    f1: Shape,
    f2: BytesUnitTupleVec,
    f3: Int16Array3,
}
";
    assert_eq!(schema.to_string(), expected);
    let unmarked = schema.check::<All>("All").unwrap_err();
    assert_eq!(unmarked.iter().map(|mismatch| mismatch.path()).collect::<Vec<_>>(), ["2"]);
    for shape in [
        Shape::Nothing,
        Shape::Also,
        Shape::Side(7),
        Shape::Other(8),
        Shape::Box(1, "text".into()),
        Shape::Named { r#type: None, wide: (1, 2) },
    ] {
        let map = BTreeMap::from([("key".to_owned(), ())]);
        let all = All(Byte { a: 0.5, b: 'b' }, shape, map, [1, 2, 3]);
        schema.to_value(&molecule::to_vec(&all).unwrap(), "All").unwrap();
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Chain {
        next: Option<Box<Chain>>,
    }
    let error = mol::schema_of::<Chain>().unwrap_err();
    assert_eq!(error.to_string(), "`Chain` contains itself, which a schema cannot express");
    assert_eq!(mol::schema_of::<u8>().unwrap().to_string(), "array Byte1 [byte; 1];\n");
}

/// Variants of a declaration that change bytes.
fn mutations(declaration: &str) -> Vec<String> {
    let is_sign = |c: char| !c.is_alphanumeric() && c != '_';
    let words: Vec<&str> = declaration.split(is_sign).filter(|word| !word.is_empty()).collect();
    let name = words[1];
    let mut changed = Vec::new();
    match words[0] {
        "array" => {
            let inner = declaration.strip_suffix(';').unwrap();
            let (front, count) = inner.rsplit_once(';').unwrap();
            let count: usize = count.trim().trim_end_matches(']').parse().unwrap();
            changed.push(format!("{front}; {}];", count + 1));
        }
        "vector" => {
            let item = words[2];
            let other = if item == "Bytes" { "byte" } else { "Bytes" };
            changed.push(format!("vector {name} <{other}>;"));
            changed.push(format!("option {name} ({item});"));
        }
        "option" => {
            let item = words[2];
            changed.push(format!("vector {name} <{item}>;"));
        }
        "struct" | "table" => {
            let (front, fields) = declaration.split_once('{').unwrap();
            let fields: Vec<&str> = fields.trim_end_matches('}').split_inclusive(',').collect();
            let fields = &fields[..fields.len() - 1];
            let with = |fields: &[&str]| format!("{front}{{{}}}", fields.concat());
            changed.push(with(&[fields, &["extra: byte,"]].concat()));
            if fields.len() > 1 {
                changed.push(with(&fields[1..]));
                let mut swapped = fields.to_vec();
                swapped.swap(0, 1);
                changed.push(with(&swapped));
            }
            if words[0] == "struct" {
                changed.push(declaration.replacen("struct", "table", 1));
            }
        }
        _ => {}
    }
    changed
}

/// Declarations without comments, one for each type.
fn declarations(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.split("//").next().unwrap());
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut all = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("*/") {
        let begin = rest.find("/*").unwrap();
        all.push(rest[..begin].to_owned());
        rest = &rest[at + 2..];
    }
    all.push(rest.to_owned());
    let text = all.concat();
    let text = text.replace(" ;", ";").replace("  ", " ");
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        // A declaration without fields ends with `;`, except for the one in the brackets of an array.
        let sign = rest.find(['{', '[', ';']).unwrap();
        let end = match &rest[sign..=sign] {
            "{" => rest.find('}').unwrap(),
            "[" => sign + rest[sign..].find("];").unwrap() + 1,
            _ => sign,
        };
        let (one, after) = rest.split_at(end + 1);
        found.push(one.to_owned());
        rest = after.trim_start();
    }
    found
}

/// Each change is reported by the check of at least one type.
#[test]
fn each_change_of_the_schema_is_reported() {
    let declarations = declarations(&text("blockchain"));
    let mut found = 0;
    for (at, declaration) in declarations.iter().enumerate() {
        for changed in mutations(declaration) {
            let mut all = declarations.clone();
            all[at] = changed.clone();
            let Ok(schema) = Schema::parse(&all.join("\n")) else {
                continue;
            };
            let is_reported = CHAIN.iter().any(|(name, check)| check(&schema, name).is_err());
            assert!(is_reported, "no type reports {changed}");
            found += 1;
        }
    }
    assert!(found >= 60, "{found} changes");
}

const OUT_POINTS: &str = "
    array Byte32 [byte; 32];
    array Uint32 [byte; 4];
    vector Bytes <byte>;
    vector BytesVec <Bytes>;
    option BytesOpt (Bytes);
    struct OutPoint { tx_hash: Byte32, index: Uint32, }
    vector OutPointVec <OutPoint>;
    table Spend { inputs: OutPointVec, notes: BytesVec, memo: BytesOpt, }
    union Item { OutPoint, Bytes: 7, }
";

fn check<T: for<'de> Deserialize<'de>>(name: &str) -> String {
    match Schema::parse(OUT_POINTS).unwrap().check::<T>(name) {
        Ok(()) => "fits".to_owned(),
        Err(mismatches) => mismatches.to_string(),
    }
}

/// Types with one mismatch each.
#[test]
fn each_mismatch_names_the_fix() {
    #[derive(Deserialize)]
    #[serde(rename = "struct.OutPoint")]
    #[allow(dead_code)]
    struct Right {
        tx_hash: [u8; 32],
        index: u32,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Unmarked {
        tx_hash: [u8; 32],
        index: u32,
    }

    #[derive(Deserialize)]
    #[serde(rename = "struct.OutPoint")]
    #[allow(dead_code)]
    struct Swapped {
        index: u32,
        tx_hash: [u8; 32],
    }

    #[derive(Deserialize)]
    #[serde(rename = "struct.OutPoint")]
    #[allow(dead_code)]
    struct Wide {
        tx_hash: [u8; 32],
        index: u64,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Spend<P, M> {
        #[serde(with = "fixvec", bound = "P: Deserialize<'de>")]
        inputs: Vec<P>,
        #[serde(with = "dynvec")]
        notes: Vec<String>,
        #[serde(bound = "M: Deserialize<'de>")]
        memo: M,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Markless {
        inputs: Vec<Unmarked>,
        notes: Vec<String>,
        memo: Option<String>,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    enum Item {
        OutPoint(Right),
        Bytes(Vec<u8>),
    }

    #[derive(Deserialize)]
    #[serde(rename = "union.Item.OutPoint-0.Bytes-7")]
    #[allow(dead_code)]
    enum MarkedItem {
        OutPoint(Right),
        Bytes(Vec<u8>),
    }

    assert_eq!(check::<Right>("OutPoint"), "fits");
    assert_eq!(check::<Spend<Right, Option<String>>>("Spend"), "fits");
    // The mark of the vector makes its items structs.
    assert_eq!(check::<Spend<Unmarked, Option<String>>>("Spend"), "fits");
    assert_eq!(check::<MarkedItem>("Item"), "fits");

    let cases: &[(String, &str)] = &[
        (check::<Right>("OutPont"), "the schema has no type `OutPont` (did you mean `OutPoint`?)"),
        (
            check::<Unmarked>("OutPoint"),
            "the schema has struct `OutPoint` of 36 bytes, the type is a table: mark it `struct.Unmarked`",
        ),
        (
            check::<Swapped>("OutPoint"),
            "the fields are in another order: their order is tx_hash, index",
        ),
        (
            check::<Wide>("OutPoint"),
            "index: the schema has array `Uint32` of 4 bytes, the type is u64 of 8 bytes: make it `u32`",
        ),
        (
            check::<Spend<Right, String>>("Spend"),
            "memo: the schema has option `BytesOpt`, the type is a fixvec: make it an `Option`",
        ),
        (
            check::<Markless>("Spend"),
            "inputs: the schema has fixvec `OutPointVec`, the type is a dynvec: mark the sequence with \
             `molecule::with::fixvec`\n\
             notes: an empty dynvec `BytesVec` has no mark and is a fixvec: mark the sequence with \
             `molecule::with::dynvec`",
        ),
        (
            check::<Item>("Item"),
            "the schema has the ids 0, 7, the type 0, 1: mark it `union.Item.OutPoint-0.Bytes-7`",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}

/// A packed struct writes all its fields, so a field without a fixed size is refused even if its value is empty.
#[test]
fn dynamic_fields_of_a_packed_struct_are_refused() {
    #[derive(Serialize, Deserialize, Default)]
    #[serde(rename = "struct.Packed")]
    struct Packed<T> {
        id: u8,
        field: T,
    }

    fn verdict<T: Default + Serialize + for<'de> Deserialize<'de>>() -> String {
        molecule::to_vec(&Packed::<T>::default()).unwrap_err();
        let around = mol::check::<Option<Packed<T>>>().to_string();
        assert!(around.starts_with("some values\n"), "{around}");
        let around = mol::check::<Vec<Packed<T>>>().to_string();
        assert!(around.starts_with("some values\n"), "{around}");
        mol::check::<Packed<T>>().to_string()
    }

    let dynamic =
        |what: &str| format!("never\nfield: {what} is dynamic, and what is around it is packed");
    assert_eq!(verdict::<Vec<u32>>(), dynamic("a fixvec"));
    assert_eq!(verdict::<Vec<String>>(), dynamic("a dynvec"));
    assert_eq!(verdict::<Option<u8>>(), dynamic("an option"));
    assert_eq!(verdict::<BTreeMap<u8, u8>>(), dynamic("a dynvec"));
    assert_eq!(verdict::<String>(), dynamic("a fixvec"));
}

/// The suggested mark has all missing variants, without aliases.
#[test]
fn all_variants_missing_in_a_mark_are_reported_at_once() {
    #[derive(Deserialize)]
    #[serde(rename = "union.Event.Start-4.Stop-0")]
    #[allow(dead_code)]
    enum Event {
        Start(u8),
        Pause(u8),
        Stop(u8),
        Resume(u8),
    }

    #[derive(Deserialize)]
    #[serde(rename = "union.Level.Low-1.High-2")]
    #[allow(dead_code)]
    enum Level {
        #[serde(alias = "low", alias = "least")]
        Low(u8),
        #[serde(alias = "high")]
        High(u8),
    }

    let verdict = mol::check::<Event>().to_string();
    assert_eq!(
        verdict,
        "some values\n\
         the mark `union.Event.Start-4.Stop-0` leaves out `Pause`, `Resume`: use `#[serde(rename = \
         \"union.Event.Start-4.Stop-0.Pause-1.Resume-2\")]`, with the schema's ids"
    );
    assert_eq!(mol::check::<Level>().to_string(), "always");
}

/// `check` without a schema reports what Molecule cannot represent.
#[test]
fn types_that_molecule_cannot_represent_are_reported() {
    #[derive(Deserialize)]
    #[serde(rename = "struct.Cell")]
    #[allow(dead_code)]
    struct Cell {
        capacity: u64,
        note: Option<u8>,
        names: Vec<u8>,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Outer {
        cells: Vec<BTreeMap<u8, Cell>>,
        any: serde_json::Value,
        fields: Inner,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Inner {
        #[serde(with = "dynvec")]
        fixed: Vec<u8>,
    }

    #[derive(Deserialize)]
    #[serde(rename = "union.Choice.One-0")]
    #[allow(dead_code)]
    enum Choice {
        One,
        Two,
    }

    /// Refuses all values that tracing tries.
    #[derive(Deserialize)]
    #[serde(try_from = "u8")]
    #[allow(dead_code)]
    struct Picky(u8);

    impl TryFrom<u8> for Picky {
        type Error = &'static str;

        fn try_from(_: u8) -> Result<Self, &'static str> {
            Err("nothing is good enough")
        }
    }

    let mut found = String::new();
    writeln!(found, "{}", mol::check::<Outer>().into_result().unwrap_err()).unwrap();
    writeln!(found, "{}", mol::check::<Choice>().into_result().unwrap_err()).unwrap();
    writeln!(found, "{}", mol::check::<(Picky, String)>().into_result().unwrap_err()).unwrap();
    assert_eq!(
        found,
        "cells[][].note: an option is dynamic, and what is around it is packed\n\
         cells[][].names: a fixvec is dynamic, and what is around it is packed\n\
         any: calls `deserialize_any`, and Molecule is not self-describing: mark it `any`\n\
         fields.fixed: items of a fixed size are marked `dynvec`: mark the sequence with `molecule::with::fixvec`\n\
         the mark `union.Choice.One-0` leaves out `Two`: use `#[serde(rename = \"union.Choice.One-0.Two-1\")]`, \
         with the schema's ids\n\
         1: cannot be seen: no value of the type was accepted on the way\n"
    );
    // Checks of types that contain themselves end.
    #[derive(Deserialize)]
    #[allow(dead_code)]
    enum Tree {
        Fork(Box<Tree>, Box<Tree>),
        List(Vec<Tree>),
        Leaf(u8),
    }
    mol::check::<Tree>().into_result().unwrap();
    mol::check::<BTreeMap<String, Option<Box<Tree>>>>().into_result().unwrap();
}

const NOTES: &str = "
    vector Bytes <byte>;
    vector Notes <Bytes>;
    vector Lines <Bytes>;
    vector NotesVec <Notes>;
    option NotesOpt (Notes);
    table Two { a: Notes, b: Notes, }
    table Pair { left: Notes, right: Notes, }
    table Pairs { a: Pair, b: Pair, }
    table Options { a: NotesOpt, b: NotesOpt, }
    table Deep { a: NotesVec, b: NotesVec, }
    table Pages { first: Two, second: Two, third: Deep, }
    vector Map <Pair>;
    union Item { Notes, Lines, Two, Pair, }
    table Tree0 { a: Notes, b: Notes, inside: Notes, }
    vector Trees0 <Tree0>;
    table Tree1 { a: Notes, b: Notes, inside: Trees0, }
    vector Trees1 <Tree1>;
    table Tree2 { a: Notes, b: Notes, inside: Trees1, }
";

type Unmarked = Vec<Vec<u8>>;

/// The paths of all mismatches.
fn paths<T: for<'de> Deserialize<'de>>(name: &str) -> Vec<String> {
    let checked = Schema::parse(NOTES).unwrap().check::<T>(name);
    let mismatches = checked.expect_err("a mark is missing");
    mismatches.iter().map(|mismatch| mismatch.path().to_owned()).collect()
}

/// A mark is an attribute of a field, so each field without it is reported, also if others have the same type.
#[test]
fn each_field_of_the_same_type_is_reported() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Two<T> {
        a: T,
        b: T,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Pages {
        first: Two<Unmarked>,
        second: Two<Unmarked>,
        third: Two<Vec<Unmarked>>,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    enum Item {
        Notes(Unmarked),
        Lines(Unmarked),
        Two { a: Unmarked, b: Unmarked },
        Pair(Unmarked, Unmarked),
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Tree {
        a: Unmarked,
        b: Unmarked,
        inside: Vec<Tree>,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Newtype(Unmarked);

    assert_eq!(
        Schema::parse(NOTES).unwrap().check::<Two<Unmarked>>("Two").unwrap_err().to_string(),
        "a: an empty dynvec `Notes` has no mark and is a fixvec: mark the sequence with `molecule::with::dynvec`\n\
         b: an empty dynvec `Notes` has no mark and is a fixvec: mark the sequence with `molecule::with::dynvec`",
    );
    assert_eq!(paths::<Two<Option<Unmarked>>>("Options"), ["a", "b"]);
    assert_eq!(paths::<Two<Newtype>>("Two"), ["a", "b"]);
    assert_eq!(paths::<Two<Vec<Unmarked>>>("Deep"), ["a", "a[]", "b", "b[]"]);
    assert_eq!(paths::<(Unmarked, Unmarked)>("Pair"), ["0", "1"]);
    assert_eq!(paths::<[Unmarked; 2]>("Pair"), ["0", "1"]);
    assert_eq!(paths::<Two<(Unmarked, Unmarked)>>("Pairs"), ["a.0", "a.1", "b.0", "b.1"]);
    assert_eq!(paths::<BTreeMap<Unmarked, Unmarked>>("Map"), ["", "[].key", "[].value"]);
    // A struct's own fields are reported once: all its values share them.
    assert_eq!(
        paths::<Pages>("Pages"),
        ["first.a", "first.b", "third.a", "third.a[]", "third.b", "third.b[]"]
    );
    assert_eq!(paths::<Item>("Item"), ["Notes", "Lines", "Two.a", "Two.b", "Pair.0", "Pair.1"]);
    assert_eq!(
        paths::<Tree>("Tree2"),
        [
            "a",
            "b",
            "inside",
            "inside[].a",
            "inside[].b",
            "inside[].inside",
            "inside[].inside[].a",
            "inside[].inside[].b",
            "inside[].inside[].inside",
            "inside[].inside[].inside[]",
        ]
    );
}

/// With fields of the same type on each level, the number of paths grows exponentially.
#[test]
fn the_number_of_mismatches_is_limited() {
    type P1 = (Unmarked, Unmarked);
    type P2 = (P1, P1);
    type P3 = (P2, P2);
    type P4 = (P3, P3);
    type P5 = (P4, P4);
    type P6 = (P5, P5);
    type P7 = (P6, P6);
    type P8 = (P7, P7);
    type P9 = (P8, P8);
    type P10 = (P9, P9);
    type P11 = (P10, P10);
    type P12 = (P11, P11);

    let mut text = NOTES.to_owned();
    text.push_str("table P1 { l: Notes, r: Notes, }");
    for level in 2..=12 {
        write!(text, "table P{level} {{ l: P{0}, r: P{0}, }}", level - 1).unwrap();
    }
    let mismatches = Schema::parse(&text).unwrap().check::<P12>("P12").unwrap_err();
    assert_eq!(mismatches.iter().len(), 1000);
}

/// The same without a schema.
#[test]
fn each_field_that_molecule_cannot_represent_is_reported() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Fields {
        #[serde(with = "dynvec")]
        a: Vec<u8>,
        #[serde(with = "dynvec")]
        b: Vec<u8>,
        c: Option<serde_json::Value>,
        d: Option<serde_json::Value>,
        e: (serde_json::Value, u8),
        f: (serde_json::Value, u8),
        g: Vec<Fields>,
    }

    let mismatches = mol::check::<Fields>().into_result().unwrap_err();
    let paths: Vec<&str> = mismatches.iter().map(|mismatch| mismatch.path()).collect();
    assert_eq!(paths, ["a", "b", "c", "d", "e.0", "f.0"]);
}
