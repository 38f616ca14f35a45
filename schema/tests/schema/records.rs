//! The values of a file of Molecule: one, or records concatenated.

use fourfold::molecule::with::DynVec;
use fourfold::molecule::{Options, Records, from_slice, to_vec};
use fourfold_schema::mol::Schema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

const SCHEMA: &str = "
    vector Bytes <byte>;
    vector Names <Bytes>;
    table Entry { id: byte, name: Bytes, }
    union Either { Entry, Bytes, }
    option Maybe (Entry);
    array Id [byte; 4];
";

fn entry(id: u8, name: &str) -> Vec<u8> {
    to_vec(&(id, name)).unwrap()
}

/// Whether they are records, and each: its bytes, or what is wrong.
fn told(bytes: &[u8], ty: &str) -> (bool, Vec<Result<Vec<u8>, String>>) {
    let schema = Schema::parse(SCHEMA).unwrap();
    let values = schema.values_of(bytes, ty).unwrap();
    let each = values.clone().map(|value| match value {
        Ok(value) => Ok(value.bytes().to_vec()),
        Err(error) => Err(error.to_string()),
    });
    (values.are_records(), each.collect())
}

#[test]
fn one_value_is_all_of_the_bytes() {
    let one = entry(7, "one");
    assert_eq!(told(&one, "Entry"), (false, vec![Ok(one.clone())]));
    assert_eq!(told(&[], "Maybe"), (false, vec![Ok(vec![])]));
    assert_eq!(told(&[1; 4], "Id"), (false, vec![Ok(vec![1; 4])]));
    let early = "input ends early: 4 bytes needed, 0 left at byte 0";
    assert_eq!(told(&[], "Entry"), (false, vec![Err(early.into())]));
    // What is after one is no record.
    for (after, full_size) in [(&[0][..], 20), (&[3, 0, 0, 0], 20), (&[9, 0, 0, 0], 20)] {
        let bytes = [&one, after].concat();
        let error =
            format!("full size {full_size} differs from the {} bytes given at byte 0", bytes.len());
        assert_eq!(told(&bytes, "Entry"), (false, vec![Err(error)]));
    }
    // These do not begin with their full size.
    let two = [4, 0, 0, 0, 4, 0, 0, 0];
    assert!(!told(&two, "Id").0 && !told(&two, "Bytes").0 && !told(&two, "Either").0);
    assert!(!told(&one.repeat(2), "Maybe").0);
    let schema = Schema::parse(SCHEMA).unwrap();
    assert!(schema.values_of(&one, "Entr").is_err());
}

#[test]
fn records_are_values_one_behind_the_other() {
    let records = [entry(7, "one"), entry(8, ""), entry(9, "three")];
    assert_eq!(told(&records.concat(), "Entry"), (true, records.map(Ok).to_vec()));
    let names = [vec!["one", "two"], vec![]].map(|names| to_vec(&DynVec(names)).unwrap());
    assert_eq!(told(&names.concat(), "Names"), (true, names.map(Ok).to_vec()));
}

/// Errors are those of reading records into Rust types.
#[test]
fn a_damaged_record_is_told_and_the_next_one_is_given() {
    fn assert_alike<T: DeserializeOwned + Serialize>(bytes: &[u8], ty: &str) {
        let (are_records, values) = told(bytes, ty);
        let records = Records::<_, T>::from_slice(bytes).map(|record| match record {
            Ok(record) => Ok(to_vec(&record).unwrap()),
            Err(error) => Err(error.to_string()),
        });
        assert_eq!((are_records, values), (true, records.collect()), "{bytes:?}");
    }

    #[derive(Serialize, Deserialize)]
    struct Entry {
        id: u8,
        name: serde_bytes::ByteBuf,
    }

    let records = [entry(7, "one"), entry(8, ""), entry(9, "three")].concat();
    assert_alike::<Entry>(&records, "Entry");
    // All but the first two full sizes, which tell that they are records.
    for at in (4..20).chain(24..records.len()) {
        for byte in [0, 1, 255] {
            let mut bytes = records.clone();
            bytes[at] = byte;
            assert_alike::<Entry>(&bytes, "Entry");
        }
    }
    for len in 37..records.len() {
        assert_alike::<Entry>(&records[..len], "Entry");
    }
}

#[test]
fn options_hold_for_each_record() {
    let schema = Schema::parse("table Older { id: byte, }").unwrap();
    let bytes = [entry(7, "one"), entry(8, "two")].concat();
    let values = schema.values_of(&bytes, "Older").unwrap();
    assert!(values.clone().all(|value| value.is_err()));
    let ids = values.with_options(&Options::new().compatible(true));
    let ids = ids.map(|value| from_slice::<u8>(value.unwrap().get("id").unwrap().bytes()).unwrap());
    assert_eq!(ids.collect::<Vec<_>>(), [7, 8]);
}
