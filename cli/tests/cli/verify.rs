//! `fourfold verify`: the same verdict as the library's, one line each.

use fourfold::{biniou, primitiv, tsm};

use crate::command::{all_fixtures, bytes, fixture, fixtures, fourfold, fourfold_with, snapshot};

/// The library's error for a file.
fn verdict(format: &str, bytes: &[u8]) -> Result<(), String> {
    match format {
        "biniou" => {
            let values = biniou::StreamDeserializer::<_, biniou::Value>::from_slice(bytes);
            let values: Result<Vec<_>, _> = values.collect();
            match values {
                Ok(values) if !values.is_empty() => Ok(()),
                Ok(_) => Err("no value".into()),
                Err(error) => {
                    let mut rest = bytes;
                    for chunk in biniou::ChunkReader::new(&mut rest) {
                        chunk
                            .and_then(|chunk| biniou::from_slice::<biniou::Value>(&chunk))
                            .map_err(|_| error.without_hint().to_string())?;
                    }
                    if rest.is_empty() { Ok(()) } else { Err(error.without_hint().to_string()) }
                }
            }
        }
        "tsm" => tsm::Module::from_slice(bytes)
            .map(drop)
            .or_else(|error| {
                let code = bytes.get(4..8) == Some(&[0x29, 0x09, 0x91, 0x19]);
                match tsm::PackedTensor::from_slice(bytes) {
                    Ok(_) if !code => Ok(()),
                    _ => Err(error),
                }
            })
            .map_err(|error| error.without_hint().to_string()),
        "primitiv" => primitiv::File::from_slice(bytes)
            .map(drop)
            .map_err(|error| error.without_hint().to_string()),
        _ => panic!("{format}"),
    }
}

#[test]
fn verdicts_are_those_of_the_library() {
    for (format, files) in all_fixtures().into_iter().filter(|(format, _)| *format != "molecule") {
        let mut arguments = vec!["verify", "--format", format];
        arguments.extend(files.iter().map(String::as_str));
        let run = fourfold(&arguments);
        assert_eq!((run.code, run.errors()), (2, ""), "{format}");
        let mut lines = run.text().lines();
        for file in &files {
            let line = lines.next().unwrap();
            let message =
                line.strip_prefix(&format!("{file}: ")).unwrap_or_else(|| panic!("{line}"));
            let bytes = bytes(file);
            match verdict(format, &bytes) {
                Ok(()) => assert!(message.starts_with(&format!("good ({format}, ")), "{line}"),
                Err(error) => {
                    assert!(message.contains(&error) || bytes.is_empty(), "{line}: {error}")
                }
            }
        }
        assert_eq!(lines.next(), None);
    }
}

#[test]
fn output_matches_the_snapshots() {
    let files: Vec<String> = [
        "biniou/data/save.player-one.biniou",
        "biniou/multi/feat.shape-three.biniou",
        "biniou/stream/feat.int_list-ten_by_four.stream",
        "biniou/tree-reader/int64_truncated.biniou",
        "biniou/tree-reader/uvint_overlong.biniou",
        "primitiv/crafted/e_dims_array32.param",
        "primitiv/crafted/s_trailing_ones.param",
        "primitiv/crafted/k_duplicate_stat.param",
        "tsm/good/mlp.tsm",
        "tsm/good/tensor_f32.t",
        "tsm/good/names.tsm",
        "tsm/good/unreachable.tsm",
        "tsm/odd/missing_name.tsm",
        "tsm/odd/unknown_dtype_33.tsm",
        "primitiv/saved/z_xor_adam.model",
        "primitiv/saved/p_mat2x3.param",
        "primitiv/crafted/e_data_bin16.param",
        "primitiv/crafted/k_unsorted.model",
        "primitiv/crafted/x_trailing_zero.param",
    ]
    .into_iter()
    .map(fixture)
    .collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let mut text = String::new();
    for arguments in [&["verify"][..], &["verify", "--canonical"]] {
        let run = fourfold(&[arguments, &files].concat());
        assert_eq!(run.errors(), "");
        text.push_str(&format!("{}exit code {}\n\n", run.text(), run.code));
    }
    snapshot("verify", &text);
}

#[test]
fn files_that_the_library_writes_are_canonical() {
    // Written by the OCaml, C++ and Python implementations.
    let mut files = fixtures("biniou/data", &["biniou"]);
    files.extend(fixtures("biniou/stream", &["stream"]));
    files.extend(fixtures("tsm/good", &["tsm", "t"]));
    files.extend(fixtures("primitiv/saved", &["model", "optimizer", "param"]));
    let mut arguments = vec!["verify", "--canonical"];
    arguments.extend(files.iter().map(String::as_str));
    let run = fourfold(&arguments);
    let others: Vec<&str> =
        run.text().lines().filter(|line| !line.contains(", canonical)")).collect();
    assert_eq!((run.code, others, run.errors()), (0, vec![], ""));
}

#[test]
fn reports_the_first_differing_byte() {
    // 1 as an overlong uvint of two bytes.
    let run = fourfold_with(&["verify", "--format", "biniou", "--canonical", "-"], &[16, 0x81, 0]);
    assert_eq!(run.code, 3);
    assert_eq!(
        run.text(),
        "standard input: not canonical (biniou, 1 value, 3 bytes): byte 1 (uvint) is 81, a \
         canonical writer writes 01\n"
    );
}

#[test]
fn a_file_that_cannot_be_read_does_not_stop_the_others() {
    let good = fixture("tsm/good/minimal.tsm");
    let bad = fixture("tsm/odd/unknown_dtype_33.tsm");
    let run = fourfold(&["verify", "no/such/file", &bad, "nor/this", &good]);
    assert_eq!(run.code, 1);
    assert_eq!(run.text().lines().count(), 2);
    let lines: Vec<&str> = run.errors().lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("fourfold: no/such/file: "), "{lines:?}");
    assert!(lines[1].starts_with("fourfold: nor/this: "), "{lines:?}");
}

#[test]
fn help_has_every_exit_code() {
    let unknown = "unknown file format; `fourfold detect` shows how far each reader gets, and \
                   `--format` selects a format anyway";
    let text = "unknown file format (looks like text)";
    for (bytes, message) in
        [(&b""[..], "empty file"), (b"# A heading\n", text), (&[0xfe; 100], unknown)]
    {
        let run = fourfold_with(&["verify", "-"], bytes);
        let text = format!("standard input: {message}\n");
        assert_eq!((run.code, run.text(), run.stderr.as_str()), (2, text.as_str(), ""));
    }
    // Several formats are possible.
    assert_eq!(fourfold_with(&["verify", "-"], &[0; 4]).code, 1);
    let help = fourfold(&["verify", "--help"]);
    let codes = help.text().split("Exit code: ").nth(1).unwrap().replace('\n', " ");
    assert_eq!(
        codes.trim_end(),
        "0 if all are good; 2 if one is bad, empty or of an unknown format; 3 if all are good and \
         one is not canonical; 1 if one cannot be read or checked: Molecule without a schema, or \
         a file that several formats fit. The worst counts: 1, 2, 3, then 0."
    );
}

/// All subcommands report the same error of a damaged module, at the same byte.
#[test]
fn every_subcommand_names_the_error_of_a_module() {
    let module = bytes(&fixture("tsm/good/minimal.tsm"));
    let code = tsm::Header::CODE_RANGE;
    let damaged = |fake: u8, code_bytes: &[u8; 4], cut: usize| {
        let mut bytes = module.clone();
        bytes[0] = fake;
        bytes[code.clone()].copy_from_slice(code_bytes);
        bytes.truncate(module.len() - cut);
        bytes
    };
    for bytes in [
        damaged(0, &[0; 4], 0),
        damaged(0, b"code", 0),
        damaged(7, b"code", 0),
        damaged(0, &[0; 4], 3),
        damaged(7, &tsm::Header::CODE_BYTES, 3),
    ] {
        let run = fourfold_with(&["explain", "--json", "--format", "tsm", "-"], &bytes);
        assert_eq!(run.code, 2);
        let spans = run.json_lines().into_iter();
        let spans: Vec<serde_json::Value> = spans.collect();
        let error = spans.iter().find(|span| !span["error"].is_null()).unwrap();
        let text = |key: &str| error[key].as_str().unwrap();
        let expected = format!("{} in {} at byte {}", text("error"), text("path"), error["start"]);
        let run = fourfold_with(&["verify", "--format", "tsm", "-"], &bytes);
        assert_eq!((run.code, run.text()), (2, &*format!("standard input: {expected}\n")));
        for subcommand in ["info", "dump"] {
            let run = fourfold_with(&[subcommand, "--format", "tsm", "-"], &bytes);
            let line = format!("fourfold: standard input: {expected}\n");
            assert_eq!((run.code, run.stderr), (2, line), "{subcommand}");
        }
    }
    let run = fourfold_with(&["verify", "--format", "tsm", "-"], &[0xfe; 200]);
    assert!(run.text().starts_with("standard input: neither a module ("), "{run:?}");
}

#[test]
fn molecule_without_a_schema_is_not_checked() {
    let run = fourfold(&["verify", &fixture("molecule/blocks/block-40.bin")]);
    assert_eq!((run.code, run.text()), (1, ""));
    let unchecked = "Molecule cannot be checked without a schema that has its type; give a `.mol` file with `--schema`";
    assert!(run.stderr.ends_with(&format!(": {unchecked}\n")), "{}", run.stderr);
    // Others say so too, also of bytes that no type has.
    let mut damaged = bytes(&fixture("molecule/blocks/block-40.bin"));
    damaged[420] ^= 1;
    for subcommand in [&["detect"][..], &["info", "--format", "molecule"], &["explain", "--layout"]]
    {
        let run = fourfold_with(&[subcommand, &["-"]].concat(), &damaged);
        let fact = unchecked.strip_prefix("Molecule ").unwrap();
        assert!(run.text().contains(fact), "{subcommand:?}: {run:?}");
    }
    let run = fourfold_with(&["explain", "--layout", "--html", "-"], &damaged);
    assert!(
        run.text().contains("cannot be checked without a schema that has its type; give"),
        "{}",
        run.code
    );
}

#[test]
fn all_diagnostics_are_printed_with_an_option() {
    let file = fixture("tsm/good/unreachable.tsm");
    let short = fourfold(&["verify", &file]);
    let (line, more) = short.text().trim_end().split_once("; suspicious: ").unwrap();
    let all = fourfold(&["verify", "--all", &file]).succeeded();
    let mut lines = all.text().lines();
    assert_eq!(lines.next(), Some(line));
    let first = lines.next().unwrap().strip_prefix("    ").unwrap();
    let others = lines.count();
    match others {
        0 => assert_eq!(more, first),
        _ => assert_eq!(more, format!("{first}, and {others} more, which --all shows")),
    }
}
