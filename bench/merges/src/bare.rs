//! The same merges by git alone: `merge-tree`, `commit-tree`, `update-ref` from the known value, one process each.

use std::process::Command;
use std::time::Duration;

use crate::build::Built;
use crate::{Failure, now};

/// Merges every tip onto the base, one after the other, under a ref of its own; how long it took.
pub fn merge_all(built: &Built, reference: &str) -> Result<Duration, Failure> {
    let began = now();
    let (mut line, mut old) = (built.base.clone(), String::new());
    for tip in &built.tips {
        let tree = git(built, &["merge-tree", "--write-tree", "--name-only", "--no-messages", &line, tip])?;
        let commit = git(built, &["commit-tree", &tree, "-p", &line, "-p", tip, "-m", "Merge"])?;
        git(built, &["update-ref", "--create-reflog", reference, &commit, &old])?;
        (line, old) = (commit.clone(), commit);
    }
    Ok(began.elapsed())
}

fn git(built: &Built, args: &[&str]) -> Result<String, Failure> {
    let mut command = Command::new("git");
    command.arg("--git-dir").arg(&built.store).args(args);
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "Bare").env(format!("GIT_{who}_EMAIL"), "bare@localhost");
    }
    let done = command.output()?;
    if !done.status.success() {
        return Err(format!("git {args:?}: {}", String::from_utf8_lossy(&done.stderr)).into());
    }
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}
