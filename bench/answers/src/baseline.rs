//! Plain BM25 over blank-line paragraphs, the measure to beat: the best paragraphs read from the top.

use std::error::Error;

use baton_agents::rules::question::ParsedQuestion;
use baton_agents::rules::sentences::sentences;
use baton_agents::search::local::LocalIndex;
use rusqlite::{Connection, params};

use crate::questions::Piece;

/// Paragraphs of the same texts the index holds.
pub struct Paragraphs {
    connection: Connection,
}

impl Paragraphs {
    pub fn build(index: &LocalIndex) -> Result<Self, Box<dyn Error>> {
        let mut connection = Connection::open_in_memory()?;
        connection.execute_batch(
            "CREATE TABLE p(id INTEGER PRIMARY KEY, path TEXT, text TEXT);
             CREATE VIRTUAL TABLE f USING fts5(text, content='', tokenize='porter unicode61 remove_diacritics 2');",
        )?;
        let transaction = connection.transaction()?;
        index.each_text(&mut |path, text| {
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
        let terms: Vec<String> =
            ParsedQuestion::new(question).terms.iter().map(|term| format!("\"{}\"", term.word)).collect();
        let sql = "SELECT p.path, p.text FROM (SELECT rowid AS id FROM f WHERE f MATCH ? ORDER BY rank LIMIT 40) h JOIN p ON p.id = h.id";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([terms.join(" OR ")], |row| {
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
}
