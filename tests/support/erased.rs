//! Types under test as trait objects: a check of many types is compiled once, not for each type.

use std::any::Any;
use std::fmt::Debug;

use fourfold::Category;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::fixture::{Hex, assert_none};
use super::format::{Format, Options as _, Outcome};
use super::random::{self, Dice};
use super::zoo;

/// What a type under test implements.
pub(crate) trait TestType:
    Serialize + DeserializeOwned + PartialEq + Debug + 'static
{
}

impl<T: Serialize + DeserializeOwned + PartialEq + Debug + 'static> TestType for T {}

/// The functions that write.
pub(crate) enum Writer<'o, F: Format> {
    ToVec,
    Stream,
    Serializer,
    Options(&'o F::Options),
}

/// The functions that read.
pub(crate) enum Reader<'o, F: Format> {
    FromSlice,
    Stream,
    /// Checks for trailing bytes.
    Deserializer,
    /// Does not check for trailing bytes.
    FirstOfDeserializer,
    Options(&'o F::Options),
    OptionsStream(&'o F::Options),
}

/// A value of any type.
pub(crate) trait AnyValue<F: Format>: Debug {
    fn as_any(&self) -> &dyn Any;

    fn is_equal(&self, other: &dyn Any) -> bool;

    fn write(&self, writer: &Writer<'_, F>) -> Outcome<F, Vec<u8>>;
}

pub(crate) type Value<F> = dyn AnyValue<F>;

pub(crate) type Boxed<F> = Box<Value<F>>;

impl<F: Format, T: TestType> AnyValue<F> for T {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<T>() == Some(self)
    }

    fn write(&self, writer: &Writer<'_, F>) -> Outcome<F, Vec<u8>> {
        match writer {
            Writer::ToVec => F::to_vec(self),
            Writer::Stream => {
                let mut bytes = Vec::new();
                F::to_writer(&mut bytes, self)?;
                Ok(bytes)
            }
            Writer::Serializer => F::serialize(self),
            Writer::Options(options) => options.to_vec(self),
        }
    }
}

impl<F: Format> PartialEq for Value<F> {
    fn eq(&self, other: &Self) -> bool {
        self.is_equal(other.as_any())
    }
}

impl<F: Format> Value<F> {
    pub(crate) fn to_vec(&self) -> Outcome<F, Vec<u8>> {
        self.write(&Writer::ToVec)
    }

    pub(crate) fn to_vec_with(&self, options: &F::Options) -> Outcome<F, Vec<u8>> {
        self.write(&Writer::Options(options))
    }
}

type Draw<F> = Box<dyn Fn(&mut Dice) -> Boxed<F>>;
type Read<F> = fn(&Reader<'_, F>, &[u8]) -> Outcome<F, Boxed<F>>;
type Taken<'b, F> = Outcome<F, (Boxed<F>, &'b [u8])>;

/// The functions of a type that only one format has.
pub(crate) trait Special: Sized {
    fn of<T: TestType>() -> Self;
}

impl Special for () {
    fn of<T: TestType>() {}
}

/// A type in a format.
pub(crate) struct AnyType<F: Format, S = ()> {
    pub(crate) name: &'static str,
    /// Whether serde shows the writer all there is: see `for_each_zoo_type!`.
    pub(crate) visible: bool,
    pub(crate) special: S,
    draw: Draw<F>,
    read: Read<F>,
    take: fn(&[u8]) -> Taken<'_, F>,
}

impl<F: Format, S: Special> AnyType<F, S> {
    /// A type, and the generator of its values.
    pub(crate) fn new<T: TestType>(
        name: &'static str,
        draw: impl Fn(&mut Dice) -> T + 'static,
    ) -> Self {
        AnyType {
            name,
            visible: true,
            special: S::of::<T>(),
            draw: erase_draw(draw),
            read: read::<F, T>,
            take: take::<F, T>,
        }
    }

    /// A type without a generator, for checks of values written by hand.
    pub(crate) fn of<T: TestType>(name: &'static str) -> Self {
        Self::new::<T>(name, |_| panic!("no value is drawn"))
    }

    pub(crate) fn unseen(self) -> Self {
        AnyType { visible: false, ..self }
    }
}

fn boxed<F: Format, T: TestType>(value: T) -> Boxed<F> {
    Box::new(value)
}

fn erase_draw<F: Format, T: TestType>(draw: impl Fn(&mut Dice) -> T + 'static) -> Draw<F> {
    Box::new(move |dice| boxed(draw(dice)))
}

fn take<F: Format, T: TestType>(bytes: &[u8]) -> Taken<'_, F> {
    let (value, rest) = F::take_from_slice::<T>(bytes)?;
    Ok((boxed(value), rest))
}

fn read<F: Format, T: TestType>(reader: &Reader<'_, F>, bytes: &[u8]) -> Outcome<F, Boxed<F>> {
    let read: Outcome<F, T> = match reader {
        Reader::FromSlice => F::from_slice(bytes),
        Reader::Stream => F::from_reader(bytes),
        Reader::Deserializer => F::deserialize(bytes),
        Reader::FirstOfDeserializer => F::deserialize_first(bytes),
        Reader::Options(options) => options.from_slice(bytes),
        Reader::OptionsStream(options) => options.from_reader(bytes),
    };
    Ok(boxed(read?))
}

#[allow(
    clippy::wrong_self_convention,
    reason = "the names are those of the formats' own functions"
)]
impl<F: Format, S> AnyType<F, S> {
    pub(crate) fn draw(&self, dice: &mut Dice) -> Boxed<F> {
        (self.draw)(dice)
    }

    pub(crate) fn read(&self, reader: &Reader<'_, F>, bytes: &[u8]) -> Outcome<F, Boxed<F>> {
        (self.read)(reader, bytes)
    }

    pub(crate) fn from_slice(&self, bytes: &[u8]) -> Outcome<F, Boxed<F>> {
        self.read(&Reader::FromSlice, bytes)
    }

    pub(crate) fn from_slice_with(
        &self,
        options: &F::Options,
        bytes: &[u8],
    ) -> Outcome<F, Boxed<F>> {
        self.read(&Reader::Options(options), bytes)
    }

    pub(crate) fn from_reader(&self, bytes: &[u8]) -> Outcome<F, Boxed<F>> {
        self.read(&Reader::Stream, bytes)
    }

    /// Reads with a `Deserializer`, which has to end with the bytes.
    pub(crate) fn deserialize(&self, bytes: &[u8]) -> Outcome<F, Boxed<F>> {
        self.read(&Reader::Deserializer, bytes)
    }

    pub(crate) fn take_from_slice<'b>(&self, bytes: &'b [u8]) -> Taken<'b, F> {
        (self.take)(bytes)
    }

    /// Equal hash tables iterate in different orders, so that equal values may have different bytes.
    pub(crate) fn has_hash_tables(&self) -> bool {
        self.name.contains("Hash")
    }

    /// Checks `count` random values.
    pub(crate) fn check(&self, count: usize, mut holds: impl FnMut(usize, &Value<F>)) {
        random::check(self.name, count, |dice| self.draw(dice), |case, value| holds(case, &*value));
    }

    /// The messages of `count` random values, small ones first, without values that the writer refuses.
    pub(crate) fn messages(&self, count: usize) -> Vec<Vec<u8>> {
        let values = random::cases(self.name, count, |dice| self.draw(dice));
        values.filter_map(|value| value.to_vec().ok()).collect()
    }
}

/// Asserts that the other functions that write return the same bytes as `to_vec`.
pub(crate) fn assert_written_alike<F: Format>(name: &str, value: &Value<F>, bytes: &[u8]) {
    let written = value.write(&Writer::Stream).unwrap();
    assert_eq!(Hex(&written), Hex(bytes), "to_writer of {name} {value:?}");
    let written = value.write(&Writer::Serializer).unwrap();
    assert_eq!(Hex(&written), Hex(bytes), "Serializer of {name} {value:?}");
}

/// Asserts that the other functions that read return the same value as `from_slice`.
pub(crate) fn assert_read_alike<F: Format, S>(ty: &AnyType<F, S>, value: &Value<F>, bytes: &[u8]) {
    let (name, shown) = (ty.name, Hex(bytes));
    let read = ty.from_reader(bytes).unwrap();
    assert_eq!(*read, *value, "from_reader of {name} {shown}");
    let read = ty
        .deserialize(bytes)
        .unwrap_or_else(|error| panic!("Deserializer of {name} {shown}: {error}"));
    assert_eq!(*read, *value, "Deserializer of {name} {shown}");
}

/// Every function refuses the value and its bytes, for this reason.
pub(crate) fn assert_refused_alike<F: Format, S>(
    ty: &AnyType<F, S>,
    value: &Value<F>,
    bytes: &[u8],
    category: Category,
) {
    for writer in [Writer::ToVec, Writer::Stream, Writer::Serializer] {
        let error = value.write(&writer).unwrap_err();
        assert_eq!(error.category(), category, "{}: {error}", ty.name);
    }
    for reader in [Reader::FromSlice, Reader::Stream, Reader::Deserializer] {
        let error = ty.read(&reader, bytes).unwrap_err();
        assert_eq!(error.category(), category, "{}: {error}", ty.name);
    }
}

/// Checks each type. All failures are reported.
pub(crate) fn check_each<F: Format, S>(types: &[AnyType<F, S>], check: impl Fn(&AnyType<F, S>)) {
    let failures = types
        .iter()
        .filter_map(|ty| random::failure(|| check(ty)).map(|text| format!("{}: {text}", ty.name)));
    assert_none(&failures.collect::<Vec<_>>());
}

/// Converts a list like that of `for_each_zoo_type!`, with items of one module.
macro_rules! any_types {
    ($($word:ident $name:ident = $draw:expr;)*) => {
        vec![$($crate::support::erased::any_types!(@ $word $name $draw)),*]
    };
    (@ visible $name:ident $draw:expr) => {
        $crate::support::erased::AnyType::new::<$name>(stringify!($name), $draw)
    };
    (@ unseen $name:ident $draw:expr) => {
        $crate::support::erased::any_types!(@ visible $name $draw).unseen()
    };
}
pub(crate) use any_types;

/// The types of the zoo.
pub(crate) fn zoo<F: Format, S: Special>() -> Vec<AnyType<F, S>> {
    use super::random::value;
    use super::zoo::*;

    zoo::for_each_zoo_type!(any_types)
}

/// The JSON of a type with marks, and of the same without them: other formats do not see marks.
pub(crate) struct Transparent {
    name: &'static str,
    plain: fn(&mut Dice) -> String,
    read_plain: fn(&str) -> serde_json::Result<String>,
    read_marked: fn(&str) -> serde_json::Result<String>,
}

impl Transparent {
    pub(crate) fn of<M, P>(name: &'static str) -> Self
    where
        M: Serialize + DeserializeOwned,
        P: Serialize + DeserializeOwned,
    {
        fn again<T: Serialize + DeserializeOwned>(json: &str) -> serde_json::Result<String> {
            serde_json::to_string(&serde_json::from_str::<T>(json)?)
        }

        Transparent {
            name,
            plain: |dice| serde_json::to_string(&random::value::<P>(dice)).unwrap(),
            read_plain: again::<P>,
            read_marked: again::<M>,
        }
    }

    /// Compares `count` values.
    pub(crate) fn check(&self, count: usize) {
        let mut compared = 0;
        random::check(self.name, count, self.plain, |_, json| {
            // Some values change in JSON: infinities become `null`, and floats may be rounded.
            if (self.read_plain)(&json).is_ok_and(|again| again == json) {
                compared += 1;
                assert_eq!((self.read_marked)(&json).unwrap(), json, "{}", self.name);
            }
        });
        assert!(compared > count / 8, "{}: {compared} of {count}", self.name);
    }
}
