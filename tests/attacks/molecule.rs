//! Attacks on readers of Molecule.

/// Name, claim, types as which it is read, bytes.
pub(crate) type File = (&'static str, &'static str, &'static [&'static str], Vec<u8>);

fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

pub(crate) fn files() -> Vec<File> {
    let mut deep: Vec<u8> =
        (0..5000).rev().flat_map(|level| numbers(&[8 * level + 12, 8])).collect();
    deep.extend(numbers(&[4]));
    let count = 5000_u32;
    let full = 4 + 4 * count;
    let text_of_all = [numbers(&[1000]), vec![b'a'; 1000]].concat();
    let (start, end) = (4 + 4 * 1000, 4 + 4 * 1000 + 1004);
    let swing = [numbers(&[end]), numbers(&[start, end].repeat(500)), text_of_all].concat();
    let mut text = vec![b'a'; 20_000];
    text.push(0xff);
    vec![
        ("count-max", "2^32-1 items of 8 bytes: 32 GiB", &["Vec<u64>"], numbers(&[u32::MAX])),
        ("text-2-31", "2^31-1 bytes of text: 2 GiB", &["String"], numbers(&[0x7fff_ffff])),
        (
            "full-size-max",
            "a dynvec of 4 GiB with 2^30-2 items",
            &["Vec<String>", "List<String>"],
            numbers(&[u32::MAX, u32::MAX - 3]),
        ),
        (
            "items-without-bytes",
            "2^32-1 items that take no bytes: 4 Gi turns",
            &["Vec<()>", "List<()>"],
            numbers(&[u32::MAX]),
        ),
        (
            "offsets-backward",
            "an item that ends before it begins: a length of 2^64-4",
            &["Vec<String>", "List<String>"],
            numbers(&[20, 12, 8, 0, 0]),
        ),
        (
            "offsets-overlap",
            "two items that begin at the same byte",
            &["Vec<String>", "List<String>"],
            [numbers(&[24, 12, 12]), numbers(&[8]), b"overlaps".to_vec()].concat(),
        ),
        (
            "offset-beyond",
            "an item after the end of the input",
            &["Vec<String>", "List<String>"],
            numbers(&[16, 12, 0x7fff_fff0, 0]),
        ),
        ("offset-unaligned", "one and a quarter items", &["Vec<String>"], numbers(&[16, 9, 0, 0])),
        (
            "first-offset-zero",
            "minus one items",
            &["Vec<String>", "List<String>"],
            numbers(&[8, 0]),
        ),
        (
            "many-empty-items",
            "5000 items without bytes, each with an offset",
            &["Vec<Option<u8>>", "Vec<String>", "List<String>"],
            [numbers(&[full]), numbers(&vec![full; count as usize])].concat(),
        ),
        (
            "items-2-30",
            "2^28-1 items in 64 bytes: 1 GiB of offsets",
            &["Vec<String>", "List<String>"],
            [numbers(&[64, 1 << 30]), vec![0; 56]].concat(),
        ),
        (
            "offsets-swing",
            "1000 items, of which each second one is all of the bytes: a megabyte",
            &["Vec<String>", "List<String>"],
            swing,
        ),
        ("deep", "5000 levels: the stack", &["Nest", "LazyNest"], deep),
        ("zeros", "4 KiB of headers of nothing", &["Vec<Vec<Vec<u8>>>", "Pair"], vec![0; 4096]),
        (
            "union-id-max",
            "an item that no union has",
            &["Result<u8, String>"],
            numbers(&[u32::MAX, 0]),
        ),
        (
            "late-invalid-text",
            "20,000 bytes of text of which the last is no UTF-8",
            &["String"],
            [numbers(&[20_001]), text].concat(),
        ),
        (
            "record-4-gib",
            "a record of 4 GiB",
            &["Records<Pair>"],
            [numbers(&[u32::MAX]), vec![0; 60]].concat(),
        ),
        (
            "record-1-gib",
            "a record of 1 GiB, which may be read",
            &["Records<Pair>"],
            [numbers(&[1 << 30]), vec![0; 60]].concat(),
        ),
        (
            "record-of-zero",
            "records of no bytes: endlessly many",
            &["Records<Pair>"],
            numbers(&[0; 16]),
        ),
        (
            "record-of-three",
            "a record of less bytes than its full size has",
            &["Records<Pair>"],
            numbers(&[3, 4, 4]),
        ),
        (
            "records-without-fields",
            "1000 records that are nothing but a full size",
            &["Records<Pair>"],
            numbers(&[4; 1000]),
        ),
        (
            "truncated",
            "a header cut in half",
            &["Vec<String>", "Pair", "Records<Pair>"],
            vec![0x10, 0],
        ),
        ("trailing", "bytes after the end", &["String"], [numbers(&[0]), vec![1; 9]].concat()),
        ("empty", "nothing at all", &["Vec<u64>", "String", "Pair"], Vec::new()),
    ]
}
