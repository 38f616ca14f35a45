//! ONNX models in `info`, `convert`, `diff` and `graph`.

use fourfold_onnx::proto::{
    Dimension, Entry, Graph, Kind, Model, Node, Shape, Size, SparseTensor, Tensor, TensorType,
    Type, ValueInfo,
};
use fourfold_onnx::{Attribute, DataType};

use crate::command::{Folder, fourfold, fourfold_with, snapshot};

fn model(name: &str) -> String {
    format!("onnx/tests/fixtures/{name}.onnx")
}

fn write(graph: Graph) -> Vec<u8> {
    Model { ir_version: 8, graph: Some(graph), ..Model::default() }.to_bytes().unwrap()
}

fn node(operator: &str, inputs: &[&str], output: &str) -> Node {
    Node {
        op_type: operator.into(),
        input: inputs.iter().map(|name| (*name).to_owned()).collect(),
        output: vec![output.into()],
        ..Node::default()
    }
}

fn value(name: &str) -> ValueInfo {
    ValueInfo { name: name.into(), ..ValueInfo::default() }
}

fn floats(name: &str, values: &[f32]) -> Tensor {
    Tensor {
        name: name.into(),
        dims: vec![values.len().try_into().unwrap()],
        data_type: DataType::Float.number(),
        float_data: values.to_vec(),
        ..Tensor::default()
    }
}

#[test]
fn multiply_adds_are_shown_if_all_sizes_are_stated() {
    let weight = Tensor { dims: vec![128, 4], ..floats("w", &[0.5; 512]) };
    let row = Tensor { dims: vec![8, 128], ..floats("x", &[0.5; 1024]) };
    let product = |y: ValueInfo| Graph {
        node: vec![node("MatMul", &["x", "w"], "y"), node("Relu", &["y"], "z")],
        initializer: vec![row.clone(), weight.clone()],
        value_info: vec![y],
        output: vec![value("z")],
        ..Graph::default()
    };
    let dimension = |size| Dimension { value: Some(Size::Value(size)), ..Dimension::default() };
    let shape = Some(Shape { dim: vec![dimension(8), dimension(4)] });
    let kind = Kind::Tensor(TensorType { elem_type: DataType::Float.number(), shape });
    let ty = Some(Type { value: Some(kind), ..Type::default() });
    let known =
        fourfold_with(&["info", "-"], &write(product(ValueInfo { r#type: ty, ..value("y") })));
    assert!(known.text().contains("\nmultiply-adds: 4096\n"), "{}", known.text());
    let unknown = fourfold_with(&["info", "-"], &write(product(value("y")))).succeeded();
    assert!(!unknown.text().contains("multiply-adds"), "{}", unknown.text());
}

#[test]
fn models_have_a_summary_and_a_picture() {
    for name in ["small", "nested"] {
        let run = fourfold(&["info", &model(name)]).succeeded();
        snapshot(&format!("onnx-{name}-info"), run.text());
        let run = fourfold(&["graph", &model(name), "--to", "dot"]).succeeded();
        snapshot(&format!("onnx-{name}-dot"), run.text());
    }
    for name in ["attributes", "dtypes", "types", "external"] {
        fourfold(&["info", "--json", &model(name)]).succeeded();
        fourfold(&["graph", &model(name)]).succeeded();
    }
}

#[test]
fn weights_are_converted_and_compared() {
    let folder = Folder::new();
    for name in ["small", "external"] {
        for target in ["w.safetensors", "w.npz"] {
            let path = folder.path(target);
            fourfold(&["convert", &model(name), &path]).succeeded();
            let run = fourfold(&["diff", &model(name), &path]).succeeded();
            assert_eq!(run.text(), "", "{name}, {target}");
        }
    }
    let run = fourfold(&["convert", &folder.path("w.npz"), &folder.path("w.onnx")]);
    assert_eq!((run.code, run.stderr.lines().count()), (2, 1), "{}", run.stderr);
}

#[test]
fn graphs_are_compared() {
    let folder = Folder::new();
    let graph = |axis: i64, weights: &[f32]| Graph {
        input: vec![value("x")],
        initializer: vec![floats("w", weights)],
        node: vec![Node {
            attribute: vec![Attribute::int("axis", axis)],
            ..node("Concat", &["x", "w"], "y")
        }],
        output: vec![value("y")],
        ..Graph::default()
    };
    let [old, new] = ["old.onnx", "new.onnx"].map(|name| folder.path(name));
    std::fs::write(&old, write(graph(0, &[1.0, 2.0]))).unwrap();
    std::fs::write(&new, write(graph(1, &[1.0, 2.5]))).unwrap();
    let run = fourfold(&["diff", &old, &new]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.text().contains("node.y: y = Concat(x, w) axis 0"), "{}", run.text());
    assert!(run.text().lines().any(|line| line.contains("w") && line.contains("2.5")));
}

#[test]
fn what_is_no_tensor_is_named_and_not_converted() {
    let string = DataType::String.number();
    let strings = Tensor { dims: vec![1], data_type: string, ..floats("names", &[]) };
    let sparse = SparseTensor { values: Some(floats("thin", &[1.0])), ..SparseTensor::default() };
    let entry = |key: &str, value: &str| Entry { key: key.into(), value: value.into() };
    let outside = Tensor {
        data_location: 1,
        external_data: vec![entry("location", "../secret.bin")],
        float_data: Vec::new(),
        ..floats("outside", &[1.0])
    };
    let cases = [
        (Graph { initializer: vec![strings], ..Graph::default() }, "names: elements are strings"),
        (Graph { sparse_initializer: vec![sparse], ..Graph::default() }, "thin: a sparse tensor"),
        (
            Graph { initializer: vec![outside], ..Graph::default() },
            "outside: elements are in the file \"../secret.bin\", which is outside the model's folder",
        ),
    ];
    let folder = Folder::new();
    let path = folder.path("m.onnx");
    for (graph, text) in cases {
        let mut graph = Graph { name: "g".into(), ..graph };
        graph.initializer.push(floats("good", &[1.0]));
        std::fs::write(&path, write(graph)).unwrap();
        let run = fourfold(&["info", &path]).succeeded();
        assert!(run.text().contains(text) && run.text().contains("good"), "{}", run.text());
        let run = fourfold(&["convert", &path, &folder.path("w.npz")]);
        assert_eq!((run.code, run.stderr.lines().count()), (2, 1), "{}", run.stderr);
        assert!(run.stderr.contains(text), "{}", run.stderr);
    }
}

#[test]
fn damaged_models_are_refused_with_one_line() {
    let bytes = std::fs::read(crate::command::in_root(model("small"))).unwrap();
    for len in (30..bytes.len()).step_by(29) {
        for subcommand in ["info", "graph"] {
            let run = fourfold_with(&[subcommand, "-"], &bytes[..len]);
            assert_eq!((run.code, run.stderr.lines().count()), (2, 1), "{len}: {}", run.stderr);
        }
    }
}

#[test]
fn hostile_graphs_are_drawn() {
    let name = "</title><script>&\u{202e}\n\"\0";
    let cycle = Graph {
        name: name.into(),
        node: vec![node(name, &["b"], "a"), node("Relu", &["a", name, ""], "b")],
        input: vec![value(name)],
        output: vec![value("a"), value("nowhere")],
        initializer: vec![floats("", &[1.0]), floats("b", &[2.0])],
        ..Graph::default()
    };
    let run = fourfold_with(&["graph", "-", "--fold"], &write(cycle)).succeeded();
    let svg = roxmltree::Document::parse(run.text()).unwrap();
    assert!(!run.text().contains("<script>&"));
    assert!(svg.descendants().any(|node| node.text().is_some_and(|it| it.contains("</title>"))));
}

#[test]
fn long_models_take_linear_time() {
    let names: Vec<String> = (0..=100_000).map(|at| format!("v{at}")).collect();
    let pairs = names.iter().zip(&names[1..]);
    let graph = Graph {
        node: pairs.map(|(from, to)| node("Relu", &[from], to)).collect(),
        input: vec![value("v0")],
        output: vec![value("v100000")],
        ..Graph::default()
    };
    let bytes = write(graph);
    let run = fourfold_with(&["graph", "-", "--fold"], &bytes).succeeded();
    assert!(run.text().contains("\u{d7} 100000"));
    let run = fourfold_with(&["graph", "-", "--to", "dot"], &bytes).succeeded();
    assert_eq!(run.text().matches(" -> ").count(), 100_001);
}

#[test]
fn what_is_not_shown_is_compared_too() {
    let folder = Folder::new();
    let [one, two] = ["one.onnx", "two.onnx"].map(|name| folder.path(name));
    let ints = |last: i64| {
        let ints = [vec![0; 64], vec![last]].concat();
        Node { attribute: vec![Attribute::ints("axes", ints)], ..node("Squeeze", &["x"], "y") }
    };
    let small = |byte: u8| {
        let data_type = DataType::Int4.number();
        let raw_data = Some(vec![byte].into());
        Tensor { dims: vec![2], data_type, raw_data, ..floats("w", &[]) }
    };
    let graph = |value: i64| Graph { node: vec![ints(value)], ..Graph::default() };
    let weights =
        |byte: u8| Graph { name: "g".into(), initializer: vec![small(byte)], ..Graph::default() };
    for [first, second] in [[graph(0), graph(1)], [weights(1), weights(2)]] {
        std::fs::write(&one, write(first.clone())).unwrap();
        std::fs::write(&two, write(second)).unwrap();
        let run = fourfold(&["diff", &one, &two]);
        assert_eq!(run.code, 3, "{}{}", run.text(), run.stderr);
        std::fs::write(&two, write(first)).unwrap();
        fourfold(&["diff", &one, &two]).succeeded();
    }
}

#[test]
fn weights_beside_a_model_are_not_overwritten() {
    let folder = Folder::new();
    let (path, data) = (folder.path("m.onnx"), folder.path("w.npz"));
    let entries = vec![Entry { key: "location".into(), value: "w.npz".into() }];
    let tensor = Tensor { data_location: 1, external_data: entries, ..floats("w", &[1.0, 2.0]) };
    let tensor = Tensor { float_data: Vec::new(), ..tensor };
    let graph = Graph { name: "g".into(), initializer: vec![tensor], ..Graph::default() };
    std::fs::write(&path, write(graph)).unwrap();
    std::fs::write(&data, [0; 8]).unwrap();
    let run = fourfold(&["convert", &path, &data]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("this is the file that is read"), "{}", run.stderr);
    assert_eq!(std::fs::read(&data).unwrap(), [0; 8]);
}

#[test]
fn names_do_not_control_the_terminal() {
    let tensor = floats("n\u{1b}[31m\n\u{202e}", &[1.0]);
    let graph = Graph { name: "g".into(), initializer: vec![tensor], ..Graph::default() };
    let run = fourfold_with(&["info", "-"], &write(graph)).succeeded();
    assert!(!run.text().contains(['\u{1b}', '\u{202e}']), "{}", run.text());
}

#[test]
fn long_names_of_nodes_are_not_repeated() {
    let inner = Graph { initializer: vec![floats("w", &[1.0]); 500], ..Graph::default() };
    let branch =
        Attribute { name: "then_branch".into(), g: Some(Box::new(inner)), ..Attribute::default() };
    let outer =
        Node { name: "n".repeat(100_000), attribute: vec![branch], ..node("If", &["c"], "y") };
    let graph = Graph { node: vec![outer], ..Graph::default() };
    let run = fourfold_with(&["info", "-"], &write(graph)).succeeded();
    assert!(run.text().len() < 500_000, "{}", run.text().len());
    assert!(run.text().contains("500 tensors"), "{}", run.text().lines().next().unwrap());
}

/// A safetensors file with a tensor of a type that does not exist.
fn with_unknown(element: u8) -> Vec<u8> {
    let entry = |name: &str, dtype: &str, start: u8| {
        let end = start + 1;
        format!(r#""{name}":{{"dtype":"{dtype}","shape":[1],"data_offsets":[{start},{end}]}}"#)
    };
    let header = format!("{{{},{}}}", entry("new", "F9", 0), entry("old", "U8", 1));
    let len = u64::try_from(header.len()).unwrap().to_le_bytes();
    [&len[..], header.as_bytes(), &[element, 7]].concat()
}

#[test]
fn tensors_that_cannot_be_read_do_not_hide_the_others() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    std::fs::write(path("a.safetensors"), with_unknown(1)).unwrap();
    std::fs::write(path("b.safetensors"), with_unknown(2)).unwrap();
    let strings = DataType::String.number();
    let no_numbers = |name: &str| Tensor { data_type: strings, ..floats(name, &[]) };
    let initializer = vec![no_numbers("one"), floats("w", &[1.0]), no_numbers("two")];
    let graph = Graph { name: "g".into(), initializer, ..Graph::default() };
    std::fs::write(path("a.onnx"), write(graph)).unwrap();
    let cases = [("a.safetensors", "old", &["new"][..]), ("a.onnx", "w", &["one", "two"])];
    for (file, good, unread) in cases {
        let info = fourfold(&["info", &path(file)]).succeeded();
        let dump = fourfold(&["dump", &path(file)]);
        assert_eq!((dump.code, dump.stderr.lines().count()), (3, unread.len()), "{}", dump.stderr);
        let convert = fourfold(&["convert", &path(file), &path("out.npz")]);
        assert_eq!((convert.code, convert.stderr.lines().count()), (2, 1), "{}", convert.stderr);
        for text in [info.text(), dump.text()] {
            assert!(text.contains(good), "{text}");
        }
        for text in [info.text(), &dump.stderr, &convert.stderr] {
            assert!(unread.iter().all(|name| text.contains(&format!("{name}: "))), "{text}");
        }
        assert!(convert.stderr.contains("writes all others"), "{}", convert.stderr);
    }
    fourfold(&["diff", &path("a.safetensors"), &path("a.safetensors")]).succeeded();
    let run = fourfold(&["diff", &path("a.safetensors"), &path("b.safetensors")]);
    assert_eq!((run.code, run.text().lines().count()), (3, 1), "{}", run.text());
}

#[test]
fn elements_beside_a_model_need_its_path() {
    let bytes = std::fs::read(crate::command::in_root(model("external"))).unwrap();
    let run = fourfold_with(&["info", "-"], &bytes).succeeded();
    assert!(run.text().contains("open the model by its path"), "{}", run.text());
    let run = fourfold(&["info", &model("external")]).succeeded();
    assert!(!run.text().contains("open the model by its path"), "{}", run.text());
}

#[test]
fn models_are_detected_and_verified() {
    for name in ["small", "nested", "external", "dtypes", "types"] {
        let run = fourfold(&["detect", "--json", &model(name)]).succeeded();
        assert_eq!(
            (&run.json()["format"], &run.json()["formats"][0]),
            (&"onnx".into(), &"onnx".into())
        );
        let run = fourfold(&["verify", &model(name)]).succeeded();
        assert!(run.text().contains(": good (onnx, "), "{}", run.text());
    }
}

#[test]
fn models_with_errors_are_bad() {
    let folder = Folder::new();
    let entry = |key: &str, value: &str| Entry { key: key.into(), value: value.into() };
    let external_data = vec![entry("location", "w.bin"), entry("offset", "2")];
    let beside = Tensor { data_location: 1, external_data, ..floats("w", &[1.0]) };
    let beside = Tensor { float_data: Vec::new(), ..beside };
    let good = Graph {
        name: "g".into(),
        input: vec![value("x")],
        initializer: vec![beside],
        node: vec![node("Add", &["x", "w"], "y"), node("Clip", &["y", "", "w"], "z")],
        output: vec![value("z")],
        ..Graph::default()
    };
    let late = Graph { node: good.node.iter().rev().cloned().collect(), ..good.clone() };
    let twice = Graph { output: vec![value("y")], ..good.clone() };
    let twice = Graph { node: vec![good.node[0].clone(), good.node[0].clone()], ..twice };
    let nowhere = Graph { output: vec![value("elsewhere")], ..good.clone() };
    let (enough, few) = ([0; 6], [0; 5]);
    let cases = [
        (&good, Some(&enough[..]), ": good (onnx, 1 tensor"),
        (&good, Some(&few), "w: the file \"w.bin\" has 5 bytes, the elements are 4"),
        (&good, None, "w: the file \"w.bin\" beside the model: "),
        (
            &late,
            Some(&enough),
            "node \"z\" (Clip) uses \"y\", which no input, tensor or node before it has",
        ),
        (&twice, Some(&enough), "node \"y\" (Add) computes \"y\", which is there already"),
        (&nowhere, Some(&enough), "nothing computes the output \"elsewhere\""),
    ];
    for (graph, data, text) in cases {
        let _ = std::fs::remove_file(folder.path("w.bin"));
        data.iter().for_each(|data| std::fs::write(folder.path("w.bin"), data).unwrap());
        std::fs::write(folder.path("m.onnx"), write(graph.clone())).unwrap();
        let run = fourfold(&["verify", &folder.path("m.onnx")]);
        assert!(run.text().contains(text), "{}", run.text());
        assert_eq!(run.code, if text.contains("good") { 0 } else { 2 });
    }
}
