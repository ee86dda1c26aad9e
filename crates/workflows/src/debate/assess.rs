//! What a round was worth: the judge's number, the ledger's caps, and what follows from the lowest of them.
//!
//! The judge can only lower what the ledger allows. A judge that cannot be read is no number at all, and no debate ends
//! early without one that was asked for.

use serde::{Deserialize, Serialize};

use super::ledger::Figures;
use super::setup::{Termination, Terms};
use super::skills::judge::{FindingKind, JudgeFinding};

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

/// What the judges of a round brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judges {
    /// What they said; the ledger's own figures where there is no judge.
    pub judgements: Vec<Judgement>,
    /// How many samples were asked for and did not come, although there is a judge.
    pub missing: usize,
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
    /// The lowest of judge and caps; none when nobody could say.
    pub confidence: Option<u8>,
    /// Where the number comes from.
    pub source: String,
    /// Judges that differ too much to count.
    pub uncertain: bool,
    /// Whether there is a judge and it brought nothing usable.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub judge_unavailable: bool,
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

/// Who judges, and who writes the decision, where there is no judge.
pub const LEDGER: &str = "the ledger";
/// Where a number comes from when the judge was asked and could not be used.
pub const JUDGE_UNAVAILABLE: &str = "the judge was not available";

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
    let Figures { unmet, disputed, blocking, major, uncited, unchecked, voices, panel, .. } = figures;
    cap(40, !unmet.is_empty(), format!("major requirements are not met by what leads: {}", list(unmet)));
    cap(50, !figures.is_attended(), format!("only {voices} of {panel} took part"));
    cap(50, figures.agreement.is_none(), "nothing was put to a vote".to_owned());
    cap(60, !disputed.is_empty(), format!("in dispute: {}", list(disputed)));
    cap(70, !blocking.is_empty(), format!("open blocking objections: {}", list(blocking)));
    cap(75, !uncited.is_empty(), format!("positions changed without a reason: {}", list(uncited)));
    cap(75, !unchecked.is_empty(), format!("accepted, and not looked at again: {}", list(unchecked)));
    cap(75, !major.is_empty(), format!("open major objections: {}", list(major)));
    caps
}

/// What the judges' findings allow at most: the number of a judge can only lower what it has found.
fn found(judgements: &[Judgement]) -> Vec<Cap> {
    let cap = |finding: &JudgeFinding| {
        let (at_most, name) = match finding.kind {
            FindingKind::UnmetRequirement => (40, "an unmet requirement"),
            FindingKind::Contradiction => (60, "a contradiction"),
            FindingKind::UnansweredCritique => (70, "a critique that was not answered"),
            FindingKind::OpenQuestion | FindingKind::Other => return None,
        };
        Some(Cap { at_most, why: format!("the judge found {name}: {}", finding.what.trim()) })
    };
    judgements.iter().flat_map(|one| &one.findings).filter_map(cap).collect()
}

/// Puts figures and judgements together.
#[must_use]
pub fn assess(terms: &Terms, figures: Figures, judges: Judges) -> Assessment {
    let Judges { judgements, missing } = judges;
    let judge_unavailable = missing > 0 && missing * 2 >= judgements.len() + missing;
    let mut caps = caps(&figures);
    caps.extend(found(&judgements));
    if judge_unavailable {
        caps.push(Cap { at_most: 50, why: JUDGE_UNAVAILABLE.to_owned() });
    }
    let mut scores: Vec<u8> = judgements
        .iter()
        .map(|one| if terms.termination == Termination::Quality { one.readiness } else { one.agreement })
        .collect();
    scores.sort_unstable();
    let spread = scores.last().zip(scores.first()).map_or(0, |(most, least)| most - least);
    // Where some samples are missing, the lowest of the rest counts: nobody knows what they would have said.
    let middle = if missing > 0 { 0 } else { scores.len() / 2 };
    let score =
        scores.get(middle).copied().or_else(|| judge_unavailable.then_some(figures.agreement).flatten());
    let lowest = caps.iter().min_by_key(|cap| cap.at_most);
    let cap = lowest.map_or(100, |cap| cap.at_most);
    let source = match (judgements.as_slice(), score) {
        (_, Some(score)) if score > cap => {
            format!("{LEDGER}: {}", lowest.map_or("", |cap| cap.why.as_str()))
        }
        ([], Some(_)) => LEDGER.to_owned(),
        ([], None) => "nobody judged".to_owned(),
        ([one], _) if one.by == LEDGER => LEDGER.to_owned(),
        ([one], _) => format!("self-report of {}", one.by),
        (many, _) => format!("median of {} samples", many.len()),
    };
    let round = figures.round;
    let confidence = score.map(|score| score.min(cap));
    let uncertain = spread > SPREAD;
    Assessment { round, figures, judgements, caps, confidence, source, uncertain, judge_unavailable }
}

/// What keeps a consensus from being one, however sure a judge is; none if nothing does.
fn objection(terms: &Terms, assessment: &Assessment, blind_agreed: bool) -> Option<&'static str> {
    let figures = &assessment.figures;
    let holds = [
        (assessment.judge_unavailable, JUDGE_UNAVAILABLE),
        (assessment.uncertain, "the judges differ"),
        (assessment.round < terms.least_rounds(blind_agreed), "it is too early"),
        (figures.agreement.is_none(), "nothing was put to a vote"),
        (!figures.disputed.is_empty(), "a slot is in dispute"),
        (!figures.is_attended(), "too few took part"),
        (!figures.unchecked.is_empty(), "accepted objections were not looked at again"),
    ];
    holds.into_iter().find(|(holds, _)| *holds).map(|(_, why)| why)
}

/// What follows, unless the rounds are fixed. `last_was_saturated` says that the round before brought nothing new,
/// `blind_agreed` that the panel agreed before anybody had read anybody.
#[must_use]
pub fn decide(
    terms: &Terms,
    assessment: &Assessment,
    last_was_saturated: bool,
    blind_agreed: bool,
) -> Decision {
    let (round, threshold) = (assessment.round, terms.threshold);
    if let Some(confidence) = assessment.confidence.filter(|confidence| *confidence >= threshold)
        && objection(terms, assessment, blind_agreed).is_none()
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
