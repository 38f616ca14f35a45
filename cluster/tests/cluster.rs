//! Runs queries on a scheduler and two executors, also when an executor is killed.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::prelude::{SessionConfig, SessionContext};
use fourfold::molecule::with::DynVec;
use fourfold::{biniou, molecule};
use serde::Serialize;
use tempfile::TempDir;

#[derive(Serialize)]
struct Entry {
    host: String,
    bytes: i64,
    user: Option<String>,
    tags: Vec<String>,
}

#[derive(Serialize)]
struct Host {
    id: u64,
    name: String,
}

const ATD: &str =
    "type entry = { host : string; bytes : int; user : string option; tags : string list }";
const MOL: &str = "array Uint64 [byte; 8]; vector Bytes <byte>; table Host { id: Uint64, name: Bytes, } vector Hosts <Host>;";

fn entries(day: i64) -> Vec<Entry> {
    let entry = |at: i64| Entry {
        host: format!("h{}", (at * 7 + day) % 13),
        bytes: at * day % 1009,
        user: (at % 3 == 0).then(|| format!("u{}", at % 5)),
        tags: (0..at % 3).map(|tag| format!("t{tag}")).collect(),
    };
    (0..3000).map(entry).collect()
}

/// A folder with logs, a list and a stream for each day, and hosts.
fn files() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("log.atd"), ATD).unwrap();
    fs::write(path("hosts.mol"), MOL).unwrap();
    for day in 1..=4 {
        let folder = path(&format!("logs/day={day}"));
        fs::create_dir_all(&folder).unwrap();
        let entries = entries(day);
        fs::write(folder.join("list.biniou"), biniou::to_vec(&entries).unwrap()).unwrap();
        let mut chunks = biniou::ChunkWriter::new(Vec::new());
        for entries in entries.chunks(100) {
            chunks.write_chunk(&biniou::to_vec(&entries).unwrap()).unwrap();
        }
        fs::write(folder.join("stream.biniou"), chunks.finish().unwrap()).unwrap();
    }
    let hosts = (0..13).map(|id| Host { id, name: format!("h{id}") }).collect();
    fs::write(path("hosts.molecule"), molecule::to_vec(&DynVec::<Vec<Host>>(hosts)).unwrap())
        .unwrap();
    folder
}

/// Creates both tables.
async fn create(context: &SessionContext, folder: &Path) {
    let folder = folder.display();
    for query in [
        format!(
            "create external table log stored as biniou partitioned by (day)
             options ('schema' '{folder}/log.atd', 'type' 'entry') location '{folder}/logs/'"
        ),
        format!(
            "create external table hosts stored as molecule
             options ('schema' '{folder}/hosts.mol', 'type' 'Hosts') location '{folder}/hosts.molecule'"
        ),
    ] {
        context.sql(&query).await.unwrap();
    }
}

/// The time limit of a query. A machine with two busy cores takes minutes for the longest one.
const LIMIT: Duration = Duration::from_secs(300);

async fn run(context: &SessionContext, query: &str) -> Result<String, String> {
    let frame = context.sql(query).await.map_err(|error| error.to_string())?;
    let collected = tokio::time::timeout(LIMIT, frame.collect()).await;
    let collected = collected.map_err(|_| format!("no end after {LIMIT:?}: {query}"))?;
    let batches = collected.map_err(|error| error.to_string())?;
    Ok(pretty_format_batches(&batches).unwrap().to_string())
}

/// A free port.
fn port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Locked by the running cluster: two clusters would compete for the cores.
static LOCK: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// A scheduler and its executors, killed on drop.
struct Cluster {
    port: u16,
    processes: Vec<Child>,
    folder: TempDir,
}

impl Cluster {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let scheduler = port();
        let mut cluster = Cluster { port: scheduler, processes: Vec::new(), folder };
        let scheduler = scheduler.to_string();
        cluster.run(
            env!("CARGO_BIN_EXE_fourfold-scheduler"),
            &[
                &[
                    "--bind-host",
                    "127.0.0.1",
                    "--external-host",
                    "127.0.0.1",
                    "--bind-port",
                    &scheduler,
                ][..],
                &[
                    "--executor-timeout-seconds",
                    "4",
                    "--expire-dead-executor-interval-seconds",
                    "1",
                ],
                &["--task-distribution", "round-robin", "--scheduler-policy", "pull-staged"],
            ]
            .concat(),
        );
        cluster.wait("scheduler", |cluster| cluster.executors().is_some());
        for name in ["one", "two"] {
            let folder = cluster.folder.path().join(name);
            fs::create_dir(&folder).unwrap();
            let ports = [port(), port(), port()].map(|port| port.to_string());
            cluster.run(
                env!("CARGO_BIN_EXE_fourfold-executor"),
                &[
                    &["--bind-host", "127.0.0.1", "--external-host", "127.0.0.1"][..],
                    &["--scheduler-host", "127.0.0.1", "--scheduler-port", &scheduler],
                    &["--bind-port", &ports[0], "--bind-grpc-port", &ports[1]],
                    &["--bind-health-port", &ports[2], "--vcores", "2"],
                    &["--executor-heartbeat-interval-seconds", "1"],
                    &["--task-scheduling-policy", "pull-staged"],
                    &["--work-dir", folder.to_str().unwrap()],
                ]
                .concat(),
            );
        }
        cluster.wait("two executors", |cluster| cluster.executors() == Some(2));
        cluster
    }

    fn run(&mut self, program: &str, arguments: &[&str]) {
        let mut command = Command::new(program);
        let log = fs::File::create(self.log(self.processes.len())).unwrap();
        command.args(arguments).env("RUST_LOG", "info").stdout(log).stderr(Stdio::inherit());
        self.processes.push(command.spawn().unwrap());
    }

    /// The path of the log of a process.
    fn log(&self, process: usize) -> PathBuf {
        self.folder.path().join(format!("{process}.log"))
    }

    /// Waits until a condition is true.
    fn wait(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !is_so(self) {
            assert!(begun.elapsed() < Duration::from_secs(60), "no {what} after a minute");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// The number of registered executors; `None` before the scheduler responds.
    fn executors(&self) -> Option<usize> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        let request = "GET /api/executors HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).ok()?;
        let mut response = String::new();
        stream.read_to_string(&mut response).ok()?;
        Some(response.matches("\"host\"").count())
    }

    async fn connect(&self) -> SessionContext {
        fourfold_cluster::connect(&format!("df://127.0.0.1:{}", self.port)).await.unwrap()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for process in &mut self.processes {
            let _ = process.kill();
            let _ = process.wait();
        }
        if std::thread::panicking() {
            for process in 0..self.processes.len() {
                let log = fs::read_to_string(self.log(process)).unwrap_or_default();
                let lines: Vec<&str> = log.lines().collect();
                let last = lines.len().saturating_sub(12);
                println!("last lines of process {process}:\n{}", lines[last..].join("\n"));
            }
        }
    }
}

/// A session of DataFusion without Ballista.
fn local() -> SessionContext {
    let config = SessionConfig::new().with_target_partitions(2);
    let context = SessionContext::new_with_config(config);
    fourfold_tables::datafusion::register(&context).unwrap();
    context
}

const QUERIES: [&str; 10] = [
    "select count(*), sum(bytes), count(\"user\"), min(host) from log",
    "select host, count(*) as n, avg(bytes) from log group by host order by host",
    "select day, max(bytes) from log where bytes < 900 group by day order by day",
    "select count(*) from log where day = '2' and host in ('h1', 'h2') and \"user\" is null",
    "select host, bytes, \"user\" from log where bytes > 1000 order by host, bytes, \"user\", day limit 20",
    "select h.id, count(*) from log l join hosts h on l.host = arrow_cast(h.name, 'Utf8') group by h.id order by h.id",
    "select tag, count(*) from (select unnest(tags) as tag from log) group by tag order by tag",
    "select host, bytes, row_number() over (partition by host order by bytes desc, day, \"user\") as place
       from (select distinct host, bytes, day, \"user\" from log) order by host, place limit 30",
    "select 'log' as part, count(*) as n from log union all select 'hosts', count(*) from hosts order by part",
    "select id, encode(name, 'hex') from hosts where id > 7 order by id",
];

#[tokio::test(flavor = "multi_thread")]
async fn results_equal_those_of_datafusion_without_ballista() {
    let _lock = LOCK.lock().await;
    let (cluster, folder) = (Cluster::start(), files());
    let (local, remote) = (local(), cluster.connect().await);
    create(&local, folder.path()).await;
    create(&remote, folder.path()).await;
    for query in QUERIES {
        let expected = run(&local, query).await.unwrap();
        assert!(expected.lines().count() > 4, "{query}: {expected}");
        assert_eq!(run(&remote, query).await.as_ref(), Ok(&expected), "{query}");
    }

    // The error names the damaged file.
    let damaged = folder.path().join("logs/day=3/list.biniou");
    let bytes = fs::read(&damaged).unwrap();
    fs::write(&damaged, &bytes[..bytes.len() / 2]).unwrap();
    let error = run(&remote, QUERIES[0]).await.unwrap_err();
    assert!(error.contains("day=3/list.biniou") && error.contains("at byte 49744"), "{error}");
}

/// The query returns the right result or an error.
#[tokio::test(flavor = "multi_thread")]
async fn a_query_survives_an_executor_or_returns_an_error() {
    let _lock = LOCK.lock().await;
    let (mut cluster, folder) = (Cluster::start(), files());
    let (local, remote) = (local(), cluster.connect().await);
    create(&local, folder.path()).await;
    create(&remote, folder.path()).await;
    // A join that is long enough to kill an executor during it.
    let long = "select a.day, count(*), sum(a.bytes * b.bytes % 7) from log a, log b
                where a.host <> b.host and b.day = '1' and b.bytes < 90 group by a.day order by a.day";
    let running = {
        let remote = remote.clone();
        tokio::spawn(async move { run(&remote, long).await })
    };
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert!(!running.is_finished(), "the query finished before the executor was killed");
    cluster.processes[2].kill().unwrap();
    let result = running.await.unwrap();
    let expected = run(&local, long).await.unwrap();
    match result {
        Ok(found) => assert_eq!(found, expected),
        Err(error) => assert!(!error.trim().is_empty() && !error.starts_with("no end"), "{error}"),
    }
    // The remaining executor works.
    cluster.wait("one executor", |cluster| cluster.executors() == Some(1));
    for query in QUERIES {
        let expected = run(&local, query).await.unwrap();
        assert_eq!(run(&remote, query).await.as_ref(), Ok(&expected), "{query}");
    }
}
