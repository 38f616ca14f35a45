//! Typed access to elements, text and params; the builder of modules.

use std::borrow::Cow;

use fourfold::tsm::{
    DType, Element, ErrorKind, Module, ModuleBuilder, PackedTensor, Param, Prototype, Tensor,
    from_slice, to_vec,
};

use super::good;

fn tensor(dtype: DType, shape: &[i32], bytes: &[u8]) -> Tensor<'static> {
    Tensor::new(Prototype::new(dtype, shape), bytes.to_vec()).unwrap()
}

/// Checks values of a type at every alignment.
fn round_trip<T: Element + PartialEq + std::fmt::Debug>(values: &[T]) {
    let made = Tensor::list(values).unwrap();
    assert_eq!(made.dtype(), T::DTYPE);
    assert_eq!(made.count(), values.len());
    let file = to_vec(&made).unwrap();
    for shift in 0..16 {
        let mut moved = vec![0; shift];
        moved.extend(&file);
        let read: Tensor<'_> = from_slice(&moved[shift..]).unwrap();
        assert_eq!(read, made);
        assert_eq!(read.bytes().as_ptr_range().end, moved.as_ptr_range().end);
        assert_eq!(*read.values::<T>().unwrap(), *values);
        assert_eq!(read.to_vec::<T>().unwrap(), values);
        let aligned = values.is_empty() || read.bytes().as_ptr().addr() % align_of::<T>() == 0;
        match read.as_slice::<T>() {
            Ok(slice) => {
                assert!(aligned);
                assert_eq!(slice, values);
                assert!(matches!(read.values::<T>(), Ok(Cow::Borrowed(_))));
            }
            Err(error) => {
                // Files are little-endian on all machines.
                let foreign = cfg!(target_endian = "big") && size_of::<T>() > 1;
                match error.kind() {
                    ErrorKind::ByteOrder => assert!(aligned && foreign, "{error}"),
                    kind => assert!(!aligned && matches!(kind, ErrorKind::Misaligned { .. })),
                }
                assert!(matches!(read.values::<T>(), Ok(Cow::Owned(_))));
            }
        }
    }
}

#[test]
fn elements_are_read_at_every_alignment() {
    round_trip(&[i8::MIN, -1, 0, i8::MAX]);
    round_trip(&[0u8, 1, u8::MAX]);
    round_trip(&[i16::MIN, -2, i16::MAX]);
    round_trip(&[1u16, u16::MAX]);
    round_trip(&[i32::MIN, 3, i32::MAX]);
    round_trip(&[1u32, u32::MAX]);
    round_trip(&[i64::MIN, 5, i64::MAX]);
    round_trip(&[7u64, u64::MAX]);
    round_trip(&[1u128, u128::MAX]);
    round_trip(&[0.5f32, f32::MIN, f32::INFINITY]);
    round_trip(&[0.25f64, f64::MAX]);
    round_trip(&[true, false, true]);
    round_trip::<u8>(&[]);
    round_trip::<f64>(&[]);
    #[cfg(feature = "half")]
    round_trip(&[half::f16::from_f32(1.5), half::f16::MIN]);
    #[cfg(feature = "num-complex")]
    {
        round_trip(&[num_complex::Complex::new(1.0f32, -2.0)]);
        round_trip(&[num_complex::Complex::new(1.0f64, -2.0)]);
    }
    #[cfg(all(feature = "half", feature = "num-complex"))]
    round_trip(&[num_complex::Complex::new(half::f16::ONE, half::f16::NEG_ONE)]);
}

#[test]
fn elements_of_another_type_are_refused() {
    let floats = Tensor::scalar(1.0f32);
    let error = floats.values::<i32>().unwrap_err();
    assert_eq!(error.to_string(), "elements are float32, int32 was requested");
    assert!(tensor(DType::Void, &[3], &[]).values::<u8>().is_err());
    let error = tensor(DType::Boolean, &[2], &[1, 2]).values::<bool>().unwrap_err();
    assert_eq!(error.to_string(), "bool is 2, neither 0 nor 1");
    assert_eq!(tensor(DType::Boolean, &[2], &[1, 2]).to_vec::<u8>().unwrap(), [1, 2]);
    assert_eq!(tensor(DType::Sink8Q7, &[1], &[255]).to_vec::<i8>().unwrap(), [-1]);
    assert_eq!(tensor(DType::UInt64, &[1], &[255; 8]).integers().unwrap_err().offset(), None);
    assert_eq!(tensor(DType::Int16, &[1], &[255; 2]).integers().unwrap(), [-1]);
}

#[test]
fn every_dtype_has_its_code_and_size() {
    let sizes = [
        0, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 8, 1, 2, 4, 1, 2, 4, 8, 16, 1, 4, 8, 16, 1, 1, 1, 1, 1,
        1, 1, 1,
    ];
    assert_eq!(DType::ALL.len(), sizes.len());
    for (code, (dtype, size)) in DType::ALL.iter().copied().zip(sizes).enumerate() {
        assert_eq!((usize::from(dtype.code()), dtype.size()), (code, size));
        assert_eq!(DType::try_from(dtype.code()).unwrap(), dtype);
        assert_eq!(from_slice::<DType>(&to_vec(&dtype).unwrap()).unwrap(), dtype);
    }
    for code in 33..=255 {
        assert_eq!(DType::from_code(code), None);
        assert_eq!(DType::try_from(code).unwrap_err().to_string(), format!("unknown dtype {code}"));
    }
    assert_eq!(from_slice::<DType>(&[33]).unwrap_err().to_string(), "unknown dtype 33 at byte 0");
}

#[test]
fn a_tensor_has_as_many_bytes_as_its_prototype() {
    let new = |shape: &[i32], bytes: &[u8]| {
        Tensor::new(Prototype::new(DType::Int16, shape), bytes.to_vec()).map_err(|e| e.to_string())
    };
    assert!(new(&[], &[0; 2]).is_ok());
    assert!(new(&[2, 0, i32::MAX, i32::MAX, i32::MAX], &[]).is_ok());
    assert_eq!(new(&[2], &[0; 3]).unwrap_err(), "3 bytes where 4 belong");
    assert_eq!(new(&[-1], &[]).unwrap_err(), "dim -1 is negative");
    assert_eq!(new(&[1; 8], &[0; 2]).unwrap_err(), "8 dims, 7 at most");
    assert_eq!(new(&[65536, 65536], &[]).unwrap_err(), "more than 2147483647 elements");
    assert_eq!(new(&[2, 1 << 30], &[]).unwrap_err(), "more than 2147483647 elements");
    assert!(Tensor::from_values(&[1u8, 2], &[3]).is_err());
    assert!(to_vec(&Prototype::new(DType::Int8, [-1])).is_err());
}

#[test]
fn text_of_every_width() {
    let text = |dtype, count: i32, bytes: &[u8]| {
        tensor(dtype, &[count], bytes).to_text().map(Cow::into_owned).map_err(|e| e.to_string())
    };
    assert_eq!(text(DType::Char8, 3, "né".as_bytes()).unwrap(), "né");
    assert_eq!(text(DType::Char8, 2, &[b'a', 0xff]).unwrap_err(), "invalid utf-8");
    assert_eq!(text(DType::Char16, 2, &[0x3d, 0xd8, 0, 0xde]).unwrap(), "\u{1f600}");
    let lone = "0xd83d is not a unicode scalar value";
    assert_eq!(text(DType::Char16, 1, &[0x3d, 0xd8]).unwrap_err(), lone);
    assert_eq!(text(DType::Char32, 1, &[0, 0xf6, 1, 0]).unwrap(), "\u{1f600}");
    assert_eq!(text(DType::Char32, 1, &[0x3d, 0xd8, 0, 0]).unwrap_err(), lone);
    assert!(text(DType::Int8, 1, &[65]).is_err());
    assert_eq!(Tensor::text("").unwrap().shape(), [0]);
}

#[test]
fn nodes_return_their_params() {
    let bytes = good("cnn_small");
    let module = Module::from_slice(&bytes).unwrap();
    let image = module.input_nodes().next().unwrap();
    assert_eq!((image.op(), image.name()), (Some("<param>"), Some("image")));
    assert_eq!(image.shape().unwrap(), [1, 3, 16, 16]);
    assert_eq!(image.dtype(), Some(DType::Float32));
    let conv = module.graph.find("block0.conv").unwrap();
    assert_eq!(conv.param("format").unwrap().first().unwrap().to_text().unwrap(), "NCHW");
    assert_eq!(conv.param("stride").unwrap().first().unwrap().integers().unwrap(), [1, 1, 1, 1]);
    assert_eq!(conv.param("none"), None);
    let kernel = module.graph.get(conv.inputs[1]).unwrap();
    assert!(kernel.is_const());
    assert_eq!(kernel.value().unwrap().first().unwrap().shape(), [8, 3, 3, 3]);
    assert_eq!(module.output_nodes().next().unwrap().op(), Some("softmax"));
    // Written by Python: int64 without dims.
    let bytes = good("py_writer");
    let module = Module::from_slice(&bytes).unwrap();
    let empty = module.graph.nodes.iter().find_map(|node| node.param("nopack")).unwrap();
    assert_eq!(empty.first(), None);
}

#[cfg(feature = "ndarray")]
#[test]
fn tensors_are_arrays() {
    let bytes = good("cnn_small");
    for shift in 0..4 {
        let mut moved = vec![0; shift];
        moved.extend(&bytes);
        let module = Module::from_slice(&moved[shift..]).unwrap();
        let weight = module.graph.find("block0.conv.weight").unwrap().value().unwrap();
        let tensor = weight.first().unwrap();
        let array = tensor.view::<f32>().unwrap();
        assert_eq!(array.shape(), [8, 3, 3, 3]);
        let values = tensor.to_vec::<f32>().unwrap();
        assert_eq!(array[[1, 2, 0, 1]], values[27 + 18 + 1]);
        assert_eq!(Tensor::from_array(&array).unwrap(), *tensor);
        let turned = Tensor::from_array(&array.t()).unwrap();
        assert_eq!(turned.shape(), [3, 3, 3, 8]);
        assert_eq!(turned.view::<f32>().unwrap()[[1, 0, 2, 1]], array[[1, 2, 0, 1]]);
    }
    let scalar = tensor(DType::UInt8, &[], &[7]);
    assert_eq!(scalar.view::<u8>().unwrap().sum(), 7);
    let beyond = tensor(DType::UInt8, &[0, i32::MAX, i32::MAX, i32::MAX], &[]);
    assert!(beyond.view::<u8>().is_err());
    assert_eq!(tensor(DType::UInt8, &[0, 3], &[]).view::<u8>().unwrap().shape(), [0, 3]);
}

#[test]
fn a_built_module_is_equal_to_that_of_tennis() {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let y = graph.op("relu", "y", [x]).node();
    let module = graph.build([x], [y]).unwrap();
    assert_eq!(module.to_vec().unwrap().len(), good("minimal").len());
    let bytes = good("minimal");
    let mut tennis = Module::from_slice(&bytes).unwrap();
    // TenniS writes params in the order of a hash map.
    for node in &mut tennis.graph.nodes {
        node.bubble.params.sort_by_key(|param| std::cmp::Reverse(param.name().to_vec()));
    }
    assert_eq!(tennis, module);
}

#[test]
fn the_builder_reports_earlier_errors() {
    let long = "a name of no less than 32 bytes.";
    assert_eq!(long.len(), 32);
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let y = graph.op("relu", "y", [x]).set(long, 1).set("ok", [1.5f32]).node();
    let error = graph.build([x], [y]).unwrap_err();
    assert_eq!(error.to_string(), "a name of 32 bytes, 31 at most");
    assert!(Param::new(&long.as_bytes()[1..], PackedTensor::default()).is_ok());

    let mut other = ModuleBuilder::new();
    let error = {
        other.op("relu", "z", [y]).node();
        other.build([], []).unwrap_err()
    };
    assert_eq!(error.to_string(), "node 1 belongs to another graph, this one has 0");

    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let y = graph.op("relu", "y", []).node();
    let error = graph.build([x], [y]).unwrap_err();
    assert_eq!(error.to_string(), "node 1: an operator that an output needs has no inputs");
}

#[test]
fn params_are_set_from_rust_values() {
    let by_ref = &[1i64, 2, 3];
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let y = graph
        .op("op", "y", [x])
        .set("int", 3)
        .set("float", 0.5f32)
        .set("flag", true)
        .set("text", "NCHW")
        .set("owned", String::from("é"))
        .set("array", [1, 2])
        .set("by_ref", by_ref)
        .set("vec", vec![1u8; 4])
        .set("slice", &[0.25f64, 0.5][..])
        .set("tensor", Tensor::from_values(&[1i16; 6], &[2, 3]).unwrap())
        .set("several", vec![Tensor::scalar(1u8), Tensor::default()])
        .set("int", 4)
        .node();
    let module = graph.build([x], [y]).unwrap();
    let node = module.graph.get(y.index()).unwrap();
    let shown = |name: &str| {
        let fields = &node.param(name).unwrap().fields;
        fields
            .iter()
            .map(|t| format!("{} {:?}", t.dtype(), t.shape()))
            .collect::<Vec<_>>()
            .join("; ")
    };
    let cases = [
        ("int", "int32 [1]"),
        ("float", "float32 [1]"),
        ("flag", "bool [1]"),
        ("text", "char8 [4]"),
        ("owned", "char8 [2]"),
        ("array", "int32 [2]"),
        ("by_ref", "int64 [3]"),
        ("vec", "uint8 [4]"),
        ("slice", "float64 [2]"),
        ("tensor", "int16 [2, 3]"),
        ("several", "uint8 [1]; void []"),
    ];
    for (name, expected) in cases {
        assert_eq!(shown(name), expected, "{name}");
    }
    assert_eq!(node.param("int").unwrap().first().unwrap().integers().unwrap(), [4]);
    assert_eq!(node.bubble.params.len(), 2 + cases.len());
}

#[test]
fn long_names_that_were_read_are_written_again() {
    let bytes = good("names");
    let module = Module::from_slice(&bytes).unwrap();
    let longest = module.graph.nodes.iter().flat_map(|node| &node.bubble.params);
    assert_eq!(longest.map(|param| param.name().len()).max(), Some(300));
    assert_eq!(to_vec(&module).unwrap(), bytes);
}
