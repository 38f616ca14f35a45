//! 10,000 records of a log as OCaml writes them: each lacks one to three optional fields.

use fourfold::biniou::with::optional;
use serde::{Deserialize, Serialize};

use crate::random::Random;

#[derive(Serialize, Deserialize, Clone, PartialEq)]
pub(crate) struct Record {
    time: u64,
    host: String,
    #[serde(with = "optional", default)]
    user: Option<String>,
    request: String,
    #[serde(with = "optional", default)]
    referrer: Option<String>,
    code: u16,
    #[serde(with = "optional", default)]
    size: Option<u32>,
    secure: bool,
}

#[derive(Serialize, Deserialize, Clone, PartialEq)]
pub(crate) struct Gaps {
    records: Vec<Record>,
}

super::owned_only!(Gaps);

pub(crate) fn gaps() -> Gaps {
    Gaps { records: Random::new(6).many(10_000, record) }
}

fn record(r: &mut Random) -> Record {
    // At least one is absent.
    let absent = r.below(3);
    let mut present = |index| r.chance(40) && index != absent;
    let (user, referrer, size) = (present(0), present(1), present(2));
    Record {
        time: u64::from(r.word()),
        host: format!("host-{}", r.below(1_000)),
        user: user.then(|| "mallory".to_owned()),
        request: format!("GET /{} HTTP/1.1", r.below(100_000)),
        referrer: referrer.then(|| "/img/banner-large.png".to_owned()),
        code: r.short(),
        size: size.then(|| r.below(100_000)),
        secure: r.chance(50),
    }
}
