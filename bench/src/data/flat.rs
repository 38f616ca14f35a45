//! The log as a flatbuffer, as flatc generates it for `table Record { address: uint; identity: string; .. }` and
//! `table Log { records: [Record]; }`.

use flatbuffers::{
    FlatBufferBuilder, Follow, ForwardsUOffset, InvalidFlatbuffer, Table, VOffsetT, Vector,
    Verifiable, Verifier,
};

use crate::data::log::{Address, Log, Record};

/// The vtable slot of a field.
const fn slot(field: VOffsetT) -> VOffsetT {
    4 + 2 * field
}

const RECORDS: VOffsetT = slot(0);

const ADDRESS: VOffsetT = slot(0);
const IDENTITY: VOffsetT = slot(1);
const USER: VOffsetT = slot(2);
const DATE: VOffsetT = slot(3);
const REQUEST: VOffsetT = slot(4);
const CODE: VOffsetT = slot(5);
const SIZE: VOffsetT = slot(6);

type Records<'a> = Vector<'a, ForwardsUOffset<FlatRecord<'a>>>;

#[derive(Clone, Copy)]
pub(crate) struct FlatLog<'a>(Table<'a>);

#[derive(Clone, Copy)]
pub(crate) struct FlatRecord<'a>(Table<'a>);

#[allow(unsafe_code, reason = "as flatc generates it")]
impl<'a> FlatLog<'a> {
    pub(crate) fn records(self) -> Records<'a> {
        // SAFETY: the buffer is verified, or was just written.
        let records = unsafe { self.0.get::<ForwardsUOffset<Records<'a>>>(RECORDS, None) };
        records.unwrap_or_default()
    }
}

#[allow(unsafe_code, reason = "as flatc generates it")]
impl FlatRecord<'_> {
    pub(crate) fn size(self) -> u64 {
        // SAFETY: the buffer is verified, or was just written.
        unsafe { self.0.get::<u64>(SIZE, Some(0)) }.unwrap_or_default()
    }
}

macro_rules! follow {
    ($($name:ident)*) => {$(
        #[allow(unsafe_code, reason = "as flatc generates it")]
        impl<'a> Follow<'a> for $name<'a> {
            type Inner = Self;

            #[inline]
            unsafe fn follow(buffer: &'a [u8], position: usize) -> Self {
                // SAFETY: the caller's promise.
                $name(unsafe { Table::new(buffer, position) })
            }
        }
    )*};
}

follow! { FlatLog FlatRecord }

impl Verifiable for FlatLog<'_> {
    fn run_verifier(
        verifier: &mut Verifier<'_, '_>,
        position: usize,
    ) -> Result<(), InvalidFlatbuffer> {
        type Records<'a> = Vector<'a, ForwardsUOffset<FlatRecord<'a>>>;
        let table = verifier.visit_table(position)?;
        table.visit_field::<ForwardsUOffset<Records<'_>>>("records", RECORDS, true)?.finish();
        Ok(())
    }
}

impl Verifiable for FlatRecord<'_> {
    fn run_verifier(
        verifier: &mut Verifier<'_, '_>,
        position: usize,
    ) -> Result<(), InvalidFlatbuffer> {
        verifier
            .visit_table(position)?
            .visit_field::<u32>("address", ADDRESS, false)?
            .visit_field::<ForwardsUOffset<&str>>("identity", IDENTITY, true)?
            .visit_field::<ForwardsUOffset<&str>>("user", USER, true)?
            .visit_field::<ForwardsUOffset<&str>>("date", DATE, true)?
            .visit_field::<ForwardsUOffset<&str>>("request", REQUEST, true)?
            .visit_field::<u16>("code", CODE, false)?
            .visit_field::<u64>("size", SIZE, false)?
            .finish();
        Ok(())
    }
}

/// The four bytes as a little-endian number.
fn number_of(address: &Address) -> u32 {
    u32::from_le_bytes([address.x0, address.x1, address.x2, address.x3])
}

pub(crate) fn to_vec(log: &Log) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let records: Vec<_> = log
        .records
        .iter()
        .map(|record| {
            let Record { address, identity, user, date, request, code, size } = record;
            let texts = [identity, user, date, request].map(|text| builder.create_string(text));
            let table = builder.start_table();
            builder.push_slot_always(SIZE, *size);
            builder.push_slot_always(ADDRESS, number_of(address));
            for (slot, text) in [IDENTITY, USER, DATE, REQUEST].into_iter().zip(texts) {
                builder.push_slot_always(slot, text);
            }
            builder.push_slot_always(CODE, *code);
            builder.end_table(table)
        })
        .collect();
    let records = builder.create_vector(&records);
    let table = builder.start_table();
    builder.push_slot_always(RECORDS, records);
    let root = builder.end_table(table);
    builder.finish_minimal(root);
    builder.finished_data().to_vec()
}
