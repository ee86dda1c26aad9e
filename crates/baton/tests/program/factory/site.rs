//! A repository, a plan, and a build of it that lives, dies and lives again.

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::dying::{self, Point};
use crate::support::{Home, Output};

/// The gate of every plan here. A file called `bad-…` fails it, and so do `p` and `q` together.
const GATE: &str = "sh tests/t.sh";
const TEST: &str = "test -f a.txt && ! ls bad-* 2>/dev/null && ! { test -f p && test -f q; }\n";

/// Calls git as a person would.
pub fn git(folder: &Path, args: &[&str]) -> String {
    let done = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=A Person", "-c", "user.email=person@example.org"])
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git");
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).trim().to_owned()
}

/// Returns in another second of the clock than it was called in.
pub fn a_second_passes() {
    let second = || baton_engine::Clock::now(&baton_engine::SystemClock).0 / 1000;
    let began = second();
    // Each question is a process, so nothing spins.
    crate::support::until("the next second", || Command::new("true").status().is_ok() && second() > began);
}

/// What an effort is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It writes a file of its own.
    Plain,
    /// It appends to a file that others append to.
    Shared,
    /// It fails the gate at first, and mends it.
    Mended,
    /// It is too large and is split.
    Large,
    /// It passes alone and fails beside [`Kind::Q`].
    P,
    /// It passes alone and fails beside [`Kind::P`].
    Q,
    /// Its agent does nothing.
    Idle,
}

/// The plan of some waves of efforts.
pub fn plan(waves: &[Vec<Kind>], desk: &Path) -> String {
    let mut text = format!(
        "title = \"Random\"\nshared = [\"log.txt\"]\n\
         [agents.idle]\nkind = \"command\"\nrun = \"true\"\n\
         [gates.test]\nrun = \"{GATE}\"\n[size]\nsoft = 15\nhard = 20\n\
         [policy]\nparallel = 2\nretries = 1\nrecoveries = 1\nresets = 0\nrecovery = \"recommended\"\nsandbox = \"off\"\n\
         [[phase]]\nname = \"p\"\n"
    );
    let (mut number, mut has_p, mut has_q) = (0, false, false);
    for wave in waves {
        text.push_str("[[phase.wave]]\n");
        for kind in wave {
            number += 1;
            // Paths of a wave may not overlap, and there is one `p` and one `q`.
            let kind = match kind {
                Kind::P if std::mem::replace(&mut has_p, true) => Kind::Plain,
                Kind::Q if std::mem::replace(&mut has_q, true) => Kind::Plain,
                kind => *kind,
            };
            text.push_str(&effort(number, kind, desk));
        }
    }
    text
}

fn effort(number: usize, kind: Kind, desk: &Path) -> String {
    let id = format!("e{number}");
    let lines = |many: usize| (0..many).map(|line| format!("{id} {line}\\n")).collect::<String>();
    let write = |path: &str, content: &str| format!("{{ write = \"{path}\", content = \"{content}\" }}");
    let own = write(&format!("{id}.txt"), &lines(2));
    let alone = alone(&id, desk);
    let (paths, work, more) = match kind {
        Kind::Plain => (format!("\"{id}.txt\""), format!("{alone}, {own}"), String::new()),
        Kind::Shared => {
            let log = format!("{{ append = \"log.txt\", content = \"{id}\\n\" }}");
            (format!("\"{id}.txt\""), format!("{own}, {log}"), String::new())
        }
        Kind::Mended => (
            format!("\"{id}.txt\", \"bad-{id}\""),
            format!("{own}, {}", write(&format!("bad-{id}"), "bad\\n")),
            format!("fix = [{{ delete = \"bad-{id}\" }}]\n"),
        ),
        Kind::Large => {
            let part = |part: usize| write(&format!("{id}-{part}.txt"), &lines(14));
            let work = format!("{}, {}", part(1), part(2));
            (format!("\"{id}-1.txt\", \"{id}-2.txt\""), work, String::new())
        }
        Kind::P => ("\"p\"".to_owned(), write("p", "p\\n"), String::new()),
        Kind::Q => ("\"q\"".to_owned(), write("q", "q\\n"), String::new()),
        Kind::Idle => {
            return format!(
                "[[phase.wave.effort]]\nid = \"{id}\"\npaths = [\"{id}.txt\"]\nagent = \"idle\"\n"
            );
        }
    };
    format!("[[phase.wave.effort]]\nid = \"{id}\"\npaths = [{paths}]\nwork = [{work}]\n{more}")
}

/// A step that notices when another process of the same turn is alive.
fn alone(id: &str, desk: &Path) -> String {
    let (desk, live) = (desk.display(), format!("{id}.live"));
    let line = format!(
        "if kill -0 $(cat {desk}/{live}) 2>/dev/null; then echo {id} >> {desk}/twice; fi; echo $$ > {desk}/{live}; \
         i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done"
    );
    format!("{{ run = '''{line}''' }}")
}

/// A build and everything that was seen of it.
pub struct Build {
    pub home: Home,
    pub run: String,
    /// Every commit that a ref led to at some time.
    pub seen: BTreeSet<String>,
    /// How often it was killed.
    pub kills: usize,
}

impl Build {
    /// A build of a small repository that has not begun.
    pub fn new(plan: impl FnOnce(&Path) -> String) -> Self {
        let home = Home::new();
        let repo = home.desk().join("repo");
        std::fs::create_dir_all(repo.join("tests")).expect("a folder");
        git(&repo, &["init", "-q", "-b", "main"]);
        std::fs::write(repo.join("a.txt"), "one\n").expect("a file");
        std::fs::write(repo.join("log.txt"), "log\n").expect("a file");
        std::fs::write(repo.join("tests/t.sh"), TEST).expect("a file");
        git(&repo, &["add", "-A"]);
        git(&repo, &["commit", "-qm", "first"]);
        home.write("plan.toml", &plan(&home.desk()));
        Self::of(home, "plan.toml")
    }

    /// A build of the repository `repo` on the desk of this home.
    pub fn of(home: Home, plan: &str) -> Self {
        dying::install(&home);
        let said = home.baton(&["build", plan, "--repo", "repo", "--yes", "--no-drive"]);
        assert_eq!(said.code, Some(0), "{said:?}");
        let run = home.runs().pop().expect("a run");
        Self { home, run, seen: BTreeSet::new(), kills: 0 }
    }

    /// Drives it on to its end or to its death; nothing if it died.
    pub fn live(&mut self, point: Option<Point>) -> Option<Output> {
        let words = ["resume", &self.run, "--yes", "--json"];
        let output = dying::command(&self.home, &words, point).output().expect("it runs");
        let died = output.status.signal() == Some(9);
        self.kills += usize::from(died);
        let gone = self.look();
        assert!(gone.is_empty(), "no longer reachable after {point:?}: {gone:?}");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (!died).then(|| Output {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        })
    }

    /// Its own repository.
    pub fn store(&self) -> PathBuf {
        self.workshop().join("repo.git")
    }

    pub fn workshop(&self) -> PathBuf {
        self.home.path().join("workshops").join(&self.run)
    }

    /// Takes notice of every commit there is; those that were there before and are not any more.
    fn look(&mut self) -> Vec<String> {
        if !self.store().join("HEAD").exists() {
            return self.seen.iter().cloned().collect();
        }
        let now: BTreeSet<String> =
            git(&self.store(), &["rev-list", "--all"]).lines().map(str::to_owned).collect();
        let gone = self.seen.difference(&now).cloned().collect();
        self.seen.extend(now);
        gone
    }

    /// The ids of the runs of its efforts.
    pub fn efforts(&self) -> Vec<String> {
        self.home.runs().into_iter().filter(|run| *run != self.run).collect()
    }

    /// The journal of a run.
    pub fn journal(&self, run: &str) -> Vec<Value> {
        let said = self.home.baton(&["log", run, "--json"]).json();
        said.as_array().expect("records").clone()
    }
}
