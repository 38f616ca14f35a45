//! Converts corpora. `corpus keep TARGET FOLDER` stores the files of a folder, such as the output of `-merge=1`, as the found
//! inputs of a target. `corpus give TARGET FOLDER` writes all inputs of a target to a folder, to continue from.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a tool of developers")]

use fourfold_fuzz::corpus::Corpus;
use std::path::Path;
use std::{env, fs, process};

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let [action, target, folder] = &words[..] else { usage() };
    let (corpus, folder) = (Corpus::of(target), Path::new(folder));
    match action.as_str() {
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
