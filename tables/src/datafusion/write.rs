//! Writes the rows of a query to files.

use std::fmt;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use arrow_schema::{DataType, Field, Fields, SchemaRef};
use async_trait::async_trait;
use datafusion::arrow::compute::{CastOptions, can_cast_types, cast_with_options};
use datafusion::common::runtime::{JoinSet, SpawnedTask};
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::write::demux::DemuxedStreamReceiver;
use datafusion::datasource::file_format::write::{
    ObjectWriterBuilder, SharedBuffer, get_writer_schema,
};
use datafusion::datasource::physical_plan::{FileSink, FileSinkConfig};
use datafusion::datasource::sink::{DataSink, DataSinkExec};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::dml::InsertOp;
use datafusion::physical_expr::LexRequirement;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan};
use object_store::ObjectStore;
use object_store::path::Path;
use tokio::io::AsyncWriteExt as _;
use tokio::sync::mpsc::Receiver;

use super::Format;
use crate::Error;
use crate::error::Names;

/// A plan that writes the rows of `input` to files of a format.
///
/// # Errors
///
/// `Columns`, if the columns of the rows differ from those of the type.
pub(super) fn plan(
    format: &Format,
    input: Arc<dyn ExecutionPlan>,
    config: FileSinkConfig,
    order: Option<LexRequirement>,
) -> Result<Arc<dyn ExecutionPlan>> {
    if config.insert_op != InsertOp::Append {
        let name = format.name();
        let text = format!("tables stored as {name} support INSERT INTO only, no overwriting");
        return Err(DataFusionError::Plan(text));
    }
    Columns::new(format, &get_writer_schema(&config))?;
    let sink = Sink { format: format.clone(), config };
    Ok(Arc::new(DataSinkExec::new(input, Arc::new(sink), order)))
}

/// Writes files of a format.
struct Sink {
    format: Format,
    config: FileSinkConfig,
}

/// Number of bytes that are buffered before they are passed to the store.
const BUFFER: usize = 1 << 20;

/// A file to be written, and its input.
struct Output {
    path: Path,
    batches: Receiver<RecordBatch>,
    store: Arc<dyn ObjectStore>,
    /// Buffer size of the store's writer.
    at_once: usize,
}

impl Output {
    /// Writes the file, and returns the number of rows.
    async fn write(mut self, format: Format, input: SchemaRef) -> Result<u64> {
        let columns = Columns::new(&format, &input)?;
        let table = format.table()?;
        let bytes = SharedBuffer::new(BUFFER);
        let mut writer = table.write(bytes.clone(), format.options().form);
        let to = FileCompressionType::UNCOMPRESSED;
        let to = ObjectWriterBuilder::new(to, &self.path, self.store);
        let mut to = to.with_buffer_size(Some(self.at_once)).build()?;
        let mut rows = 0;
        while let Some(batch) = self.batches.recv().await {
            writer.write(&columns.of(&batch)?)?;
            rows += u64::try_from(batch.num_rows()).unwrap_or(u64::MAX);
            let mut bytes = bytes.buffer.lock().await;
            if bytes.len() >= BUFFER {
                to.write_all(&bytes).await?;
                bytes.clear();
            }
        }
        let bytes = writer.finish()?;
        to.write_all(&bytes.buffer.lock().await).await?;
        to.shutdown().await?;
        Ok(rows)
    }
}

#[async_trait]
impl FileSink for Sink {
    fn config(&self) -> &FileSinkConfig {
        &self.config
    }

    async fn spawn_writer_tasks_and_join(
        &self,
        context: &Arc<TaskContext>,
        split: SpawnedTask<Result<()>>,
        mut outputs: DemuxedStreamReceiver,
        store: Arc<dyn ObjectStore>,
    ) -> Result<u64> {
        let at_once = context.session_config().options().execution.objectstore_writer_buffer_size;
        let input = get_writer_schema(&self.config);
        let mut files = JoinSet::new();
        while let Some((path, batches)) = outputs.recv().await {
            let output = Output { path, batches, store: Arc::clone(&store), at_once };
            files.spawn(output.write(self.format.clone(), Arc::clone(&input)));
        }
        let mut rows = 0;
        while let Some(written) = files.join_next().await {
            rows += written.map_err(joining)??;
        }
        split.join_unwind().await.map_err(joining)??;
        Ok(rows)
    }
}

fn joining(error: tokio::task::JoinError) -> DataFusionError {
    DataFusionError::ExecutionJoin(Box::new(error))
}

#[async_trait]
impl DataSink for Sink {
    fn schema(&self) -> &SchemaRef {
        self.config.output_schema()
    }

    async fn write_all(
        &self,
        rows: SendableRecordBatchStream,
        context: &Arc<TaskContext>,
    ) -> Result<u64> {
        FileSink::write_all(self, rows, context).await
    }
}

impl fmt::Debug for Sink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sink").field("format", &self.format).finish_non_exhaustive()
    }
}

impl DisplayAs for Sink {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} as {}", self.format.type_name(), self.format.name())
    }
}

/// Maps the columns of a query to those of a type, by name.
struct Columns {
    /// The columns of the type. Nullability is checked for each row when it is written.
    wanted: SchemaRef,
    /// The query's column for each of them, if there is one.
    places: Vec<Option<usize>>,
    name: String,
}

impl Columns {
    fn new(format: &Format, input: &SchemaRef) -> crate::Result<Self> {
        let name = format.type_name().to_owned();
        let other = |text: String| Err(Error::Columns { name: name.clone(), text });
        let wanted = format.columns();
        if let Some(other_one) =
            input.fields().iter().find(|it| wanted.column_with_name(it.name()).is_none())
        {
            let known: Vec<String> = wanted.fields().iter().map(|it| it.name().clone()).collect();
            let (name, known) = (other_one.name(), Names(&known));
            return other(format!("it has no column `{name}`; there are {known}"));
        }
        let mut places = Vec::new();
        for field in wanted.fields() {
            let column = field.name();
            places.push(match input.column_with_name(column) {
                Some((_, found)) if !fits(found.data_type(), field.data_type()) => {
                    let (found, wanted) = (found.data_type(), field.data_type());
                    let hint = match (found, wanted) {
                        (DataType::Utf8 | DataType::Utf8View, DataType::Decimal128(..)) => {
                            "; use the option 'wide_numbers' 'text'"
                        }
                        _ => "",
                    };
                    return other(format!(
                        "column `{column}` is {found} where {wanted} is expected{hint}"
                    ));
                }
                Some((place, _)) => Some(place),
                None if field.is_nullable() => None,
                None => return other(format!("column `{column}` is missing")),
            });
        }
        let nullable = |field: &Arc<Field>| field.as_ref().clone().with_nullable(true);
        let fields: Fields = wanted.fields().iter().map(nullable).collect();
        Ok(Columns { wanted: Arc::new(arrow_schema::Schema::new(fields)), places, name })
    }

    /// Converts a batch of the query to one of the type.
    fn of(&self, batch: &RecordBatch) -> crate::Result<RecordBatch> {
        // A value that does not fit is an error, not null.
        let exact = CastOptions { safe: false, ..CastOptions::default() };
        let columns = self.wanted.fields().iter().zip(&self.places).map(|(field, place)| {
            let ty = field.data_type();
            match place {
                Some(place) => {
                    cast_with_options(batch.column(*place), ty, &exact).map_err(|error| {
                        let text = format!("column `{}`: {error}", field.name());
                        Error::Columns { name: self.name.clone(), text }
                    })
                }
                None => Ok(new_null_array(ty, batch.num_rows())),
            }
        });
        let columns = columns.collect::<crate::Result<Vec<ArrayRef>>>()?;
        let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        Ok(RecordBatch::try_new_with_options(Arc::clone(&self.wanted), columns, &rows)?)
    }
}

/// Whether each value of one type can be converted to the other without loss, or causes an error. Other conversions
/// need a cast in the query.
fn fits(from: &DataType, to: &DataType) -> bool {
    use DataType::{
        Binary, BinaryView, Decimal128, Decimal256, Dictionary, FixedSizeBinary, FixedSizeList,
        Float16, Float32, Float64, LargeBinary, LargeList, LargeUtf8, List, Map, Null, Struct,
        Utf8, Utf8View,
    };
    let fits_inside = match (from, to) {
        (Null, _) => true,
        (Dictionary(_, from), to) => fits(from, to),
        (from, Dictionary(_, to)) => fits(from, to),
        (from, to) if from.is_integer() && to.is_integer() => true,
        // Doubles represent all integers of 32 bits.
        (from, Float64) if from.is_integer() => from.primitive_width().is_some_and(|it| it <= 4),
        (from, Decimal128(_, 0)) if from.is_integer() => true,
        (Decimal128(_, 0) | Decimal256(_, 0), to) if to.is_integer() => true,
        (Decimal128(_, scale) | Decimal256(_, scale), Decimal128(_, to)) => scale == to,
        (Float16, Float32 | Float64) | (Float32, Float64) => true,
        (Utf8 | LargeUtf8 | Utf8View, Utf8) => true,
        (Binary | LargeBinary | BinaryView | FixedSizeBinary(_), Binary | FixedSizeBinary(_)) => {
            true
        }
        (
            List(from) | LargeList(from) | FixedSizeList(from, _),
            List(to) | FixedSizeList(to, _),
        )
        | (Map(from, _), Map(to, _)) => fits(from.data_type(), to.data_type()),
        (Struct(from), Struct(to)) => {
            let mut fields = from.iter().zip(to);
            from.len() == to.len()
                && fields.all(|(from, to)| {
                    from.name() == to.name() && fits(from.data_type(), to.data_type())
                })
        }
        _ => false,
    };
    from == to || (fits_inside && can_cast_types(from, to))
}
