//! Research as the crash test runs it: three dimensions at once, in documents and beyond, a paid reader and a paid
//! writer, a conflict, a document and a page that cannot be read.

use async_trait::async_trait;
use baton_agents::evidence::{Authority, Source, admit};
use baton_agents::model::ModelCall;
use baton_agents::search::fan::{End, Fanned, ProviderQuery};
use baton_agents::search::local::Verdict;
use baton_agents::search::{Hit, Location, merge};
use baton_agents::skill::Role;
use baton_engine::torture::{Rehearsal, Rehearse};
use baton_engine::{Call, Effects, Failure, Hash, OpenQuestion, Paid, Perform, Settings};
use serde_json::{Value, json};

use super::{Brief, Depth, Research};
use crate::asking::CallModel;
use crate::pretended::PretendedModel;
use crate::retrieval::{
    Admit, Admitted, Beyond, Candidate, DocRead, DocsFound, FetchPage, Lead, PageRead, PrepareDocs, Prepared,
    RankPages, RankedPage, RankedPages, ReadLead, RefusedFact, SearchDocs, SearchWeb, SourceCard,
};

/// The pages of the rehearsal's web.
const PAGES: [(&str, &str, &str); 2] = [
    (
        "https://mills.example/lode",
        "2025-12-03",
        "The mill grinds 40 tonnes of wheat a day. A sack of flour costs 19 euros.",
    ),
    ("https://mills.example/gone", "2025-12-04", "The wheat of the mill comes by ship."),
];

/// The library of the rehearsal: a name, a date, and what it says.
const DOCUMENTS: [(&str, &str, &str); 5] = [
    ("report.md", "2025-12-01", "The mill grinds 40 tonnes of wheat a day. The mill employs 12 millers."),
    ("letter.md", "2025-12-05", "The mill grinds 44 tonnes of wheat a day."),
    ("prices.md", "2025-11-20", "A sack of flour costs 18 euros at the mill."),
    ("river.md", "2025-10-02", "The river Lode drives the mill with 30 kilowatts."),
    ("locked.md", "2025-09-01", "The mill burnt down in 1911."),
];

impl Rehearse for Research {
    fn rehearsal() -> Rehearsal<Self> {
        let mut brief = Brief::new(
            "How much wheat does the mill grind, what does flour cost, and what drives the mill?",
            vec!["docs".into()],
        );
        brief.depth = Depth::Standard;
        brief.today = "2026-01-01".to_owned();
        brief.beyond = Some(Beyond { consent: "the rehearsal".to_owned(), ..Beyond::default() });
        let paid = |name: &str| Role {
            name: name.to_owned(),
            chain: vec![PretendedModel::card("pretended")],
            rules: true,
        };
        brief.roles.reader = paid("reader");
        brief.roles.synthesizer = paid("synthesizer");
        let effects = Effects::default()
            .with::<PrepareDocs>(Pretended)
            .with::<SearchDocs>(Pretended)
            .with::<SearchWeb>(Pretended)
            .with::<ReadLead>(Pretended)
            .with::<FetchPage>(Pretended)
            .with::<RankPages>(Pretended)
            .with::<Admit>(Pretended)
            .with::<CallModel>(PretendedModel { say: said, output: 50 });
        Rehearsal { input: brief, settings: Settings { parallel: 6, ..Settings::default() }, effects, answer }
    }
}

fn answer(_open: &OpenQuestion) -> Value {
    json!("yes")
}

/// The world of the rehearsal. What it says depends on nothing but what it is asked.
struct Pretended;

#[async_trait]
impl Perform<PrepareDocs> for Pretended {
    async fn perform(&self, _act: PrepareDocs, _call: &Call) -> Result<Paid<Prepared>, Failure> {
        Ok(Paid::free(Prepared { documents: DOCUMENTS.len(), left_out: Vec::new() }))
    }
}

#[async_trait]
impl Perform<SearchDocs> for Pretended {
    async fn perform(&self, act: SearchDocs, _call: &Call) -> Result<Paid<DocsFound>, Failure> {
        let telling = |text: &str| shared_words(&act.question, text);
        let mut leads: Vec<Lead> = Vec::new();
        for (name, date, text) in DOCUMENTS.iter().filter(|(_, _, text)| telling(text) > 0) {
            leads.push(Lead {
                location: Location::Path((*name).into()),
                title: (*name).to_owned(),
                date: Some((*date).to_owned()),
                provider: "local".to_owned(),
                references: Vec::new(),
                replaced: false,
                candidates: vec![candidate(text, telling(text))],
            });
        }
        Ok(Paid::free(DocsFound { verdict: Verdict::Addressed, unknown: Vec::new(), leads, nearest: None }))
    }
}

#[async_trait]
impl Perform<ReadLead> for Pretended {
    async fn perform(&self, act: ReadLead, _call: &Call) -> Result<Paid<DocRead>, Failure> {
        let name = act.lead.location.to_string();
        let document = DOCUMENTS.iter().find(|(known, _, _)| *known == name && name != "locked.md");
        let Some((_, date, text)) = document else {
            return Err(Failure::lasting(format!("{name} cannot be read")));
        };
        let card = source_card(&act.lead, &name, date, text);
        Ok(Paid::free(DocRead { card, language: None, excerpt: (*text).to_owned() }))
    }
}

#[async_trait]
impl Perform<SearchWeb> for Pretended {
    async fn perform(&self, act: SearchWeb, _call: &Call) -> Result<Paid<Fanned>, Failure> {
        let found = PAGES.iter().filter(|(_, _, text)| shared_words(&act.query, text) > 0);
        let leads: Vec<merge::Lead> = found.map(|(address, date, _)| web_lead(address, date)).collect();
        let put = |provider: &str, end| ProviderQuery {
            provider: provider.to_owned(),
            query: act.query.clone(),
            tries: 1,
            end,
        };
        let tired = End::Skipped { why: "its limit leaves no turn for 60 s".to_owned() };
        let ends = vec![put("pretended", End::Answered { hits: leads.len() }), put("tired", tired)];
        Ok(Paid::free(Fanned { leads, left_out: Vec::new(), ends }))
    }
}

#[async_trait]
impl Perform<FetchPage> for Pretended {
    async fn perform(&self, act: FetchPage, _call: &Call) -> Result<Paid<PageRead>, Failure> {
        let address = act.lead.location.to_string();
        let page = PAGES.iter().find(|(known, _, _)| *known == address && !address.ends_with("gone"));
        let Some((_, date, text)) = page else {
            return Err(Failure::lasting(format!("{address} answered 410")));
        };
        let card = source_card(&act.lead, &address, date, text);
        Ok(Paid::free(PageRead { card, language: None, pages: Vec::new(), contents: Vec::new() }))
    }
}

#[async_trait]
impl Perform<RankPages> for Pretended {
    async fn perform(&self, act: RankPages, _call: &Call) -> Result<Paid<RankedPages>, Failure> {
        let ranked = |page: &PageRead| {
            let text = PAGES.iter().find(|(address, _, _)| *address == page.card.shown).map_or("", |it| it.2);
            let candidates = vec![candidate(text, shared_words(&act.question, text))];
            RankedPage { candidates, excerpt: text.to_owned() }
        };
        let pages = act.pages.iter().map(ranked).collect();
        Ok(Paid::free(RankedPages { verdict: Verdict::Addressed, pages }))
    }
}

/// How many long words of a question a text has.
fn shared_words(question: &str, text: &str) -> usize {
    let text = text.to_lowercase();
    question.to_lowercase().split(' ').filter(|word| word.len() > 4 && text.contains(word)).count()
}

fn candidate(text: &str, shared: usize) -> Candidate {
    Candidate {
        text: text.to_owned(),
        heading: String::new(),
        page: None,
        ranges: Vec::new(),
        score: shared as f64,
    }
}

fn web_lead(address: &str, date: &str) -> merge::Lead {
    let location = Location::Url(address.to_owned());
    let hit = Hit {
        title: address.to_owned(),
        location: location.clone(),
        snippet: String::new(),
        date: Some(date.to_owned()),
        provider: "pretended".to_owned(),
        rank: 1,
        anchor: None,
    };
    merge::Lead {
        title: address.to_owned(),
        tier: Authority::of(&location).tier(),
        location,
        snippet: String::new(),
        date: Some(date.to_owned()),
        ids: Vec::new(),
        references: vec![hit],
        score: 1.0,
    }
}

fn source_card(lead: &Lead, name: &str, date: &str, text: &str) -> SourceCard {
    let hash = Hash::of(text.as_bytes()).to_string();
    let source = Source {
        id: hash.chars().take(16).collect(),
        location: lead.location.clone(),
        title: name.to_owned(),
        date: Some(date.to_owned()),
        authority: Authority::Official,
        raw_hash: hash.clone(),
        text_hash: hash,
    };
    let file = name.rsplit('/').next().unwrap_or(name);
    SourceCard {
        source,
        shown: name.to_owned(),
        author: None,
        kind: "Markdown".to_owned(),
        accessed: "2026-01-01".to_owned(),
        asset: format!("assets/text/{file}"),
        provider: lead.provider.clone(),
        references: lead.references.clone(),
        replaced: false,
    }
}

#[async_trait]
impl Perform<Admit> for Pretended {
    async fn perform(&self, act: Admit, _call: &Call) -> Result<Paid<Admitted>, Failure> {
        let all = DOCUMENTS.iter().chain(&PAGES);
        let text = all.into_iter().find(|(name, _, _)| *name == act.card.shown).map_or("", |it| it.2);
        let mut admitted = Admitted::default();
        for proposal in act.proposals {
            match admit(&proposal.id, &proposal.statement, &proposal.quote, &act.card.source, text, 1.0) {
                Ok(fact) => admitted.facts.push(fact),
                Err(refusal) => {
                    admitted.refused.push(RefusedFact {
                        statement: proposal.statement,
                        why: refusal.to_string(),
                        quoted: false,
                    });
                }
            }
        }
        Ok(Paid::free(admitted))
    }
}

fn said(call: &ModelCall) -> String {
    let shown: String = call.messages.iter().map(|message| message.text.as_str()).collect();
    let text = match call.skill.as_str() {
        "read_for_facts" => facts(&shown),
        "mend_sentences" => mended(&shown),
        _ => draft(&shown),
    };
    text.to_string()
}

/// Every sentence of the library that is shown, and one that is not there.
fn facts(shown: &str) -> Value {
    let sentences = DOCUMENTS.iter().chain(&PAGES).flat_map(|(_, _, text)| text.split_inclusive(". "));
    let there = sentences.map(str::trim).filter(|sentence| shown.contains(sentence));
    let mut facts: Vec<Value> = there.map(|it| json!({"statement": it, "quote": it})).collect();
    facts.push(json!({"statement": "The mill is haunted.", "quote": "The mill is haunted."}));
    json!({"facts": facts})
}

/// The facts that are shown: label and statement.
fn known(shown: &str) -> Vec<(&str, &str)> {
    let lines = shown.lines().filter_map(|line| {
        let (label, rest) = line.split_once(" (")?;
        let statement = rest.split_once("): ")?.1;
        label.starts_with("Fact-").then_some((label, statement))
    });
    lines.collect()
}

/// Every fact as its own sentence in the first part, one that cites nothing, and one that says too much.
fn draft(shown: &str) -> Value {
    let known = known(shown);
    let mut sentences: Vec<Value> =
        known.iter().map(|(label, statement)| json!({"text": statement, "facts": [label]})).collect();
    sentences.push(json!({"text": "Everybody loves the mill.", "facts": []}));
    if let Some((label, _)) = known.first() {
        sentences.push(json!({"text": "The mill grinds 90 tonnes of wheat a day.", "facts": [label]}));
    }
    let part = |part: usize, sentences: &[Value]| json!({"part": part, "sentences": sentences});
    json!({"parts": [part(0, &sentences), part(1, &[]), part(2, &[])], "also": []})
}

/// The first fact in the place of the first sentence that was rejected.
fn mended(shown: &str) -> Value {
    let number = shown.lines().find_map(|line| line.split_once(". ")?.0.parse::<usize>().ok());
    let sentences: Vec<Value> = number
        .zip(known(shown).first())
        .map(|(number, (label, statement))| {
            json!({"number": number, "text": format!("According to the documents, {statement}"), "facts": [label]})
        })
        .into_iter()
        .collect();
    json!({"sentences": sentences})
}
