//! Times formats beside one another on the CKB mainnet genesis block.
//!
//! `cargo run -p bench --release` prints a Markdown table: medians over interleaved rounds, and
//! the median of each round's ratio to `memcpy` of the peer's own bytes.

use std::hint::black_box;
use std::time::{Duration, Instant};

use ckb::blockchain::Block;
use fourfold::molecule;

#[path = "../../tests/ckb/mod.rs"]
mod ckb;

/// How often every peer gets its turn.
const ROUNDS: usize = 41;

/// One format: how it writes and reads a block.
struct Peer {
    name: &'static str,
    write: fn(&Block) -> Vec<u8>,
    read: fn(&[u8]) -> Block,
}

const PEERS: &[Peer] = &[
    Peer {
        name: "fourfold::molecule",
        write: |block| molecule::to_vec(block).unwrap_or_default(),
        read: |bytes| molecule::from_slice(bytes).unwrap_or_default(),
    },
    Peer {
        name: "postcard",
        write: |block| postcard::to_allocvec(block).unwrap_or_default(),
        read: |bytes| postcard::from_bytes(bytes).unwrap_or_default(),
    },
    Peer {
        name: "serde_json",
        write: |block| serde_json::to_vec(block).unwrap_or_default(),
        read: |bytes| serde_json::from_slice(bytes).unwrap_or_default(),
    },
];

/// What the rounds showed of one peer.
#[derive(Default)]
struct Times {
    write: Vec<Duration>,
    read: Vec<Duration>,
    copy: Vec<Duration>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/molecule/genesis/mainnet.bin");
    let block: Block = molecule::from_slice(&std::fs::read(path)?)?;
    let documents: Vec<Vec<u8>> = PEERS.iter().map(|peer| (peer.write)(&block)).collect();
    for (peer, document) in PEERS.iter().zip(&documents) {
        if (peer.read)(document) != block {
            return Err(format!("{} does not bring the block back", peer.name).into());
        }
    }

    let mut times: Vec<Times> = PEERS.iter().map(|_| Times::default()).collect();
    for _ in 0..ROUNDS {
        for ((peer, document), times) in PEERS.iter().zip(&documents).zip(&mut times) {
            times.copy.push(time(|| document.clone()));
            times.write.push(time(|| (peer.write)(black_box(&block))));
            times.read.push(time(|| (peer.read)(black_box(document))));
        }
    }

    println!("| peer | bytes | write µs | read µs | write / memcpy | read / memcpy |");
    println!("|---|--:|--:|--:|--:|--:|");
    for ((peer, document), times) in PEERS.iter().zip(&documents).zip(times) {
        let Times { write, read, copy } = times;
        let (writes, reads) = (ratio(&write, &copy), ratio(&read, &copy));
        let (write, read) = (median(micros(&write)), median(micros(&read)));
        let (name, size) = (peer.name, document.len());
        println!("| {name} | {size} | {write:.0} | {read:.0} | {writes:.2} | {reads:.2} |");
    }
    Ok(())
}

/// How long `work` takes; dropping what it makes is not counted.
fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let made = black_box(work());
    let taken = start.elapsed();
    drop(made);
    taken
}

fn micros(times: &[Duration]) -> Vec<f64> {
    times.iter().map(|time| time.as_secs_f64() * 1e6).collect()
}

fn ratio(times: &[Duration], others: &[Duration]) -> f64 {
    median(times.iter().zip(others).map(|(a, b)| a.as_secs_f64() / b.as_secs_f64()).collect())
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}
