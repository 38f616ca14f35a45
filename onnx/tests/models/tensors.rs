//! Elements of tensors.

use fourfold_onnx::proto::Entry;
use fourfold_onnx::{DataType, Folder, Tensor};

use super::{model, path};

#[test]
fn typed_fields_are_the_same_as_raw_bytes() {
    let graph = model("dtypes.onnx").graph.unwrap();
    let find = |name: &str| graph.initializer.iter().find(|tensor| tensor.name == name).unwrap();
    for number in (1..).map_while(DataType::of).filter(|&dtype| dtype != DataType::String) {
        let raw = graph
            .initializer
            .iter()
            .find(|tensor| tensor.raw_data.is_some() && tensor.data_type == number.number());
        let raw = raw.unwrap();
        let typed = find(&format!("{}_typed", raw.name));
        assert!(typed.raw_data.is_none(), "{number:?}");
        let bytes = raw.elements(None).unwrap();
        assert_eq!(typed.elements(None).unwrap(), bytes, "{number:?}");
        assert_eq!(bytes.len(), (5 * number.bits()).div_ceil(8), "{number:?}");
        assert!(bytes.iter().any(|&byte| byte != 0), "{number:?}");
    }
    assert_eq!(find("empty").elements(None).unwrap(), "");
    let error = find("STRING").elements(None).unwrap_err().to_string();
    assert_eq!(error, "tensor \"STRING\": elements are strings, which have no fixed size");
}

#[test]
fn elements_share_the_bytes_of_the_file() {
    let graph = model("small.onnx").graph.unwrap();
    let tensor = &graph.initializer[0];
    assert_eq!(tensor.elements(None).unwrap().as_ptr(), tensor.raw_data.as_ref().unwrap().as_ptr());
}

#[test]
fn elements_in_another_file() {
    let graph = model("external.onnx").graph.unwrap();
    let folder = Folder::of(&path("external.onnx"));
    let [first, second] = &graph.initializer[..] else { panic!("two tensors") };
    let floats = [1.0_f32.to_le_bytes(), 2.0_f32.to_le_bytes()].concat();
    assert_eq!(*first.elements(Some(&folder)).unwrap(), floats);
    assert_eq!(*second.elements(Some(&folder)).unwrap(), [3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0]);
    assert_eq!(
        first.elements(None).unwrap_err().to_string(),
        "tensor \"first\": elements are in the file \"external.bin\"; open the model by its path"
    );
}

#[test]
fn a_file_with_elements_is_opened_once() {
    let folder = Folder::of(&path("external.onnx"));
    let tensors = [0, 4].map(|offset: usize| {
        external(
            8,
            &[("location", "external.bin"), ("offset", &offset.to_string()), ("length", "8")],
        )
    });
    let [first, second] = tensors.map(|tensor| tensor.elements(Some(&folder)).unwrap());
    let [(file, bytes)] = &folder.files()[..] else { panic!("one file") };
    assert_eq!(*file, path("external.bin").canonicalize().unwrap());
    // Nothing is copied: both are ranges of that file.
    assert_eq!(first.as_ptr(), bytes.as_ptr());
    assert_eq!(second.as_ptr(), bytes[4..].as_ptr());
    let clone = folder.clone();
    assert_eq!(clone.files()[0].1.as_ptr(), bytes.as_ptr());
}

/// A tensor of type uint8 in a file.
fn external(size: i64, entries: &[(&str, &str)]) -> Tensor {
    let entry = |&(key, value): &(&str, &str)| Entry { key: key.into(), value: value.into() };
    let external_data = entries.iter().map(entry).collect();
    let name = "t".into();
    Tensor {
        name,
        dims: vec![size],
        data_type: 2,
        data_location: 1,
        external_data,
        ..Tensor::default()
    }
}

#[track_caller]
fn refused(tensor: &Tensor, expected: &str) {
    let folder = Folder::of(&path("external.onnx"));
    let error = tensor.elements(Some(&folder)).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
    assert!(!error.contains('\n'), "{error}");
}

#[test]
fn files_outside_the_folder_are_refused() {
    for location in [
        "../Cargo.toml",
        "models/../../Cargo.toml",
        "/etc/hosts",
        "..\\Cargo.toml",
        "C:\\a",
        "a\0b",
        "..",
    ] {
        refused(
            &external(1, &[("location", location)]),
            "outside the model's folder; move it there",
        );
    }
    refused(&external(1, &[]), "external data has no location");
    refused(&external(1, &[("location", "absent")]), "the file \"absent\" beside the model:");
    refused(&external(1, &[("location", &"long\n".repeat(100))]), "... beside the model: ");
}

#[cfg(unix)]
#[test]
fn links_to_the_outside_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(path("external.bin"), folder.path().join("link")).unwrap();
    let tensor = external(20, &[("location", "link")]);
    let inside = Folder::of(&folder.path().join("model.onnx"));
    let error = tensor.elements(Some(&inside)).unwrap_err().to_string();
    assert!(error.contains("outside the model's folder"), "{error}");
}

#[test]
fn ranges_beyond_the_file_are_refused() {
    let file = ("location", "external.bin");
    // Without a length, the shape tells it.
    let first = external(4, &[file]).elements(Some(&Folder::of(&path("external.onnx")))).unwrap();
    assert_eq!(first.len(), 4);
    refused(
        &external(4, &[file, ("length", "5")]),
        "length of external data is 5, the shape needs 4",
    );
    refused(
        &external(4, &[file, ("offset", "18")]),
        "the file \"external.bin\" has 20 bytes, the elements are 4 bytes from byte 18 on",
    );
    refused(
        &external(4, &[file, ("offset", "18446744073709551615")]),
        "are 4 bytes from byte 18446744073709551615 on; copy the whole file again",
    );
    refused(
        &external(4, &[file, ("offset", "99999999999999999999")]),
        "offset of external data is",
    );
    refused(&external(4, &[file, ("length", "-1")]), "length of external data is \"-1\"");
    // No memory is reserved by a claim.
    let huge = "1125899906842624";
    refused(&external(1 << 50, &[file, ("length", huge)]), "has 20 bytes, the elements are 1125");
}

#[test]
fn shapes_that_do_not_match_are_refused() {
    let tensor = |dims: &[i64]| Tensor {
        dims: dims.to_vec(),
        data_type: DataType::Int64.number(),
        int64_data: vec![1, 2],
        ..Tensor::default()
    };
    assert_eq!(tensor(&[2, 1]).elements(None).unwrap().len(), 16);
    refused(&tensor(&[3]), "there are 2 elements, the shape needs 3");
    refused(&tensor(&[-1]), "has a negative size, or more elements than memory");
    refused(&tensor(&[i64::MAX, 3]), "more elements than memory");
    refused(&tensor(&[i64::MAX, 0]), "there are 2 elements, the shape needs 0");
    refused(
        &Tensor { raw_data: Some("1234".into()), ..tensor(&[1]) },
        "there are 4 bytes of elements, the shape needs 8",
    );
    refused(&Tensor { data_type: 99, ..tensor(&[2]) }, "unknown type of elements 99");
}
