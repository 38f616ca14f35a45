//! Models as bytes.

use bytes::Bytes;
use prost::Message;

use crate::damage;
use crate::error::{Error, LIMIT, Result};
use crate::proto::Model;

impl Model {
    /// Reads the bytes of an `.onnx` file. Tensors share them, nothing is copied but names and numbers.
    ///
    /// Fields that [`proto`](crate::proto) does not have are skipped.
    ///
    /// # Errors
    ///
    /// `Decode`, with an offset, if the bytes are no messages of the schema, or messages more than 100 levels deep; `NoModel` if
    /// there is no graph or no version of the format; `TooLarge` from 2 GiB on.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold_onnx::Model;
    ///
    /// let error = Model::read(&b"\x08\x08"[..]).unwrap_err();
    /// assert_eq!(error.to_string(), "not an ONNX model: there is no graph");
    /// ```
    pub fn read(bytes: impl Into<Bytes>) -> Result<Self> {
        let bytes = bytes.into();
        if bytes.len() > LIMIT {
            return Err(Error::TooLarge { bytes: bytes.len() });
        }
        let model = Model::decode(bytes.clone()).map_err(|error| damage::error(&bytes, &error))?;
        match (&model.graph, model.ir_version) {
            (None, _) => Err(Error::NoModel { missing: "graph" }),
            (Some(_), 0) => Err(Error::NoModel { missing: "ir_version" }),
            (Some(_), _) => Ok(model),
        }
    }

    /// The bytes of an `.onnx` file.
    ///
    /// # Errors
    ///
    /// `TooLarge` from 2 GiB on, which no reader takes.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        match self.encoded_len() {
            bytes if bytes > LIMIT => Err(Error::TooLarge { bytes }),
            _ => Ok(self.encode_to_vec()),
        }
    }
}
