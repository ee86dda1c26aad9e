//! What all research workers share: searching for a kind of source, reading what was found, and telling kinds apart.

use std::collections::{BTreeSet, HashSet};

use baton_agents::rules::words::{content_stems, fold};
use baton_agents::search::Location;
use baton_agents::search::web::ProviderCard;

use super::{Job, Trouble, WorkerResult, web_scraper, writing};
use crate::article::brief::SourceKind;
use crate::article::numbering::unnumbered;
use crate::article::planner::SIMPLE;
use crate::retrieval::{
    self, Beyond, Candidate, FoundFact, Lead, PrepareDocs, Reading, Scope, Search, SearchDocs, SourceCard,
};

/// Words of an article for which one more heading of what was found is searched for in turn.
const PER_HOP: usize = 70;
/// Words of the article for which one more sentence of a search is read.
const PER_SENTENCE: usize = 100;
/// Sentences of one document whose headings lead on.
const PER_LEAD: usize = 3;
/// Words of sentences that can be used for each word of the article: not every one will be.
const ENOUGH: usize = 4;
/// How many times the usual number of sentences the topic itself brings: what it is about stands near it.
const OWN: usize = 3;
/// The same for a kind of source that is rare and stands far down in what a search finds.
const RARE: usize = 10;

/// Words of a heading that can be searched for; questions are long.
const LONG_HEADING: usize = 16;
/// Headings that lead on where a kind is rare: what there is of it was looked for by its name.
const RARE_HOPS: usize = 4;

/// What kind of source a document is, by where it is and what it calls itself. One's own document that does not say so is
/// a document, whatever it holds.
#[must_use]
pub fn kind_of(location: &Location, title: &str) -> SourceKind {
    let (place, fallback) = match location {
        Location::Url(url) => (url.to_lowercase(), SourceKind::Web),
        Location::Path(path) => {
            let name = path.file_stem().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
            (name, SourceKind::Document)
        }
    };
    let title = title.to_lowercase();
    let hosts = |names: &[&str]| fallback == SourceKind::Web && names.iter().any(|name| place.contains(name));
    let words: BTreeSet<&str> = place
        .split(|letter: char| !letter.is_alphanumeric())
        .chain(title.split(|letter: char| !letter.is_alphanumeric()))
        .collect();
    let says = |names: &[&str]| names.iter().any(|name| words.contains(name));
    if hosts(&[
        "arxiv.org",
        "doi.org",
        "pubmed",
        "springer",
        "nature.com",
        "plos",
        "acm.org",
        "ieee",
        "openalex",
        "crossref",
    ]) || says(&["paper", "study", "thesis", "journal", "proceedings", "preprint", "dissertation"])
    {
        SourceKind::Academic
    } else if hosts(&[
        "reddit",
        "mastodon",
        "bsky",
        "forum",
        "news.ycombinator",
        "lobste.rs",
        "stackexchange",
        "medium.com",
    ]) || says(&["blog", "forum", "thread", "newsletter", "comments"])
    {
        SourceKind::Social
    } else if hosts(&["reuters", "apnews", "bbc.", "nytimes", "theguardian", "ft.com", "economist", "/news/"])
        || says(&["news", "courier", "press", "gazette", "herald", "tribune", "newspaper"])
    {
        SourceKind::News
    } else {
        fallback
    }
}

/// The providers of a place that find a kind.
fn finds(card: &ProviderCard, kinds: &[SourceKind]) -> bool {
    let name = card.name.to_lowercase();
    let kind = if ["arxiv", "openalex", "crossref", "pubmed"].iter().any(|it| name.contains(it)) {
        SourceKind::Academic
    } else if name.contains("news") {
        SourceKind::News
    } else if name.contains("feed") || name.contains("social") {
        SourceKind::Social
    } else {
        SourceKind::Web
    };
    kinds.contains(&kind)
}

/// Where a worker may look for its kinds.
fn scope(job: &Job<'_>, kinds: &[SourceKind]) -> Scope {
    let mut scope = job.assignment.scope();
    // A paragraph needs more of a document than an answer does.
    scope.sentences += job.assignment.brief.target_length / PER_SENTENCE;
    scope.sentences *= job.plan.reach;
    if !kinds.contains(&SourceKind::Document) {
        scope.sentences *= RARE;
    }
    scope.beyond = scope.beyond.take().and_then(|beyond| {
        let providers: Vec<ProviderCard> =
            beyond.providers.iter().filter(|card| finds(card, kinds)).cloned().collect();
        // A server of one's own may find anything; the general search asks it.
        let servers = if kinds.contains(&SourceKind::Web) { beyond.servers.clone() } else { Vec::new() };
        (!providers.is_empty() || !servers.is_empty()).then(|| Beyond { providers, servers, ..beyond })
    });
    scope
}

/// Searches for a kind of source, reads what was found, and searches on under its headings.
pub async fn find(job: &Job<'_>, kinds: &[SourceKind]) -> Result<WorkerResult, Trouble> {
    let scope = scope(job, kinds);
    let (mut sources, mut facts, mut searches) = (Vec::new(), Vec::new(), Vec::new());
    let (mut refused, mut notes) = (Vec::new(), Vec::new());
    if scope.folders.is_empty() && scope.beyond.is_none() {
        notes.push(format!("no place that was named has {} sources", names(kinds)));
    } else {
        if !scope.folders.is_empty() {
            let prepare = PrepareDocs { folders: scope.folders.clone() };
            job.cx.step(format!("{}/prepare", job.id), &prepare).await?;
        }
        let mut queries: Vec<(String, usize)> = job.plan.queries.iter().cloned().zip(0..).collect();
        let next = queries.len();
        queries.extend(by_kind(job, kinds).into_iter().map(|query| (query, 0)));
        let named = queries.len();
        let mut at = 0;
        while at < queries.len() {
            let (query, part) = queries[at].clone();
            let mut scope = scope.clone();
            if at < next && kinds.contains(&SourceKind::Document) {
                scope.sentences *= OWN;
            }
            if (next..named).contains(&at) {
                // The name of a kind is looked for among names of files; a place that has the kind needs no such word.
                scope.beyond = None;
            }
            let mut found = one(job, &scope, &query, at).await?;
            if found.leads.is_empty() && at < next && kinds.contains(&SourceKind::Document) {
                found.leads = about(job, &scope, &query, &format!("nearest{at}")).await?;
            }
            let wanted = job.assignment.brief.target_length;
            let enough = usable(&facts) >= ENOUGH * wanted * job.plan.reach.min(2);
            if leads_on(job) && !enough {
                // Headings of any kind lead on; what is under them may be of the kind that is wanted.
                let hops = if kinds.contains(&SourceKind::Document) {
                    (wanted / PER_HOP).clamp(4, 24) * job.plan.reach
                } else {
                    RARE_HOPS
                };
                let most = named + hops;
                for heading in headings(&found.leads, &job.assignment.brief.topic) {
                    if queries.len() < most
                        && !queries.iter().any(|(known, _)| known.eq_ignore_ascii_case(&heading))
                    {
                        queries.push((heading, next));
                    }
                }
            }
            found.leads.retain(|lead| is_wanted(job, kinds, lead));
            let reading = Reading {
                id: &format!("{}q{at}", job.code),
                part,
                question: query.clone(),
                query: words(job, &query, at),
                weight: if at < named { 1.0 } else { 0.8 },
                leads: found.leads,
                reader: &job.assignment.roles.reader,
            };
            searches.extend(found.searches);
            notes.extend(found.notes);
            let read = retrieval::read(job.cx, &scope, &reading).await?;
            sources.extend(read.sources);
            facts.extend(read.facts);
            refused.extend(read.refused);
            notes.extend(read.notes);
            at += 1;
        }
        // A wish beside its topic is more words than any passage has; where the topic was found, it is looked for alone.
        if kinds.contains(&SourceKind::Document) && leads_on(job) && !facts.is_empty() {
            for (at, wish) in writing::wishes(&job.assignment.brief).enumerate() {
                let mut leads = about(job, &scope, wish, &format!("wish{at}")).await?;
                leads.retain(|lead| is_wanted(job, kinds, lead));
                let reading = Reading {
                    id: &format!("{}w{at}", job.code),
                    part: 0,
                    question: wish.clone(),
                    query: job.assignment.words(wish),
                    weight: 0.9,
                    leads,
                    reader: &job.assignment.roles.reader,
                };
                let read = retrieval::read(job.cx, &scope, &reading).await?;
                sources.extend(read.sources);
                facts.extend(read.facts);
                refused.extend(read.refused);
                notes.extend(read.notes);
            }
        }
        if searches.iter().all(|search| search.found.is_none()) && !searches.is_empty() {
            let mut why: Vec<&str> = searches.iter().map(|it| it.note.as_str()).collect();
            why.dedup();
            return Err(Trouble::Failed(why.join("; ")));
        }
    }
    // Rules write with the paragraphs of their sources, and read them for nothing.
    if kinds.contains(&SourceKind::Document) && leads_on(job) && job.assignment.roles.reader.chain.is_empty()
    {
        let mut known: BTreeSet<String> = BTreeSet::new();
        let once: Vec<SourceCard> = sources
            .iter()
            .filter(|card: &&SourceCard| known.insert(card.key().to_owned()))
            .cloned()
            .collect();
        let full = web_scraper::read_in_full(job, &once, &facts, "full").await?;
        facts.extend(full.facts);
        refused.extend(full.refused);
        notes.extend(full.notes);
    }
    notes.sort();
    notes.dedup();
    if facts.is_empty() {
        notes.push(format!("no {} source speaks of it", names(kinds)));
    }
    Ok(WorkerResult::Sources { looked_for: kinds.to_vec(), sources, facts, refused, searches, notes })
}

/// Whether what is found leads to further searches: the topic is not simple, or a first search was not enough.
fn leads_on(job: &Job<'_>) -> bool {
    job.plan.complexity >= SIMPLE || job.plan.reach > 1
}

/// Searches for documents that call themselves of a kind. A search for the topic alone brings what speaks of it most, and
/// that is seldom the newspaper.
fn by_kind(job: &Job<'_>, kinds: &[SourceKind]) -> Vec<String> {
    let topic = retrieval::telling(&job.assignment.brief.topic, retrieval::FEW).replace('-', " ");
    let names = |kind: &SourceKind| match kind {
        SourceKind::Academic => ["study", "paper"].as_slice(),
        SourceKind::News => &["news", "press"],
        SourceKind::Social => &["blog", "newsletter", "forum"],
        SourceKind::Web | SourceKind::Document => &[],
    };
    kinds.iter().flat_map(names).map(|name| format!("{name} {topic}")).collect()
}

/// Words of the sentences among facts that an article could be made of, each once.
fn usable(facts: &[FoundFact]) -> usize {
    let whole: BTreeSet<String> =
        facts.iter().filter_map(|fact| writing::sentence_of(&fact.fact.statement)).collect();
    whole.iter().map(|sentence| sentence.split_whitespace().count()).sum()
}

fn names(kinds: &[SourceKind]) -> String {
    kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" or ")
}

/// A query's words: the brief's own are the person's, headings of documents are not.
fn words(job: &Job<'_>, query: &str, at: usize) -> baton_agents::skill::Words {
    if at < job.plan.queries.len() {
        job.assignment.words(query)
    } else {
        baton_agents::skill::Words::foreign(query)
    }
}

/// Whether a document is of a kind that is wanted, and current.
fn is_wanted(job: &Job<'_>, kinds: &[SourceKind], lead: &Lead) -> bool {
    let kind = kind_of(&lead.location, &lead.title);
    kinds.contains(&kind) && !job.assignment.brief.excluded_sources.contains(&kind) && !lead.replaced
}

/// One query.
async fn one(
    job: &Job<'_>,
    scope: &Scope,
    query: &str,
    at: usize,
) -> Result<retrieval::SearchOutput, Trouble> {
    let search = Search {
        id: &format!("{}/q{at}", job.id),
        query: words(job, query, at),
        focus: job.assignment.brief.keywords.clone(),
        searcher: &job.assignment.roles.searcher,
    };
    Ok(retrieval::search(job.cx, scope, &search).await?)
}

/// What comes nearest to a topic or a wish, if it is about it. A search refuses what no passage answers; a topic is not
/// answered anywhere, it is what a whole manual is about.
async fn about(job: &Job<'_>, scope: &Scope, words: &str, step: &str) -> Result<Vec<Lead>, Trouble> {
    if scope.folders.is_empty() {
        return Ok(Vec::new());
    }
    let act = SearchDocs { doubtful: true, ..SearchDocs::of(scope, words) };
    let found = job.cx.step(format!("{}/{step}", job.id), &act).await?;
    Ok(if speak_of(&found.leads, words) { found.leads } else { Vec::new() })
}

/// Things that a topic names of which one may have another name in the documents.
const NAMED: usize = 4;

/// Whether documents speak of a topic: one of them names what it names, half of it together in one passage. What is done
/// with it, as "organising", may have another word where it names two things or more, and so may one of four things.
fn speak_of(leads: &[Lead], topic: &str) -> bool {
    let words: Vec<String> = topic.split_whitespace().map(fold).collect();
    let deed = |word: &&String| word.len() > 5 && word.trim_end_matches([',', ':']).ends_with("ing");
    let (deeds, things): (Vec<&String>, Vec<&String>) = words.iter().partition(deed);
    let stems = |words: &[&String]| -> HashSet<String> {
        words.iter().flat_map(|word| content_stems(word)).collect()
    };
    let mut wanted = stems(&things);
    if wanted.len() < 2 {
        wanted.extend(stems(&deeds));
    }
    let speaks = |lead: &Lead| {
        let of = |it: &Candidate| content_stems(&format!("{} {} {}", lead.title, it.heading, it.text));
        let own: Vec<HashSet<String>> = lead.candidates.iter().map(of).collect();
        let missing = wanted.iter().filter(|stem| !own.iter().any(|it| it.contains(*stem))).count();
        let together = own.iter().map(|it| it.intersection(&wanted).count()).max().unwrap_or(0);
        missing <= usize::from(wanted.len() >= NAMED) && together * 2 >= wanted.len()
    };
    !wanted.is_empty() && leads.iter().any(speaks)
}

/// Headings of what was found that are worth a search of their own, those of the best sentences first.
fn headings(leads: &[Lead], topic: &str) -> Vec<String> {
    let wanted = content_stems(topic);
    let speaks = |lead: &&Lead| {
        let own: String = lead.candidates.iter().map(|it| format!("{} {} ", it.heading, it.text)).collect();
        let shared = content_stems(&format!("{} {own}", lead.title)).intersection(&wanted).count();
        shared >= wanted.len().min(2)
    };
    let mut found: Vec<(f64, String)> = Vec::new();
    // A few of each document: one that has many headings is not all there is.
    let few = leads.iter().filter(speaks).flat_map(|lead| lead.candidates.iter().take(PER_LEAD));
    for candidate in few {
        let heading = unnumbered(candidate.heading.rsplit(" > ").next().unwrap_or_default().trim());
        let words = heading.split_whitespace().count();
        let is_new = !found.iter().any(|(_, known)| known.eq_ignore_ascii_case(heading));
        if (1..=LONG_HEADING).contains(&words) && is_new && !heading.eq_ignore_ascii_case(topic) {
            found.push((candidate.score, heading.to_owned()));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.into_iter().map(|(_, heading)| heading).collect()
}
