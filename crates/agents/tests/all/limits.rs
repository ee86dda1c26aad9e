//! Nothing goes on for ever: a total time and a size for every call beside its idle limit, and no wait longer than
//! an hour, whatever a server asks for. The clock is moved by hand.

use std::sync::Arc;
use std::time::Duration;

use baton_agents::clock::{Clock as _, HandClock};
use baton_agents::model::secret::GivenKeys;
use baton_agents::model::{Bounds, Charge, FaultKind, ModelFault, Provider, client_for};
use baton_agents::read::fetch::{FetchError, FetchSettings, Fetcher};
use baton_agents::search::pace::Pace;
use baton_agents::search::web::{Consent, Finder as _, Kind, ProviderCard, Web, WebFault, WebFaultKind};
use baton_agents::skill::{AskFailure, Budget, Cause, DirectPort, Summarize, ask};
use baton_testkit::http_server::{HttpServer, Response};
use baton_testkit::model_server::{Act, Fault, ModelServer, Wait};

use crate::common::{asked, call, card, input, models, models_on, role};
use crate::web::{block_on, provider, query};

/// Calls a server that shows a sign of life every half minute, for as long as it is listened to.
async fn dripped(provider: Provider, stream: bool, bounds: Bounds) -> (ModelFault, Duration) {
    let server = ModelServer::start().await.unwrap();
    server.script([Act::Fail(Fault::DripForever)]);
    let clock = HandClock::new();
    let models = models_on(&[card(&server, "m", provider)], Arc::new(clock.clone()));
    let mut call = call("m", stream);
    call.bounds = bounds;
    let calling = tokio::spawn(async move { models.perform(&call, &()).await });
    let mut listened = 0;
    while !calling.is_finished() {
        // Every piece that comes begins a new wait: only then has the drip been heard.
        let waits = clock.waits().len();
        if waits > listened {
            listened = waits;
            if clock.now() > Duration::ZERO || waits > 3 {
                clock.advance(Duration::from_secs(30));
            }
            server.drip(1);
        }
        tokio::task::yield_now().await;
    }
    (calling.await.unwrap().unwrap_err(), clock.now())
}

#[tokio::test]
async fn a_stream_that_drips_for_ever_ends_at_the_total() {
    let soon = Bounds { total_seconds: Some(90), max_bytes: None };
    for provider in [Provider::OpenAi, Provider::Anthropic, Provider::Gemini] {
        for stream in [false, true] {
            let (fault, when) = dripped(provider, stream, soon).await;
            let case = format!("{provider:?} stream={stream}: {fault}");
            assert_eq!(fault.kind, FaultKind::Overran, "{case}");
            assert!((90..=120).contains(&when.as_secs()), "{when:?} {case}");
            assert!(case.contains("the answer had not ended after 90 s; gave up."), "{case}");
            assert_eq!(fault.kind.charge(), Charge::Unknown);
            assert!(!fault.kind.retriable(), "it would only drip again");
        }
    }
    let (fault, when) = dripped(Provider::OpenAi, true, Bounds::default()).await;
    assert_eq!(fault.kind, FaultKind::Overran, "{fault}");
    assert!((1800..=1830).contains(&when.as_secs()), "{when:?}");
}

#[tokio::test]
async fn a_flood_ends_at_the_size() {
    for stream in [false, true] {
        let server = ModelServer::start().await.unwrap();
        server.script([Act::Fail(Fault::Flood)]);
        let mut call = call("m", stream);
        call.bounds.max_bytes = Some(100_000);
        let fault = models(&[card(&server, "m", Provider::OpenAi)]).perform(&call, &()).await.unwrap_err();
        assert_eq!(fault.kind, FaultKind::Overran, "{fault}");
        assert!(fault.detail.contains("larger than 100000 bytes"), "{fault}");
    }
}

/// The limits of a role's card reach its calls, though the process knows the model by another card.
#[tokio::test]
async fn limits_come_with_the_role() {
    let server = ModelServer::start().await.unwrap();
    server.script([Act::Fail(Fault::Flood)]);
    let usual = card(&server, "m", Provider::OpenAi);
    let mut tight = usual.clone();
    tight.limits.whole.max_bytes = Some(20_000);
    let port = DirectPort::new(models(&[usual]), Arc::new(HandClock::new()), Budget::default(), [7; 32]);
    let failure: AskFailure = ask::<Summarize>(&port, &role(vec![tight]), asked(&input())).await.unwrap_err();
    let Cause::Model(fault) = &failure.cause else { panic!("{failure}") };
    assert_eq!(fault.kind, FaultKind::Overran);
    assert!(fault.detail.contains("20000 bytes"), "{fault}");
    assert_eq!(server.served().len(), 1, "not tried again");
}

#[tokio::test]
async fn every_wish_to_wait_is_heard_and_none_for_longer_than_an_hour() {
    for (wait, seconds) in Wait::ALL.into_iter().zip([
        Some(7),
        Some(30),
        Some(0),
        Some(3600),
        Some(3600),
        Some(3600),
        None,
        None,
    ]) {
        let server = ModelServer::start().await.unwrap();
        server.script([Act::Fail(Fault::Asks(wait))]);
        let clock = HandClock::new();
        clock.advance(Duration::from_secs(1_700_000_000));
        let models = models_on(&[card(&server, "m", Provider::OpenAi)], Arc::new(clock.clone()));
        let first = models.perform(&call("m", false), &()).await.unwrap_err();
        assert_eq!(first.retry_after().map(|d| d.as_secs()), seconds, "{wait:?}");
        // The next call waits, or is refused for as long as was asked.
        if seconds == Some(3600) {
            let second = models.perform(&call("m", false), &()).await.unwrap_err();
            assert_eq!(second.retry_after(), Some(Duration::from_secs(3600)), "{wait:?}");
        }
    }
}

fn fetcher(site: &HttpServer, change: impl FnOnce(&mut FetchSettings)) -> Fetcher {
    let mut settings = FetchSettings { allowed_private: vec![site.host()], ..FetchSettings::default() };
    change(&mut settings);
    Fetcher::new(settings).unwrap()
}

#[tokio::test]
async fn a_page_that_drips_and_redirects_without_end_take_their_total() {
    let site = HttpServer::site([
        ("/drips", Response::Drips("text/plain".to_owned())),
        ("/loop", Response::redirect("/loop")),
    ])
    .unwrap();
    site.drip(50);
    let short = fetcher(&site, |settings| {
        settings.total = Duration::from_millis(300);
        settings.redirects = usize::MAX;
    });
    for path in ["/drips", "/loop"] {
        let error = short.fetch(&site.url(path)).await.unwrap_err();
        assert!(matches!(error, FetchError::Timeout(_)), "{path}: {error}");
    }
}

#[tokio::test]
async fn a_busy_site_is_left_alone_for_an_hour_at_most() {
    let site = HttpServer::site([
        ("/largest", Response::busy(&u64::MAX.to_string())),
        ("/endless", Response::busy(&"9".repeat(400))),
        ("/far", Response::busy("Fri, 31 Dec 9999 23:59:59 GMT")),
        ("/past", Response::busy("Thu, 01 Jan 1970 00:00:00 GMT")),
        ("/words", Response::busy("a while")),
    ])
    .unwrap();
    let fetcher = fetcher(&site, |_| {});
    let cases = [
        ("/largest", Some(3600)),
        ("/endless", Some(3600)),
        ("/far", Some(3600)),
        ("/past", Some(0)),
        ("/words", None),
    ];
    for (path, seconds) in cases {
        let error = fetcher.fetch(&site.url(path)).await.unwrap_err();
        let FetchError::Status { status: 429, retry_after, .. } = error else { panic!("{path}: {error}") };
        assert_eq!(retry_after, seconds, "{path}");
    }
}

#[test]
fn no_pause_is_longer_than_an_hour() {
    for (wish, seconds) in [
        ("18446744073709551615", 3600),
        ("99999999999999999999999999999", 3600),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 3600),
        ("-5", 300),
        ("soon", 300),
    ] {
        let server = HttpServer::start(move |_| Response::status(429).with("Retry-After", wish)).unwrap();
        let web = provider(Kind::Crossref, &server);
        let fault = block_on(web.find(&query("x"))).unwrap_err();
        assert_eq!((fault.kind, fault.pause().as_secs()), (WebFaultKind::RateLimited, seconds), "{wish}");
        web.pace().failed(&fault, Duration::from_secs(1_700_000_000));
    }
    // A fault that an older version wrote down may ask for any time.
    let mut old = WebFault::new("x", WebFaultKind::RateLimited, "x");
    old.retry_after_ms = Some(u64::MAX);
    Pace::new(1).failed(&old, Duration::MAX);
}

#[test]
fn an_answer_without_end_is_given_up() {
    let server = HttpServer::start(|_| Response::Flood("application/json".to_owned())).unwrap();
    let fault = block_on(provider(Kind::Searxng, &server).find(&query("x"))).unwrap_err();
    assert_eq!(fault.detail, "its answer is longer than 8388608 bytes");
    let server = HttpServer::start(|_| Response::Drips("application/json".to_owned())).unwrap();
    server.drip(3);
    let clock = HandClock::new();
    let web = Web::new(
        ProviderCard::new(Kind::Searxng, &server.url("")),
        client_for(true).unwrap(),
        Arc::new(GivenKeys::default()),
        Arc::new(clock.clone()),
        &Consent::given_by("a test"),
    );
    let wish = query("x");
    let (answer, ()) = block_on(async {
        tokio::join!(web.find(&wish), async {
            for _ in 0..4 {
                clock.until_sleeping(1).await;
                server.drip(1);
                clock.advance(Duration::from_secs(5));
            }
        })
    });
    assert_eq!(answer.unwrap_err().detail, "no answer within 20 s");
}
