//! Runs CKB scripts in the virtual machine, one transaction at a time.

pub mod case;
pub mod machine;
pub mod program;
pub mod types;
