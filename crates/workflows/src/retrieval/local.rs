//! The acts carried out on this machine: the local index, the reader, the archive.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use async_trait::async_trait;
use baton_agents::evidence::{Archived, Authority, Source, admit, admit_at};
use baton_agents::read::archive::Archive;
use baton_agents::read::extract::ChildCommand;
use baton_agents::read::fetch::FetchedPage;
use baton_agents::read::files::{FileReader, Limits};
use baton_agents::read::library::{Kept, Library};
use baton_agents::read::{Format, Reading};
use baton_agents::rules::answer::{Asked, asked};
use baton_agents::rules::dates;
use baton_agents::search::Location;
use baton_agents::search::local::{Answer, LocalIndex, Quote, Verdict};
use baton_engine::{Call, Clock, Effects, Failure, Paid, Perform};

use super::acts::{
    Admit, Admitted, DocRead, DocsFound, PageRead, PrepareDocs, Prepared, RankPages, RankedPage, RankedPages,
    ReadLead, SearchDocs,
};
use super::excerpt::excerpt;
use super::leads::{add, candidate, explain, lead_of, narrow, whole};
use super::source::{Candidate, Lead, RefusedFact, SourceCard};
use super::verbatim::verbatim;

/// This machine: folders of documents, an archive, a child process that parses foreign formats.
#[derive(Clone)]
pub struct LocalWorld {
    home: PathBuf,
    child: ChildCommand,
    clock: Arc<dyn Clock>,
    library: Arc<Mutex<Option<Library>>>,
    indexes: Arc<Mutex<HashMap<PathBuf, LocalIndex>>>,
}

/// Does blocking work of a world on a thread that may block; it costs nothing.
pub(crate) async fn blocking<W: Clone + Send + 'static, T: Send + 'static>(
    world: &W,
    work: impl FnOnce(&W) -> Result<T, Failure> + Send + 'static,
) -> Result<Paid<T>, Failure> {
    let world = world.clone();
    let done = tokio::task::spawn_blocking(move || work(&world)).await;
    done.map_err(|error| Failure::passing(format!("the work was interrupted: {error}")))?.map(Paid::free)
}

impl LocalWorld {
    /// The world as seen from a home.
    #[must_use]
    pub fn new(home: &Path, child: ChildCommand, clock: Arc<dyn Clock>) -> Self {
        Self { home: home.to_owned(), child, clock, library: Arc::default(), indexes: Arc::default() }
    }

    /// Adds the performers.
    #[must_use]
    pub fn effects(self, effects: Effects) -> Effects {
        effects
            .with::<PrepareDocs>(self.clone())
            .with::<SearchDocs>(self.clone())
            .with::<ReadLead>(self.clone())
            .with::<RankPages>(self.clone())
            .with::<Admit>(self)
    }

    /// Does blocking work on a thread that may block.
    pub(super) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, Failure> + Send + 'static,
    ) -> Result<Paid<T>, Failure> {
        blocking(self, work).await
    }

    fn with_index<T>(
        &self,
        folder: &Path,
        work: impl FnOnce(&mut LocalIndex) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut indexes = lock(&self.indexes);
        if !indexes.contains_key(folder) {
            let index = LocalIndex::for_folder(&self.home, folder).map_err(lasting)?;
            indexes.insert(folder.to_owned(), index);
        }
        match indexes.get_mut(folder) {
            Some(index) => work(index),
            None => Err(Failure::lasting("the index was lost")),
        }
    }

    fn prepare(&self, act: &PrepareDocs) -> Result<Prepared, Failure> {
        let mut prepared = Prepared::default();
        let now = UNIX_EPOCH + Duration::from_millis(self.clock.now().0);
        for folder in &act.folders {
            let update = self.with_index(folder, |index| {
                index.update(folder, &Limits::default(), &self.child, now, &mut |_| {}).map_err(lasting)
            })?;
            prepared.documents += update.documents;
            let named = |file: &baton_agents::search::local::Skipped| {
                format!("{} {}", shown(&file.path, &act.folders), file.reason)
            };
            prepared.left_out.extend(update.skipped.iter().map(named));
        }
        Ok(prepared)
    }

    fn search(&self, act: &SearchDocs) -> Result<DocsFound, Failure> {
        let mut best =
            DocsFound { verdict: Verdict::NoEvidence, unknown: Vec::new(), leads: Vec::new(), nearest: None };
        let mut quotes: Vec<(PathBuf, Quote)> = Vec::new();
        let mut nearest: Vec<(f64, PathBuf, Quote)> = Vec::new();
        for folder in &act.folders {
            let Answer { verdict, unknown, quotes: found, evidence, nearest: near, .. } =
                self.with_index(folder, |index| index.answer(&act.question, act.sentences).map_err(lasting))?;
            best.verdict = stronger(best.verdict, verdict);
            best.unknown.extend(unknown);
            quotes.extend(found.into_iter().map(|quote| (folder.clone(), quote)));
            nearest.extend(near.map(|quote| (evidence, folder.clone(), quote)));
        }
        quotes.retain(|(folder, quote)| act.wants(&folder.join(&quote.path), quote.date.as_deref()));
        quotes.sort_by(|a, b| b.1.score.total_cmp(&a.1.score));
        quotes.truncate(act.sentences);
        let asked = asked(&act.question);
        let mut chosen: Vec<((usize, usize), String)> = Vec::new();
        let mut texts: HashMap<String, Option<String>> = HashMap::new();
        for (folder, quote) in quotes {
            if !texts.contains_key(&quote.text_hash) {
                let text = self.with_index(&folder, |index| index.text(&quote.text_hash).map_err(lasting))?;
                texts.insert(quote.text_hash.clone(), text);
            }
            let text = texts.get(&quote.text_hash).and_then(Option::as_deref);
            let quote = narrow(quote, text, &asked);
            let hash = quote.text_hash.clone();
            if let Some(at) = add(&mut best.leads, folder.join(&quote.path), quote, text)
                && chosen.len() < EXPLAINED
            {
                chosen.push((at, hash));
            }
        }
        for (lead, candidate, hash) in
            chosen.into_iter().map(|((lead, candidate), hash)| (lead, candidate, hash))
        {
            let text = texts.get(&hash).and_then(Option::as_deref);
            explain(&mut best.leads[lead].candidates, candidate, text);
        }
        if best.leads.is_empty() {
            nearest.retain(|(_, folder, quote)| act.wants(&folder.join(&quote.path), quote.date.as_deref()));
            let first = nearest.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
            best.nearest = first.map(|(_, folder, quote)| self.near(&folder, quote, &asked)).transpose()?;
        }
        if best.leads.is_empty() && act.doubtful {
            best.leads = self.nearest(act)?;
            best.verdict = if best.leads.is_empty() { Verdict::NoEvidence } else { Verdict::Weak };
        }
        Ok(best)
    }

    /// A sentence that answers nothing for certain, as it would stand if it did.
    fn near(&self, folder: &Path, quote: Quote, asked: &Asked) -> Result<Lead, Failure> {
        let text = self.with_index(folder, |index| index.text(&quote.text_hash).map_err(lasting))?;
        let text = text.as_deref();
        let path = folder.join(&quote.path);
        let quote = narrow(quote, text, asked);
        let bare = candidate(quote.clone());
        let mut lead = lead_of(&quote, Location::Path(path));
        lead.candidates.push(whole(bare.clone(), text).unwrap_or(bare));
        Ok(lead)
    }

    /// The documents that come nearest, for whoever can judge them.
    fn nearest(&self, act: &SearchDocs) -> Result<Vec<Lead>, Failure> {
        let mut leads: Vec<Lead> = Vec::new();
        for folder in &act.folders {
            let hits =
                self.with_index(folder, |index| index.hits(&act.question, act.sentences).map_err(lasting))?;
            for hit in hits {
                let Location::Path(path) = &hit.location else { continue };
                if !act.wants(path, hit.date.as_deref()) {
                    continue;
                }
                let Some(anchor) = hit.anchor else { continue };
                let candidate = Candidate {
                    text: hit.snippet,
                    heading: anchor.heading,
                    page: None,
                    ranges: vec![anchor.range],
                    score: 1.0 / hit.rank as f64,
                };
                match leads.iter().position(|lead| lead.location == hit.location) {
                    Some(at) => leads[at].candidates.push(candidate),
                    None if leads.len() == NEAREST => {}
                    None => leads.push(Lead {
                        location: hit.location,
                        title: hit.title,
                        date: hit.date,
                        provider: hit.provider,
                        references: Vec::new(),
                        replaced: false,
                        candidates: vec![candidate],
                    }),
                }
            }
        }
        Ok(leads)
    }

    fn read(&self, act: &ReadLead) -> Result<DocRead, Failure> {
        let Location::Path(path) = &act.lead.location else {
            return Err(Failure::lasting(format!("{} is not on this machine", act.lead.location)));
        };
        let kept = self.with_library(|library| library.read_file(path)).map_err(lasting)?;
        let shown = shown(path, &act.folders);
        let language = kept.reading.language.clone();
        let excerpt = excerpt(&kept.reading.text, &act.lead.candidates, act.excerpt);
        Ok(DocRead { card: self.card(&act.lead, kept, shown, Format::of_path(path)), language, excerpt })
    }

    fn with_library<T>(&self, work: impl FnOnce(&mut Library) -> T) -> T {
        let mut slot = lock(&self.library);
        work(slot.get_or_insert_with(|| {
            let reader = FileReader::new(Limits::default(), self.child.clone());
            Library::new(reader, Archive::of_home(&self.home))
        }))
    }

    /// Parses and archives a fetched page.
    pub(super) fn keep_page(&self, lead: &Lead, page: &FetchedPage) -> Result<PageRead, Failure> {
        let kept = self.with_library(|library| library.read_page(page)).map_err(lasting)?;
        let Reading { language, pages, contents, .. } = &kept.reading;
        let (language, pages, contents) = (language.clone(), pages.clone(), contents.clone());
        let card = self.card(lead, kept, page.url.clone(), Some(page.format));
        Ok(PageRead { card, language, pages, contents })
    }

    fn rank(&self, act: &RankPages) -> Result<RankedPages, Failure> {
        let archive = Archive::of_home(&self.home);
        let mut readings = Vec::new();
        let mut texts = Vec::new();
        for page in &act.pages {
            let PageRead { card, language, pages, contents } = page.clone();
            let text = archive.text(&card.source.text_hash).map_err(lasting)?;
            texts.push(text.clone());
            let reading = Reading {
                text,
                title: Some(card.source.title),
                date: card.source.date,
                language,
                pages,
                contents,
                ..Reading::default()
            };
            readings.push((card.shown, reading));
        }
        let mut index = LocalIndex::in_memory().map_err(lasting)?;
        index.shelve(readings).map_err(lasting)?;
        let answer = index.answer(&act.question, act.sentences).map_err(lasting)?;
        let mut ranked = RankedPages { verdict: answer.verdict, pages: Vec::new() };
        ranked.pages.resize_with(act.pages.len(), RankedPage::default);
        for quote in answer.quotes {
            let of = |page: &PageRead| Path::new(&page.card.shown) == quote.path;
            if let Some(at) = act.pages.iter().position(of) {
                ranked.pages[at]
                    .candidates
                    .extend(whole(candidate(quote), texts.get(at).map(String::as_str)));
            }
        }
        for (page, text) in ranked.pages.iter_mut().zip(&texts) {
            for at in 0..page.candidates.len().min(EXPLAINED / 2) {
                explain(&mut page.candidates, at, Some(text));
            }
        }
        for (ranked, text) in ranked.pages.iter_mut().zip(&texts) {
            if !ranked.candidates.is_empty() {
                ranked.excerpt = excerpt(text, &ranked.candidates, act.excerpt);
            }
        }
        Ok(ranked)
    }

    fn card(&self, lead: &Lead, kept: Kept, shown: String, format: Option<Format>) -> SourceCard {
        let Kept { location, raw_hash, text_hash, reading } = kept;
        let asset = asset(&shown, &raw_hash, format);
        let title =
            reading.title.filter(|title| !title.trim().is_empty()).unwrap_or_else(|| lead.title.clone());
        SourceCard {
            source: Source {
                id: text_hash.chars().take(16).collect(),
                authority: Authority::of_document(&location, &title, reading.author.as_deref()),
                location,
                title,
                date: reading.date.or_else(|| lead.date.clone()),
                raw_hash,
                text_hash,
            },
            shown,
            author: reading.author,
            kind: format.map_or("Text", Format::name).to_owned(),
            accessed: self.clock.now().day(),
            asset,
            provider: lead.provider.clone(),
            references: lead.references.clone(),
            replaced: lead.replaced,
        }
    }

    fn admit(&self, act: &Admit) -> Result<Admitted, Failure> {
        let source = &act.card.source;
        let archive = Archive::of_home(&self.home);
        let text = archive.text(&source.text_hash).map_err(Failure::lasting)?;
        let mut admitted = Admitted::default();
        for proposal in &act.proposals {
            let (id, statement, quote) = (&proposal.id, &proposal.statement, &proposal.quote);
            let fact = if proposal.ranges.is_empty() {
                admit(id, statement, quote, source, &text, 1.0)
            } else {
                admit_at(id, statement, quote, &proposal.ranges, source, &text)
            };
            match fact {
                Ok(fact) => admitted.facts.push(fact),
                Err(refusal) => {
                    // What was made of the words does not hold; the words themselves may.
                    let quoted = verbatim(proposal, source, &text);
                    admitted.refused.push(RefusedFact {
                        statement: statement.clone(),
                        why: refusal.to_string(),
                        quoted: quoted.is_some(),
                    });
                    admitted.facts.extend(quoted);
                }
            }
        }
        Ok(admitted)
    }
}

#[async_trait]
impl Perform<PrepareDocs> for LocalWorld {
    async fn perform(&self, act: PrepareDocs, _call: &Call) -> Result<Paid<Prepared>, Failure> {
        self.blocking(move |world| world.prepare(&act)).await
    }
}

#[async_trait]
impl Perform<SearchDocs> for LocalWorld {
    async fn perform(&self, act: SearchDocs, _call: &Call) -> Result<Paid<DocsFound>, Failure> {
        self.blocking(move |world| world.search(&act)).await
    }
}

#[async_trait]
impl Perform<ReadLead> for LocalWorld {
    async fn perform(&self, act: ReadLead, _call: &Call) -> Result<Paid<DocRead>, Failure> {
        self.blocking(move |world| world.read(&act)).await
    }
}

#[async_trait]
impl Perform<RankPages> for LocalWorld {
    async fn perform(&self, act: RankPages, _call: &Call) -> Result<Paid<RankedPages>, Failure> {
        self.blocking(move |world| world.rank(&act)).await
    }
}

#[async_trait]
impl Perform<Admit> for LocalWorld {
    async fn perform(&self, act: Admit, _call: &Call) -> Result<Paid<Admitted>, Failure> {
        self.blocking(move |world| world.admit(&act)).await
    }
}

impl SearchDocs {
    /// Whether a document may be used: not dropped, and in the range of dates as far as its date is known.
    fn wants(&self, path: &Path, date: Option<&str>) -> bool {
        let name = path.to_string_lossy();
        if self.dropped.iter().any(|dropped| name.ends_with(dropped.as_str())) {
            return false;
        }
        let Some(day) = date.and_then(dates::parse).map(dates::Date::days) else { return true };
        let bound = |bound: &Option<String>| bound.as_deref().and_then(dates::parse).map(dates::Date::days);
        bound(&self.since).is_none_or(|since| day >= since)
            && bound(&self.until).is_none_or(|until| day <= until)
    }
}

fn stronger(a: Verdict, b: Verdict) -> Verdict {
    let rank = |verdict| match verdict {
        Verdict::NoEvidence => 0,
        Verdict::Weak => 1,
        Verdict::Addressed => 2,
    };
    if rank(a) >= rank(b) { a } else { b }
}

/// The best sentences that are brought with what stands behind them.
const EXPLAINED: usize = 4;

/// Documents that a reader is shown though rules doubt them, at most: each is a paid call.
const NEAREST: usize = 3;

/// The path below its folder, as a person would write it.
fn shown(path: &Path, folders: &[PathBuf]) -> String {
    let below = folders.iter().find_map(|folder| path.strip_prefix(folder).ok());
    below.unwrap_or(path).display().to_string()
}

/// Where the copy of a document stands in the run's folder.
fn asset(shown: &str, raw_hash: &str, format: Option<Format>) -> String {
    let (folder, end) = match format {
        Some(Format::Pdf) => ("pdf", "pdf"),
        Some(Format::Html) => ("web", "html"),
        Some(Format::Docx) => ("docx", "docx"),
        Some(Format::Csv) => ("data", "csv"),
        Some(Format::Markdown) => ("text", "md"),
        Some(Format::Text) | None => ("text", "txt"),
    };
    let gz = if shown.ends_with(".gz") { ".gz" } else { "" };
    let name =
        Path::new(shown).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let slug: String = name
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' })
        .take(48)
        .collect();
    format!("assets/{folder}/{slug}_{}.{end}{gz}", &raw_hash[..raw_hash.len().min(8)])
}

pub(super) fn lasting(error: impl std::fmt::Display) -> Failure {
    Failure::lasting(error.to_string())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
