//! Journals kept in files: recorded once by the program of their day, restored into a home of today's.
//!
//! A kept journal is the exact records and the long payloads they name, one JSON object a line. What it
//! must still fold to stands in text files beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use baton_engine::driver::Vault;
use baton_engine::engine::{Drive, Engine, Pace, StopSignal};
use baton_engine::host::{Host, Shown};
use baton_engine::record::{Body, Chained, table_hash};
use baton_engine::sim::SimClock;
use baton_engine::store::{CrashPlan, NewRun, Store, StoreOptions};
use baton_engine::torture::{Rehearse, TortureError};
use baton_engine::{DriveError, End, Hash, Idle, Millis, RunFile, RunId, SeededDice, Spend, Status, flow};
use baton_machine::{Word, describe};
use serde_json::{Value, json};

pub use hold::{Unkept, hold};

mod hold;

/// When every kept journal begins.
const EPOCH: Millis = Millis(1_700_000_000_000);

/// A journal in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The records.
    pub records: Vec<Chained>,
    /// The long payloads they name.
    pub blobs: BTreeMap<Hash, Vec<u8>>,
}

impl Kept {
    /// The journal of a run, with the payloads it names.
    pub fn of(engine: &Engine, run: &RunId) -> Result<Self, DriveError> {
        let records = engine.store.records(run, 1)?;
        let mut blobs = BTreeMap::new();
        for record in &records {
            for hash in named_blobs(&serde_json::from_str(&record.text).unwrap_or_default()) {
                blobs.insert(hash, engine.store.blobs().fetch(&hash)?);
            }
        }
        Ok(Self { records, blobs })
    }

    /// Reads a kept journal; `None` if the file is not one.
    pub fn read(path: &Path) -> Option<Self> {
        let mut kept = Self { records: Vec::new(), blobs: BTreeMap::new() };
        for line in std::fs::read_to_string(path).ok()?.lines() {
            let value: Value = serde_json::from_str(line).ok()?;
            let hash: Hash = value.get("hash")?.as_str()?.parse().ok()?;
            let text = value.get("text")?.as_str()?.to_owned();
            match value.get("n").and_then(Value::as_u64) {
                Some(n) => {
                    let at = Millis(value.get("at")?.as_u64()?);
                    kept.records.push(Chained { n, at, text, hash });
                }
                None => drop(kept.blobs.insert(hash, text.into_bytes())),
            }
        }
        Some(kept)
    }

    /// Writes it, records first.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        let record = |it: &Chained| json!({"n": it.n, "at": it.at, "hash": it.hash, "text": it.text});
        let blob =
            |(hash, bytes): (&Hash, &Vec<u8>)| json!({"hash": hash, "text": String::from_utf8_lossy(bytes)});
        let lines = self.records.iter().map(record).chain(self.blobs.iter().map(blob));
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, text)
    }

    /// Whether each record follows on from the one before it.
    pub fn is_whole(&self) -> bool {
        let before = std::iter::once(Hash::ZERO).chain(self.records.iter().map(|record| record.hash));
        self.records.iter().zip(before).all(|(record, previous)| record.follows(previous))
    }

    /// Puts the journal into a home, as it lay in its own when it was recorded.
    pub async fn restore<W: Rehearse>(&self, engine: &Engine) -> Result<RunId, DriveError> {
        let unfit = |what: &str| DriveError::Unfit { n: 1, what: what.to_owned() };
        let first = self.records.first().ok_or_else(|| unfit("the journal is empty"))?;
        let Ok(Body::Started(started)) = first.open().map(|record| record.body) else {
            return Err(unfit("the journal does not begin with `started`"));
        };
        let (mut state, mut status) = (W::START.name().to_owned(), Status::Running);
        for record in &self.records {
            match record.open().map(|record| record.body) {
                Ok(Body::Event(happened)) => state = happened.to,
                Ok(Body::Stopped(stopped)) => status = Status::Stopped(stopped.reason),
                Ok(Body::Resumed(_)) => status = Status::Running,
                _ => {}
            }
        }
        engine.store.create(NewRun {
            name: started.run.clone(),
            workflow: started.workflow.clone(),
            title: started.title.clone(),
            parent: None,
            shares: None,
            state: state.clone(),
            first: first.clone(),
            blobs: self.blobs.clone().into_iter().collect(),
            table: (started.table, serde_json::to_string(&describe(W::TABLE)).unwrap_or_default()),
        })?;
        let lease = engine.store.lease(&started.run).await?;
        let mut host = engine.host(lease, &started.run, &how())?;
        for record in &self.records[1..] {
            host.append(record.clone(), Vec::new());
        }
        let at = self.records.last().map_or(EPOCH, |record| record.at);
        host.show(Shown { state: state.into(), status, spent: Spend::NONE, at });
        host.flush().await.map_err(|stop| unfit(&stop.to_string()))?;
        Ok(started.run)
    }

    /// Every name the records hold: kinds of records and acts, states, events, guards, step and question
    /// names with their numbers forgotten, and the paths of all fields.
    pub fn names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for record in &self.records {
            let body: Value = serde_json::from_str(&record.text).unwrap_or_default();
            let Some((kind, body)) = body.as_object().and_then(|it| it.iter().next()) else { continue };
            let of = body.get("kind").and_then(Value::as_str);
            let of = of.or_else(|| body.pointer("/event/is")?.as_object()?.keys().next().map(String::as_str));
            let place = of.map_or_else(|| kind.clone(), |of| format!("{kind} {of}"));
            if let Some(key) = body.get("key").and_then(Value::as_str) {
                names.insert(format!("{place} key {}", pattern(key)));
            }
            fields(&place, body, &mut names);
        }
        for bytes in self.blobs.values() {
            fields("blob", &serde_json::from_slice(bytes).unwrap_or_default(), &mut names);
        }
        names
    }
}

/// The paths of the fields below a value. Objects whose keys are data fold into one name.
pub fn fields(place: &str, value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, below) in object {
                let place = format!("{place}.{}", pattern(name));
                names.insert(place.clone());
                fields(&place, below, names);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| fields(&format!("{place}[]"), item, names)),
        _ => {}
    }
}

/// A name with its numbers and hashes forgotten.
fn pattern(name: &str) -> String {
    let mut out = String::new();
    for part in name.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric()) {
        let word = part.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric());
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        let is_hash = word.len() >= 8 && digits > 0 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hash {
            out.push('#');
        } else {
            let mut last_was_digit = false;
            for letter in word.chars() {
                if !letter.is_ascii_digit() {
                    out.push(letter);
                } else if !last_was_digit {
                    out.push('#');
                }
                last_was_digit = letter.is_ascii_digit();
            }
        }
        out.push_str(&part[word.len()..]);
    }
    out
}

fn named_blobs(value: &Value) -> Vec<Hash> {
    match value {
        Value::Object(object) => {
            let named = object.get("blob").filter(|_| object.len() == 1).and_then(Value::as_str);
            match named.and_then(|text| text.parse().ok()) {
                Some(hash) => vec![hash],
                None => object.values().flat_map(named_blobs).collect(),
            }
        }
        Value::Array(items) => items.iter().flat_map(named_blobs).collect(),
        _ => Vec::new(),
    }
}

/// An engine on a home, with the rehearsal's world and a clock that jumps.
pub fn engine<W: Rehearse>(home: &Path, crash: Option<Arc<CrashPlan>>) -> Result<Engine, TortureError> {
    Ok(Engine {
        store: Store::open(home, &StoreOptions { crash, ..StoreOptions::default() })?,
        clock: Arc::new(SimClock::jumping(EPOCH)),
        dice: Arc::new(SeededDice::new(1)),
        effects: W::rehearsal().effects,
    })
}

/// How kept journals are driven: nobody waits, nobody stops them.
pub fn how() -> Drive {
    Drive {
        idle: Idle::Leave,
        pace: Pace { poll: None, grace: Duration::ZERO },
        stop: StopSignal::never(),
        by: "the test".to_owned(),
        settings: None,
    }
}

/// Drives a run until it ends or stops, answering what it asks with `answer`.
pub async fn drive_on<W: Rehearse>(
    engine: &Engine,
    run: &RunId,
    answer: fn(&baton_engine::OpenQuestion) -> Value,
) -> Result<End, DriveError> {
    for _ in 0..1_000 {
        let end = engine.drive::<W>(run, how(), &mut ()).await?;
        if end != End::Waiting {
            return Ok(end);
        }
        for open in engine.store.questions(Some(run))? {
            engine.answer::<W>(run, &open.key, &answer(&open), "the test")?;
        }
    }
    Ok(End::Waiting)
}

/// The table of a workflow in words, with its content hash.
pub fn table_words<W: Rehearse>() -> String {
    let table = describe(W::TABLE);
    let json = serde_json::to_string_pretty(&table).unwrap_or_default();
    format!("table {}\ncode version {}\n{json}\n", table_hash(&table), W::CODE_VERSION)
}

/// All files of a run in one text, and its memory.
pub fn folded<W: Rehearse>(engine: &Engine, run: &RunId) -> Result<(Value, String), DriveError> {
    let flow = flow::<W>();
    let present = flow.present(engine, run)?;
    let memory = json!({
        "state": present.state, "visit": present.visit, "purse": present.purse, "memory": present.memory(),
    });
    Ok((memory, flow.files(engine, run)?.iter().map(file_text).collect()))
}

fn file_text(file: &RunFile) -> String {
    let content = match &file.copy_of {
        Some(from) => format!("copy of {from}"),
        None => String::from_utf8_lossy(&file.content).into_owned(),
    };
    format!("=== {}\n{}\n", file.path, content.trim_end())
}
