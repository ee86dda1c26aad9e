//! Questions become figures.

use crate::error::FiguresError;
use crate::figure::{Answer, Figure, Recomputed};
use crate::profile::Profiles;
use crate::question::Question;
use crate::reading::TableReading;
use crate::source::Context;

/// One answer for each question, in their order.
///
/// # Errors
/// When the scratch folder cannot be written.
pub fn answers(
    _profiles: &Profiles,
    questions: &[Question],
    _context: &Context,
) -> Result<Vec<Answer>, FiguresError> {
    let refuse = |question: &Question| Answer {
        question: question.clone(),
        understood: String::new(),
        figures: Vec::new(),
        series: Vec::new(),
        doubts: Vec::new(),
        refused: Some("questions are not computed yet".to_owned()),
    };
    Ok(questions.iter().map(refuse).collect())
}

/// Computes figures again from their descriptions.
#[must_use]
pub fn recompute(_tables: &[TableReading], figures: &[Figure], _context: &Context) -> Vec<Recomputed> {
    let unknown = |figure: &Figure| Recomputed {
        id: figure.id.clone(),
        stated: figure.value,
        found: None,
        holds: false,
        reason: Some("figures are not computed again yet".to_owned()),
    };
    figures.iter().map(unknown).collect()
}
