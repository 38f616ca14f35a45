//! Documents as ordinary serde types: inside derived types, and in other formats.

use fourfold::tsm::{Header, Module, Node, PackedTensor, Tensor, from_slice, to_vec};
use serde::{Deserialize, Serialize};

use super::{FIXTURES, good};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Own<'a> {
    version: u8,
    #[serde(borrow)]
    module: Module<'a>,
    extra: u32,
}

#[test]
fn documents_are_fields_of_derived_types() {
    let bytes = good("mlp");
    let own = Own { version: 3, module: Module::from_slice(&bytes).unwrap(), extra: 77 };
    let written = to_vec(&own).unwrap();
    assert_eq!(written.len(), bytes.len() + 5);
    assert_eq!(written[1..=bytes.len()], bytes);
    assert_eq!(from_slice::<Own<'_>>(&written).unwrap(), own);

    let parts =
        (Header::default(), vec![own.module.graph.nodes[0].clone()], Some(Tensor::default()));
    let written = to_vec(&parts).unwrap();
    let read: (Header, Vec<Node<'_>>, Option<Tensor<'_>>) = from_slice(&written).unwrap();
    assert_eq!(read, parts);
}

#[test]
fn json_carries_every_fixture() {
    for name in FIXTURES.names("good", "tsm") {
        let bytes = good(&name);
        let module = Module::from_slice(&bytes).unwrap();
        let text = serde_json::to_string(&module).unwrap();
        let read: Module<'_> =
            serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(read, module, "{name}");
        let value = serde_json::to_value(&module).unwrap();
        let read = Module::deserialize(&value).unwrap();
        assert_eq!(to_vec(&read).unwrap(), bytes, "{name}");
    }
}

#[test]
fn json_is_checked_as_well() {
    let packed = PackedTensor::from(Tensor::scalar(7i16));
    let text = serde_json::to_string(&packed).unwrap();
    assert_eq!(text, r#"[{"dtype":3,"shape":[1],"memory":[7,0]}]"#);
    assert_eq!(serde_json::from_str::<PackedTensor<'_>>(&text).unwrap(), packed);
    let refused = |from: &str, to: &str| {
        let error = serde_json::from_str::<PackedTensor<'_>>(&text.replace(from, to)).unwrap_err();
        error.to_string()
    };
    assert!(refused("[7,0]", "[7]").starts_with("1 byte where 2 belong"));
    assert!(refused(":3", ":33").starts_with("unknown dtype 33"));
    assert!(refused("[1]", "[-1]").starts_with("dim -1 is negative"));
    assert!(refused("\"memory\"", "\"other\"").starts_with("missing field `memory`"));
    let bytes = good("minimal");
    let module = Module::from_slice(&bytes).unwrap();
    let text =
        serde_json::to_string(&module).unwrap().replace("\"outputs\":[1]", "\"outputs\":[2]");
    let error = serde_json::from_str::<Module<'_>>(&text).unwrap_err();
    assert!(error.to_string().starts_with("outputs[0] is node 2, of 2"), "{error}");
}
