//! Scans: which columns, rows and parts of files are read.

use std::fmt;
use std::io::{Read, Seek};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::Builder;

use arrow_array::RecordBatch;
use datafusion::arrow::compute::filter_record_batch;
use datafusion::common::cast::as_boolean_array;
use datafusion::common::tree_node::{TreeNode as _, TreeNodeRecursion};
use datafusion::config::ConfigOptions;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{
    FileOpenFuture, FileOpener, FileScanConfig, FileSource,
};
use datafusion::datasource::projection::{ProjectionOpener, SplitProjection};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::{DataFusionError, Result};
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_expr::utils::{collect_columns, reassign_expr_columns};
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr, conjunction};
use datafusion::physical_expr_common::physical_expr::is_volatile;
use datafusion::physical_plan::filter_pushdown::{FilterPushdownPropagation, PushedDown};
use datafusion::physical_plan::metrics::{Count, ExecutionPlanMetricsSet, MetricBuilder};
use datafusion::physical_plan::{DisplayFormatType, apply_expression_roots};
use futures::stream::{self, Stream, StreamExt as _};
use object_store::ObjectStore;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::Format;
use super::bytes::Source;
use super::damages::Damages;
use crate::{Damage, Damaged, Error};

/// A scan of files: the `FileSource` of a [`Format`].
#[derive(Clone)]
pub struct Scan {
    format: Format,
    table: TableSchema,
    projection: SplitProjection,
    filter: Option<Arc<dyn PhysicalExpr>>,
    batch_rows: Option<usize>,
    /// Whether files are split.
    splits: bool,
    /// The damaged rows of this scan.
    damages: Damages,
    metrics: ExecutionPlanMetricsSet,
}

impl Scan {
    /// A scan of all columns and rows.
    #[must_use]
    pub fn new(format: Format, table: TableSchema) -> Self {
        let projection = SplitProjection::unprojected(&table);
        let metrics = ExecutionPlanMetricsSet::new();
        // After a damaged header, parts would find rows that a read of the whole file does not reach.
        let splits = format.options().damaged == Damaged::Stop;
        let damages = Damages::default();
        Scan { format, table, projection, filter: None, batch_rows: None, splits, damages, metrics }
    }

    /// The format of the files.
    #[must_use]
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// The first hundred damaged rows that were skipped.
    #[must_use]
    pub fn damages(&self) -> Vec<Damage> {
        self.damages.all()
    }

    /// Sets whether files are split.
    pub(super) fn splitting(self, splits: bool) -> Self {
        Scan { splits, ..self }
    }
}

impl FileSource for Scan {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        _: &FileScanConfig,
        partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let wanted = self.projection.file_indices.clone();
        let mut read = wanted.clone();
        if let Some(filter) = &self.filter {
            read.extend(collect_columns(filter).iter().map(|column| column.index()));
            read.sort_unstable();
            read.dedup();
        }
        let columns = self.table.file_schema().project(&read)?;
        let filter = self.filter.clone();
        let filter = filter.map(|filter| reassign_expr_columns(filter, &columns)).transpose()?;
        let wanted = wanted.iter().filter_map(|wanted| read.binary_search(wanted).ok()).collect();
        let counter = |name| MetricBuilder::new(&self.metrics).counter(name, partition);
        let (damaged, bytes) = (counter(DAMAGED_ROWS), counter(BYTES_SCANNED));
        let options = self.format.options().clone();
        let options = match self.batch_rows {
            Some(rows) => options.at_most_rows(rows),
            None => options,
        };
        let format = self.format.clone().read_with(options);
        let damages = self.damages.clone();
        let rows = Rows { format, read, filter, wanted, damages, damaged, bytes };
        let opener = Opener { store, rows };
        ProjectionOpener::try_new(
            self.projection.clone(),
            Arc::new(opener),
            self.table.file_schema(),
        )
    }

    fn table_schema(&self) -> &TableSchema {
        &self.table
    }

    fn with_batch_size(&self, rows: usize) -> Arc<dyn FileSource> {
        Arc::new(Scan { batch_rows: Some(rows), ..self.clone() })
    }

    fn filter(&self) -> Option<Arc<dyn PhysicalExpr>> {
        self.filter.clone()
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        Some(&self.projection.source)
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        &self.metrics
    }

    fn file_type(&self) -> &str {
        self.format.name()
    }

    fn fmt_extra(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ", type={}", self.format.type_name())?;
        match &self.filter {
            Some(filter) => write!(f, ", predicate={filter}"),
            None => Ok(()),
        }
    }

    fn supports_repartitioning(&self) -> bool {
        self.splits
    }

    fn try_pushdown_filters(
        &self,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn FileSource>>> {
        let count = self.table.file_schema().fields().len();
        // The values of folder columns are not in any file.
        let is_of_files = |filter: &Arc<dyn PhysicalExpr>| {
            // A volatile expression must not be evaluated twice: here, and again after the scan.
            !is_volatile(filter)
                && !needs_file_name(filter)
                && collect_columns(filter).iter().all(|column| column.index() < count)
        };
        let taken = filters.iter().map(|filter| match is_of_files(filter) {
            true => PushedDown::Yes,
            false => PushedDown::No,
        });
        let pushed = FilterPushdownPropagation::with_parent_pushdown_result(taken.collect());
        let taken: Vec<_> = filters.into_iter().filter(is_of_files).collect();
        if taken.is_empty() {
            return Ok(pushed);
        }
        let filter = Some(conjunction(self.filter.iter().cloned().chain(taken)));
        Ok(pushed.with_updated_node(Arc::new(Scan { filter, ..self.clone() })))
    }

    fn try_pushdown_projection(
        &self,
        projection: &ProjectionExprs,
    ) -> Result<Option<Arc<dyn FileSource>>> {
        let projection = self.projection.source.try_merge(projection)?;
        let projection = SplitProjection::new(self.table.file_schema(), &projection);
        Ok(Some(Arc::new(Scan { projection, ..self.clone() })))
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        let projected = self.projection.source.iter().map(|projected| &projected.expr);
        apply_expression_roots(self.filter.iter().chain(projected), f)
    }
}

/// Whether a filter uses the file name, which is available only in columns of the output.
fn needs_file_name(filter: &Arc<dyn PhysicalExpr>) -> bool {
    let mut found = false;
    // The closure never fails.
    let _ = filter.apply(|node| {
        let function = node.downcast_ref::<ScalarFunctionExpr>();
        found |= function.is_some_and(|function| function.name() == "input_file_name");
        Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    });
    found
}

/// The metric that counts skipped damaged rows.
pub(super) const DAMAGED_ROWS: &str = "damaged_rows";
/// The metric that counts bytes read from files.
pub(super) const BYTES_SCANNED: &str = "bytes_scanned";

/// Opens files, or parts of them.
struct Opener {
    store: Arc<dyn ObjectStore>,
    rows: Rows,
}

/// What is read from each file.
#[derive(Clone)]
struct Rows {
    format: Format,
    /// The columns to read.
    read: Vec<usize>,
    /// The filter, over these columns.
    filter: Option<Arc<dyn PhysicalExpr>>,
    /// Which of these columns are in the output.
    wanted: Vec<usize>,
    damages: Damages,
    damaged: Count,
    bytes: Count,
}

impl FileOpener for Opener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let (store, rows) = (Arc::clone(&self.store), self.rows.clone());
        Ok(Box::pin(async move {
            let part = match &file.range {
                Some(range) => {
                    let place = |place: i64| u64::try_from(place).unwrap_or_default();
                    place(range.start)..place(range.end)
                }
                None => 0..u64::MAX,
            };
            let source = Source::open(store, &file.object_meta).await?;
            let (output, input) = channel(WAITING);
            // Reading blocks, on bytes and on a full channel. Threads of the query must not block, and a runtime has
            // too few blocking threads for all readers at once.
            let reading = Builder::new().name("fourfold-scan".into()).spawn(move || {
                let read = match source {
                    Source::Local(file, path) => rows.send(file, path, part, &output),
                    Source::Remote(file) => {
                        let path = file.path();
                        rows.send(file, path, part, &output)
                    }
                };
                // If the receiver was dropped, it does not need the end marker.
                let _ = output.blocking_send(read.map(|()| None));
            });
            reading.map_err(DataFusionError::IoError)?;
            Ok(batches(input).boxed())
        }))
    }
}

/// A message of the reading thread: a batch, or `None` after the last one.
type Message = Result<Option<RecordBatch>>;

/// The batches received, up to the end or an error.
fn batches(input: Receiver<Message>) -> impl Stream<Item = Result<RecordBatch>> {
    stream::unfold(Some(input), |input| async {
        let mut input = input?;
        match input.recv().await {
            Some(Ok(Some(batch))) => Some((Ok(batch), Some(input))),
            Some(Ok(None)) => None,
            Some(Err(error)) => Some((Err(error), None)),
            // The sender was dropped without an end marker.
            None => {
                let text = "the reading thread ended early";
                Some((Err(DataFusionError::Execution(text.into())), None))
            }
        }
    })
}

/// Number of batches that a reader may be ahead of the query.
const WAITING: usize = 2;

impl Rows {
    /// Reads a part of a file, until the receiver is dropped.
    fn send<R: Read + Seek + Send>(
        &self,
        file: R,
        path: PathBuf,
        part: Range<u64>,
        output: &Sender<Message>,
    ) -> Result<()> {
        let table = self.format.table()?.project(&self.read)?;
        let mut reader = table.read_part_of(file, Some(path), part)?;
        let count = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let (mut bytes, mut damaged, mut named) = (0, 0, 0);
        loop {
            let batch = reader.next();
            // Counts before sending, so that the metrics include each batch that was received.
            self.bytes.add(count(reader.bytes().saturating_sub(bytes)));
            self.damaged.add(count(reader.damaged().saturating_sub(damaged)));
            self.damages.note(reader.damages().get(named..).unwrap_or_default());
            (bytes, damaged) = (reader.bytes(), reader.damaged());
            named = reader.damages().len();
            let Some(batch) = batch else { return Ok(()) };
            let batch = self.filtered(batch.map_err(Error::from_arrow)?)?;
            if output.blocking_send(Ok(Some(batch))).is_err() {
                return Ok(());
            }
        }
    }

    /// The rows that fulfill the filter, with the columns of the output.
    fn filtered(&self, batch: RecordBatch) -> Result<RecordBatch> {
        let Some(filter) = &self.filter else { return Ok(batch) };
        let fulfill = filter.evaluate(&batch)?.into_array(batch.num_rows())?;
        let batch = batch.project(&self.wanted)?;
        Ok(filter_record_batch(&batch, as_boolean_array(&fulfill)?)?)
    }
}
