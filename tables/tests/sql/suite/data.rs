//! A log of an OCaml program and cells of a chain: the values, and their files.

use std::fs;
use std::path::Path;

use fourfold::biniou::ChunkWriter;
use fourfold::biniou::with::{Table as AsTable, optional};
use fourfold::molecule::RecordWriter;
use fourfold::molecule::with::{DynVec, FixVec, fixvec};
use fourfold::{biniou, molecule};
use serde::Serialize;

use crate::Dice;

pub(super) const ATD: &str = "
type point = { x : float; y : float; ?label : string option }
type request = { path : string; status : int; ms : float }
type level = [ Debug | Info | Warn | Error ]
type event = [ Start | Stop | Request of request | Failure of string | Slept of int ]
type entry = {
  id : int;
  host : string;
  bytes : int;
  load : float;
  ok : bool;
  point : point;
  tags : string list;
  ?login : string option;
  level : level;
  event : event;
  block : int;
}
";

pub(super) const MOL: &str = "
array Byte32 [byte; 32];
array Uint32 [byte; 4];
array Uint64 [byte; 8];
array Uint128 [byte; 16];
vector Bytes <byte>;
vector Uint32Vec <Uint32>;
option BytesOpt (Bytes);
struct OutPoint { tx_hash: Byte32, index: Uint32, }
table Script { code_hash: Byte32, hash_type: byte, args: Bytes, }
option ScriptOpt (Script);
union Witness { Script, OutPoint, Bytes, }
table Cell {
  out_point: OutPoint,
  block: Uint64,
  capacity: Uint64,
  lock: Script,
  type_: ScriptOpt,
  data: Bytes,
  epochs: Uint32Vec,
  witness: Witness,
}
vector Cells <Cell>;
table Transfer { block: Uint64, sender: Byte32, receiver: Byte32, amount: Uint128, memo: BytesOpt, }
struct Header { number: Uint64, hash: Byte32, time: Uint64, kind: byte, }
vector Headers <Header>;
";

#[derive(Clone, Debug, Serialize)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
    #[serde(with = "optional")]
    pub(super) label: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Request {
    pub(super) path: String,
    pub(super) status: i64,
    pub(super) ms: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) enum Level {
    Debug,
    Info,
    Warn,
    Error,
}

#[derive(Clone, Debug, Serialize)]
pub(super) enum Event {
    Start,
    Stop,
    Request(Request),
    Failure(String),
    Slept(i64),
}

/// A line of the log.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Entry {
    pub(super) id: i64,
    pub(super) host: String,
    pub(super) bytes: i64,
    pub(super) load: f64,
    pub(super) ok: bool,
    pub(super) point: Point,
    pub(super) tags: Vec<String>,
    #[serde(with = "optional")]
    pub(super) login: Option<String>,
    pub(super) level: Level,
    pub(super) event: Event,
    pub(super) block: i64,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename = "struct.OutPoint")]
pub(super) struct OutPoint {
    pub(super) tx_hash: [u8; 32],
    pub(super) index: u32,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Script {
    pub(super) code_hash: [u8; 32],
    pub(super) hash_type: u8,
    #[serde(with = "fixvec")]
    pub(super) args: Vec<u8>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) enum Witness {
    Script(Script),
    OutPoint(OutPoint),
    Bytes(#[serde(with = "fixvec")] Vec<u8>),
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Cell {
    pub(super) out_point: OutPoint,
    pub(super) block: u64,
    pub(super) capacity: u64,
    pub(super) lock: Script,
    pub(super) type_: Option<Script>,
    #[serde(with = "fixvec")]
    pub(super) data: Vec<u8>,
    #[serde(with = "fixvec")]
    pub(super) epochs: Vec<u32>,
    pub(super) witness: Witness,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Transfer {
    pub(super) block: u64,
    pub(super) sender: [u8; 32],
    pub(super) receiver: [u8; 32],
    pub(super) amount: u128,
    #[serde(with = "fixvec_option")]
    pub(super) memo: Option<Vec<u8>>,
}

/// Bytes that may be missing.
mod fixvec_option {
    use fourfold::molecule::with::FixVec;
    use serde::{Serialize as _, Serializer};

    pub(super) fn serialize<S: Serializer>(
        memo: &Option<Vec<u8>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        memo.as_ref().map(FixVec).serialize(serializer)
    }
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename = "struct.Header")]
pub(super) struct Header {
    pub(super) number: u64,
    pub(super) hash: [u8; 32],
    pub(super) time: u64,
    pub(super) kind: u8,
}

/// All values in the files.
pub(super) struct Data {
    pub(super) log: Vec<Entry>,
    pub(super) cells: Vec<Cell>,
    pub(super) transfers: Vec<Transfer>,
    pub(super) headers: Vec<Header>,
}

/// Number of blocks. Not every block has a header.
const BLOCKS: u32 = 400;

impl Data {
    pub(super) fn new() -> Self {
        let mut dice = Dice(22);
        Data {
            log: (0..3000).map(|id| entry(id, &mut dice)).collect(),
            cells: (0..2000).map(|at| cell(at, &mut dice)).collect(),
            transfers: (0..2000).map(|_| transfer(&mut dice)).collect(),
            headers: (0..BLOCKS).filter(|block| block % 7 != 3).map(header).collect(),
        }
    }

    /// Writes the files, and the schemas of both formats.
    pub(super) fn write(&self, folder: &Path) {
        let write = |name: &str, bytes: Vec<u8>| fs::write(folder.join(name), bytes).unwrap();
        write("log.atd", ATD.into());
        write("chain.mol", MOL.into());
        fs::create_dir(folder.join("log")).unwrap();
        write("log/1-list.biniou", biniou::to_vec(&self.log[..1000]).unwrap());
        let mut chunks = ChunkWriter::new(Vec::new());
        for chunk in self.log[1000..2000].chunks(64) {
            chunks.write_chunk(&biniou::to_vec(chunk).unwrap()).unwrap();
        }
        write("log/2-stream.biniou", chunks.finish().unwrap());
        write("log/3-table.biniou", biniou::to_vec(&AsTable(&self.log[2000..])).unwrap());
        write("cells.bin", molecule::to_vec(&DynVec(&self.cells)).unwrap());
        let mut records = RecordWriter::new(Vec::new());
        for transfer in &self.transfers {
            records.write(transfer).unwrap();
        }
        write("transfers.bin", records.into_inner());
        write("headers.bin", molecule::to_vec(&FixVec(&self.headers)).unwrap());
    }

    /// The header of a block.
    pub(super) fn header(&self, block: i64) -> Option<&Header> {
        self.headers.iter().find(|header| i64::try_from(header.number).unwrap() == block)
    }
}

/// A multiple of 1/4: sums of these floats are exact in any order.
fn quarters(dice: &mut Dice, bound: u32) -> f64 {
    f64::from(dice.below(bound)) / 4.0
}

fn entry(id: i64, dice: &mut Dice) -> Entry {
    let host = format!("{}-{}", dice.one_of(&["web", "db", "mail"]), dice.below(6));
    let label = match dice.below(3) {
        0 => None,
        _ => Some(dice.one_of(&["north", "south", "", "café"]).to_owned()),
    };
    let tags = (0..dice.below(5)).map(|_| dice.one_of(&["red", "green", "blue", "π"]).to_owned());
    let tags = tags.collect();
    let login = match dice.below(4) {
        0 => None,
        _ => Some(dice.one_of(&["ana", "bo", "cy", "dee"]).to_owned()),
    };
    let event = match dice.below(6) {
        0 => Event::Start,
        1 => Event::Stop,
        2 => Event::Failure(format!("disk {}", dice.below(9))),
        3 => Event::Slept(i64::from(dice.below(1000)) - 500),
        _ => Event::Request(Request {
            path: format!("/{}/{}", dice.one_of(&["user", "item"]), dice.below(30)),
            status: [200, 204, 304, 404, 500, 503][dice.place(6)],
            ms: quarters(dice, 2000),
        }),
    };
    Entry {
        id,
        host,
        bytes: i64::from(dice.below(20_000)) - 1000,
        load: quarters(dice, 40),
        ok: dice.below(5) > 0,
        point: Point { x: quarters(dice, 400) - 50.0, y: quarters(dice, 400), label },
        tags,
        login,
        level: [Level::Debug, Level::Info, Level::Warn, Level::Error][dice.place(4)],
        event,
        block: i64::from(dice.below(BLOCKS)),
    }
}

fn cell(at: u32, dice: &mut Dice) -> Cell {
    let script = |dice: &mut Dice| Script {
        code_hash: hash(dice.below(5)),
        hash_type: u8::try_from(dice.below(4)).unwrap(),
        args: bytes(dice, 21),
    };
    Cell {
        out_point: OutPoint { tx_hash: hash(at / 3), index: at % 3 },
        block: dice.below(BLOCKS).into(),
        // Some are beyond the range of Int64.
        capacity: match dice.below(50) {
            0 => u64::MAX - u64::from(dice.below(100)),
            _ => dice.below(10_000).into(),
        },
        lock: script(dice),
        type_: (dice.below(3) == 0).then(|| script(dice)),
        data: bytes(dice, 40),
        epochs: (0..dice.below(4)).map(|_| dice.below(1 << 24)).collect(),
        witness: match dice.below(3) {
            0 => Witness::Script(script(dice)),
            1 => Witness::OutPoint(OutPoint { tx_hash: hash(dice.below(100)), index: 7 }),
            _ => Witness::Bytes(bytes(dice, 9)),
        },
    }
}

fn transfer(dice: &mut Dice) -> Transfer {
    Transfer {
        block: dice.below(BLOCKS).into(),
        sender: hash(dice.below(20)),
        receiver: hash(dice.below(20)),
        amount: match dice.below(20) {
            0 => u128::MAX,
            1 => 0,
            _ => u128::from(dice.number()) << dice.below(40),
        },
        memo: (dice.below(2) == 0).then(|| bytes(dice, 6)),
    }
}

fn header(number: u32) -> Header {
    let number = u64::from(number);
    Header {
        number,
        hash: hash(u32::try_from(number).unwrap() + 1000),
        time: 1_600_000_000 + number * 10 + number % 3,
        kind: u8::try_from(number % 4).unwrap(),
    }
}

fn bytes(dice: &mut Dice, bound: u32) -> Vec<u8> {
    (0..dice.below(bound)).map(|_| u8::try_from(dice.below(256)).unwrap()).collect()
}

/// Bytes derived from a number.
pub(super) fn hash(of: u32) -> [u8; 32] {
    let mut dice = Dice(of.into());
    std::array::from_fn(|_| u8::try_from(dice.below(256)).unwrap())
}

/// Bytes in the notation of SQL's `encode`.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
