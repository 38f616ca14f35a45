//! Describes the machine, the build and the versions of crates.

use std::fs;
use std::thread::available_parallelism;

/// The workspace's manifest, for the profile.
const MANIFEST: &str = include_str!("../../Cargo.toml");
const LOCK: &str = include_str!("../../Cargo.lock");

/// Packages of the measured crates, by their names in the lock file.
const CRATES: [&str; 15] = [
    "bincode",
    "bitcode",
    "cbor4ii",
    "ciborium",
    "flatbuffers",
    "molecule",
    "postcard",
    "rkyv",
    "rmp-serde",
    "safetensors",
    "serde",
    "serde-zap",
    "serde_json",
    "serde_molecule",
    "wincode",
];

/// The processor and its number of threads.
pub(crate) fn machine() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or("unknown processor", |(_, model)| model.trim());
    let threads = available_parallelism().map_or(1, usize::from);
    format!("{model}, {threads} threads, {} {}", std::env::consts::ARCH, std::env::consts::OS)
}

/// The compiler and its profile.
pub(crate) fn build() -> String {
    let mut settings: Vec<String> = MANIFEST
        .lines()
        .skip_while(|line| *line != "[profile.release]")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .map(|line| format!("`{line}`"))
        .collect();
    // The environment overrides the manifest.
    settings.extend(overridden().map(|(name, value)| format!("`{name}={value}`")));
    let compiler = env!("BENCH_RUSTC");
    format!("{compiler}, profile `{}`: {}", env!("BENCH_PROFILE"), settings.join(", "))
}

/// Settings of the profile from the environment.
fn overridden() -> impl Iterator<Item = (&'static str, &'static str)> {
    env!("BENCH_OVERRIDDEN").split_terminator(';').filter_map(|set| set.split_once('='))
}

/// The same settings as a prefix of a command.
pub(crate) fn environment() -> String {
    overridden().map(|(name, value)| format!("{name}=\"{value}\" ")).collect()
}

/// Each package with its version.
pub(crate) fn versions() -> String {
    let mut found = Vec::new();
    let mut lines = LOCK.lines();
    while let Some(line) = lines.next() {
        let name = line.strip_prefix("name = \"").and_then(|rest| rest.strip_suffix('"'));
        if let Some(name) = name.filter(|name| CRATES.contains(name)) {
            let version = lines.next().unwrap_or_default().trim_start_matches("version = ");
            found.push(format!("{name} {}", version.trim_matches('"')));
        }
    }
    found.join(", ")
}
