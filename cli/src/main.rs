//! The `fourfold` command: arguments, and code that its subcommands share.

mod choice;
mod chosen;
mod depth;
mod failure;
mod hex;
mod input;
mod inputs;
mod many;
mod names;
mod output;
mod paper;
#[cfg(feature = "png")]
mod pdf;
#[cfg(not(feature = "png"))]
#[path = "without_pdf.rs"]
mod pdf;
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
mod shapes;
mod subcommands;
mod target;
mod width;

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{Parser, Subcommand};
use fourfold_inspect::hints::{Hints, set_hints};

/// See, check, convert and explain Molecule, biniou, tsm and primitiv files.
#[derive(Parser, Debug)]
#[command(name = "fourfold", version, propagate_version = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    subcommand: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Detect(subcommands::detect::Arguments),
    Dump(subcommands::dump::Arguments),
    Make(subcommands::make::Arguments),
    Verify(subcommands::verify::Arguments),
    Explain(subcommands::explain::Arguments),
    Info(subcommands::info::Arguments),
    Convert(subcommands::convert::Arguments),
    Diff(subcommands::diff::Arguments),
    Graph(subcommands::graph::Arguments),
    Schema(subcommands::schema::Arguments),
    #[cfg(feature = "sql")]
    Sql(subcommands::sql::Arguments),
    Completions(subcommands::completions::Arguments),
    Man(subcommands::manual::Arguments),
}

/// Whether this build lacks the subcommand.
fn is_left_out(error: &clap::Error) -> bool {
    let name = error.get(ContextKind::InvalidSubcommand);
    !cfg!(feature = "sql") && matches!(name, Some(ContextValue::String(name)) if name == "sql")
}

/// What errors suggest.
const HINTS: Hints = Hints {
    raw: "`--raw` writes them anyway",
    original: "pass the module to fill with `--like`",
    unknown: "`fourfold detect` shows how far each reader gets, and `--format` selects a format \
              anyway",
    ambiguous: "select one with `--format`",
    // Not every subcommand accepts `--format molecule`.
    layouts: "`fourfold explain` shows their structure, and info and diff take `--format molecule`",
    schema: "give a `.mol` file with `--schema`",
    shapes: Some(shapes::options),
    is_command: true,
};

fn main() -> ExitCode {
    set_hints(HINTS);
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if is_left_out(&error) => {
            failure::warn(
                "sql needs the feature `sql`, which this command was built without: \
                 `cargo install --locked fourfold-cli --features sql`",
            );
            return ExitCode::from(failure::USAGE);
        }
        Err(error) => {
            // Help and version are results; anything else is a usage error.
            let code = if error.use_stderr() { failure::USAGE } else { failure::GOOD };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let status = match arguments.subcommand {
        Command::Detect(arguments) => arguments.run(),
        Command::Dump(arguments) => arguments.run(),
        Command::Make(arguments) => arguments.run(),
        Command::Verify(arguments) => arguments.run(),
        Command::Explain(arguments) => arguments.run(),
        Command::Info(arguments) => arguments.run(),
        Command::Convert(arguments) => arguments.run(),
        Command::Diff(arguments) => arguments.run(),
        Command::Graph(arguments) => arguments.run(),
        Command::Schema(arguments) => arguments.run(),
        #[cfg(feature = "sql")]
        Command::Sql(arguments) => arguments.run(),
        Command::Completions(arguments) => arguments.run(),
        Command::Man(arguments) => arguments.run(),
    };
    failure::exit_code(status)
}
