//! A search: in the folders, and in the places beyond this machine that the run may ask. What failed or was left
//! out is told.

use baton_agents::search::fan::{End, Fanned, Put};
use baton_agents::search::local::Verdict;
use baton_agents::search::merge;
use baton_engine::dag::Ending;
use baton_engine::{Cx, Fault};
use futures::future::try_join;

use super::completed;
use crate::research::acts::{SearchDocs, SearchWeb};
use crate::research::beyond::Beyond;
use crate::research::nodes::asking::said;
use crate::research::plan::Duty;
use crate::research::skills::queries::{Reword, ToReword, telling};
use crate::research::sources::{Lead, Reference, Searched};
use crate::research::{Brief, Brought, Research};

/// Hits that are asked of each provider.
const HITS: usize = 10;
/// Words of a query that goes beyond this machine; providers match words, not questions.
const WORDS: usize = 10;
/// Words of a second query: fewer words find more.
const FEW: usize = 4;

/// What one place brought.
#[derive(Default)]
struct Looked {
    searches: Vec<Searched>,
    leads: Vec<Lead>,
    notes: Vec<String>,
}

/// Searches, and once more in other words if that brought nothing.
pub async fn search(cx: &Cx<Research>, duty: &Duty) -> Result<Brought, Fault> {
    let brief = cx.read(|memory| memory.brief.clone());
    let mut brought = completed(duty);
    look(cx, duty, &brief, &duty.query, "first", &mut brought).await?;
    if brought.leads.is_empty() {
        let focus = cx.read(|memory| {
            let dimension = duty.dimension.and_then(|at| memory.plan.as_ref()?.dimensions.get(at));
            dimension.map(|dimension| dimension.focus.clone()).unwrap_or_default()
        });
        let input = ToReword { question: brief.words(&duty.query), tried: duty.query.clone(), focus };
        let key = format!("{}/reword", duty.id);
        let other = said::<Reword>(cx, &brief.roles.searcher, &key, &input, false).await?;
        if other.output.query != duty.query {
            look(cx, duty, &brief, &other.output.query, "again", &mut brought).await?;
        }
    }
    if brought.searches.iter().all(|search| search.found.is_none()) {
        let notes: Vec<&str> = brought.searches.iter().map(|search| search.note.as_str()).collect();
        brought.end.ending = Ending::Failed { why: notes.join("; ") };
    }
    Ok(brought)
}

async fn look(
    cx: &Cx<Research>,
    duty: &Duty,
    brief: &Brief,
    query: &str,
    name: &str,
    brought: &mut Brought,
) -> Result<(), Fault> {
    let step = format!("{}/{name}", duty.id);
    let here = look_here(cx, &step, brief, query);
    let beyond = look_beyond(cx, format!("{step}/web"), brief, query, name == "again");
    let (here, beyond) = try_join(here, beyond).await?;
    for Looked { searches, leads, notes } in [here, beyond] {
        brought.searches.extend(searches);
        brought.leads.extend(leads);
        brought.notes.extend(notes);
    }
    Ok(())
}

async fn look_here(cx: &Cx<Research>, step: &str, brief: &Brief, query: &str) -> Result<Looked, Fault> {
    let mut looked = Looked::default();
    if brief.docs.is_empty() {
        return Ok(looked);
    }
    let mut searched = Searched {
        provider: "local".to_owned(),
        query: query.to_owned(),
        found: None,
        addressed: false,
        note: String::new(),
    };
    match cx.step(step, &SearchDocs::of(brief, query)).await {
        Ok(sought) => {
            searched.found = Some(sought.leads.len());
            searched.addressed = sought.verdict == Verdict::Addressed;
            if sought.verdict == Verdict::Weak {
                searched.note = "the documents mention only part of what was asked".to_owned();
            }
            let unknown = sought.unknown.iter().map(|name| format!("no document mentions \"{name}\""));
            looked.notes.extend(unknown);
            looked.leads = sought.leads;
        }
        Err(Fault::Failed { text, .. }) => searched.note = text,
        Err(fault) => return Err(fault),
    }
    looked.searches.push(searched);
    Ok(looked)
}

async fn look_beyond(
    cx: &Cx<Research>,
    step: String,
    brief: &Brief,
    query: &str,
    again: bool,
) -> Result<Looked, Fault> {
    let Some(beyond) = &brief.beyond else { return Ok(Looked::default()) };
    let words = telling(query, if again { FEW } else { WORDS });
    let words = if words.is_empty() { query.to_owned() } else { words };
    match cx.step(step, &SearchWeb::of(beyond, &words)).await {
        Ok(fanned) => Ok(gathered(fanned, brief)),
        Err(Fault::Failed { text, .. }) => {
            let failed = |name: &str| Searched {
                provider: name.to_owned(),
                query: words.clone(),
                found: None,
                addressed: false,
                note: text.clone(),
            };
            Ok(Looked { searches: beyond.names().map(failed).collect(), ..Looked::default() })
        }
        Err(fault) => Err(fault),
    }
}

/// What the providers brought: how each query ended, the documents to read, what is not used and why.
fn gathered(fanned: Fanned, brief: &Brief) -> Looked {
    let Fanned { leads, left_out, ends } = fanned;
    let mut looked = Looked { searches: ends.into_iter().map(searched).collect(), ..Looked::default() };
    let not_used = left_out.iter().map(|it| format!("left out: {} of {}: {}", it.what, it.provider, it.why));
    looked.notes.extend(not_used);
    let wanted = |lead: &merge::Lead| {
        let place = lead.location.to_string();
        !brief.dropped.iter().any(|name| place.ends_with(name.as_str()))
    };
    let mut leads: Vec<Lead> = leads.into_iter().filter(wanted).map(lead).collect();
    let most = brief.depth.pages();
    if leads.len() > most {
        looked.notes.push(format!("more pages were found than the {most} that are read for one search"));
        leads.truncate(most);
    }
    looked.leads = leads;
    looked
}

fn searched(put: Put) -> Searched {
    let note = put.why().unwrap_or_default();
    let found = match put.end {
        End::Answered { hits } => Some(hits),
        End::CooledDown { .. } | End::Failed { .. } | End::Skipped { .. } => None,
    };
    // Whether the pages address the question is known when they are read.
    Searched {
        provider: put.provider,
        query: put.query,
        addressed: found.is_some_and(|n| n > 0),
        found,
        note,
    }
}

fn lead(found: merge::Lead) -> Lead {
    let merge::Lead { title, location, date, references, .. } = found;
    let provider = references.first().map(|hit| hit.provider.clone()).unwrap_or_default();
    let reference = |hit: baton_agents::search::Hit| Reference {
        provider: hit.provider,
        address: hit.location.to_string(),
    };
    let references = references.into_iter().map(reference).collect();
    Lead { location, title, date, provider, references, replaced: false, candidates: Vec::new() }
}

impl SearchDocs {
    /// The search for these words within the limits of a brief.
    #[must_use]
    pub fn of(brief: &Brief, question: &str) -> Self {
        Self {
            folders: brief.docs.clone(),
            question: question.to_owned(),
            sentences: brief.depth.sentences(),
            since: brief.since.clone(),
            until: brief.until.clone(),
            dropped: brief.dropped.clone(),
        }
    }
}

impl SearchWeb {
    fn of(beyond: &Beyond, query: &str) -> Self {
        let Beyond { rules, language, .. } = beyond.clone();
        Self { query: query.to_owned(), hits: HITS, rules, language }
    }
}
