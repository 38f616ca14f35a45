//! Random numbers, random values of any type that derives `Deserialize`, and the shrinking of values for which a check
//! fails.
//!
//! The generator of values is a deserializer that returns a random value for each request. So a test type needs only its
//! derives. Types that call `deserialize_any` (untagged, internally tagged, flattened) need a generator written by hand.
//!
//! The numbers are the same in every run. `FOURFOLD_SEED` selects another seed, and failures print it. `FOURFOLD_CASES`
//! is the number of values that [`check`] tries.

use quickcheck::Arbitrary;
use serde::de::value::Error;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer,
    MapAccess, SeqAccess, VariantAccess, Visitor,
};
use std::cell::RefCell;
use std::env;
use std::fmt::Debug;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::thread;

/// The nesting beyond which values are as small as possible.
const DEEPEST: u8 = 16;

/// Maximum number of attempts for a value. Types refuse some values: a `Duration` past its range, a `NonZero` of zero.
const ATTEMPTS: usize = 10_000;

/// Maximum number of smaller values that are tried after a failure.
const SHRINKS: usize = 5_000;

/// The seed of all random numbers.
pub(crate) fn base() -> u64 {
    variable("FOURFOLD_SEED").unwrap_or(0)
}

/// A number in an environment variable.
pub(crate) fn variable(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|error| panic!("{name}={text}: {error}")))
}

/// Prints the seed when a test fails.
#[derive(Debug)]
struct ReportSeed;

impl Drop for ReportSeed {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("random numbers of FOURFOLD_SEED={}", base());
        }
    }
}

/// The source of the numbers.
#[derive(Debug)]
enum Rolls {
    /// SplitMix64 with this state: it is cheap.
    Fresh(u64),
    /// The same, and the numbers so far.
    Kept(u64, Vec<u64>),
    /// Replayed from the start. After the end there are zeros.
    Again(Vec<u64>, usize),
}

/// Random numbers: the same for the same seed, or a replay.
#[derive(Debug)]
pub(crate) struct Dice {
    rolls: Rolls,
    size: usize,
    report_seed: Option<ReportSeed>,
}

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Dice { rolls: Rolls::Fresh(seed), size: 20, report_seed: None }
    }

    /// Numbers seeded by a name.
    pub(crate) fn of(name: &str) -> Self {
        Dice { report_seed: Some(ReportSeed), ..Dice::new(seed(name) ^ base()) }
    }

    /// Numbers that are recorded, to be replayed and shrunk.
    pub(crate) const fn kept(seed: u64) -> Self {
        Dice { rolls: Rolls::Kept(seed, Vec::new()), size: 20, report_seed: None }
    }

    /// The approximate maximum number of items of a value.
    pub(crate) const fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn sized(self, size: usize) -> Self {
        Dice { size, ..self }
    }

    pub(crate) fn roll(&mut self) -> u64 {
        self.masked(|bits| bits)
    }

    /// A number below `bound`, or 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.masked(|bits| bits % bound.max(1) as u64)).unwrap()
    }

    /// True once in `bound` times. False for the smallest numbers.
    pub(crate) fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == bound - 1
    }

    pub(crate) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Numbers are recorded as they are used, so that smaller numbers mean smaller choices.
    fn masked(&mut self, mask: impl FnOnce(u64) -> u64) -> u64 {
        fn mixed(state: &mut u64) -> u64 {
            *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        }

        match &mut self.rolls {
            Rolls::Fresh(state) => mask(mixed(state)),
            Rolls::Kept(state, kept) => {
                let number = mask(mixed(state));
                kept.push(number);
                number
            }
            Rolls::Again(rolls, at) => {
                let number = mask(rolls.get(*at).copied().unwrap_or(0));
                if let Some(roll) = rolls.get_mut(*at) {
                    *roll = number;
                }
                *at += 1;
                number
            }
        }
    }

    /// Whether only zeros are left.
    fn is_over(&self) -> bool {
        matches!(&self.rolls, Rolls::Again(rolls, at) if *at > rolls.len())
    }

    /// The numbers that were used, without zeros at the end.
    fn used(&self) -> Vec<u64> {
        let used = match &self.rolls {
            Rolls::Fresh(_) => &[],
            Rolls::Kept(_, kept) => &kept[..],
            Rolls::Again(rolls, at) => &rolls[..rolls.len().min(*at)],
        };
        let zeros = used.iter().rev().take_while(|roll| **roll == 0).count();
        used[..used.len() - zeros].to_vec()
    }

    /// The report of the smallest numbers that still fail, among those that quickcheck shrinks the kept numbers to.
    /// `text` is the report of the kept numbers.
    pub(crate) fn shrunk(
        &self,
        mut text: String,
        mut report: impl FnMut(&mut Dice) -> Option<String>,
    ) -> String {
        let mut rolls = self.used();
        let mut tries = 0;
        'smaller: loop {
            for fewer in rolls.shrink() {
                if tries == SHRINKS {
                    break 'smaller;
                }
                tries += 1;
                let mut dice =
                    Dice { rolls: Rolls::Again(fewer, 0), size: self.size, report_seed: None };
                let shorter = report(&mut dice);
                let used = dice.used();
                let is_smaller = (used.len(), &used) < (rolls.len(), &rolls);
                if let (Some(shorter), true) = (shorter, is_smaller) {
                    (rolls, text) = (used, shorter);
                    continue 'smaller;
                }
            }
            break;
        }
        text
    }
}

impl Source for Dice {
    fn draw<T: Number>(&mut self) -> T {
        match T::BYTES {
            0..8 => T::of_bits(self.masked(|bits| bits & ((1 << (8 * T::BYTES)) - 1)).into()),
            8 => T::of_bits(self.roll().into()),
            _ => T::of_bits(u128::from(self.roll()) << 64 | u128::from(self.roll())),
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        Dice::below(self, bound)
    }
}

/// A random value. Its size follows `dice.size()`; floats are never NaN, since tests compare.
pub(crate) fn value<T: DeserializeOwned>(dice: &mut Dice) -> T {
    draw(dice, false)
}

/// As [`value`], with NaNs of any payload among the floats.
pub(crate) fn value_or_nan<T: DeserializeOwned>(dice: &mut Dice) -> T {
    draw(dice, true)
}

fn draw<T: DeserializeOwned>(dice: &mut Dice, nan: bool) -> T {
    let mut last = None;
    for _ in 0..ATTEMPTS {
        let budget = dice.size();
        match once(dice, budget, nan) {
            Ok(value) => return value,
            Err(error) => last = Some(error),
        }
        // With only zeros, another attempt has the same result.
        if dice.is_over() {
            break;
        }
    }
    let name = std::any::type_name::<T>();
    panic!("no valid {name} in {ATTEMPTS} draws, the last one: {last:?}");
}

/// Generates a value from any source, with about `budget` items.
///
/// # Errors
///
/// The error of the type for a value that it refuses.
pub(crate) fn once<T: DeserializeOwned>(
    source: &mut impl Source,
    budget: usize,
    nan: bool,
) -> Result<T, Error> {
    T::deserialize(Random { budget, depth: 0, nan, source })
}

/// A source of random numbers: dice, or the input of a fuzzer.
pub(crate) trait Source {
    fn draw<T: Number>(&mut self) -> T;

    /// A number below `bound`, which is not 0.
    fn below(&mut self, bound: usize) -> usize {
        self.draw::<usize>() % bound
    }
}

/// A number that a source draws.
pub(crate) trait Number {
    /// The number of bytes that a source of bytes uses for it.
    const BYTES: usize;

    /// The number of these bits, truncated to the type.
    fn of_bits(bits: u128) -> Self;
}

impl Number for char {
    const BYTES: usize = 3;

    fn of_bits(bits: u128) -> Self {
        char::from_u32(u32::of_bits(bits & 0x1f_ffff)).unwrap_or('\u{fffd}')
    }
}

macro_rules! numbers {
    ($($type:ident $bytes:literal)*) => {$(
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_possible_wrap,
            reason = "of all bits the lowest"
        )]
        impl Number for $type {
            const BYTES: usize = $bytes;

            fn of_bits(bits: u128) -> Self {
                bits as $type
            }
        }
    )*};
}
// A `usize` is a choice between a few.
numbers! { u8 1 u16 2 u32 4 u64 8 u128 16 i8 1 i16 2 i32 4 i64 8 i128 16 usize 1 }

/// `count` values, small ones first, so that the first failure is small.
///
/// The same name has the same values in every run.
pub(crate) fn cases<T>(
    name: &str,
    count: usize,
    make: impl Fn(&mut Dice) -> T,
) -> impl Iterator<Item = T> {
    let seed = seed(name) ^ base();
    let report_seed = ReportSeed;
    (0..count).map(move |case| {
        // Dropped with the iterator when a failing test leaves its loop.
        let _ = &report_seed;
        make(&mut Dice::new(seed ^ case as u64).sized(size(case, count)))
    })
}

/// The size of a value: each one is a little larger than the one before.
const fn size(case: usize, count: usize) -> usize {
    const LARGEST: usize = 120;
    1 + case * LARGEST / count
}

/// Calls `holds` with the index and value of `count` values. Panics if it panics, with the smallest value for which it
/// does, and the message.
pub(crate) fn check<T: Debug>(
    name: &str,
    count: usize,
    make: impl Fn(&mut Dice) -> T,
    mut holds: impl FnMut(usize, T),
) {
    let count = variable("FOURFOLD_CASES").map_or(count, |count| usize::try_from(count).unwrap());
    for case in 0..count {
        let mut dice = Dice::kept(seed(name) ^ base() ^ case as u64).sized(size(case, count));
        let value = make(&mut dice);
        let Some(text) = failure(|| holds(case, value)) else {
            continue;
        };
        let smallest = dice.shrunk(text, |dice| {
            let mut value = None;
            // Some numbers make no value.
            if failure(|| value = Some(make(dice))).is_some() {
                return None;
            }
            let value = value?;
            let shown = format!("{value:?}");
            let text = failure(|| holds(case, value))?;
            Some(format!("{shown}\n{text}"))
        });
        panic!("FOURFOLD_SEED={}, value {case} of {count} of {name}: {smallest}", base());
    }
}

thread_local! {
    /// The panic message of this thread, while it is being caught.
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The panic message of `work`, which is not printed.
pub(crate) fn failure(work: impl FnOnce()) -> Option<String> {
    static HOOK: Once = Once::new();

    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let is_caught = CAUGHT.with_borrow_mut(|caught| {
                caught.as_mut().map(|text| *text = info.to_string()).is_some()
            });
            if !is_caught {
                usual(info);
            }
        }));
    });
    CAUGHT.set(Some(String::new()));
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    let text = CAUGHT.take();
    outcome.err().and(text)
}

/// A number that differs from name to name (FNV-1a).
pub(crate) fn seed(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A deserializer without input.
///
/// `budget` is the number of items that may still be generated in this value. Siblings share it. Without budget,
/// sequences are empty, options are `None` and enums have their first variant (which must not recurse), so that recursive
/// types end.
struct Random<'g, G> {
    source: &'g mut G,
    budget: usize,
    depth: u8,
    nan: bool,
}

impl<G: Source> Random<'_, G> {
    fn below(&mut self, bound: usize) -> usize {
        self.source.below(bound)
    }

    fn nested(&mut self, budget: usize) -> Random<'_, G> {
        Random {
            budget: if self.depth < DEEPEST { budget } else { 0 },
            depth: self.depth.saturating_add(1),
            nan: self.nan,
            source: &mut *self.source,
        }
    }

    /// Mostly a few items, sometimes as many as the budget allows.
    fn count(&mut self) -> usize {
        let limit = match self.below(16) {
            0 => self.budget,
            1..8 => self.budget.min(2),
            _ => self.budget.min(9),
        };
        self.below(limit + 1)
    }

    fn sequence(&mut self, left: usize) -> Sequence<'_, G> {
        let share = self.budget.saturating_sub(left) / left.max(1);
        Sequence { random: self.nested(share), left }
    }

    fn character(&mut self) -> char {
        const CORNERS: [char; 12] = [
            'a',
            'Z',
            '\0',
            '"',
            '\u{7f}',
            'é',
            '\u{7ff}',
            '€',
            '\u{d7ff}',
            '\u{e000}',
            '\u{1d11e}',
            char::MAX,
        ];
        match self.below(4) {
            3 => self.source.draw::<char>(),
            _ => CORNERS[self.below(CORNERS.len())],
        }
    }

    /// Short, with a rare long one for lengths that no longer fit seven or eight bits.
    fn length(&mut self) -> usize {
        match self.below(64) {
            63 if self.budget > 0 => 120 + self.below(160),
            most => most % 7,
        }
    }

    fn text(&mut self) -> String {
        (0..self.length()).map(|_| self.character()).collect()
    }

    fn bytes(&mut self) -> Vec<u8> {
        (0..self.length()).map(|_| self.source.draw::<u8>()).collect()
    }
}

/// A method for each integer type: limits and small numbers are as frequent as random bits.
macro_rules! integers {
    ($($method:ident $visit:ident $type:ident,)*) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
            visitor.$visit(match self.below(8) {
                0 => 0,
                1 => 1,
                2 => $type::MAX,
                3 => $type::MIN,
                4 => self.below(16) as $type,
                // Small and negative, or close to the largest.
                5 => (0 as $type).wrapping_sub(self.below(16) as $type),
                _ => self.source.draw::<$type>(),
            })
        }
    )*};
}

macro_rules! floats {
    ($($method:ident $visit:ident $type:ident $bits:ident,)*) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
            let number = match self.below(10) {
                0 => 0.0,
                1 => -0.0,
                2 => 1.5,
                3 => $type::MAX,
                4 => $type::MIN_POSITIVE,
                5 => $type::INFINITY,
                6 => $type::NEG_INFINITY,
                7 if self.nan => $type::NAN,
                _ => $type::from_bits(self.source.draw::<$bits>()),
            };
            visitor.$visit(if number.is_nan() && !self.nan { -2.5 } else { number })
        }
    )*};
}

#[allow(
    clippy::cast_lossless,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "the casts are of numbers below 16"
)]
impl<'de, G: Source> Deserializer<'de> for Random<'_, G> {
    type Error = Error;

    integers! {
        deserialize_i8 visit_i8 i8,
        deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64,
        deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
        deserialize_u128 visit_u128 u128,
    }

    floats! {
        deserialize_f32 visit_f32 f32 u32,
        deserialize_f64 visit_f64 f64 u64,
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        panic!("a type that takes whatever comes has to be generated by hand")
    }

    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(self.below(2) == 1)
    }

    fn deserialize_char<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_char(self.character())
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(self.text())
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_byte_buf(self.bytes())
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        if self.budget == 0 || self.below(3) == 0 {
            return visitor.visit_none();
        }
        let budget = self.budget - 1;
        visitor.visit_some(self.nested(budget))
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let count = self.count();
        visitor.visit_seq(self.sequence(count))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        mut self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_seq(self.sequence(len))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let count = self.count();
        // A key and a value share the size of one entry.
        self.budget /= 2;
        visitor.visit_map(self.sequence(count))
    }

    // Fields in order. `fields` lists aliases too; the type stops when it has all.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(fields.len(), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if variants.is_empty() {
            return Err(Error::custom(format_args!("{name} has no variants")));
        }
        let index = match self.budget {
            0 => 0,
            _ => self.below(variants.len()),
        };
        let budget = self.budget.saturating_sub(1);
        visitor.visit_enum(Variant { name: variants[index], random: self.nested(budget) })
    }

    // Requested by adjacently tagged enums, without the number of names. An index past the last one
    // is refused by the type and drawn again.
    fn deserialize_identifier<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u64(self.below(4) as u64)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    // As binary formats.
    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The items of a sequence, tuple or struct, or the entries of a map.
struct Sequence<'g, G> {
    random: Random<'g, G>,
    left: usize,
}

impl<G: Source> Sequence<'_, G> {
    fn item<'de, S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(Random { source: &mut *self.random.source, ..self.random })
    }
}

impl<'de, G: Source> SeqAccess<'de> for Sequence<'_, G> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        self.item(seed).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de, G: Source> MapAccess<'de> for Sequence<'_, G> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        self.next_element_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        self.item(seed)
    }
}

struct Variant<'g, G> {
    name: &'static str,
    random: Random<'g, G>,
}

impl<'de, 'g, G: Source> EnumAccess<'de> for Variant<'g, G> {
    type Error = Error;
    type Variant = Random<'g, G>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Random<'g, G>), Error> {
        let variant = seed.deserialize(IntoDeserializer::<Error>::into_deserializer(self.name))?;
        Ok((variant, self.random))
    }
}

impl<'de, G: Source> VariantAccess<'de> for Random<'_, G> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(fields.len(), visitor)
    }
}

/// Replaces a piece that begins `at` by a piece of another message.
pub(crate) fn transplant(message: &mut Vec<u8>, at: usize, others: &[Vec<u8>], dice: &mut Dice) {
    let other = &others[dice.below(others.len())];
    let from = dice.below(other.len() + 1);
    let to = from + dice.below(other.len() - from + 1);
    let end = at + dice.below(message.len() - at + 1);
    message.splice(at..end, other[from..to].iter().copied());
}
