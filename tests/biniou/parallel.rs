//! Reading a file on all cores returns the values of one thread, in the same order.

use fourfold::biniou::{ChunkWriter, File, Framing, Value, to_vec};
use rayon::iter::ParallelIterator;
use serde::de::DeserializeOwned;

use crate::support::alloc::measure;

/// The number of chunks in a window.
const WINDOW: usize = 1 << 13;

fn stream(chunks: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut writer = ChunkWriter::new(Vec::new());
    chunks.into_iter().for_each(|chunk| writer.write_chunk(&chunk).unwrap());
    writer.finish().unwrap()
}

/// Asserts that both ways return the same values up to the first error.
#[track_caller]
fn assert_same<T: DeserializeOwned + PartialEq + Send>(bytes: &[u8]) -> (Framing, usize) {
    let file = File::from_slice(bytes);
    let text = |value: fourfold::biniou::Result<T>| value.map_err(|error| error.to_string());
    let one_by_one: Vec<_> = file.values().map(text).collect();
    let at_once: Vec<_> = file.par_values().map(text).collect();
    assert!(at_once.starts_with(&one_by_one));
    assert!(at_once.len() == one_by_one.len() || one_by_one.last().is_some_and(Result::is_err));
    let all: Result<Vec<T>, _> = file.par_values().collect();
    assert_eq!(all.is_ok(), one_by_one.iter().all(Result::is_ok));
    (file.framing(), at_once.len())
}

#[test]
fn chunks_of_many_windows() {
    for count in [0, 1, 100, WINDOW, 3 * WINDOW + 7] {
        let chunks = (0..count).map(|index| to_vec(&vec![index, 7]).unwrap());
        assert_eq!(
            assert_same::<Vec<usize>>(&stream(chunks)).1,
            count.max(1) * usize::from(count > 0)
        );
    }
}

/// The error has the number of the chunk, and later chunks are read.
#[test]
fn a_chunk_of_another_type() {
    let odd = WINDOW + 1;
    let chunks = (0..2 * WINDOW).map(|index| match index == odd {
        true => to_vec("text").unwrap(),
        false => to_vec(&index).unwrap(),
    });
    let bytes = stream(chunks);
    assert_eq!(assert_same::<u32>(&bytes), (Framing::Chunks, 2 * WINDOW));
    let errors: Vec<_> =
        File::from_slice(&bytes).par_values::<u32>().filter_map(Result::err).collect();
    let [error] = &errors[..] else { panic!("{errors:?}") };
    assert_eq!(error.path(), format!("[{odd}]").as_str());
    assert_eq!(
        error.offset(),
        File::from_slice(&bytes).values::<u32>().find_map(Result::err).unwrap().offset()
    );
    assert_eq!(assert_same::<Value>(&bytes).1, 2 * WINDOW);
}

/// Values without chunks, and an empty file, which is an error.
#[test]
fn values_without_chunks() {
    let bytes: Vec<u8> = (0..1000u32).flat_map(|number| to_vec(&number).unwrap()).collect();
    assert_eq!(assert_same::<u32>(&bytes), (Framing::Values, 1000));
    assert_eq!(assert_same::<u32>(&bytes[..bytes.len() - 1]), (Framing::Values, 1000));
    assert_eq!(assert_same::<u32>(&[]), (Framing::Values, 1));
}

/// Memory is bounded by the window.
#[test]
fn memory_does_not_grow_with_the_file() {
    let bytes = stream((0..30 * WINDOW).map(|_| vec![16, 7]));
    let file = File::from_slice(&bytes);
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let all_good = || assert!(file.par_values::<u8>().all(|value| value.is_ok()));
    let stats = one_thread.install(|| measure(all_good));
    assert!(stats.peak < 1 << 20 && stats.peak >= WINDOW, "{stats:?}");
}
