//! Tables of the local index. The index is a cache of documents that can be read again: a file with another
//! version of these tables is dropped and built anew.

use rusqlite::Connection;

use super::IndexError;

/// Raised whenever a table or the way passages are cut changes.
const VERSION: i64 = 10;

/// How much of the file may be mapped while it is asked.
pub(super) const MAPPED: i64 = 1 << 30;

const TABLES: &str = "
CREATE TABLE folders(id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE);
CREATE TABLE docs(
    id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, path BLOB NOT NULL, shown TEXT NOT NULL,
    raw_hash TEXT NOT NULL, text_hash TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
    checked INTEGER NOT NULL, title TEXT NOT NULL, author TEXT, date TEXT, language TEXT,
    trust REAL NOT NULL, replaces TEXT NOT NULL, replaced INTEGER NOT NULL DEFAULT 0, pages TEXT NOT NULL, furniture TEXT NOT NULL, problem TEXT,
    UNIQUE(folder, path));
CREATE INDEX docs_hash ON docs(raw_hash);
CREATE TABLE texts(doc INTEGER PRIMARY KEY, text BLOB NOT NULL);
CREATE TABLE passages(id INTEGER PRIMARY KEY, doc INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, heading TEXT NOT NULL);
CREATE INDEX passages_doc ON passages(doc);
CREATE VIRTUAL TABLE f USING fts5(title, heading, body, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE fd USING fts5(path, title, headings, body, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE fv USING fts5vocab(f, 'row');
";

/// Opens the tables, building them when the file is new or of another version.
pub(super) fn prepare(connection: &mut Connection) -> Result<(), IndexError> {
    connection.pragma_update(None, "page_size", 8192)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "cache_size", -64_000)?;
    connection.pragma_update(None, "mmap_size", MAPPED)?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version == VERSION {
        return Ok(());
    }
    let transaction = connection.transaction()?;
    if version != 0 {
        drop_all(&transaction)?;
    }
    transaction.execute_batch(TABLES)?;
    // Larger in-memory segments: fewer merges while many documents are added at once.
    transaction.execute("INSERT INTO f(f, rank) VALUES('hashsize', 33554432)", [])?;
    transaction.execute("INSERT INTO fd(fd, rank) VALUES('hashsize', 33554432)", [])?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()?;
    Ok(())
}

fn drop_all(connection: &Connection) -> Result<(), IndexError> {
    connection.execute_batch(
        "DROP TABLE IF EXISTS fv; DROP TABLE IF EXISTS f; DROP TABLE IF EXISTS fd; DROP TABLE IF EXISTS passages;
         DROP TABLE IF EXISTS texts; DROP TABLE IF EXISTS docs; DROP TABLE IF EXISTS folders;",
    )?;
    Ok(())
}
