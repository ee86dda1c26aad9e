//! A search: in the folders, and in the places beyond this machine that the run may ask. What failed or was left
//! out is said.

use baton_agents::search::fan::{End, Fanned, ProviderQuery};
use baton_agents::search::local::Verdict;
use baton_agents::search::merge;
use baton_agents::skill::{Role, Skill, Words};
use baton_engine::{Cx, Fault};
use baton_machine::Workflow;
use futures::future::try_join;

use super::acts::{SearchDocs, SearchWeb};
use super::beyond::Beyond;
use super::scope::Scope;
use super::skills::reword::{Reword, ToReword, telling};
use super::source::{Lead, Reference, SearchRecord};
use crate::asking::{Ask, ask};

/// Hits that are asked of each provider.
const HITS: usize = 10;
/// Words of a query that goes beyond this machine; providers match words, not questions.
const WORDS: usize = 10;
/// Words of a second query: fewer words find more.
pub const FEW: usize = 4;

/// One search.
#[derive(Debug)]
pub struct Search<'a> {
    /// Names its steps: the id of its task.
    pub id: &'a str,
    /// What is searched for, and whose words it is.
    pub query: Words,
    /// Words that belong to it, for a second try.
    pub focus: Vec<String>,
    /// Who words the second try.
    pub searcher: &'a Role,
}

/// What a search brought.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchOutput {
    /// How each query to each place ended.
    pub searches: Vec<SearchRecord>,
    /// The documents to read.
    pub leads: Vec<Lead>,
    /// What comes nearest where there are none. Only who shows it as such may use it.
    pub nearest: Option<Lead>,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

impl SearchOutput {
    /// Why the search failed: every place it asked did.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        let failed = self.searches.iter().all(|search| search.found.is_none());
        let notes = || self.searches.iter().map(|search| search.note.as_str()).collect::<Vec<_>>();
        failed.then(|| notes().join("; "))
    }

    fn extend(&mut self, other: Self) {
        self.searches.extend(other.searches);
        self.leads.extend(other.leads);
        self.nearest = self.nearest.take().or(other.nearest);
        self.notes.extend(other.notes);
    }
}

/// Searches, and once more in other words if that brought nothing.
pub async fn search<W: Workflow>(
    cx: &Cx<W>,
    scope: &Scope,
    search: &Search<'_>,
) -> Result<SearchOutput, Fault> {
    let first = everywhere(cx, scope, &format!("{}/first", search.id), search.query.as_str(), WORDS).await?;
    in_other_words(cx, scope, search, first).await
}

/// The same for a model that reads what is found: before other words are paid for, it is shown what comes nearest. It can say
/// of a document that it answers nothing, where rules would refuse by words alone.
pub async fn search_for_model<W: Workflow>(
    cx: &Cx<W>,
    scope: &Scope,
    search: &Search<'_>,
) -> Result<SearchOutput, Fault> {
    let query = search.query.as_str();
    let mut found = everywhere(cx, scope, &format!("{}/first", search.id), query, WORDS).await?;
    if found.leads.is_empty() {
        let words = [&[query.to_owned()], search.focus.as_slice()].concat().join(" ");
        let nearest = SearchDocs { doubtful: true, ..SearchDocs::of(scope, &words) };
        found.extend(in_folders(cx, scope, &format!("{}/nearest", search.id), nearest).await?);
    }
    in_other_words(cx, scope, search, found).await
}

/// What was found, or else what other words find.
async fn in_other_words<W: Workflow>(
    cx: &Cx<W>,
    scope: &Scope,
    search: &Search<'_>,
    mut output: SearchOutput,
) -> Result<SearchOutput, Fault> {
    if !output.leads.is_empty() {
        return Ok(output);
    }
    let tried = search.query.as_str().to_owned();
    let input = ToReword { question: search.query.clone(), tried, focus: search.focus.clone() };
    if search.searcher.chain.is_empty() && !has_other_words(&input) {
        return Ok(output);
    }
    let key = format!("{}/reword", search.id);
    let other = ask::<Reword, W>(cx, search.searcher, Ask::new(&key, &input, scope.material())).await?;
    if other.output.query != input.tried {
        let again = format!("{}/again", search.id);
        output.extend(everywhere(cx, scope, &again, &other.output.query, FEW).await?);
    }
    Ok(output)
}

/// Whether rules know other words for it. Where they do not and nobody else is asked, nothing was found, and nothing failed.
fn has_other_words(input: &ToReword) -> bool {
    Reword::rules(input).is_some_and(|other| Reword::check(input, &other).is_empty())
}

async fn everywhere<W: Workflow>(
    cx: &Cx<W>,
    scope: &Scope,
    step: &str,
    query: &str,
    words: usize,
) -> Result<SearchOutput, Fault> {
    let here = in_folders(cx, scope, step, SearchDocs::of(scope, query));
    let beyond = on_the_web(cx, scope, format!("{step}/web"), query, words);
    let (mut here, beyond) = try_join(here, beyond).await?;
    here.extend(beyond);
    Ok(here)
}

async fn in_folders<W: Workflow>(
    cx: &Cx<W>,
    scope: &Scope,
    step: &str,
    act: SearchDocs,
) -> Result<SearchOutput, Fault> {
    let mut output = SearchOutput::default();
    if scope.folders.is_empty() {
        return Ok(output);
    }
    let mut record = SearchRecord {
        provider: "local".to_owned(),
        query: act.question.clone(),
        found: None,
        addressed: false,
        note: String::new(),
    };
    match cx.step(step, &act).await {
        Ok(docs) => {
            record.found = Some(docs.leads.len());
            record.addressed = docs.verdict == Verdict::Addressed;
            if docs.verdict == Verdict::Weak {
                record.note = "the documents mention only part of what was asked".to_owned();
            }
            let unknown = docs.unknown.iter().map(|name| format!("no document mentions \"{name}\""));
            output.notes.extend(unknown);
            (output.leads, output.nearest) = (docs.leads, docs.nearest);
        }
        Err(Fault::Failed { text, .. }) => record.note = text,
        Err(fault) => return Err(fault),
    }
    output.searches.push(record);
    Ok(output)
}

async fn on_the_web<W: Workflow>(
    cx: &Cx<W>,
    scope: &Scope,
    step: String,
    query: &str,
    words: usize,
) -> Result<SearchOutput, Fault> {
    let Some(beyond) = &scope.beyond else { return Ok(SearchOutput::default()) };
    let words = telling(query, words);
    let words = if words.is_empty() { query.to_owned() } else { words };
    match cx.step(step, &SearchWeb::of(beyond, &words)).await {
        Ok(fanned) => Ok(gathered(fanned, scope)),
        Err(Fault::Failed { text, .. }) => {
            let failed = |name: &str| SearchRecord {
                provider: name.to_owned(),
                query: words.clone(),
                found: None,
                addressed: false,
                note: text.clone(),
            };
            Ok(SearchOutput { searches: beyond.names().map(failed).collect(), ..SearchOutput::default() })
        }
        Err(fault) => Err(fault),
    }
}

/// What the providers brought: how each query ended, the documents to read, what is not used and why.
fn gathered(fanned: Fanned, scope: &Scope) -> SearchOutput {
    let Fanned { leads, left_out, ends } = fanned;
    let searches = ends.into_iter().map(record).collect();
    let mut output = SearchOutput { searches, ..SearchOutput::default() };
    let not_used = left_out.iter().map(|it| format!("left out: {} of {}: {}", it.what, it.provider, it.why));
    output.notes.extend(not_used);
    let wanted = |lead: &merge::Lead| {
        let place = lead.location.to_string();
        !scope.dropped.iter().any(|name| place.ends_with(name.as_str()))
    };
    let mut leads: Vec<Lead> = leads.into_iter().filter(wanted).map(lead).collect();
    let most = scope.pages;
    if leads.len() > most {
        output.notes.push(format!("more pages were found than the {most} that are read for one search"));
        leads.truncate(most);
    }
    output.leads = leads;
    output
}

fn record(put: ProviderQuery) -> SearchRecord {
    let note = put.why().unwrap_or_default();
    let found = match put.end {
        End::Answered { hits } => Some(hits),
        End::CooledDown { .. } | End::Failed { .. } | End::Skipped { .. } => None,
    };
    // Whether the pages address the question is known when they are read.
    SearchRecord {
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
    /// The search for these words within a scope.
    #[must_use]
    pub fn of(scope: &Scope, question: &str) -> Self {
        Self {
            folders: scope.folders.clone(),
            question: question.to_owned(),
            sentences: scope.sentences,
            since: scope.since.clone(),
            until: scope.until.clone(),
            dropped: scope.dropped.clone(),
            doubtful: false,
        }
    }
}

impl SearchWeb {
    fn of(beyond: &Beyond, query: &str) -> Self {
        let Beyond { rules, language, .. } = beyond.clone();
        Self { query: query.to_owned(), hits: HITS, rules, language }
    }
}
