//! `fourfold man`.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{Args, Command, CommandFactory as _};
use clap_mangen::Man;

use crate::failure::{ExitStatus, Failure};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  fourfold man | man -l -
  fourfold man --dir ~/.local/share/man/man1";

/// Print the manual.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Write a page for the command and one for each subcommand into this folder, for installation,
    /// instead of printing all as one page.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let mut command = crate::Arguments::command().disable_help_subcommand(true);
        command.build();
        let Some(dir) = &self.dir else {
            let mut manual = Vec::new();
            write_manual(&command, &mut manual)?;
            output::print(|writer| writer.write_all(&manual))?;
            return Ok(ExitStatus::Good);
        };

        std::fs::create_dir_all(dir).map_err(|error| Failure::io(dir, error))?;
        for page in with_parts(&command) {
            let man = Man::new(page.clone());
            let mut bytes = Vec::new();
            man.render_title(&mut bytes)?;
            man.render_name_section(&mut bytes)?;
            write_sections(&man, page, &mut bytes)?;
            if page.has_subcommands() {
                man.render_subcommands_section(&mut bytes)?;
            }
            output::save(&dir.join(man.get_filename()), &bytes)?;
        }
        Ok(ExitStatus::Good)
    }
}

/// One page: the command, and each subcommand as a section.
fn write_manual(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let man = Man::new(command.clone());
    man.render_title(page)?;
    man.render_name_section(page)?;
    write_sections(&man, command, page)?;
    for subcommand in with_parts(command).skip(1) {
        let mut sections = Vec::new();
        write_sections(&Man::new(subcommand.clone()), subcommand, &mut sections)?;
        // The name after that of the command.
        let name = subcommand.get_bin_name().unwrap_or_else(|| subcommand.get_name());
        let name = name.strip_prefix(command.get_name()).unwrap_or(name).trim_start();
        writeln!(page, ".SH \"{}\"", name.to_uppercase())?;
        for line in String::from_utf8_lossy(&sections).lines() {
            match line.strip_prefix(".SH ") {
                Some("SYNOPSIS") => {}
                Some(heading) => writeln!(page, ".SS {heading}")?,
                None => writeln!(page, "{line}")?,
            }
        }
    }
    Ok(())
}

/// A command, then its subcommands, recursively.
fn with_parts(command: &Command) -> Box<dyn Iterator<Item = &Command> + '_> {
    let parts = command.get_subcommands().flat_map(with_parts);
    Box::new(std::iter::once(command).chain(parts))
}

fn write_sections(man: &Man, command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    if command.get_after_help().is_some() {
        let mut extra = Vec::new();
        man.render_extra_section(&mut extra)?;
        let extra = String::from_utf8_lossy(&extra);
        // The lines are commands and keep their breaks.
        let extra = extra.replace(".SH EXTRA", ".SH EXAMPLES\n.nf").replace("Examples:\n", "");
        writeln!(page, "{extra}.fi")?;
    }
    Ok(())
}
