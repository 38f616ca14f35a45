//! Logs of both programs, as Ballista's options ask for them.

use ballista_core::config::LogRotationPolicy;
use tracing_appender::rolling;
use tracing_subscriber::EnvFilter;

/// How a program logs.
#[derive(Debug)]
pub struct Log<'a> {
    /// What is logged, unless `RUST_LOG` says so.
    pub level: &'a str,
    /// Whether lines name their threads.
    pub threads: bool,
    /// The folder of the files; without one, standard output.
    pub folder: Option<&'a str>,
    /// What names of files begin with.
    pub prefix: String,
    /// When a new file begins.
    pub rotation: LogRotationPolicy,
}

impl Log<'_> {
    /// Begins to log.
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
