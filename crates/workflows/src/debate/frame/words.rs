//! A decision frame as a person writes it: one thing to decide on each line, its options behind a colon. What cannot be a
//! frame is refused with what is wrong with it, before it is recorded.

use serde::Deserialize;
use thiserror::Error;

use super::{Choice, Frame, Slot};

/// How to write one, for whoever is asked.
pub const FORM: &str = "Write one thing to decide on each line with its options behind a colon, such as \
                        `store: sqlite | postgres`; leave the options out where any answer will do.";

/// A frame that was written in words, or as the JSON of one.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Written")]
pub struct Worded(pub Frame);

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Words(String),
    /// Recorded when frames were asked for as JSON.
    Frame(Frame),
}

/// Why words are no frame.
#[derive(Debug, Error)]
#[error("these words name nothing to decide: {what}. {FORM}")]
pub struct NoFrame {
    what: String,
}

impl TryFrom<Written> for Worded {
    type Error = NoFrame;

    fn try_from(written: Written) -> Result<Self, NoFrame> {
        let frame = match written {
            Written::Frame(frame) => return Ok(Self(frame)),
            Written::Words(words) if words.trim_start().starts_with('{') => {
                serde_json::from_str(&words).map_err(|error| NoFrame { what: error.to_string() })?
            }
            Written::Words(words) => read(&words),
        };
        let wrong = if frame.slots.is_empty() { vec!["there is none".to_owned()] } else { frame.problems() };
        if wrong.is_empty() { Ok(Self(frame)) } else { Err(NoFrame { what: wrong.join("; ") }) }
    }
}

fn read(words: &str) -> Frame {
    let lines = words.split(['\n', ';']).map(|line| line.trim().trim_start_matches(['-', '*']).trim());
    Frame { slots: lines.filter(|line| !line.is_empty()).map(slot).collect() }
}

/// `name: option | option`. Words that are more than a name are also the question.
fn slot(line: &str) -> Slot {
    let (head, options) = line.split_once(':').unwrap_or((line, ""));
    let head = head.trim();
    let name = name(head);
    let question = if name.eq_ignore_ascii_case(head) { String::new() } else { head.to_owned() };
    let options = choices(options);
    Slot { slot: name, question, options, required: true }
}

/// A short name: lower case, words joined by `-`.
fn name(words: &str) -> String {
    let parts = words.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    parts.filter(|part| !part.is_empty()).map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

/// Options are parted by the strongest mark that is there, so that an option may hold the weaker ones.
fn choices(words: &str) -> Vec<Choice> {
    let mark = ["|", ",", " or "].into_iter().find(|mark| words.contains(mark)).unwrap_or("|");
    let option = |word: &str| Choice { option: word.trim().to_owned(), also: Vec::new() };
    words.split(mark).filter(|word| !word.trim().is_empty()).map(option).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worded(words: &str) -> Result<Vec<String>, String> {
        serde_json::from_value::<Worded>(words.into())
            .map(|worded| worded.0.lines())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn frames_are_read_as_people_write_them() {
        for (words, lines) in [
            ("store: sqlite | postgres", vec!["store: [sqlite | postgres]"]),
            (
                "store: sqlite, postgres; region: eu or us",
                vec!["store: [sqlite | postgres]", "region: [eu | us]"],
            ),
            (
                "- Which store?: SQLite | Postgres, managed\n- owner",
                vec!["which-store: Which store? [SQLite | Postgres, managed]", "owner: [any words]"],
            ),
            ("Größe: klein | groß", vec!["größe: [klein | groß]"]),
            (r#"{"slots": [{"slot": "store", "options": ["a", "b"]}]}"#, vec!["store: [a | b]"]),
        ] {
            assert_eq!(worded(words).unwrap_or_else(|why| vec![why]), lines, "{words}");
        }
    }

    #[test]
    fn what_is_no_frame_says_why() {
        for (words, why) in [
            (" ; ", "there is none"),
            (": a | b", "slot 1 has no name"),
            ("store: sqlite", "slot `store` has one option, so there is nothing to decide"),
            ("store: a | A", "slot `store` has the option `A` twice"),
            ("a: x | y\nA: x | y", "two slots are called `a`"),
            ("{\"slots\": 3}", "invalid type"),
        ] {
            let said = worded(words).expect_err(words);
            assert!(said.contains(why) && said.contains("store: sqlite | postgres"), "{words}: {said}");
        }
    }

    #[test]
    fn an_answer_of_an_older_journal_is_taken_as_it_is() {
        let old = serde_json::json!({"slots": [{"slot": "store", "options": ["sqlite"]}]});
        let Worded(frame) = serde_json::from_value(old).expect("recorded");
        assert_eq!(frame.problems().len(), 1, "the node turns it away, as it did then");
    }
}
