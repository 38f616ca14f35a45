//! Stores the inputs that fuzzing has found: `corpus keep TARGET FOLDER` makes the files of a folder,
//! as `-merge=1` leaves them, the target's found inputs; `corpus give TARGET FOLDER` writes all inputs
//! of the target there, to continue from.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a tool of developers")]

use fourfold_fuzz::corpus::Corpus;
use std::path::Path;
use std::{env, fs, process};

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let [verb, target, folder] = &words[..] else { usage() };
    let (corpus, folder) = (Corpus::of(target), Path::new(folder));
    match verb.as_str() {
        "keep" => println!("{target}: {} inputs", corpus.keep(target, folder)),
        "give" => {
            fs::create_dir_all(folder).unwrap();
            for (number, input) in corpus.inputs().enumerate() {
                fs::write(folder.join(format!("{number:06}")), input).unwrap();
            }
            println!("{target}: {} files", corpus.inputs().count());
        }
        _ => usage(),
    }
}

fn usage() -> ! {
    eprintln!("usage: corpus keep|give TARGET FOLDER");
    process::exit(2);
}
