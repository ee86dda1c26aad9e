//! Whole reports over data that a scripted server sends, well or badly.

use std::path::Path;
use std::sync::Arc;

use baton_agents::clock::RealClock;
use baton_agents::data::{DataCard, DataFormat, DataKey, DataLimits, DataPlace, Paging};
use baton_agents::model::secret::GivenKeys;
use baton_agents::read::archive::Archive;
use baton_agents::search::mcp::{McpCard, McpLimits, McpPlace};
use baton_engine::{Effects, End};
use baton_machine::Outcome;
use baton_testkit::http_server::{HttpServer, Request, Response};
use baton_testkit::mcp_server::{Act, arguments};

use super::{Remote, RemoteWorld};
use crate::report::tests::support::{run, text, world};
use crate::report::{DataWorld, Evidence, Memory, Order, verify};

const KEY: &str = "sk-orders-4711-secret";

fn effects(home: &Path) -> Effects {
    let keys = GivenKeys::default().with("ORDERS_KEY", KEY);
    RemoteWorld::new(home, Arc::new(keys), Arc::new(RealClock::new())).effects(world(home))
}

/// A source that waits for nobody.
fn card(url: &str) -> DataCard {
    DataCard {
        name: "orders".to_owned(),
        place: DataPlace::Url { url: url.to_owned(), key: None },
        format: DataFormat::Json,
        path: "items".to_owned(),
        pages: None,
        limits: DataLimits {
            per_minute: 6_000_000,
            timeout_seconds: 5,
            max_pages: 6,
            ..DataLimits::default()
        },
    }
}

fn keyed(mut source: DataCard) -> DataCard {
    if let DataPlace::Url { key, .. } = &mut source.place {
        *key = Some(DataKey { env: "ORDERS_KEY".to_owned(), header: None });
    }
    source
}

fn order(source: DataCard, allowed: &[String]) -> Order {
    let mut order = Order::new("Which region has the highest revenue?");
    order.today = "2026-02-01".to_owned();
    order.remote =
        Some(Remote { consent: "--data".to_owned(), sources: vec![source], allow_private: allowed.to_vec() });
    order
}

/// Six months of three regions, the given page of them: two months each.
fn page(number: u32) -> String {
    let months: Vec<u32> = (1..=6).filter(|month| (month - 1) / 2 + 1 == number).collect();
    let rows = months.iter().flat_map(|month| {
        ["north", "south", "west"].iter().zip([100, 250, 40]).map(move |(region, revenue)| {
            format!(
                r#"{{"day":"2025-{month:02}-01","region":"{region}","revenue_eur":{}.50}}"#,
                revenue + month
            )
        })
    });
    rows.collect::<Vec<_>>().join(",\n")
}

/// The number that stands in a query such as `page=2`.
fn asked(request: &Request, parameter: &str) -> u32 {
    let found = request.query.split('&').find_map(|pair| pair.strip_prefix(parameter)?.strip_prefix('='));
    found.and_then(|number| number.parse().ok()).unwrap_or(1)
}

async fn report(source: DataCard, allowed: &[String]) -> (End, Memory, String, tempfile::TempDir) {
    let home = tempfile::tempdir().unwrap();
    let (end, memory, files) = run(home.path(), effects(home.path()), &order(source, allowed)).await;
    if end == End::Finished(Outcome::Completed) {
        let evidence: Evidence = serde_json::from_str(text(&files, "evidence.json")).unwrap();
        let archive = Archive::of_home(home.path());
        // What was gathered beside the archive is not needed any more.
        std::fs::remove_dir_all(home.path().join("data")).unwrap();
        let verified = verify(&evidence, &DataWorld::in_this_process(home.path()), &archive);
        assert!(verified.figures > 0 && verified.equal == verified.figures, "{verified:?}");
    }
    let html = files.iter().find(|file| file.path == "output/report.html");
    let html = html.map(|file| String::from_utf8_lossy(&file.content).into_owned()).unwrap_or_default();
    (end, memory, html, home)
}

/// What a site says to each request.
type Answers = Box<dyn Fn(&Request) -> Response + Send + Sync>;

#[tokio::test]
async fn pages_by_number_cursor_link_and_header_make_one_table_that_verifies_offline() {
    let body = |number: u32, next: &str| format!(r#"{{"items":[{}],"next":{next}}}"#, page(number));
    let by_number = Paging::Number { parameter: "page".to_owned(), first: 1, step: 1 };
    let by_cursor = Paging::Cursor { parameter: "after".to_owned(), at: "next".to_owned() };
    let cases: Vec<(Paging, Answers)> = vec![
        (
            by_number,
            Box::new(move |request| Response::ok("application/json", body(asked(request, "page"), "null"))),
        ),
        (
            by_cursor,
            Box::new(move |request| {
                let number = asked(request, "after");
                let next = if number < 3 { format!("\"{}\"", number + 1) } else { "null".to_owned() };
                Response::ok("application/json", body(number, &next))
            }),
        ),
        (
            Paging::Link { at: Some("next".to_owned()) },
            Box::new(move |request| {
                let number = asked(request, "p");
                let next =
                    if number < 3 { format!("\"/orders?p={}\"", number + 1) } else { "null".to_owned() };
                Response::ok("application/json", body(number, &next))
            }),
        ),
        (
            Paging::Link { at: None },
            Box::new(move |request| {
                let number = asked(request, "p");
                let answer = Response::ok("application/json", body(number, "null"));
                if number < 3 {
                    answer.with("link", &format!("</orders?p={}>; rel=\"next\"", number + 1))
                } else {
                    answer
                }
            }),
        ),
    ];
    for (pages, answer) in cases {
        let server = HttpServer::start(answer).unwrap();
        let mut source = keyed(card(&server.url("/orders")));
        source.pages = Some(pages.clone());
        let (end, memory, html, home) = report(source, &[server.host()]).await;
        assert_eq!(end, End::Finished(Outcome::Completed), "{pages:?} {:?}", memory.nothing);
        let table = &memory.context.as_ref().unwrap().profiles.tables[0];
        assert_eq!((table.reading.name.as_str(), table.rows), ("orders", 18), "{pages:?}");
        assert!(html.contains("south"), "{pages:?}");
        let requests = server.requests();
        assert!(requests.iter().all(|it| it.header("authorization") == Some(&format!("Bearer {KEY}"))));
        assert!(requests.iter().all(|it| !it.query.contains("secret")));
        assert_nowhere(home.path(), KEY);
    }
}

/// No file below a folder holds a text.
fn assert_nowhere(folder: &Path, text: &str) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            assert_nowhere(&path, text);
        } else {
            let bytes = std::fs::read(&path).unwrap();
            assert!(!bytes.windows(text.len()).any(|it| it == text.as_bytes()), "{}", path.display());
        }
    }
}

#[tokio::test]
async fn a_source_that_misbehaves_ends_with_its_reason_and_leaves_no_key() {
    let number = || Some(Paging::Number { parameter: "page".to_owned(), first: 1, step: 1 });
    let link = || Some(Paging::Link { at: Some("next".to_owned()) });
    let json = |body: &str| Response::ok("application/json", body);
    type Answer = Box<dyn Fn(&Request) -> Response + Send + Sync>;
    let one = |answer: Response| -> Answer { Box::new(move |_| answer.clone()) };
    let elsewhere = HttpServer::site([("/", Response::ok("application/json", "[]"))]).unwrap();
    let there = elsewhere.url("/");
    let cases: Vec<(&str, Option<Paging>, Answer)> = vec![
        ("a web page (HTML), not with data", None, one(Response::html("<p>Please log in</p>"))),
        ("a web page or XML, not with data", None, one(json("<html>Please log in"))),
        ("repeats the key it was given", None, one(json(&format!(r#"{{"items":[{{"a":"{KEY}"}}]}}"#)))),
        ("no JSON (it ends in the middle", None, one(json(r#"{"items":[{"a":1},{"a""#))),
        ("no JSON (expected value at line 1", None, one(json(r#"{"items":[{"a":NaN}]}"#))),
        ("is 104857600 bytes, more than", None, one(Response::Huge(100 << 20))),
        ("there stand `error`", None, one(json(r#"{"error":"no such thing"}"#))),
        ("it has no records", None, one(json(r#"{"items":[]}"#))),
        ("answered 403", None, one(Response::status(403))),
        ("answered 500", None, one(Response::status(500))),
        ("unpacks to more than", None, one(Response::gzip_bomb(200 << 20))),
        ("redirects to another host", None, one(Response::redirect(&there))),
        ("page 2 repeats an earlier one", number(), one(json(r#"{"items":[{"a":1}]}"#))),
        (
            "more than 6 pages",
            number(),
            Box::new(move |it| {
                Response::ok("application/json", format!(r#"{{"items":[{{"a":{}}}]}}"#, asked(it, "page")))
            }),
        ),
        ("on another host", link(), one(json(&format!(r#"{{"items":[{{"a":1}}],"next":"{there}"}}"#)))),
    ];
    for (expected, pages, answer) in cases {
        let server = HttpServer::start(answer).unwrap();
        let mut source = keyed(card(&server.url("/orders")));
        source.pages = pages;
        let (end, memory, _, home) = report(source, &[server.host(), elsewhere.host()]).await;
        assert_eq!(end, End::Finished(Outcome::NoEvidence), "{expected}");
        let why = memory.nothing.unwrap_or_default();
        assert!(why.contains("orders") && why.contains(expected), "{expected}: {why}");
        assert_nowhere(home.path(), KEY);
    }
    let leaked = elsewhere.requests().iter().any(|it| it.header("authorization").is_some());
    assert!(!leaked, "the key went to another host");
}

#[tokio::test]
async fn a_private_address_is_refused_unless_it_was_allowed() {
    let server = HttpServer::site([("/orders", Response::ok("application/json", "[]"))]).unwrap();
    let (end, memory, _, _) = report(card(&server.url("/orders")), &[]).await;
    assert_eq!(end, End::Finished(Outcome::NoEvidence));
    let why = memory.nothing.unwrap();
    assert!(why.contains("private or local address") && why.contains("--allow-private"), "{why}");
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_missing_key_is_named_and_nobody_is_asked() {
    let server = HttpServer::site([("/orders", Response::ok("application/json", "[]"))]).unwrap();
    let mut source = card(&server.url("/orders"));
    source.place = DataPlace::Url {
        url: server.url("/orders"),
        key: Some(DataKey { env: "OTHER_KEY".to_owned(), header: None }),
    };
    let (_, memory, _, _) = report(source, &[server.host()]).await;
    assert!(memory.nothing.unwrap().contains("the variable OTHER_KEY is not set"));
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn csv_by_address_and_a_tool_of_a_server_are_data_too() {
    let csv =
        "day;region;revenue_eur\n2025-01-01;north;100,50\n2025-01-01;south;250,25\n2025-02-01;north;90,00\n";
    let server = HttpServer::site([("/orders.csv", Response::ok("text/csv", csv))]).unwrap();
    let mut source = card(&server.url("/orders.csv"));
    (source.format, source.path) = (DataFormat::Csv, String::new());
    let (end, memory, _, _) = report(source, &[server.host()]).await;
    assert_eq!(end, End::Finished(Outcome::Completed), "{:?}", memory.nothing);

    let log = tempfile::tempdir().unwrap();
    let log = log.path().join("log").display().to_string();
    let rows = format!(r#"{{"items":[{}]}}"#, page(1).replace('\n', ""));
    let answered = serde_json::json!({ "content": [{ "type": "text", "text": rows }] }).to_string();
    for (act, expected) in [
        (Act::Answer(answered), None),
        (Act::Crash, Some("it ended in the middle of the call")),
        (Act::Refuse("no such tool".to_owned()), Some("it refused: no such tool")),
    ] {
        let place =
            McpPlace::Command { command: "sh".to_owned(), args: arguments(&act, &log), env: Vec::new() };
        let mut source = card("http://unused.example");
        source.place = DataPlace::Tool {
            server: Box::new(McpCard {
                name: "bank".to_owned(),
                place,
                search_tool: None,
                query_argument: "query".to_owned(),
                search_arguments: serde_json::Map::default(),
                read_tool: None,
                address_argument: "url".to_owned(),
                read_arguments: serde_json::Map::default(),
                limits: McpLimits::default(),
            }),
            tool: "orders".to_owned(),
            arguments: serde_json::json!({ "year": 2025 }).as_object().cloned().unwrap(),
        };
        let (end, memory, html, _) = report(source, &[]).await;
        match expected {
            None => {
                assert_eq!(end, End::Finished(Outcome::Completed), "{:?}", memory.nothing);
                assert!(html.contains("south"));
            }
            Some(words) => assert!(memory.nothing.clone().unwrap().contains(words), "{:?}", memory.nothing),
        }
    }
}
