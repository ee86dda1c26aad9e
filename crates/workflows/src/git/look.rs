//! Reading commits: what changed between two, and what stands in one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::GitError;
use super::acts::{Hand, ReadDiff, ReadTree, TreeRead};
use super::size::hunk_sizes;

/// What changed between two commits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diff {
    /// By file.
    pub files: Vec<DiffFile>,
}

/// What changed in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffFile {
    /// Its path, or its last one if it was removed.
    pub path: String,
    /// Its path before a rename.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_path: Option<String>,
    /// Whether it is new.
    #[serde(default)]
    pub is_new: bool,
    /// Whether it was removed.
    #[serde(default)]
    pub is_gone: bool,
    /// Whether it is binary.
    #[serde(default)]
    pub binary: bool,
    /// The lines above its hunks.
    pub head: Vec<String>,
    /// Its hunks.
    pub hunks: Vec<Hunk>,
}

/// A run of changed lines with those around them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hunk {
    /// Its first line: `@@ … @@`.
    pub head: String,
    /// The line of the new file at which it begins.
    pub at: u64,
    /// Its lines, each with its sign.
    pub lines: Vec<String>,
}

impl Hunk {
    /// Lines it adds.
    pub fn added(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter_map(|line| line.strip_prefix('+'))
    }

    /// Lines it removes.
    pub fn removed(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter_map(|line| line.strip_prefix('-'))
    }
}

impl DiffFile {
    /// Lines it adds.
    pub fn added(&self) -> impl Iterator<Item = &str> {
        self.hunks.iter().flat_map(Hunk::added)
    }

    /// Lines it removes.
    pub fn removed(&self) -> impl Iterator<Item = &str> {
        self.hunks.iter().flat_map(Hunk::removed)
    }

    /// A patch with some of its hunks.
    pub fn patch(&self, hunks: &[Hunk]) -> String {
        let lines = hunks.iter().flat_map(|hunk| std::iter::once(&hunk.head).chain(&hunk.lines));
        self.head.iter().chain(lines).map(|line| format!("{line}\n")).collect()
    }
}

pub async fn read(hand: &Hand, act: ReadDiff) -> Result<Diff, GitError> {
    let git = hand.workshop(&act.workshop).git();
    let args = [
        "diff",
        "-M",
        "-U3",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--full-index",
        &act.base,
        &act.tip,
    ];
    Ok(parse(&String::from_utf8_lossy(&git.bytes(&args).await?)))
}

/// Reads the text of a diff.
pub fn parse(text: &str) -> Diff {
    let mut diff = Diff::default();
    let (mut old_left, mut new_left) = (0, 0);
    for line in text.lines() {
        if old_left == 0 && new_left == 0 {
            if line.starts_with("diff --git ") {
                diff.files.push(DiffFile { head: vec![line.to_owned()], ..DiffFile::default() });
                continue;
            }
            let Some(file) = diff.files.last_mut() else { continue };
            if let Some((old, new)) = hunk_sizes(line) {
                (old_left, new_left) = (old, new);
                let at = line.split('+').nth(1).and_then(|rest| rest.split([',', ' ']).next());
                let at = at.and_then(|at| at.parse().ok()).unwrap_or(0);
                file.hunks.push(Hunk { head: line.to_owned(), at, lines: Vec::new() });
            } else if line.starts_with('\\') {
                if let Some(hunk) = file.hunks.last_mut() {
                    hunk.lines.push(line.to_owned());
                }
            } else {
                head(file, line);
            }
            continue;
        }
        let Some(hunk) = diff.files.last_mut().and_then(|file| file.hunks.last_mut()) else { continue };
        match line.as_bytes().first() {
            Some(b'+') => new_left -= 1,
            Some(b'-') => old_left -= 1,
            Some(b'\\') => {}
            _ => {
                new_left = new_left.saturating_sub(1);
                old_left = old_left.saturating_sub(1);
            }
        }
        hunk.lines.push(line.to_owned());
    }
    for file in &mut diff.files {
        if file.path.is_empty() {
            file.path = by_first_line(file.head.first().map_or("", String::as_str));
        }
    }
    diff
}

/// One of the lines above the hunks.
fn head(file: &mut DiffFile, line: &str) {
    let path = |rest: &str| rest.trim_end_matches('\t').trim_matches('"').to_owned();
    if line.starts_with("new file mode") {
        file.is_new = true;
    } else if line.starts_with("deleted file mode") {
        file.is_gone = true;
    } else if let Some(from) = line.strip_prefix("rename from ") {
        file.old_path = Some(path(from));
    } else if let Some(to) = line.strip_prefix("rename to ") {
        file.path = path(to);
    } else if let Some(new) = line.strip_prefix("+++ b/") {
        file.path = path(new);
    } else if let (Some(old), true) = (line.strip_prefix("--- a/"), file.path.is_empty()) {
        file.path = path(old);
    } else if line.starts_with("Binary files ") {
        file.binary = true;
    }
    file.head.push(line.to_owned());
}

/// The path of a file without hunks, from `diff --git a/PATH b/PATH`.
fn by_first_line(line: &str) -> String {
    let rest = line.strip_prefix("diff --git a/").unwrap_or_default();
    rest.get(..rest.len().saturating_sub(3) / 2).unwrap_or_default().to_owned()
}

pub async fn read_tree(hand: &Hand, act: ReadTree) -> Result<TreeRead, GitError> {
    let git = hand.workshop(&act.workshop).git();
    let tree = git.tree_of(&act.commit).await?;
    let listed = git.bytes(&["ls-tree", "-r", "-z", "--full-tree", "--name-only", &tree]).await?;
    let names: BTreeMap<String, ()> = listed
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
        .map(|name| (String::from_utf8_lossy(name).into_owned(), ()))
        .collect();
    let (mut missing, mut asked) = (Vec::new(), Vec::new());
    for (path, words) in &act.wanted {
        let folder = format!("{}/", path.trim_end_matches('/'));
        let is_folder =
            names.range(folder.clone()..).next().is_some_and(|(name, ())| name.starts_with(&folder));
        if !names.contains_key(path) && !is_folder {
            missing.push(path.clone());
        } else if !words.is_empty() {
            asked.push((path, words));
        }
    }
    let blobs: Vec<String> = asked.iter().map(|(path, _)| format!("{tree}:{path}")).collect();
    let mut absent = Vec::new();
    for ((path, words), content) in asked.into_iter().zip(git.blobs(&blobs).await?) {
        let content = content.ok_or_else(|| GitError::Missing(format!("{tree}:{path} cannot be read")))?;
        let content = String::from_utf8_lossy(&content);
        let not_there = words.iter().filter(|words| !content.contains(words.as_str()));
        absent.extend(not_there.map(|words| format!("{path}: {words}")));
    }
    Ok(TreeRead { tree, files: names.len() as u64, missing, absent })
}
