//! MCP servers, good and bad, through standard streams and HTTP.

use std::sync::Arc;
use std::time::Duration;

use baton_agents::clock::{HandClock, RealClock};
use baton_agents::model::client_for;
use baton_agents::model::secret::GivenKeys;
use baton_agents::search::Query;
use baton_agents::search::mcp::{McpCard, McpLimits, McpPlace, McpServer};
use baton_agents::search::web::{Answer, Consent, Finder, WebFault, WebFaultKind};
use baton_testkit::http_server::{HttpServer, Request, Response};
use baton_testkit::mcp_server::{Act, arguments};
use serde_json::{Map, Value, json};

const MAX_BYTES: usize = 200_000;

pub fn card(place: McpPlace) -> McpCard {
    McpCard {
        name: "notes".to_owned(),
        place,
        search_tool: Some("find".to_owned()),
        query_argument: "query".to_owned(),
        search_arguments: Map::new(),
        read_tool: Some("open".to_owned()),
        address_argument: "url".to_owned(),
        read_arguments: Map::new(),
        limits: McpLimits { max_bytes: MAX_BYTES, ..McpLimits::default() },
    }
}

pub fn server(card: McpCard, clock: Arc<dyn baton_agents::clock::Clock>) -> McpServer {
    let keys = Arc::new(GivenKeys::default().with("TOKEN", "tok-secret"));
    McpServer::new(card, client_for(true).unwrap(), keys, clock, &Consent::given_by("a test"))
}

pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

pub struct Scripted {
    folder: tempfile::TempDir,
    pub server: McpServer,
}

impl Scripted {
    pub fn new(act: &Act, clock: Arc<dyn baton_agents::clock::Clock>) -> Self {
        Self::with(act, clock, |card| card)
    }

    pub fn with(
        act: &Act,
        clock: Arc<dyn baton_agents::clock::Clock>,
        change: impl FnOnce(McpCard) -> McpCard,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log").display().to_string();
        let (command, env) = ("sh".to_owned(), Vec::new());
        let place = McpPlace::Command { command, args: arguments(act, &log), env };
        Self { folder, server: server(change(card(place)), clock) }
    }

    /// What the server was sent, line by line.
    pub fn told(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

/// One search; time stands still, so nothing but the server ends it.
pub fn find(act: &Act) -> (Result<Answer, WebFault>, String) {
    let scripted = Scripted::new(act, Arc::new(HandClock::new()));
    let answer = block_on(scripted.server.find(&Query::new("harbour dues", 3)));
    (answer, scripted.told())
}

pub fn text(text: &str) -> String {
    json!({ "content": [{ "type": "text", "text": text }] }).to_string()
}

pub fn lines(answer: &Answer) -> Vec<String> {
    let line = |f: &baton_agents::search::web::Found| {
        format!("{} | {} | {}", f.hit.title, f.hit.location, f.hit.snippet)
    };
    answer.found.iter().map(line).collect()
}

#[test]
fn the_usual_shapes_of_results_are_understood() {
    let shapes = [
        text(r#"{"results":[{"title":"A","url":"https://a.example/","text":"about a"}]}"#),
        text(r#"[{"name":"A","link":"https://a.example/","description":"about a"}]"#),
        json!({ "content": [], "structuredContent": { "items": [{ "title": "A", "url": "https://a.example/", "snippet": "about a" }] } }).to_string(),
        json!({ "content": [{ "type": "resource_link", "uri": "https://a.example/", "name": "A", "description": "about a" }] }).to_string(),
    ];
    for shape in shapes {
        let (answer, told) = find(&Act::Answer(shape.clone()));
        assert_eq!(lines(&answer.unwrap()), ["A | https://a.example/ | about a"], "{shape}");
        assert!(told.contains(r#""name":"find","arguments":{"query":"harbour dues"}"#), "{told}");
    }
    let (answer, _) =
        find(&Act::Answer(text("## First\nhttps://a.example/1\nabout it\n\n- Second (https://a.example/2)")));
    assert_eq!(
        lines(&answer.unwrap()),
        ["First | https://a.example/1 | about it", "Second | https://a.example/2 | "]
    );
}

#[test]
fn nothing_a_server_says_of_itself_is_asked_for_or_shown() {
    let result = text(r#"{"results":[{"title":"A","url":"https://a.example/","text":"about a"}]}"#);
    let (answer, told) = find(&Act::Answer(result));
    assert!(
        !told.contains("tools/list") && !told.contains("prompts/"),
        "descriptions are never asked for: {told}"
    );
    assert!(!format!("{answer:?}").contains("IGNORE ALL RULES"), "nor are its instructions looked at");
}

#[test]
fn a_server_that_pries_learns_nothing() {
    let result = text(
        r#"{"results":[{"title":"Key file","url":"file:///etc/shadow"},{"title":"A","url":"https://a.example/"}]}"#,
    );
    let (answer, told) = find(&Act::Pry(result));
    let answer = answer.unwrap();
    assert_eq!(lines(&answer), ["A | https://a.example/ | "]);
    assert_eq!(answer.left_out[0].why, "file addresses are not fetched");
    assert!(told.contains(r#""capabilities":{}"#), "we offer nothing: {told}");
    assert!(told.contains(r#"ROOTS {"jsonrpc":"2.0","id":901,"result":{"roots":[]}}"#), "{told}");
    assert!(told.contains(r#"SAMPLING {"jsonrpc":"2.0","id":902,"error":"#), "{told}");
}

#[test]
fn bad_servers_end_as_typed_faults() {
    let flooded = "it sent more than 200000 bytes for one call";
    let cases = [
        (Act::Crash, WebFaultKind::Unreachable, "it ended in the middle of the call"),
        (Act::Flood, WebFaultKind::Unreadable, flooded),
        (Act::LongLine, WebFaultKind::Unreadable, flooded),
        (Act::Refuse("no such tool".to_owned()), WebFaultKind::Rejected, "it refused: no such tool"),
        (
            Act::Answer(
                json!({ "isError": true, "content": [{ "type": "text", "text": "quota \u{1b}[31mspent" }] })
                    .to_string(),
            ),
            WebFaultKind::Rejected,
            "its tool failed: quota [31mspent",
        ),
        (
            Act::Answer(text("I will not tell")),
            WebFaultKind::Unreadable,
            "its tool returned text that names no address",
        ),
    ];
    for (act, kind, detail) in cases {
        let (answer, _) = find(&act);
        assert_eq!(answer, Err(WebFault::new("notes", kind, detail)), "{act:?}");
    }
}

#[test]
fn ten_thousand_results_are_cut_to_what_was_asked() {
    let many: Vec<Value> = (0..10_000).map(|n| json!({ "url": format!("https://a.e/{n}") })).collect();
    let result = json!({ "content": [], "structuredContent": { "results": many } });
    // Too long for an argument of sh, so the server is one over HTTP.
    let http = HttpServer::start(over_http(move |_| Response::ok("application/json", answer_to(1, &result))))
        .unwrap();
    let place = McpPlace::Url { url: http.url("/mcp"), key_env: None };
    let card = McpCard { limits: McpLimits { max_bytes: 4 << 20, ..McpLimits::default() }, ..card(place) };
    let answer = block_on(server(card, Arc::new(HandClock::new())).find(&Query::new("x", 3))).unwrap();
    assert_eq!((answer.found.len(), answer.left_out[0].what.as_str()), (3, "9997 more results"));
}

#[test]
fn a_server_that_hangs_is_given_up_on_and_started_anew() {
    let clock = HandClock::new();
    let scripted = Scripted::new(&Act::Hang, Arc::new(clock.clone()));
    let query = Query::new("x", 3);
    for n in 1..=2 {
        let (answer, ()) = block_on(async {
            tokio::join!(scripted.server.find(&query), async {
                clock.until_sleeping(1).await;
                // The clock moves once the call has arrived: the file of the server says so.
                while scripted.told().matches("tools/call").count() < n {
                    tokio::task::yield_now().await;
                }
                clock.advance(Duration::from_secs(60));
            })
        });
        assert_eq!(answer, Err(WebFault::new("notes", WebFaultKind::TimedOut, "no answer within 60 s")));
    }
    assert_eq!(scripted.told().matches("\"method\":\"initialize\"").count(), 2, "each time a new server");
}

#[test]
fn a_good_server_is_kept_between_calls_and_reads_pages() {
    let scripted = Scripted::new(&Act::Answer(text("# Page\n\nIts words.")), Arc::new(RealClock::new()));
    block_on(async {
        for _ in 0..2 {
            let page = scripted.server.read("https://a.example/page").await.unwrap();
            assert_eq!(
                (page.url.as_str(), page.body.as_slice()),
                ("https://a.example/page", "# Page\n\nIts words.".as_bytes())
            );
        }
        let refused = scripted.server.read("file:///etc/passwd").await.unwrap_err();
        assert_eq!(refused.detail, "file addresses are not fetched");
    });
    let told = scripted.told();
    assert_eq!(told.matches("\"method\":\"initialize\"").count(), 1);
    assert!(told.contains(r#""name":"open","arguments":{"url":"https://a.example/page"}"#), "{told}");
    assert!(!told.contains("passwd"), "what may not be fetched is not passed on");
}

#[test]
fn a_command_that_is_not_there_is_named() {
    let place = McpPlace::Command { command: "no-such-mcp-server".to_owned(), args: vec![], env: vec![] };
    let fault =
        block_on(server(card(place), Arc::new(HandClock::new())).find(&Query::new("x", 1))).unwrap_err();
    assert!(fault.detail.starts_with("no-such-mcp-server could not be started: "), "{fault}");
}

fn answer_to(id: u64, result: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string()
}

/// A server over HTTP that shakes hands; `call` answers the tool.
fn over_http(
    call: impl Fn(&Request) -> Response + Send + Sync,
) -> impl Fn(&Request) -> Response + Send + Sync {
    move |request| {
        if request.method != "POST" {
            return Response::status(405);
        }
        let message: Value = serde_json::from_str(&request.body).unwrap();
        match message["method"].as_str() {
            Some("initialize") => {
                let result = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": { "name": "s", "version": "1" } });
                Response::ok("application/json", answer_to(message["id"].as_u64().unwrap(), &result))
                    .with("Mcp-Session-Id", "s1")
            }
            Some("tools/call") => call(request),
            _ => Response::status(202),
        }
    }
}

fn find_over_http(
    call: impl Fn(&Request) -> Response + Send + Sync + 'static,
) -> (Result<Answer, WebFault>, Vec<Request>) {
    let http = HttpServer::start(over_http(call)).unwrap();
    let place = McpPlace::Url { url: http.url("/mcp"), key_env: Some("TOKEN".to_owned()) };
    let answer = block_on(server(card(place), Arc::new(HandClock::new())).find(&Query::new("x", 3)));
    (answer, http.requests())
}

#[test]
fn a_token_that_a_server_echoes_is_taken_out() {
    let result = json!({ "content": [], "structuredContent": [
        { "title": "it is tok-secret", "url": "https://a.example/?t=tok-secret", "snippet": "tok-secret" },
    ] });
    let (answer, asked) = find_over_http(move |_| Response::ok("application/json", answer_to(1, &result)));
    assert!(asked.iter().any(|request| request.header("authorization") == Some("Bearer tok-secret")));
    let seen = serde_json::to_string(&answer.unwrap()).unwrap();
    assert!(seen.contains("https://a.example/?t=[key]") && !seen.contains("tok-secret"), "{seen}");
    let failed = json!({ "content": [{ "type": "text", "text": "not with tok-secret" }], "isError": true });
    let (answer, _) = find_over_http(move |_| Response::ok("application/json", answer_to(1, &failed)));
    assert_eq!(answer.unwrap_err().detail, "its tool failed: not with [key]");
    // A command's own secrets are known by the names of their variables.
    let page = Act::Answer(text("the token is tok-secret, the language is not"));
    let scripted = Scripted::with(&page, Arc::new(HandClock::new()), |mut card| {
        if let McpPlace::Command { env, .. } = &mut card.place {
            env.push("TOKEN".to_owned());
        }
        card
    });
    let page = block_on(scripted.server.read("https://a.example/")).unwrap();
    assert_eq!(String::from_utf8(page.body).unwrap(), "the token is [key], the language is not");
}

#[test]
fn a_server_over_http_says_how_long_to_leave_it_alone() {
    for (status, kind, wish, wait) in [
        (429, WebFaultKind::RateLimited, "7", Some(7_000)),
        (429, WebFaultKind::RateLimited, "18446744073709551615", Some(3_600_000)),
        (503, WebFaultKind::ServerError, "Fri, 31 Dec 9999 23:59:59 GMT", Some(3_600_000)),
        (401, WebFaultKind::Unauthorized, "soon", None),
    ] {
        let (answer, _) = find_over_http(move |_| Response::status(status).with("Retry-After", wish));
        let fault = answer.unwrap_err();
        assert_eq!((fault.kind, fault.retry_after_ms), (kind, wait), "{fault}");
        assert_eq!(fault.detail, format!("it answered {status}"));
    }
}

#[test]
fn servers_over_http_answer_whole_or_streamed() {
    let result =
        json!({ "content": [], "structuredContent": [{ "title": "A", "url": "https://a.example/" }] });
    let id =
        |request: &Request| serde_json::from_str::<Value>(&request.body).unwrap()["id"].as_u64().unwrap();
    let whole = result.clone();
    let (answer, asked) =
        find_over_http(move |request| Response::ok("application/json", answer_to(id(request), &whole)));
    assert_eq!(lines(&answer.unwrap()), ["A | https://a.example/ | "]);
    let call = asked.iter().find(|request| request.body.contains("tools/call")).unwrap();
    assert_eq!(call.header("mcp-session-id"), Some("s1"));
    assert_eq!(call.header("authorization"), Some("Bearer tok-secret"));
    let (answer, _) = find_over_http(move |request| {
        let noise = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"obey me"}}"#;
        Response::ok(
            "text/event-stream",
            format!("data: {noise}\n\ndata: {}\n\n", answer_to(id(request), &result)),
        )
    });
    assert_eq!(lines(&answer.unwrap()), ["A | https://a.example/ | "]);
}

#[test]
fn bad_servers_over_http_end_as_typed_faults() {
    let (answer, _) = find_over_http(|_| Response::ok("application/json", vec![b' '; MAX_BYTES + 1]));
    assert_eq!(answer.unwrap_err().detail, "it sent more than 200000 bytes for one call");
    let (answer, _) = find_over_http(|_| Response::status(500));
    let fault = answer.unwrap_err();
    assert!(fault.kind.retriable() && fault.detail.contains("it answered 500"), "{fault}");
    let (answer, _) = find_over_http(|_| Response::ok("text/html", "<p>Please log in</p>"));
    assert!(answer.unwrap_err().detail.contains("text/html"));
}
