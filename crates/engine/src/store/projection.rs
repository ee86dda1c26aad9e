//! What records do to the lists that are kept beside them: open questions and open children.

use super::QuestionChange;
use crate::record::{Body, Chained};

/// What a record does to the list of open questions. Only a few kinds of record are even looked into.
pub fn question_change(record: &Chained) -> Option<QuestionChange> {
    let text = &record.text;
    let kinds = [
        "{\"asked\"",
        "{\"answered\"",
        "{\"expired\"",
        "{\"abandoned\"",
        "{\"rewound\"",
        "{\"child",
        "{\"changed\"",
        "{\"migrated\"",
    ];
    if !kinds.iter().any(|kind| text.starts_with(kind)) {
        return None;
    }
    match record.open().ok()?.body {
        Body::Asked(asked) => Some(QuestionChange::Put {
            key: asked.key.to_string(),
            question: Box::new(asked.question),
            asked: record.at,
            deadline: asked.deadline,
        }),
        Body::Answered(answered) => Some(QuestionChange::Close { key: answered.key.to_string() }),
        Body::Expired(closed) | Body::Abandoned(closed) => {
            Some(QuestionChange::Close { key: closed.key.to_string() })
        }
        Body::Rewound(_) | Body::Changed(_) | Body::Migrated(_) => Some(QuestionChange::CloseAll),
        Body::Child(begun) => Some(QuestionChange::Child { key: begun.key.to_string(), run: begun.run }),
        Body::ChildEnded(ended) => Some(QuestionChange::ChildOver { key: ended.key.to_string() }),
        _ => None,
    }
}
