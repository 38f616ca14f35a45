//! Nothing: what it depends on is what is built.
