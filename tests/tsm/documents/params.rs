//! `#shape` and `#output_count`: their meaning in TenniS, and the values for which it refuses a module.

use fourfold::tsm::{
    self, DType, DiagnosticKind, ErrorKind, Module, ModuleBuilder, PackedTensor, Prototype,
    Severity, Tensor,
};

/// A module whose second node has this param, as bytes and as `Module`. It may be invalid.
fn with_param(name: &str, value: PackedTensor<'static>) -> (Vec<u8>, Module<'static>) {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    // As long as the name that replaces it.
    let placeholder = "?".repeat(name.len());
    let y = graph.op("relu", "y", [x]).node();
    let mut module = graph.build([x], [y]).unwrap();
    module.graph.nodes[1].bubble.params.push(tsm::Param::new(&placeholder, value.clone()).unwrap());
    let bytes = module.to_vec().unwrap();
    let at = bytes.windows(name.len()).position(|window| window == placeholder.as_bytes()).unwrap();
    let mut named = bytes.clone();
    named[at..at + name.len()].copy_from_slice(name.as_bytes());
    module.graph.nodes[1].bubble.params[2] = tsm::Param::new(name, value).unwrap();
    (named, module)
}

fn tensor(dtype: DType, shape: &[i32], bytes: &[u8]) -> PackedTensor<'static> {
    Tensor::new(Prototype::new(dtype, shape), bytes.to_vec()).unwrap().into()
}

/// Asserts that the module is refused in memory and as bytes, with the same error except for the offset.
#[track_caller]
fn refused(name: &str, value: PackedTensor<'static>, expected: &str) {
    let (bytes, module) = with_param(name, value);
    let error = Module::from_slice(&bytes).unwrap_err();
    let ErrorKind::Refused(diagnostic) = error.kind() else { panic!("{error}") };
    assert_eq!(diagnostic.to_string(), expected);
    assert_eq!(diagnostic.severity(), Severity::Refused);
    assert_eq!(error.path(), "graph[1].bubble");
    let at = bytes.windows(name.len()).position(|window| window == name.as_bytes()).unwrap();
    assert_eq!(error.offset(), Some(at - 4));
    assert_eq!(Module::from_reader(&bytes[..]).unwrap_err().to_string(), error.to_string());
    assert_eq!(module.to_vec().unwrap_err().to_string(), expected);
    assert_eq!(tsm::to_vec(&module).unwrap_err().to_string(), expected);
    assert_eq!(module.to_writer(std::io::sink()).unwrap_err().to_string(), expected);
    assert_eq!(module.check()[0], *diagnostic);
}

#[track_caller]
fn accepted(name: &str, value: PackedTensor<'static>) -> Vec<DiagnosticKind> {
    let (bytes, module) = with_param(name, value);
    let read = Module::from_slice(&bytes).unwrap();
    assert_eq!(read, module);
    assert_eq!(module.to_vec().unwrap(), bytes);
    module.check().into_iter().map(|diagnostic| diagnostic.kind).collect()
}

#[test]
fn shapes_that_tennis_cannot_cast_are_refused() {
    use DType as D;
    for &dtype in DType::ALL {
        let value = tensor(dtype, &[2], &vec![1; 2 * dtype.size()]);
        let is_number = matches!(
            dtype,
            D::Boolean
                | D::Int8
                | D::UInt8
                | D::Int16
                | D::UInt16
                | D::Int32
                | D::UInt32
                | D::Int64
                | D::UInt64
                | D::Float16
                | D::Float32
                | D::Float64
                | D::Char8
                | D::Char16
                | D::Char32
        );
        let text = format!("node 1: #shape is {dtype}, which cannot be converted to int32");
        match is_number {
            false => refused("#shape", value, &text),
            true => {
                let odd = (dtype != D::Int32).then_some(DiagnosticKind::Shape { dtype, count: 2 });
                assert_eq!(accepted("#shape", value), odd.into_iter().collect::<Vec<_>>());
            }
        }
    }
    let void = "node 1: #shape is void, which cannot be converted to int32";
    refused("#shape", PackedTensor { fields: Vec::new() }, void);
    refused("#shape", PackedTensor::default(), void);
    // Tensors without elements are cast, too.
    refused(
        "#shape",
        tensor(D::Complex64, &[0], &[]),
        "node 1: #shape is complex64, which cannot be converted to int32",
    );
}

#[test]
fn output_counts_are_read_like_in_tennis() {
    let text = |text: &[u8]| tensor(DType::Char8, &[i32::try_from(text.len()).unwrap()], text);
    let ones = [
        &b"1"[..],
        b" 1",
        b"\t\n\x0b\x0c\r +01 apples",
        b"4294967297",
        b"-4294967295",
        b"1\x002",
        b"1.9",
    ];
    for one in ones {
        assert_eq!(accepted("#output_count", text(one)), []);
    }
    let others = [
        &b""[..],
        b"one",
        b"2",
        b"11",
        b"-1",
        b"+ 1",
        b"\xa01",
        b"4294967296",
        b"0x1",
        // A number beyond 64 bits is read as the maximum.
        b"18446744073709551617",
        b"-18446744073709551615",
    ];
    for other in others {
        refused("#output_count", text(other), "node 1: #output_count is not 1");
    }
    for (dtype, one, other) in [
        (DType::Char8, &[1][..], &[b'1'][..]),
        (DType::Char16, &[1, 0], &[b'1', 0]),
        (DType::Char32, &[1, 0, 0, 0], &[1, 0, 1, 0]),
        (DType::Int64, &[1, 0, 0, 0, 9, 0, 0, 0], &[0, 0, 0, 0, 1, 0, 0, 0]),
        (DType::Float16, &[0, 0x3c], &[0, 0x40]),
        (DType::Boolean, &[1], &[0]),
    ] {
        // Without dims, so that char8 is not text.
        assert_eq!(accepted("#output_count", tensor(dtype, &[], one)), [], "{dtype}");
        let other = tensor(dtype, &[], other);
        refused("#output_count", other, "node 1: #output_count is not 1");
    }
    for dtype in [DType::Void, DType::Complex32, DType::Sink8Q0, DType::Unknown8, DType::Ptr] {
        let other = tensor(dtype, &[], &vec![1; dtype.size()]);
        refused("#output_count", other, "node 1: #output_count is not 1");
    }
}

/// To save a module, TenniS follows all inputs from the outputs, and also writes the inputs of the module.
#[test]
fn modules_that_tennis_cannot_save_have_diagnostics() {
    fn diagnostics(change: impl FnOnce(&mut Module<'_>)) -> Vec<String> {
        // x -> y, an output; c; x -> z, which no output needs.
        let mut graph = ModuleBuilder::new();
        let x = graph.param("x");
        let y = graph.op("relu", "y", [x]).node();
        graph.constant("c", 1);
        graph.op("relu", "z", [x]).node();
        let mut module = graph.build([x], [y]).unwrap();
        change(&mut module);
        assert_eq!(Module::from_slice(&module.to_vec().unwrap()).unwrap(), module);
        module.check().iter().map(ToString::to_string).collect()
    }

    let never = "an output leads to its cycle: TenniS loads the module and never ends saving it";
    let cannot = |index| {
        format!(
            "no output leads to it or to node {index}, its input, which is not among the module's inputs: \
             TenniS loads the module and cannot save it"
        )
    };
    let unneeded = ["node 2: no output needs it".to_owned(), "node 3: no output needs it".into()];

    // A cycle after a <param>, which loading does not follow.
    let found = diagnostics(|module| module.graph.nodes[0].inputs = vec![0]);
    assert_eq!(
        found,
        [
            "node 0: has 1 input and is no operator".to_owned(),
            unneeded[0].clone(),
            unneeded[1].clone(),
            "node 0: a cycle of node 0".into(),
            format!("node 0: {never}"),
        ]
    );
    // A cycle that no output needs is not saved.
    let found = diagnostics(|module| module.graph.nodes[3].inputs = vec![3]);
    assert_eq!(found, [&unneeded[..], &["node 3: a cycle of node 3".into()]].concat());
    // The input of an unneeded input, as an operator and as a constant.
    let found = diagnostics(|module| {
        module.graph.nodes[2].inputs = vec![3, 0];
        module.inputs.push(2);
    });
    assert_eq!(
        found,
        [
            "inputs[1] is no <param>".to_owned(),
            "node 2: has 2 inputs and is no operator".into(),
            unneeded[1].clone(),
            format!("node 2: {}", cannot(3)),
        ]
    );
    // All nodes that it needs are saved.
    let found = diagnostics(|module| module.inputs.push(3));
    assert_eq!(found, ["inputs[1] is no <param>".to_owned(), unneeded[0].clone()]);

    let found = diagnostics(|module| {
        let op = PackedTensor::from(Tensor::text("<var>").unwrap());
        module.graph.nodes[1].bubble.set("#op", op).unwrap();
    });
    assert_eq!(
        found,
        [
            "node 1: a <var>, which cannot be run".to_owned(),
            "node 1: has 1 input and is no operator".into(),
            unneeded[0].clone(),
            unneeded[1].clone(),
        ]
    );
}
