//! Plain BM25, the measure to beat: over blank-line paragraphs, the best read from the top; and over passages of whole
//! paragraphs, of which the best alone is taken and read through a window of [`BLOCK`] words wherever that helps it most.

use std::error::Error;

use baton_agents::rules::language::{Language, tokens};
use baton_agents::rules::sentences::sentences;
use baton_agents::search::local::LocalIndex;
use rusqlite::{Connection, params};

use crate::questions::{BLOCK, Piece, Question};

/// Paragraphs are joined to passages of at least so many words.
const PASSAGE: usize = 120;

/// Paragraphs of the same texts the index holds.
pub struct Paragraphs {
    connection: Connection,
}

impl Paragraphs {
    pub fn build(index: &LocalIndex) -> Result<Self, Box<dyn Error>> {
        let mut connection = Connection::open_in_memory()?;
        connection.execute_batch(
            "CREATE TABLE p(id INTEGER PRIMARY KEY, path TEXT, text TEXT);
             CREATE VIRTUAL TABLE f USING fts5(text, content='', tokenize='porter unicode61 remove_diacritics 2');
             CREATE TABLE w(id INTEGER PRIMARY KEY, path TEXT, text TEXT);
             CREATE VIRTUAL TABLE fw USING fts5(text, content='', tokenize='porter unicode61 remove_diacritics 2');",
        )?;
        let transaction = connection.transaction()?;
        index.each_text(&mut |path, text| {
            for passage in passages(text) {
                transaction
                    .prepare_cached("INSERT INTO w(path, text) VALUES(?, ?)")?
                    .execute(params![path.to_string_lossy(), passage])?;
                transaction
                    .prepare_cached("INSERT INTO fw(rowid, text) VALUES(last_insert_rowid(), ?)")?
                    .execute([passage])?;
            }
            for paragraph in text.split("\n\n").map(str::trim).filter(|p| !p.is_empty()) {
                transaction
                    .prepare_cached("INSERT INTO p(path, text) VALUES(?, ?)")?
                    .execute(params![path.to_string_lossy(), paragraph])?;
                transaction
                    .prepare_cached("INSERT INTO f(rowid, text) VALUES(last_insert_rowid(), ?)")?
                    .execute([paragraph])?;
            }
            Ok(())
        })?;
        transaction.commit()?;
        Ok(Self { connection })
    }

    /// The first `limit` sentences of the best paragraphs in order.
    pub fn sentences(&self, question: &str, limit: usize) -> Result<Vec<Piece>, Box<dyn Error>> {
        let sql = "SELECT p.path, p.text FROM (SELECT rowid AS id FROM f WHERE f MATCH ? ORDER BY rank LIMIT 40) h JOIN p ON p.id = h.id";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([expression(question)], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        })?;
        let mut pieces = Vec::new();
        for row in rows {
            let (path, text) = row?;
            for range in sentences(&text) {
                if pieces.len() == limit {
                    return Ok(pieces);
                }
                pieces.push(Piece { path: path.clone(), text: text[range].to_owned() });
            }
        }
        Ok(pieces)
    }

    /// Whether some window of the best passage answers: the window that suits BM25 best.
    pub fn block_answers(&self, question: &Question) -> Result<bool, Box<dyn Error>> {
        let sql = "SELECT w.path, w.text FROM (SELECT rowid AS id FROM fw WHERE fw MATCH ? ORDER BY rank LIMIT 1) h JOIN w ON w.id = h.id";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([expression(&question.q)], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        })?;
        for row in rows {
            let (path, text) = row?;
            let words: Vec<&str> = text.split_whitespace().collect();
            for start in 0..=words.len().saturating_sub(BLOCK) {
                let window = words[start..words.len().min(start + BLOCK)].join(" ");
                if question.is_answered(&[Piece { path: path.clone(), text: window }])? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// The words of a question as they stand, those without meaning left out.
fn expression(question: &str) -> String {
    let language = Language::of_question(question);
    let words = tokens(question).map(|range| question[range].to_lowercase());
    let terms: Vec<String> = words
        .filter(|word| !language.is_stop(&baton_agents::rules::words::fold(word)))
        .map(|word| format!("\"{word}\""))
        .collect();
    if terms.is_empty() { "\"\"".to_owned() } else { terms.join(" OR ") }
}

/// Whole paragraphs joined until they have [`PASSAGE`] words.
fn passages(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut words, mut at) = (0, 0, 0);
    for paragraph in text.split_inclusive("\n\n") {
        at += paragraph.len();
        words += paragraph.split_whitespace().count();
        if words >= PASSAGE {
            found.push(text[start..at].trim());
            (start, words) = (at, 0);
        }
    }
    found.push(text[start..].trim());
    found.retain(|passage| !passage.is_empty());
    found
}
