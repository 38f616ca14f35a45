//! Modules of TenniS converted to models of ONNX, and back.

use fourfold::tsm::ModuleBuilder;
use fourfold_onnx::{Attribute, Model};

use crate::command::{Folder, fixture, fourfold};

fn run(name: &str) -> String {
    fixture(&format!("tsm-runs/{name}.tsm"))
}

/// The names and operators of a model's nodes.
fn nodes(path: &str) -> Vec<(String, String)> {
    let model = Model::read(std::fs::read(path).unwrap()).unwrap();
    let nodes = model.graph.unwrap().node.into_iter();
    nodes.map(|node| (node.name.clone(), node.op_type.clone())).collect()
}

#[test]
fn a_module_becomes_a_model() {
    let folder = Folder::new();
    let out = folder.path("y.onnx");
    let run = fourfold(&["convert", &run("nets/mlp-1"), &out]);
    assert_eq!((run.code, &*run.stderr), (0, ""));
    let model = Model::read(std::fs::read(&out).unwrap()).unwrap();
    assert_eq!(model.opset_import[0].version, 17);
    assert!(!model.graph.unwrap().node.is_empty());
}

#[test]
fn inputs_get_the_shapes_that_are_given() {
    let folder = Folder::new();
    let out = folder.path("y.onnx");
    let module = fixture("tsm/good/minimal.tsm");
    let run = fourfold(&["convert", &module, &out]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("its shape is unknown"), "{}", run.stderr);
    let (_, example) = run.stderr.trim_end().rsplit_once(" --input ").unwrap();
    assert_eq!(example, "x=1x3x224x224");
    fourfold(&["convert", &module, &out, "--input", example]).succeeded();
    let run = fourfold(&["convert", &module, &out, "--input", "x=?x3"]);
    assert_eq!((run.code, &*run.stderr), (0, ""));
    let model = Model::read(std::fs::read(&out).unwrap()).unwrap();
    assert_eq!(model.graph.unwrap().input[0].name, "x");

    let run = fourfold(&["convert", &module, &out, "--input", "axb"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("is no size of a dim"), "{}", run.stderr);
    for target in ["b.npz", "b.sta", "b.json"] {
        let run = fourfold(&["convert", "a.npz", target, "--input", "1x2"]);
        assert_eq!(run.code, 1);
        assert!(run.stderr.contains("--input is for graphs"), "{}", run.stderr);
    }
}

#[test]
fn inputs_of_models_get_the_shapes_that_are_given() {
    let folder = Folder::new();
    let (free, out) = (folder.path("free.onnx"), folder.path("y.tsm"));
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    graph.at(x).shape(&[-1, 3, -1]);
    let y = graph.op("relu", "y", [x]).node();
    std::fs::write(&out, graph.build([x], [y]).unwrap().to_vec().unwrap()).unwrap();
    fourfold(&["convert", &out, &free]).succeeded();
    let bytes = std::fs::read(&free).unwrap();
    let mut model = Model::read(bytes).unwrap();
    let nodes = &mut model.graph.as_mut().unwrap().node;
    nodes[0].op_type = "MaxPool".to_owned();
    nodes[0].attribute = vec![
        Attribute::ints("kernel_shape", [2]),
        Attribute::ints("strides", [3]),
        Attribute::ints("pads", [1, 1]),
        Attribute::int("ceil_mode", 1),
    ];
    std::fs::write(&free, model.to_bytes().unwrap()).unwrap();
    let run = fourfold(&["convert", &free, &out]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    let (_, example) = run.stderr.trim_end().rsplit_once("): ").unwrap();
    let options: Vec<&str> = example.split(' ').collect();
    fourfold(&[&["convert", &free, &out][..], &options].concat()).succeeded();
}

#[test]
fn all_nodes_that_cannot_be_converted_are_listed_and_nothing_is_written() {
    let folder = Folder::new();
    let out = folder.path("y.onnx");
    let run = fourfold(&["convert", &fixture("tsm/good/wide.tsm"), &out]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    let lines: Vec<_> = run.stderr.lines().collect();
    assert!(
        lines[0].contains("wide.tsm: node \"in0\" (<param>): its shape is unknown"),
        "{}",
        lines[0]
    );
    let last = lines.last().unwrap();
    assert!(
        last.contains(&format!("{} nodes cannot be converted to ONNX;", lines.len() - 1)),
        "{last}"
    );
    assert_eq!(last.matches(" --input in").count(), lines.len() - 1, "{last}");
    assert!(!std::path::Path::new(&out).exists());
}

#[test]
fn other_files_are_refused_in_one_line() {
    let folder = Folder::new();
    let out = folder.path("y.onnx");
    for file in ["tsm/MANIFEST.md", "tsm/good/tensor_f32.t"] {
        let run = fourfold(&["convert", &fixture(file), &out]);
        assert_eq!((run.code, run.stderr.lines().count()), (2, 1), "{}", run.stderr);
    }
}

#[test]
fn a_model_becomes_a_module_and_that_the_same_nodes() {
    let folder = Folder::new();
    let (model, back) = (folder.path("y.onnx"), folder.path("y.tsm"));
    let again = folder.path("again.onnx");
    let module = run("nets/mlp-1");
    for (source, target) in [(&module, &model), (&model, &back), (&back, &again)] {
        let run = fourfold(&["convert", source, target]);
        assert_eq!((run.code, &*run.stderr), (0, ""));
    }
    // Names of constants may change.
    assert_eq!(nodes(&again), nodes(&model));

    // The content of the file decides, not its name.
    let renamed = folder.path("model.bin");
    std::fs::rename(&model, &renamed).unwrap();
    let again = folder.path("z.tsm");
    assert_eq!(fourfold(&["convert", &renamed, &again]).code, 0);
    assert_eq!(std::fs::read(&again).unwrap(), std::fs::read(&back).unwrap());
    let run = fourfold(&["convert", &renamed, &again, "--raw"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("--raw are for tensors"), "{}", run.stderr);
    let run = fourfold(&["convert", &renamed, &again, "--input", "1x2", "--like", &back]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("--input is for graphs"), "{}", run.stderr);
}

/// The same bytes with another text of the same length.
fn replaced<const LENGTH: usize>(
    mut bytes: Vec<u8>,
    from: &[u8; LENGTH],
    to: &[u8; LENGTH],
) -> Vec<u8> {
    let places = bytes.windows(LENGTH).enumerate().filter(|(_, window)| window == from);
    for at in places.map(|(at, _)| at).collect::<Vec<_>>() {
        bytes[at..at + LENGTH].copy_from_slice(to);
    }
    bytes
}

#[test]
fn all_nodes_of_a_model_that_cannot_be_converted_are_listed() {
    let folder = Folder::new();
    let (model, out) = (folder.path("y.onnx"), folder.path("y.tsm"));
    let run = fourfold(&["convert", &run("nets/residual-1"), &model]);
    assert_eq!((run.code, &*run.stderr), (0, ""));
    // An operator that ONNX does not have.
    let bytes = std::fs::read(&model).unwrap();
    std::fs::write(&model, replaced(bytes, b"Relu", b"Rulu")).unwrap();
    let run = fourfold(&["convert", &model, &out]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("cannot be converted to TenniS"), "{}", run.stderr);
    assert!(run.stderr.lines().count() > 1);
    assert!(!std::path::Path::new(&out).exists());
}

#[test]
fn a_model_is_written_to_standard_output() {
    let folder = Folder::new();
    let (module, out) = (run("nets/mlp-1"), folder.path("y.onnx"));
    fourfold(&["convert", &module, &out]).succeeded();
    let printed = fourfold(&["convert", &module, "-", "--to", "onnx"]).succeeded();
    assert_eq!(printed.stdout, std::fs::read(&out).unwrap());
    let other = folder.path("model.bin");
    fourfold(&["convert", &module, &other, "--to", "onnx"]).succeeded();
    assert_eq!(std::fs::read(&other).unwrap(), printed.stdout);
    let refused = fourfold(&["convert", &module, "-", "--to", "onnx", "--raw"]);
    assert_eq!((refused.code, refused.stdout.len()), (1, 0));
}

#[cfg(unix)]
#[test]
fn names_of_models_need_not_be_text() {
    use std::os::unix::ffi::OsStringExt as _;

    let folder = Folder::new();
    let name = std::ffi::OsString::from_vec(b"\xff.onnx".to_vec());
    let out = std::path::Path::new(folder.root()).join(name);
    // Some file systems refuse such names.
    if std::fs::write(&out, "").is_err() {
        return;
    }
    let status = crate::command::command(&["convert", &run("nets/mlp-1")]).arg(&out).status();
    assert!(status.unwrap().success());
    assert!(Model::read(std::fs::read(&out).unwrap()).is_ok());
}
