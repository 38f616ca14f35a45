//! Damaged biniou, and hostile counts.

use super::{FIXTURES, assert_lines, chunk_mistake, chunks, first_error, mistake, seeds, values};
use crate::check::first_error_of;
use crate::fixture::{assert_none, hex};
use crate::random::Dice;
use crate::{alloc, explained};

const MUTATIONS: usize = if cfg!(debug_assertions) { 60_000 } else { 600_000 };

/// Memory for a span with its place, number and text, such as that of an item of an array of int8.
const MEMORY_PER_BYTE: usize = 1024;
const MEMORY: usize = 64 << 10;

#[test]
fn depth_has_the_limit_of_readers() {
    for (levels, deep) in [(128, false), (129, true), (100_000, true)] {
        // Nested NUM_VARIANTs around a unit.
        let mut bytes = [22, 0x80].repeat(levels);
        bytes.extend([24, 0]);
        assert_eq!(mistake(&bytes), None, "{levels}");
        let error = first_error_of(&explained(values, &bytes));
        let wanted = deep.then(|| (258, String::from("nested deeper than 128 levels")));
        assert_eq!(error, wanted, "{levels}");

        let mut bytes = [20, 1].repeat(levels);
        bytes.extend([24, 0]);
        assert_eq!(mistake(&bytes), None, "{levels}");
    }
}

#[test]
fn rows_without_bytes_have_the_limit_of_readers() {
    assert_lines(
        &[25, 0x81, 0x20, 0],
        &[
            "0..1 tag table",
            "1..3 count of rows 4097 ! 4097 rows without columns are more than a reader accepts",
            "3..4 count of columns 0",
        ],
    );
    assert_lines(
        &[20, 2, 25, 0x80, 0x20, 0, 25, 1, 0],
        &[
            "0..1 tag tuple",
            "1..2 count of cells 2",
            "2..3 [0] tag table",
            "3..5 [0] count of rows 4096",
            "5..6 [0] count of columns 0",
            "6..7 [1] tag table",
            "7..8 [1] count of rows 1 ! 1 rows without columns are more than a reader accepts",
            "8..9 [1] count of columns 0",
        ],
    );
    // Each value adds rows by its bytes to the first allowance, which all values share.
    for (rows, count, most) in
        [(&[0x80, 0x20][..], 2, 1), (&[0x80, 2], 40, 40), (&[0x84, 2], 1100, 960)]
    {
        let bytes = [&[25], rows, &[0]].concat().repeat(count);
        assert_eq!(mistake(&bytes), None, "{count} of {rows:?}");
        let error = first_error_of(&explained(values, &bytes)).map(|(at, _)| at);
        assert_eq!(error, (count > most).then_some(most * 4 + 1), "{count} of {rows:?}");
    }
    assert_lines(
        &[25, 9, 1, 0x80, 0, 0, 0x78, 1, 5],
        &[
            "0..1 tag table",
            "1..2 count of rows 9 ! length 9 needs 9 bytes or more, 1 left",
            "2..3 count of columns 1",
            "3..7 column hash #00000078",
            "7..8 tag of column int8",
            "8..9 [0].#00000078 int8 5",
            "9..9 [1].#00000078 int8 ! input ends early: 1 byte needed, 0 left",
        ],
    );
}

fn byte(dice: &mut Dice) -> u8 {
    const LIKELY: [u8; 14] = [0, 1, 2, 4, 16, 18, 19, 20, 21, 22, 25, 26, 127, 255];
    match dice.below(2) {
        0 => LIKELY[dice.below(LIKELY.len())],
        _ => u8::try_from(dice.below(256)).unwrap(),
    }
}

fn damage(dice: &mut Dice, bytes: &mut Vec<u8>) {
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len());
        match dice.below(5) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, byte(dice)),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            _ if at < bytes.len() => bytes[at] = byte(dice),
            _ => bytes.push(byte(dice)),
        }
    }
}

#[test]
fn damage_has_the_offset_of_the_reader() {
    let seeds: Vec<Vec<u8>> =
        seeds().into_iter().map(|(_, bytes)| bytes).filter(|bytes| bytes.len() < 1000).collect();
    let mut dice = Dice::of("explained");
    let mut mistakes = Vec::new();
    let mut errors = 0;
    for _ in 0..MUTATIONS {
        let mut bytes = seeds[dice.below(seeds.len())].clone();
        damage(&mut dice, &mut bytes);
        errors += usize::from(first_error(&bytes).is_some());
        if let Some(mistake) = mistake(&bytes) {
            mistakes.push(format!("{}: {mistake}", hex(&bytes)));
        }
    }
    assert_none(&mistakes);
    assert!(errors > MUTATIONS / 3, "{errors}");
}

#[test]
fn damage_in_chunks_has_the_offset_of_the_reader() {
    let bytes = FIXTURES.bytes("stream/feat.int_list-ten_by_four.stream");
    let mut dice = Dice::of("explained chunks");
    for _ in 0..MUTATIONS / 10 {
        let mut bytes = bytes.clone();
        damage(&mut dice, &mut bytes);
        assert_eq!(chunk_mistake(&bytes), None, "{}", hex(&bytes));
    }
}

#[test]
fn memory_is_proportional_to_the_bytes() {
    let count = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
    let with_count = |tag: u8, rest: &[u8]| [&[tag][..], &count, rest].concat();
    let hostile = [
        with_count(19, &[24]),
        with_count(19, &[1, 7, 7, 7]),
        with_count(20, &[0, 1]),
        with_count(21, &[0x80, 0, 0, 1, 0, 1]),
        with_count(18, b"text"),
        with_count(25, &[0]),
        with_count(25, &[1, 0x80, 0, 0, 1, 0, 1]),
        with_count(25, &count),
        [25, 1].iter().chain(&count).copied().collect(),
        [&[19, 0xd0, 0x86, 3, 1][..], &[7; 50_000]].concat(),
        [&[19, 0xd0, 0x86, 3, 24][..], &[7; 50_000]].concat(),
        [0, 7].repeat(20_000),
        [20, 1].repeat(20_000),
        vec![0xff; 50_000],
        vec![16; 50_001],
    ];
    for bytes in hostile {
        let shown = &bytes[..bytes.len().min(24)];
        assert_eq!(mistake(&bytes), None, "{}", hex(shown));
        let peak = alloc::measure(|| explained(values, &bytes)).peak;
        let most = MEMORY + MEMORY_PER_BYTE * bytes.len();
        assert!(peak <= most, "{peak} bytes for {} of {}", bytes.len(), hex(shown));
        let peak = alloc::measure(|| explained(chunks, &bytes)).peak;
        assert!(peak <= most, "{peak} bytes for chunks of {}", hex(shown));
    }
}
