//! From the quotes of a search to leads: each document with its sentences, what they lean on, and no more of a table or list
//! than was asked for.

use std::path::PathBuf;

use baton_agents::rules::answer::{Asked, Kind};
use baton_agents::search::Location;
use baton_agents::search::local::Quote;

use super::antecedent::complete;
use super::items;
use super::neighbours::behind;
use super::rows;
use super::source::{Candidate, Lead};

/// Adds what stands right behind a candidate, unless it is there already.
pub(super) fn explain(candidates: &mut Vec<Candidate>, at: usize, text: Option<&str>) {
    let (Some(candidate), Some(text)) = (candidates.get(at), text) else { return };
    for next in behind(text, candidate) {
        if !candidates.iter().any(|known| known.ranges == next.ranges) {
            candidates.push(next);
        }
    }
}

/// Puts a sentence, with what it leans on, under its document; documents stand in the order of their best sentence. The
/// places of both, if it was put there.
pub(super) fn add(
    leads: &mut Vec<Lead>,
    path: PathBuf,
    quote: Quote,
    text: Option<&str>,
) -> Option<(usize, usize)> {
    let location = Location::Path(path);
    let lead = lead_of(&quote, location);
    let candidate = whole(candidate(quote), text)?;
    let at = leads.iter().position(|known| known.location == lead.location).unwrap_or_else(|| {
        leads.push(lead);
        leads.len() - 1
    });
    // Two sentences that lean on the same one may have become the same excerpt.
    if leads[at].candidates.iter().any(|known| known.ranges == candidate.ranges) {
        return None;
    }
    leads[at].candidates.push(candidate);
    Some((at, leads[at].candidates.len() - 1))
}

/// The document of a sentence.
pub(super) fn lead_of(quote: &Quote, location: Location) -> Lead {
    Lead {
        location,
        title: quote.title.clone(),
        date: quote.date.clone(),
        provider: "local".to_owned(),
        references: Vec::new(),
        replaced: quote.replaced,
        candidates: Vec::new(),
    }
}

/// Of several rows of a table, or items of a list, the one that was asked for; all where several are wanted.
pub(super) fn narrow(mut quote: Quote, text: Option<&str>, asked: &Asked) -> Quote {
    if let ([all], Some(text)) = (quote.ranges.as_slice(), text) {
        let several = matches!(asked.kind, Kind::List | Kind::Steps);
        let item = || items::narrowed(text, all, &asked.question).filter(|_| !several);
        if let Some(one) = rows::narrowed(text, all, &asked.question).or_else(item) {
            text[one.clone()].clone_into(&mut quote.text);
            quote.ranges = vec![one];
        }
    }
    quote
}

/// A candidate with what it leans on; where the text is not at hand, as it is.
pub(super) fn whole(candidate: Candidate, text: Option<&str>) -> Option<Candidate> {
    match text {
        Some(text) => complete(text, candidate),
        None => Some(candidate),
    }
}

pub(super) fn candidate(quote: Quote) -> Candidate {
    let Quote { text, heading, page, ranges, score, .. } = quote;
    Candidate { text, heading, page, ranges, score }
}
