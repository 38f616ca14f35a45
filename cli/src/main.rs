//! The `fourfold` command: arguments, and what its verbs have in common.

mod choice;
mod depth;
mod failure;
mod hex;
mod input;
mod inputs;
mod many;
mod names;
mod output;
#[cfg(feature = "png")]
mod png;
#[cfg(not(feature = "png"))]
#[path = "without_png.rs"]
mod png;
mod progress;
mod project;
#[cfg(feature = "tables")]
mod records;
mod schema;
mod target;
mod verbs;
mod width;

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
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
    Detect(verbs::detect::Arguments),
    Dump(verbs::dump::Arguments),
    Make(verbs::make::Arguments),
    Verify(verbs::verify::Arguments),
    Explain(verbs::explain::Arguments),
    Info(verbs::info::Arguments),
    Convert(verbs::convert::Arguments),
    Diff(verbs::diff::Arguments),
    Graph(verbs::graph::Arguments),
    Schema(verbs::schema::Arguments),
    #[cfg(feature = "sql")]
    Sql(verbs::sql::Arguments),
    Completions(verbs::completions::Arguments),
    Man(verbs::manual::Arguments),
}

/// Whether the subcommand is one that this build does not have.
fn is_left_out(error: &clap::Error) -> bool {
    let name = error.get(ContextKind::InvalidSubcommand);
    !cfg!(feature = "sql") && matches!(name, Some(ContextValue::String(name)) if name == "sql")
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if is_left_out(&error) => {
            failure::remark(
                "sql needs the feature `sql`, which this command was built without: \
                 `cargo install --locked fourfold-cli --features sql`",
            );
            return ExitCode::from(failure::USAGE);
        }
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
        Verb::Schema(arguments) => arguments.run(),
        #[cfg(feature = "sql")]
        Verb::Sql(arguments) => arguments.run(),
        Verb::Completions(arguments) => arguments.run(),
        Verb::Man(arguments) => arguments.run(),
    };
    failure::exit_code(ended)
}
