//! What a process does to the files of a folder, by way of strace.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// One thing done to a folder. Paths are within it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// A file was opened to be made or emptied.
    Open {
        /// The file.
        path: PathBuf,
        /// Whether it was emptied.
        empties: bool,
    },
    /// Bytes were written.
    Write {
        /// The file.
        path: PathBuf,
        /// Where.
        at: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// A file was given a length.
    Cut {
        /// The file.
        path: PathBuf,
        /// The length.
        length: u64,
    },
    /// What was written to a file or a folder is on the disk.
    Sync {
        /// The file or folder.
        path: PathBuf,
    },
    /// A file has another name.
    Rename {
        /// The name it had.
        from: PathBuf,
        /// The name it has.
        to: PathBuf,
    },
    /// A name is gone.
    Remove {
        /// The name.
        path: PathBuf,
    },
    /// A folder was made.
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// The process wrote this line to its file of marks.
    Mark(String),
}

const CALLS: &str = "trace=openat,write,pwrite64,ftruncate,fsync,fdatasync,rename,unlink,mkdir";

/// Runs a command under strace, with its trace in `to`; `inject` makes calls fail, in strace's words.
pub fn trace(command: &Command, to: &Path, inject: Option<&str>) -> std::io::Result<Output> {
    let mut strace = Command::new("strace");
    strace.args(["-f", "-y", "-xx", "-qq", "-s", "1000000", "-e", CALLS]);
    if let Some(inject) = inject {
        strace.args(["-e", &format!("inject={inject}")]);
    }
    strace.arg("-o").arg(to).arg(command.get_program()).args(command.get_args());
    strace.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?)))).output()
}

/// What a trace says was done to the files below `folder`; `marks` is the file of marks.
pub fn read(text: &str, folder: &Path, marks: &Path) -> Vec<Op> {
    let mut reader = Reader { folder, marks, ends: BTreeMap::new(), begun: BTreeMap::new() };
    text.lines().flat_map(|line| reader.line(line)).collect()
}

struct Reader<'a> {
    folder: &'a Path,
    marks: &'a Path,
    /// Where the next plain write to an open file goes, by its number.
    ends: BTreeMap<String, u64>,
    /// Calls that another thread interrupted, by thread.
    begun: BTreeMap<String, String>,
}

impl Reader<'_> {
    fn line(&mut self, line: &str) -> Vec<Op> {
        let Some((thread, rest)) = line.split_once(' ') else { return Vec::new() };
        let rest = rest.trim_start();
        if let Some(begun) = rest.strip_suffix("<unfinished ...>") {
            self.begun.insert(thread.to_owned(), begun.to_owned());
            return Vec::new();
        }
        let call = match rest.strip_prefix("<... ").and_then(|rest| rest.split_once("resumed>")) {
            Some((_, rest)) => format!("{}{rest}", self.begun.remove(thread).unwrap_or_default()),
            None => rest.to_owned(),
        };
        self.call(&call).unwrap_or_default()
    }

    /// One whole call: `name(arguments) = result`. What failed did nothing.
    fn call(&mut self, call: &str) -> Option<Vec<Op>> {
        let (name, rest) = call.split_once('(')?;
        let (arguments, result) = rest.rsplit_once(" = ")?;
        let arguments = arguments.trim_end().strip_suffix(')')?;
        if result.starts_with('-') {
            return None;
        }
        let arguments: Vec<&str> = arguments.split(", ").map(str::trim).collect();
        let first = arguments.first()?;
        let number = |index: usize| arguments.get(index)?.parse::<u64>().ok();
        let op = match name {
            "openat" => {
                let flags = arguments.get(2)?;
                self.ends.insert(result.split('<').next()?.to_owned(), 0);
                let made = flags.contains("O_CREAT");
                return made.then_some(vec![Op::Open {
                    path: self.within(&open_file(result)?)?,
                    empties: flags.contains("O_TRUNC"),
                }]);
            }
            "write" => {
                let bytes = quoted(arguments.get(1)?);
                let path = open_file(first)?;
                if path == self.marks {
                    let lines = String::from_utf8_lossy(&bytes).into_owned();
                    return Some(lines.lines().map(|line| Op::Mark(line.to_owned())).collect());
                }
                let end = self.ends.entry(first.split('<').next()?.to_owned()).or_default();
                let at = *end;
                *end += bytes.len() as u64;
                Op::Write { path: self.within(&path)?, at, bytes }
            }
            "pwrite64" => {
                let path = self.within(&open_file(first)?)?;
                Op::Write { path, at: number(3)?, bytes: quoted(arguments.get(1)?) }
            }
            "ftruncate" => Op::Cut { path: self.within(&open_file(first)?)?, length: number(1)? },
            "fsync" | "fdatasync" => Op::Sync { path: self.within(&open_file(first)?)? },
            "rename" => Op::Rename {
                from: self.within(&path_of(&quoted(first)))?,
                to: self.within(&path_of(&quoted(arguments.get(1)?)))?,
            },
            "unlink" => Op::Remove { path: self.within(&path_of(&quoted(first)))? },
            "mkdir" => Op::Folder { path: self.within(&path_of(&quoted(first)))? },
            _ => return None,
        };
        Some(vec![op])
    }

    /// The path within the folder. What SQLite shares in memory is made anew after a power cut.
    fn within(&self, path: &Path) -> Option<PathBuf> {
        let within = path.strip_prefix(self.folder).ok()?;
        (!within.to_string_lossy().ends_with("-shm")).then(|| within.to_owned())
    }
}

/// The file behind an open number, which strace writes as `5<path>`.
fn open_file(word: &str) -> Option<PathBuf> {
    let (_, path) = word.split_once('<')?;
    Some(path_of(&bytes(path.split_once('>')?.0)))
}

fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

fn quoted(word: &str) -> Vec<u8> {
    bytes(word.trim_matches('"'))
}

/// The bytes of `\x2f\x61`.
fn bytes(text: &str) -> Vec<u8> {
    text.split("\\x").skip(1).filter_map(|digits| u8::from_str_radix(digits.get(..2)?, 16).ok()).collect()
}
