//! Files: a module, or a standalone packed tensor.

use fourfold::tsm::{CommonKind, ErrorKind, File, Module, PackedTensor, Tensor, to_vec};

#[test]
fn modules_are_distinguished_from_tensors() {
    let module = Module::default().to_vec().unwrap();
    assert!(File::is_module(&module));
    assert_eq!(File::from_slice(&module).unwrap(), File::Module(Module::default()));
    let packed = PackedTensor::from(Tensor::scalar(7i16));
    let bytes = packed.to_vec().unwrap();
    assert!(!File::is_module(&bytes));
    assert_eq!(File::from_slice(&bytes).unwrap(), File::Tensor(packed));
    // A packed tensor without fields is a count of 0.
    let File::Tensor(none) = File::from_slice(&[0; 4]).unwrap() else { panic!("a module") };
    assert!(none.fields.is_empty());
}

#[test]
fn files_are_read_back() {
    let module = Module::default().to_vec().unwrap();
    let packed = PackedTensor::from(Tensor::scalar(7i16)).to_vec().unwrap();
    for bytes in [module, packed] {
        assert_eq!(to_vec(&File::from_slice(&bytes).unwrap()).unwrap(), bytes);
    }
}

/// The error is that of the kind of file that the bytes look like.
#[test]
fn errors_are_those_of_the_detected_kind() {
    let module = Module::default().to_vec().unwrap();
    let cut = &module[..module.len() - 1];
    // Only the code is wrong.
    let wrong = [&[7, 0, 0, 0, 7, 0, 0, 0], &module[8..]].concat();
    for bytes in [cut, &module[..8], &[0; 200], &wrong] {
        let (error, own) =
            (File::from_slice(bytes).unwrap_err(), Module::from_slice(bytes).unwrap_err());
        assert_eq!((error.to_string(), error.offset()), (own.to_string(), own.offset()));
    }
    let error = File::from_slice(&[1, 0, 0, 0]).unwrap_err();
    assert_eq!(error.offset(), PackedTensor::from_slice(&[1, 0, 0, 0]).unwrap_err().offset());
    let error = File::from_slice(&[]).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Common(CommonKind::UnexpectedEnd { needed: 4, left: 0 })),
        "{error}"
    );
}
