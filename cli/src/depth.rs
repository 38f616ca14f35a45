//! The limit on nesting, and stacks for deeply nested values.

use std::thread;

use clap::Args;
use fourfold::biniou::Options;
use fourfold_inspect::failure::set_depth_hint;
use fourfold_inspect::model::DEEPEST;

use crate::failure::Failure;

/// The stack that one level can need, in all steps of a subcommand.
const LEVEL: usize = 1 << 14;

/// The number of levels that fit into a default stack.
const PLAIN: u16 = 128;

/// The most JSON levels that one level of a value takes: a list in an object, in a list in an object with the sizes of vints.
const JSON_LEVELS: usize = 4;

/// The option of subcommands that read nested values.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Depth {
    /// How deep biniou values can be nested.
    #[arg(long, value_name = "LEVELS", default_value_t = PLAIN)]
    max_depth: u16,
}

impl Depth {
    /// The options of readers. From here on, errors about values that are nested too deep name the option.
    pub(crate) fn options(self) -> Options {
        set_depth_hint("use `--max-depth` to allow more");
        Options::new().max_depth(self.max_depth)
    }

    /// How deep the JSON of such values is nested.
    pub(crate) fn json_levels(self) -> usize {
        usize::from(self.max_depth).saturating_mul(JSON_LEVELS).max(DEEPEST)
    }

    /// Calls `work` with a stack that is large enough.
    pub(crate) fn run<T: Send>(
        self,
        work: impl FnOnce() -> Result<T, Failure> + Send,
    ) -> Result<T, Failure> {
        match self.max_depth > PLAIN {
            true => with_levels(self.max_depth.into(), work),
            false => work(),
        }
    }
}

/// Calls `work` on a thread whose stack is large enough for that many levels.
pub(crate) fn with_levels<T: Send>(
    levels: usize,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let stack = levels.saturating_mul(LEVEL).max(8 << 20);
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(stack).spawn_scoped(scope, work);
        let worker = worker.map_err(|error| {
            Failure::Usage(format!("cannot allocate a stack for {levels} levels: {error}"))
        })?;
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_the_librarys() {
        assert_eq!(Depth { max_depth: PLAIN }.options(), Options::new());
    }
}
