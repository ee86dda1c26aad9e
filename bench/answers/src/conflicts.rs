//! Every conflict the rules see among the sentences of each answer, for reading by eye.

use std::error::Error;

use baton_agents::evidence::conflict::{Statement, conflict};
use baton_agents::search::local::LocalIndex;
use serde_json::json;

use crate::questions::Question;

/// Sentences of one answer that are compared.
const SENTENCES: usize = 20;

/// One line of JSON for each conflict between two documents.
pub fn print(index: &LocalIndex, questions: &[Question]) -> Result<(), Box<dyn Error>> {
    for question in questions {
        let quotes = index.answer(&question.q, SENTENCES)?.quotes;
        let keys: Vec<String> = (0..quotes.len()).map(|at| at.to_string()).collect();
        let statement =
            |at: usize| Statement { id: &keys[at], text: &quotes[at].text, date: quotes[at].date.as_deref() };
        for left in 0..quotes.len() {
            for right in left + 1..quotes.len() {
                if quotes[left].path == quotes[right].path {
                    continue;
                }
                let Some(found) = conflict(&statement(left), &statement(right)) else { continue };
                let line = json!({
                    "question": question.id,
                    "left": quotes[left].text,
                    "right": quotes[right].text,
                    "from": [quotes[left].path, quotes[right].path],
                    "kind": found.kind,
                    "explanation": found.explanation,
                });
                println!("{line}");
            }
        }
    }
    Ok(())
}
