//! Makes records like those of an HTTP log.

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, PartialEq)]
pub(crate) struct Record {
    address: [u8; 4],
    user: Option<String>,
    date: String,
    request: String,
    code: u16,
    size: u64,
}

pub(crate) fn records(count: usize) -> Vec<Record> {
    (0..count).map(record).collect()
}

/// A record of about a hundred bytes; each number gives a different one.
fn record(number: usize) -> Record {
    let [a, b, c, d, ..] = number.to_le_bytes();
    let user = ["alice", "bob", "mallory"].get(number % 5);
    Record {
        address: [a, b, c, d],
        user: user.map(|name| format!("{name}{}", number % 1_000)),
        date: format!("{:02}/Nov/2026:{:02}:{:02}:00", 1 + number % 28, number % 24, number % 60),
        request: format!("GET /articles/{number}/comments?page={} HTTP/1.1", number % 17),
        code: match number % 11 {
            0 => 404,
            _ => 200,
        },
        size: u64::from(u16::from_le_bytes([b, a])),
    }
}
