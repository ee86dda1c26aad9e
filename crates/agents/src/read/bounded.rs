//! The one way to read a file that a person, a project or a document names: a regular file, of at most so many
//! bytes. A pipe cannot hang it, a device cannot feed it, and a file that grows meanwhile cannot fill memory.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// The most a file may hold that a person writes by hand: settings, orders, plans, prompts.
pub const WRITTEN: u64 = 16 << 20;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The system said no.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is something else than a file.
    #[error("is {0}, not a regular file")]
    Special(&'static str),
    /// It holds more than the limit.
    #[error("is {size} bytes, more than the limit of {limit}")]
    TooLarge {
        /// What it holds, as far as that was looked at.
        size: u64,
        /// What is allowed.
        limit: u64,
    },
    /// Its bytes are not UTF-8.
    #[error("is not UTF-8 text")]
    NotText,
}

impl Refusal {
    /// Whether there is simply no such file.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl From<Refusal> for io::Error {
    /// For errors that hold what the system said.
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Io(error) => error,
            other => Self::new(io::ErrorKind::InvalidInput, format!("it {other}")),
        }
    }
}

/// Opens a regular file. What is open is what was looked at, so that nothing can be put in its place between.
pub fn open(path: &Path) -> Result<File, Refusal> {
    // Looked at before, too: only opening a device can already do something.
    regular(fs::metadata(path)?.file_type())?;
    let file = without_waiting().open(path)?;
    regular(file.metadata()?.file_type())?;
    Ok(file)
}

/// The bytes of a file.
pub fn bytes(path: &Path, limit: u64) -> Result<Vec<u8>, Refusal> {
    all(&open(path)?, limit)
}

/// The text of a file.
pub fn text(path: &Path, limit: u64) -> Result<String, Refusal> {
    String::from_utf8(bytes(path, limit)?).map_err(|_| Refusal::NotText)
}

/// The bytes of a file that [`open`] has opened.
pub fn all(file: &File, limit: u64) -> Result<Vec<u8>, Refusal> {
    let size = file.metadata()?.len();
    if size > limit {
        return Err(Refusal::TooLarge { size, limit });
    }
    stream(file, limit)
}

/// What comes from a stream, such as stdin, until it ends.
pub fn stream(from: impl Read, limit: u64) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    let size = bytes.len() as u64;
    if size > limit { Err(Refusal::TooLarge { size, limit }) } else { Ok(bytes) }
}

/// The text of a file, or of stdin for `-`.
pub fn text_or_stdin(name: &str, limit: u64) -> Result<String, Refusal> {
    if name != "-" {
        return text(Path::new(name), limit);
    }
    String::from_utf8(stream(io::stdin().lock(), limit)?).map_err(|_| Refusal::NotText)
}

/// To open a pipe for reading waits for a writer, unless it is told not to.
fn without_waiting() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    options
}

fn regular(kind: FileType) -> Result<(), Refusal> {
    if kind.is_file() { Ok(()) } else { Err(Refusal::Special(named(kind))) }
}

fn named(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return "a named pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if kind.is_dir() { "a folder" } else { "something special" }
}

#[cfg(test)]
mod tests;
