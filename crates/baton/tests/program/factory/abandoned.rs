//! A build that is given up: nothing is delivered, everything is kept, and what it says to type brings it.

use std::process::Command;

use super::site::{Build, Kind, git, plan};

#[test]
fn what_was_abandoned_is_kept_and_can_be_fetched_as_it_says() {
    let never = |desk: &std::path::Path| {
        plan(&[vec![Kind::Plain, Kind::Shared]], desk)
            .replace("sh tests/t.sh", "false")
            .replace("retries = 1", "retries = 0")
            .replace("recoveries = 1", "recoveries = 0")
    };
    let build = Build::new(never);
    let said = build.home.baton(&["resume", &build.run, "--yes"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let repo = build.home.desk().join("repo");
    assert_eq!(
        git(&repo, &["for-each-ref", "--format=%(refname)"]),
        "refs/heads/main",
        "nothing is delivered"
    );
    let fetch = said.out.lines().map(str::trim).find(|line| line.starts_with("git fetch"));
    let fetch = fetch.unwrap_or_else(|| panic!("it does not say how to fetch: {}", said.out));
    let done = Command::new("sh").args(["-c", fetch]).current_dir(&repo).output().expect("sh");
    assert!(done.status.success(), "{fetch}: {done:?}");
    let kept = git(&repo, &["for-each-ref", "--format=%(refname)", "refs/baton"]);
    let under = format!("refs/baton/{}", build.run);
    for name in ["heads/wave-1-1-e1", "heads/wave-1-1-e2", "baton/checkpoints/integration-1/together"] {
        assert!(kept.lines().any(|line| line == format!("{under}/{name}")), "{name}: {kept}");
    }
    let work = git(&repo, &["show", &format!("{under}/baton/checkpoints/integration-1/together:e1.txt")]);
    assert_eq!(work, "e1 0\ne1 1");
}
