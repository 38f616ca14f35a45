//! Documents as serde types, inside derived types.

use fourfold::tsm::{Header, Module, Node, Tensor, from_slice, to_vec};
use serde::{Deserialize, Serialize};

use super::good;

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
