//! Addresses, URLs and HTTP types.

use serde::{Deserialize, Serialize};

use crate::run::Run;
use crate::support::Rows;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Request {
    #[serde(with = "http_serde::method")]
    method: http::Method,
    #[serde(with = "http_serde::uri")]
    uri: http::Uri,
    #[serde(with = "http_serde::version")]
    version: http::Version,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Response {
    #[serde(with = "http_serde::status_code")]
    status: http::StatusCode,
    #[serde(with = "http_serde::header_map")]
    headers: http::HeaderMap,
}

fn headers(list: &[(&'static str, &'static str)]) -> http::HeaderMap {
    let entry = |&(name, value): &(&'static str, &'static str)| {
        (http::HeaderName::from_static(name), http::HeaderValue::from_static(value))
    };
    let mut headers = http::HeaderMap::new();
    for (name, value) in list.iter().map(entry) {
        headers.append(name, value);
    }
    headers
}

pub fn rows(run: &mut Run) {
    run.group("Networks");
    run.row(
        "`url::Url`",
        ["http://example.org/", "data:text/plain,x", "file:///a%20b"]
            .map(|t| t.parse::<url::Url>().unwrap())
            .to_vec(),
    );
    run.row(
        "`url::Host`",
        vec![
            url::Host::parse("example.org").unwrap(),
            url::Host::parse("127.0.0.1").unwrap(),
            url::Host::parse("[::1]").unwrap(),
        ],
    );
    run.row(
        "`iri_string::types::IriString`",
        vec![iri_string::types::IriString::try_from("http://пример.org/").unwrap()],
    );
    run.row(
        "`http_serde`: `Method`, `Uri`, `Version`",
        vec![Request {
            method: http::Method::GET,
            uri: "/a?b=c".parse().unwrap(),
            version: http::Version::HTTP_11,
        }],
    );
    run.row(
        "`http_serde`: `StatusCode`, `HeaderMap`",
        vec![
            Response { status: http::StatusCode::OK, headers: headers(&[]) },
            Response { status: http::StatusCode::OK, headers: headers(&[("a", "1"), ("b", "2")]) },
            Response { status: http::StatusCode::OK, headers: headers(&[("a", "1"), ("a", "2")]) },
        ],
    );
    run.row(
        "`ipnet::IpNet`",
        ["10.0.0.0/8", "::/0"].map(|t| t.parse::<ipnet::IpNet>().unwrap()).to_vec(),
    );
    run.row(
        "`ipnet::Ipv4Net`, `Ipv6Net`",
        vec![(
            "10.0.0.0/8".parse::<ipnet::Ipv4Net>().unwrap(),
            "2001:db8::/32".parse::<ipnet::Ipv6Net>().unwrap(),
        )],
    );
    run.row(
        "`cidr::IpCidr`",
        ["10.0.0.0/8", "::1/128"].map(|t| t.parse::<cidr::IpCidr>().unwrap()).to_vec(),
    );
    run.row(
        "`cidr::IpInet`, `AnyIpCidr`",
        vec![("10.1.2.3/8".parse::<cidr::IpInet>().unwrap(), cidr::AnyIpCidr::Any)],
    );
    run.row("`macaddr::MacAddr6`", vec![macaddr::MacAddr6::nil(), macaddr::MacAddr6::broadcast()]);
    run.row("`macaddr::MacAddr8`", vec![macaddr::MacAddr8::nil()]);
}
