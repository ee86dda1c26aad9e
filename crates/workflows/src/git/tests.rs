//! Real repositories in folders of their own.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::*;
use crate::coding::order::Identity;
use crate::process::Processes;

mod delivering;
mod foreign;
mod many;
mod merging;
mod sizes;
mod snapshots;
mod surveys;
mod tidying;
mod workshops;

/// A person's repository, and a workshop made from it.
struct Bench {
    folder: TempDir,
    hand: Hand,
}

/// Calls git as a person would.
fn git(folder: &Path, args: &[&str]) -> String {
    let done = Command::new("git")
        .current_dir(folder)
        .args([
            "-c",
            "user.name=A Person",
            "-c",
            "user.email=person@example.org",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).trim().to_owned()
}

fn write(folder: &Path, name: &str, content: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

impl Bench {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let repo = folder.path().join("repo");
        std::fs::create_dir(&repo).unwrap();
        git(&repo, &["init", "-q"]);
        write(&repo, "a.txt", "one\ntwo\nthree\n");
        write(&repo, "src/b.txt", "b\n");
        git(&repo, &["add", "-A"]);
        git(&repo, &["commit", "-qm", "first"]);
        let bench = Self { folder, hand: Hand::new(&Processes::default()) };
        let act =
            OpenWorkshop { workshop: bench.shop(), repo: bench.repo().join(".git"), base: bench.base() };
        workshop::open(&bench.hand, act).await.unwrap();
        bench
    }

    fn repo(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    fn shop(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    fn base(&self) -> String {
        git(&self.repo(), &["rev-parse", "HEAD"])
    }

    fn store(&self) -> PathBuf {
        self.shop().join("repo.git")
    }

    async fn provision(&self, effort: &str, attempt: u32) -> Provisioned {
        let branch = format!("wave-1-1-{effort}");
        let act = Provision {
            workshop: self.shop(),
            effort: effort.to_owned(),
            branch,
            base: self.base(),
            attempt,
        };
        workshop::provision(&self.hand, act).await.unwrap()
    }

    fn snapshot_of(&self, effort: &str, old: &str) -> Snapshot {
        Snapshot {
            workshop: self.shop(),
            effort: effort.to_owned(),
            branch: format!("wave-1-1-{effort}"),
            old: old.to_owned(),
            base: self.base(),
            message: format!("{effort}\n"),
            at: 1_700_000_000,
            committer: Identity::default(),
        }
    }

    async fn snapshot(&self, effort: &str, old: &str) -> Snapped {
        snapshot::snapshot(&self.hand, self.snapshot_of(effort, old)).await.unwrap()
    }

    /// An effort that wrote one file; its newest commit.
    async fn effort(&self, effort: &str, file: &str, content: &str) -> String {
        let place = self.provision(effort, 1).await;
        write(&place.worktree, file, content);
        self.snapshot(effort, &place.tip).await.tip
    }

    fn candidate_of(&self, onto: &str, tip: &str) -> Candidate {
        Candidate {
            workshop: self.shop(),
            onto: onto.to_owned(),
            onto_tree: String::new(),
            tip: tip.to_owned(),
            message: "Merge\n".to_owned(),
            at: 1_700_000_000,
            committer: Identity::default(),
        }
    }
}
