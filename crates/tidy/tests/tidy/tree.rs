//! The repository as data: every file that could be committed, by its path from the root. Checks read this and
//! nothing else, so a broken sample is a list of paths and texts, and needs no disk.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Files by path, with `/` between the parts. A file that is not text has an empty text.
pub struct Tree {
    files: BTreeMap<String, String>,
    ignored: Ignored,
}

impl Tree {
    /// A tree made up for a test.
    pub fn of(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        Self { files, ignored: Ignored::default() }
    }

    /// The repository this crate stands in.
    pub fn real() -> io::Result<Self> {
        // Asked when it runs: two checkouts that share a target folder also share the compiled test.
        let home = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = PathBuf::from(home).join("../..");
        let ignored = root.join(".gitignore");
        let ignored = Ignored::parse(&naming(&ignored, fs::read_to_string(&ignored))?)?;
        let mut files = BTreeMap::new();
        walk(&root, "", &ignored, &mut files)?;
        Ok(Self { files, ignored })
    }

    /// Every file, in order of its path.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Every Rust file.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(|(path, _)| path.ends_with(".rs"))
    }

    /// The text of a file, if there is one.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Whether this is a file, a folder with files in it, or a path that is made later and never committed.
    pub fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        path.is_empty() || self.files.contains_key(path) || self.has_folder(path) || self.ignored.covers(path)
    }

    /// Whether there is a file below this folder.
    pub fn has_folder(&self, folder: &str) -> bool {
        self.below(&format!("{folder}/")).next().is_some()
    }

    /// The names of the folders that stand directly in this folder.
    pub fn folders_in(&self, folder: &str) -> Vec<&str> {
        let prefix = format!("{folder}/");
        let mut names: Vec<&str> = self
            .below(&prefix)
            .filter_map(|path| path.get(prefix.len()..)?.split_once('/'))
            .map(|(name, _)| name)
            .collect();
        names.dedup();
        names
    }

    /// The paths that begin with this.
    pub fn below<'a>(&'a self, prefix: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let prefix = prefix.to_owned();
        let from = self.files.range(prefix.clone()..).map(|(path, _)| path.as_str());
        from.take_while(move |path| path.starts_with(&prefix))
    }
}

/// Whether a source file holds tests: it stands in a `tests` folder or is called `tests.rs`.
pub fn is_test_file(path: &str) -> bool {
    path.split('/').any(|part| part == "tests" || part == "tests.rs")
}

/// The two forms of pattern our `.gitignore` uses: `/path` and `*.suffix`.
#[derive(Default)]
struct Ignored {
    paths: Vec<String>,
    suffixes: Vec<String>,
}

impl Ignored {
    fn parse(text: &str) -> io::Result<Self> {
        let mut ignored = Self { paths: vec![".git".to_owned()], suffixes: Vec::new() };
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(path) = line.strip_prefix('/') {
                ignored.paths.push(path.trim_end_matches('/').to_owned());
            } else if let Some(suffix) = line.strip_prefix('*') {
                ignored.suffixes.push(suffix.to_owned());
            } else {
                return Err(io::Error::other(format!(
                    ".gitignore: tidy reads `/path` and `*.suffix`, not `{line}`"
                )));
            }
        }
        Ok(ignored)
    }

    fn covers(&self, path: &str) -> bool {
        self.paths.iter().any(|ignored| {
            path.strip_prefix(ignored.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }) || self.suffixes.iter().any(|suffix| path.ends_with(suffix))
    }
}

fn walk(
    root: &Path,
    folder: &str,
    ignored: &Ignored,
    files: &mut BTreeMap<String, String>,
) -> io::Result<()> {
    let here = root.join(folder);
    for entry in naming(&here, fs::read_dir(&here))? {
        let entry = naming(&here, entry)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if ignored.covers(&path) {
            continue;
        }
        let kind = naming(&entry.path(), entry.file_type())?;
        if kind.is_dir() {
            walk(root, &path, ignored, files)?;
        } else if kind.is_file() {
            let bytes = naming(&entry.path(), fs::read(entry.path()))?;
            files.insert(path, String::from_utf8(bytes).unwrap_or_default());
        }
    }
    Ok(())
}

/// An error of the file system does not say of itself which file it is about.
fn naming<T>(path: &Path, result: io::Result<T>) -> io::Result<T> {
    result.map_err(|why| io::Error::new(why.kind(), format!("{}: {why}", path.display())))
}

#[test]
fn ignored_paths_and_suffixes_are_covered_and_their_neighbours_are_not() -> io::Result<()> {
    let ignored = Ignored::parse("# made by builds\n/target\n/bench/results/\n*.snap.new\n")?;
    for path in [".git/HEAD", "target", "target/debug/x", "bench/results/a.json", "crates/a/b.snap.new"] {
        assert!(ignored.covers(path), "{path}");
    }
    for path in [".gitignore", "targets/x", "crates/a/target/x", "bench/run.rs", "a.snap"] {
        assert!(!ignored.covers(path), "{path}");
    }
    Ok(())
}

#[test]
fn a_pattern_we_cannot_read_is_not_passed_over() {
    assert!(Ignored::parse("/target\nbuild\n").is_err());
}

#[test]
fn folders_are_known_by_their_files() {
    let tree = Tree::of(&[("a/b/one.rs", ""), ("a/b/two.rs", ""), ("a/c/d/three.rs", ""), ("a/four.rs", "")]);
    assert_eq!(tree.folders_in("a"), ["b", "c"]);
    assert!(tree.has("a/c/") && tree.has("a/four.rs"));
    assert!(!tree.has("a/bb") && !tree.has("a/four"));
}

#[test]
fn the_real_tree_is_this_repository() -> io::Result<()> {
    let tree = Tree::real()?;
    assert!(tree.text("crates/tidy/tests/tidy/tree.rs").is_some_and(|text| text.starts_with("//!")));
    assert!(tree.below("target/").next().is_none());
    Ok(())
}
