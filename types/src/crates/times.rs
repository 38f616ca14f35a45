//! Times, dates and durations.

use chrono::TimeZone as _;
use serde::{Deserialize, Serialize};

use crate::run::Run;
use crate::support::Rows;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Chrono {
    #[serde(with = "chrono::serde::ts_seconds")]
    seconds: chrono::DateTime<chrono::Utc>,
    #[serde(with = "chrono::serde::ts_nanoseconds_option")]
    nanoseconds: Option<chrono::DateTime<chrono::Utc>>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Time {
    #[serde(with = "time::serde::timestamp")]
    seconds: time::OffsetDateTime,
    #[serde(with = "time::serde::timestamp::milliseconds::option")]
    milliseconds: Option<time::OffsetDateTime>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Jiff {
    #[serde(with = "jiff::fmt::serde::timestamp::second::required")]
    seconds: jiff::Timestamp,
    #[serde(serialize_with = "jiff::fmt::serde::duration::friendly::compact::required")]
    duration: jiff::SignedDuration,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Human {
    #[serde(with = "humantime_serde")]
    duration: std::time::Duration,
    #[serde(with = "humantime_serde::option")]
    option: Option<std::time::Duration>,
}

pub fn rows(run: &mut Run) {
    run.group("Times");
    let utc = || {
        [
            chrono::DateTime::UNIX_EPOCH,
            chrono::Utc.timestamp_opt(1_700_000_000, 123_456_789).unwrap(),
            chrono::Utc.timestamp_opt(-1, 0).unwrap(),
        ]
    };
    run.row(
        "`chrono::DateTime<Utc>`",
        [&utc()[..], &[chrono::DateTime::<chrono::Utc>::MAX_UTC]].concat(),
    );
    let east = chrono::FixedOffset::east_opt(3600).unwrap();
    run.row(
        "`chrono::DateTime<FixedOffset>`",
        utc().map(|time| time.with_timezone(&east)).to_vec(),
    );
    run.row("`chrono::NaiveDateTime`", utc().map(|time| time.naive_utc()).to_vec());
    run.row(
        "`chrono::NaiveDate`",
        vec![chrono::NaiveDate::MIN, chrono::NaiveDate::MAX, utc()[0].date_naive()],
    );
    run.row("`chrono::NaiveTime`", utc().map(|time| time.time()).to_vec());
    run.row(
        "`chrono::TimeDelta`",
        vec![chrono::TimeDelta::zero(), chrono::TimeDelta::milliseconds(-1500)],
    );
    run.row("`chrono::Weekday`, `Month`", vec![(chrono::Weekday::Sun, chrono::Month::December)]);
    run.row(
        "`chrono::serde::ts_seconds`, `ts_nanoseconds_option`",
        vec![
            Chrono { seconds: utc()[0], nanoseconds: None },
            Chrono { seconds: utc()[2], nanoseconds: Some(utc()[1]) },
        ],
    );
    let now = time::macros::datetime!(2026-11-22 18:49:51.5 +1);
    run.row("`time::OffsetDateTime`", vec![time::OffsetDateTime::UNIX_EPOCH, now]);
    run.row("`time::PrimitiveDateTime`", vec![time::macros::datetime!(2026-11-22 18:49:51)]);
    run.row("`time::Date`", vec![time::Date::MIN, time::Date::MAX]);
    run.row(
        "`time::Time`, `UtcOffset`",
        vec![(time::Time::MIDNIGHT, time::macros::offset!(-1:30))],
    );
    run.row(
        "`time::Duration`",
        vec![time::Duration::MIN, time::Duration::MAX, time::Duration::ZERO],
    );
    run.row("`time::Weekday`, `Month`", vec![(time::Weekday::Sunday, time::Month::December)]);
    run.row(
        "`time::serde::timestamp`",
        vec![
            Time { seconds: time::OffsetDateTime::UNIX_EPOCH, milliseconds: None },
            Time {
                seconds: time::OffsetDateTime::UNIX_EPOCH,
                milliseconds: Some(now.to_offset(time::UtcOffset::UTC)),
            },
        ],
    );
    run.row(
        "`jiff::Timestamp`",
        vec![jiff::Timestamp::UNIX_EPOCH, jiff::Timestamp::MAX, jiff::Timestamp::MIN],
    );
    run.row(
        "`jiff::civil::Date`, `Time`, `DateTime`",
        vec![(jiff::civil::Date::MIN, jiff::civil::Time::MAX, jiff::civil::DateTime::MAX)],
    );
    run.row_by_json(
        "`jiff::Span`",
        vec![jiff::Span::new(), jiff::Span::new().days(1).nanoseconds(5)],
    );
    run.row("`jiff::SignedDuration`", vec![jiff::SignedDuration::MIN, jiff::SignedDuration::MAX]);
    run.row(
        "`jiff::fmt::serde`",
        vec![Jiff {
            seconds: jiff::Timestamp::UNIX_EPOCH,
            duration: jiff::SignedDuration::from_millis(-1500),
        }],
    );
    run.row(
        "`humantime_serde`",
        vec![
            Human { duration: std::time::Duration::ZERO, option: None },
            Human {
                duration: std::time::Duration::from_millis(90_061_001),
                option: Some(std::time::Duration::MAX),
            },
        ],
    );
}
