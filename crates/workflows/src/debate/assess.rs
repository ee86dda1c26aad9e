//! What a round was worth: the judge's number, the ledger's caps, and what follows from the lower of them.
//!
//! The judge can only lower what the ledger allows. A judge that cannot be read is no number at all.

use serde::{Deserialize, Serialize};

use super::ledger::Figures;
use super::setup::{Termination, Terms};
use super::skills::judge::JudgeFinding;

/// Samples of a judge that differ by more than this are no judgement.
const SPREAD: u8 = 25;

/// A cap on confidence and its reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cap {
    /// No more than this.
    pub at_most: u8,
    /// Because of this.
    pub why: String,
}

/// One judgement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// Whether positions conflict: 100 if nothing does.
    pub agreement: u8,
    /// Whether the solution could be accepted as it is.
    pub readiness: u8,
    /// What it rests on, each with a quote that stands in the contributions.
    pub findings: Vec<JudgeFinding>,
    /// Who judged.
    pub by: String,
}

/// What a round was worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assessment {
    /// The round.
    pub round: u32,
    /// The ledger's figures.
    pub figures: Figures,
    /// What judges said; empty when nobody judged.
    pub judgements: Vec<Judgement>,
    /// What holds confidence down.
    pub caps: Vec<Cap>,
    /// The lower of judge and caps; none when nobody could say.
    pub confidence: Option<u8>,
    /// Where the number comes from.
    pub source: String,
    /// Judges that differ too much to count.
    pub uncertain: bool,
}

/// What follows from an assessment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Another round.
    Continue,
    /// The panel agrees, or the solution is ready.
    Consensus(String),
    /// Nobody moves any more.
    Impasse(String),
}

/// What the ledger allows at most.
#[must_use]
pub fn caps(figures: &Figures) -> Vec<Cap> {
    let mut caps = Vec::new();
    let mut cap = |at_most, holds: bool, why: String| {
        if holds {
            caps.push(Cap { at_most, why });
        }
    };
    let list = |these: &[String]| these.join(", ");
    cap(
        40,
        !figures.unmet.is_empty(),
        format!("major requirements are not covered: {}", list(&figures.unmet)),
    );
    cap(50, figures.voices < 2, format!("only {} of the panel took part", figures.voices));
    cap(60, !figures.disputed.is_empty(), format!("in dispute: {}", list(&figures.disputed)));
    cap(70, !figures.blocking.is_empty(), format!("open blocking objections: {}", list(&figures.blocking)));
    cap(
        75,
        !figures.uncited.is_empty(),
        format!("positions changed without a reason: {}", list(&figures.uncited)),
    );
    caps
}

/// Puts figures and judgements together.
#[must_use]
pub fn assess(terms: &Terms, figures: Figures, judgements: Vec<Judgement>) -> Assessment {
    let caps = caps(&figures);
    let mut scores: Vec<u8> = judgements
        .iter()
        .map(|one| if terms.termination == Termination::Quality { one.readiness } else { one.agreement })
        .collect();
    scores.sort_unstable();
    let spread = scores.last().zip(scores.first()).map_or(0, |(most, least)| most - least);
    let median = scores.get(scores.len() / 2).copied();
    let cap = caps.iter().map(|cap| cap.at_most).min().unwrap_or(100);
    let source = match judgements.as_slice() {
        [] => "nobody judged".to_owned(),
        [one] if median.is_some_and(|median| median <= cap) => format!("self-report of {}", one.by),
        many if median.is_some_and(|median| median <= cap) => format!("median of {} samples", many.len()),
        _ => "the ledger".to_owned(),
    };
    let round = figures.round;
    let confidence = median.map(|median| median.min(cap));
    Assessment { round, figures, judgements, caps, confidence, source, uncertain: spread > SPREAD }
}

/// What follows, unless the rounds are fixed. `last_was_saturated` says that the round before brought nothing new.
#[must_use]
pub fn decide(terms: &Terms, assessment: &Assessment, last_was_saturated: bool) -> Decision {
    let (round, threshold) = (assessment.round, terms.threshold);
    if let Some(confidence) = assessment.confidence.filter(|confidence| *confidence >= threshold)
        && !assessment.uncertain
        && round >= terms.min_rounds
    {
        let what = match terms.termination {
            Termination::Quality => "readiness",
            Termination::Convergence | Termination::Fixed => "agreement",
        };
        let why = format!(
            "{what} {confidence} reached the threshold {threshold} in round {round} ({})",
            assessment.source
        );
        return Decision::Consensus(why);
    }
    // In the last round there is nothing left to save.
    if round >= terms.rounds {
        return Decision::Continue;
    }
    let figures = &assessment.figures;
    let disputes =
        if figures.disputed.is_empty() { figures.blocking.join(", ") } else { figures.disputed.join(", ") };
    if figures.impasse() {
        return Decision::Impasse(format!(
            "nobody moved in round {round}, and this is still open: {disputes}"
        ));
    }
    if figures.saturated() && last_was_saturated {
        return Decision::Impasse(format!("rounds {} and {round} brought no new objection", round - 1));
    }
    Decision::Continue
}
