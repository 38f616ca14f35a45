//! Configures glibc to keep freed memory.

use std::error::Error;

/// Restarts the program with settings that keep freed memory. By default, glibc returns the memory of a large value to
/// the system and requests it again, page by page, for the next one, which dominates the times and varies.
///
/// # Errors
///
/// If the program cannot start.
#[cfg(all(unix, target_env = "gnu"))]
pub(crate) fn keep_memory() -> Result<(), Box<dyn Error>> {
    use std::os::unix::process::CommandExt;

    const KEPT: [(&str, &str); 2] =
        [("MALLOC_TRIM_THRESHOLD_", "2000000000"), ("MALLOC_MMAP_THRESHOLD_", "1000000000")];
    if KEPT.iter().all(|(name, _)| std::env::var_os(name).is_some()) {
        return Ok(());
    }
    let mut again = std::process::Command::new(std::env::current_exe()?);
    Err(again.args(std::env::args_os().skip(1)).envs(KEPT).exec().into())
}

#[cfg(not(all(unix, target_env = "gnu")))]
pub(crate) fn keep_memory() -> Result<(), Box<dyn Error>> {
    Ok(())
}
