//! Conversion of weights between containers, checked with Python's readers.

use std::path::{Path, PathBuf};
use std::process::Command;

use fourfold::primitiv::Model;

use crate::command::{Folder, ROOT, fixture, fourfold, fourfold_with, in_root, snapshot};

/// The fixtures of a folder that can be converted.
pub(crate) fn fixtures(folder: &str, extensions: &[&str]) -> Vec<String> {
    let path = in_root(fixture(folder));
    let names = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.retain(|name| extensions.iter().any(|end| name.ends_with(&format!(".{end}"))));
    names.sort();
    assert!(!names.is_empty(), "{folder}");
    names.into_iter().map(|name| fixture(&format!("{folder}/{name}"))).collect()
}

fn good() -> Vec<String> {
    let mut files = fixtures("tsm/good", &["tsm", "t"]);
    files.extend(fixtures("primitiv/saved", &["model", "param", "tensor"]));
    files
}

/// A name that is too long for a zip file.
const LONG: [&str; 2] = ["m_name_of_65535_bytes", "m_name_of_65536_bytes"];

fn fits(file: &str, container: &str) -> bool {
    container != "npz" || !LONG.iter().any(|name| file.contains(name))
}

fn bytes_of(path: impl AsRef<Path>) -> Vec<u8> {
    std::fs::read(in_root(path)).unwrap()
}

/// The output of a conversion. Standard error is empty unless there is no tensor.
#[track_caller]
fn convert(arguments: &[&str]) -> String {
    let run = fourfold(&[&["convert"], arguments].concat());
    let warnings = usize::from(run.stdout.is_empty());
    assert_eq!(
        (run.code, run.stderr.lines().count()),
        (0, warnings),
        "{arguments:?}: {}",
        run.stderr
    );
    String::from_utf8(run.stdout).unwrap()
}

#[track_caller]
fn refused(code: i32, arguments: &[&str]) -> String {
    let run = fourfold(&[&["convert"], arguments].concat());
    assert_eq!(run.code, code, "{arguments:?}: {}", run.stderr);
    assert!(run.stdout.is_empty());
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    run.stderr
}

#[test]
fn every_fixture_survives_byte_for_byte() {
    let folder = Folder::new();
    let back = &folder.path("back.model");
    let mut count = 0;
    for file in good() {
        for container in ["safetensors", "npz"].into_iter().filter(|it| fits(&file, it)) {
            let between = &folder.path(format!("between.{container}"));
            for all in [&["--all", "--raw"][..], &["--raw"]] {
                convert(&[all, &[&file, between]].concat());
                let to = if file.contains("/tsm/") { "tsm" } else { "primitiv" };
                convert(&[between, back, "--to", to, "--like", &file]);
                assert_eq!(bytes_of(back), bytes_of(&file), "{file} by {container} {all:?}");
                count += 1;
            }
        }
    }
    assert!(count > 300, "{count}");
}

#[test]
fn tensors_survive_without_the_original() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    for file in fixtures("primitiv/saved", &["model", "param", "tensor"])
        .into_iter()
        .chain(fixtures("tsm/good", &["t"]))
    {
        let extension = Path::new(&file).extension().unwrap().to_str().unwrap();
        let (between, back) = (path("x.safetensors"), path(&format!("back.{extension}")));
        convert(&[&file, &between]);
        convert(&[&between, &back]);
        let run = fourfold(&["diff", &file, &back]);
        assert_eq!((run.code, run.text()), (0, ""), "{file}");
    }
}

#[test]
fn changed_tensors_replace_the_original_ones() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let (between, changed) = (path("x.safetensors"), path("new.tsm"));
    let original = fixture("tsm/good/mlp.tsm");
    convert(&[&original, &between]);
    // The last element of the last tensor: any float.
    let mut bytes = bytes_of(&between);
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&7.5f32.to_le_bytes());
    std::fs::write(&between, &bytes).unwrap();
    convert(&[&between, &changed, "--like", &original]);
    let run = fourfold(&["diff", &original, &changed]);
    assert_eq!(run.code, 3);
    assert_eq!(run.text().lines().count(), 1, "{}", run.text());
    assert!(run.text().contains(" 1 of ") && run.text().contains("→ 7.5"), "{}", run.text());
    let (old, new) = (bytes_of(&original), bytes_of(&changed));
    assert_eq!(old.len(), new.len());
    let changed = old.iter().zip(&new).filter(|(old, new)| old != new).count();
    assert!((1..=4).contains(&changed), "{changed} bytes are others");
}

#[test]
fn modules_without_weights_are_reported() {
    use fourfold::tsm::{ModuleBuilder, Tensor};

    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let (module, out) = (path("bare.tsm"), path("out.safetensors"));
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let y = graph.op("softmax", "y", [x]).set("dim", Tensor::scalar(1_i32)).node();
    std::fs::write(&module, graph.build([x], [y]).unwrap().to_vec().unwrap()).unwrap();
    let run = fourfold(&["convert", &module, &out]);
    assert_eq!((run.code, run.text()), (0, ""), "{}", run.stderr);
    let wanted =
        format!("fourfold: {module}: no weights, only attributes of operators: --all takes them\n");
    assert_eq!(run.stderr, wanted);
    assert!(convert(&[&module, &out, "--all"]).contains("y/dim"));
    std::fs::write(&out, b"\x02\0\0\0\0\0\0\0{}").unwrap();
    let run = fourfold(&["convert", &out, &path("out.npz")]);
    assert_eq!((run.code, run.stderr), (0, format!("fourfold: {out}: no tensors\n")));
}

#[test]
fn output_lists_the_tensors() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let mut text = convert(&[&fixture("tsm/good/cnn_small.tsm"), &path("a.safetensors")]);
    text += &convert(&["--all", &fixture("tsm/good/packed.tsm"), &path("a.npz")]);
    text += &convert(&[&fixture("tsm/good/dtypes_matrix.tsm"), &path("b.safetensors")]);
    text += &convert(&[&fixture("primitiv/saved/z_xor_adam.model"), &path("c.npz")]);
    text += &convert(&[&fixture("primitiv/saved/m_names.model"), &path("c.safetensors")]);
    text += &convert(&[&fixture("primitiv/saved/t_batch4_2x3.tensor"), &path("d.npy")]);
    snapshot("convert", &text);
    let header = bytes_of(path("b.safetensors"));
    let len = usize::try_from(u64::from_le_bytes(*header.first_chunk().unwrap())).unwrap();
    snapshot("convert-safetensors-header", std::str::from_utf8(&header[8..8 + len]).unwrap());
}

#[test]
fn the_same_tensors_make_the_same_file() {
    for container in ["safetensors", "npz"] {
        let file = fixture("tsm/good/dtypes_matrix.tsm");
        let one = fourfold(&["convert", "--raw", &file, "-", "--to", container]);
        let arguments = ["convert", "--raw", "-", "-", "--to", container];
        let two = fourfold_with(&arguments, &bytes_of(&file));
        assert_eq!((one.code, two.code), (0, 0), "{}{}", one.stderr, two.stderr);
        assert_eq!(one.stdout, two.stdout);
        assert!(!one.stdout.is_empty());
    }
}

#[test]
fn tensors_that_do_not_fit_are_refused_by_name() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let (mlp, cnn) = (fixture("tsm/good/mlp.tsm"), fixture("tsm/good/cnn_small.tsm"));
    let weights = path("mlp.safetensors");
    convert(&[&mlp, &weights]);
    let text = refused(2, &[&weights, &path("x.tsm"), "--like", &cnn]);
    assert!(text.contains("not in the original: ") && text.contains("more"), "{text}");
    let nothing = path("nothing.npz");
    convert(&[&fixture("tsm/good/empty.tsm"), &nothing]);
    let text = refused(2, &[&nothing, &path("x.tsm"), "--like", &cnn]);
    assert!(text.contains("missing: block0.conv.weight, "), "{text}");
    let (vector, matrix) =
        (fixture("primitiv/saved/p_vec5.param"), fixture("primitiv/saved/p_mat2x3.param"));
    let text = refused(2, &[&vector, &path("x.param"), "--like", &matrix]);
    assert!(
        text.ends_with("value (float32 [5], where the original has float32 [2, 3])\n"),
        "{text}"
    );
    let text = refused(2, &[&fixture("tsm/good/dtypes_matrix.tsm"), &path("x.model")]);
    assert!(text.contains("cannot be stored in primitiv in "), "{text}");
    let text = refused(1, &[&weights, &path("x.tsm")]);
    assert!(text.contains("--like"), "{text}");
    refused(1, &[&weights, &path("x.tsm"), "--like", &path("not-there.tsm")]);
    refused(1, &[&weights, &path("x")]);
    refused(1, &[&weights, &path("x.npz"), "--like", &mlp]);
    refused(2, &[&weights, &path("x.npy")]);
    refused(2, &[&weights, &path("x.t")]);
    refused(2, &[&fixture("primitiv/saved/o_adam.optimizer"), &path("x.npz")]);
    refused(2, &[&fixture("biniou/data/save.players-ten.biniou"), &path("x.npz")]);
    let long = fixture("primitiv/saved/m_name_of_65535_bytes.model");
    assert!(refused(2, &[&long, &path("x.npz")]).contains("a name of 65535 bytes"));
    assert!(!Path::new(&path("x.npz")).exists(), "what failed leaves no file");
}

/// A safetensors file with one tensor, `w`.
fn safetensors_of(dtype: &str, size: usize) -> Vec<u8> {
    let header = format!(r#"{{"w":{{"dtype":"{dtype}","shape":[1],"data_offsets":[0,{size}]}}}}"#);
    let len = u64::try_from(header.len()).unwrap().to_le_bytes();
    [&len[..], header.as_bytes(), &vec![0; size]].concat()
}

#[test]
fn elements_that_would_become_other_numbers_need_raw() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let (made, again) = (path("w.safetensors"), path("again.safetensors"));
    for (dtype, size, loss) in [
        ("BF16", 2, "bfloat16: as uint16, 1.0 would become 16256"),
        ("F8_E4M3", 1, "float8_e4m3fn: as uint8, 1.0 would become 56"),
        ("F8_E5M2", 1, "float8_e5m2: as uint8, 1.0 would become 60"),
        ("F8_E8M0", 1, "float8_e8m0fnu: as uint8, 1.0 would become 127"),
    ] {
        std::fs::write(&made, safetensors_of(dtype, size)).unwrap();
        for target in ["npz", "npy"] {
            let out = path(&format!("w.{target}"));
            let text = refused(2, &[&made, &out]);
            let expected = format!("{target} has no {loss}, in w; `--raw` writes them anyway\n");
            assert!(text.ends_with(&expected), "{text}");
            assert!(!Path::new(&out).exists());
            assert!(convert(&["--raw", &made, &out]).contains(&format!(" → uint{}", 8 * size)));
            std::fs::remove_file(&out).unwrap();
        }
        let (name, _) = loss.split_once(':').unwrap();
        assert!(convert(&[&made, &again]).contains(&format!("→ {name} [1]")), "{name}");
    }
    // safetensors notes the type.
    let fixed = fixture("tsm/good/dtypes_matrix.tsm");
    convert(&[&fixed, &again]);
    let text = refused(2, &[&fixed, &path("fixed.npz")]);
    assert!(text.contains("npz has no sink8q1: as int8, 0.5 would become 1, in "), "{text}");
    let text = refused(2, &[&again, &path("fixed.npz")]);
    assert!(text.contains("npz has no sink8q1: as int8, 0.5 would become 1, in "), "{text}");
}

/// Damaged files give an error of one line, and no panic.
#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn damaged_files_are_refused() {
    let folder = Folder::new();
    let out = &folder.path("out.safetensors");
    for name in ["x.safetensors", "x.npz", "x.npy"] {
        let path = &folder.path(name);
        convert(&[&fixture("primitiv/saved/t_mat3x2.tensor"), path]);
        let whole = std::fs::read(path).unwrap();
        for len in 0..whole.len() {
            std::fs::write(path, &whole[..len]).unwrap();
            refused(2, &[path, out]);
        }
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0xff;
            std::fs::write(path, &bytes).unwrap();
            let run = fourfold(&["convert", path, out]);
            assert!([0, 2].contains(&run.code), "{name} byte {at}: {}", run.stderr);
        }
    }
    for (name, bytes) in hostile() {
        let path = folder.write(name, bytes);
        refused(2, &[&path, out]);
    }
}

/// Files whose headers claim more data than they have.
fn hostile() -> Vec<(&'static str, Vec<u8>)> {
    let npy = |header: &str| {
        let mut bytes = b"\x93NUMPY\x01\0".to_vec();
        bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes
    };
    let shape = |shape: &str| {
        npy(&format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"))
    };
    let mut end64 = b"PK\x03\x04".to_vec();
    end64.resize(100_000, 0);
    let record = end64.len() as u64;
    end64.extend(b"PK\x06\x06");
    end64.extend([0; 20]);
    end64.extend(90_000u64.to_le_bytes());
    end64.extend(90_000u64.to_le_bytes());
    end64.extend([0; 16]);
    end64.extend(b"PK\x06\x07\0\0\0\0");
    end64.extend(record.to_le_bytes());
    end64.extend(1u32.to_le_bytes());
    end64.extend(b"PK\x05\x06");
    end64.extend([0xff; 16]);
    end64.extend([0; 2]);
    vec![
        ("product.npy", shape("(4294967296, 4294967296, 4)")),
        ("huge.npy", shape("(99999999999999999999,)")),
        ("large.npy", shape("(1000000000000,)")),
        ("deep.npy", npy(&"(".repeat(60_000))),
        ("deep-shape.npy", shape(&"(".repeat(60_000))),
        ("structured.npy", npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (), }")),
        ("object.npy", npy("{'descr': '|O', 'fortran_order': False, 'shape': (), }")),
        ("length.npy", b"\x93NUMPY\x02\0\xff\xff\xff\xff{".to_vec()),
        ("count.npz", end64),
        ("header.safetensors", b"\xff\xff\xff\xff\xff\xff\xff\x7f{}".to_vec()),
        ("nested.safetensors", {
            let text = "{\"a\":".repeat(200_000);
            [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat()
        }),
    ]
}

/// The Python interpreter with the packages that the script needs.
fn python() -> Option<PathBuf> {
    let named = std::env::var_os("FOURFOLD_PYTHON").map(PathBuf::from);
    let python = named.unwrap_or_else(|| "python3".into());
    let found = Command::new(&python).args(["-c", "import numpy, safetensors.numpy"]).output();
    if found.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    assert!(
        std::env::var_os("CI").is_none(),
        "the weights are read by Python with numpy and safetensors, and CI never skips that"
    );
    println!("no Python with numpy and safetensors here (see FOURFOLD_PYTHON): skipped");
    None
}

#[track_caller]
fn script(python: &Path, arguments: &[&str]) {
    let script = in_root("tests/interop/weights.py");
    let output =
        Command::new(python).arg(script).args(arguments).current_dir(ROOT).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn python_reads_equal_arrays() {
    let Some(python) = python() else { return };
    let folder = Folder::new();
    let mut jobs = Vec::new();
    // The dumps store only a hash of very long names.
    let files = good().into_iter().filter(|file| !LONG.iter().any(|name| file.contains(name)));
    for (at, file) in files.enumerate() {
        let dump = match file.contains("/tsm/") {
            true => Path::new(&file).with_extension("json").to_str().unwrap().to_owned(),
            false => format!("{file}.json"),
        };
        for container in ["safetensors", "npz"] {
            let path = folder.path(format!("{at}.{container}"));
            convert(&["--all", "--raw", &file, &path]);
            jobs.push((dump.clone(), path));
        }
    }
    let list = folder.write("jobs.json", serde_json::to_vec(&jobs).unwrap());
    script(&python, &["check", &list]);
}

#[test]
fn files_of_python_survive() {
    let Some(python) = python() else { return };
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    script(&python, &["write", folder.root()]);
    // All of these hold the same arrays, in all orders of bytes and axes.
    for name in ["all.npz", "packed.npz", "fortran.npz", "big.npz"] {
        let run = fourfold(&["diff", &path("all.safetensors"), &path(name)]);
        assert_eq!((run.code, run.text()), (0, ""), "{name}: {}", run.stderr);
        for out in ["out.safetensors", "out.npz"] {
            convert(&[&path(name), &path(out)]);
            script(&python, &["compare", &path("all.safetensors"), &path(out)]);
        }
    }
    convert(&[&path("complex.npz"), &path("out.npz")]);
    script(&python, &["compare", &path("complex.npz"), &path("out.npz")]);
    for (name, notes) in [("floats.safetensors", 1), ("floats.npz", 0)] {
        let run = fourfold(&["convert", &path(name), &path("floats.model")]);
        assert_eq!((run.code, run.stderr.lines().count()), (0, notes), "{name}: {}", run.stderr);
        let bytes = std::fs::read(path("floats.model")).unwrap();
        let model = Model::from_slice(&bytes).unwrap();
        let parts = model.get(["encoder", "w"]).unwrap().value().shape().dims().to_vec();
        assert_eq!(parts, [3, 4]);
        let ij = model.get(["ij"]).unwrap().value();
        for (i, j, expected) in [(0, 0, 0.0), (0, 2, 2.0), (1, 0, 10.0), (1, 2, 12.0)] {
            assert_eq!(ij.at(&[i, j], 0), Some(expected));
        }
        for out in ["back.safetensors", "back.npz"] {
            convert(&[&path("floats.model"), &path(out)]);
            script(&python, &["compare", &path(name), &path(out)]);
        }
    }
    for between in ["ij.t", "ij.tensor", "ij.param"] {
        convert(&[&path("ij.npy"), &path(between)]);
        convert(&[&path(between), &path("ij-back.npy")]);
        script(&python, &["compare", &path("ij.npy"), &path("ij-back.npy")]);
    }
}

/// A valid file that cannot be converted.
#[test]
fn a_tensor_file_without_tensors_is_refused() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let (empty, made) = (path("empty.t"), path("made.npz"));
    std::fs::write(&empty, [0; 4]).unwrap();
    assert_eq!(fourfold(&["verify", "--format", "tsm", &empty]).code, 0);
    assert_eq!(fourfold(&["diff", &empty, &empty]).code, 0);
    let run = fourfold(&["convert", &empty, &made]);
    let line = format!("fourfold: {empty}: a packed tensor without fields contains no tensors\n");
    assert_eq!((run.code, run.stderr), (2, line));
}

#[test]
fn notes_of_safetensors_are_kept_or_reported_as_left_out() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let file = |notes: &str| {
        let header = format!(
            "{{\"__metadata__\":{{{notes}}},\"x\":{{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}}}"
        );
        let len = u64::try_from(header.len()).unwrap().to_le_bytes();
        [&len[..], header.as_bytes(), &[0; 8]].concat()
    };
    let source = path("a.safetensors");
    let notes = "\"author\":\"\u{4f5c}\u{8005}\",\"format\":\"pt\",\"fourfold.source\":\"tsm\"";
    std::fs::write(&source, file(notes)).unwrap();
    for (from, to) in [("a.safetensors", "b.npz"), ("b.npz", "c.npz"), ("c.npz", "d.safetensors")] {
        fourfold(&["convert", &path(from), &path(to)]).succeeded();
    }
    assert_eq!(std::fs::read(path("b.npz")).unwrap(), std::fs::read(path("c.npz")).unwrap());
    let info = fourfold(&["info", &path("d.safetensors")]);
    for part in ["author", "\u{4f5c}\u{8005}", "format", "pt"] {
        assert!(info.text().contains(part), "{part}: {}", info.text());
    }
    let changed = fourfold(&["diff", &path("b.npz"), &path("d.safetensors")]);
    assert!(!changed.text().contains("author"), "{}", changed.text());

    // Long notes are shortened, except in JSON.
    let long = "n".repeat(10_000);
    std::fs::write(path("long.safetensors"), file(&format!("\"{long}\":\"b\",\"a\":\"{long}\"")))
        .unwrap();
    let info = fourfold(&["info", &path("long.safetensors")]);
    let lines: Vec<&str> = info.text().lines().filter(|line| line.contains("nnn")).collect();
    let cut = format!("{}…", "n".repeat(119));
    assert_eq!(lines, [format!("  a{}{cut}", " ".repeat(49)), format!("  {cut}  b")]);
    let json = fourfold(&["info", "--json", &path("long.safetensors")]).json();
    assert_eq!(json["metadata"], serde_json::json!({ "a": long.clone(), long.clone(): "b" }));

    for (target, name) in [("x.npy", "npy"), ("x.model", "primitiv")] {
        let run = fourfold(&["convert", &source, &path(target)]);
        let expected =
            format!("fourfold: {source}: 2 notes of `__metadata__` left out: {name} has none\n");
        assert_eq!((run.code, &*run.stderr), (0, &*expected));
    }
    // Notes about safetensors itself are left out without a warning.
    std::fs::write(&source, file("\"fourfold.source\":\"tsm\"")).unwrap();
    for target in ["y.npz", "y.npy"] {
        fourfold(&["convert", &source, &path(target)]).succeeded();
    }
    let bytes = std::fs::read(path("y.npz")).unwrap();
    assert!(!bytes.windows(12).any(|it| it == b"__metadata__"));
}

#[test]
fn damaged_notes_of_npz_are_refused() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let header = "{\"__metadata__\":{\"a\":\"b\"}}";
    let len = u64::try_from(header.len()).unwrap().to_le_bytes();
    std::fs::write(path("a.safetensors"), [&len[..], header.as_bytes()].concat()).unwrap();
    let run = fourfold(&["convert", &path("a.safetensors"), &path("b.npz")]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(fourfold(&["info", &path("b.npz")]).code, 0);
    let good = std::fs::read(path("b.npz")).unwrap();
    let at = good.windows(9).position(|it| it == b"{\"a\":\"b\"}").unwrap();
    for other in [b'!', b'[', 0xff] {
        let mut bytes = good.clone();
        bytes[at] = other;
        std::fs::write(path("c.npz"), bytes).unwrap();
        assert_eq!(fourfold(&["info", &path("c.npz")]).code, 2);
    }
}
