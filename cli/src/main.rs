//! The `fourfold` command: arguments, and what its verbs have in common. Each verb is one file.

mod completions;
mod convert;
mod depth;
mod detect;
mod diff;
mod dump;
mod explain;
mod failure;
mod format;
mod graph;
mod info;
mod input;
mod json;
mod make;
mod manual;
mod names;
mod output;
mod plain;
mod progress;
mod target;
mod verify;
mod weights;
mod width;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// See, check, convert and explain Molecule, biniou, tsm and primitiv files.
#[derive(Parser, Debug)]
#[command(name = "fourfold", version, propagate_version = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Detect(detect::Arguments),
    Dump(dump::Arguments),
    Make(make::Arguments),
    Verify(verify::Arguments),
    Explain(explain::Arguments),
    Info(info::Arguments),
    Convert(convert::Arguments),
    Diff(diff::Arguments),
    Graph(graph::Arguments),
    Completions(completions::Arguments),
    Man(manual::Arguments),
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are answers; anything else is a fault of usage.
            let code = if error.use_stderr() { failure::USAGE } else { failure::GOOD };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let ended = match arguments.verb {
        Verb::Detect(arguments) => arguments.run(),
        Verb::Dump(arguments) => arguments.run(),
        Verb::Make(arguments) => arguments.run(),
        Verb::Verify(arguments) => arguments.run(),
        Verb::Explain(arguments) => arguments.run(),
        Verb::Info(arguments) => arguments.run(),
        Verb::Convert(arguments) => arguments.run(),
        Verb::Diff(arguments) => arguments.run(),
        Verb::Graph(arguments) => arguments.run(),
        Verb::Completions(arguments) => arguments.run(),
        Verb::Man(arguments) => arguments.run(),
    };
    failure::exit_code(ended)
}
