//! Logging of both programs, with Ballista's options.

use ballista_core::config::LogRotationPolicy;
use tracing_appender::rolling;
use tracing_subscriber::EnvFilter;

/// The settings of logging.
#[derive(Debug)]
pub struct Log<'a> {
    /// The filter, unless `RUST_LOG` is set.
    pub level: &'a str,
    /// Whether lines have the name and id of the thread.
    pub threads: bool,
    /// The folder for log files; standard output if `None`.
    pub folder: Option<&'a str>,
    /// The prefix of file names.
    pub prefix: String,
    /// When a new file is started.
    pub rotation: LogRotationPolicy,
}

impl Log<'_> {
    /// Starts logging.
    pub fn start(self) {
        let filter =
            EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(self.level));
        let lines = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_thread_names(self.threads)
            .with_thread_ids(self.threads)
            .with_env_filter(filter);
        let Some(folder) = self.folder else { return lines.init() };
        let begin = match self.rotation {
            LogRotationPolicy::Minutely => rolling::minutely,
            LogRotationPolicy::Hourly => rolling::hourly,
            LogRotationPolicy::Daily => rolling::daily,
            LogRotationPolicy::Never => rolling::never,
        };
        lines.with_writer(begin(folder, self.prefix)).init();
    }
}
