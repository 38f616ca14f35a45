//! Damaged models.

use fourfold_onnx::{Folder, Model};

use super::{ALL, bytes, path};

/// Reads a model and all its tensors.
fn read(bytes: Vec<u8>) -> Result<(), fourfold_onnx::Error> {
    let model = Model::read(bytes)?;
    let folder = Folder::of(&path("external.onnx"));
    for tensor in model.graph.iter().flat_map(|graph| &graph.initializer) {
        tensor.elements(Some(&folder))?;
    }
    for attribute in
        model.graph.iter().flat_map(|graph| &graph.node).flat_map(|node| &node.attribute)
    {
        let _ = attribute.value();
    }
    Ok(())
}

#[track_caller]
fn one_line(error: &fourfold_onnx::Error) {
    let text = error.to_string();
    assert!(!text.contains('\n') && text.len() < 500, "{text}");
}

#[test]
fn models_that_end_early() {
    for name in ALL {
        let bytes = bytes(name);
        let errors = (0..bytes.len()).filter_map(|end| read(bytes[..end].to_vec()).err());
        let count = errors.inspect(one_line).count();
        assert!(count > bytes.len() / 2, "{name}: {count}");
    }
}

#[test]
fn models_with_a_changed_byte() {
    for name in ALL {
        let bytes = bytes(name);
        for at in 0..bytes.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff, bytes[at] ^ 1] {
                let mut bytes = bytes.clone();
                bytes[at] = byte;
                if let Err(error) = read(bytes) {
                    one_line(&error);
                }
            }
        }
    }
}

#[test]
fn no_model() {
    let message = |bytes: &[u8]| Model::read(bytes.to_vec()).unwrap_err().to_string();
    let damaged = |bytes: &[u8], reason: &str| {
        let expected = format!("not an ONNX model: {reason}; export or copy the whole file again");
        assert_eq!(message(bytes), expected);
    };
    assert_eq!(message(b""), "not an ONNX model: there is no graph");
    assert_eq!(message(b"\x3a\x00"), "not an ONNX model: there is no ir_version");
    // A text begins with a group.
    assert!(message(b"{\"a\": 1}").ends_with(" at byte 0; export or copy the whole file again"));
    damaged(
        b"\x08\x08\x3a\xff\xff\xff\xff\x7f",
        "a field of 34359738373 bytes, of which 6 are there at byte 2",
    );
    damaged(b"\x08\x08\x3a\x05\x0a", "a field of 7 bytes, of which 3 are there at byte 2");
}

/// Groups are of old versions of Protocol Buffers, and are skipped.
#[test]
fn groups_end_where_they_say() {
    let offset = |bytes: &[u8], at: usize| {
        let error = Model::read(bytes.to_vec()).unwrap_err().to_string();
        assert!(error.contains(&format!(" at byte {at};")), "{error}");
    };
    // With a group inside, before a field that is cut off.
    offset(b"\x7b\x08\x01\x7b\x7c\x7c\x3a\x05\x0a", 6);
    // An end without a group, of another group, and none.
    offset(b"\x08\x08\x7c", 2);
    offset(b"\x08\x08\x7b\x84\x01", 2);
    offset(b"\x08\x08\x7b\x08\x01", 2);
    offset(&[b"\x08\x08".as_slice(), &b"\x7b".repeat(100_000)].concat(), 2);
}

/// The offset is that of the field itself, however deep it is.
#[test]
fn the_place_is_named() {
    let name = field(0x0a, b"\xff");
    let attribute = field(0x2a, &name);
    let node = field(0x0a, &[&field(0x22, b"Relu")[..], &attribute].concat());
    let model = [&[0x08, 0x08][..], &field(0x3a, &node)].concat();
    let offset = model.len() - name.len();
    let error = Model::read(model).unwrap_err().to_string();
    assert!(error.contains(&format!(" at byte {offset};")), "{error}");
    assert!(error.starts_with("not an ONNX model: Attribute.name: "), "{error}");
    assert!(!error.contains("Graph.node"), "{error}");
    // A number where a text should be.
    let model = [&[0x08, 0x08][..], &field(0x3a, &field(0x0a, b"\x18\x01"))].concat();
    let error = Model::read(model).unwrap_err().to_string();
    assert!(error.contains(" at byte 6;"), "{error}");
}

/// A field of bytes or of a message.
fn field(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![tag];
    prost::encode_length_delimiter(content.len(), &mut bytes).unwrap();
    bytes.extend(content);
    bytes
}

/// Graphs in attributes of nodes of graphs.
#[test]
fn deep_graphs_are_refused() {
    let mut graph = Vec::new();
    for _ in 0..2000 {
        // A graph, an attribute and a node.
        graph = [0x32, 0x2a, 0x0a].into_iter().fold(graph, |message, tag| field(tag, &message));
    }
    let model = [&[0x08, 0x08][..], &field(0x3a, &graph)].concat();
    let error = Model::read(model).unwrap_err();
    one_line(&error);
    assert!(error.to_string().contains("recursion limit"), "{error}");
}
