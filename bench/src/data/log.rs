//! 10,000 records of an HTTP server's log: mostly text.

use serde::{Deserialize, Serialize};

use super::Data;
use crate::random::Random;

#[derive(
    Serialize,
    Deserialize,
    Clone,
    PartialEq,
    bitcode::Encode,
    bitcode::Decode,
    wincode::SchemaWrite,
    wincode::SchemaRead,
    rkyv::Archive,
    rkyv::Serialize,
    rkyv::Deserialize,
)]
#[serde(rename = "struct.Address")]
pub(crate) struct Address {
    pub(crate) x0: u8,
    pub(crate) x1: u8,
    pub(crate) x2: u8,
    pub(crate) x3: u8,
}

#[derive(
    Serialize,
    Deserialize,
    Clone,
    PartialEq,
    bitcode::Encode,
    bitcode::Decode,
    wincode::SchemaWrite,
    wincode::SchemaRead,
    rkyv::Archive,
    rkyv::Serialize,
    rkyv::Deserialize,
)]
pub(crate) struct Record {
    pub(crate) address: Address,
    pub(crate) identity: String,
    pub(crate) user: String,
    pub(crate) date: String,
    pub(crate) request: String,
    pub(crate) code: u16,
    pub(crate) size: u64,
}

#[derive(
    Serialize,
    Deserialize,
    Clone,
    PartialEq,
    bitcode::Encode,
    bitcode::Decode,
    wincode::SchemaWrite,
    wincode::SchemaRead,
    rkyv::Archive,
    rkyv::Serialize,
    rkyv::Deserialize,
)]
pub(crate) struct Log {
    // serde_molecule needs this attribute. Other crates see a plain `Vec`.
    #[serde(with = "serde_molecule::dynvec_serde")]
    pub(crate) records: Vec<Record>,
}

#[derive(
    Serialize,
    Deserialize,
    bitcode::Encode,
    bitcode::Decode,
    wincode::SchemaWrite,
    wincode::SchemaRead,
)]
pub(crate) struct BorrowedRecord<'a> {
    address: Address,
    identity: &'a str,
    user: &'a str,
    date: &'a str,
    request: &'a str,
    code: u16,
    pub(crate) size: u64,
}

#[derive(
    Serialize,
    Deserialize,
    bitcode::Encode,
    bitcode::Decode,
    wincode::SchemaWrite,
    wincode::SchemaRead,
)]
pub(crate) struct BorrowedLog<'a> {
    #[serde(borrow)]
    pub(crate) records: Vec<BorrowedRecord<'a>>,
}

impl Data for Log {
    type Borrowed<'a> = BorrowedLog<'a>;
    const BORROWS: bool = true;
}

const USERS: [&str; 10] =
    ["-", "-", "-", "alice", "bob", "carol", "dave", "mallory", "trent", "a-rather-long-name"];
const METHODS: [&str; 5] = ["GET", "GET", "GET", "POST", "PUT"];
const PATHS: [&str; 8] = [
    "/",
    "/favicon.ico",
    "/css/main.css",
    "/login",
    "/blog/archive",
    "/img/banner-large.png",
    "/api/v1/orders",
    "/admin/settings/password",
];
const MONTHS: [&str; 4] = ["Jan", "Apr", "Aug", "Dec"];
const CODES: [u16; 8] = [200, 200, 200, 204, 302, 304, 404, 500];

pub(crate) fn log() -> Log {
    Log { records: Random::new(1).many(10_000, record) }
}

fn record(r: &mut Random) -> Record {
    let (method, path) = (r.pick(&METHODS), r.pick(&PATHS));
    Record {
        address: Address { x0: r.byte(), x1: r.byte(), x2: r.byte(), x3: r.byte() },
        identity: "-".to_owned(),
        user: r.pick(&USERS).to_owned(),
        date: format!(
            "{:02}/{}/2026:{:02}:{:02}:{:02}",
            1 + r.below(28),
            r.pick(&MONTHS),
            r.below(24),
            r.below(60),
            r.below(60)
        ),
        request: format!("{method} {path} HTTP/1.1"),
        code: r.pick(&CODES),
        size: u64::from(r.below(100_000_000)),
    }
}
