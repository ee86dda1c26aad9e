//! Web providers against a server that answers as their documentation says, and as it does not.

use std::sync::Arc;

use baton_agents::clock::HandClock;
use baton_agents::model::client_for;
use baton_agents::model::secret::GivenKeys;
use baton_agents::rules::dates;
use baton_agents::search::Query;
use baton_agents::search::web::{Answer, Consent, Finder, Kind, ProviderCard, Web, WebFault, WebFaultKind};
use baton_testkit::http_server::{HttpServer, Request, Response};

const KEY: &str = "sk-very-secret-0123456789";

fn fixture(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/providers/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).unwrap()
}

pub fn provider(kind: Kind, server: &HttpServer) -> Web {
    let base = if kind == Kind::Feed { server.url("/feed") } else { server.url("") };
    let key_env = kind.needs_key().then(|| "KEY".to_owned());
    let card = ProviderCard { key_env, ..ProviderCard::new(kind, &base) };
    let keys = GivenKeys::default().with("KEY", KEY);
    let clock = HandClock::new();
    let consent = Consent::given_by("a test");
    Web::new(card, client_for(true).unwrap(), Arc::new(keys), Arc::new(clock), &consent)
}

pub fn query(text: &str) -> Query {
    Query::new(text, 10)
}

pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Asks a provider whose server gives one answer; also what the server was asked.
fn ask(kind: Kind, response: Response, query: &Query) -> (Result<Answer, WebFault>, Vec<Request>) {
    let server = HttpServer::start(move |_| response.clone()).unwrap();
    let answer = block_on(provider(kind, &server).find(query));
    (answer, server.requests())
}

/// Hits as lines: rank, date, title, address, snippet.
fn shown(kind: Kind, file: &str, text: &str) -> String {
    let (answer, _) = ask(kind, Response::ok("application/json", fixture(file)), &query(text));
    let answer = answer.unwrap();
    let line = |found: &baton_agents::search::web::Found| {
        let hit = &found.hit;
        let date = hit.date.as_deref().unwrap_or("undated");
        format!("{} {date} {} | {} | {}", hit.rank, hit.title, hit.location, hit.snippet)
    };
    answer.found.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_provider_reads_its_documented_answer() {
    let cases = [
        (
            Kind::Wikipedia,
            "wikipedia.json",
            "1 2025-06-02 Transformer (deep learning) | https://en.wikipedia.org/wiki/Transformer_(deep_learning) | In deep learning, transformer is an architecture based on the multi-head attention mechanism.\n\
             2 2025-05-30 Attention Is All You Need | https://en.wikipedia.org/wiki/Attention_Is_All_You_Need | \"Attention Is All You Need\" is a 2017 landmark research paper in machine learning.",
        ),
        (
            Kind::Wikipedia,
            "mediawiki.json",
            "1 2026-11-16 Annual report 2025 of Harlund Heat | http://harlund.example/w/index.php/Annual_report_2025_of_Harlund_Heat | \n\
             2 2026-11-16 Audit Office Of The City Of Harlund | http://harlund.example/w/index.php/Audit_Office_Of_The_City_Of_Harlund | AUDIT OFFICE OF THE CITY OF HARLUND Letter to the city council",
        ),
        (
            Kind::Arxiv,
            "arxiv.xml",
            "1 2017-06-12 Attention Is All You Need | http://arxiv.org/abs/1706.03762v7 | The dominant sequence transduction models are based on complex recurrent or convolutional neural networks in an encoder-decoder configuration, with p < 0.05.\n\
             2 2003-07-07 Multi-Electron Production at High Transverse Momenta in ep Collisions at HERA | http://arxiv.org/abs/hep-ex/0307015v1 | Multi-electron production is studied at high electron transverse momentum.",
        ),
        (
            Kind::Openalex,
            "openalex.json",
            "1 2017-06-12 Attention Is All You Need | https://doi.org/10.48550/arxiv.1706.03762 | The dominant sequence models are and models\n\
             2 undated openalex.org | https://openalex.org/W100 | ",
        ),
        (
            Kind::Crossref,
            "crossref.json",
            "1 2017-06 Attention Is All You Need | https://doi.org/10.48550/arxiv.1706.03762 | Abstract The dominant sequence transduction models & more.\n\
             2 undated The DOI Handbook | https://doi.org/10.1000/182 | \n\
             3 1999 doi.org | https://doi.org/10.5555/no-title | ",
        ),
        (
            Kind::Searxng,
            "searxng.json",
            "1 2024-03-01 Transformers explained | https://www.example.org/transformer?utm_source=feed | A transformer weighs every word against every other.\n\
             2 undated Another | https://example.net/a | ",
        ),
        (
            Kind::Searxng,
            "searx.json",
            "1 undated Briefing on refrigerants for the heat-pump network | http://harlund.example/refrigerants-briefing.html | …what they are and why Harlund uses ammonia Briefing for members of the city council, answering question 2024/77 of 5 September 2024. The problem A heat pump needs a refrigerant that boils at a low temperature. Many of the…\n\
             2 undated River heat for the harbour: Quayside plant opened - Venna Courier | http://harlund.example/news-quayside-opening.html | …Ammonia instead of synthetic gases As at Northgate, the refrigerant is ammonia. Tomas Rind, managing director of Harlund Heat, said that the company had decided against synthetic refrigerants because of their effect on the climate and because of the stricter…",
        ),
        (
            Kind::Brave,
            "brave.json",
            "1 2024-11-05 What is a transformer? | https://example.com/what | A transformer is a network that \"attends\".\n\
             2 undated No age | https://example.com/no-age | Undated.",
        ),
        (
            Kind::Tavily,
            "tavily.json",
            "1 2024-11-05 Transformers in the news | https://news.example.com/t | Transformers are used widely.",
        ),
    ];
    for (kind, file, expected) in cases {
        assert_eq!(shown(kind, file, "transformer attention"), expected, "{file}");
    }
}

/// Engines over databases return rows; they fill no place that a page could have.
#[test]
fn rows_without_an_address_are_named_as_left_out() {
    let (answer, _) = ask(
        Kind::Searxng,
        Response::ok("application/json", fixture("searx.json")),
        &Query::new("ammonia refrigerant", 3),
    );
    let answer = answer.unwrap();
    assert_eq!(answer.found.len(), 2);
    assert_eq!(
        (answer.left_out[0].what.as_str(), answer.left_out[0].why.as_str()),
        ("Annual report 2025 of Harlund Heat", "its address is none")
    );
}

/// Who starts a server of his own needs no minute for it, and a run does not wait for a server that is not there.
#[test]
fn a_server_that_is_not_there_is_left_alone_just_longer_than_a_run_waits() {
    let server = HttpServer::start(|_| Response::status(200)).unwrap();
    let web = provider(Kind::Searxng, &server);
    drop(server);
    let fault = block_on(web.find(&query("x"))).unwrap_err();
    assert_eq!((fault.kind, fault.pause().as_secs()), (WebFaultKind::Unreachable, 31), "{fault}");
}

#[test]
fn feeds_give_the_items_that_share_words_with_the_query() {
    assert_eq!(
        shown(Kind::Feed, "rss.xml", "Which harbours are deepened?"),
        "1 2025-06-03 Hamburg deepens its harbour | https://news.example.org/hamburg | The harbour of Hamburg is deepened & widened."
    );
    assert_eq!(
        shown(Kind::Feed, "atom.xml", "harbour"),
        "1 2025-01-04 A harbour in winter | https://blog.example.org/winter?x=1&y=2 | Ice in the harbour."
    );
    let (_, asked) = ask(Kind::Feed, Response::ok("text/xml", fixture("rss.xml")), &query("secret words"));
    assert_eq!((asked[0].path.as_str(), asked[0].query.as_str()), ("/feed", ""), "a feed hears no query");
}

/// What each provider is sent, wishes for dates and language included.
#[test]
fn wishes_for_dates_and_language_reach_those_who_know_them() {
    let wish = Query {
        since: dates::parse("2024-02"),
        until: dates::parse("2024-02"),
        language: Some("de".to_owned()),
        ..Query::new("solar power & wind", 5)
    };
    let sent = |kind| {
        let (_, asked) = ask(kind, Response::status(500), &wish);
        format!("{} {} {}", asked[0].path, asked[0].query, asked[0].body).replace("%3A", ":")
    };
    let cases = [
        (Kind::Wikipedia, vec!["/w/api.php", "gsrsearch=solar+power+%26+wind", "gsrwhat=text", "gsrlimit=5"]),
        (Kind::Arxiv, vec!["all:solar+AND+all:power+AND+all:wind", "202402010000+TO+202402292359"]),
        (
            Kind::Openalex,
            vec!["from_publication_date:2024-02-01", "to_publication_date:2024-02-29", "language:de"],
        ),
        (Kind::Crossref, vec!["from-pub-date:2024-02", "until-pub-date:2024-02", "rows=5"]),
        (Kind::Searxng, vec!["/search", "format=json", "language=de"]),
        (Kind::Brave, vec!["freshness=2024-02-01to2024-02-29", "search_lang=de", "count=5"]),
        (
            Kind::Tavily,
            vec!["\"start_date\":\"2024-02-01\"", "\"end_date\":\"2024-02-29\"", "\"max_results\":5"],
        ),
    ];
    for (kind, parts) in cases {
        let sent = sent(kind);
        for part in parts {
            assert!(sent.contains(part), "{kind:?} sent {sent}, without {part}");
        }
    }
}

#[test]
fn keys_travel_in_their_header_and_nowhere_else() {
    for (kind, header, value) in [
        (Kind::Brave, "x-subscription-token", KEY.to_owned()),
        (Kind::Tavily, "authorization", format!("Bearer {KEY}")),
    ] {
        // A server that echoes the key must not bring it into an error.
        let echo = Response::Whole {
            status: 401,
            headers: vec![],
            body: format!("<p>bad key {KEY}</p>").into_bytes(),
        };
        let (answer, asked) = ask(kind, echo, &query("x"));
        let fault = answer.unwrap_err();
        assert_eq!(fault.kind, WebFaultKind::Unauthorized);
        assert!(fault.to_string().contains("it answered 401: bad key [key]"), "{fault}");
        assert_eq!(asked[0].header(header), Some(value.as_str()));
        assert!(!asked[0].query.contains(KEY) && !asked[0].body.contains(KEY));
    }
    let server = HttpServer::start(|_| Response::status(200)).unwrap();
    let card =
        ProviderCard { key_env: Some("UNSET".to_owned()), ..ProviderCard::new(Kind::Brave, &server.url("")) };
    let web = Web::new(
        card,
        client_for(true).unwrap(),
        Arc::new(GivenKeys::default()),
        Arc::new(HandClock::new()),
        &Consent::given_by("a test"),
    );
    let fault = block_on(web.find(&query("x"))).unwrap_err();
    assert_eq!(
        (fault.kind, fault.detail.as_str()),
        (WebFaultKind::KeyMissing, "the variable UNSET is not set")
    );
    assert!(server.requests().is_empty(), "nothing is sent without the key");
}

#[test]
fn what_is_no_answer_is_told_as_such() {
    let page = Response::ok("text/html", "<!DOCTYPE html><html><body>Please log in</body></html>");
    for kind in Kind::NAMED {
        let (answer, _) = ask(kind, page.clone(), &query("x"));
        let fault = answer.unwrap_err();
        assert_eq!(fault.kind, WebFaultKind::Unreadable, "{kind:?}");
        let due = if kind == Kind::Arxiv { "where a feed was due" } else { "a page where JSON was due" };
        assert!(fault.detail.contains(due), "{kind:?}: {fault}");
    }
    let cases: [(Kind, Response, WebFaultKind, &str); 8] = [
        (Kind::Feed, page, WebFaultKind::Unreadable, "where a feed was due"),
        (
            Kind::Openalex,
            Response::ok("application/json", ""),
            WebFaultKind::Unreadable,
            "its answer is empty",
        ),
        (
            Kind::Crossref,
            Response::ok("application/json", "{\"status\":\"ok\"}"),
            WebFaultKind::Unreadable,
            "missing field `message`",
        ),
        (
            Kind::Arxiv,
            Response::ok("x", fixture("arxiv-error.xml")),
            WebFaultKind::Unreadable,
            "incorrect id format for 1234.12345",
        ),
        (
            Kind::Wikipedia,
            Response::ok("x", r#"{"error":{"code":"maxlag","info":"Waiting"}}"#),
            WebFaultKind::Unreadable,
            "it reported maxlag: Waiting",
        ),
        (
            Kind::Searxng,
            Response::ok("x", r#"{"results":[],"unresponsive_engines":[["google","timeout"]]}"#),
            WebFaultKind::Unreadable,
            "none of its engines answered: google timeout",
        ),
        (
            Kind::Searxng,
            Response::status(302).with("Location", "http://127.0.0.1:1/"),
            WebFaultKind::Rejected,
            "it answered 302",
        ),
        (Kind::Openalex, Response::ok("x", vec![b' '; 9 << 20]), WebFaultKind::Unreadable, "longer than"),
    ];
    for (kind, response, expected, words) in cases {
        let (answer, _) = ask(kind, response, &query("x"));
        let fault = answer.unwrap_err();
        assert_eq!(fault.kind, expected, "{kind:?}: {fault}");
        assert!(fault.detail.contains(words), "{kind:?}: {fault}");
    }
}

/// A server may write the key it was given into its results; `\u0073` is an `s`.
#[test]
fn a_key_in_results_is_taken_out() {
    let page = format!(
        r#"{{"url": "https://a.example/?k={KEY}", "title": "by \u0073{rest}", "content": "{KEY}", "published_date": "{KEY}"}}"#,
        rest = &KEY[1..]
    );
    let body = format!(r#"{{"results": [{page}, {{"url": "file:///{KEY}", "title": "{KEY}"}}]}}"#);
    let (answer, asked) = ask(Kind::Tavily, Response::ok("application/json", body), &query("x"));
    let seen = serde_json::to_string(&answer.unwrap()).unwrap();
    assert!(asked[0].header("authorization").unwrap().contains(KEY), "the key did travel");
    assert!(seen.contains("https://a.example/?k=[key]") && seen.contains("by [key]"), "{seen}");
    assert!(!seen.contains("very-secret"), "{seen}");
    let shapeless = format!(r#"{{"results": "{KEY}"}}"#);
    let (answer, _) = ask(Kind::Tavily, Response::ok("application/json", shapeless), &query("x"));
    let fault = answer.unwrap_err();
    assert!(fault.kind == WebFaultKind::Unreadable && !fault.to_string().contains("very-secret"), "{fault}");
}

#[test]
fn a_pause_that_is_asked_for_is_heard() {
    let (answer, _) = ask(Kind::Crossref, Response::status(429).with("Retry-After", "7"), &query("x"));
    let fault = answer.unwrap_err();
    assert_eq!((fault.kind, fault.pause().as_secs()), (WebFaultKind::RateLimited, 7));
    let (answer, _) = ask(Kind::Crossref, Response::status(429), &query("x"));
    assert_eq!(answer.unwrap_err().pause().as_secs(), 300, "five minutes when nobody says");
}

#[test]
fn ten_thousand_results_are_cut_and_counted() {
    let result = |n: usize| format!(r#"{{"url":"https://example.org/{n}","title":"T{n}","content":"C"}}"#);
    let body = format!(r#"{{"results":[{}]}}"#, (0..10_000).map(result).collect::<Vec<_>>().join(","));
    let (answer, _) = ask(Kind::Searxng, Response::ok("application/json", body), &query("x"));
    let answer = answer.unwrap();
    assert_eq!(answer.found.len(), 10);
    assert_eq!(answer.left_out[0].what, "9990 more results");
}

#[test]
fn wrong_dates_and_addresses_do_no_harm() {
    let results = [
        r#"{"url":"https://user:hunter2@example.org/","title":"Credentials"}"#,
        r#"{"url":"javascript:alert(1)","title":"Script"}"#,
        r#"{"url":"file:///etc/passwd","title":"File"}"#,
        r#"{"url":"not an address","title":"Nonsense"}"#,
        r#"{"url":"https://example.org/a","title":"A \u001b[31mred\u001b[0m title","content":"<script>x</script> &lt;b&gt;","publishedDate":"2024-02-31T00:00:00"}"#,
        r#"{"url":"https://example.org/b","title":"B","publishedDate":"0000-00-00"}"#,
        r#"{"url":"https://example.org/c","title":"C","publishedDate":"yesterday"}"#,
        r#"{"url":"https://example.org/d#part","title":"D","publishedDate":"2024-02-29"}"#,
    ];
    let body = format!(r#"{{"results":[{}]}}"#, results.join(","));
    let (answer, _) = ask(Kind::Searxng, Response::ok("application/json", body), &query("x"));
    let answer = answer.unwrap();
    let reasons: Vec<&str> = answer.left_out.iter().map(|left| left.why.as_str()).collect();
    assert_eq!(
        reasons,
        [
            "its address holds a name or password",
            "javascript addresses are not fetched",
            "file addresses are not fetched",
            "its address is none"
        ]
    );
    assert!(!format!("{answer:?}").contains("hunter2"));
    let hits: Vec<_> = answer.found.iter().map(|f| (f.hit.title.as_str(), f.hit.date.as_deref())).collect();
    assert_eq!(hits, [("A [31mred [0m title", None), ("B", None), ("C", None), ("D", Some("2024-02-29"))]);
    assert_eq!(answer.found[0].hit.snippet, "x <b>");
    assert_eq!(answer.found[3].hit.location.to_string(), "https://example.org/d");
}

#[test]
fn a_silent_provider_costs_its_limit_and_no_more() {
    let server = HttpServer::start(|_| Response::Silence).unwrap();
    let clock = HandClock::new();
    let card = ProviderCard::new(Kind::Searxng, &server.url(""));
    let web = Web::new(
        card,
        client_for(true).unwrap(),
        Arc::new(GivenKeys::default()),
        Arc::new(clock.clone()),
        &Consent::given_by("a test"),
    );
    let wish = query("x");
    let (answer, ()) = block_on(async {
        tokio::join!(web.find(&wish), async {
            clock.until_sleeping(1).await;
            clock.advance(std::time::Duration::from_secs(20));
        })
    });
    assert_eq!(answer.unwrap_err().to_string(), "searxng could not be searched: no answer within 20 s");
}
