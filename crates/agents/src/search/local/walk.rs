//! Which files of a folder are documents. Hidden files are left out, links are followed only inside the folder
//! and only once, and everything left out for a reason is reported.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::IndexError;
use crate::read::Format;

/// A document on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Path below the folder, as the system gives it (not always UTF-8).
    pub path: PathBuf,
    /// Bytes.
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: i64,
}

/// Something in the folder that was not indexed, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Path below the folder.
    pub path: PathBuf,
    /// One sentence.
    pub reason: String,
}

/// What a folder holds.
#[derive(Debug, Default)]
pub struct Listing {
    /// Documents, sorted by path.
    pub entries: Vec<Entry>,
    /// What was left out.
    pub skipped: Vec<Skipped>,
}

/// Lists the documents below `folder`.
pub fn list(folder: &Path) -> Result<Listing, IndexError> {
    let unreadable = |source| IndexError::Folder { path: folder.to_owned(), source };
    let root = fs::canonicalize(folder).map_err(unreadable)?;
    fs::read_dir(&root).map_err(unreadable)?;
    let mut walk = Walk { root, seen: HashSet::new(), unread: BTreeMap::new(), listing: Listing::default() };
    walk.folder(Path::new(""));
    for (kind, (first, count)) in std::mem::take(&mut walk.unread) {
        let kind = if kind.is_empty() { "a name without an ending".to_owned() } else { format!(".{kind}") };
        let reason = match count {
            1 => format!("is of a kind that is not read ({kind})"),
            more => format!("and {} more are of a kind that is not read ({kind})", more - 1),
        };
        walk.skip(&first, &reason);
    }
    walk.listing.entries.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(walk.listing)
}

struct Walk {
    root: PathBuf,
    /// Real paths of folders already visited: what ends a loop of links.
    seen: HashSet<PathBuf>,
    /// Files of kinds that are not read: for each ending the first of them, and how many.
    unread: BTreeMap<String, (PathBuf, usize)>,
    listing: Listing,
}

impl Walk {
    fn folder(&mut self, below: &Path) {
        let path = self.root.join(below);
        let real = match fs::canonicalize(&path) {
            Ok(real) => real,
            Err(error) => return self.skip(below, &format!("cannot be opened: {error}")),
        };
        if !self.seen.insert(real) {
            return self.skip(below, "a link back to a folder already read");
        }
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) => return self.skip(below, &format!("cannot be opened: {error}")),
        };
        let mut names: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.file_name()).collect();
        names.sort();
        for name in names {
            if !name.as_encoded_bytes().starts_with(b".") {
                self.entry(&below.join(name));
            }
        }
    }

    fn entry(&mut self, below: &Path) {
        let path = self.root.join(below);
        let real = match fs::canonicalize(&path) {
            Ok(real) => real,
            Err(error) => return self.skip(below, &format!("cannot be opened: {error}")),
        };
        if !real.starts_with(&self.root) {
            return self.skip(below, "a link that leads out of the folder");
        }
        let metadata = match fs::metadata(&real) {
            Ok(metadata) => metadata,
            Err(error) => return self.skip(below, &format!("cannot be opened: {error}")),
        };
        if metadata.is_dir() {
            return self.folder(below);
        }
        if !metadata.is_file() {
            return;
        }
        if Format::of_path(below).is_none() {
            let kind = below.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default();
            let seen = self.unread.entry(kind).or_insert_with(|| (below.to_owned(), 0));
            seen.1 += 1;
            return;
        }
        if path.is_symlink() {
            // The target is inside the folder and is indexed under its own name.
            return;
        }
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = modified.map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX));
        self.listing.entries.push(Entry { path: below.to_owned(), size: metadata.len(), modified });
    }

    fn skip(&mut self, path: &Path, reason: &str) {
        self.listing.skipped.push(Skipped { path: path.to_owned(), reason: reason.to_owned() });
    }
}
