//! Tables and scans as they travel. Knows what is in them, does not know plans around them.

use std::sync::Arc;

use datafusion::common::DataFusionError;
use datafusion::error::Result;
use datafusion_proto::protobuf::{FileScanExecConf, PartitionColumn, PhysicalExprNode};
use fourfold_tables::datafusion::Format;
use fourfold_tables::{Options, Schema};
use prost::Message;

/// What a message of this crate begins with. None of Ballista's does, since no field of a protobuf message has such a
/// key.
const MARK: u8 = 0xff;

/// What the rows of files are.
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

/// A choice of an option.
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
    pub(crate) places: Vec<String>,
    /// What the names of files end in.
    #[prost(string, tag = "3")]
    pub(crate) ending: String,
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
            other => return Err(DataFusionError::Plan(format!("no format is called {other}"))),
        };
        let choose =
            |options: Options, choice: &Choice| options.choose(&choice.name, &choice.value);
        let options = self.choices.iter().try_fold(Options::new(), choose)?;
        Ok(Format::new(Arc::new(schema), &self.name, options)?)
    }
}

/// Writes a message with its mark.
pub(crate) fn write(message: &impl Message, bytes: &mut Vec<u8>) -> Result<()> {
    bytes.push(MARK);
    message.encode(bytes).map_err(|error| DataFusionError::External(Box::new(error)))
}

/// Reads a message, if it is one of this crate.
pub(crate) fn read<M: Message + Default>(bytes: &[u8]) -> Option<Result<M>> {
    let message = bytes.strip_prefix(&[MARK])?;
    Some(M::decode(message).map_err(|error| DataFusionError::External(Box::new(error))))
}

/// What a message lacks.
pub(crate) fn lacks(part: &str) -> DataFusionError {
    DataFusionError::Plan(format!("the message has no {part}"))
}
