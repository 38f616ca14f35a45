//! The script that `docs/on-chain.md` begins with, built from the text of the page.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use ckb_script_run::machine::{Transaction, run};
use ckb_script_run::program::{Program, TARGET};

/// The blocks of code on the page, which are its first ones.
fn blocks(page: &str) -> Vec<String> {
    let (_, page) = page.split_once("## From nothing").unwrap();
    let mut blocks = Vec::new();
    for part in page.split("\n```").skip(1).step_by(2) {
        let (_, text) = part.split_once('\n').unwrap();
        blocks.push(format!("{text}\n"));
    }
    blocks
}

/// The bytes of a script with these arguments.
fn script(args: &[u8]) -> Vec<u8> {
    let length = |length: usize| u32::try_from(length).unwrap().to_le_bytes();
    let body = [&[0; 33][..], &length(args.len()), args].concat();
    let offsets = [16, 48, 49].map(length).concat();
    [&length(16 + body.len())[..], &offsets, &body].concat()
}

fn numbers(list: &[u64]) -> Vec<u8> {
    let count = u32::try_from(list.len()).unwrap().to_le_bytes();
    count.into_iter().chain(list.iter().flat_map(|number| number.to_le_bytes())).collect()
}

#[test]
fn the_first_script_of_the_page_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().unwrap();
    let page = fs::read_to_string(root.join("docs/on-chain.md")).unwrap();
    let [manifest, config, main, ..] = &blocks(&page)[..] else { panic!("{page}") };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("first");
    for (name, text) in [
        ("Cargo.toml", format!("{manifest}\n[workspace]\n")),
        (".cargo/config.toml", config.clone()),
        ("src/main.rs", main.clone()),
    ] {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // The one of this checkout.
        let path_of = format!("fourfold = {{ path = {root:?}");
        fs::write(path, text.replace("fourfold = { version = \"0.1\"", &path_of)).unwrap();
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--release"])
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .current_dir(&folder)
        .status();
    assert!(status.unwrap().success());
    let built = folder.join("target").join(TARGET).join("release");
    let program = Program::open(&built, "first-script").unwrap();
    for (args, code) in [
        (numbers(&[1, 2, 7]), 0),
        (numbers(&[]), 0),
        (numbers(&[1, 1]), 1),
        (numbers(&[2, 1]), 1),
        (vec![1, 2, 3], 2),
    ] {
        let transaction = Transaction { script: script(&args), ..Transaction::default() };
        assert_eq!(run(&program.elf, &transaction).unwrap().code, code, "{args:?}");
    }
}
