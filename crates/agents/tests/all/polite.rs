//! Polite fetching: pauses, rest, validators and the archive, counted at the server.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use baton_agents::clock::{Clock, HandClock};
use baton_agents::read::archive::Archive;
use baton_agents::read::fetch::{FetchSettings, Fetcher};
use baton_agents::read::polite::{Manners, Origin, Polite, PoliteError};
use baton_testkit::http_server::{HttpServer, Request, Response};

fn polite(server: &HttpServer, home: &Path, clock: &HandClock) -> Polite {
    let settings = FetchSettings { allowed_private: vec![server.host()], ..FetchSettings::default() };
    let archive = Archive::new(&home.join("archive"));
    let gap = Duration::from_secs(2);
    let manners = Manners { gap, gap_here: gap, patience: Duration::from_secs(30) };
    let clock: Arc<dyn Clock> = Arc::new(clock.clone());
    Polite::new(Fetcher::new(settings).unwrap(), archive, &home.join("fetched"), clock, manners)
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Fetches with time passing whenever it is waited for.
fn fetch(polite: &Polite, clock: &HandClock, url: &str) -> Result<(String, Origin), PoliteError> {
    passing(clock, polite.fetch(url))
        .map(|(page, origin)| (String::from_utf8_lossy(&page.body).into_owned(), origin))
}

fn passing<T>(clock: &HandClock, work: impl Future<Output = T>) -> T {
    block_on(async {
        tokio::select! {
            done = work => done,
            () = async { loop { clock.until_sleeping(1).await; clock.advance(Duration::from_secs(1)); tokio::task::yield_now().await; } } => unreachable!(),
        }
    })
}

/// A page with an ETag, reached by a redirect; robots.txt is absent.
fn site(request: &Request) -> Response {
    match request.path.as_str() {
        "/old" => Response::status(302).with("Location", "/page"),
        "/page" if request.header("if-none-match") == Some("\"v1\"") => Response::status(304),
        "/page" => Response::ok("text/plain", "the body").with("ETag", "\"v1\""),
        "/dated" if request.header("if-modified-since") == Some("Mon, 02 Jun 2025 08:00:00 GMT") => {
            Response::status(304)
        }
        "/dated" => {
            Response::ok("text/plain", "dated").with("Last-Modified", "Mon, 02 Jun 2025 08:00:00 GMT")
        }
        "/busy" => Response::status(429).with("Retry-After", "120"),
        "/absurd" => Response::status(503).with("Retry-After", "18446744073709551615"),
        _ => Response::status(404),
    }
}

fn asked(server: &HttpServer, path: &str) -> usize {
    server.requests().iter().filter(|request| request.path == path).count()
}

#[test]
fn an_unchanged_page_comes_from_the_archive_also_in_the_next_run() {
    let (server, home, clock) =
        (HttpServer::start(site).unwrap(), tempfile::tempdir().unwrap(), HandClock::new());
    for (path, validator) in
        [("/page", "if-none-match"), ("/dated", "if-modified-since"), ("/old", "if-none-match")]
    {
        let url = server.url(path);
        let first = fetch(&polite(&server, home.path(), &clock), &clock, &url).unwrap();
        assert_eq!(first.1, Origin::Fetched, "{path}");
        // Another process would build its own fetcher over the same folder.
        let again = polite(&server, home.path(), &clock);
        let second = fetch(&again, &clock, &url).unwrap();
        assert_eq!(second, (first.0.clone(), Origin::Unchanged), "{path}");
        let last = server.requests().pop().unwrap();
        assert!(last.header(validator).is_some(), "{path}: the second request carries {validator}");
        let (page, origin) = again.archived(&url).unwrap().unwrap();
        assert_eq!((page.body, origin), (first.0.into_bytes(), Origin::Archived));
    }
    assert_eq!(asked(&server, "/robots.txt"), 6, "each fetcher reads it once");
}

#[test]
fn on_one_errand_a_page_is_fetched_once_also_by_another_process() {
    let (server, home, clock) =
        (HttpServer::start(site).unwrap(), tempfile::tempdir().unwrap(), HandClock::new());
    let url = server.url("/page");
    let on = |errand: &str| {
        let polite = polite(&server, home.path(), &clock);
        passing(&clock, polite.fetch_once(errand, &url)).unwrap().1
    };
    let origins = ["run-1", "run-1", "run-2", "run-2"].map(on);
    assert_eq!(origins, [Origin::Fetched, Origin::Archived, Origin::Unchanged, Origin::Archived]);
    assert_eq!(asked(&server, "/page"), 2, "once for each errand");
    let polite = polite(&server, home.path(), &clock);
    assert!(polite.fetched_on("run-2", &url).unwrap().is_some());
    assert!(polite.fetched_on("run-1", &url).unwrap().is_none(), "it was fetched again since");
}

#[test]
fn a_damaged_archive_is_fetched_anew() {
    let (server, home, clock) =
        (HttpServer::start(site).unwrap(), tempfile::tempdir().unwrap(), HandClock::new());
    let polite = polite(&server, home.path(), &clock);
    fetch(&polite, &clock, &server.url("/page")).unwrap();
    let kept = home.path().join("archive");
    for folder in std::fs::read_dir(kept).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            std::fs::remove_file(file.unwrap().path()).unwrap();
        }
    }
    assert_eq!(
        fetch(&polite, &clock, &server.url("/page")).unwrap(),
        ("the body".to_owned(), Origin::Fetched)
    );
    assert_eq!(server.requests().pop().unwrap().header("if-none-match"), None);
}

#[test]
fn one_host_is_asked_with_pauses_and_rests_when_it_wishes() {
    let (server, home, clock) =
        (HttpServer::start(site).unwrap(), tempfile::tempdir().unwrap(), HandClock::new());
    let polite = polite(&server, home.path(), &clock);
    fetch(&polite, &clock, &server.url("/page")).unwrap();
    fetch(&polite, &clock, &server.url("/dated")).unwrap();
    assert_eq!(clock.waits(), [Duration::from_secs(2)], "the second page waits for its host's turn");
    assert!(
        fetch(&polite, &clock, &server.url("/busy")).unwrap_err().to_string().ends_with("/busy answered 429")
    );
    let refused = fetch(&polite, &clock, &server.url("/page")).unwrap_err();
    assert!(matches!(refused, PoliteError::Resting { seconds: 120, .. }), "{refused}");
    assert_eq!(asked(&server, "/page"), 1);
    clock.advance(Duration::from_secs(100));
    fetch(&polite, &clock, &server.url("/page")).unwrap();
    assert_eq!(clock.waits().last(), Some(&Duration::from_secs(20)), "the rest of the rest is waited for");
}

#[test]
fn a_host_that_asks_for_an_age_rests_for_an_hour() {
    let (server, home, clock) =
        (HttpServer::start(site).unwrap(), tempfile::tempdir().unwrap(), HandClock::new());
    clock.advance(Duration::from_secs(1_700_000_000));
    let polite = polite(&server, home.path(), &clock);
    fetch(&polite, &clock, &server.url("/absurd")).unwrap_err();
    let refused = fetch(&polite, &clock, &server.url("/page")).unwrap_err();
    assert!(matches!(refused, PoliteError::Resting { seconds: 3600, .. }), "{refused}");
    clock.advance(Duration::from_secs(3600));
    fetch(&polite, &clock, &server.url("/page")).unwrap();
}

#[test]
fn pauses_and_rests_hold_for_every_process() {
    let (server, home, clock) =
        (HttpServer::start(site).unwrap(), tempfile::tempdir().unwrap(), HandClock::new());
    let other = || polite(&server, home.path(), &clock);
    fetch(&other(), &clock, &server.url("/page")).unwrap();
    fetch(&other(), &clock, &server.url("/dated")).unwrap();
    assert_eq!(clock.waits(), [Duration::from_secs(2)]);
    fetch(&other(), &clock, &server.url("/busy")).unwrap_err();
    let refused = fetch(&other(), &clock, &server.url("/page")).unwrap_err();
    assert!(matches!(refused, PoliteError::Resting { seconds: 120, .. }), "{refused}");
    // A file that cannot be read is as good as new.
    for entry in std::fs::read_dir(home.path().join("fetched/hosts")).unwrap() {
        std::fs::write(entry.unwrap().path(), "{ not a").unwrap();
    }
    fetch(&other(), &clock, &server.url("/page")).unwrap();
}

#[test]
fn a_crawl_delay_in_robots_txt_is_kept() {
    let server = HttpServer::start(|request| match request.path.as_str() {
        "/robots.txt" => Response::ok("text/plain", "User-agent: *\nCrawl-delay: 9\nDisallow: /private"),
        _ => Response::ok("text/plain", "x"),
    })
    .unwrap();
    let (home, clock) = (tempfile::tempdir().unwrap(), HandClock::new());
    let polite = polite(&server, home.path(), &clock);
    fetch(&polite, &clock, &server.url("/a")).unwrap();
    fetch(&polite, &clock, &server.url("/b")).unwrap();
    assert_eq!(clock.waits(), [Duration::from_secs(9)]);
    let refused = fetch(&polite, &clock, &server.url("/private/c")).unwrap_err();
    assert!(refused.to_string().contains("robots.txt forbids it"), "{refused}");
}
