//! Cutting a change into parts, as somebody planned it or by rules: hunks stay with their file unless the file alone is too large, files with their
//! folder, tests with their subject; parts are filled in that order up to the soft limit.

use std::collections::BTreeMap;

use crate::coding::order::SizeLimits;
use crate::coding::paths::any_covers;
use crate::git::{Diff, DiffFile, Hunk, PartSpec};

/// What cannot be cut any further.
#[derive(Clone, Debug, Default)]
struct Atom {
    files: Vec<String>,
    patch: Option<String>,
    lines: u64,
}

/// The parts of a change, or why there are none.
pub fn parts(diff: &Diff, limits: &SizeLimits, tests: &[String]) -> Result<Vec<PartSpec>, String> {
    let mut files: Vec<&DiffFile> = diff.files.iter().collect();
    files.sort_by_key(|file| order_of(&file.path, tests));
    let mut atoms = Vec::new();
    for file in files {
        atoms.extend(atoms_of(file, limits)?);
    }
    let mut parts: Vec<PartSpec> = Vec::new();
    for atom in atoms {
        let room = parts.last().is_some_and(|part| part.lines + atom.lines <= limits.soft);
        if !room {
            parts.push(PartSpec::default());
        }
        let Some(part) = parts.last_mut() else { continue };
        part.files.extend(atom.files);
        part.patches.extend(atom.patch);
        part.lines += atom.lines;
    }
    if parts.len() < 2 { Err("there is nothing to cut it into".to_owned()) } else { Ok(parts) }
}

/// The parts that somebody planned, by their files, or why the plan does not hold: every changed file stands in one part, no
/// other does, and no part is too large.
pub fn planned(diff: &Diff, limits: &SizeLimits, plan: &[Vec<String>]) -> Result<Vec<PartSpec>, String> {
    if plan.len() < 2 {
        return Err("it has fewer than two parts".to_owned());
    }
    let mut left: BTreeMap<&str, &DiffFile> =
        diff.files.iter().map(|file| (file.path.as_str(), file)).collect();
    let mut parts = Vec::new();
    for (number, files) in plan.iter().enumerate() {
        let mut part = PartSpec::default();
        for path in files {
            let Some(file) = left.remove(path.as_str()) else {
                let is_changed = diff.files.iter().any(|file| file.path == *path);
                let why = if is_changed { "stands in two places" } else { "is none of the changed files" };
                return Err(format!("{path} {why}"));
            };
            part.files.extend(std::iter::once(file.path.clone()).chain(file.old_path.clone()));
            part.lines += added(file, limits);
        }
        if part.files.is_empty() {
            return Err(format!("its part {} is empty", number + 1));
        }
        if part.lines > limits.hard {
            let (lines, hard) = (part.lines, limits.hard);
            return Err(format!("its part {} adds {lines} lines, more than {hard}", number + 1));
        }
        parts.push(part);
    }
    match left.keys().next() {
        None => Ok(parts),
        Some(path) => Err(format!("{path} is in none of its parts")),
    }
}

/// The lines that a file adds, as they are counted.
pub fn added(file: &DiffFile, limits: &SizeLimits) -> u64 {
    if any_covers(&limits.exclude, &file.path) {
        return 0;
    }
    file.hunks.iter().map(|hunk| hunk.added().count() as u64).sum()
}

/// Files by folder; a test stands behind its subject, and what belongs to no folder comes first.
fn order_of(path: &str, tests: &[String]) -> (String, u8, String) {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    let is_test = any_covers(tests, path);
    let subject = stem.trim_start_matches("test_").trim_end_matches("_test").trim_end_matches("_tests");
    if is_test {
        (subject.to_owned(), 1, path.to_owned())
    } else {
        (stem.to_owned(), 0, format!("{folder}/{name}"))
    }
}

/// A file as one atom, or its hunks where it alone is too large.
fn atoms_of(file: &DiffFile, limits: &SizeLimits) -> Result<Vec<Atom>, String> {
    let counts =
        |hunk: &Hunk| if any_covers(&limits.exclude, &file.path) { 0 } else { hunk.added().count() as u64 };
    let lines = added(file, limits);
    if lines <= limits.soft {
        let files = std::iter::once(file.path.clone()).chain(file.old_path.clone()).collect();
        return Ok(vec![Atom { files, patch: None, lines }]);
    }
    let is_whole = file.is_new || file.is_gone || file.old_path.is_some() || file.binary;
    if is_whole || file.hunks.len() < 2 {
        return Err(format!("{} alone adds {lines} lines in one piece; a person has to cut it", file.path));
    }
    let mut atoms: Vec<(Vec<Hunk>, u64)> = Vec::new();
    for hunk in &file.hunks {
        let more = counts(hunk);
        if more > limits.hard {
            return Err(format!("{} adds {more} lines in one place; a person has to cut it", file.path));
        }
        match atoms.last_mut() {
            Some((hunks, lines)) if *lines + more <= limits.soft => {
                hunks.push(hunk.clone());
                *lines += more;
            }
            _ => atoms.push((vec![hunk.clone()], more)),
        }
    }
    Ok(atoms
        .into_iter()
        .map(|(hunks, lines)| Atom { files: Vec::new(), patch: Some(file.patch(&hunks)), lines })
        .collect())
}
