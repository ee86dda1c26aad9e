//! One run from its start to its rest: processes that are killed at moments drawn from the seed, and the next one that
//! goes on. After each process the journal is looked at, as a stranger would: what stood there must stand there for ever.

use std::io::Read as _;
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use baton_engine::{Clock, Status, SystemClock};
use baton_testkit::model_server::Chance;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _};
use rustix::process::{Pid, Signal, kill_process};

use super::world::{Kind, World, title};

/// A kill this soon after a resume meets a process that is still reading its journal, or has just gone on.
const EARLY: Duration = Duration::from_secs(1);
/// How long the last process may take before it is asked to stop...
const PATIENCE: Duration = Duration::from_secs(40);
/// ...and to do so: calls in flight get ten seconds.
const GRACE: Duration = Duration::from_secs(60);
/// No run needs so many.
const MOST_PROCESSES: u32 = 40;

/// The last record of a run that somebody saw.
pub struct Sighting {
    pub n: u64,
    pub hash: Vec<u8>,
}

/// What became of a run, and how it was treated.
pub struct Lived {
    pub number: u64,
    pub kind: Kind,
    /// Its name, once it was seen.
    pub run: Option<String>,
    pub kills: u32,
    /// Kills within a second of a resume.
    pub early: u32,
    pub resumes: u32,
    pub sightings: Vec<Sighting>,
    pub findings: Vec<String>,
}

/// Where a run stands.
struct Standing {
    run: String,
    status: Status,
    last: Sighting,
    /// A step of which a person must say whether it happened.
    doubt: Option<String>,
}

enum Ended {
    Killed,
    Itself(Option<i32>),
}

pub struct Life<'a> {
    world: &'a World,
    chance: Chance,
    lived: Lived,
}

impl<'a> Life<'a> {
    /// A run of a kind that follows from the seed, as everything else about it.
    pub fn new(world: &'a World, number: u64, seed: u64) -> Self {
        let mut chance = Chance::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
        let kind = Kind::of(&mut chance);
        Self::of(kind, world, number, chance)
    }

    pub fn of(kind: Kind, world: &'a World, number: u64, mut chance: Chance) -> Self {
        world.prepare(number, &mut chance);
        let lived = Lived {
            number,
            kind,
            run: None,
            kills: 0,
            early: 0,
            resumes: 0,
            sightings: Vec::new(),
            findings: Vec::new(),
        };
        Self { world, chance, lived }
    }

    /// Starts the run and kills it a number of times, but not after `over`; then lets it come to rest.
    pub fn live(mut self, over: Duration) -> Lived {
        let mut kills_left = 5 + self.chance.below(5);
        let mut stops_left = 2;
        for _ in 0..MOST_PROCESSES {
            let before = self.look();
            if before.as_ref().is_some_and(|standing| matches!(standing.status, Status::Finished(_))) {
                return self.lived;
            }
            let words = self.words(before.as_ref());
            let is_resume = before.is_some();
            let may_kill = kills_left > 0 && SystemClock.steady() < over;
            let kill_after = may_kill.then(|| self.moment(is_resume));
            self.lived.resumes += u32::from(is_resume);
            match self.process(&words, kill_after) {
                Ended::Killed => {
                    kills_left = kills_left.saturating_sub(1);
                    self.lived.kills += 1;
                    self.lived.early +=
                        u32::from(is_resume && kill_after.is_some_and(|after| after <= EARLY));
                }
                Ended::Itself(code) => {
                    if self.rests(&words, code, &mut stops_left) {
                        return self.lived;
                    }
                }
            }
        }
        self.find(&format!("it never came to rest in {MOST_PROCESSES} processes"));
        self.lived
    }

    /// When to kill: two of three resumes within a second, everything else when it has got somewhere.
    fn moment(&mut self, is_resume: bool) -> Duration {
        let early = is_resume && self.chance.below(3) < 2;
        let (from, span) = if early { (0, 1_000) } else { (200, 1_800) };
        Duration::from_millis(from + self.chance.below(span) as u64)
    }

    fn words(&mut self, standing: Option<&Standing>) -> Vec<String> {
        let Some(Standing { run, doubt, .. }) = standing else {
            return self.world.words(self.lived.number, self.lived.kind);
        };
        let words = match doubt {
            Some(key) => {
                let yes = r#"{"happened": true, "result": {"code": 0, "output": "told"}}"#;
                let told = if self.chance.below(2) == 0 { yes } else { r#"{"happened": false}"# };
                vec!["answer", run, key, told]
            }
            None => vec!["resume", run, "--yes"],
        };
        words.into_iter().map(str::to_owned).collect()
    }

    /// Whether a run whose process has ended by itself is done with.
    fn rests(&mut self, words: &[String], code: Option<i32>, stops_left: &mut u32) -> bool {
        let Some(standing) = self.look() else {
            self.find(&format!("{words:?} ended with {code:?} and left no run: {}", self.errors()));
            return true;
        };
        match (&standing.status, &standing.doubt) {
            (Status::Finished(_), _) => true,
            (Status::Waiting, Some(_)) => false,
            // Who answers does not say yes to what comes next.
            (Status::Waiting, None) => words[0] != "answer",
            // What is stopped can be resumed; twice is enough to see that.
            (Status::Stopped(_), _) => {
                *stops_left -= 1;
                *stops_left == 0
            }
            (Status::Running, _) => {
                self.find(&format!("{words:?} ended with {code:?} in the middle: {}", self.errors()));
                true
            }
        }
    }

    /// Runs the program to its end, or for so long.
    fn process(&mut self, words: &[String], kill_after: Option<Duration>) -> Ended {
        let mut child = self.world.command(self.lived.number, words).spawn().expect("it starts");
        let ended = end_of(&mut child);
        match ended.recv_timeout(kill_after.unwrap_or(PATIENCE)) {
            Err(RecvTimeoutError::Timeout) if kill_after.is_some() => {
                child.kill().expect("killed");
                child.wait().expect("ended");
                return Ended::Killed;
            }
            Err(RecvTimeoutError::Timeout) => {
                kill_process(Pid::from_child(&child), Signal::INT).expect("signalled");
                if ended.recv_timeout(GRACE).is_err() {
                    self.find(&format!("{words:?} did not stop within {GRACE:?} of a signal"));
                    child.kill().expect("killed");
                }
            }
            Ok(()) | Err(RecvTimeoutError::Disconnected) => {}
        }
        Ended::Itself(child.wait().expect("ended").code())
    }

    /// Looks at the run without the program's help, and remembers what it saw.
    fn look(&mut self) -> Option<Standing> {
        let standing = standing(self.world, self.lived.number)?;
        let Standing { run, last, .. } = &standing;
        self.lived.run.get_or_insert_with(|| run.clone());
        self.lived.sightings.push(Sighting { n: last.n, hash: last.hash.clone() });
        Some(standing)
    }

    fn errors(&self) -> String {
        std::fs::read_to_string(self.world.own(self.lived.number).join("errors")).unwrap_or_default()
    }

    fn find(&mut self, what: &str) {
        self.lived.findings.push(format!("run {} ({:?}): {what}", self.lived.number, self.lived.kind));
    }
}

/// Told when the child closes its output, which it does when it ends.
fn end_of(child: &mut Child) -> Receiver<()> {
    let mut out = child.stdout.take().expect("a pipe");
    let (tell, ended) = channel();
    std::thread::spawn(move || {
        let mut text = Vec::new();
        drop(out.read_to_end(&mut text));
        // Nobody listens any more if it was killed meanwhile.
        let _ = tell.send(());
    });
    ended
}

fn standing(world: &World, number: u64) -> Option<Standing> {
    let file = world.kept().join("baton.db");
    if !file.exists() {
        return None;
    }
    let database = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE).expect("a database");
    database.busy_timeout(Duration::from_secs(30)).expect("patient");
    // What a killed process left in the log is for the program to take in, not for us.
    database.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).expect("set");
    // A process killed while it made the file leaves one without tables.
    let made = "SELECT count(*) FROM sqlite_schema WHERE name = 'run'";
    let is_made: i64 = database.query_row(made, [], |row| row.get(0)).expect("counted");
    if is_made == 0 {
        return None;
    }
    let sql = "SELECT run.name, run.status, head.records, record.hash,
                      (SELECT key FROM question WHERE question.run = run.id AND key LIKE '%?%' LIMIT 1)
               FROM run JOIN head ON head.run = run.id JOIN record ON record.seq = head.last WHERE title LIKE ?1 || '%'";
    let read = |row: &rusqlite::Row<'_>| {
        let status: String = row.get(1)?;
        Ok(Standing {
            run: row.get(0)?,
            status: serde_json::from_str(&status).expect("a status"),
            last: Sighting { n: row.get::<_, i64>(2)?.cast_unsigned(), hash: row.get(3)? },
            doubt: row.get(4)?,
        })
    };
    database.query_row(sql, [title(number)], read).optional().expect("read")
}
