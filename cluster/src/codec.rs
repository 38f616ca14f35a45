//! Ballista's codecs for plans, extended with tables and scans of `fourfold-tables`.

use std::sync::Arc;

use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::common::TableReference;
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::datasource::listing::{ListingOptions, ListingTableUrl};
use datafusion::datasource::physical_plan::{FileScanConfig, FileSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{AggregateUDF, Extension, LogicalPlan, ScalarUDF, WindowUDF};
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::from_proto::{
    parse_protobuf_file_scan_config, parse_table_schema_from_proto,
};
use datafusion_proto::physical_plan::to_proto::serialize_file_scan_config;
use datafusion_proto::physical_plan::{
    PhysicalExtensionCodec, PhysicalPlanDecodeContext, PhysicalProtoConverterExtension,
};
use datafusion_proto::protobuf::PartitionColumn;
use fourfold_tables::datafusion::{FileTable, Scan};

use crate::message::{FormatMessage, ScanMessage, TableMessage, missing, read, write};

/// Sends logical plans from a session to a scheduler.
#[derive(Debug, Default)]
pub struct LogicalCodec(BallistaLogicalExtensionCodec);

impl LogicalExtensionCodec for LogicalCodec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[LogicalPlan],
        context: &TaskContext,
    ) -> Result<Extension> {
        self.0.try_decode(bytes, inputs, context)
    }

    fn try_encode(&self, node: &Extension, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode(node, bytes)
    }

    fn try_decode_table_provider(
        &self,
        bytes: &[u8],
        name: &TableReference,
        columns: SchemaRef,
        context: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        let Some(message) = read::<TableMessage>(bytes) else {
            return self.0.try_decode_table_provider(bytes, name, columns, context);
        };
        Ok(Arc::new(message?.table()?))
    }

    fn try_encode_table_provider(
        &self,
        name: &TableReference,
        table: Arc<dyn TableProvider>,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        match table.downcast_ref::<FileTable>() {
            Some(table) => write(&TableMessage::of(table)?, bytes),
            None => self.0.try_encode_table_provider(name, table, bytes),
        }
    }

    fn try_decode_file_format(
        &self,
        bytes: &[u8],
        context: &TaskContext,
    ) -> Result<Arc<dyn FileFormatFactory>> {
        self.0.try_decode_file_format(bytes, context)
    }

    fn try_encode_file_format(
        &self,
        bytes: &mut Vec<u8>,
        format: Arc<dyn FileFormatFactory>,
    ) -> Result<()> {
        self.0.try_encode_file_format(bytes, format)
    }

    fn try_decode_udf(&self, name: &str, bytes: &[u8]) -> Result<Arc<ScalarUDF>> {
        self.0.try_decode_udf(name, bytes)
    }

    fn try_encode_udf(&self, function: &ScalarUDF, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_udf(function, bytes)
    }

    fn try_decode_udaf(&self, name: &str, bytes: &[u8]) -> Result<Arc<AggregateUDF>> {
        self.0.try_decode_udaf(name, bytes)
    }

    fn try_encode_udaf(&self, function: &AggregateUDF, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_udaf(function, bytes)
    }

    fn try_decode_udwf(&self, name: &str, bytes: &[u8]) -> Result<Arc<WindowUDF>> {
        self.0.try_decode_udwf(name, bytes)
    }

    fn try_encode_udwf(&self, function: &WindowUDF, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_udwf(function, bytes)
    }
}

impl TableMessage {
    fn of(table: &FileTable) -> Result<Self> {
        let options = table.listing().options();
        if !options.file_sort_order.is_empty() {
            let text = "a table with an order cannot be sent to the scheduler; remove WITH ORDER";
            return Err(DataFusionError::Plan(text.into()));
        }
        let columns = options.table_partition_cols.iter().map(|(name, ty)| {
            Ok(PartitionColumn { name: name.clone(), arrow_type: Some(ty.try_into()?) })
        });
        Ok(TableMessage {
            format: Some(FormatMessage::of(table.format())),
            locations: table.listing().table_paths().iter().map(ToString::to_string).collect(),
            extension: options.file_extension.clone(),
            partition_columns: columns.collect::<Result<_>>()?,
        })
    }

    fn table(&self) -> Result<FileTable> {
        let format = self.format.as_ref().ok_or_else(|| missing("format"))?.read()?;
        let columns = self.partition_columns.iter().map(|column| {
            let ty = column.arrow_type.as_ref().ok_or_else(|| missing("type"))?;
            Ok((column.name.clone(), DataType::try_from(ty)?))
        });
        let options = ListingOptions::new(Arc::new(format.clone()))
            .with_file_extension(&self.extension)
            .with_table_partition_cols(columns.collect::<Result<_>>()?);
        let locations = self.locations.iter().map(ListingTableUrl::parse);
        FileTable::new(format, options, locations.collect::<Result<_>>()?)
    }
}

/// Sends parts of physical plans from a scheduler to executors.
#[derive(Debug, Default)]
pub struct PhysicalCodec(BallistaPhysicalExtensionCodec);

impl PhysicalExtensionCodec for PhysicalCodec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(message) = read::<ScanMessage>(bytes) else {
            return self.0.try_decode(bytes, inputs, context, converter);
        };
        let message = message?;
        let format = message.format.as_ref().ok_or_else(|| missing("format"))?.read()?;
        let files = message.files.as_ref().ok_or_else(|| missing("files"))?;
        let context = PhysicalPlanDecodeContext::new(context, self);
        let table = parse_table_schema_from_proto(files)?;
        let mut source: Arc<dyn FileSource> = Arc::new(Scan::new(format, table.clone()));
        if let Some(filter) = &message.filter {
            let filter =
                converter.proto_to_physical_expr(filter, table.table_schema(), &context)?;
            let pushed = source.try_pushdown_filters(vec![filter], &Default::default())?;
            source = pushed.updated_node.ok_or_else(|| missing("supported filter"))?;
        }
        let config = parse_protobuf_file_scan_config(files, &context, converter, source)?;
        Ok(DataSourceExec::from_data_source(config))
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let Some((config, scan)) = scan_of(&*node) else {
            return self.0.try_encode(node, bytes, converter);
        };
        let filter = scan.filter();
        let filter =
            filter.map(|filter| converter.physical_expr_to_proto(&filter, self)).transpose()?;
        let message = ScanMessage {
            format: Some(FormatMessage::of(scan.format())),
            files: Some(serialize_file_scan_config(config, self, converter)?),
            filter,
        };
        write(&message, bytes)
    }
}

/// The scan of a node, if it is one.
fn scan_of(node: &dyn ExecutionPlan) -> Option<(&FileScanConfig, &Scan)> {
    node.downcast_ref::<DataSourceExec>()?.downcast_to_file_source()
}
