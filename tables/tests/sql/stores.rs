//! Files in a remote object store, which are fetched in pieces.

use std::fmt;
use std::fs;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::object_store::memory::InMemory;
use datafusion::object_store::path::Path;
use datafusion::object_store::{
    CopyOptions, Error, GetOptions, GetRange, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, ObjectStoreExt as _, PutMultipartOptions, PutOptions, PutPayload, PutResult,
    Result,
};
use datafusion::prelude::SessionContext;
use fourfold::biniou::ChunkWriter;
use fourfold::molecule::with::{DynVec, fixvec};
use fourfold::{biniou, molecule};
use fourfold_tables::datafusion::{Format, name_by_path};
use fourfold_tables::{Options, Schema};
use futures::stream::BoxStream;
use serde::Serialize;
use tempfile::TempDir;

use crate::{create_named, rows, session, text};

const ATD: &str = "type entry = { host : string; bytes : int; text : string }";

const MOL: &str = "array Uint64 [byte; 8]; vector Bytes <byte>; \
    table Cell { capacity: Uint64, data: Bytes, } vector Cells <Cell>;";

#[derive(Serialize)]
struct Entry {
    host: String,
    bytes: i64,
    text: String,
}

/// `count` entries, each with a text of `length` bytes.
fn entries(count: i64, length: usize) -> Vec<Entry> {
    let text = "t".repeat(length);
    let entry = |bytes: i64| Entry { host: format!("h{}", bytes % 7), bytes, text: text.clone() };
    (0..count).map(entry).collect()
}

fn stream(entries: &[Entry]) -> Vec<u8> {
    let mut chunks = ChunkWriter::new(Vec::new());
    for chunk in entries.chunks(50) {
        chunks.write_chunk(&biniou::to_vec(chunk).unwrap()).unwrap();
    }
    chunks.finish().unwrap()
}

#[derive(Serialize)]
struct Cell {
    capacity: u64,
    #[serde(with = "fixvec")]
    data: Vec<u8>,
}

fn cells(count: u64, length: usize) -> Vec<u8> {
    let cell = |capacity| Cell { capacity, data: vec![7; length] };
    molecule::to_vec(&DynVec((0..count).map(cell).collect::<Vec<_>>())).unwrap()
}

/// A store that records the requested ranges, and may have lost some of each file.
#[derive(Debug, Default)]
struct Store {
    inner: InMemory,
    requested: Mutex<Vec<Range<u64>>>,
    /// The offset from which on requests fail.
    lost: Option<u64>,
}

/// Number of bytes that are requested at once.
const PIECE: u64 = 8 << 20;

impl Store {
    async fn keep(&self, name: &str, bytes: Vec<u8>) {
        self.inner.put(&Path::from(name), bytes.into()).await.unwrap();
    }

    /// The ranges requested since the last call, sorted.
    fn requested(&self) -> Vec<Range<u64>> {
        let mut requested = std::mem::take(&mut *self.requested.lock().unwrap());
        requested.sort_by_key(|range| (range.start, range.end));
        requested
    }
}

impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a store")
    }
}

#[async_trait]
impl ObjectStore for Store {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        match &options.range {
            Some(GetRange::Bounded(range)) => {
                self.requested.lock().unwrap().push(range.clone());
                if self.lost.is_some_and(|lost| range.end > lost) {
                    let (store, source) = ("store", "the bytes are lost".into());
                    return Err(Error::Generic { store, source });
                }
            }
            range => assert!(options.head, "{location}: {range:?}"),
        }
        self.inner.get_opts(location, options).await
    }

    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        self.inner.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(location, options).await
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        self.inner.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}

/// A session in which a store is registered as `memory://x`.
fn of_store(store: &Arc<Store>, cores: usize) -> SessionContext {
    let context = session(cores);
    let url = ObjectStoreUrl::parse("memory://x").unwrap();
    context.register_object_store(url.as_ref(), Arc::clone(store) as _);
    context
}

/// A folder with the schemas.
fn schemas() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("log.atd"), ATD).unwrap();
    fs::write(folder.path().join("cells.mol"), MOL).unwrap();
    folder
}

/// Makes a table of files of a store, or of a folder.
async fn create(context: &SessionContext, schemas: &TempDir, name: &str, location: &str) {
    let (format, schema, ty) = match name {
        "cells" => ("molecule", "cells.mol", "Cells"),
        _ => ("biniou", "log.atd", "entry"),
    };
    let schema = schemas.path().join(schema).display().to_string();
    let options = [("schema", &*schema), ("type", ty)];
    create_named(context, name, format, &options, location).await.unwrap();
}

const QUERIES: [&str; 5] = [
    "select count(*) from log",
    "select host, sum(bytes), max(text) from log where bytes > 9 group by host order by host",
    "select capacity, data from cells order by capacity desc limit 3",
    "select log.bytes, host from log join cells on capacity = bytes \
     where capacity between 7 and 50 order by log.bytes, host",
    "select bytes from log where host = 'h3' union select capacity from cells order by bytes",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_of_a_store_answer_as_those_of_a_folder() {
    let schemas = schemas();
    let store = Arc::new(Store::default());
    let log = entries(300, 9);
    for (name, bytes) in [
        ("log/1.biniou", biniou::to_vec(&log).unwrap()),
        ("log/2.biniou", stream(&log)),
        ("log/3.biniou", Vec::new()),
        ("cells/1.bin", cells(200, 40)),
        ("cells/more/2.bin", cells(100, 4)),
    ] {
        let path = schemas.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &bytes).unwrap();
        store.keep(name, bytes).await;
    }
    let folder = schemas.path().display().to_string();
    let mut answers = Vec::new();
    for cores in [1, 3] {
        let (near, far) = (session(cores), of_store(&store, cores));
        // File name extensions are ignored.
        for (name, place) in [("log", "log/"), ("cells", "cells/1.bin")] {
            create(&near, &schemas, name, &format!("{folder}/{place}")).await;
            create(&far, &schemas, name, &format!("memory://x/{place}")).await;
        }
        for query in QUERIES {
            let (near, far) = (rows(&near, query).await, rows(&far, query).await);
            let (near, far) = (near.unwrap(), far.unwrap());
            assert_eq!(near, far, "{query} on {cores} cores");
            answers.push(near);
        }
    }
    assert_eq!(answers[0], ["600"]);
    assert_eq!(answers[..QUERIES.len()], answers[QUERIES.len()..]);
}

#[tokio::test]
async fn paths_may_be_those_of_a_store() {
    let store = Arc::new(Store::default());
    store.keep("logs/day=1/x.biniou", stream(&entries(300, 9))).await;
    store.keep("logs/day=2/x.biniou", stream(&entries(200, 9))).await;
    let schema = Arc::new(Schema::biniou(ATD).unwrap());
    let format = Format::new(schema, "entry", Options::new()).unwrap();
    let context = name_by_path(of_store(&store, 3), move |path| {
        Ok(path.starts_with("memory:").then(|| format.clone()))
    });
    for (query, expected) in [
        ("select count(*) from 'memory://x/logs/day=2/x.biniou'", &["200"][..]),
        (
            "select day, count(*) from 'memory://x/logs/' group by day order by day",
            &["1|300", "2|200"],
        ),
        ("select max(bytes) from 'memory://x/logs/' where day = '2'", &["199"]),
    ] {
        assert_eq!(rows(&context, query).await.unwrap(), expected, "{query}");
    }
    let error = rows(&context, "select * from 'memory://x/logs/day=3/'").await.unwrap_err();
    assert_eq!(text(&error), "no file is named `memory://x/logs/day=3/`");
}

/// Large files are fetched in pieces, and each core requests those of its part.
#[tokio::test]
async fn large_files_come_in_pieces() {
    let schemas = schemas();
    let store = Arc::new(Store::default());
    let log = entries(4600, 4000);
    let (list, chunks) = (biniou::to_vec(&log).unwrap(), stream(&log));
    let vector = cells(4600, 4000);
    for bytes in [&list, &chunks, &vector] {
        assert!(bytes.len() > 17 << 20, "{}", bytes.len());
    }
    store.keep("list", list).await;
    store.keep("log", chunks).await;
    store.keep("cells", vector).await;
    for cores in [1, 3] {
        let context = of_store(&store, cores);
        for (name, sum, last) in [
            ("list", "sum(bytes)", "max(text)"),
            ("log", "sum(bytes)", "max(text)"),
            ("cells", "sum(capacity)", "encode(max(data), 'hex')"),
        ] {
            create(&context, &schemas, name, &format!("memory://x/{name}")).await;
            store.requested();
            let query = format!("select count(*), {sum}, {last} from {name}");
            let found = rows(&context, &query).await.unwrap();
            let text = if name == "cells" { "07".repeat(4000) } else { "t".repeat(4000) };
            let sum = (0..4600).sum::<u32>();
            assert_eq!(found, [format!("4600|{sum}|{text}")], "{name} on {cores} cores");
            let requested = store.requested();
            assert!(
                requested.iter().all(|range| range.end - range.start <= PIECE),
                "{requested:?}"
            );
            let starts: Vec<u64> = requested.iter().map(|range| range.start).collect();
            match (cores, name) {
                // Its first bytes, and three pieces.
                (1, _) | (_, "list") => assert_eq!(starts, [0, 0, PIECE, 2 * PIECE], "{name}"),
                // The last part begins at its first row, once the index is read.
                (_, "cells") => {
                    assert_eq!(starts[..5], [0, 0, 0, 0, PIECE]);
                    assert!(starts.len() == 6 && starts[5] > 11 << 20, "{starts:?}");
                }
                _ => {}
            }
        }
    }
}

#[tokio::test]
async fn nothing_is_fetched_after_a_limit() {
    let schemas = schemas();
    let store = Arc::new(Store { lost: Some(PIECE), ..Store::default() });
    store.keep("log", biniou::to_vec(&entries(3000, 4000)).unwrap()).await;
    let context = of_store(&store, 1);
    // Some batches are read before the limit is reached.
    context.sql("set datafusion.execution.batch_size = 50").await.unwrap();
    create(&context, &schemas, "log", "memory://x/log").await;
    for (query, expected) in [
        ("select bytes from log limit 2", &["0", "1"][..]),
        ("select bytes from log where host = 'h3' and bytes > 3 limit 2", &["10", "17"]),
    ] {
        store.requested();
        assert_eq!(rows(&context, query).await.unwrap(), expected, "{query}");
        assert_eq!(store.requested(), [0..16, 0..PIECE], "{query}");
    }
}

/// An error of the store is not taken for the end of the file.
#[tokio::test]
async fn bytes_that_a_store_has_lost_are_an_error() {
    let schemas = schemas();
    for name in ["list", "log", "cells"] {
        let store = Arc::new(Store { lost: Some(PIECE), ..Store::default() });
        let bytes = match name {
            "list" => biniou::to_vec(&entries(3000, 4000)).unwrap(),
            "log" => stream(&entries(3000, 4000)),
            _ => cells(3000, 4000),
        };
        store.keep("file", bytes).await;
        for cores in [1, 3] {
            let context = of_store(&store, cores);
            create(&context, &schemas, name, "memory://x/file").await;
            let query = format!("select count(*) from {name}");
            let error = text(&rows(&context, &query).await.unwrap_err());
            assert_eq!(error, "file: Generic store error: the bytes are lost", "{name}");
        }
    }
}

#[tokio::test]
async fn a_damaged_file_of_a_store_is_named() {
    let schemas = schemas();
    let store = Arc::new(Store::default());
    let mut bytes = biniou::to_vec(&entries(100, 9)).unwrap();
    store.keep("log/1", bytes.clone()).await;
    bytes.truncate(bytes.len() - 5);
    store.keep("log/2", bytes).await;
    let context = of_store(&store, 2);
    create(&context, &schemas, "log", "memory://x/log/").await;
    let error = text(&rows(&context, "select sum(bytes) from log").await.unwrap_err());
    assert!(error.starts_with("log/2: row 99: "), "{error}");
    assert!(!error.contains('\n'), "{error}");
}
