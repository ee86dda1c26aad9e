//! The folder a reader opens, held against what the journal renders: any workflow's files, byte for byte, and the copies
//! of sources against the archive.

use std::collections::BTreeSet;
use std::path::Path;

use baton_agents::read::archive::Archive;
use baton_agents::read::bounded;
use baton_engine::RunFile;
use serde::Serialize;

/// The largest file that is compared.
const LARGEST: u64 = 256 << 20;
/// So many places of one file are named.
const MOST_SPOTS: usize = 8;
/// So many files that nobody wrote are named.
const MOST_EXTRA: usize = 20;

/// What comparing a folder brought.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Files that were compared.
    pub files: usize,
    /// What is not as it was written.
    pub flaws: Vec<FileFlaw>,
    /// Files that no run writes; they are somebody's own.
    pub extra: Vec<String>,
}

/// A file that is not what the journal renders.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "problem", rename_all = "snake_case")]
pub enum FileFlaw {
    /// Bytes of it were changed.
    FileChanged {
        /// Which.
        file: String,
        /// Where, in order.
        spots: Vec<Spot>,
        /// Places that are not listed.
        more: usize,
    },
    /// It is gone.
    FileMissing {
        /// Which.
        file: String,
    },
    /// It cannot be read.
    FileUnreadable {
        /// Which.
        file: String,
        /// Why.
        reason: String,
    },
    /// What it is a copy of is gone or changed in the archive.
    OriginalChanged {
        /// Which.
        file: String,
        /// What is wrong with the original.
        reason: String,
    },
}

/// A place where a file differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// The first byte that differs, from 0.
    pub offset: usize,
    /// Its line, from 1.
    pub line: usize,
    /// How many bytes of the file differ here; none if some are missing.
    pub bytes: usize,
}

impl FileFlaw {
    /// The file.
    pub fn file(&self) -> &str {
        match self {
            Self::FileChanged { file, .. }
            | Self::FileMissing { file }
            | Self::FileUnreadable { file, .. }
            | Self::OriginalChanged { file, .. } => file,
        }
    }

    /// For people.
    pub fn words(&self) -> String {
        match self {
            Self::FileChanged { file, spots, more } => {
                let places: Vec<String> = spots.iter().map(Spot::words).collect();
                let more = if *more > 0 { format!(", and in {more} more places") } else { String::new() };
                format!(
                    "{file} is not the file that was written: it differs at {}{more}",
                    places.join(", at ")
                )
            }
            Self::FileMissing { file } => format!("{file} is gone"),
            Self::FileUnreadable { file, reason } => format!("{file} cannot be read: it {reason}"),
            Self::OriginalChanged { file, reason } => format!("the archived original of {file}: {reason}"),
        }
    }
}

impl Spot {
    fn words(&self) -> String {
        let Self { offset, line, bytes } = self;
        let length = match bytes {
            0 => ", where bytes are missing".to_owned(),
            1 => String::new(),
            bytes => format!(", {bytes} bytes"),
        };
        format!("byte {offset} (line {line}{length})")
    }
}

/// Compares a run's folder with its files.
pub fn compare(folder: &Path, files: &[RunFile], archive: &Archive) -> Compared {
    let flaws = files.iter().filter_map(|file| flaw(folder, file, archive)).collect();
    Compared { files: files.len(), flaws, extra: extra(folder, files) }
}

fn flaw(folder: &Path, file: &RunFile, archive: &Archive) -> Option<FileFlaw> {
    let name = file.path.clone();
    let archived;
    let wanted = match &file.copy_of {
        None => &file.content,
        Some(place) => match archive.get(place.rsplit('/').next().unwrap_or_default()) {
            Ok(bytes) => {
                archived = bytes;
                &archived
            }
            Err(error) => {
                return Some(FileFlaw::OriginalChanged { file: name, reason: error.to_string() });
            }
        },
    };
    match bounded::bytes(&folder.join(&file.path), LARGEST) {
        Ok(found) if found == *wanted => None,
        Ok(found) => {
            let mut spots = differences(wanted, &found);
            let more = spots.len().saturating_sub(MOST_SPOTS);
            spots.truncate(MOST_SPOTS);
            Some(FileFlaw::FileChanged { file: name, spots, more })
        }
        Err(refusal) if refusal.is_missing() => Some(FileFlaw::FileMissing { file: name }),
        Err(refusal) => Some(FileFlaw::FileUnreadable { file: name, reason: refusal.to_string() }),
    }
}

/// Every run of bytes that differs where both are as long; else all between the common beginning and the common end.
fn differences(wanted: &[u8], found: &[u8]) -> Vec<Spot> {
    let spot = |offset: usize, bytes: usize| {
        let before = found.get(..offset).unwrap_or(found);
        Spot { offset, line: before.iter().filter(|byte| **byte == b'\n').count() + 1, bytes }
    };
    if wanted.len() != found.len() {
        let start = wanted.iter().zip(found).take_while(|(a, b)| a == b).count();
        let rest = wanted.len().min(found.len()) - start;
        let end = wanted.iter().rev().zip(found.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
        return vec![spot(start, found.len() - end - start)];
    }
    let mut spots: Vec<Spot> = Vec::new();
    let differing = wanted.iter().zip(found).enumerate().filter(|(_, (a, b))| a != b).map(|(at, _)| at);
    for at in differing {
        // Counting lines for each would be slow in a file where everything differs.
        let is_shown = spots.len() < MOST_SPOTS;
        match spots.last_mut() {
            Some(last) if last.offset + last.bytes == at => last.bytes += 1,
            _ if is_shown => spots.push(spot(at, 1)),
            _ => spots.push(Spot { offset: at, line: 0, bytes: 1 }),
        }
    }
    spots
}

/// Files below the folder that the run does not write. What a writer left unfinished is its own.
fn extra(folder: &Path, files: &[RunFile]) -> Vec<String> {
    let known: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let Ok(below) = path.strip_prefix(folder) else { continue };
            let name = below.to_string_lossy().into_owned();
            if is_folder {
                open.push(path);
            } else if !known.contains(name.as_str()) && !name.ends_with(".unfinished") {
                found.push(name);
            }
        }
    }
    found.sort();
    found.truncate(MOST_EXTRA);
    found
}

#[cfg(test)]
mod tests;
