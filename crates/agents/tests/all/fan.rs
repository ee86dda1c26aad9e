//! Many queries to many providers: paces, pauses, ends and merging, counted at the server.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use baton_agents::clock::{Clock, HandClock};
use baton_agents::config::{Layer, Overrides, build};
use baton_agents::evidence::source::Tier;
use baton_agents::model::client_for;
use baton_agents::model::secret::{GivenKeys, Keys};
use baton_agents::rules::dates;
use baton_agents::search::Query;
use baton_agents::search::assemble::assemble;
use baton_agents::search::fan::{End, Fan, Fanned};
use baton_agents::search::merge::SourceRules;
use baton_agents::search::web::{Consent, Finder, Kind, ProviderCard, Web};
use baton_testkit::http_server::{HttpServer, Response};
use tokio::sync::watch;

/// How long a provider may take; no wait for a turn is exactly this long, which tells the two apart.
const TIMEOUT: Duration = Duration::from_secs(17);

/// A simulated clock that can be moved to the next moment at which something happens, and only once nothing that
/// is under way could still happen before it.
#[derive(Clone)]
struct SimClock(Arc<watch::Sender<Sim>>);

#[derive(Default)]
struct Sim {
    now: Duration,
    next_id: usize,
    /// Deadlines of those who sleep, and whether they wait for an answer.
    sleepers: BTreeMap<usize, (Duration, bool)>,
    /// Requests that the server has decided to leave unanswered, less those given up on.
    silent: usize,
}

struct Sleeper<'a>(&'a SimClock, usize);

impl Drop for Sleeper<'_> {
    fn drop(&mut self) {
        self.0.0.send_modify(|sim| {
            let Some((deadline, is_timeout)) = sim.sleepers.remove(&self.1) else { return };
            if is_timeout && deadline <= sim.now {
                sim.silent -= 1;
            }
        });
    }
}

#[async_trait]
impl Clock for SimClock {
    fn now(&self) -> Duration {
        self.0.borrow().now
    }

    async fn sleep(&self, how_long: Duration) {
        let (mut id, mut deadline) = (0, Duration::ZERO);
        self.0.send_modify(|sim| {
            (id, deadline) = (sim.next_id, sim.now + how_long);
            sim.next_id += 1;
            sim.sleepers.insert(id, (deadline, how_long == TIMEOUT));
        });
        let _sleeper = Sleeper(self, id);
        let _ = self.0.subscribe().wait_for(|sim| sim.now >= deadline).await;
    }
}

impl SimClock {
    fn new() -> Self {
        Self(Arc::new(watch::Sender::new(Sim::default())))
    }

    /// Moves time along for ever. On one thread every unfinished provider sleeps whenever this is polled: for its
    /// turn, or for its answer; when all answers waited for are silent ones, only time can help.
    async fn run(&self) {
        loop {
            let stuck = |sim: &Sim| {
                let waiting = sim.sleepers.values().filter(|(_, is_timeout)| *is_timeout).count();
                let woken = sim.sleepers.values().any(|(deadline, _)| *deadline <= sim.now);
                !sim.sleepers.is_empty() && waiting == sim.silent && !woken
            };
            let _ = self.0.subscribe().wait_for(stuck).await;
            self.0.send_modify(|sim| {
                let next = sim.sleepers.values().map(|(deadline, _)| *deadline).min();
                sim.now = next.unwrap_or(sim.now);
            });
        }
    }
}

/// Whether the n-th call of a provider goes wrong, and how: seeded, about 30 of 100.
fn chance(seed: u64, provider: &str, call: usize) -> u64 {
    let text = format!("{seed} {provider} {call}");
    let mixed = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
}

type Calls = Arc<Mutex<BTreeMap<String, Vec<Duration>>>>;

/// A server of five metasearch engines, told apart by path. Notes when each call came.
fn faulty(seed: u64, clock: SimClock, calls: Calls) -> HttpServer {
    HttpServer::start(move |request| {
        let provider = request.path.split('/').nth(1).unwrap_or_default().to_owned();
        let call = {
            let mut calls = calls.lock().unwrap();
            let times = calls.entry(provider.clone()).or_default();
            times.push(clock.now());
            times.len()
        };
        match chance(seed, &provider, call) % 100 {
            0..10 => Response::status(429).with("Retry-After", "5"),
            10..20 => Response::status(429),
            20..30 => {
                clock.0.send_modify(|sim| sim.silent += 1);
                Response::Silence
            }
            _ => Response::ok(
                "application/json",
                format!(r#"{{"results":[{{"url":"https://example.org/{provider}/{call}","title":"T"}}]}}"#),
            ),
        }
    })
    .unwrap()
}

const PROVIDERS: [(&str, u32); 5] = [("one", 60), ("two", 30), ("three", 12), ("four", 7), ("five", 90)];

fn run_faulty(seed: u64, patience: Duration) -> (Fanned, BTreeMap<String, Vec<Duration>>) {
    let (clock, calls) = (SimClock::new(), Calls::default());
    let server = faulty(seed, clock.clone(), Arc::clone(&calls));
    let consent = Consent::given_by("a test");
    let client = client_for(true).unwrap();
    let web = |(name, per_minute): (&str, u32)| {
        let card = ProviderCard {
            name: name.to_owned(),
            per_minute,
            timeout_seconds: TIMEOUT.as_secs(),
            ..ProviderCard::new(Kind::Searxng, &server.url(&format!("/{name}")))
        };
        let keys = Arc::new(GivenKeys::default());
        Arc::new(Web::new(card, client.clone(), keys, Arc::new(clock.clone()), &consent)) as Arc<dyn Finder>
    };
    let fan = Fan::new(PROVIDERS.into_iter().map(web).collect(), Arc::new(clock.clone()), patience, &consent);
    let queries: Vec<Query> = (0..40).map(|n| Query::new(format!("query {n}"), 10)).collect();
    let rules = SourceRules::default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let fanned = runtime.block_on(async {
        tokio::select! {
            fanned = fan.search(&queries, &rules) => fanned,
            () = clock.run() => unreachable!("the clock runs for ever"),
        }
    });
    let calls = calls.lock().unwrap().clone();
    (fanned, calls)
}

/// The most calls that fall into any minute.
fn busiest_minute(times: &[Duration]) -> usize {
    let within = |from: &Duration| {
        times.iter().filter(|t| *t >= from && **t < *from + Duration::from_secs(60)).count()
    };
    times.iter().map(within).max().unwrap_or(0)
}

#[test]
fn five_faulty_providers_every_query_ends_and_no_limit_is_passed() {
    let mut seen = BTreeMap::<&str, usize>::new();
    for seed in 1..=6 {
        let patience = Duration::from_secs(if seed % 2 == 0 { 1000 } else { 30 });
        let (fanned, calls) = run_faulty(seed, patience);
        assert_eq!(fanned.ends.len(), 5 * 40, "every query to every provider has an end");
        let tries: u32 = fanned.ends.iter().map(|put| put.tries).sum();
        let counted: usize = calls.values().map(Vec::len).sum();
        assert_eq!(tries as usize, counted, "what is reported is what was asked");
        for (name, per_minute) in PROVIDERS {
            let most = busiest_minute(&calls[name]);
            assert!(most <= per_minute as usize, "{name}: {most} calls in a minute, {per_minute} allowed");
        }
        let mut hits = 0;
        for put in &fanned.ends {
            let kind = match &put.end {
                End::Answered { hits: n } => {
                    hits += n;
                    "answered"
                }
                End::CooledDown { .. } => "cooled down",
                End::Failed { .. } => "failed",
                End::Skipped { .. } => "skipped",
            };
            *seen.entry(kind).or_default() += 1;
            assert_eq!(put.shortfall().is_none(), kind == "answered");
        }
        assert_eq!(fanned.leads.len(), hits, "each answer names its own page");
    }
    println!("1200 queries: {seen:?}");
    assert!(seen["answered"] > 400 && seen["cooled down"] > 0 && seen["failed"] > 0, "{seen:?}");
}

#[test]
fn the_same_seed_gives_the_same_ends() {
    let patience = Duration::from_secs(120);
    assert_eq!(run_faulty(7, patience).0, run_faulty(7, patience).0);
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/providers/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Fans one query out to providers whose answers are fixtures.
fn fan_out(files: &[(Kind, &'static str)], rules: &SourceRules) -> Fanned {
    let answers: BTreeMap<String, Vec<u8>> =
        files.iter().map(|(kind, file)| (kind.name().to_owned(), fixture(file))).collect();
    let server = HttpServer::start(move |request| {
        let name = request.path.split('/').nth(1).unwrap_or_default();
        Response::ok("application/json", answers[name].clone())
    })
    .unwrap();
    let (clock, consent) = (Arc::new(HandClock::new()), Consent::given_by("a test"));
    let web = |(kind, _): &(Kind, &str)| {
        let card = ProviderCard::new(*kind, &server.url(&format!("/{}", kind.name())));
        let keys = Arc::new(GivenKeys::default());
        Arc::new(Web::new(card, client_for(true).unwrap(), keys, clock.clone(), &consent)) as Arc<dyn Finder>
    };
    let fan = Fan::new(files.iter().map(web).collect(), clock.clone(), Duration::ZERO, &consent);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(fan.search(&[Query::new("attention is all you need", 10)], rules))
}

const SCIENCE: [(Kind, &str); 3] =
    [(Kind::Arxiv, "arxiv.xml"), (Kind::Openalex, "openalex.json"), (Kind::Crossref, "crossref.json")];

#[test]
fn the_same_paper_from_three_providers_is_one_source_with_three_references() {
    let fanned = fan_out(&SCIENCE, &SourceRules::default());
    let papers: Vec<_> = fanned.leads.iter().filter(|lead| lead.title.contains("Attention")).collect();
    assert_eq!(papers.len(), 1);
    let paper = papers[0];
    assert_eq!(fanned.leads[0], *paper, "three references rank it first");
    let by: Vec<&str> = paper.references.iter().map(|hit| hit.provider.as_str()).collect();
    assert_eq!(by, ["arxiv", "openalex", "crossref"]);
    assert_eq!((paper.tier, paper.date.as_deref()), (Tier::One, Some("2017-06-12")));
    assert!(paper.snippet.contains("encoder-decoder"), "the longest snippet is kept");
    assert_eq!(fanned.leads.len(), 5, "and the other four works stay apart");
}

#[test]
fn rules_of_the_run_exclude_and_say_so() {
    let rules = |rules| fan_out(&SCIENCE, &rules);
    let titles = |fanned: &Fanned| fanned.leads.iter().map(|lead| lead.title.clone()).collect::<Vec<_>>();

    let recent = rules(SourceRules { since: dates::parse("2010"), undated: false, ..SourceRules::default() });
    assert_eq!(titles(&recent), ["Attention Is All You Need"]);
    let why: Vec<&str> = recent.left_out.iter().map(|left| left.why.as_str()).collect();
    assert_eq!(
        why,
        [
            "its date, 2003-07-07, is outside the range",
            "it has no date",
            "it has no date",
            "its date, 1999, is outside the range"
        ]
    );
    let blocked = rules(SourceRules { block: vec!["doi.org".to_owned()], ..SourceRules::default() });
    assert!(blocked.leads.iter().all(|lead| !lead.location.to_string().contains("doi.org")));
    assert_eq!(blocked.left_out.iter().filter(|left| left.why == "doi.org is on the block list").count(), 4);
    let allowed = rules(SourceRules { allow: vec!["arxiv.org".to_owned()], ..SourceRules::default() });
    assert_eq!(allowed.leads.len(), 2);
    let strong = rules(SourceRules { weakest: Tier::One, ..SourceRules::default() });
    assert!(strong.left_out.iter().any(|left| left.why == "a source of tier 3, weaker than wanted"));
}

#[test]
fn the_configuration_makes_a_fan_in_which_one_bad_seat_spoils_nothing() {
    let server = HttpServer::start(|request| match request.path.as_str() {
        "/search" => Response::ok("application/json", fixture("searxng.json")),
        _ => Response::ok("text/xml", fixture("rss.xml")),
    })
    .unwrap();
    let text = format!(
        "[search.searxng]\nbase_url = \"{0}\"\n[search.feeds]\nurls = [\"{0}/feed\"]\n[search.tavily]\nkey_env = \"UNSET\"\n\
         [mcp.gone]\ncommand = \"no-such-mcp-server\"\nsearch_tool = \"find\"\n[mcp.reader]\ncommand = \"x\"\nread_tool = \"open\"\n",
        server.url("")
    );
    let config = build(&[Layer::parse("baton.toml", &text).unwrap()], &Overrides::default()).unwrap();
    let (keys, clock): (Arc<dyn Keys>, Arc<dyn Clock>) =
        (Arc::new(GivenKeys::default()), Arc::new(HandClock::new()));
    let consent = Consent::given_by("a test");
    let made = assemble(config.search.values(), config.mcp.values(), &keys, &clock, None, &consent).unwrap();
    let readers: Vec<&str> = made.readers.iter().map(|server| server.card().name.as_str()).collect();
    assert_eq!(readers, ["reader"]);
    let fan = made.fan;
    let names: Vec<&str> = fan.names().collect();
    assert_eq!(
        names,
        ["feed:127.0.0.1", "searxng", "tavily", "gone"],
        "a server that only reads takes no seat"
    );
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let fanned =
        runtime.block_on(fan.search(&[Query::new("harbour of Hamburg", 5)], &SourceRules::default()));
    assert_eq!(fanned.leads.len(), 3);
    let shortfalls: Vec<String> = fanned.ends.iter().filter_map(|put| put.shortfall()).collect();
    assert_eq!(shortfalls.len(), 2, "{shortfalls:?}");
    assert_eq!(shortfalls[0], "tavily did not answer “harbour of Hamburg”: the variable UNSET is not set.");
    assert!(
        shortfalls[1]
            .starts_with("gone did not answer “harbour of Hamburg”: no-such-mcp-server could not be started")
    );
}

#[test]
fn a_provider_that_needs_a_person_is_not_asked_twice() {
    let server = HttpServer::start(|_| Response::status(401)).unwrap();
    let (clock, consent) = (Arc::new(HandClock::new()), Consent::given_by("a test"));
    let card = ProviderCard { per_minute: 60_000, ..ProviderCard::new(Kind::Searxng, &server.url("")) };
    let web =
        Web::new(card, client_for(true).unwrap(), Arc::new(GivenKeys::default()), clock.clone(), &consent);
    let fan = Fan::new(vec![Arc::new(web)], clock, Duration::ZERO, &consent);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let queries = [Query::new("a", 5), Query::new("b", 5)];
    let fanned = runtime.block_on(fan.search(&queries, &SourceRules::default()));
    assert_eq!(server.requests().len(), 1);
    let shortfalls: Vec<String> = fanned.ends.iter().filter_map(|put| put.shortfall()).collect();
    assert_eq!(
        shortfalls,
        [
            "searxng did not answer “a”: it answered 401: .",
            "searxng was not asked “b”: it cannot work: it answered 401: ."
        ]
    );
}
