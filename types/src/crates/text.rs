//! Strings, bytes and identifiers.

use serde::{Deserialize, Serialize};

use crate::run::Run;
use crate::support::Rows;

const TEXTS: [&str; 4] = ["", "text", "text that is too long to be stored inline", "тест 文字"];

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Ids {
    #[serde(with = "uuid::serde::compact")]
    compact: uuid::Uuid,
    #[serde(with = "uuid::serde::simple")]
    simple: uuid::Uuid,
    #[serde(with = "uuid::serde::urn")]
    urn: uuid::Uuid,
    #[serde(with = "uuid::serde::braced")]
    braced: uuid::Uuid,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Hex {
    #[serde(with = "const_hex")]
    bytes: Vec<u8>,
}

pub fn rows(run: &mut Run) {
    run.group("Text, bytes, identifiers");
    run.row("`smol_str::SmolStr`", TEXTS.map(smol_str::SmolStr::new).to_vec());
    run.row("`compact_str::CompactString`", TEXTS.map(compact_str::CompactString::new).to_vec());
    run.row("`ecow::EcoString`", TEXTS.map(ecow::EcoString::from).to_vec());
    run.row("`arcstr::ArcStr`", TEXTS.map(arcstr::ArcStr::from).to_vec());
    run.row("`hipstr::HipStr`", TEXTS.map(hipstr::HipStr::<'static>::from).to_vec());
    run.row(
        "`hipstr::HipByt`",
        vec![
            hipstr::HipByt::<'static>::new(),
            hipstr::HipByt::from(vec![0xffu8, 0]),
            hipstr::HipByt::from(b"ab".to_vec()),
        ],
    );
    run.row(
        "`arrayvec::ArrayString`",
        ["", "text"].map(|t| arrayvec::ArrayString::<8>::from(t).unwrap()).to_vec(),
    );
    run.row(
        "`heapless::String`",
        ["", "text"].map(|t| heapless::String::<8>::try_from(t).unwrap()).to_vec(),
    );
    run.row("`bytestring::ByteString`", TEXTS.map(bytestring::ByteString::from).to_vec());
    run.row(
        "`bstr::BString`",
        vec![
            bstr::BString::from(""),
            bstr::BString::from("text"),
            bstr::BString::from(vec![0xff, 0]),
        ],
    );
    run.row(
        "`bytes::Bytes`",
        vec![
            bytes::Bytes::new(),
            bytes::Bytes::from_static(b"ab"),
            bytes::Bytes::from_static(&[0xff, 0]),
        ],
    );
    run.row("`bytes::BytesMut`", vec![bytes::BytesMut::new(), bytes::BytesMut::from(&b"ab"[..])]);
    run.row(
        "`serde_bytes::ByteBuf`",
        vec![
            serde_bytes::ByteBuf::new(),
            serde_bytes::ByteBuf::from(b"ab".to_vec()),
            serde_bytes::ByteBuf::from(vec![0xff; 300]),
        ],
    );
    run.row(
        "`serde_bytes::ByteArray`",
        vec![serde_bytes::ByteArray::new([0u8; 32]), serde_bytes::ByteArray::new([b'a'; 32])],
    );
    run.borrowed(
        "`&serde_bytes::Bytes`",
        vec![
            serde_bytes::Bytes::new(b""),
            serde_bytes::Bytes::new(b"ab"),
            serde_bytes::Bytes::new(&[0xff]),
        ],
    );
    run.row(
        "`ascii::AsciiString`",
        ["", "text"].map(|t| ascii::AsciiString::from_ascii(t).unwrap()).to_vec(),
    );
    run.row("`camino::Utf8PathBuf`", ["", "/a/b.txt"].map(camino::Utf8PathBuf::from).to_vec());
    run.row("`const_hex`", vec![Hex { bytes: vec![] }, Hex { bytes: vec![0xff, 0] }]);
    let ids = || {
        [uuid::Uuid::nil(), uuid::Uuid::max(), uuid::uuid!("67e55044-10b1-426f-9247-bb680e5fe0c8")]
    };
    run.row("`uuid::Uuid`", ids().to_vec());
    run.row(
        "`uuid::serde::compact`, `simple`, `urn`, `braced`",
        ids().map(|id| Ids { compact: id, simple: id, urn: id, braced: id }).into(),
    );
    run.row("`uuid::NonNilUuid`", vec![uuid::NonNilUuid::new(uuid::Uuid::max()).unwrap()]);
    run.row("`ulid::Ulid`", vec![ulid::Ulid::nil(), ulid::Ulid::from_parts(1_700_000_000_000, 7)]);
    run.row(
        "`semver::Version`",
        ["0.0.0", "1.2.3-rc.1+build.5"].map(|t| t.parse::<semver::Version>().unwrap()).to_vec(),
    );
    run.row(
        "`semver::VersionReq`",
        ["*", ">=1.2, <2"].map(|t| t.parse::<semver::VersionReq>().unwrap()).to_vec(),
    );
    run.row("`semver::Comparator`", vec!["^1.2".parse::<semver::Comparator>().unwrap()]);
    run.row(
        "`unic_langid::LanguageIdentifier`",
        ["und", "zh-Hans-CN"]
            .map(|t| t.parse::<unic_langid::LanguageIdentifier>().unwrap())
            .to_vec(),
    );
}
