//! A real browser prints the page.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use baton_pdf::{places, print};

use crate::sample;

#[test]
fn a_browser_prints_every_word_and_tags_it() {
    let Some(browser) = print::BROWSERS.into_iter().find(|name| {
        Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    }) else {
        eprintln!("skipped: no browser; install the package chromium");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (page, pdf, profile) =
        (folder.path().join("page.html"), folder.path().join("page.pdf"), folder.path().join("profile"));
    let mut known = BTreeMap::new();
    for _ in 0..2 {
        std::fs::write(&page, print::page(&sample::document(), &known).unwrap()).unwrap();
        let printed = |kept| {
            Command::new(browser).args(print::arguments(&page, &pdf, &profile, kept)).output().unwrap()
        };
        let mut out = printed(print::Kept::ByItself);
        if print::wants_keeping(&String::from_utf8_lossy(&out.stderr)) {
            out = printed(print::Kept::ByUs);
        }
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        known = places::anchors(&std::fs::read(&pdf).unwrap());
    }
    // The title and its contents take a page, the table more than one, and the notes stand on the last.
    assert_eq!(known.get("h0"), Some(&2), "{known:?}");
    assert!(known.get("notes").is_some_and(|page| *page > 4), "{known:?}");
    if let Some(words) = sample::words(&pdf) {
        sample::check_words(&words);
    }
    if let Ok(told) = Command::new("pdfinfo").arg(&pdf).output() {
        let told = String::from_utf8_lossy(&told.stdout).into_owned();
        assert!(
            told.contains("Tagged:          yes") && told.contains("Title:           Revenue of two towns"),
            "{told}"
        );
    }
}
