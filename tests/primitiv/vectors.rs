//! Fixtures: primitiv's verdict and loaded content, and the same bytes when written again.

use fourfold::primitiv::{self, Data, File, Options, from_reader, from_slice, to_vec, to_writer};
use serde_json::Value;

use crate::canonical::{self, without_values};
use crate::support::fixture::{Fixtures, assert_none, hex};

pub(crate) const FIXTURES: Fixtures = Fixtures("primitiv");

/// Files that primitiv accepts and this crate refuses, with the error; the guide lists them. With `allow_trailing`, all
/// except the first are accepted.
const DEVIATIONS: [(&str, &str); 7] = [
    ("s_volume_wraps_to_2.param", "dims and batch multiply beyond 32 bits"),
    ("x_count_too_small.model", "20 trailing bytes"),
    ("x_trailing.model", "1 trailing byte"),
    ("x_trailing.optimizer", "1 trailing byte"),
    ("x_trailing_junk.param", "19 trailing bytes"),
    ("x_trailing_zero.param", "1 trailing byte"),
    ("x_two_files_in_one.param", "64 trailing bytes"),
];

fn names(folder: &str) -> Vec<String> {
    FIXTURES.names(folder, "json")
}

/// Reads a file as the data type in its name, like primitiv's class.
fn read<'de>(name: &str, bytes: &'de [u8], options: &Options) -> primitiv::Result<File<'de>> {
    let file: File<'_> = options.from_slice(bytes)?;
    let data_type_of = canonical::data_type_of(name);
    if file.data.data_type() == data_type_of {
        return Ok(file);
    }
    let found = file.data.data_type();
    Err(serde::de::Error::custom(format!("{found} instead of {data_type_of}")))
}

/// Asserts that a file has the content that primitiv loaded, and is written with the same bytes.
fn check(name: &str, file: &File<'_>, json: &Value, bytes: &[u8]) -> Result<(), String> {
    let (mut wanted, found) = (without_values(json.clone()), canonical::file(file));
    let loaded_as = wanted.as_object_mut().unwrap().shift_remove("loaded_as");
    if found != wanted {
        return Err(format!("{name}: {found} instead of {wanted}"));
    }
    if let Data::Optimizer(optimizer) = &file.data {
        let loaded_as = loaded_as.unwrap();
        match canonical::loaded_as(optimizer) {
            None if loaded_as["class"] == "Any" => {}
            Some(found) if found == loaded_as => {}
            found => return Err(format!("{name}: {found:?} instead of {loaded_as}")),
        }
    }

    let mut written = Vec::new();
    to_writer(&mut written, file).map_err(|error| format!("{name}: {error}"))?;
    let mut directly = Vec::new();
    file.to_writer(&mut directly).map_err(|error| format!("{name}: {error}"))?;
    for again in [to_vec(file), file.to_vec(), Ok(written), Ok(directly)] {
        let again = again.map_err(|error| format!("{name}: {error}"))?;
        if again != bytes {
            return Err(format!("{name}: {} instead of {}", hex(&again), hex(bytes)));
        }
    }
    Ok(())
}

#[test]
fn saved() {
    let mut failures = Vec::new();
    let names = names("saved");
    for name in &names {
        let path = format!("saved/{name}");
        let bytes = FIXTURES.bytes(&path);
        let json: Value = FIXTURES.json(&format!("{path}.json"));
        match read(name, &bytes, &Options::new()) {
            Ok(file) => failures.extend(check(name, &file, &json, &bytes).err()),
            Err(error) => failures.push(format!("{name}: {error}")),
        }
    }
    assert_none(&failures);
    assert_eq!(names.len(), 73);
}

#[test]
fn crafted() {
    let mut failures = Vec::new();
    let mut deviations = Vec::new();
    let names = names("crafted");
    for name in &names {
        let path = format!("crafted/{name}");
        let bytes = FIXTURES.bytes(&path);
        let json: Value = FIXTURES.json(&format!("{path}.json"));
        let refused = json.get("error").is_some();
        match read(name, &bytes, &Options::new()) {
            Ok(_) if refused => failures.push(format!("{name} is accepted: {json}")),
            Ok(file) => failures.extend(check(name, &file, &json, &bytes).err()),
            Err(error) if refused => {
                if error.to_string().is_empty() {
                    failures.push(format!("{name}: no reason"));
                }
            }
            Err(error) => deviations.push((name.clone(), error.kind().to_string())),
        }
    }
    assert_none(&failures);
    assert_eq!(names.len(), 94);
    let listed = DEVIATIONS.map(|(name, reason)| (name.to_owned(), reason.to_owned()));
    assert_eq!(deviations, listed);
}

#[test]
fn deviations_with_their_option() {
    let options = Options::new().allow_trailing(true);
    let mut failures = Vec::new();
    for (name, _) in &DEVIATIONS[1..] {
        let path = format!("crafted/{name}");
        let bytes = FIXTURES.bytes(&path);
        let json: Value = FIXTURES.json(&format!("{path}.json"));
        let file = read(name, &bytes, &options).unwrap();
        let len = file.to_vec().unwrap().len();
        failures.extend(check(name, &file, &json, &bytes[..len]).err());
    }
    assert_none(&failures);
    let wraps = FIXTURES.bytes("crafted/s_volume_wraps_to_2.param");
    assert!(options.lenient(true).from_slice::<File<'_>>(&wraps).is_err());
}

/// The guide lists exactly these deviations.
#[test]
fn the_guide_lists_the_deviations() {
    let guide = include_str!("../../src/primitiv/guide.md");
    let rows = guide.lines().filter_map(|line| {
        let name = line.strip_prefix("| `")?.split('`').next()?;
        FIXTURES.exists(&format!("crafted/{name}")).then_some(name)
    });
    assert_eq!(rows.collect::<Vec<_>>(), DEVIATIONS.map(|(name, _)| name));
}

/// Without the header, the bytes are a document, at any position.
#[test]
fn documents_are_serde_types() {
    use fourfold::primitiv::{Model, Optimizer, Parameter};

    let model = FIXTURES.bytes("saved/m_stats.model");
    let param = FIXTURES.bytes("saved/p_stats_6.param");
    let optimizer = FIXTURES.bytes("saved/o_adam.optimizer");
    let all = [&model[15..], &param[15..], &optimizer[15..], &[0xc3]].concat();
    type All<'de> = (Model<'de>, Parameter<'de>, Option<Optimizer<'de>>, bool);
    let read: All<'_> = from_slice(&all).unwrap();
    assert_eq!(to_vec(&read).unwrap(), all);
    assert_eq!(read.0.len(), 3);
    let owned: (File<'static>, u32) = {
        let bytes = [&param[..], &[0xce, 0, 0, 0, 7]].concat();
        from_reader(&*bytes).map(|(file, after): (Owned, u32)| (file.0, after)).unwrap()
    };
    assert_eq!((owned.0.to_vec().unwrap(), owned.1), (param.clone(), 7));

    // Offset and path are those in the whole message.
    let mut bad = all.clone();
    let at = model.len() - 15;
    bad[at] = 0xc0;
    let error = from_slice::<All<'_>>(&bad).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("marker 0xc0 is not an array in [1].value.shape.dims at byte {at}")
    );
}

/// Reads a file into owned memory.
struct Owned(File<'static>);

impl<'de> serde::Deserialize<'de> for Owned {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        File::deserialize(deserializer).map(|file| Owned(file.into_owned()))
    }
}

/// A document is written by its own format only.
#[test]
fn documents_in_other_formats() {
    let bytes = FIXTURES.bytes("saved/m_stats.model");
    let file = File::from_slice(&bytes).unwrap();
    let text = "bytes of primitiv are written by `fourfold::primitiv` only";
    assert!(serde_json::to_string(&file).unwrap_err().to_string().contains(text));
    for json in ["[[1, 2]]", "{}", "[]"] {
        assert!(serde_json::from_str::<File<'_>>(json).is_err());
    }
}

#[cfg(feature = "mmap")]
#[test]
fn opened_and_written() {
    use crate::support::fact;
    use fourfold::primitiv::{Model, Optimizer, Parameter};

    let folder = tempfile::tempdir().unwrap();
    for folder_name in ["saved", "crafted"] {
        for name in names(folder_name) {
            let bytes = FIXTURES.bytes(&format!("{folder_name}/{name}"));
            let read = File::from_slice(&bytes);
            let opened = File::open(FIXTURES.path(&format!("{folder_name}/{name}")));
            match (read, opened) {
                (Ok(read), Ok(opened)) => {
                    assert_eq!(read, opened);
                    let path = folder.path().join(&name);
                    opened.write_to(&path).unwrap();
                    assert_eq!(std::fs::read(&path).unwrap(), bytes, "{name}");
                }
                (Err(read), Err(opened)) => assert_eq!(read.to_string(), opened.to_string()),
                (read, opened) => panic!("{name}: {read:?}, {opened:?}"),
            }
        }
    }
    let model = Model::open(FIXTURES.path("saved/z_xor_adam.model")).unwrap();
    model.write_to(folder.path().join("copy")).unwrap();
    assert_eq!(Model::open(folder.path().join("copy")).unwrap(), model);
    let error = Optimizer::open(folder.path().join("copy")).unwrap_err();
    assert_eq!(fact(&error.to_string()), "data type is 0x300, 0x400 was requested at byte 10");
    assert!(Parameter::open(FIXTURES.path("saved/p_vec5.param")).is_ok());
    assert_eq!(
        Parameter::open(folder.path().join("missing")).unwrap_err().category(),
        fourfold::Category::Io
    );
}

/// primitiv's own parameter file, as a plain type.
#[test]
fn a_file_as_a_plain_type() {
    type Tensor = (Vec<u32>, u32, serde_bytes::ByteBuf);
    type Stats = (fourfold::primitiv::with::Text<serde_bytes::ByteBuf>, Tensor);
    let bytes = FIXTURES.bytes("saved/p_stats_1.param");
    let ((major, minor, kind), value, count, stat): ((u32, u32, u32), Tensor, u32, Stats) =
        from_slice(&bytes).unwrap();
    assert_eq!((major, minor, kind, count), (0, 1, 0x200, 1));
    assert_eq!((value.0, value.1, value.2.len()), (vec![2, 2], 1, 16));
    assert_eq!(stat.0.0, *b"m1");
    assert_eq!(stat.1.2[..4], 0.1f32.to_le_bytes());
}
