//! FactChecker: the gate over every sentence: verified, unverified, contradicted.
//!
//! Given the draft and the facts; brings the share that holds and every sentence that does not. A model, if there is one,
//! may point at sentences it doubts; the gate alone decides.

use baton_agents::evidence::{Cited, Verdict, judge_cited, recompute};

use super::output::{Check, Place};
use super::writing::carried;
use super::{Job, Trouble, WorkerResult};
use crate::article::Memory;
use crate::article::draft::Sentence;
use crate::article::skills::review;
use crate::citation::Facts;

/// Checks.
pub async fn run(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    let check = job.read(check).ok_or_else(|| Trouble::Nothing("there is no article yet".to_owned()))?;
    let (check, by) = review::ask(job, "claims that the text does not show to be true", check).await?;
    Ok(WorkerResult::Checked { check, by })
}

/// What the facts say of every sentence that claims something.
pub fn verdicts(memory: &Memory) -> Option<Vec<(String, Verdict)>> {
    let draft = memory.draft()?;
    let facts = memory.numbered();
    let mut found = Vec::new();
    let mut before: Option<&Sentence> = None;
    for sentence in draft.sentences() {
        if sentence.is_claim() {
            found.push((sentence.claim.clone(), tied(before, sentence, verdict(sentence, &facts))));
        }
        before = Some(sentence);
    }
    Some(found)
}

/// What ties a sentence to the one before it is a claim, too.
pub fn tied(before: Option<&Sentence>, sentence: &Sentence, own: Verdict) -> Verdict {
    match &sentence.lead {
        Some(lead) if !carried(lead, before, &sentence.claim) => {
            Verdict::NotCarried { why: "the numbers do not carry how it begins".to_owned() }
        }
        _ => own,
    }
}

/// What the facts of a sentence say of it. What was computed is computed again.
pub fn verdict(sentence: &Sentence, facts: &Facts<'_>) -> Verdict {
    let quote = |key: &str| facts.fact(key).map(|fact| fact.found.fact.quote.as_str());
    if let Some(derived) = &sentence.derived {
        return match recompute(derived, quote) {
            Ok(()) if derived.statement == sentence.claim => Verdict::Carried { by: vec![0] },
            Ok(()) => Verdict::NotCarried { why: "it does not say what was computed".to_owned() },
            Err(flaw) => Verdict::NotCarried { why: flaw.to_string() },
        };
    }
    let known = sentence.facts.iter().filter_map(|key| facts.fact(key));
    let quotes: Vec<Cited<'_>> =
        known.map(|fact| Cited { quote: &fact.found.fact.quote, title: &fact.card.source.title }).collect();
    if quotes.len() < sentence.facts.len() || quotes.is_empty() {
        return Verdict::NotCarried { why: "it cites what does not exist, or nothing".to_owned() };
    }
    judge_cited(&sentence.claim, &quotes)
}

/// The share that holds.
pub fn check(memory: &Memory) -> Option<Check> {
    let verdicts = verdicts(memory)?;
    let (mut verified, mut contradicted) = (0_u32, 0_u32);
    let mut places = Vec::new();
    for (claim, verdict) in &verdicts {
        match verdict {
            Verdict::Carried { .. } => verified += 1,
            Verdict::Contradicted { why, .. } => {
                contradicted += 1;
                places.push(Place { text: claim.clone(), why: format!("contradicted: {why}") });
            }
            Verdict::NotCarried { why } => places.push(Place { text: claim.clone(), why: why.clone() }),
        }
    }
    let total = verdicts.len() as f64;
    let score = if total > 0.0 { f64::from(verified) / total } else { 0.0 };
    let check = Check::of(score)
        .with("total_claims", total)
        .with("verified_claims", f64::from(verified))
        .with("unverified_claims", total - f64::from(verified))
        .with("contradicted_claims", f64::from(contradicted));
    Some(Check { places, ..check })
}
