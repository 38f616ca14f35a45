//! `fourfold detect`: the format of every fixture, or all formats that are possible.

mod agree;

use crate::command::{Folder, all_fixtures, bytes, fixture, fourfold, fourfold_with, snapshot};

/// The formats that `detect --json` reports, file by file.
fn formats(files: &[String]) -> Vec<Vec<String>> {
    let mut arguments = vec!["detect", "--json"];
    arguments.extend(files.iter().map(String::as_str));
    let run = fourfold(&arguments);
    assert_eq!(run.errors(), "");
    let objects = run.json_lines();
    assert_eq!(objects.len(), files.len());
    objects
        .iter()
        .map(|object| {
            let formats = object["formats"].as_array().unwrap();
            formats.iter().map(|name| name.as_str().unwrap().to_owned()).collect()
        })
        .collect()
}

/// Copies of the files, with names without extensions.
fn nameless(folder: &Folder, files: &[String]) -> Vec<String> {
    let numbered = files.iter().enumerate();
    numbered.map(|(at, file)| folder.write(at.to_string(), bytes(file))).collect()
}

#[test]
fn fixtures_are_detected_or_ambiguous() {
    let folder = Folder::new();
    for (format, files) in all_fixtures() {
        let (mut named, mut doubted, mut unknown) = (0, 0, 0);
        for (file, found) in files.iter().zip(formats(&nameless(&folder, &files))) {
            match &found[..] {
                // Without a magic number, there is no evidence for a file that its reader refuses.
                [] => {
                    assert!(
                        fourfold(&["verify", "--format", format, file]).code != 0,
                        "{file} reads, but is unknown"
                    );
                    unknown += 1;
                }
                [one] => {
                    assert_eq!(one, format, "{file}");
                    named += 1;
                }
                several => {
                    assert!(several.iter().any(|one| one == format), "{file}: {several:?}");
                    doubted += 1;
                }
            }
        }
        assert!(named > 9 * doubted, "{format}: {named} named, {doubted} doubted");
        assert!(named > 2 * unknown, "{format}: {named} named, {unknown} unknown");
    }
}

#[test]
fn evidence_for_a_format_is_printed() {
    let mut text = String::new();
    for file in [
        "molecule/blocks/block-empty.bin",
        "biniou/typed/feat.point_table-three.biniou",
        "biniou/multi/feat.point-two.biniou",
        "biniou/stream/feat.int_list-ten_by_four.stream",
        "biniou/tree-reader/tag_5.biniou",
        "tsm/good/minimal.tsm",
        "tsm/good/tensor_scalar.t",
        "tsm/odd/truncated_in_node.tsm",
        "tsm/odd/code_zero.tsm",
        "primitiv/saved/p_mat2x3.param",
        "primitiv/crafted/h_version_0_2.param",
        "primitiv/crafted/h_type_unknown_0x500.param",
        "tsm/NOTES.md",
        "molecule/blocks/block-40.bin",
    ] {
        let run = fourfold(&["detect", &fixture(file)]);
        text.push_str(run.text());
        text.push_str(&format!("exit code {}\n\n", run.code));
    }
    snapshot("detect", &text);
}

#[test]
fn several_possible_formats_are_listed() {
    // No fields of a packed tensor, no items of a fixvec, two values `false`.
    let run = fourfold_with(&["detect", "-"], &[0, 0, 0, 0]);
    assert_eq!(run.code, 3);
    assert!(
        run.text().starts_with("standard input: perhaps molecule or biniou or tsm\n"),
        "{run:?}"
    );
    let run = fourfold_with(&["verify", "-"], &[0, 0, 0, 0]);
    assert_eq!((run.code, run.text()), (1, ""));
    assert_eq!(
        run.stderr,
        "fourfold: standard input: its bytes may be molecule or biniou or tsm; select one with \
         `--format`\n"
    );
}

#[test]
fn one_valid_number_is_not_enough_evidence() {
    // Two items of one byte, or any other file that begins with a 2.
    let run = fourfold_with(&["detect", "-"], &[2, 0, 0, 0, 9, 9]);
    assert_eq!(run.code, 3);
    assert!(run.text().starts_with("standard input: perhaps molecule\n"), "{run:?}");
}

#[test]
fn possible_molecule_is_refused_with_a_hint_for_explain() {
    let folder = Folder::new();
    let path = &folder.write("four", [4, 0, 0, 0]);
    for arguments in
        [&["verify", path][..], &["dump", path], &["info", path], &["diff", path, path]]
    {
        let run = fourfold(arguments);
        assert_eq!((run.code, run.text()), (1, ""), "{arguments:?}");
        let hint = "its bytes may be molecule; `fourfold explain` shows their structure, \
                    and info and diff take `--format molecule`\n";
        assert_eq!(run.stderr, format!("fourfold: {path}: {hint}"), "{arguments:?}");
    }
    for arguments in [
        &["explain", "--layout", path][..],
        &["explain", path],
        &["info", "--format", "molecule", path],
        &["diff", "--format", "molecule", path, path],
    ] {
        fourfold(arguments).succeeded();
    }
}

/// Several numbers of a packed tensor agree with its length, only one of Molecule does.
#[test]
fn tensors_in_a_row_are_tsm() {
    // Two fields: uint8 [1] and uint8 [1].
    let field = |value: u8| [2, 1, 0, 0, 0, 1, 0, 0, 0, value];
    let bytes = [&[2, 0, 0, 0][..], &field(7), &field(8)].concat();
    let run = fourfold_with(&["detect", "-"], &bytes);
    assert_eq!((run.code, run.text().lines().next()), (0, Some("standard input: tsm")));
    let run = fourfold_with(&["verify", "-"], &bytes);
    let good = "standard input: good (tsm, packed tensor of 2 fields, 24 bytes)\n";
    assert_eq!((run.code, run.text()), (0, good));
}

/// A sparse file: the first bytes, then zeros up to that length.
fn sparse(folder: &Folder, name: &str, front: &[u8], len: u64) -> String {
    let path = folder.write(name, front);
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(len).unwrap();
    path
}

#[test]
fn only_the_first_bytes_are_read() {
    let folder = Folder::new();
    const GIBIBYTE: u64 = 1 << 30;
    let zeros = sparse(&folder, "zeros", &[], 5 * GIBIBYTE);
    // One value: a text of 5 GiB, a list of as many items, and a stream of two chunks.
    let text = [18, 0x80, 0x80, 0x80, 0x80, 0x14];
    let text = sparse(&folder, "text", &text, 6 + 5 * GIBIBYTE);
    let list = [19, 0x80, 0x80, 0x80, 0x80, 0x04, 18];
    let list = sparse(&folder, "list", &list, 7 + 5 * GIBIBYTE);
    let stream = [
        &[1, 0, 0, 0, 0, 0, 0, 0, 5, 18, 3, b'a', b'b', b'c', 1][..],
        &(4 * GIBIBYTE).to_be_bytes(),
    ]
    .concat();
    let stream = sparse(&folder, "stream", &stream, 5 * GIBIBYTE);
    for (file, what) in [
        (&zeros, "524288 values"),
        (&text, "beginning of a value"),
        (&list, "beginning of a value"),
        (&stream, "stream of 1 chunk"),
    ] {
        let run = fourfold(&["detect", file]);
        let len = std::fs::metadata(file).unwrap().len();
        assert!(run.text().starts_with(&format!("{file}: biniou\n")), "{run:?}");
        let end = format!(
            "reads to the end of the sample: {what}\n    only the first 1048576 of {len} bytes \
             were read\n"
        );
        assert!(run.text().ends_with(&end), "{run:?}");
    }
    // A length that random bytes can have, and the beginning of a module and of a model.
    let chance = sparse(&folder, "chance", &[18, 0x80, 0x80, 0x80, 4], 5 * GIBIBYTE);
    assert_eq!(fourfold(&["detect", &chance]).code, 2);
    let mut module = vec![0, 0, 0, 0, 0x29, 0x09, 0x91, 0x19];
    module.resize(128, 0);
    module.extend([1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10]);
    let module = sparse(&folder, "module", &module, 5 * GIBIBYTE);
    let model = [0xce, 0, 0, 0, 0, 0xce, 0, 0, 0, 1, 0xce, 0, 0, 4, 0, 0xce, 0, 0, 0, 9];
    let model = sparse(&folder, "model", &model, 5 * GIBIBYTE);
    for (file, format) in [(&module, "tsm"), (&model, "primitiv")] {
        let run = fourfold(&["detect", file]);
        let lines = [format!("{file}: {format}"), format!("{file}: {format}, damaged at byte 15")];
        let first = run.text().lines().next().unwrap();
        assert!(lines.iter().any(|line| line == first), "{run:?}");
    }
    let object = fourfold(&["detect", "--json", &zeros]).json();
    assert_eq!(object["bytes"], 5 * GIBIBYTE);
    assert_eq!(object["looked_at"], 1 << 20);

    // The data of a tensor are not read.
    let mut tensor = vec![1, 0, 0, 0, 2, 2, 0, 0, 0];
    tensor.extend((1u32 << 16).to_le_bytes());
    tensor.extend((1u32 << 14).to_le_bytes());
    let tensor = sparse(&folder, "tensor", &tensor, 17 + GIBIBYTE);
    let run = fourfold(&["detect", &tensor]);
    assert!(run.text().starts_with(&format!("{tensor}: tsm\n")), "{run:?}");

    // A table of 3 items. The first one is long.
    let numbers = [1u32 << 30, 16, 1 << 29, 1 << 29];
    let table: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let table = sparse(&folder, "table", &table, GIBIBYTE);
    let run = fourfold(&["detect", &table]);
    assert!(run.text().contains("molecule  can be: table or dynvec of 3 items"), "{run:?}");
}

/// A biniou string with its length.
fn string(bytes: &[u8]) -> Vec<u8> {
    let mut string = vec![18];
    let mut rest = bytes.len();
    while rest > 0x7f {
        string.push(u8::try_from(rest & 0x7f).unwrap() | 0x80);
        rest >>= 7;
    }
    string.push(u8::try_from(rest).unwrap());
    [&string, bytes].concat()
}

/// A first string that is longer than the bytes that `detect` reads, in values and chunks of all kinds.
#[test]
fn long_first_strings_are_skipped() {
    let folder = Folder::new();
    let path = folder.path("long");
    let hash = |letter: u8| [0x80, 0, 0, letter];
    let chunk = |value: &[u8]| {
        let length = u64::try_from(value.len()).unwrap().to_be_bytes();
        [&[1][..], &length, value].concat()
    };
    // Valid and invalid UTF-8.
    for byte in [b'a', 0xff] {
        let tagged = string(&vec![byte; 2 << 20]);
        let string = &tagged[1..];
        for (bytes, what) in [
            ([&tagged[..], &[1, 7]].concat(), "2 values"),
            ([&[19, 2, 18], string, string].concat(), "1 value"),
            ([&[20, 2], &tagged[..], &[1, 7]].concat(), "1 value"),
            ([&[21, 2], &hash(b'x')[..], &tagged, &hash(b'y'), &[1, 7]].concat(), "1 value"),
            ([&[25, 2, 1], &hash(b'x')[..], &[18], string, string].concat(), "1 value"),
            ([&chunk(&tagged)[..], &[0]].concat(), "stream of 1 chunk"),
            ([chunk(&tagged), chunk(&tagged), vec![0]].concat(), "stream of 2 chunks"),
        ] {
            std::fs::write(&path, &bytes).unwrap();
            let run = fourfold(&["detect", &path]);
            let first = format!("{path}: biniou\n");
            assert!(run.code == 0 && run.text().starts_with(&first), "{what}: {run:?}");
            let run = fourfold(&["verify", &path]);
            let good = format!("{path}: good (biniou, {what}, {} bytes)\n", bytes.len());
            assert_eq!((run.code, run.text()), (0, good.as_str()));
            // Damage after the string is found.
            std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
            assert_eq!(fourfold(&["verify", &path]).code, 2, "{what}");
        }
        // From a pipe, a string is evidence only if it is valid UTF-8.
        let run = fourfold_with(&["detect", "-"], &[&tagged[..], &[1, 7]].concat());
        assert_eq!(run.code, if byte == b'a' { 0 } else { 2 }, "{run:?}");
    }
}

/// Zeros after a string of invalid UTF-8 are no evidence; that the whole file can be read is.
#[test]
fn a_file_with_an_ambiguous_beginning_is_read_whole() {
    let folder = Folder::new();
    let path = folder.path("long");
    let mut bytes = string(&vec![0xff; 2 << 20]);
    bytes.resize(bytes.len() + (1 << 18), 0);
    std::fs::write(&path, &bytes).unwrap();
    let run = fourfold(&["detect", &path]);
    assert!(run.code == 0 && run.text().ends_with("reads to the last byte\n"), "{run:?}");
    let run = fourfold(&["verify", &path]);
    let good = format!("{path}: good (biniou, 131073 values, {} bytes)\n", bytes.len());
    assert_eq!((run.code, run.text()), (0, good.as_str()), "{run:?}");
    for subcommand in ["info", "explain"] {
        fourfold(&[subcommand, &path]).succeeded();
    }
    fourfold(&["diff", &path, &path]).succeeded();
    bytes.push(0);
    std::fs::write(&path, &bytes).unwrap();
    let run = fourfold(&["verify", &path]);
    assert_eq!(run.code, 2);
    assert!(run.text().contains("unknown file format"), "{run:?}");
}

#[test]
fn random_bytes_are_unknown() {
    let mut state = 1u64;
    let mut bytes = Vec::new();
    for _ in 0..3 << 17 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend(state.to_le_bytes());
    }
    let folder = Folder::new();
    let path = folder.path("random");
    // A string, a list and a record, a chunk.
    for front in [&[][..], &[18, 0x80, 0x80, 0x60], &[19, 2, 18], &[21, 2, 0x80], &[1, 0, 0]] {
        bytes.splice(..front.len(), front.iter().copied());
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(fourfold(&["detect", &path]).code, 2, "{front:?}");
        let run = fourfold_with(&["detect", "-"], &bytes);
        assert!(!run.text().lines().any(|line| line.contains("good")), "{run:?}");
        assert!(!run.text().starts_with("standard input: biniou"), "{front:?} {run:?}");
    }
}

/// More parameters than the bytes that `detect` reads can hold.
#[test]
fn counts_may_exceed_the_bytes_that_are_read() {
    let number = |number: u32| [&[0xce][..], &number.to_be_bytes()].concat();
    let count = 120_000u32;
    let mut model = [number(0), number(1), number(0x300), number(count)].concat();
    for at in 0..count {
        // The key, the shape, the data, and no statistics.
        model.extend([&[0x91, 0xa4][..], &at.to_be_bytes().map(|byte| byte & 0x7f)].concat());
        model.extend([&[0x90][..], &number(1), &[0xc4, 4, 0, 0, 0, 0], &number(0)].concat());
    }
    let folder = Folder::new();
    let path = folder.write("model", &model);
    let run = fourfold(&["detect", &path]);
    let good = "reads to the end of the sample: beginning of a file";
    assert!(run.code == 0 && run.text().contains(good), "{run:?}");
    // A count that is too large for the file.
    std::fs::write(&path, &model[..model.len() / 3]).unwrap();
    let run = fourfold(&["detect", &path]);
    assert!(run.text().contains("does not read: count 120000 needs"), "{run:?}");
}

#[test]
fn max_depth_of_the_subcommand_applies() {
    let folder = Folder::new();
    let deep = [&[19, 1].repeat(200)[..], &[1, 7]].concat();
    let path = |name: &str| folder.path(name);
    for name in ["deep", "deep.t", "deep.model"] {
        std::fs::write(path(name), &deep).unwrap();
    }
    for arguments in [
        &["detect", &path("deep")][..],
        &["verify", &path("deep")],
        &["explain", &path("deep")],
        &["diff", &path("deep.t"), &path("deep.model")],
    ] {
        fourfold(&[arguments, &["--max-depth", "1000"]].concat()).succeeded();
        // A value that is too deep is still biniou.
        let is_refused = fourfold(arguments).code != 0;
        assert_eq!(is_refused, arguments[0] != "detect", "{arguments:?}");
    }
}

#[test]
fn detection_of_an_endless_stream_ends() {
    use std::io::Write as _;

    let mut child = crate::command::command(&["detect", "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let texts = [18, 2, b'h', b'i'].repeat(1 << 14);
    // An endless input: the writer fails as soon as the pipe is closed.
    let failed = (0..1 << 20).find_map(|_| pipe.write_all(&texts).err());
    assert_eq!(failed.unwrap().kind(), std::io::ErrorKind::BrokenPipe);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        text,
        "standard input: biniou\n    biniou    byte 0 is 12, the tag string\n              reads to the end \
         of the sample: 262144 values\n    only the first 1048576 bytes were read\n"
    );
}

#[test]
fn empty_files_have_no_format() {
    for subcommand in ["detect", "verify"] {
        let run = fourfold_with(&[subcommand, "-"], b"");
        assert_eq!((run.code, run.text()), (2, "standard input: empty file\n"), "{subcommand}");
    }
    for subcommand in ["info", "dump", "explain", "graph"] {
        let run = fourfold_with(&[subcommand, "-"], b"");
        let message = "fourfold: standard input: empty file\n";
        assert_eq!((run.code, run.stderr.as_str()), (2, message), "{subcommand}");
    }
}

/// The first header is evidence in long Molecule files as in short ones.
#[test]
fn a_first_header_shows_the_layout() {
    let number = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let item = 1 << 20;
    let table = [number(12 + 2 * item), number(12), number(12 + item)].concat();
    let table = [table, vec![0xff; 2 * item]].concat();
    let union = [&number(7)[..], &table].concat();
    let fixvec = [&number(item)[..], &vec![0xff; 3 * item]].concat();
    for (bytes, words) in [
        (&table, "can be: table or dynvec of 2 items"),
        (&union, "can be: union of id 7 with a table or dynvec of 2 items"),
        (&fixvec, "can be: fixvec of 1048576 items of 3 bytes"),
        (&table[1..].to_vec(), "can be: array or struct"),
        (&table[..table.len() - 1].to_vec(), "can be: array or struct"),
    ] {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let run = fourfold(&["detect", file.path().to_str().unwrap()]);
        assert!(run.text().contains(&format!("molecule  {words}\n")), "{words}: {run:?}");
    }
}
