//! Random values have the same bytes as with the official builder, and are read back equal.

use std::env;
use std::fmt::Debug;

use fourfold::molecule::Options;
use molecule::prelude::Entity;
use serde::{Serialize, de::DeserializeOwned};

use crate::random::{self, value};
use crate::to_official::ToOfficial;

/// Number of random values of each type, unless `QUICKCHECK_TESTS` is set.
const COUNT: usize = 200;

pub(crate) fn count() -> usize {
    env::var("QUICKCHECK_TESTS").map_or(COUNT, |count| count.parse().unwrap())
}

pub(crate) fn check<T>(name: &str)
where
    T: ToOfficial<Official: Entity> + Serialize + DeserializeOwned + PartialEq + Debug,
{
    // All types are fully marked, so strict mode accepts them.
    let options = [Options::new(), Options::new().strict(true), Options::new().compatible(true)];
    random::check(name, count(), value::<T>, |_, ours| {
        let official = ours.to_official();
        let bytes = official.as_slice();
        for options in &options {
            assert_eq!(options.to_vec(&ours).unwrap(), bytes, "{options:?}: {ours:?}");
            let read: T = options.from_slice(bytes).unwrap();
            assert_eq!(read, ours, "{options:?}");
        }

        // The bytes are equal, so this tests the official reader on ours too.
        T::Official::from_slice(bytes).unwrap();
        T::Official::from_compatible_slice(bytes).unwrap();
    });
}
