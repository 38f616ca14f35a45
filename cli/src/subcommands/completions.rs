//! `fourfold completions`.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::failure::{ExitStatus, Failure};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  fourfold completions bash > ~/.local/share/bash-completion/completions/fourfold
  fourfold completions zsh > ~/.zfunc/_fourfold
  fourfold completions fish > ~/.config/fish/completions/fourfold.fish";

/// Print a script that completes this command's arguments in a shell.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The shell that runs the script.
    shell: Shell,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let mut script = Vec::new();
        let mut command = crate::Arguments::command();
        clap_complete::generate(self.shell, &mut command, "fourfold", &mut script);
        output::print(|writer| writer.write_all(&script))?;
        Ok(ExitStatus::Good)
    }
}
