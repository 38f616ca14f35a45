//! Damaged bytes are refused exactly when the official reader refuses them.

use fourfold::molecule::{Error, ErrorKind, Options};
use molecule::prelude::Entity;
use serde::{Serialize, de::DeserializeOwned};

use crate::damage::damage;
use crate::random::{self, Dice, value};
use crate::round_trip::count;
use crate::to_official::ToOfficial;

pub(crate) fn check<T>(name: &str)
where
    T: ToOfficial<Official: Entity> + Serialize + DeserializeOwned,
{
    let damaged = |g: &mut Dice| damage(value::<T>(g).to_official().as_slice().to_vec(), g);
    random::check(name, count(), damaged, |_, bytes| {
        let read = Options::new().from_slice::<T>(&bytes);
        compare(&bytes, &read, T::Official::from_slice(&bytes).is_ok());
        if let Ok(value) = read {
            assert_eq!(Options::new().to_vec(&value).unwrap(), bytes, "not canonical");
        }

        let read = Options::new().compatible(true).from_slice::<T>(&bytes);
        compare(&bytes, &read, T::Official::from_compatible_slice(&bytes).is_ok());
    });
}

fn compare<T>(bytes: &[u8], read: &Result<T, Error>, official: bool) {
    match read {
        Ok(_) => assert!(official, "only fourfold accepts {bytes:02x?}"),
        // The official reader accepts any byte as a `Bool`.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidBool { .. }) => {}
        Err(error) => assert!(!official, "{error}: {bytes:02x?}"),
    }
}
