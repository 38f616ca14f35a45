//! `Outline`: the values and errors of `Value`, without a tree in memory.

use fourfold::Path;
use fourfold::biniou::{
    Node, NodeParts, Options, StreamDeserializer, Table, Value, from_slice, to_vec,
};

use crate::support::alloc::measure_value;
use crate::support::fixture::Fixtures;
use crate::support::random::Dice;

const FIXTURES: Fixtures = Fixtures("biniou");

/// Converts a node to a tree.
fn tree(node: &Node<'_>) -> Value {
    let argument = |argument: Option<Node<'_>>| argument.map(|node| Box::new(tree(&node)));
    match node.parts() {
        NodeParts::Scalar(value) => value,
        NodeParts::String(bytes) => Value::String(bytes.to_vec()),
        NodeParts::Array(items) => Value::Array(items.iter().map(|it| tree(&it)).collect()),
        NodeParts::Tuple(items) => Value::Tuple(items.iter().map(|it| tree(&it)).collect()),
        NodeParts::Record(fields) => {
            Value::Record(fields.iter().map(|(hash, it)| (hash, tree(&it))).collect())
        }
        NodeParts::Table(rows) => {
            let mut table = Table::default();
            for row in rows.iter() {
                let NodeParts::Record(cells) = row.parts() else { panic!("{row:?}") };
                let cells = cells.iter().map(|(hash, cell)| (hash, tree(&cell)));
                let (columns, row) = cells.map(|(hash, it)| ((hash, it.tag()), it)).unzip();
                table.columns = columns;
                table.rows.push(row);
            }
            Value::from(table)
        }
        NodeParts::NumVariant(number, it) => Value::NumVariant(number, argument(it)),
        NodeParts::Variant(hash, it) => Value::Variant(hash, argument(it)),
        NodeParts::Shared(id, it) => Value::Shared(id, Box::new(tree(&it))),
        NodeParts::Overlong(extra, it) => Value::Overlong(extra, Box::new(tree(&it))),
        other => panic!("{other:?}"),
    }
}

/// The tree reader's result for the same bytes.
fn expected(bytes: &[u8]) -> Result<Vec<Value>, String> {
    match bytes.is_empty() {
        true => from_slice::<Value>(bytes).map(|value| vec![value]),
        false => StreamDeserializer::<_, Value>::from_slice(bytes).collect(),
    }
    .map_err(|error| error.to_string())
}

fn outlined(bytes: &[u8]) -> Result<Vec<Value>, String> {
    let outline = Options::new().outline(bytes).map_err(|error| error.to_string())?;
    assert!(!outline.values().is_empty());
    let values: Vec<Value> = outline.values().iter().map(|node| tree(&node)).collect();
    assert_eq!(values.len(), outline.values().len());
    Ok(values)
}

#[track_caller]
fn assert_same(bytes: &[u8]) {
    let (found, expected) = (outlined(bytes), expected(bytes));
    assert!(found == expected, "{bytes:?}\n{found:?}\n{expected:?}");
}

fn files() -> Vec<Vec<u8>> {
    let folders = ["data", "typed", "tree-reader", "multi"];
    let names = folders.into_iter().flat_map(|folder| {
        FIXTURES.names(folder, "biniou").into_iter().map(move |name| format!("{folder}/{name}"))
    });
    names.map(|name| FIXTURES.bytes(&format!("{name}.biniou"))).collect()
}

#[test]
fn an_outline_has_the_values_of_a_tree() {
    let files = files();
    assert!(files.len() > 100, "{}", files.len());
    files.iter().for_each(|bytes| assert_same(bytes));
    // Concatenated, with shared values in each.
    let joined = files.iter().filter(|bytes| expected(bytes).is_ok());
    assert_same(&joined.flatten().copied().collect::<Vec<u8>>());
}

#[test]
fn an_outline_has_the_errors_of_a_tree() {
    let mut dice = Dice::of("an_outline_has_the_errors_of_a_tree");
    for bytes in files().into_iter().filter(|bytes| bytes.len() < 500) {
        (0..bytes.len()).for_each(|end| assert_same(&bytes[..end]));
        for _ in 0..bytes.len().min(60) {
            let mut changed = bytes.clone();
            let at = dice.below(changed.len());
            changed[at] = u8::try_from(dice.below(256)).unwrap();
            assert_same(&changed);
        }
    }
    for limit in [1, 2, 3] {
        let options = Options::new().max_depth(limit);
        let bytes = [20, 1, 20, 1, 20, 1, 24, 0];
        let tree = options.from_slice::<Value>(&bytes).map(drop).map_err(|error| error.to_string());
        let found = options.outline(&bytes).map(drop).map_err(|error| error.to_string());
        assert_eq!(found, tree, "{limit}");
    }
}

/// Nested lists that are long enough for their end to be stored.
#[test]
fn long_nodes_have_their_end() {
    let inner: Vec<(i64, String)> = (0..300).map(|it| (it * it, "x".repeat(20))).collect();
    let nested = vec![vec![inner.clone(), inner.clone()], vec![], vec![inner]];
    let bytes = to_vec(&(nested, 7, "end")).unwrap();
    assert_same(&bytes);
    // A row begins at the offset of its first cell.
    #[derive(serde::Serialize)]
    struct Row {
        text: String,
        #[serde(with = "fourfold::biniou::with::int8")]
        number: u8,
    }
    let row = |number| Row { text: "x".repeat(5000), number };
    assert_same(&to_vec(&fourfold::biniou::with::Table(vec![row(1), row(2), row(3)])).unwrap());
    // A long list of overlong numbers: 3 bytes instead of one.
    let bytes = [&[19, 0xa0, 0x1f, 16][..], &[0x85, 0x80, 0].repeat(4000)].concat();
    assert_same(&bytes);
}

#[test]
fn a_nested_value_has_its_own_node() {
    let bytes = FIXTURES.bytes("data/save.player-one.biniou");
    let options = Options::new();
    for path in ["score", "inventory", "inventory[1]", "inventory[1].slot", ""] {
        let path = Path::new(path).unwrap();
        let node = options.outline_at(&bytes, &path).unwrap();
        assert_eq!(tree(&node), options.at::<Value>(&bytes, &path).unwrap(), "{path}");
        assert!(!node.has_shared());
    }
    let error = options.outline_at(&bytes, &Path::new("inventory[99]").unwrap()).unwrap_err();
    assert!(error.to_string().contains("item 99"), "{error}");
    // SHARED 5.
    let bytes = [26, 0, 17, 10];
    assert!(options.outline(&bytes).unwrap().values().iter().all(|node| node.has_shared()));
}

/// Memory is used only for long nodes and shared values.
#[test]
fn memory_does_not_grow_with_nodes() {
    const MOST: usize = 1 << 14;
    let records: Vec<(u32, Vec<String>)> =
        (0..20_000).map(|it| (it, vec!["a".into(), "b".into()])).collect();
    let numbers: Vec<i64> = (0..100_000).collect();
    for bytes in [to_vec(&records).unwrap(), to_vec(&numbers).unwrap(), vec![0; 200_000]] {
        assert!(bytes.len() >= 200_000);
        let ((), stats) = measure_value(|| {
            let outline = Options::new().outline(&bytes).unwrap();
            for value in outline.values().iter() {
                if let NodeParts::Array(items) | NodeParts::Tuple(items) = value.parts() {
                    items.iter().for_each(|item| drop(tree(&item)));
                }
            }
        });
        assert!(stats.peak < MOST, "{stats:?}");
    }
    // Refused bytes take no more memory.
    let mut cut = to_vec(&records).unwrap();
    cut.pop();
    let (outline, stats) = measure_value(|| Options::new().outline(&cut));
    assert!(outline.is_err() && stats.peak < MOST, "{stats:?}");
}
