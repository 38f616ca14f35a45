//! The values of a Molecule file: one value, or concatenated records.

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

/// Whether the bytes are records, and the bytes or error of each value.
fn values_of(bytes: &[u8], ty: &str) -> (bool, Vec<Result<Vec<u8>, String>>) {
    let schema = Schema::parse(SCHEMA).unwrap();
    let values = schema.values_of(bytes, ty).unwrap();
    let each = values.clone().map(|value| match value {
        Ok(value) => Ok(value.bytes().to_vec()),
        Err(error) => Err(error.to_string()),
    });
    (values.are_records(), each.collect())
}

#[test]
fn one_value_takes_all_bytes() {
    let one = entry(7, "one");
    assert_eq!(values_of(&one, "Entry"), (false, vec![Ok(one.clone())]));
    assert_eq!(values_of(&[], "Maybe"), (false, vec![Ok(vec![])]));
    assert_eq!(values_of(&[1; 4], "Id"), (false, vec![Ok(vec![1; 4])]));
    let early = "input ends early: 4 bytes needed, 0 left at byte 0";
    assert_eq!(values_of(&[], "Entry"), (false, vec![Err(early.into())]));
    // Trailing bytes that are not a record.
    for (after, full_size) in [(&[0][..], 20), (&[3, 0, 0, 0], 20), (&[9, 0, 0, 0], 20)] {
        let bytes = [&one, after].concat();
        let error =
            format!("full size {full_size} differs from the {} bytes given at byte 0", bytes.len());
        assert_eq!(values_of(&bytes, "Entry"), (false, vec![Err(error)]));
    }
    // Values of these types do not begin with their full size.
    let two = [4, 0, 0, 0, 4, 0, 0, 0];
    assert!(
        !values_of(&two, "Id").0 && !values_of(&two, "Bytes").0 && !values_of(&two, "Either").0
    );
    assert!(!values_of(&one.repeat(2), "Maybe").0);
    let schema = Schema::parse(SCHEMA).unwrap();
    assert!(schema.values_of(&one, "Entr").is_err());
}

#[test]
fn records_are_concatenated_values() {
    let records = [entry(7, "one"), entry(8, ""), entry(9, "three")];
    assert_eq!(values_of(&records.concat(), "Entry"), (true, records.map(Ok).to_vec()));
    let names = [vec!["one", "two"], vec![]].map(|names| to_vec(&DynVec(names)).unwrap());
    assert_eq!(values_of(&names.concat(), "Names"), (true, names.map(Ok).to_vec()));
}

/// Values and errors are those of `Records`, which reads them as Rust types.
#[test]
fn records_after_a_damaged_one_are_read() {
    fn assert_same_as_records<T: DeserializeOwned + Serialize>(bytes: &[u8], ty: &str) {
        let (are_records, values) = values_of(bytes, ty);
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
    assert_same_as_records::<Entry>(&records, "Entry");
    // All bytes but the first two full sizes, by which records are detected.
    for at in (4..20).chain(24..records.len()) {
        for byte in [0, 1, 255] {
            let mut bytes = records.clone();
            bytes[at] = byte;
            assert_same_as_records::<Entry>(&bytes, "Entry");
        }
    }
    for len in 37..records.len() {
        assert_same_as_records::<Entry>(&records[..len], "Entry");
    }
}

#[test]
fn options_apply_to_each_record() {
    let schema = Schema::parse("table Older { id: byte, }").unwrap();
    let bytes = [entry(7, "one"), entry(8, "two")].concat();
    let values = schema.values_of(&bytes, "Older").unwrap();
    assert!(values.clone().all(|value| value.is_err()));
    let ids = values.with_options(&Options::new().compatible(true));
    let ids = ids.map(|value| from_slice::<u8>(value.unwrap().get("id").unwrap().bytes()).unwrap());
    assert_eq!(ids.collect::<Vec<_>>(), [7, 8]);
}
