//! What TenniS needs of a module when it loads and runs it.

use fourfold::tsm::{Module, Node};
use fourfold_onnx::{Attribute, DataType, Model, Tensor, import};

use super::refused::{model, node, value};

const NUMBERS: [f32; 9] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];

/// A matrix of 3 by 3.
fn matrix(model: &mut Model, name: &str, data_type: DataType, bytes: Vec<u8>) {
    let (raw_data, data_type) = (Some(bytes.into()), data_type.number());
    let tensor = Tensor {
        name: name.to_owned(),
        dims: vec![3, 3],
        data_type,
        raw_data,
        ..Tensor::default()
    };
    model.graph.as_mut().unwrap().initializer.push(tensor);
}

fn weights(model: &mut Model) {
    let bytes = NUMBERS.iter().flat_map(|number| number.to_le_bytes()).collect();
    matrix(model, "w", DataType::Float, bytes);
}

fn nodes<'a>(module: &'a Module<'_>, op: &str) -> Vec<&'a Node<'a>> {
    module.graph.nodes.iter().filter(|node| node.op() == Some(op)).collect()
}

#[test]
fn constants_that_tennis_packs_are_not_shared() {
    let mut model = model(
        vec![
            node("Gemm", &["x", "w"], &["a"], &[]),
            node("Gemm", &["a", "w"], &["b"], &[]),
            node("Relu", &["w"], &["c"], &[]),
            node("Abs", &["w"], &["d"], &[]),
        ],
        &["b", "c", "d"],
    );
    weights(&mut model);
    let module = import(&model, None).unwrap();
    let constants = nodes(&module, "<const>");
    assert_eq!(constants.len(), 3);
    for constant in constants {
        let tensor = &constant.value().unwrap().fields[0];
        assert_eq!(tensor.to_vec::<f32>().unwrap(), NUMBERS);
    }
    let packed: Vec<u32> = nodes(&module, "inner_prod").iter().map(|node| node.inputs[1]).collect();
    assert_ne!(packed[0], packed[1]);
    let others: Vec<u32> =
        ["relu", "abs"].iter().map(|op| nodes(&module, op)[0].inputs[0]).collect();
    assert_eq!(others[0], others[1]);
    assert!(!packed.contains(&others[0]));
}

#[test]
fn gemm_has_all_params() {
    let mut model = model(vec![node("Gemm", &["x", "w", "x"], &["y"], &[])], &["y"]);
    weights(&mut model);
    let module = import(&model, None).unwrap();
    let gemm = nodes(&module, "gemm")[0];
    for param in ["alpha", "beta", "transA", "transB"] {
        assert!(gemm.bubble.tensor(param).is_some(), "{param}");
    }
}

#[test]
fn only_constants_are_transposed_by_gemm() {
    let transposed = [Attribute::int("transB", 1)];
    let mut model = model(vec![node("Gemm", &["x", "b", "x"], &["y"], &transposed)], &["y"]);
    model.graph.as_mut().unwrap().input.push(value("b", Some(&[3, 3])));
    let module = import(&model, None).unwrap();
    assert_eq!(nodes(&module, "_transpose").len(), 1);
    let flag = nodes(&module, "gemm")[0].bubble.tensor("transB").unwrap();
    assert_eq!(flag.bytes(), [0]);
}

#[test]
fn inputs_that_no_output_needs_are_left_out_if_all_are_such() {
    let mut model = model(vec![node("Relu", &["w"], &["y"], &[])], &["y"]);
    weights(&mut model);
    let module = import(&model, None).unwrap();
    assert!(module.inputs.is_empty());
    assert!(nodes(&module, "<param>").is_empty());
}

#[test]
fn products_of_doubles_are_refused() {
    let mut model = model(vec![node("MatMul", &["w", "w"], &["y"], &[])], &["y"]);
    let bytes = NUMBERS.iter().flat_map(|&number| f64::from(number).to_le_bytes()).collect();
    matrix(&mut model, "w", DataType::Double, bytes);
    let refused = import(&model, None).unwrap_err().to_string();
    assert!(refused.contains("TenniS does not compute matmul of float64"), "{refused}");
}
