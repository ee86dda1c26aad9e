//! Unpacking: nothing is believed that the hashes do not say.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Read};

use baton_machine::TableText;
use sha2::{Digest, Sha256};

use super::standing::Standings;
use super::{FORM, Label, MAGIC, ParcelError, RestsAt, Tally, hashes_in};
use crate::record::{Chained, table_hash};
use crate::{Hash, Millis, RunId};

/// The longest line: a label with its title.
const LONGEST_LINE: u64 = 1 << 20;
/// The longest body of a record: long payloads stand apart.
const LONGEST_RECORD: u64 = 64 << 20;
/// The longest of anything else.
const LONGEST: u64 = 1 << 30;

/// Takes what is too long to be held in memory together.
pub trait Sink {
    /// A long payload.
    fn payload(&mut self, hash: &Hash, bytes: &[u8]) -> Result<(), ParcelError>;
    /// An archived text.
    fn archived(&mut self, hash: &Hash, bytes: &[u8]) -> Result<(), ParcelError>;
}

/// Only looks.
impl Sink for () {
    fn payload(&mut self, _hash: &Hash, _bytes: &[u8]) -> Result<(), ParcelError> {
        Ok(())
    }
    fn archived(&mut self, _hash: &Hash, _bytes: &[u8]) -> Result<(), ParcelError> {
        Ok(())
    }
}

/// One run of a parcel.
#[derive(Clone, Debug)]
pub struct Packed {
    /// What is said of it, and found to be so.
    pub label: Label,
    /// Its records.
    pub records: Vec<Chained>,
    /// Where it rests by them.
    pub rests: RestsAt,
}

/// What a parcel holds.
#[derive(Clone, Debug)]
pub struct Contents {
    /// Its runs, parents before their children.
    pub runs: Vec<Packed>,
    /// Their tables.
    pub tables: BTreeMap<Hash, String>,
    /// The sums.
    pub tally: Tally,
}

/// Reads a parcel to its end and checks all of it.
pub fn read(from: impl BufRead, sink: &mut dyn Sink) -> Result<Contents, ParcelError> {
    let mut reader = Reader { from, hasher: Sha256::new(), bytes: 0 };
    reader.form()?;
    let mut unpacking = Unpacking::default();
    loop {
        let before = Hash(reader.hasher.clone().finalize().into());
        let line = reader.line("the end")?;
        let (kind, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match kind {
            "table" => unpacking.table(&mut reader, rest)?,
            "run" => unpacking.run(rest)?,
            "record" => unpacking.record(&mut reader, rest)?,
            "payload" | "archived" => unpacking.part(&mut reader, kind, rest, sink)?,
            "end" if rest == before.to_string() => {
                reader.nothing_behind()?;
                return unpacking.contents(reader.bytes, before);
            }
            "end" => return Err(damaged("its bytes do not have the hash at its end")),
            _ => return Err(damaged("it has a part of an unknown kind")),
        }
    }
}

fn damaged(what: impl Into<String>) -> ParcelError {
    ParcelError::Damaged(what.into())
}

struct Reader<R> {
    from: R,
    hasher: Sha256,
    bytes: u64,
}

impl<R: BufRead> Reader<R> {
    fn form(&mut self) -> Result<(), ParcelError> {
        let line = self.line("the first line").map_err(|error| match error {
            ParcelError::Damaged(_) => ParcelError::Foreign,
            other => other,
        })?;
        let form = line.strip_prefix(MAGIC).and_then(|form| form.strip_prefix(' '));
        match form.map(str::parse::<u32>) {
            Some(Ok(FORM)) => Ok(()),
            Some(Ok(form)) if form > FORM => {
                Err(ParcelError::Newer { what: format!("form {form}; this one knows up to {FORM}") })
            }
            _ => Err(ParcelError::Foreign),
        }
    }

    fn line(&mut self, missing: &'static str) -> Result<String, ParcelError> {
        let mut line = Vec::new();
        (&mut self.from).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        self.count(&line);
        match line.pop() {
            Some(b'\n') => String::from_utf8(line).map_err(|_| damaged("a line is not text")),
            Some(_) if line.len() as u64 + 1 == LONGEST_LINE => Err(damaged("a line is too long")),
            _ => Err(ParcelError::Truncated { bytes: self.bytes, missing }),
        }
    }

    /// So many bytes, and the end of the line behind them. A length that is a lie costs no memory.
    fn body(&mut self, length: &str, longest: u64, missing: &'static str) -> Result<Vec<u8>, ParcelError> {
        let length = number(length)?;
        if length > longest {
            return Err(damaged(format!("a part says that it has {length} bytes")));
        }
        let mut body = Vec::new();
        (&mut self.from).take(length + 1).read_to_end(&mut body)?;
        self.count(&body);
        if body.len() as u64 <= length {
            return Err(ParcelError::Truncated { bytes: self.bytes, missing });
        }
        match body.pop() {
            Some(b'\n') => Ok(body),
            _ => Err(damaged("a part is longer than it says")),
        }
    }

    fn count(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    fn nothing_behind(&mut self) -> Result<(), ParcelError> {
        if self.from.fill_buf()?.is_empty() {
            Ok(())
        } else {
            Err(damaged("something stands behind its end"))
        }
    }
}

/// The kinds of parts, in the order in which they stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    #[default]
    Tables,
    Runs,
    Payloads,
    Archived,
}

#[derive(Default)]
struct Unpacking {
    stage: Stage,
    last: Option<Hash>,
    tables: BTreeMap<Hash, (String, TableText)>,
    runs: Vec<(Label, Vec<Chained>, Standings)>,
    /// Long payloads that records name and that have not come yet.
    awaited: BTreeSet<Hash>,
    /// Everything that looks like a hash so far.
    named: BTreeSet<Hash>,
    payloads: usize,
    archived: usize,
}

impl Unpacking {
    /// Parts stand in the order of their kinds, and of their hashes within a kind.
    fn enter(&mut self, stage: Stage, hash: Option<Hash>) -> Result<(), ParcelError> {
        if stage < self.stage {
            return Err(damaged("its parts are not in order"));
        }
        if stage > self.stage {
            self.last = None;
        }
        if hash.is_some() && hash <= self.last {
            return Err(damaged("its parts are not in order"));
        }
        (self.stage, self.last) = (stage, hash);
        Ok(())
    }

    fn table<R: BufRead>(&mut self, reader: &mut Reader<R>, rest: &str) -> Result<(), ParcelError> {
        let (hash, bytes) = hashed(reader, rest, "a table")?;
        self.enter(Stage::Tables, Some(hash))?;
        let text = String::from_utf8(bytes).map_err(|_| damaged("a table is not text"))?;
        let table: TableText = serde_json::from_str(&text)
            .map_err(|error| ParcelError::Newer { what: format!("a table that cannot be read: {error}") })?;
        if Hash::of(text.as_bytes()) != hash || table_hash(&table) != hash {
            return Err(damaged("a table does not have its hash"));
        }
        self.tables.insert(hash, (text, table));
        Ok(())
    }

    fn run(&mut self, rest: &str) -> Result<(), ParcelError> {
        self.enter(Stage::Runs, None)?;
        let label: Label = serde_json::from_str(rest)
            .map_err(|error| damaged(format!("a run is badly labelled: {error}")))?;
        if serde_json::to_string(&label).is_ok_and(|again| again != rest) {
            return Err(damaged("a run is not labelled as `baton export` labels one"));
        }
        if self.runs.iter().any(|(other, ..)| other.run == label.run) {
            return Err(damaged(format!("run {} is in it twice", label.run)));
        }
        let before = |parent: &RunId| self.runs.iter().any(|(other, ..)| other.run == *parent);
        match &label.parent {
            Some(parent) if !before(parent) => {
                return Err(damaged(format!(
                    "run {} stands before run {parent}, to which it belongs",
                    label.run
                )));
            }
            None if !self.runs.is_empty() => {
                return Err(damaged(format!("run {} belongs to none of the others", label.run)));
            }
            _ => {}
        }
        self.runs.push((label, Vec::new(), Standings::default()));
        Ok(())
    }

    fn record<R: BufRead>(&mut self, reader: &mut Reader<R>, rest: &str) -> Result<(), ParcelError> {
        self.enter(Stage::Runs, None)?;
        let [n, at, hash, length] = words(rest)?;
        let text = reader.body(length, LONGEST_RECORD, "a record")?;
        let text = String::from_utf8(text).map_err(|_| damaged(format!("record {n} is not text")))?;
        let (n, at, hash) = (number(n)?, Millis(number(at)?), parse_hash(hash)?);
        let Some((label, records, standings)) = self.runs.last_mut() else {
            return Err(damaged("a record stands before its run"));
        };
        let record = Chained { n, at, text, hash };
        let previous = records.last().map_or((0, Hash::ZERO), |last| (last.n, last.hash));
        if n != previous.0 + 1 || !record.follows(previous.1) {
            return Err(damaged(format!(
                "record {n} of run {} does not follow the one before it",
                label.run
            )));
        }
        self.awaited.extend(record.long_payload());
        hashes_in(record.text.as_bytes(), &mut self.named);
        standings.take(label, &record, &self.tables)?;
        records.push(record);
        Ok(())
    }

    fn part<R: BufRead>(
        &mut self,
        reader: &mut Reader<R>,
        kind: &str,
        rest: &str,
        sink: &mut dyn Sink,
    ) -> Result<(), ParcelError> {
        let (hash, bytes) = hashed(reader, rest, "a long payload or archived text")?;
        if Hash::of(&bytes) != hash {
            return Err(damaged(format!("the bytes of {} do not have their hash", hash.short())));
        }
        let unnamed = || damaged(format!("no record names {}", hash.short()));
        if kind == "payload" {
            self.enter(Stage::Payloads, Some(hash))?;
            if !self.awaited.remove(&hash) {
                return Err(unnamed());
            }
            hashes_in(&bytes, &mut self.named);
            self.payloads += 1;
            return sink.payload(&hash, &bytes);
        }
        self.enter(Stage::Archived, Some(hash))?;
        if !self.named.contains(&hash) {
            return Err(unnamed());
        }
        self.archived += 1;
        sink.archived(&hash, &bytes)
    }

    fn contents(self, bytes: u64, hash: Hash) -> Result<Contents, ParcelError> {
        if let Some(missing) = self.awaited.first() {
            return Err(damaged(format!("a record names {}, which is not in it", missing.short())));
        }
        if self.runs.is_empty() {
            return Err(damaged("it holds no run"));
        }
        let mut runs = Vec::with_capacity(self.runs.len());
        for (label, records, standings) in self.runs {
            let rests = standings.finish(&label, &records)?;
            runs.push(Packed { label, records, rests });
        }
        let tally = Tally {
            runs: runs.iter().map(|packed| packed.label.run.clone()).collect(),
            records: runs.iter().map(|packed| packed.records.len() as u64).sum(),
            payloads: self.payloads,
            archived: self.archived,
            bytes,
            hash,
        };
        let tables = self.tables.into_iter().map(|(hash, (text, _))| (hash, text)).collect();
        Ok(Contents { runs, tables, tally })
    }
}

/// A part under its hash.
fn hashed<R: BufRead>(
    reader: &mut Reader<R>,
    rest: &str,
    missing: &'static str,
) -> Result<(Hash, Vec<u8>), ParcelError> {
    let [hash, length] = words(rest)?;
    let hash = parse_hash(hash)?;
    Ok((hash, reader.body(length, LONGEST, missing)?))
}

fn words<const N: usize>(rest: &str) -> Result<[&str; N], ParcelError> {
    let words: Vec<&str> = rest.split(' ').collect();
    words.try_into().map_err(|_| damaged("a line has too few or too many words"))
}

/// A number as it is written: no sign, no zero in front.
fn number(text: &str) -> Result<u64, ParcelError> {
    let number: Option<u64> = text.parse().ok();
    number
        .filter(|number| number.to_string() == text && i64::try_from(*number).is_ok())
        .ok_or_else(|| damaged("a number is not one"))
}

fn parse_hash(text: &str) -> Result<Hash, ParcelError> {
    let hash: Option<Hash> = text.parse().ok();
    hash.filter(|hash| hash.to_string() == text).ok_or_else(|| damaged("a hash is not one"))
}
