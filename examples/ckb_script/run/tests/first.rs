//! Builds and runs the first script of `docs/on-chain.md`.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use ckb_script_run::machine::{Transaction, run, run_on_first};
use ckb_script_run::program::{Program, TARGET};
use ckb_vm::Error;

/// The code blocks of the section.
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

/// Builds the script of the chapter in a folder with this name, after `change` to cargo's configuration and `main.rs`.
fn built(name: &str, change: impl FnOnce(&mut String, &mut String)) -> Program {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().unwrap();
    let page = fs::read_to_string(root.join("docs/on-chain.md")).unwrap();
    let mut blocks = blocks(&page);
    let [manifest, config, main, ..] = &mut blocks[..] else { panic!("{page}") };
    change(config, main);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for (name, text) in [
        ("Cargo.toml", format!("{manifest}\n[workspace]\n")),
        (".cargo/config.toml", config.clone()),
        ("src/main.rs", main.clone()),
    ] {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // Uses the library of this checkout.
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
    Program::open(&folder.join("target").join(TARGET).join("release"), "first-script").unwrap()
}

fn transaction(args: &[u8]) -> Transaction {
    Transaction { script: script(args), ..Transaction::default() }
}

#[test]
fn the_first_script_of_the_chapter_runs() {
    let program = built("first", |_, _| {});
    for (args, code) in [
        (numbers(&[1, 2, 7]), 0),
        (numbers(&[]), 0),
        (numbers(&[1, 1]), 1),
        (numbers(&[2, 1]), 1),
        (vec![1, 2, 3], 2),
    ] {
        assert_eq!(run(&program.elf, &transaction(&args)).unwrap().code, code, "{args:?}");
        assert_eq!(run_on_first(&program.elf, &transaction(&args)).unwrap().code, code, "{args:?}");
    }
}

/// The chapter's configuration replaces atomic instructions with plain ones. Without it, version 1 of the machine refuses
/// the script.
#[test]
fn the_configuration_replaces_atomic_instructions() {
    let count = |main: &mut String| {
        let atomic =
            "static CALLS: core::sync::atomic::AtomicU32 = core::sync::atomic::AtomicU32::new(0);";
        let add = "CALLS.fetch_add(1, core::sync::atomic::Ordering::Relaxed);";
        let counting =
            main.replace("fn main() -> i8 {", &format!("{atomic}\nfn main() -> i8 {{ {add}"));
        assert_ne!(counting, *main);
        *main = counting;
    };
    let lowered = built("first_lowered", |_, main| count(main));
    let atomic = built("first_atomic", |config, main| {
        count(main);
        let plain = config.replace(",-a\", \"-C\", \"passes=lower-atomic\"", "\"");
        assert_ne!(plain, *config);
        *config = plain;
    });
    let transaction = transaction(&numbers(&[1, 2, 7]));
    for program in [&lowered, &atomic] {
        assert_eq!(run(&program.elf, &transaction).unwrap().code, 0);
    }
    assert_eq!(run_on_first(&lowered.elf, &transaction).unwrap().code, 0);
    let error = run_on_first(&atomic.elf, &transaction).unwrap_err();
    assert!(matches!(error, Error::InvalidInstruction { .. }), "{error}");
}
