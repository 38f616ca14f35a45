//! Attacks on readers of biniou.

use fourfold::biniou::hash;

use crate::molecule::File;

fn vint(mut number: u128) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
    bytes
}

fn tag(name: &str) -> [u8; 4] {
    (hash(name) | 0x8000_0000).to_be_bytes()
}

/// Each level is a TUPLE of one definition and one reference to it.
fn doubling(levels: usize) -> Vec<u8> {
    (0..levels).fold(vec![19, 0], |inner, _| {
        let definition = [&[26, 0][..], &inner].concat();
        let distance = vint(definition.len() as u128);
        [&[20, 2][..], &definition, &[26], &distance].concat()
    })
}

pub(crate) fn files() -> Vec<File> {
    let count = |tag: u8, number: u128, rest: &[u8]| [&[tag][..], &vint(number), rest].concat();
    let mut text = vec![b'a'; 20_000];
    text.push(0xff);
    let pair = [&tag("name")[..], &[18, 1, b'a']].concat();
    let number = [&tag("count")[..], &[16, 1]].concat();
    let shared = {
        let string = [&[26, 0, 18][..], &vint(1024), &[b'x'; 1024]].concat();
        let mut bytes = [&[20][..], &vint(1000), &string].concat();
        let start = bytes.len() - string.len();
        for _ in 1..1000 {
            let distance = bytes.len() - start;
            bytes.push(26);
            bytes.extend(vint(distance as u128));
        }
        bytes
    };
    vec![
        (
            "count-2-63",
            "an array of 2^63 numbers: 64 EiB",
            &["Vec<u64>", "Value", "List<()>"],
            count(19, 1 << 63, &[16, 1]),
        ),
        (
            "text-2-63",
            "2^63 bytes of text: 8 EiB",
            &["String", "Value"],
            count(18, 1 << 63, b"text"),
        ),
        (
            "units-2-62",
            "2^62 units: as many turns",
            &["Vec<()>", "Value", "List<()>"],
            count(19, 1 << 62, &[24, 0, 0]),
        ),
        (
            "rows-without-columns",
            "2^40 rows that take no bytes: 24 TiB",
            &["Value", "Vec<()>", "Nest", "List<()>"],
            count(25, 1 << 40, &[0]),
        ),
        (
            "rows-beyond-64-bits",
            "2^100 rows that take no bytes",
            &["Value", "Nest", "List<()>"],
            count(25, 1 << 100, &[0]),
        ),
        (
            "columns-2-31",
            "one row of 2^31-1 columns",
            &["Value"],
            [&[25, 1][..], &vint((1 << 31) - 1)].concat(),
        ),
        (
            "many-tables-without-columns",
            "1000 tables of 4096 rows that take no bytes: 4 million rows",
            &["Value", "Nest"],
            count(20, 1000, &count(25, 4096, &[0]).repeat(1000)),
        ),
        (
            "vint-endless",
            "a number of 1000 bytes",
            &["Value"],
            [&[17][..], &[0xff; 1000], &[0]].concat(),
        ),
        ("deep", "10,000 levels: the stack", &["Nest", "Value", "LazyNest"], {
            [[20, 1].repeat(10_000), vec![20, 0]].concat()
        }),
        (
            "sharing-doubles",
            "60 levels, each two of the one below: 2^60 values",
            &["Nest", "Value", "LazyNest"],
            doubling(60),
        ),
        (
            "sharing-kilobytes",
            "one text of a kilobyte, 1000 times: a megabyte",
            &["Vec<String>", "Value", "List<String>"],
            shared,
        ),
        (
            "cycle",
            "a value that holds itself",
            &["Nest", "Value", "LazyNest"],
            vec![26, 0, 19, 1, 26, 4],
        ),
        ("cycle-of-one", "a value that is itself", &["Nest"], vec![26, 0, 26, 2]),
        (
            "reference-before-start",
            "a reference to 2^60 bytes before the input",
            &["Value", "Nest"],
            count(26, 1 << 60, &[]),
        ),
        (
            "fields-of-one-name",
            "2000 fields of the same hash",
            &["Pair", "Value"],
            [&[21][..], &vint(2001), &pair.repeat(2000), &number].concat(),
        ),
        (
            "late-invalid-text",
            "20,000 bytes of text of which the last is no UTF-8",
            &["String"],
            count(18, 20_001, &text),
        ),
        ("truncated", "a record cut in a hash", &["Pair", "Value"], vec![21, 2, 0x80, 0]),
        ("unknown-tag", "a tag that there is not", &["Value"], vec![5, 0]),
        ("trailing", "bytes after the end", &["Value"], vec![24, 0, 24, 0]),
        ("empty", "nothing at all", &["Value", "Pair"], Vec::new()),
    ]
}
