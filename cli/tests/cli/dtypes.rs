//! Each element type has one name in all formats and subcommands.

use crate::command::{Folder, fixture, fourfold, fourfold_with};

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
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let (all, other) =
        (fixture("tsm/good/dtypes_matrix.tsm"), fixture("tsm/good/dtypes_empty.tsm"));
    let [safetensors, npz, changed] = ["x.safetensors", "x.npz", "y.safetensors"].map(path);
    let convert = assert_own_names(&["convert", &all, &safetensors]);
    assert!(convert.contains("\nt23: complex64 [2, 3] row-major → complex64 [2, 3] row-major\n"));
    assert!(convert.contains("\nt21: bool [2, 3] row-major → bool [2, 3] row-major\n"));
    assert_own_names(&["convert", "--raw", &all, &npz]);
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
    let bytes = safetensors("F8_E4M3", &[1], &[0x3c]);
    let run = fourfold_with(&["dump", "-"], &bytes);
    assert_eq!(run.text(), "tensors:\n  w: float8_e4m3fn [1]: 1.5\n", "{}", run.stderr);
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let [made, again] = ["a.safetensors", "b.safetensors"].map(path);
    std::fs::write(&made, &bytes).unwrap();
    assert_own_names(&["convert", &made, &again]);
    let text = String::from_utf8_lossy(&std::fs::read(&again).unwrap()).into_owned();
    assert!(text.contains(r#""dtype":"F8_E4M3""#), "{text}");
}

/// A file with one tensor, `w`.
fn safetensors(dtype: &str, shape: &[usize], data: &[u8]) -> Vec<u8> {
    let end = data.len();
    let header =
        format!(r#"{{"w":{{"dtype":"{dtype}","shape":{shape:?},"data_offsets":[0,{end}]}}}}"#);
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}

/// The types of safetensors, four elements of each, and what `dump` prints.
const ALL: [(&str, &str, &[u8], &str); 22] = [
    ("BOOL", "bool", &[1, 0, 0, 1], "true, false, false, true"),
    ("F4", "float4_e2m1fn", &[0x21, 0xf3], "0.5, 1.0, 1.5, -6.0"),
    ("F6_E2M3", "float6_e2m3fn", &[0x48, 0, 0x80], "1.0, 0.125, 0.0, -0.0"),
    ("F6_E3M2", "float6_e3m2fn", &[0x0c, 0, 0x7c], "1.0, 0.0, 0.0, 28.0"),
    ("U8", "uint8", &[0, 1, 2, 255], "0, 1, 2, 255"),
    ("I8", "int8", &[0, 1, 2, 255], "0, 1, 2, -1"),
    ("F8_E5M2", "float8_e5m2", &[0x3c, 0x7c, 0x7e, 0x7d], r#"1.0, "inf", "nan", "nan:7d""#),
    ("F8_E4M3", "float8_e4m3fn", &[0x38, 0x7e, 0x7f, 0xff], r#"1.0, 448.0, "nan", "nan:ff""#),
    ("F8_E8M0", "float8_e8m0fnu", &[0x7f, 0x80, 0x7e, 0xff], r#"1.0, 2.0, 0.5, "nan""#),
    ("F8_E4M3FNUZ", "float8_e4m3fnuz", &[0x40, 0xc0, 0x80, 0], r#"1.0, -1.0, "nan", 0.0"#),
    ("F8_E5M2FNUZ", "float8_e5m2fnuz", &[0x40, 0xc0, 0x80, 0], r#"1.0, -1.0, "nan", 0.0"#),
    ("I16", "int16", &[1, 0, 0, 0, 0xff, 0xff, 0, 0x80], "1, 0, -1, -32768"),
    ("U16", "uint16", &[1, 0, 0, 0, 0xff, 0xff, 0, 0x80], "1, 0, 65535, 32768"),
    ("F16", "float16", &[0, 0x3c, 0, 0xbc, 0, 0x7c, 0, 0], r#"1.0, -1.0, "inf", 0.0"#),
    ("BF16", "bfloat16", &[0x80, 0x3f, 0x80, 0xbf, 0x80, 0x7f, 0, 0], r#"1.0, -1.0, "inf", 0.0"#),
    ("I32", "int32", &[1, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 9, 0, 0, 0], "1, -1, 0, 9"),
    ("U32", "uint32", &[1, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0], "1, 65535, 0, 9"),
    (
        "F32",
        "float32",
        &[0, 0, 128, 63, 0, 0, 0, 0, 0, 0, 128, 191, 0, 0, 0, 64],
        "1.0, 0.0, -1.0, 2.0",
    ),
    ("C64", "complex64", &[0; 32], "[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]"),
    ("F64", "float64", &[0; 32], "0.0, 0.0, 0.0, 0.0"),
    ("I64", "int64", &[255; 32], "-1, -1, -1, -1"),
    ("U64", "uint64", &[0; 32], "0, 0, 0, 0"),
];

#[test]
fn all_types_of_safetensors_are_read_and_named() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    for (dtype, name, data, shown) in ALL {
        let bytes = safetensors(dtype, &[4], data);
        let run = fourfold_with(&["dump", "-"], &bytes);
        assert_eq!(run.text(), format!("tensors:\n  w: {name} [4]: {shown}\n"), "{}", run.stderr);
        let run = fourfold_with(&["info", "-"], &bytes);
        let about = run.text();
        assert!(about.contains(name) && about.contains(" 4 elements"), "{dtype}: {about}");
        let [made, again] = ["a.safetensors", "b.safetensors"].map(path);
        std::fs::write(&made, &bytes).unwrap();
        assert_eq!(fourfold(&["convert", &made, &again, "--force"]).code, 0, "{dtype}");
        assert_eq!(fourfold(&["diff", &made, &again]).code, 0, "{dtype}");
        assert!(std::fs::read(&again).unwrap().ends_with(data), "{dtype}");
    }
}

#[test]
fn differences_of_small_floats_have_their_numbers() {
    let folder = Folder::new();
    let differs = |dtype: &str, shape: &[usize], old: &[u8], new: &[u8], expected: &str| {
        let one = folder.write("1.safetensors", safetensors(dtype, shape, old));
        let two = folder.write("2.safetensors", safetensors(dtype, shape, new));
        let run = fourfold(&["diff", &one, &two]);
        assert!(run.text().contains(expected), "{dtype}: {}", run.text());
    };
    let text = "1 of 4 elements differ, max abs 1.0, max ulp 2, first at [1, 1]: 1.0 → 2.0";
    differs("F4", &[2, 2], &[0x21, 0x23], &[0x21, 0x43], text);
    let text = "1 of 4 elements differ, max abs 0.125, max ulp 1, first at [1]: 0.125 → 0.25";
    differs("F6_E2M3", &[4], &[0x48, 0, 0x80], &[0x88, 0, 0x80], text);
    // Beyond the first block that is compared at once.
    let (old, mut new) = (vec![0; 3 << 13], vec![0; 3 << 13]);
    new[3 * 5000] = 0x0c;
    let text = "1 of 32768 elements differ, max abs 1.0, max ulp 12, first at [20000]: 0.0 → 1.0";
    differs("F6_E3M2", &[32768], &old, &new, text);
    let text = "max abs 1.0, max ulp 1, first at [0]: 1.0 → 2.0";
    differs("F8_E8M0", &[1], &[0x7f], &[0x80], text);
    // No negative zero is between these two.
    let text = "max ulp 2, first at [0]";
    differs("F8_E4M3FNUZ", &[1], &[0x01], &[0x81], text);
}

#[test]
fn arrays_of_numpy_have_no_elements_of_less_than_a_byte() {
    let folder = Folder::new();
    let file = folder.write("w.safetensors", safetensors("F6_E2M3", &[4], &[0; 3]));
    for target in ["w.npz", "w.npy"] {
        let run = fourfold(&["convert", &file, &folder.path(target)]);
        let container = target.strip_prefix("w.").unwrap();
        let expected = format!(
            "float6_e2m3fn cannot be stored in {container}, which has no elements of 6 bits, in w; use safetensors\n"
        );
        assert!(run.code != 0 && run.stderr.contains(&expected), "{}", run.stderr);
    }
}
