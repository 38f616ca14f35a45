//! Random trees are encoded and decoded without change.

use crate::support::random::{Dice, Source as _, value};
use fourfold_schema::notation::{Builtin, Scalars, Tree};

use super::{notation, section_4};

const BUILTINS: [Builtin; 10] = [
    Builtin::Int8,
    Builtin::Int16,
    Builtin::Int32,
    Builtin::Int64,
    Builtin::Char8,
    Builtin::Char16,
    Builtin::Char32,
    Builtin::Float32,
    Builtin::Float64,
    Builtin::Byte,
];

fn bytes(g: &mut Dice, len: usize) -> Vec<u8> {
    (0..len).map(|_| g.draw()).collect()
}

fn count(len: usize) -> Tree<'static> {
    i32::try_from(len).unwrap().into()
}

fn list(
    g: &mut Dice,
    len: usize,
    mut item: impl FnMut(&mut Dice) -> Tree<'static>,
) -> Tree<'static> {
    Tree::Array((0..len).map(|_| item(g)).collect())
}

/// The text and the tree of random fields.
fn any(g: &mut Dice, levels: usize, text: &mut String) -> Tree<'static> {
    let mut fields = Vec::new();
    for index in 0..1 + g.below(4) {
        let builtin = BUILTINS[g.below(BUILTINS.len())];
        let len = g.below(4);
        let raw = bytes(g, len * builtin.size());
        let array = Scalars::new(builtin, raw).unwrap();
        let (shape, value) = match g.below(if levels == 0 { 4 } else { 6 }) {
            0 | 1 => {
                let raw = bytes(g, builtin.size());
                let value = Scalars::new(builtin, raw).unwrap().get(0).unwrap();
                (builtin.to_string(), value)
            }
            2 => (format!("{builtin}*{len}"), Tree::Scalars(array)),
            3 => {
                // A count before it.
                text.push_str(&format!("<int32:n{index}>"));
                fields.push((format!("n{index}"), count(len)));
                (format!("{builtin}*$n{index}"), Tree::Scalars(array))
            }
            4 => {
                let mut inner = String::new();
                let value = any(g, levels - 1, &mut inner);
                (format!("[{inner}]"), value)
            }
            _ => {
                let mut inner = String::new();
                let value = any(g, levels - 1, &mut inner);
                let items = list(g, len, |_| value.clone());
                (format!("<int8:mark>{inner}*{len}"), with_marks(items))
            }
        };
        text.push_str(&format!("<{shape}:f{index}>"));
        fields.push((format!("f{index}"), value));
    }
    Tree::structure(fields)
}

/// The same structures with one more field before the others.
fn with_marks(items: Tree<'static>) -> Tree<'static> {
    let Tree::Array(items) = items else { panic!("no array") };
    let marked = items.into_iter().enumerate().map(|(index, item)| {
        let Tree::Struct(fields) = item else { panic!("no structure") };
        let mark = [("mark".to_owned(), Tree::from(i8::try_from(index).unwrap()))];
        let fields = fields.iter().map(|(name, value)| (name.to_owned(), value.clone()));
        Tree::structure(mark.into_iter().chain(fields))
    });
    Tree::Array(marked.collect())
}

#[test]
fn random_fields_survive() {
    let mut g = Dice::of("fields");
    for _ in 0..3000 {
        let mut text = String::new();
        let tree = any(&mut g, 3, &mut text);
        let notation = notation(&text);
        let bytes = notation.encode(&tree).unwrap_or_else(|error| panic!("{text}: {error}"));
        let read = notation.decode(&bytes).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read, tree, "{text}");
        assert_eq!(notation.encode(&read).unwrap(), bytes, "{text}");
    }
}

fn tensor(g: &mut Dice) -> Tree<'static> {
    // VOID, INT16, FLOAT64, CHAR8, UNKNOWN128, BOOLEAN, COMPLEX64, SINK8Q7
    let (dtype, size) =
        [(0, 0), (3, 2), (11, 8), (13, 1), (20, 16), (21, 1), (23, 8), (32, 1)][g.below(8)];
    let dims = g.below(4);
    let shape: Vec<i32> = (0..dims).map(|_| g.draw::<i32>().rem_euclid(3)).collect();
    let elements: i32 = shape.iter().product();
    let proto = Tree::structure([
        ("dtype", dtype.into()),
        ("dims", count(dims)),
        ("shape", Tree::from(shape.as_slice())),
    ]);
    let memory = bytes(g, usize::try_from(elements).unwrap() * size);
    Tree::structure([("proto", proto), ("memory", memory.into())])
}

fn indices(g: &mut Dice) -> Tree<'static> {
    let indices: Vec<i32> = value(g);
    let size = count(indices.len());
    Tree::structure([("size", size), ("indexs", indices.as_slice().into())])
}

fn sized(name: &str, items: Tree<'static>) -> Tree<'static> {
    let size = items.as_array().unwrap().len();
    Tree::structure([("size", count(size)), (name, items)])
}

fn node(g: &mut Dice) -> Tree<'static> {
    let params = g.below(3);
    let params = list(g, params, |g| {
        let name = value::<String>(g);
        let data = Scalars::new(Builtin::Char8, name.into_bytes()).unwrap();
        let name = Tree::structure([("size", count(data.len())), ("data", Tree::Scalars(data))]);
        let fields = g.below(3);
        let value = sized("fields", list(g, fields, tensor));
        Tree::structure([("name", name), ("value", value)])
    });
    Tree::structure([("bubble", sized("params", params)), ("inputs", indices(g))])
}

#[test]
fn random_modules_survive() {
    let notation = section_4("<header><module>");
    let mut g = Dice::of("modules of the notation").sized(12);
    for _ in 0..1000 {
        let header = Tree::structure([
            ("fake", g.draw::<i32>().into()),
            ("code", 0x1991_0929.into()),
            ("data", bytes(&mut g, 120).into()),
        ]);
        let nodes = g.below(4);
        let module = Tree::structure([
            ("inputs", indices(&mut g)),
            ("outputs", indices(&mut g)),
            ("graph", sized("nodes", list(&mut g, nodes, node))),
        ]);
        let tree = Tree::structure([("header", header), ("module", module)]);
        let bytes = notation.encode(&tree).unwrap();
        let read = notation.decode(&bytes).unwrap();
        assert_eq!(read, tree);
        // Each shorter prefix is an error with an offset.
        let cut = g.below(bytes.len());
        let error = notation.decode(&bytes[..cut]).unwrap_err();
        assert!(error.is_eof() && error.offset().is_some_and(|at| at <= cut), "{error}");
    }
}
