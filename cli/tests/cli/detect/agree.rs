//! `detect` and other subcommands give the same verdict on damaged files, files of other formats, and empty files.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::formats;
use crate::command::{Folder, all_fixtures, bytes, fourfold, fourfold_with};

/// A protobuf field of type `bytes`.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, u8::try_from(bytes.len()).unwrap()][..], bytes].concat()
}

/// Files of other formats, with the names that messages have for them.
fn other_formats() -> Vec<(&'static str, Vec<u8>)> {
    let graph = field(7, &[field(1, &field(4, b"Relu")), field(2, b"g")].concat());
    let opset = field(8, &[16, 17]);
    let zip = |name: &str| {
        let mut zip = b"PK\x03\x04".to_vec();
        zip.resize(26, 0);
        zip.extend([u8::try_from(name.len()).unwrap(), 0, 0, 0]);
        [&zip, name.as_bytes(), b"contents"].concat()
    };
    let mut tar = b"a.txt".to_vec();
    tar.resize(257, 0);
    tar.extend(b"ustar\x0000");
    tar.resize(1024, 0);
    let mut header = br#"{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#.to_vec();
    let mut tensors = u64::try_from(header.len()).unwrap().to_le_bytes().to_vec();
    tensors.append(&mut header);
    vec![
        ("gzip", b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b\x04\0\x43\xbe\xb7\xe8\x01\0\0\0".to_vec()),
        ("bzip2", b"BZh91AY&SY\x19\x93\x9b\x6b\0\0\0\x01".to_vec()),
        ("xz", b"\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46".to_vec()),
        ("zstd", b"\x28\xb5\x2f\xfd\x04\0\x11\0\0ab\x9e".to_vec()),
        ("zip", zip("a.txt")),
        ("PyTorch", zip("archive/data.pkl")),
        ("npz", zip("w.npy")),
        ("tar", tar),
        ("npy", b"\x93NUMPY\x01\0\x76\0{'descr': '<f4'".to_vec()),
        // Truncated, so that no reader accepts it.
        ("safetensors", tensors[..20].to_vec()),
        ("safetensors", tensors),
        ("pickle", b"\x80\x04\x95\x05\0\0\0\0\0\0\0]\x94K\x01a.".to_vec()),
        ("HDF5", b"\x89HDF\r\n\x1a\n\0\0\0\0".to_vec()),
        ("Parquet", b"PAR1\x15\x04\x15\x10PAR1".to_vec()),
        ("ONNX", [&[8, 7][..], &field(2, b"pytorch"), &field(3, b"1.9"), &graph].concat()),
        ("ONNX", [&[8, 8][..], &opset, &graph[..6]].concat()),
        ("PNG", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()),
        ("ELF", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec()),
        ("PDF", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3".to_vec()),
        ("OCaml Marshal", b"\x84\x95\xa6\xbe\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\x41".to_vec()),
        ("JSON", b"{\"format\": \"tsm\", \"values\": [1]}\n".to_vec()),
        ("JSON", b"[1, 2, {\"cut\": tr".to_vec()),
        ("JSON", b"{\"a\": 1}\n{\"a\": 2}\n".to_vec()),
        ("hex text", b"0x0c0000000800000008000000\n".to_vec()),
        (
            "a pointer of Git LFS",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:4d\n".to_vec(),
        ),
        ("HTML", b"<!DOCTYPE html>\n<html></html>\n".to_vec()),
        ("text", b"# A heading\n".to_vec()),
        ("a schema", b"/* of one type */ vector Bytes <byte>;\n".to_vec()),
        ("a schema", b"import types;\ntable T { a: Uint32 }\n".to_vec()),
        ("a schema", b"type entry = { size : int }\n".to_vec()),
        ("zip", zip("a.txt")[..20].to_vec()),
        ("text", "{ \u{4e00}, no JSON }\r\n\t".into()),
    ]
}

/// A truncated file gets no hint to a program that would refuse it.
#[test]
fn truncated_files_are_reported_as_such() {
    let text = b"{\"w\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}}";
    let tensors = [&u64::try_from(text.len()).unwrap().to_le_bytes()[..], text].concat();
    let member = |name: &str| {
        let len = u16::try_from(name.len()).unwrap().to_le_bytes();
        [&b"PK\x03\x04"[..], &[0; 22], &len, &[0; 2], name.as_bytes()].concat()
    };
    let cut = "its end is missing, so copy or download it again";
    for (bytes, text) in [
        (&tensors[..30], format!("safetensors); {cut}")),
        (&member("a.txt")[..], format!("zip); {cut}")),
        (&member("a.txt")[..20], format!("zip); {cut}")),
        (&member("w.npy")[..], format!("npz); {cut}")),
        (
            &[member("a.txt"), b"PK\x05\x06".to_vec()].concat()[..],
            "zip); unpack it with `unzip` first".into(),
        ),
    ] {
        let run = fourfold_with(&["detect", "-"], bytes);
        let text = format!("standard input: unknown file format (looks like {text}\n");
        assert_eq!((run.code, run.text()), (2, &*text));
    }
}

/// Formats of which only tensors are read.
const CONTAINERS: [&str; 4] = ["npz", "npy", "safetensors", "ONNX"];

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn other_formats_are_named_by_all_subcommands() {
    let folder = Folder::new();
    for (name, bytes) in other_formats() {
        // The file name is no evidence against the content.
        for ending in ["", ".biniou", ".tsm", ".model"] {
            let path = &folder.write(format!("file{ending}"), &bytes);
            let message = format!("{path}: unknown file format (looks like {name})");
            let detected = fourfold(&["detect", path]);
            if CONTAINERS.contains(&name) && detected.code == 0 {
                let format = name.to_lowercase();
                assert!(
                    detected.text().starts_with(&format!("{path}: {format}\n")),
                    "{detected:?}"
                );
                let json = fourfold(&["detect", "--json", path]).json();
                assert_eq!((&json["looks_like"], &json["format"]), (&Value::Null, &format.into()));
                let verified = fourfold(&["verify", path]);
                assert!(!verified.text().contains("unknown file format"), "{verified:?}");
                let explained = fourfold(&["explain", path]);
                assert!(explained.stderr.starts_with(&format!("fourfold: {message}; ")));
                continue;
            }
            assert_eq!(detected.code, 2, "{detected:?}");
            let text = detected.text();
            assert!(
                text == format!("{message}\n") || text.starts_with(&format!("{message}; ")),
                "{text}"
            );
            let json = fourfold(&["detect", "--json", path]).json();
            assert_eq!((&json["looks_like"], &json["format"]), (&Value::from(name), &Value::Null));
            let verified = fourfold(&["verify", path]);
            assert_eq!((verified.code, verified.text()), (2, text));
            for subcommand in ["info", "dump", "explain"] {
                let run = fourfold(&[subcommand, path]);
                let is_read = subcommand != "explain" && CONTAINERS.contains(&name);
                if !is_read {
                    let expected = format!("fourfold: {text}");
                    assert_eq!((run.code, run.stderr), (2, expected), "{subcommand} {name}");
                }
            }
            if !CONTAINERS.contains(&name) && ending.is_empty() {
                let output = folder.path("out.safetensors");
                let run = fourfold(&["convert", path, &output]);
                assert_eq!((run.code, run.stderr), (2, format!("fourfold: {text}")), "{name}");
            }
        }
    }
}

/// Records and lists with an invalid bool, or truncated.
#[test]
fn damaged_biniou_is_named() {
    let number = |count: u16| {
        [u8::try_from(count & 0x7f).unwrap() | 0x80, u8::try_from(count >> 7).unwrap()]
    };
    let record = |at: u8| {
        let text = format!("host-{at}");
        let name = [&[18, u8::try_from(text.len()).unwrap()][..], text.as_bytes()].concat();
        [&[21, 2, 0x80, 1, 2, 3][..], &name, &[0x80, 4, 5, 6, 0, 1]].concat()
    };
    let records = [&[20, 40][..], &(0..40).flat_map(record).collect::<Vec<u8>>()].concat();
    let list =
        [&[19][..], &number(700), &[17], &(0..700).flat_map(number).collect::<Vec<u8>>()].concat();
    let chunk = |at: u8| {
        [&[1, 0, 0, 0, 0, 0, 0, 0][..], &[u8::try_from(record(at).len()).unwrap()], &record(at)]
            .concat()
    };
    let chunks: Vec<u8> = (0..40).flat_map(chunk).collect();
    let changed = |bytes: &[u8], at: usize, byte: u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] = byte;
        bytes
    };
    let len = records.len();
    for bytes in [
        records[..len - 6].to_vec(),
        changed(&records, len - 1, 7),
        changed(&records, 418, 99),
        list[..1398].to_vec(),
        chunks.clone(),
        changed(&[&chunks[..], &[0]].concat(), chunks.len() - 1, 9),
        [chunk(1), chunk(2), chunk(3), chunk(4), chunk(5)[..20].to_vec()].concat(),
    ] {
        let run = fourfold_with(&["detect", "-"], &bytes);
        let (name, rest) =
            run.text().split_once(", damaged at byte ").unwrap_or_else(|| panic!("{run:?}"));
        assert_eq!((run.code, name), (0, "standard input: biniou"));
        let at: usize = rest.lines().next().unwrap().parse().unwrap();
        assert!(rest.contains(&format!("reads up to byte {at} of {}\n", bytes.len())), "{rest}");
        let run = fourfold_with(&["verify", "-"], &bytes);
        assert!(run.code == 2 && run.text().contains(&format!(" at byte {at}")), "{at} {run:?}");
        // `explain` reports the error at the same byte.
        let how: &[&str] = if bytes[0] == 1 { &["--chunks"] } else { &[] };
        let mut lines = fourfold_with(&[&["explain", "--json", "-"][..], how].concat(), &bytes)
            .json_lines()
            .into_iter();
        let error = lines.find(|line| !line["error"].is_null() && line["what"] != "chunk").unwrap();
        assert_eq!(error["start"], at);
    }
    // A value that is too deep is not damaged.
    let deep = [&[19, 1].repeat(200)[..], &[1, 7]].concat();
    let run = fourfold_with(&["detect", "-"], &deep);
    assert_eq!((run.code, run.text().lines().next()), (0, Some("standard input: biniou")));
}

/// Other data that happens to begin with a biniou tag is not reported as damaged biniou.
#[test]
fn arbitrary_bytes_are_not_reported_as_damaged() {
    let mut state = 7u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    let folder = Folder::new();
    let mut files = Vec::new();
    let mut write = |bytes: &[u8]| {
        let path = folder.write(files.len().to_string(), bytes);
        files.push(path);
    };
    for at in 0..300u16 {
        let bytes: Vec<u8> = (0..128).flat_map(|_| random()).collect();
        write(&bytes);
        // A first tag, and numbers of 4 bytes, small and with many zeros.
        write(&[&[(at % 27) as u8][..], &bytes].concat());
        let small: Vec<u8> = bytes.iter().flat_map(|byte| [byte % 28, 0, 0, 0]).collect();
        write(&small);
        let nested: Vec<u8> = bytes.iter().map(|byte| 19 + byte % 3).collect();
        write(&nested[..16]);
    }
    let found = formats(&files);
    let biniou: Vec<&String> = files
        .iter()
        .zip(&found)
        .filter(|(_, formats)| formats.iter().any(|format| format == "biniou"))
        .map(|(file, _)| file)
        .collect();
    assert!(biniou.is_empty(), "{biniou:?}");
}

/// All fixtures, whole and truncated, with and without their names, and files of other formats.
#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn detect_and_verify_agree() {
    let folder = Folder::new();
    let mut files = Vec::new();
    let mut write = |bytes: &[u8], ending: &str| {
        let path = folder.write(format!("{}{ending}", files.len()), bytes);
        files.push(path);
    };
    for (_, fixtures) in all_fixtures() {
        for fixture in fixtures {
            let whole = bytes(&fixture);
            let ending = Path::new(&fixture).extension().unwrap().to_str().unwrap();
            for cut in [0, whole.len() / 2, whole.len() * 9 / 10, whole.len().saturating_sub(1)] {
                write(&whole[..cut], "");
                write(&whole[..cut], &format!(".{ending}"));
            }
            write(&whole, "");
        }
    }
    for (_, bytes) in other_formats() {
        write(&bytes, "");
        write(&bytes[..bytes.len() / 2], "");
    }
    let (mut named, mut unknown) = (0, 0);
    for files in files.chunks(500) {
        let arguments = |subcommand| {
            [&[subcommand][..], &files.iter().map(String::as_str).collect::<Vec<_>>()].concat()
        };
        let verified = fourfold(&arguments("verify"));
        let verdicts: BTreeMap<&str, &str> = verified
            .text()
            .lines()
            .chain(verified.errors().lines().map(|line| line.strip_prefix("fourfold: ").unwrap()))
            .map(|line| line.split_once(": ").unwrap())
            .collect();
        for (file, found) in files.iter().zip(formats(files)) {
            let verdict = verdicts[file.as_str()];
            let good = verdict
                .strip_prefix("good (")
                .and_then(|rest| rest.split_once(','))
                .map(|(name, _)| name);
            if let Some(name) = good {
                assert_eq!(found, [name], "{file}: {verdict}");
            }
            let is_unknown = verdict.starts_with("unknown file format") || verdict == "empty file";
            assert_eq!(is_unknown, found.is_empty(), "{file}: {verdict}, {found:?}");
            if verdict.contains("may be ") {
                assert!(verdict.contains(&found.join(" or ")), "{file}: {verdict}, {found:?}");
            }
            if is_unknown { unknown += 1 } else { named += 1 }
        }
    }
    assert!(named > unknown, "{named} named, {unknown} unknown");
}
