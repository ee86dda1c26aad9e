//! The size of a change, by one definition: **added lines of text files, by `git diff --numstat -M`**, renames followed,
//! tests counted, without the paths a plan excludes. A binary file has no lines.

use serde::{Deserialize, Serialize};

use super::GitError;
use super::acts::{Hand, Measure};
use crate::coding::paths::any_covers;

/// A file that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// Its path, after a rename the new one.
    pub path: String,
    /// Added lines.
    pub added: u64,
    /// Removed lines.
    pub removed: u64,
    /// Whether it is binary, and so has no lines.
    #[serde(default)]
    pub binary: bool,
}

/// How large a change is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Added lines that count.
    pub lines: u64,
    /// Every file that changed.
    pub files: Vec<Counted>,
}

pub async fn measure(hand: &Hand, act: Measure) -> Result<Size, GitError> {
    let git = hand.workshop(&act.workshop).git();
    let args = ["diff", "--numstat", "-M", "-z", "--no-ext-diff", "--no-textconv", &act.base, &act.tip];
    Ok(count(&git.bytes(&args).await?, &act.exclude))
}

/// Counts what `git diff --numstat -M -z` printed.
pub fn count(numstat: &[u8], exclude: &[String]) -> Size {
    let text = String::from_utf8_lossy(numstat);
    let mut parts = text.split('\0');
    let mut files = Vec::new();
    while let Some(head) = parts.next().filter(|head| !head.is_empty()) {
        let mut fields = head.splitn(3, '\t');
        let (added, removed) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        let path = match fields.next() {
            // A rename: the old and the new path follow.
            Some("") | None => {
                parts.next();
                parts.next().unwrap_or_default()
            }
            Some(path) => path,
        };
        files.push(Counted {
            path: path.to_owned(),
            added: added.parse().unwrap_or(0),
            removed: removed.parse().unwrap_or(0),
            binary: added == "-",
        });
    }
    let counts = |file: &&Counted| !any_covers(exclude, &file.path);
    let lines = files.iter().filter(counts).map(|file| file.added).sum();
    Size { lines, files }
}

/// Counts the added lines of a patch from its text alone: lines inside hunks that begin with `+`.
pub fn count_patch(patch: &str) -> u64 {
    let (mut added, mut old_left, mut new_left) = (0, 0_u64, 0_u64);
    for line in patch.split('\n') {
        if old_left == 0 && new_left == 0 {
            if let Some((old, new)) = hunk_sizes(line) {
                (old_left, new_left) = (old, new);
            }
            continue;
        }
        match line.as_bytes().first() {
            Some(b'+') => {
                added += 1;
                new_left = new_left.saturating_sub(1);
            }
            Some(b'-') => old_left = old_left.saturating_sub(1),
            Some(b'\\') => {}
            _ => {
                old_left = old_left.saturating_sub(1);
                new_left = new_left.saturating_sub(1);
            }
        }
    }
    added
}

/// How many old and new lines a hunk has, by its head: `@@ -1,4 +1,5 @@`.
pub(super) fn hunk_sizes(line: &str) -> Option<(u64, u64)> {
    let mut words = line.strip_prefix("@@ ")?.split(' ');
    let size = |word: &str, sign: char| {
        let range = word.strip_prefix(sign)?;
        range.split_once(',').map_or(Some(1), |(_, size)| size.parse().ok())
    };
    Some((size(words.next()?, '-')?, size(words.next()?, '+')?))
}
