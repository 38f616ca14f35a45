//! Queries on a biniou log and Molecule cells. The same rows in Parquet give the same results, on one core and on
//! three.

mod data;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use datafusion::prelude::{ParquetReadOptions, SessionContext};
use fourfold_tables::{Schema, Table};
use parquet::arrow::ArrowWriter;

use self::data::{Data, Entry, Event, Level, Witness, hash, hex};
use crate::{create_named, rows, session};

/// A query and its expected result.
struct Question {
    /// A short description.
    about: &'static str,
    query: &'static str,
    /// The result computed in plain Rust.
    expected: fn(&Data) -> Vec<String>,
}

/// The queries. The array length makes the compiler check their number.
const QUESTIONS: [Question; 22] = [
    Question {
        about: "texts",
        query: "select id, host, login from log \
                where host like 'web%' and host <> 'web-3' and login in ('ana', 'cy') \
                   or host = 'db-0'",
        expected: texts,
    },
    Question {
        about: "numbers",
        query: "select id, bytes, load from log \
                where bytes between 1000 and 5000 and not (load < 2.5 or id % 2 = 0)",
        expected: numbers,
    },
    Question {
        about: "nulls and flags",
        query: "select id, point['label'] from log \
                where login is null and point['label'] is not null and not ok",
        expected: nulls,
    },
    Question {
        about: "how many rows",
        query: "select (select count(*) from log) as log, \
                  (select count(*) from cells) as cells, \
                  (select count(*) from transfers) as transfers, count(*) from headers",
        expected: counts,
    },
    Question {
        about: "few of many columns",
        query: "select out_point['index'], capacity from cells \
                where capacity >= 9000 and lock['hash_type'] in (1, 2)",
        expected: few_columns,
    },
    Question {
        about: "groups",
        query: "select host, count(*), sum(bytes), max(load), avg(load) from log \
                group by host having count(*) > 160 and min(bytes) < -900",
        expected: groups,
    },
    Question {
        about: "different rows",
        query: "select distinct level, ok from log where bytes < 0",
        expected: different,
    },
    Question {
        about: "the first rows in an order",
        query: "select id, load, host from log where level = 'Warn' \
                order by load desc, id limit 10",
        expected: first_in_order,
    },
    Question {
        about: "limit with offset",
        query: "select number, time, kind from headers order by kind desc, number \
                limit 7 offset 20",
        expected: limit_with_offset,
    },
    Question {
        about: "a join of both formats",
        query: "select log.id, headers.time from log \
                join headers on log.block = headers.number \
                where log.level = 'Error' and headers.time > 1600003000",
        expected: join,
    },
    Question {
        about: "a left join of both formats",
        query: "select log.id, log.block, headers.kind from log \
                left join headers on log.block = headers.number where log.id % 10 = 3",
        expected: left_join,
    },
    Question {
        about: "an anti join of both formats",
        query: "select id, block from log \
                left anti join headers on log.block = headers.number where ok",
        expected: anti_join,
    },
    Question {
        about: "windows",
        query: "select id, host, \
                  row_number() over (partition by host order by id), \
                  lag(bytes) over (partition by host order by id), \
                  sum(bytes) over (partition by host order by id \
                    rows between unbounded preceding and current row) \
                from log where id between 900 and 2100 order by id",
        expected: windows,
    },
    Question {
        about: "nested fields",
        query: "select encode(cells.out_point['tx_hash'], 'hex'), cells.lock['hash_type'], \
                  encode(cells.type_['code_hash'], 'hex'), log.point['x'] + log.point['y'] \
                from cells join log on cells.block = log.block \
                where log.point['x'] < -49 and cells.type_ is not null",
        expected: nested,
    },
    Question {
        about: "lists",
        query: "select id, array_length(tags), tags[1], tags from log \
                where array_length(tags) >= 3 and array_has(tags, 'red') and tags[2] <> 'blue'",
        expected: lists,
    },
    Question {
        about: "items of lists",
        query: "select tag, count(*), min(id) from (select id, unnest(tags) as tag from log) \
                group by tag",
        expected: items_of_lists,
    },
    Question {
        about: "variants",
        // DataFusion reads the fields of a null struct as values, in Parquet and in other formats.
        query: "select id, event['variant'], \
                  case when event['variant'] = 'Request' then event['Request']['path'] end, \
                  event['Failure'] from log \
                where event['Request'] is not null and event['Request']['status'] >= 500 \
                   or event['variant'] = 'Failure' or event['Slept'] between -100 and 0",
        expected: variants,
    },
    Question {
        about: "rows of both formats together",
        query: "select 'log' as source, block, login as what from log where bytes > 18000 \
                union all \
                select 'cell', cast(block as bigint), encode(witness['Bytes'], 'hex') \
                from cells where witness['variant'] = 'Bytes' and capacity < 1000",
        expected: together,
    },
    Question {
        about: "nested queries",
        query: "select number from headers \
                where number in (select block from log where level = 'Error' and not ok) \
                  and exists (select 1 from cells \
                              where cells.block = headers.number and cells.capacity > 9500) \
                  and number not in (select block from transfers where amount = '0')",
        expected: inner_questions,
    },
    Question {
        about: "names for parts, and cases",
        query: "with states as ( \
                  select host, bytes, \
                    case when load < 1 then 'idle' when load < 7 then 'busy' else 'full' end \
                      as state \
                  from log), \
                sums as (select state, host, sum(bytes) as total from states group by state, host) \
                select state, count(*), max(total) from sums group by state",
        expected: cases,
    },
    Question {
        about: "decimals and bytes",
        query: "with numbers as (select *, cast(amount as decimal(39, 0)) as number from transfers) \
                select encode(sender, 'hex'), count(memo), sum(number), max(number) from numbers \
                where number < cast('340282366920938463463374607431768211455' as decimal(39, 0)) \
                  and number > cast('18446744073709551615' as decimal(39, 0)) \
                  and receiver <> sender and memo >= x'80' \
                group by sender",
        expected: decimals,
    },
    Question {
        about: "a self join",
        query: "select a.id, b.id, a.host from log a \
                join log b on a.host = b.host and b.id = a.id + 10 \
                where a.level = 'Debug' and b.level <> a.level",
        expected: itself,
    },
];

/// The text of a value, or `null`.
fn or_null<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| value.to_string())
}

fn lines_of<'a>(
    log: impl IntoIterator<Item = &'a Entry>,
    line: impl Fn(&'a Entry) -> String,
) -> Vec<String> {
    log.into_iter().map(line).collect()
}

fn texts(data: &Data) -> Vec<String> {
    let found = data.log.iter().filter(|it| {
        let login = it.login.as_deref();
        it.host.starts_with("web") && it.host != "web-3" && matches!(login, Some("ana" | "cy"))
            || it.host == "db-0"
    });
    lines_of(found, |it| format!("{}|{}|{}", it.id, it.host, or_null(it.login.as_ref())))
}

fn numbers(data: &Data) -> Vec<String> {
    let found = data
        .log
        .iter()
        .filter(|it| (1000..=5000).contains(&it.bytes) && !(it.load < 2.5 || it.id % 2 == 0));
    lines_of(found, |it| format!("{}|{}|{:?}", it.id, it.bytes, it.load))
}

fn nulls(data: &Data) -> Vec<String> {
    let found = data.log.iter().filter(|it| it.login.is_none() && !it.ok);
    found
        .filter_map(|it| it.point.label.as_ref().map(|label| format!("{}|{label}", it.id)))
        .collect()
}

fn counts(data: &Data) -> Vec<String> {
    let Data { log, cells, transfers, headers } = data;
    vec![format!("{}|{}|{}|{}", log.len(), cells.len(), transfers.len(), headers.len())]
}

fn few_columns(data: &Data) -> Vec<String> {
    let found =
        data.cells.iter().filter(|it| it.capacity >= 9000 && matches!(it.lock.hash_type, 1 | 2));
    found.map(|it| format!("{}|{}", it.out_point.index, it.capacity)).collect()
}

/// Entries grouped by host.
fn by_host(data: &Data) -> BTreeMap<&str, Vec<&Entry>> {
    let mut hosts: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    data.log.iter().for_each(|it| hosts.entry(&it.host).or_default().push(it));
    hosts
}

fn groups(data: &Data) -> Vec<String> {
    let mut lines = Vec::new();
    for (host, log) in by_host(data) {
        if log.len() > 160 && log.iter().any(|it| it.bytes < -900) {
            let bytes: i64 = log.iter().map(|it| it.bytes).sum();
            let most = log.iter().map(|it| it.load).fold(f64::MIN, f64::max);
            let all: f64 = log.iter().map(|it| it.load).sum();
            let mean = all / f64::from(u32::try_from(log.len()).unwrap());
            lines.push(format!("{host}|{}|{bytes}|{most:?}|{mean:?}", log.len()));
        }
    }
    lines
}

fn different(data: &Data) -> Vec<String> {
    let found = data.log.iter().filter(|it| it.bytes < 0);
    let found: BTreeSet<String> = found.map(|it| format!("{:?}|{}", it.level, it.ok)).collect();
    found.into_iter().collect()
}

fn first_in_order(data: &Data) -> Vec<String> {
    let mut found: Vec<&Entry> = data.log.iter().filter(|it| it.level == Level::Warn).collect();
    // The sort is stable.
    found.sort_by(|a, b| b.load.total_cmp(&a.load));
    lines_of(found.into_iter().take(10), |it| format!("{}|{:?}|{}", it.id, it.load, it.host))
}

fn limit_with_offset(data: &Data) -> Vec<String> {
    let mut found: Vec<_> = data.headers.iter().collect();
    found.sort_by_key(|it| u8::MAX - it.kind);
    let found = found.into_iter().skip(20).take(7);
    found.map(|it| format!("{}|{}|{}", it.number, it.time, it.kind)).collect()
}

fn join(data: &Data) -> Vec<String> {
    let errors = data.log.iter().filter(|it| it.level == Level::Error);
    let joined = errors.filter_map(|it| Some((it, data.header(it.block)?)));
    let joined = joined.filter(|(_, header)| header.time > 1_600_003_000);
    joined.map(|(it, header)| format!("{}|{}", it.id, header.time)).collect()
}

fn left_join(data: &Data) -> Vec<String> {
    let found = data.log.iter().filter(|it| it.id % 10 == 3);
    lines_of(found, |it| {
        let kind = data.header(it.block).map(|header| header.kind);
        format!("{}|{}|{}", it.id, it.block, or_null(kind))
    })
}

fn anti_join(data: &Data) -> Vec<String> {
    let found = data.log.iter().filter(|it| it.ok && data.header(it.block).is_none());
    lines_of(found, |it| format!("{}|{}", it.id, it.block))
}

fn windows(data: &Data) -> Vec<String> {
    let mut hosts: BTreeMap<&str, (u64, Option<i64>, i64)> = BTreeMap::new();
    let found = data.log.iter().filter(|it| (900..=2100).contains(&it.id));
    let found = found.map(|it| {
        let (row, before, sum) = hosts.entry(&it.host).or_default();
        (*row, *sum) = (*row + 1, *sum + it.bytes);
        let before = before.replace(it.bytes);
        format!("{}|{}|{row}|{}|{sum}", it.id, it.host, or_null(before))
    });
    found.collect()
}

fn nested(data: &Data) -> Vec<String> {
    let mut lines = Vec::new();
    for it in data.log.iter().filter(|it| it.point.x < -49.0) {
        let block = u64::try_from(it.block).unwrap();
        for cell in data.cells.iter().filter(|cell| cell.block == block) {
            let Some(kind) = &cell.type_ else { continue };
            let (hash, code) = (hex(&cell.out_point.tx_hash), hex(&kind.code_hash));
            let sum = it.point.x + it.point.y;
            lines.push(format!("{hash}|{}|{code}|{sum:?}", cell.lock.hash_type));
        }
    }
    lines
}

fn lists(data: &Data) -> Vec<String> {
    let found = data.log.iter().filter(|it| {
        it.tags.len() >= 3 && it.tags.iter().any(|tag| tag == "red") && it.tags[1] != "blue"
    });
    lines_of(found, |it| {
        let tags = it.tags.join(", ");
        format!("{}|{}|{}|[{tags}]", it.id, it.tags.len(), it.tags[0])
    })
}

fn items_of_lists(data: &Data) -> Vec<String> {
    let mut tags: BTreeMap<&str, (usize, i64)> = BTreeMap::new();
    for it in &data.log {
        for tag in &it.tags {
            tags.entry(tag).or_insert((0, it.id)).0 += 1;
        }
    }
    tags.iter().map(|(tag, (count, first))| format!("{tag}|{count}|{first}")).collect()
}

fn variants(data: &Data) -> Vec<String> {
    let line = |it: &Entry| {
        let (name, path, failure) = match &it.event {
            Event::Request(request) if request.status >= 500 => {
                ("Request", Some(&request.path), None)
            }
            Event::Failure(failure) => ("Failure", None, Some(failure)),
            Event::Slept(-100..=0) => ("Slept", None, None),
            _ => return None,
        };
        Some(format!("{}|{name}|{}|{}", it.id, or_null(path), or_null(failure)))
    };
    data.log.iter().filter_map(line).collect()
}

fn together(data: &Data) -> Vec<String> {
    let found = data.log.iter().filter(|it| it.bytes > 18_000);
    let mut lines =
        lines_of(found, |it| format!("log|{}|{}", it.block, or_null(it.login.as_ref())));
    lines.extend(data.cells.iter().filter(|it| it.capacity < 1000).filter_map(|it| {
        let Witness::Bytes(bytes) = &it.witness else { return None };
        Some(format!("cell|{}|{}", it.block, hex(bytes)))
    }));
    lines
}

fn inner_questions(data: &Data) -> Vec<String> {
    let Data { log, cells, transfers, headers } = data;
    let found = headers.iter().map(|it| it.number).filter(|number| {
        let number = i64::try_from(*number).unwrap();
        log.iter().any(|it| it.block == number && it.level == Level::Error && !it.ok)
    });
    let found = found.filter(|number| {
        cells.iter().any(|it| it.block == *number && it.capacity > 9500)
            && !transfers.iter().any(|it| it.block == *number && it.amount == 0)
    });
    found.map(|number| number.to_string()).collect()
}

fn cases(data: &Data) -> Vec<String> {
    let mut sums: BTreeMap<(&str, &str), i64> = BTreeMap::new();
    for it in &data.log {
        let state = match it.load {
            load if load < 1.0 => "idle",
            load if load < 7.0 => "busy",
            _ => "full",
        };
        *sums.entry((state, &it.host)).or_default() += it.bytes;
    }
    let mut states: BTreeMap<&str, (usize, i64)> = BTreeMap::new();
    for ((state, _), sum) in sums {
        let (count, most) = states.entry(state).or_insert((0, sum));
        (*count, *most) = (*count + 1, sum.max(*most));
    }
    states.iter().map(|(state, (count, most))| format!("{state}|{count}|{most}")).collect()
}

fn decimals(data: &Data) -> Vec<String> {
    let mut senders: BTreeMap<[u8; 32], (usize, u128, u128)> = BTreeMap::new();
    let found = data.transfers.iter().filter(|it| {
        it.amount < u128::MAX
            && it.amount > u128::from(u64::MAX)
            && it.receiver != it.sender
            && it.memo.as_ref().is_some_and(|memo| **memo >= [0x80][..])
    });
    for it in found {
        let (count, sum, most) = senders.entry(it.sender).or_default();
        (*count, *sum, *most) = (*count + 1, *sum + it.amount, it.amount.max(*most));
    }
    let line = |(sender, (count, sum, most)): ([u8; 32], (usize, u128, u128))| {
        format!("{}|{count}|{sum}|{most}", hex(&sender))
    };
    assert!(senders.contains_key(&hash(7)));
    senders.into_iter().map(line).collect()
}

fn itself(data: &Data) -> Vec<String> {
    let pairs = data.log.iter().zip(data.log.iter().skip(10));
    let found = pairs
        .filter(|(a, b)| a.host == b.host && a.level == Level::Debug && b.level != Level::Debug);
    found.map(|(a, b)| format!("{}|{}|{}", a.id, b.id, a.host)).collect()
}

/// A table: its name, format and type, and where its files are.
const TABLES: [(&str, &str, &str, &str); 4] = [
    ("log", "biniou", "entry", "log/"),
    ("cells", "molecule", "Cells", "cells.bin"),
    ("transfers", "molecule", "Transfer", "transfers.bin"),
    ("headers", "molecule", "Headers", "headers.bin"),
];

fn schema(format: &str) -> &'static str {
    if format == "biniou" { "log.atd" } else { "chain.mol" }
}

/// A session with the tables of both formats.
async fn of_formats(folder: &Path, cores: usize) -> SessionContext {
    let context = session(cores);
    let path = |name: &str| folder.join(name).display().to_string();
    for (name, format, ty, place) in TABLES {
        let schema = path(schema(format));
        // Joining an empty path adds a trailing slash.
        // Amounts have up to 39 digits.
        let options = [("schema", &*schema), ("type", ty), ("wide_numbers", "text")];
        create_named(&context, name, format, &options, &path(place)).await.unwrap();
    }
    context
}

/// A session with the same tables in Parquet.
async fn of_parquet(folder: &Path, cores: usize) -> SessionContext {
    let context = session(cores);
    for (name, ..) in TABLES {
        let path = folder.join(name).with_extension("parquet").display().to_string();
        context.register_parquet(name, &*path, ParquetReadOptions::default()).await.unwrap();
    }
    context
}

/// Writes the rows of the files as Parquet.
fn write_parquet(folder: &Path) {
    for (name, format, ty, place) in TABLES {
        let schema = Schema::from_file(folder.join(schema(format))).unwrap();
        let table = Table::new(&schema, ty).unwrap();
        let file = File::create(folder.join(name).with_extension("parquet")).unwrap();
        let mut writer = ArrowWriter::try_new(file, table.schema(), None).unwrap();
        for batch in table.read_files([folder.join(place).to_str().unwrap()]).unwrap() {
            writer.write(&batch.unwrap()).unwrap();
        }
        writer.close().unwrap();
    }
}

/// Sorts the rows of queries without `order by`.
fn in_order(query: &str, mut rows: Vec<String>) -> Vec<String> {
    if !query.contains("order by") {
        rows.sort();
    }
    rows
}

async fn answer(context: &SessionContext, question: &Question) -> Vec<String> {
    let Question { about, query, .. } = question;
    let rows = rows(context, query).await;
    in_order(query, rows.unwrap_or_else(|error| panic!("{about}: {error}")))
}

#[tokio::test]
async fn files_answer_as_parquet_does() {
    let folder = tempfile::tempdir().unwrap();
    Data::new().write(folder.path());
    write_parquet(folder.path());
    let mut count = BTreeSet::new();
    for cores in [1, 3] {
        let files = of_formats(folder.path(), cores).await;
        let parquet = of_parquet(folder.path(), cores).await;
        for question in &QUESTIONS {
            let (found, expected) =
                (answer(&files, question).await, answer(&parquet, question).await);
            assert!(!found.is_empty(), "{}", question.about);
            assert_eq!(found, expected, "{} on {cores} cores", question.about);
            count.insert((cores, question.about));
        }
    }
    assert_eq!(count.len(), 44);
}

#[tokio::test]
async fn files_answer_as_plain_rust_does() {
    let folder = tempfile::tempdir().unwrap();
    let data = Data::new();
    data.write(folder.path());
    let files = of_formats(folder.path(), 3).await;
    let mut count = 0;
    for question in &QUESTIONS {
        let expected = in_order(question.query, (question.expected)(&data));
        assert_eq!(answer(&files, question).await, expected, "{}", question.about);
        count += 1;
    }
    assert_eq!(count, 22);
}
