//! Each element type has one name in all formats and subcommands.

use crate::command::{fixture, fourfold, fourfold_with};

/// Names that file formats and other programs use for element types.
const OTHERS: &str = "FLOAT16 FLOAT32 FLOAT64 INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64 BOOLEAN boolean \
     COMPLEX32 COMPLEX64 COMPLEX128 CHAR8 CHAR16 CHAR32 UNKNOWN8 UNKNOWN16 UNKNOWN32 UNKNOWN64 UNKNOWN128 VOID PTR \
     SINK8Q0 SINK8Q7 F16 F32 F64 BF16 I8 I16 I32 I64 U8 U16 U32 U64 BOOL C64 C128 f16 f32 f64 i8 i16 i32 i64 u8 u16 \
     u32 u64";

/// The output, after a check that it has none of these names.
fn assert_own_names(arguments: &[&str]) -> String {
    let run = fourfold(arguments);
    let text = format!("{}{}", run.text(), run.stderr);
    assert!(!run.stdout.is_empty(), "{arguments:?}: {text}");
    let others: Vec<&str> = OTHERS.split_whitespace().collect();
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '.');
    let mut words = text.split(|c| !is_letter(c));
    if let Some(word) = words.find(|word| others.contains(word)) {
        panic!("{arguments:?}: {word} in\n{text}");
    }
    text
}

#[test]
fn each_element_type_has_one_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (all, other) =
        (fixture("tsm/good/dtypes_matrix.tsm"), fixture("tsm/good/dtypes_empty.tsm"));
    let [safetensors, npz, changed] = ["x.safetensors", "x.npz", "y.safetensors"].map(path);
    let convert = assert_own_names(&["convert", &all, &safetensors]);
    assert!(convert.contains("\nt23: complex64 [2, 3] row-major → complex64 [2, 3] row-major\n"));
    assert!(convert.contains("\nt21: bool [2, 3] row-major → bool [2, 3] row-major\n"));
    assert_own_names(&["convert", &all, &npz]);
    assert_own_names(&["convert", &other, &changed]);
    let model = fixture("primitiv/saved/m_names.model");
    for file in [&all, &safetensors, &npz, &model] {
        for subcommand in [&["info"][..], &["info", "--json"], &["dump"], &["dump", "--json"]] {
            let text = assert_own_names(&[subcommand, &[file]].concat());
            assert!(text.contains("float32") || file == &model, "{subcommand:?} {file}");
        }
    }
    for file in [&all, &model] {
        assert_own_names(&["explain", file]);
        assert_own_names(&["explain", "--json", file]);
    }
    assert_own_names(&["graph", &all]);
    assert_own_names(&["diff", &all, &other]);
    assert_own_names(&["diff", "--json", &all, &other]);
    assert_own_names(&["diff", &safetensors, &changed]);
}

/// Headers of safetensors use that format's names, also for 8-bit floats.
#[test]
fn files_keep_the_names_of_their_formats() {
    let header = r#"{"w":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}}"#;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.push(0x3c);
    let run = fourfold_with(&["dump", "-"], &bytes);
    assert_eq!(run.text(), "tensors:\n  w: float8_e4m3fn [1]: 60\n", "{}", run.stderr);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [made, again] = ["a.safetensors", "b.safetensors"].map(path);
    std::fs::write(&made, &bytes).unwrap();
    assert_own_names(&["convert", &made, &again]);
    let text = String::from_utf8_lossy(&std::fs::read(&again).unwrap()).into_owned();
    assert!(text.contains(r#""dtype":"F8_E4M3""#), "{text}");
}
