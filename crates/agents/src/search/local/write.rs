//! Writing documents into the index, one row of each table at a time, and reading back what it holds.

use std::collections::HashMap;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::walk::{Entry, Skipped};
use super::{IndexError, replaced};
use crate::read::{ReadError, Reading};
use crate::rules::language::Language;
use crate::rules::pages::View;
use crate::rules::structure::Outline;

/// A document the index holds already.
pub(super) struct IndexedDocument {
    pub(super) id: i64,
    pub(super) raw_hash: String,
    pub(super) size: u64,
    pub(super) modified: i64,
    pub(super) checked: i64,
}

/// A file after reading, ready to be written.
pub(super) struct Prepared {
    pub(super) entry: Entry,
    pub(super) result: Result<Content, ReadError>,
}

/// What reading a file found.
pub(super) enum Content {
    /// Only its times differ.
    Same,
    /// New text.
    New(Box<NewContent>),
}

/// The text of a new or changed file and what the index needs of it.
pub(super) struct NewContent {
    pub(super) raw_hash: String,
    pub(super) text_hash: String,
    pub(super) reading: Reading,
    pub(super) outline: Outline,
}

/// Writes one document; true when its text was indexed.
pub(super) fn write(
    transaction: &Transaction<'_>,
    folder: i64,
    now: i64,
    old: Option<i64>,
    prepared: Prepared,
) -> Result<bool, IndexError> {
    let Prepared { entry, result } = prepared;
    let content = match result {
        Ok(content) => content,
        Err(problem) => {
            replace_by_problem(transaction, folder, now, old, &entry, &problem)?;
            return Ok(false);
        }
    };
    match content {
        Content::Same => {
            let sql = "UPDATE docs SET size = ?, modified = ?, checked = ? WHERE id = ?";
            transaction.prepare_cached(sql)?.execute(params![entry.size as i64, entry.modified, now, old])?;
            Ok(false)
        }
        Content::New(new) => {
            if let Some(id) = old {
                forget(transaction, id)?;
            }
            insert(transaction, folder, now, &entry, &new)?;
            Ok(true)
        }
    }
}

pub(super) fn insert(
    transaction: &Transaction<'_>,
    folder: i64,
    now: i64,
    entry: &Entry,
    new: &NewContent,
) -> Result<(), IndexError> {
    let NewContent { raw_hash, text_hash, reading, outline } = new;
    let shown = entry.path.to_string_lossy();
    let title =
        reading.title.clone().or_else(|| outline.title.clone()).unwrap_or_else(|| shown.clone().into_owned());
    let furniture = encode(&outline.furniture)?;
    let sql = "INSERT INTO docs(folder, path, shown, raw_hash, text_hash, size, modified, checked, title, author, date, language,
               trust, replaces, pages, furniture) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
    transaction.prepare_cached(sql)?.execute(params![
        folder,
        entry.path.as_os_str().as_bytes(),
        shown,
        raw_hash,
        text_hash,
        entry.size as i64,
        entry.modified,
        now,
        title,
        reading.author,
        reading.date,
        reading.language,
        path_trust(&shown),
        replaced::names(&reading.text),
        encode(&reading.pages)?,
        furniture
    ])?;
    let doc = transaction.last_insert_rowid();
    transaction
        .prepare_cached("INSERT INTO texts(doc, text) VALUES(?, ?)")?
        .execute(params![doc, reading.text.as_bytes()])?;
    // What is found must be asked for in the same stems; see Language.
    let language = reading.language.as_deref().and_then(Language::of_code).unwrap_or_default();
    let title_words = format!("{title} {shown}");
    let title_words = language.indexed(&title_words);
    let mut passage =
        transaction.prepare_cached("INSERT INTO passages(doc, start, end, heading) VALUES(?,?,?,?)")?;
    let mut full_text =
        transaction.prepare_cached("INSERT INTO f(rowid, title, heading, body) VALUES(?,?,?,?)")?;
    for part in &outline.passages {
        passage.execute(params![doc, part.range.start as i64, part.range.end as i64, part.heading])?;
        let id = transaction.last_insert_rowid();
        if outline.furniture.is_empty() {
            let body = language.indexed(&reading.text[part.range.clone()]);
            full_text.execute(params![id, title_words, language.indexed(&part.heading), body])?;
        } else {
            let view = View::new(&reading.text, &part.range, &outline.furniture);
            let body = language.indexed(&view.text);
            full_text.execute(params![id, title_words, language.indexed(&part.heading), body])?;
        }
    }
    let headings = outline.headings.join("\n");
    let sql = "INSERT INTO fd(rowid, path, title, headings, body) VALUES(?,?,?,?,?)";
    transaction.prepare_cached(sql)?.execute(params![
        doc,
        shown,
        language.indexed(&title),
        language.indexed(&headings),
        language.indexed(&reading.text)
    ])?;
    Ok(())
}

/// Removes a document and everything found in it.
pub(super) fn forget(transaction: &Transaction<'_>, doc: i64) -> Result<(), IndexError> {
    transaction
        .prepare_cached("DELETE FROM f WHERE rowid IN (SELECT id FROM passages WHERE doc = ?)")?
        .execute([doc])?;
    for sql in [
        "DELETE FROM fd WHERE rowid = ?",
        "DELETE FROM passages WHERE doc = ?",
        "DELETE FROM texts WHERE doc = ?",
        "DELETE FROM docs WHERE id = ?",
    ] {
        transaction.prepare_cached(sql)?.execute([doc])?;
    }
    Ok(())
}

/// Remembers a file that could not be read, so that it is not tried again until it changes.
fn replace_by_problem(
    transaction: &Transaction<'_>,
    folder: i64,
    now: i64,
    old: Option<i64>,
    entry: &Entry,
    problem: &ReadError,
) -> Result<(), IndexError> {
    if let Some(id) = old {
        forget(transaction, id)?;
    }
    let sql = "INSERT INTO docs(folder, path, shown, raw_hash, text_hash, size, modified, checked, title, trust, replaces, pages, furniture, problem)
               VALUES(?, ?, ?, '', '', ?, ?, ?, '', 1, '', '[]', '[]', ?)";
    let shown = entry.path.to_string_lossy();
    transaction.execute(
        sql,
        params![
            folder,
            entry.path.as_os_str().as_bytes(),
            shown,
            entry.size as i64,
            entry.modified,
            now,
            problem.to_string()
        ],
    )?;
    Ok(())
}

pub(super) fn problems(connection: &Connection, folder: i64) -> Result<Vec<Skipped>, IndexError> {
    let mut statement = connection
        .prepare("SELECT path, problem FROM docs WHERE folder = ? AND problem IS NOT NULL ORDER BY shown")?;
    let rows = statement
        .query_map([folder], |row| Ok(Skipped { path: path_of(row.get(0)?), reason: row.get(1)? }))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn folder_id(connection: &Connection, root: &Path) -> Result<i64, IndexError> {
    let path = root.as_os_str().as_bytes();
    let found =
        connection.query_row("SELECT id FROM folders WHERE path = ?", [path], |row| row.get(0)).optional()?;
    if let Some(id) = found {
        return Ok(id);
    }
    connection.execute("INSERT INTO folders(path) VALUES(?)", [path])?;
    Ok(connection.last_insert_rowid())
}

pub(super) fn known(
    connection: &Connection,
    folder: i64,
) -> Result<HashMap<PathBuf, IndexedDocument>, IndexError> {
    let mut statement = connection
        .prepare("SELECT path, id, raw_hash, size, modified, checked FROM docs WHERE folder = ?")?;
    let rows = statement.query_map([folder], |row| {
        let size: i64 = row.get(3)?;
        let known = IndexedDocument {
            id: row.get(1)?,
            raw_hash: row.get(2)?,
            size: size.cast_unsigned(),
            modified: row.get(4)?,
            checked: row.get(5)?,
        };
        Ok((path_of(row.get(0)?), known))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn path_of(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

fn encode<T: serde::Serialize>(value: &T) -> Result<String, IndexError> {
    serde_json::to_string(value).map_err(|error| IndexError::Damaged(error.to_string()))
}

/// Change logs and indexes repeat the words of what they point to: count them for less.
fn path_trust(path: &str) -> f64 {
    static LOW: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)(^|[/._-])(changelog|changes|news|relnotes|release[-_]?notes?)([-_.][^/]*)?$|(?i)(^|/)(changelog|changes|news|relnotes|release[-_]?notes?|index|genindex|toc|contents|sitemap|status|todo)(/|[-_.][^/]*)?(\.[a-z]+)*$|(?i)(^|/)(relnotes|releases)/").ok()
    });
    if LOW.as_ref().is_some_and(|regex| regex.is_match(path)) { 0.8 } else { 1.0 }
}
