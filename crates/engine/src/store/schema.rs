//! The file's layout and how it is opened.
//!
//! Records are keyed by a global sequence number, so every insert goes to the end of the tree whichever
//! run it belongs to. A run's head names its last record and each record the one before it, so one run
//! is read alone by walking back; an index would dirty a page for every run in every commit. A run that went off from
//! another begins with that one's records, which are not copied.

use std::cmp::Ordering;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::error::sqlite;
use super::{Blobs, OpenError, StoreOptions, named};
use crate::host::HostError;

/// The newest file format this build knows.
pub const VERSION: u32 = 6;

/// The steps from an empty file to the newest format; a file stands at the number of steps it has taken.
const STEPS: [&str; VERSION as usize] = [FIRST, BACK_LINKS, FAMILIES, HEADS, NAMED, PLACES];

/// The format from which on the hashes that records name are listed.
const LISTED: u32 = 5;

const FIRST: &str = "
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    workflow TEXT NOT NULL,
    title TEXT NOT NULL,
    parent TEXT,
    state TEXT NOT NULL,
    status TEXT NOT NULL,
    started INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    records INTEGER NOT NULL,
    micro_usd INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0,
    calls INTEGER NOT NULL DEFAULT 0,
    owner TEXT,
    fence INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE record (
    seq INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;
CREATE INDEX record_by_run ON record (run, n);
CREATE TABLE snapshot (
    run INTEGER NOT NULL,
    n INTEGER NOT NULL,
    hash BLOB NOT NULL,
    check_hash BLOB NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE question (
    run INTEGER NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    asked INTEGER NOT NULL,
    deadline INTEGER,
    PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE inbox (
    run INTEGER NOT NULL,
    what TEXT NOT NULL,
    body TEXT NOT NULL,
    by TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (run, what)
) STRICT, WITHOUT ROWID;
CREATE TABLE definition (
    hash BLOB PRIMARY KEY,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE torn (
    run INTEGER NOT NULL,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body BLOB,
    hash BLOB,
    found INTEGER NOT NULL
) STRICT;
";

const BACK_LINKS: &str = "
ALTER TABLE run ADD COLUMN last INTEGER;
ALTER TABLE record ADD COLUMN back INTEGER;
UPDATE record SET back = (SELECT before.seq FROM record AS before WHERE before.run = record.run AND before.n = record.n - 1);
UPDATE run SET last = (SELECT seq FROM record WHERE record.run = run.id ORDER BY n DESC LIMIT 1);
DROP INDEX record_by_run;
";

/// A run that went off from another names it and how many records they share. Open children of a run are listed like
/// its questions.
const FAMILIES: &str = "
ALTER TABLE run ADD COLUMN origin INTEGER;
ALTER TABLE run ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;
CREATE TABLE child (
    run INTEGER NOT NULL,
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_by_parent ON run (parent) WHERE parent IS NOT NULL;
";

/// What every commit changes of a run, apart from what few do: the rows are short, so that a commit of many runs writes
/// few pages for them.
const HEADS: &str = "
CREATE TABLE head (
    run INTEGER PRIMARY KEY,
    fence INTEGER NOT NULL,
    state TEXT NOT NULL,
    updated INTEGER NOT NULL,
    records INTEGER NOT NULL,
    last INTEGER
) STRICT;
INSERT INTO head (run, fence, state, updated, records, last) SELECT id, fence, state, updated, records, last FROM run;
ALTER TABLE run DROP COLUMN fence;
ALTER TABLE run DROP COLUMN state;
ALTER TABLE run DROP COLUMN updated;
ALTER TABLE run DROP COLUMN records;
ALTER TABLE run DROP COLUMN last;
";

/// The hashes each record names, one after the other, by the record's place: they grow at the end of their tree like the
/// records do. And what a run is apart from what it has learnt, as it stood now and then.
const NAMED: &str = "
CREATE TABLE named (
    seq INTEGER PRIMARY KEY,
    hashes BLOB NOT NULL
) STRICT;
CREATE TABLE outline (
    run INTEGER NOT NULL,
    n INTEGER NOT NULL,
    hash BLOB NOT NULL,
    check_hash BLOB NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, n)
) STRICT, WITHOUT ROWID;
";

/// Where the record stands that an outline reaches up to: a record far back in a long run is looked for from there.
const PLACES: &str = "
ALTER TABLE outline ADD COLUMN place INTEGER;
";

/// Makes the home folder, readable by its owner alone.
pub fn make_home(home: &Path) -> Result<(), HostError> {
    let trouble = |error: std::io::Error| HostError::NoHome {
        home: home.display().to_string(),
        why: error.to_string(),
    };
    if home.is_dir() {
        return Ok(());
    }
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(home).map_err(trouble)
}

/// Opens the writing connection and brings the file to the present format. The caller is alone in opening.
pub fn open(file: &Path, blobs: &Blobs, options: &StoreOptions) -> Result<Connection, OpenError> {
    let trouble = |error: rusqlite::Error| sqlite("opening the journal", &error);
    let mut connection = Connection::open(file).map_err(trouble)?;
    connection.busy_timeout(std::time::Duration::from_secs(30)).map_err(trouble)?;
    let found: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(trouble)?;
    if found > VERSION {
        return Err(OpenError::Newer { file: file.display().to_string(), found, known: VERSION });
    }
    set_durable(&connection)?;
    if found < VERSION {
        bring_up(&mut connection, blobs).map_err(trouble)?;
    }
    if let Some(pages) = options.max_pages {
        connection.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(())).map_err(trouble)?;
    }
    if options.read_only {
        connection.execute_batch("PRAGMA query_only = ON").map_err(trouble)?;
    }
    Ok(connection)
}

/// Only one process opens at a time: a new file cannot become durable while another looks at it, and SQLite does not
/// wait for that.
pub fn alone(file: &Path) -> Result<std::fs::File, HostError> {
    let trouble = |error: std::io::Error| HostError::file("waiting to open the journal", &error);
    let lock = std::fs::File::create(file.with_extension("lock")).map_err(trouble)?;
    lock.lock().map_err(trouble)?;
    Ok(lock)
}

/// Two processes may make a new home at once: the second finds the tables there.
fn bring_up(connection: &mut Connection, blobs: &Blobs) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let found: u32 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    for step in STEPS.iter().skip(found as usize) {
        transaction.execute_batch(step)?;
    }
    if found < LISTED {
        named::fill(&transaction, blobs)?;
    }
    transaction.execute_batch(&format!("PRAGMA user_version = {VERSION}"))?;
    transaction.commit()
}

/// Sets what durability rests on, and reads it back: SQLite accepts a misspelt pragma in silence.
fn set_durable(connection: &Connection) -> Result<(), HostError> {
    let trouble = |error: rusqlite::Error| sqlite("setting durability", &error);
    let mode: String =
        connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0)).map_err(trouble)?;
    connection
        .execute_batch("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000")
        .map_err(trouble)?;
    let sync: i64 = connection.query_row("PRAGMA synchronous", [], |row| row.get(0)).map_err(trouble)?;
    if mode != "wal" || sync != 2 {
        let why =
            format!("the file system gave journal_mode {mode} and synchronous {sync}; wal and 2 are needed");
        return Err(HostError::Unusable { what: "setting durability", why });
    }
    Ok(())
}

/// Opens a connection that cannot write.
pub fn open_reader(file: &Path) -> Result<Connection, HostError> {
    let trouble = |error: rusqlite::Error| sqlite("opening the journal for reading", &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags).map_err(trouble)?;
    connection.busy_timeout(std::time::Duration::from_secs(30)).map_err(trouble)?;
    Ok(connection)
}

/// Opens a file in a folder where nothing may be written.
///
/// SQLite reads its log through the shared memory beside it, which the last writer left or a living one holds. Where
/// there is no log it must be told that none will come, or it would want to make one; everything is in the file then.
/// A log without its shared memory cannot be read here, and that is said.
pub fn open_unwritable(file: &Path) -> Result<Connection, OpenError> {
    let trouble = |error: rusqlite::Error| sqlite("opening the journal for reading", &error);
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    let has_log = std::fs::metadata(&log).is_ok_and(|about| about.len() > 0);
    let connection = if has_log {
        open_reader(file)?
    } else {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Connection::open_with_flags(immutable(file), flags | OpenFlags::SQLITE_OPEN_URI).map_err(trouble)?
    };
    let found: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(trouble)?;
    let file = || file.display().to_string();
    match found.cmp(&VERSION) {
        Ordering::Equal => Ok(connection),
        Ordering::Greater => Err(OpenError::Newer { file: file(), found, known: VERSION }),
        Ordering::Less => Err(OpenError::Older { file: file(), found, known: VERSION }),
    }
}

/// The file as an address that says it does not change.
fn immutable(file: &Path) -> String {
    let letter = |byte: &u8| match byte {
        b'/' | b'.' | b'-' | b'_' => char::from(*byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(*byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    let path: String = file.as_os_str().as_encoded_bytes().iter().map(letter).collect();
    // Two slashes before an absolute path, so that its own are not taken for a host.
    format!("file:{}{path}?immutable=1", if path.starts_with('/') { "//" } else { "" })
}
