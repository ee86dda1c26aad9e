//! Which names documents have, which hits are one document, and whose turn it is.

use std::time::Duration;

use url::Url;

use super::identity::{Identity, arxiv, canonical, content, doi};
use super::pace::{NoTurn, Pace};
use super::web::{WebFault, WebFaultKind};
use crate::clock::{Clock as _, HandClock};

#[test]
fn dois_are_found_in_what_holds_one() {
    let cases = [
        ("10.1000/182", Some("10.1000/182")),
        ("https://doi.org/10.1000/ABC.1", Some("10.1000/abc.1")),
        ("doi:10.1000/182.", Some("10.1000/182")),
        ("https://dl.acm.org/doi/10.1145/3442188.3445922?x=1", Some("10.1145/3442188.3445922")),
        ("https://doi.org/10.1000%2F182", Some("10.1000/182")),
        ("version 10.1000/182", None),
        ("https://example.org/v10.2/x", None),
        ("10.5", None),
        ("10.1000/", None),
    ];
    for (text, expected) in cases {
        assert_eq!(doi(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn preprints_are_known_by_number_without_version() {
    let cases = [
        ("arXiv:2301.00001v12", Some("2301.00001")),
        ("http://arxiv.org/abs/hep-th/9901001v2", Some("hep-th/9901001")),
        ("https://arxiv.org/pdf/1706.03762v7.pdf", Some("1706.03762")),
        ("arxiv.1706.03762", Some("1706.03762")),
        ("https://arxiv.org/list/cs.CL/recent", None),
        ("https://example.org/2301.00001x", None),
    ];
    for (text, expected) in cases {
        assert_eq!(arxiv(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn incidental_parts_of_an_address_do_not_count() {
    let same = [
        "https://www.Example.org/a/?utm_source=x&b=2&a=1#top",
        "http://example.org/a?a=1&b=2&fbclid=9",
        "https://example.org:443/a/?b=2&a=1",
    ];
    for address in same {
        assert_eq!(canonical(&Url::parse(address).unwrap()), "example.org/a?a=1&b=2", "{address}");
    }
    let other = Url::parse("https://example.org/a?a=2").unwrap();
    assert_ne!(canonical(&other), canonical(&Url::parse("https://example.org/a?a=1").unwrap()));
}

#[test]
fn texts_are_the_same_when_their_words_are_and_there_are_enough() {
    let long = "The harbour of Hamburg is deepened and widened so that larger ships can pass, says the port \
                authority, which has planned the work for twenty years and begins it today.";
    let shouted = long.to_uppercase().replace(' ', "  ");
    assert!(matches!(content(long), Some(Identity::Content(_))));
    assert_eq!(content(long), content(&shouted));
    assert_ne!(content(long), content(&long.replace("twenty", "thirty")));
    assert_eq!(content("Sign in to continue"), None);
}

#[test]
fn a_pace_in_a_file_holds_for_every_process() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), HandClock::new());
    let pace = || Pace::kept_in(&folder.path().join("paces/p.json"), 60);
    let enter = |pace: &Pace, patience| {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(pace.enter(&clock, Duration::from_secs(patience)))
    };
    assert_eq!(enter(&pace(), 0), Ok(()));
    assert_eq!(enter(&pace(), 0), Err(NoTurn::Full(Duration::from_secs(1))));
    clock.advance(Duration::from_secs(1));
    assert_eq!(enter(&pace(), 0), Ok(()));
    let tired = WebFault::new("p", WebFaultKind::RateLimited, "429");
    pace().failed(&tired, clock.now());
    assert!(matches!(enter(&pace(), 30), Err(NoTurn::Cooling(_, why)) if why == "429"));
    let keyless = pace();
    keyless.failed(&WebFault::new("p", WebFaultKind::KeyMissing, "no key"), clock.now());
    assert_eq!(enter(&keyless, 30), Err(NoTurn::Off("no key".to_owned())));
    assert!(!matches!(enter(&pace(), 30), Err(NoTurn::Off(_))), "the next process may have the key");
}
