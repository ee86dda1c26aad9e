//! A real browser prints the page.

use std::process::{Command, Stdio};

use baton_pdf::print;

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
    std::fs::write(&page, print::page(&sample::document()).unwrap()).unwrap();
    let root = Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.starts_with(b"0\n"));
    let mut command = Command::new(browser);
    if root {
        command.arg("--no-sandbox");
    }
    let out = command.args(print::arguments(&page, &pdf, &profile)).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
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
