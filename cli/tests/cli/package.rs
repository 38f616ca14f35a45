//! Packages of SeetaFace: `info`, `dump` and `convert`.

use std::fs;

use crate::command::{Folder, Run, bytes, fixture, fourfold, fourfold_with, snapshot};

#[track_caller]
fn refused(run: &Run, code: i32, text: &str) {
    assert_eq!((run.code, run.text(), run.stderr.as_str()), (code, "", text));
}

#[test]
fn output_matches_the_snapshots() {
    let (recognizer, types) = (fixture("sta/recognizer.sta"), fixture("sta/types.sta"));
    for (name, arguments) in [
        ("info-package", &["info", &recognizer][..]),
        ("info-package-types", &["info", &types]),
        ("info-package-json", &["info", &fixture("sta/small.sta"), "--json"]),
        ("dump_package_tree", &["dump", &recognizer]),
        ("dump_package_json", &["dump", &types, "--json"]),
    ] {
        snapshot(name, fourfold(arguments).succeeded().text());
    }
}

#[test]
fn packages_survive_extraction_byte_for_byte() {
    let folder = Folder::new();
    let (json, back) = (folder.path("model.json"), folder.path("back.CSTA"));
    for (name, files) in [("recognizer", 3), ("small", 1), ("types", 0)] {
        let package = fixture(&format!("sta/{name}.sta"));
        let inside = Folder::new();
        let json = inside.path("model.json");
        let run = fourfold(&["convert", &package, &json]).succeeded();
        assert_eq!(run.text().lines().count(), files, "{}", run.text());
        assert_eq!(fs::read_dir(inside.root()).unwrap().count(), files + 1);
        fourfold(&["convert", &json, &back]).succeeded();
        assert_eq!(fs::read(&back).unwrap(), bytes(&package), "{name}");
    }
    // Extracted once more, into the same folder.
    let package = fixture("sta/recognizer.sta");
    for _ in 0..2 {
        let run = fourfold(&["convert", &package, &json]).succeeded();
        let first = format!("{}: 265 bytes", folder.path("model_backbone_tsm.tsm"));
        assert_eq!(run.text().lines().next(), Some(&*first));
    }
    let module = bytes(&fixture("sta/backbone.tsm"));
    assert_eq!(fs::read(folder.path("model_backbone_tsm.tsm")).unwrap(), module);
}

/// The JSON with which OpenRoleZoo wrote the package.
#[test]
fn packages_are_those_of_openrolezoo() {
    let folder = Folder::new();
    let out = folder.path("new.sta");
    fourfold(&["convert", &fixture("sta/recognizer.json"), &out]).succeeded();
    assert_eq!(fs::read(&out).unwrap(), bytes(&fixture("sta/recognizer.sta")));
}

#[test]
fn a_binary_is_written_by_its_path() {
    let package = fixture("sta/recognizer.sta");
    let raw = |path: &str| fourfold(&["dump", &package, "--path", path, "--raw"]);
    let module = raw("backbone.tsm").succeeded().stdout;
    assert_eq!(module, bytes(&fixture("sta/backbone.tsm")));
    let info = fourfold_with(&["info", "-"], &module).succeeded();
    assert!(info.text().starts_with("standard input: tsm module, 265 bytes"), "{}", info.text());
    for (path, what) in [
        ("pre_processor[0].op", "pre_processor[0].op is of type string, not binary"),
        ("backbone.none", "no value at \"backbone.none\""),
    ] {
        let hint = "`fourfold info` lists the binaries of a package";
        refused(&raw(path), 1, &format!("fourfold: {package}: {what}; {hint}\n"));
    }
    let width = fourfold(&["dump", &package, "--path", "alignment.width"]).succeeded();
    assert_eq!(width.text(), "256\n");
}

#[test]
fn encrypted_models_are_named() {
    let folder = Folder::new();
    let text = "unknown file format (looks like an encrypted model of SeetaFace); fourfold does not \
                decrypt, so use the .sta package or the module that it was made from\n";
    for mark in ["fast", "seta"] {
        let file = folder.write("model.csta", [mark.as_bytes(), &[0xe1, 0x0a, 7, 0x9c]].concat());
        for arguments in [&["info", &file][..], &["dump", &file], &["verify", &file]] {
            let run = fourfold(arguments);
            assert_eq!(run.code, 2);
            assert!((run.text().to_owned() + &run.stderr).ends_with(text), "{arguments:?}");
        }
        let out = folder.path("model.json");
        refused(&fourfold(&["convert", &file, &out]), 2, &format!("fourfold: {file}: {text}"));
        assert!(!fs::exists(&out).unwrap());
        // A text is not encrypted.
        let run = fourfold_with(&["detect", "-"], format!("{mark} food\n").as_bytes());
        assert!(run.text().contains("(looks like text)"), "{}", run.text());
    }
}

#[test]
fn subcommands_for_other_files_name_those_for_packages() {
    let package = fixture("sta/small.sta");
    for arguments in [&["explain", &package][..], &["convert", &package, "x.safetensors"]] {
        let run = fourfold(arguments);
        let text = run.text().to_owned() + &run.stderr;
        assert_eq!((run.code, text.lines().count()), (2, 1), "{text}");
        assert!(text.contains("looks like a package of SeetaFace"), "{text}");
        assert!(text.contains("`fourfold convert MODEL.sta MODEL.json` extracts"), "{text}");
    }
}

#[test]
fn packages_are_compared_by_path() {
    let folder = Folder::new();
    let old = fixture("sta/recognizer.sta");
    let replaced = |pairs: &[(&[u8], &[u8])]| {
        let mut package = bytes(&old);
        for (from, to) in pairs {
            let at = package.windows(from.len()).position(|bytes| bytes == *from).unwrap();
            package[at..at + to.len()].copy_from_slice(to);
        }
        folder.write("new.sta", package)
    };
    let diff = |new: &str, options: &[&str]| {
        let run = fourfold(&[&["diff", &old, new], options].concat());
        assert_eq!(run.stderr, "");
        (run.code, run.text().to_owned())
    };
    for name in ["recognizer", "small", "types"] {
        let package = fixture(&format!("sta/{name}.sta"));
        assert_eq!(fourfold(&["diff", &package, &package]).succeeded().text(), "");
    }
    // A word, the operator of the module, a float, and bytes.
    let (float, other) = (0.62_f32.to_le_bytes(), 0.625_f32.to_le_bytes());
    let new = replaced(&[
        (b"single", b"double"),
        (b"relu", b"tanh"),
        (&float, &other),
        (b"landmark mean", b"landmark_mean"),
    ]);
    let lines = "\
        ~ alignment.version: \"single\" → \"double\"\n\
        ~ backbone.tsm: y/#op: \"relu\" → \"tanh\"\n\
        ~ global.threshold: 0.62 → 0.625\n\
        ~ mean: \"0x6c616e646d61726b206d65616e0001ff\" → \"0x6c616e646d61726b5f6d65616e0001ff\"\n";
    assert_eq!(diff(&new, &[]), (3, lines.into()));
    let json: serde_json::Value = serde_json::from_str(&diff(&new, &["--json"]).1).unwrap();
    let paths = json["differences"].as_array().unwrap().iter().map(|it| it["path"].clone());
    let expected = ["alignment.version", "backbone.tsm: y/#op", "global.threshold", "mean"];
    assert!(paths.eq(expected), "{json}");
    let new = replaced(&[(&float, &other)]);
    assert_eq!(diff(&new, &["--tolerance", "0.01"]), (0, String::new()));

    // Free bytes of the module's header.
    let mut module = bytes(&fixture("sta/backbone.tsm"));
    let head = module[..16].to_vec();
    let new = replaced(&[(&head, &[&head[..8], &[0xaa], &head[9..]].concat())]);
    assert_eq!(diff(&new, &[]), (3, "+ backbone.tsm: header.data: aa\n".into()));

    // A module that cannot be read.
    module[128] = 0xff;
    let new = replaced(&[(&module[..128], &module[..129])]);
    for options in [&[][..], &["--json"]] {
        let (code, text) = diff(&new, options);
        let parts = text.matches("(tsm module of 265 bytes, from byte 120 on)").count();
        assert_eq!((code, parts), (3, 2), "{text}");
    }

    let module = fixture("sta/backbone.tsm");
    let run = fourfold(&["diff", &old, &module]);
    assert!(run.code == 2 && run.stderr.contains("`diff` compares two"), "{}", run.stderr);
}

#[test]
fn packages_are_detected() {
    let package = fixture("sta/small.sta");
    let run = fourfold(&["detect", &package]).succeeded();
    assert!(run.text().starts_with(&format!("{package}: sta\n    sta ")), "{}", run.text());
}

#[test]
fn nothing_is_overwritten_or_read_elsewhere() {
    let folder = Folder::new();
    let package = folder.write("model.sta", bytes(&fixture("sta/recognizer.sta")));
    let out = folder.path("model.json");
    let other = folder.write("model_mean.bin", "mine");
    let text = "this file exists and has other content; move it, or give OUT another name";
    refused(&fourfold(&["convert", &package, &out]), 1, &format!("fourfold: {other}: {text}\n"));
    assert!(!fs::exists(&out).unwrap());
    assert!(!fs::exists(folder.path("model_backbone_tsm.tsm")).unwrap());
    assert_eq!(fs::read(&other).unwrap(), b"mine");

    let new = folder.path("new.sta");
    let json = folder.path("in.json");
    for (name, error) in [
        (
            "/etc/passwd",
            "\"/etc/passwd\" is not in the folder of the JSON file; copy it there, and write its name",
        ),
        (
            "../x",
            "\"../x\" is not in the folder of the JSON file; copy it there, and write its name",
        ),
        ("", "\"\" is not in the folder of the JSON file; copy it there, and write its name"),
    ] {
        fs::write(&json, format!("{{\"tsm\": \"@file@{name}\"}}")).unwrap();
        let text = format!("fourfold: {json}: {error} in tsm at line 1 column 9\n");
        refused(&fourfold(&["convert", &json, &new]), 2, &text);
    }
    fs::create_dir(folder.path("inner")).unwrap();
    fs::write(&json, "[\"@file@inner\"]").unwrap();
    let inner = folder.path("inner");
    let text = format!("fourfold: {json}: {inner}: this is not a file in [0] at line 1 column 2\n");
    refused(&fourfold(&["convert", &json, &new]), 2, &text);
    fs::write(&json, "[\"@file@none\"]").unwrap();
    let run = fourfold(&["convert", &json, &new]);
    assert!(run.code == 2 && run.stderr.contains("none: No such file"), "{}", run.stderr);
    fs::write(&json, "[\"@file@model.sta\"]").unwrap();
    let run = fourfold(&["convert", &json, &package]);
    assert!(
        run.code == 1 && run.stderr.contains("this is the file that is read"),
        "{}",
        run.stderr
    );
    assert!(!fs::exists(&new).unwrap());
    let run = fourfold(&["convert", &package, &out, "--all"]);
    refused(&run, 1, "fourfold: --like, --all and --raw are for tensors\n");
}

/// Links inside the folder are followed.
#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_refused() {
    let (folder, outside) = (Folder::new(), Folder::new());
    let (json, out) = (folder.path("in.json"), folder.path("new.sta"));
    let secret = outside.write("secret.txt", "secret");
    folder.write("file", "mine");
    std::os::unix::fs::symlink(&secret, folder.path("link")).unwrap();
    std::os::unix::fs::symlink(outside.root(), folder.path("links")).unwrap();
    std::os::unix::fs::symlink("file", folder.path("inside")).unwrap();
    for name in ["link", "links/secret.txt"] {
        fs::write(&json, format!("[\"@file@{name}\"]")).unwrap();
        let error =
            "is not in the folder of the JSON file; copy it there, and write its name in [0]";
        let text = format!("fourfold: {json}: \"{name}\" {error} at line 1 column 2\n");
        refused(&fourfold(&["convert", &json, &out]), 2, &text);
        assert!(!fs::exists(&out).unwrap());
    }
    fs::write(&json, "[\"@file@inside\"]").unwrap();
    fourfold(&["convert", &json, &out]).succeeded();
    assert!(fs::read(&out).unwrap().ends_with(b"mine"));
}

#[test]
fn other_files_are_not_packages() {
    let folder = Folder::new();
    let (module, out) = (fixture("tsm/good/minimal.tsm"), folder.path("x.json"));
    let text = "not a package of SeetaFace; `fourfold dump --json` prints the JSON of other files";
    refused(&fourfold(&["convert", &module, &out]), 2, &format!("fourfold: {module}: {text}\n"));
    let run = fourfold(&["convert", &module, &folder.path("x.sta")]);
    refused(&run, 2, &format!("fourfold: {module}: invalid utf-8 at byte 6\n"));
}

#[test]
fn keys_out_of_order_are_reported() {
    let folder = Folder::new();
    let package = b"\x29\x09\x91\x19\x06\x02\0\0\0\x01\0\0\0b\0\0\x01\0\0\0a\0\0";
    let package = folder.write("model.sta", package);
    let run = fourfold(&["convert", &package, &folder.path("model.json")]);
    let text = "its keys are in another order than OpenRoleZoo writes them: packing sorts them";
    assert_eq!((run.code, run.stderr), (0, format!("fourfold: {package}: {text}\n")));
}

#[test]
fn packages_are_checked() {
    let folder = Folder::new();
    let package = fixture("sta/recognizer.sta");
    let run = fourfold(&["verify", "--canonical", &package]).succeeded();
    let good = format!("{package}: good (sta, package, dict, 900 bytes, canonical)\n");
    assert_eq!(run.text(), good);

    let mut damaged = bytes(&package);
    let cut = folder.write("cut.sta", &damaged[..damaged.len() - 1]);
    let run = fourfold(&["verify", &cut]);
    let text = "input ends early: 4 bytes needed, 3 left in pre_processor[2].scale at byte 896";
    assert_eq!((run.code, run.text()), (2, &*format!("{cut}: {text}\n")));

    // The count of the module's inputs.
    let module = bytes(&fixture("sta/backbone.tsm"));
    let at = damaged.windows(module.len()).position(|bytes| bytes == module).unwrap();
    damaged[at + 128] = 0xff;
    let file = folder.write("module.sta", &damaged);
    let run = fourfold(&["verify", &file]).succeeded();
    let start = format!(
        "{file}: good (sta, package, dict, 900 bytes); suspicious: backbone.tsm: damaged tsm module: "
    );
    assert!(run.text().starts_with(&start), "{}", run.text());

    let other = b"\x29\x09\x91\x19\x06\x02\0\0\0\x01\0\0\0b\0\0\x01\0\0\0a\0\0";
    let other = folder.write("other.sta", other);
    let run = fourfold(&["verify", "--canonical", &other]);
    let text = "not canonical (sta, package, dict, 23 bytes): its keys are not in the order of their bytes";
    assert_eq!((run.code, run.text()), (3, &*format!("{other}: {text}\n")));
}

/// A million values are one table of bounded length.
#[test]
fn long_packages_are_shortened() {
    let count = 1_000_000_i32;
    let mut list = b"\x29\x09\x91\x19\x05".to_vec();
    list.extend(count.to_le_bytes());
    list.resize(list.len() + 2_000_000, 0);
    let run = fourfold_with(&["info", "-"], &list).succeeded();
    assert!(run.text().ends_with("  and 999,000 more values\n"), "{}", run.text().len());
    assert!(run.text().len() < 100_000);
}

#[test]
fn existing_files_of_other_content_stay() {
    let folder = Folder::new();
    let json = folder.path("model.json");
    fs::write(&json, "{}").unwrap();
    let run = fourfold(&["convert", &fixture("sta/recognizer.sta"), &json]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("this file exists and has other content"), "{}", run.stderr);
    assert_eq!(fs::read(&json).unwrap(), b"{}");
    assert_eq!(fs::read_dir(folder.root()).unwrap().count(), 1);

    let run = fourfold(&["convert", &fixture("sta/small.sta"), &folder.path("other.csta")]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("this is a package already"), "{}", run.stderr);
}

#[test]
fn files_that_are_too_large_are_not_read() {
    let folder = Folder::new();
    let (json, large) = (folder.path("p.json"), folder.path("large"));
    fs::File::create(&large).unwrap().set_len(5 << 30).unwrap();
    fs::write(&json, r#"{"a": "@file@large"}"#).unwrap();
    let run = fourfold(&["convert", &json, &folder.path("p.sta")]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("at most 2,147,483,647 bytes"), "{}", run.stderr);
}
