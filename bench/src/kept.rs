//! Memory that stays with the process.

use std::error::Error;

/// glibc gives memory back to the system whenever a large value is dropped, and fetches it again
/// page by page for the next: more time than the work itself takes, and a matter of luck. So each
/// of these programs starts itself once more, told to keep it.
///
/// # Errors
///
/// If it cannot start.
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
