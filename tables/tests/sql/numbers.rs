//! Numbers of more than 64 bits: decimals, or text with the table's option.

use std::fs;
use std::sync::Arc;

use datafusion::prelude::{ParquetReadOptions, SessionContext};
use fourfold_tables::datafusion::Format;
use fourfold_tables::{Error, Options, Schema, WideNumbers};
use tempfile::TempDir;

use crate::{create_named, rows, session, text};

const MOL: &str = "array Uint128 [byte; 16]; array Uint256 [byte; 32]; array Int128 [byte; 16]; \
                   struct Pay { amount: Uint128, total: Uint256, change: Int128, } vector Pays <Pay>;";

/// 10^20 + 1, which is not representable as a double.
const AMOUNT: &str = "100000000000000000001";
/// The largest number of 128 bits, which has 39 digits.
const WIDE: &str = "340282366920938463463374607431768211455";

/// A folder with the schema, and a file of such rows.
fn folder(pays: &[[&str; 3]]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let json = pays.iter().map(|[amount, total, change]| {
        format!(r#"{{"amount":"{amount}","total":"{total}","change":"{change}"}}"#)
    });
    let json = format!("[{}]", json.collect::<Vec<_>>().join(","));
    let Schema::Molecule(schema) = Schema::molecule(MOL).unwrap() else { panic!("Molecule") };
    let bytes = schema.make(&mut serde_json::Deserializer::from_str(&json), "Pays").unwrap();
    fs::write(folder.path().join("pay.mol"), MOL).unwrap();
    fs::write(folder.path().join("pays.bin"), bytes).unwrap();
    folder
}

/// A session with the table `pays`, and additional options.
async fn pays(folder: &TempDir, choice: &[(&str, &str)]) -> SessionContext {
    let context = session(1);
    let path = |name: &str| folder.path().join(name).display().to_string();
    let schema = path("pay.mol");
    let options = [&[("schema", &*schema), ("type", "Pays")], choice].concat();
    create_named(&context, "pays", "molecule", &options, &path("pays.bin")).await.unwrap();
    context
}

#[tokio::test]
async fn numbers_compare_sort_and_add() {
    let most = "9".repeat(38);
    let folder =
        folder(&[["9", &most, "-5"], [AMOUNT, AMOUNT, "4"], ["10", "1", &format!("-{most}")]]);
    let context = pays(&folder, &[]).await;
    for (query, expected) in [
        (
            "select arrow_typeof(amount), arrow_typeof(total) from pays limit 1",
            &["Decimal128(38, 0)|Decimal128(38, 0)"][..],
        ),
        ("select amount from pays order by amount desc", &[AMOUNT, "10", "9"]),
        ("select amount from pays where amount > 9 and change > -5", &[AMOUNT]),
        ("select sum(amount), min(total), max(change) from pays", &["100000000000000000020|1|4"]),
        ("select total from pays where change = -5", &[&most]),
    ] {
        assert_eq!(rows(&context, query).await.unwrap(), expected, "{query}");
    }
    // The same for tables made with the Rust API.
    let columns = |options| {
        let format =
            Format::new(Arc::new(Schema::molecule(MOL).unwrap()), "Pays", options).unwrap();
        format.columns().fields().iter().map(|it| it.data_type().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(columns(Options::new()), ["Decimal128(38, 0)"; 3]);
    assert_eq!(columns(Options::new().wide_numbers(WideNumbers::Text)), ["Utf8"; 3]);
}

#[tokio::test]
async fn numbers_of_39_digits_are_text() {
    let folder = folder(&[["9", "0", "0"], [WIDE, WIDE, "0"], ["10", "0", "0"]]);
    let context = pays(&folder, &[]).await;
    let error = rows(&context, "select sum(amount) from pays").await.unwrap_err();
    assert!(matches!(Error::in_query(&error), Some(Error::TooWide(_))), "{error}");
    let message = text(&error);
    assert!(
        message.contains(&format!("{WIDE} has more than 38 digits in [1].amount at byte")),
        "{message}"
    );
    // Columns that are not read cause no error.
    assert_eq!(rows(&context, "select count(change) from pays").await.unwrap(), ["3"]);
    let (_, fix) = message.rsplit_once("in SQL the option ").unwrap();
    let [name, value] = [1, 3].map(|at| fix.split('\'').nth(at).unwrap());
    let context = pays(&folder, &[(name, value)]).await;
    for (query, expected) in [
        ("select arrow_typeof(amount) from pays limit 1", &["Utf8"][..]),
        ("select amount from pays where amount = '9' or total = amount", &["9", WIDE]),
        (
            "select amount from pays order by cast(amount as decimal(39, 0)) desc",
            &[WIDE, "10", "9"],
        ),
        (
            "select sum(cast(amount as decimal(39, 0))) from pays",
            &["340282366920938463463374607431768211474"],
        ),
    ] {
        assert_eq!(rows(&context, query).await.unwrap(), expected, "{query}");
    }
}

/// A table copied to Parquet, and written back from it.
#[tokio::test]
async fn copies_keep_all_digits() {
    for (amount, choice) in [(AMOUNT, &[][..]), (WIDE, &[("wide_numbers", "text")])] {
        let folder = folder(&[[amount, "7", "-8"], [AMOUNT, amount, "0"]]);
        let path = |name: &str| folder.path().join(name).display().to_string();
        let context = pays(&folder, choice).await;
        let copy = format!("copy pays to '{}' stored as parquet", path("pays.parquet"));
        assert_eq!(rows(&context, &copy).await.unwrap(), ["2"]);
        context
            .register_parquet("copy", path("pays.parquet"), ParquetReadOptions::default())
            .await
            .unwrap();
        let back = |choice: &[(&str, &str)]| {
            let choice: String =
                choice.iter().map(|(name, value)| format!(", '{name}' '{value}'")).collect();
            format!(
                "copy (select * from copy) to '{}' stored as molecule \
                 options ('schema' '{}', 'type' 'Pays'{choice})",
                path("again.bin"),
                path("pay.mol")
            )
        };
        if !choice.is_empty() {
            let message = text(&rows(&context, &back(&[])).await.unwrap_err());
            assert!(message.ends_with("; use the option 'wide_numbers' 'text'"), "{message}");
        }
        assert_eq!(rows(&context, &back(choice)).await.unwrap(), ["2"]);
        assert_eq!(fs::read(path("again.bin")).unwrap(), fs::read(path("pays.bin")).unwrap());
    }
    // Integers and larger decimals are accepted, too, as far as their values fit.
    let folder = folder(&[["1", AMOUNT, "-3"]]);
    let path = |name: &str| folder.path().join(name).display().to_string();
    for (total, is_whole) in [(AMOUNT, true), (WIDE, false)] {
        let copy = format!(
            "copy (select 1 as amount, cast('{total}' as decimal(39, 0)) as total, -3 as change) to '{}' \
             stored as molecule options ('schema' '{}', 'type' 'Pays')",
            path("ints.bin"),
            path("pay.mol")
        );
        let copied = rows(&session(1), &copy).await;
        assert_eq!(copied.is_ok(), is_whole, "{copied:?}");
    }
    assert_eq!(fs::read(path("ints.bin")).unwrap(), fs::read(path("pays.bin")).unwrap());
}
