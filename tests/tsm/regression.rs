//! Errors that were fixed, each with its smallest input.

use fourfold::tsm::{
    DType, ErrorKind, ModuleBuilder, PackedTensor, Prototype, Tensor, from_slice, to_vec,
};

use crate::support::visits::visits;

/// TenniS reads a param without fields as the previous param.
#[test]
fn builders_write_no_param_without_fields() {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let pair = vec![Tensor::scalar(1), Tensor::scalar(2)];
    let node = graph.op("relu", "y", [x]).set("a", pair);
    let y = node.set("b", Vec::<Tensor<'_>>::new()).node();
    let module = graph.build([x], [y]).unwrap();
    let b = module.graph.find("y").and_then(|node| node.param("b")).unwrap();
    assert_eq!(b.fields.len(), 1);
    assert_eq!(to_vec(b).unwrap(), [1, 0, 0, 0, 0, 0, 0, 0, 0]);
}

/// TenniS loses a `#shape` of more than seven sizes.
#[test]
fn builders_refuse_long_shapes() {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    graph.at(x).shape(&[1; 7]).shape(&[1; 8]);
    let error = graph.build([x], [x]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::DimCount { found: 8 }), "{error}");
}

#[test]
fn tensors_without_elements_need_no_alignment() {
    let tensor = Tensor::from_values::<f64>(&[], &[0]).unwrap();
    assert_eq!(tensor.as_slice::<f64>().unwrap(), [0.0; 0]);
    let bytes = to_vec(&PackedTensor::from(tensor)).unwrap();
    for at in 0..8 {
        let mut moved = vec![0; at];
        moved.extend_from_slice(&bytes);
        let packed: PackedTensor<'_> = from_slice(&moved[at..]).unwrap();
        assert!(packed.first().unwrap().as_slice::<f64>().is_ok());
    }
}

#[test]
fn products_with_a_zero_are_zero() {
    let shape = [i32::MAX, i32::MAX, i32::MAX, 0];
    assert_eq!(Prototype::new(DType::Int8, shape).bytes().unwrap(), 0);
}

#[cfg(all(feature = "mmap", unix))]
mod files {
    use std::fs;
    use std::os::unix::fs::symlink;

    use fourfold::tsm::Module;

    use super::*;

    fn module() -> Module<'static> {
        let mut graph = ModuleBuilder::new();
        let x = graph.param("x");
        graph.build([x], [x]).unwrap()
    }

    #[test]
    fn links_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real.tsm"), folder.path().join("link.tsm"));
        fs::write(&real, "old").unwrap();
        symlink("real.tsm", &link).unwrap();
        module().write_to(&link).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), module().to_vec().unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_full_device_is_an_error_and_is_kept() {
        use std::os::unix::fs::FileTypeExt as _;

        let error = module().write_to("/dev/full").unwrap_err();
        assert_eq!(error.category(), fourfold::Category::Io);
        assert!(fs::metadata("/dev/full").unwrap().file_type().is_char_device());
    }
}

/// Elements whose errors a type ignores, in items with fast paths.
mod swallowed_in_windows {
    use serde::de::{Deserialize, Deserializer};
    use serde::ser::{Serialize, SerializeTuple as _, Serializer};

    use fourfold::tsm::{from_slice, to_vec};

    struct Lossy;

    impl Serialize for Lossy {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut tuple = serializer.serialize_tuple(2)?;
            let _ = tuple.serialize_element("hi");
            tuple.serialize_element(&7u8)?;
            tuple.end()
        }
    }

    #[test]
    fn text_that_is_written_though_its_error_is_ignored() {
        let one = to_vec(&Lossy).unwrap();
        assert_eq!(one, [2, 0, 0, 0, b'h', b'i', 7]);
        assert_eq!(to_vec(&vec![Lossy]).unwrap(), [&[1, 0, 0, 0], one.as_slice()].concat());
    }

    #[derive(serde::Deserialize, Debug)]
    struct Flagged {
        #[allow(dead_code)]
        number: u64,
        #[serde(deserialize_with = "or_default")]
        #[allow(dead_code)]
        flag: bool,
    }

    fn or_default<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
        Ok(bool::deserialize(deserializer).unwrap_or_default())
    }

    #[test]
    fn a_bad_bool_is_no_default() {
        let mut bytes = [&[60, 0, 0, 0][..], &[0; 60 * 9]].concat();
        assert_eq!(from_slice::<Vec<Flagged>>(&bytes).unwrap().len(), 60);
        bytes[4 + 9 + 8] = 2;
        from_slice::<Vec<Flagged>>(&bytes).unwrap_err();
    }
}

/// A type may read several indices as one variant; a property of one applies to all.
mod unknown_variants {
    use std::cell::Cell;

    use fourfold::tsm::{from_slice, take_from_slice};
    use serde::Deserialize;

    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(tag = "t", content = "c")]
    enum Event {
        Key {
            code: u8,
        },
        Quit,
        Text(String),
        #[serde(other)]
        Unknown,
    }

    thread_local! {
        static READ: Cell<usize> = const { Cell::new(0) };
    }

    #[derive(Debug, PartialEq)]
    struct Counted(Event);

    impl<'de> Deserialize<'de> for Counted {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            READ.set(READ.get() + 1);
            Event::deserialize(deserializer).map(Counted)
        }
    }

    #[test]
    fn are_known_at_once() {
        const COUNT: u32 = 3000;
        let tags = (0..COUNT).map(|tag| tag + 3);
        let bytes: Vec<u8> = [COUNT].into_iter().chain(tags).flat_map(u32::to_le_bytes).collect();
        let events: Vec<Counted> = from_slice(&bytes).unwrap();
        assert_eq!(events.len(), COUNT as usize);
        assert!(events.iter().all(|event| event.0 == Event::Unknown));
        assert_eq!(READ.get(), COUNT as usize);
    }

    #[test]
    fn are_next_to_known_ones() {
        let mut bytes = vec![6, 0, 0, 0];
        for event in [
            &[1, 0, 0, 0][..],
            &[0, 0, 0, 0, 9],
            &[77, 0, 0, 0],
            &[2, 0, 0, 0, 1, 0, 0, 0, b'a'],
            &[0xff, 0xff, 0xff, 0x7f],
            &[1, 0, 0, 0],
        ] {
            bytes.extend_from_slice(event);
        }
        let [quit, unknown] = [|| Event::Quit, || Event::Unknown];
        let all = vec![
            quit(),
            Event::Key { code: 9 },
            unknown(),
            Event::Text("a".into()),
            unknown(),
            quit(),
        ];
        assert_eq!(from_slice::<Vec<Event>>(&bytes).unwrap(), all);
        assert_eq!(take_from_slice::<Vec<Event>>(&bytes).unwrap(), (all, &[][..]));
    }
}

/// An ignored error is returned even if another value is read after it.
#[test]
fn ignored_errors_are_returned_after_the_next_value() {
    use fourfold::tsm::Deserializer;
    use serde::Deserialize;

    #[derive(Debug)]
    struct Lenient;

    visits! { Lenient, "a pair", deserialize_tuple(2):
        visit_seq |seq| {
            let _ = seq.next_element::<bool>();
            seq.next_element::<u8>()?;
            Ok(Lenient)
        }
    }

    let bytes = [2, 7, 1, 1];
    let mut deserializer = Deserializer::from_slice(&bytes);
    Lenient::deserialize(&mut deserializer).unwrap();
    assert_eq!(u16::deserialize(&mut deserializer).unwrap(), 0x0107);
    let error = deserializer.end().unwrap_err();
    assert_eq!(error.offset(), Some(0), "{error}");
    from_slice::<(Lenient, u16)>(&bytes).unwrap_err();
}

/// The error of a full stream is that of the current item, and of the sequence if it continues.
#[test]
fn full_streams_in_windows() {
    use fourfold::tsm::Serializer;
    use serde::ser::{SerializeSeq as _, Serializer as _};

    let mut buffer = [0; 10];
    let mut serializer = Serializer::new(&mut buffer[..]);
    let mut seq = (&mut serializer).serialize_seq(Some(2)).unwrap();
    seq.serialize_element(&(1_u32, 2_u16)).unwrap();
    let error = seq.serialize_element(&(3_u32, 4_u16)).unwrap_err();
    assert_eq!(error.category(), fourfold::Category::Io);
    assert_eq!(error.path().to_string(), "[1][0]");
    assert!(seq.end().is_err());

    let mut buffer = [0; 10];
    let mut serializer = Serializer::new(&mut buffer[..]);
    let items = [(1_u32, 2_u16), (3, 4)].as_slice();
    let error = serde::Serialize::serialize(&(items,), &mut serializer).unwrap_err();
    assert_eq!(error.path().to_string(), "[0][1][0]");
}

/// The same for a type that refuses its first number.
#[test]
fn small_values_that_ignore_an_element() {
    #[derive(Debug, PartialEq)]
    struct Pair(u32, u32);

    visits! { Pair, "a pair", deserialize_tuple(2):
        visit_seq |parts| {
            match parts.next_element()? {
                Some(0) | None => Err(serde::de::Error::custom("zero")),
                Some(first) => Ok(Pair(first, parts.next_element()?.unwrap_or_default())),
            }
        }
    }

    #[derive(Debug, PartialEq)]
    struct Lenient(Option<Pair>);

    impl<'de> serde::Deserialize<'de> for Lenient {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Ok(Lenient(Pair::deserialize(deserializer).ok()))
        }
    }

    #[derive(serde::Deserialize, Debug, PartialEq)]
    struct Doc {
        lenient: Lenient,
        number: u32,
    }

    let error = from_slice::<Doc>(&[0, 0, 0, 0, 7, 0, 0, 0]).unwrap_err();
    assert_eq!(error.offset(), Some(0), "{error}");
    let read = from_slice::<Doc>(&[1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]).unwrap();
    assert_eq!(read, Doc { lenient: Lenient(Some(Pair(1, 2))), number: 7 });
}

/// A field without bytes in a struct variant of an adjacently tagged enum does not count as an item without bytes.
#[test]
fn any_number_of_variants_with_a_unit() {
    #[derive(serde::Serialize, serde::Deserialize, Clone, Debug, PartialEq)]
    #[serde(tag = "t", content = "c")]
    enum Event {
        Key { unit: (), code: u8 },
    }

    let events = vec![Event::Key { unit: (), code: 7 }; 4097];
    let bytes = fourfold::tsm::to_vec(&events).unwrap();
    assert_eq!(from_slice::<Vec<Event>>(&bytes).unwrap(), events);
}
