//! Protobuf messages for tables and scans.

use std::sync::Arc;

use datafusion::common::DataFusionError;
use datafusion::error::Result;
use datafusion_proto::protobuf::{FileScanExecConf, PartitionColumn, PhysicalExprNode};
use fourfold_tables::datafusion::Format;
use fourfold_tables::{Options, Schema};
use prost::Message;

/// The first byte of this crate's messages. Ballista's messages cannot start with it: it is not a valid protobuf key.
const PREFIX: u8 = 0xff;

/// The format, schema and type of rows.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct FormatMessage {
    /// `biniou` or `molecule`.
    #[prost(string, tag = "1")]
    format: String,
    /// The text of the schema.
    #[prost(string, tag = "2")]
    schema: String,
    #[prost(string, tag = "3")]
    name: String,
    #[prost(message, repeated, tag = "4")]
    choices: Vec<Choice>,
}

/// The value of an option.
#[derive(Clone, PartialEq, Message)]
struct Choice {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, tag = "2")]
    value: String,
}

/// A table of files.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct TableMessage {
    #[prost(message, optional, tag = "1")]
    pub(crate) format: Option<FormatMessage>,
    #[prost(string, repeated, tag = "2")]
    pub(crate) locations: Vec<String>,
    /// The extension of files.
    #[prost(string, tag = "3")]
    pub(crate) extension: String,
    #[prost(message, repeated, tag = "4")]
    pub(crate) partition_columns: Vec<PartitionColumn>,
}

/// A scan of files.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ScanMessage {
    #[prost(message, optional, tag = "1")]
    pub(crate) format: Option<FormatMessage>,
    #[prost(message, optional, tag = "2")]
    pub(crate) files: Option<FileScanExecConf>,
    #[prost(message, optional, tag = "3")]
    pub(crate) filter: Option<PhysicalExprNode>,
}

impl FormatMessage {
    pub(crate) fn of(format: &Format) -> Self {
        let choice = |(name, value): (&str, String)| Choice { name: name.into(), value };
        FormatMessage {
            format: format.name().into(),
            schema: format.schema().to_string(),
            name: format.type_name().into(),
            choices: format.options().chosen().map(choice).into(),
        }
    }

    pub(crate) fn read(&self) -> Result<Format> {
        let schema = match &*self.format {
            "biniou" => Schema::biniou(&self.schema)?,
            "molecule" => Schema::molecule(&self.schema)?,
            other => return Err(DataFusionError::Plan(format!("unknown format {other}"))),
        };
        let choose =
            |options: Options, choice: &Choice| options.choose(&choice.name, &choice.value);
        let options = self.choices.iter().try_fold(Options::new(), choose)?;
        Ok(Format::new(Arc::new(schema), &self.name, options)?)
    }
}

/// Writes a message with its prefix.
pub(crate) fn write(message: &impl Message, bytes: &mut Vec<u8>) -> Result<()> {
    bytes.push(PREFIX);
    message.encode(bytes).map_err(|error| DataFusionError::External(Box::new(error)))
}

/// Reads a message, if it is one of this crate.
pub(crate) fn read<M: Message + Default>(bytes: &[u8]) -> Option<Result<M>> {
    let message = bytes.strip_prefix(&[PREFIX])?;
    Some(M::decode(message).map_err(|error| DataFusionError::External(Box::new(error))))
}

/// The error of a message without a field.
pub(crate) fn missing(field: &str) -> DataFusionError {
    DataFusionError::Plan(format!("the message has no {field}"))
}
