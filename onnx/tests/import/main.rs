//! ONNX models as modules of TenniS.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test reports by panicking")]

mod branches;
mod identity;
mod images;
mod loads;
mod refused;
mod table;
