//! WebScraper: reads the documents that were found in full, as far as they speak of the topic, instead of the sentences a
//! search picked.
//!
//! Given the sources so far; brings more facts of them. If it cannot, what the searches picked is used.

use std::collections::BTreeSet;

use super::{Job, Trouble, WorkerResult};
use crate::retrieval::{self, Reading, Search};

/// How many times the usual number of sentences is read.
const FULL: usize = 5;

/// Reads.
pub async fn run(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    let known: BTreeSet<String> =
        job.read(|memory| memory.sources.values().map(|card| card.source.location.to_string()).collect());
    if known.is_empty() {
        return Err(Trouble::Nothing("no source was found that could be read in full".to_owned()));
    }
    let mut scope = job.assignment.scope();
    scope.sentences *= FULL * job.plan.reach;
    scope.pages *= 2;
    let (mut sources, mut facts, mut searches) = (Vec::new(), Vec::new(), Vec::new());
    let (mut refused, mut notes) = (Vec::new(), Vec::new());
    for (at, query) in job.plan.queries.iter().enumerate() {
        let search = Search {
            id: &format!("{}/q{at}", job.id),
            query: job.assignment.words(query),
            focus: Vec::new(),
            searcher: &job.assignment.roles.searcher,
        };
        let found = retrieval::search(job.cx, &scope, &search).await?;
        if let Some(why) = found.failure().filter(|_| !found.searches.is_empty()) {
            return Err(Trouble::Failed(why));
        }
        let leads = found.leads.into_iter().filter(|lead| known.contains(&lead.location.to_string()));
        let reading = Reading {
            id: &format!("{}q{at}", job.code),
            part: at,
            question: query.clone(),
            query: job.assignment.words(query),
            weight: 0.9,
            leads: leads.collect(),
            reader: &job.assignment.roles.reader,
        };
        let read = retrieval::read(job.cx, &scope, &reading).await?;
        searches.extend(found.searches);
        sources.extend(read.sources);
        facts.extend(read.facts);
        refused.extend(read.refused);
        notes.extend(read.notes);
    }
    notes.sort();
    notes.dedup();
    Ok(WorkerResult::Sources { looked_for: Vec::new(), sources, facts, refused, searches, notes })
}
