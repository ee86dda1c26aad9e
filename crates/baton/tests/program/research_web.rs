//! `research` beyond this machine: a scripted metasearch server over the example corpus, MCP servers that misbehave,
//! kills in the middle, and what is told of what failed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use baton_testkit::http_server::{HttpServer, Request, Response};
use baton_testkit::mcp_server;
use serde_json::{Value, json};

use crate::research::{HEADLINE, corpus};
use crate::support::{Home, Output};
use crate::terminal::Screen;

/// The page that a hung site does not send.
const HELD: &str = "/annual-report-2025.md";

/// A site with the documents of the corpus and a search over them, in the shapes of SearXNG.
struct Town {
    server: HttpServer,
    /// While set, one page is never sent...
    holds: Arc<AtomicBool>,
    /// ...and whoever asks for it is told of here.
    held: Receiver<()>,
}

impl Town {
    fn start() -> Self {
        let pages = pages();
        let holds = Arc::new(AtomicBool::new(false));
        let (is_held, (tell, held)) = (Arc::clone(&holds), channel());
        let tell = Mutex::new(tell);
        let server = HttpServer::start(move |request| {
            if request.path == HELD && is_held.load(Ordering::SeqCst) {
                tell.lock().expect("alone").send(()).expect("a listener");
                return Response::Silence;
            }
            answer(request, &pages)
        });
        Self { server: server.expect("a server"), holds, held }
    }

    /// A home whose own configuration names the town, and more.
    fn home(&self, more: &str) -> Home {
        let home = Home::new();
        let folder = home.desk().parent().expect("a folder").join(".config/baton");
        std::fs::create_dir_all(&folder).expect("a folder");
        let town = format!(
            "[search.town]\nprovider = \"searxng\"\nbase_url = \"{}\"\nper_minute = 60000\n{more}",
            self.server.url("")
        );
        std::fs::write(folder.join("baton.toml"), town).expect("written");
        home
    }

    fn words<'a>(&self, host: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let words = ["research", HEADLINE, "--allow-private", host, "--yes"];
        [&words, more].concat()
    }

    fn research(&self, home: &Home, more: &[&str]) -> Output {
        home.baton(&self.words(&self.server.host(), more))
    }

    /// How often each page was asked for.
    fn fetched(&self) -> BTreeMap<String, usize> {
        let mut fetched = BTreeMap::new();
        for request in self.server.requests() {
            if !request.path.ends_with("/search") && request.path != "/robots.txt" {
                *fetched.entry(request.path).or_default() += 1;
            }
        }
        fetched
    }
}

/// The documents of the corpus that are plain text, by their paths on the site.
pub fn pages() -> BTreeMap<String, String> {
    let folder = std::fs::read_dir(corpus()).expect("the corpus");
    let text = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("an entry").path();
        let name = path.file_name()?.to_string_lossy().into_owned();
        let is_text = name.ends_with(".md") || name.ends_with(".txt");
        is_text.then(|| (format!("/{name}"), std::fs::read_to_string(path).expect("text")))
    };
    folder.filter_map(text).collect()
}

pub fn answer(request: &Request, pages: &BTreeMap<String, String>) -> Response {
    match request.path.as_str() {
        "/search" | "/beta/search" | "/gamma/search" => found(request, pages),
        "/busy/search" => Response::status(429).with("Retry-After", "900"),
        "/page/search" => Response::ok("text/html", "<html>Please sign in</html>"),
        path => match pages.get(path) {
            Some(text) => Response::ok("text/markdown; charset=utf-8", text.as_str()),
            None => Response::status(404),
        },
    }
}

/// The pages that hold at least half of the words asked for. Each provider gives their addresses in its own way.
fn found(request: &Request, pages: &BTreeMap<String, String>) -> Response {
    let ending = match request.path.as_str() {
        "/beta/search" => "?utm_source=beta",
        "/gamma/search" => "#top",
        _ => "",
    };
    let query = request.query.split('&').find_map(|pair| pair.strip_prefix("q=")).unwrap_or_default();
    let words: Vec<String> = query.to_lowercase().split('+').map(str::to_owned).collect();
    let count = |text: &str| words.iter().filter(|word| text.to_lowercase().contains(*word)).count();
    let mut hits: Vec<(&String, usize)> = pages.iter().map(|(path, text)| (path, count(text))).collect();
    hits.retain(|(_, count)| *count * 2 >= words.len());
    hits.sort_by_key(|(path, count)| (std::cmp::Reverse(*count), (*path).clone()));
    let host = request.header("host").unwrap_or_default();
    let results: Vec<Value> = hits
        .iter()
        .take(8)
        .map(|(path, _)| json!({"url": format!("http://{host}{path}{ending}"), "title": path}))
        .collect();
    Response::ok("application/json", json!({ "results": results }).to_string())
}

fn memory(home: &Home) -> Value {
    home.baton(&["show", "last", "--memory", "--json"]).json()["memory"].clone()
}

fn report(home: &Home) -> String {
    let run = home.runs().pop().expect("a run");
    std::fs::read_to_string(home.path().join("runs").join(run).join("report.md")).expect("a report")
}

#[test]
fn a_report_over_the_web_cites_pages_and_verifies_offline() {
    let town = Town::start();
    let home = town.home("");
    let said = town.research(&home, &["--sources", "town", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let told = said.json();
    assert!(told["citations"].as_u64() >= Some(5), "{told}");
    assert_eq!(told["citations"], told["citations_verified"]);
    for card in memory(&home)["sources"].as_object().expect("sources").values() {
        let address = card["source"]["location"]["url"].as_str().expect("an address");
        assert_eq!(card["references"], json!([{"provider": "town", "address": address}]));
    }
    let twice: Vec<_> = town.fetched().into_iter().filter(|(_, times)| *times != 1).collect();
    assert_eq!(twice, [], "no page is fetched twice in a run");
    let report = report(&home);
    assert!(report.contains("found by town") && report.contains(&town.server.url("/")), "{report}");
    // What was fetched is archived: nobody needs to be asked again.
    drop(town);
    assert_eq!(home.baton(&["verify", "last"]).code, Some(0));
}

#[test]
fn a_run_killed_while_it_fetches_goes_on_and_fetches_no_page_twice() {
    let town = Town::start();
    let home = town.home("");
    town.holds.store(true, Ordering::SeqCst);
    let host = town.server.host();
    let running = home.spawn(&town.words(&host, &["--sources", "town"]));
    town.held.recv_timeout(Duration::from_secs(120)).expect("the held page is asked for");
    running.kill();
    let before = town.fetched();
    town.holds.store(false, Ordering::SeqCst);
    let said = home.baton(&["resume", "last"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let mut fetched = town.fetched();
    assert_eq!(fetched.remove(HELD), Some(2), "it was never sent, so it is asked for again");
    let twice: Vec<_> = fetched.iter().filter(|(_, times)| **times != 1).collect();
    assert!(twice.is_empty(), "{twice:?} (before the kill: {before:?})");
    assert_eq!(home.baton(&["verify", "last"]).code, Some(0));
}

#[test]
fn one_document_under_three_addresses_is_one_source_with_three_references() {
    let town = Town::start();
    let url = town.server.url("");
    let section = |name: &str, path: &str| {
        format!("[search.{name}]\nprovider = \"searxng\"\nbase_url = \"{url}{path}\"\nper_minute = 60000\n")
    };
    // Two more providers that know the same pages under other addresses.
    let home = town.home(&(section("beta", "/beta") + &section("gamma", "/gamma")));
    let said = town.research(&home, &["--sources", "town,beta,gamma", "--depth", "quick", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let memory = memory(&home);
    for card in memory["sources"].as_object().expect("sources").values() {
        let names: Vec<&str> = card["references"]
            .as_array()
            .expect("references")
            .iter()
            .map(|it| it["provider"].as_str().expect("a name"))
            .collect();
        assert_eq!(names.len(), 3, "{card}");
        assert!(["beta", "gamma", "town"].iter().all(|name| names.contains(name)), "{names:?}");
    }
    assert!(town.fetched().values().all(|times| *times == 1));
    assert!(report(&home).contains("found by beta, gamma, town"));
}

#[test]
fn what_failed_stands_in_the_limits_and_nothing_but_failures_is_a_providers_trouble() {
    let town = Town::start();
    let url = town.server.url("");
    let more = format!(
        "[search.busy]\nprovider = \"searxng\"\nbase_url = \"{url}/busy\"\nper_minute = 60000\n\
         [search.wall]\nprovider = \"searxng\"\nbase_url = \"{url}/page\"\nper_minute = 60000\n"
    );
    let home = town.home(&more);
    let said = town.research(&home, &["--sources", "town,busy,wall"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let report = report(&home);
    let limits = report.split("## Limits").nth(1).expect("limits");
    assert!(limits.contains("busy answered none of"), "{limits}");
    assert!(
        limits.contains("wall answered none of") && limits.contains("a page where JSON was due"),
        "{limits}"
    );
    let asked = |path: &str| town.server.requests().iter().filter(|request| request.path == path).count();
    // Four tasks at once may be under way when the first answer comes.
    assert!(asked("/busy/search") <= 4 && asked("/page/search") <= 6, "left alone after that");
    let said = town.research(&home, &["--sources", "busy,wall"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.contains("every search failed") || said.out.contains("every search failed"), "{said:?}");
}

/// Servers that hang, flood, crash, pry and refuse, each named as a source beside one that works.
#[test]
fn misbehaving_mcp_servers_cost_their_own_answers_and_nothing_else() {
    let town = Town::start();
    let log = tempfile::NamedTempFile::new().expect("a file");
    let path = log.path().display().to_string();
    let result = |text: &str| json!({"content": [{"type": "text", "text": text}]}).to_string();
    let hit = json!([{"title": "Outside", "url": "file:///etc/passwd", "snippet": "root"}]).to_string();
    let acts = [
        ("hangs", mcp_server::Act::Hang),
        ("floods", mcp_server::Act::Flood),
        ("long", mcp_server::Act::LongLine),
        ("crashes", mcp_server::Act::Crash),
        ("pries", mcp_server::Act::Pry(result("[]"))),
        ("refuses", mcp_server::Act::Refuse("no".to_owned())),
        ("reaches", mcp_server::Act::Answer(result(&hit))),
    ];
    let mut more = String::new();
    for (name, act) in &acts {
        let args = toml_list(&mcp_server::arguments(act, &path));
        more.push_str(&format!(
            "[mcp.{name}]\ncommand = \"sh\"\nargs = {args}\nsearch_tool = \"find\"\ntimeout_seconds = 1\n\
             max_bytes = 100000\nper_minute = 60000\n"
        ));
    }
    let home = town.home(&more);
    let names = acts.map(|(name, _)| name).join(",");
    let said = town.research(&home, &["--sources", &format!("town,{names}"), "--depth", "quick"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let report = report(&home);
    let limits = report.split("## Limits").nth(1).expect("limits");
    for name in ["hangs", "floods", "long", "crashes", "refuses"] {
        assert!(limits.contains(&format!("{name} answered none of")), "{name}: {limits}");
    }
    assert!(limits.contains("Outside of reaches"), "{limits}");
    assert!(!report.contains("IGNORE ALL RULES"));
    let asked = std::fs::read_to_string(log.path()).expect("a log");
    assert!(!asked.contains("tools/list"), "what a server says of its tools is not asked for");
    let answers =
        |question: &str| asked.lines().filter(|line| line.starts_with(question)).collect::<Vec<_>>();
    let (roots, sampling) = (answers("ROOTS"), answers("SAMPLING"));
    assert!(!roots.is_empty() && roots.iter().all(|line| line.contains(r#""roots":[]"#)), "{roots:?}");
    assert!(!sampling.is_empty() && sampling.iter().all(|line| line.contains("error")), "{sampling:?}");
}

pub fn toml_list(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| serde_json::to_string(word).expect("text")).collect();
    format!("[{}]", quoted.join(", "))
}

#[test]
fn documents_and_the_web_together_need_a_word() {
    let town = Town::start();
    let home = town.home("");
    let docs = corpus();
    let refused = town.research(&home, &["--docs", &docs, "--sources", "town"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("Allow it with --send, or search the documents alone with --only-docs"));
    assert!(town.server.requests().is_empty(), "nothing was sent");
    let alone = town.research(&home, &["--docs", &docs, "--json"]);
    assert_eq!(alone.code, Some(0), "{alone:?}");
    assert!(town.server.requests().is_empty(), "documents mean local");
    let both = town.research(&home, &["--docs", &docs, "--sources", "town", "--send", "--json"]);
    assert_eq!(both.code, Some(0), "{both:?}");
    let providers = memory(&home)["brief"]["providers"].clone();
    assert_eq!(providers, json!(["local", "town"]));
}

#[test]
fn at_a_terminal_a_person_is_asked_whether_queries_may_leave() {
    let town = Town::start();
    let home = town.home("");
    let (docs, host) = (corpus(), town.server.host());
    let asked = "Queries may hold words of your documents. Send them to town for this run? (yes or no) > ";
    let words = town.words(&host, &["--docs", &docs, "--sources", "town", "--depth", "quick"]);
    for (answer, code) in [("no\n", 2), ("yes\n", 0)] {
        let mut screen = Screen::open(home.command(&words), 100);
        screen.until(asked);
        assert!(town.server.requests().is_empty(), "nothing was sent before");
        screen.key_in(answer);
        let (ended, seen) = screen.end();
        assert_eq!(ended, Some(code), "{seen}");
    }
    assert!(!town.server.requests().is_empty());
}

#[test]
fn a_place_can_be_tried_by_hand() {
    let town = Town::start();
    let url = town.server.url("");
    let home = town.home(&format!("[search.busy]\nprovider = \"searxng\"\nbase_url = \"{url}/busy\"\n"));
    let said = home.baton(&["search", "connected buildings", "--sources", "town,busy", "--limit", "2"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("busy did not answer “connected buildings”"), "{}", said.out);
    assert_eq!(said.out.matches(&url).count(), 2, "{}", said.out);
    assert!(town.fetched().is_empty(), "pages are listed, not read");
    // The flags for sources mean here what they mean to research.
    let blocked = ["search", "connected buildings", "--sources", "town", "--block-site", "127.0.0.1"];
    let blocked = home.baton(&blocked);
    assert!(blocked.code == Some(7) && blocked.out.ends_with("Nothing was found.\n"), "{blocked:?}");
    let wrong = home.baton(&["search", "connected", "--sources", "town", "--since", "yesterday"]);
    assert!(wrong.code == Some(2) && wrong.err.contains("--since yesterday is not a date"), "{wrong:?}");
    let nothing = home.baton(&["search", "unicorns", "--sources", "town"]);
    assert_eq!(nothing.code, Some(7), "{nothing:?}");
    // The pause the server asked for holds for the next command too.
    let tired = home.baton(&["search", "connected", "--sources", "busy"]);
    assert_eq!(tired.code, Some(3), "{tired:?}");
    assert!(tired.out.contains("busy was not asked “connected”: left alone for"), "{}", tired.out);
}

#[test]
fn a_refreshed_run_asks_whether_its_pages_changed() {
    let town = Town::start();
    let home = town.home("");
    let first = town.research(&home, &["--sources", "town", "--depth", "quick", "--json"]);
    assert_eq!(first.code, Some(0), "{first:?}");
    let host = town.server.host();
    let again = home.baton(&["research", "--refresh", "last", "--yes", "--json", "--allow-private", &host]);
    assert_eq!(again.code, Some(0), "{again:?}");
    let carried = memory(&home)["brief"]["carried"].clone();
    assert_eq!(carried["changes"], json!([]), "every page reads as it did");
    assert!(!carried["findings"].as_array().expect("findings").is_empty());
}

/// The calls of a program and its children that make a socket or connect one. A pair of connected ends inside the
/// process, which the runtime uses to hear of signals, reaches nobody.
#[cfg(target_os = "linux")]
fn sockets(home: &Home, words: &[&str]) -> Vec<String> {
    let trace = home.desk().join("trace.txt");
    let command = home.command(words);
    let mut strace = std::process::Command::new("strace");
    strace.args(["-f", "-qq", "-e", "trace=socket,connect,bind,sendto,sendmsg", "-o"]).arg(&trace);
    strace.arg(command.get_program()).args(command.get_args()).current_dir(home.desk()).env_clear();
    strace.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = strace.output().expect("strace is installed (./check installs it)");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(trace).expect("a trace");
    let calls = ["socket(", "connect(", "bind(", "sendto(", "sendmsg("];
    text.lines().filter(|line| calls.iter().any(|call| line.contains(call))).map(str::to_owned).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn research_in_documents_alone_opens_no_socket() {
    let town = Town::start();
    let home = town.home("");
    let docs = corpus();
    let host = town.server.host();
    let alone = sockets(&home, &town.words(&host, &["--docs", &docs, "--only-docs"]));
    assert_eq!(alone, Vec::<String>::new());
    let beyond = sockets(&home, &town.words(&host, &["--sources", "town", "--depth", "quick"]));
    assert!(beyond.iter().any(|call| call.contains("connect(")), "the same look sees what the web takes");
}
