//! The article as the crash test runs it: three kinds of sources at once, a paid reader and a paid writer that lies, a
//! source that cannot be read, and a plan that has to be made again.

use async_trait::async_trait;
use baton_agents::evidence::{Authority, Source, admit};
use baton_agents::model::ModelCall;
use baton_agents::search::Location;
use baton_agents::search::local::Verdict;
use baton_agents::skill::Role;
use baton_engine::torture::{Rehearsal, Rehearse};
use baton_engine::{Call, Effects, Failure, Hash, OpenQuestion, Paid, Perform, Settings};
use serde_json::{Value, json};

use super::brief::form::{Form, Terms};
use super::{Article, Assignment};
use crate::asking::CallModel;
use crate::pretended::PretendedModel;
use crate::retrieval::{
    Admit, Admitted, Candidate, DocRead, DocsFound, Lead, PrepareDocs, Prepared, ReadLead, RefusedFact,
    SearchDocs, SourceCard,
};

/// The library of the rehearsal: a name, a date, and what it says.
const DOCUMENTS: [(&str, &str, &[&str]); 5] = [
    (
        "report.md",
        "2025-12-01",
        &[
            "The mill on the Lode grinds 40 tonnes of wheat a day.",
            "The mill employs 12 millers in two shifts.",
            "The mill was built in 1911 by the town.",
        ],
    ),
    (
        "news-letter.md",
        "2025-12-05",
        &["The mill opened a shop for flour on Monday.", "The mill plans a second wheel for 2027."],
    ),
    (
        "prices.md",
        "2025-11-20",
        &["A sack of flour costs 18 euros at the mill.", "The price of flour rose from 15 to 18 euros."],
    ),
    ("river-study.md", "2025-10-02", &["The river Lode drives the mill with 30 kilowatts of power."]),
    ("locked.md", "2025-09-01", &["The mill burnt down and was built again."]),
];

impl Rehearse for Article {
    fn rehearsal() -> Rehearsal<Self> {
        let mut form = Form::default();
        form.set("topic", "The mill on the Lode");
        form.set("target_length", 200);
        form.set("research_depth", "light");
        form.set("min_sources", 6);
        form.set("min_quality_score", 0.95);
        // The form above is right: what it settles to is tested with the others.
        let brief =
            form.settle(&Terms::default()).unwrap_or_else(|_| unreachable!("the rehearsal's brief is right"));
        let mut assignment = Assignment::new(brief, vec!["docs".into()]);
        assignment.today = "2026-01-01".to_owned();
        let paid = |name: &str| Role {
            name: name.to_owned(),
            chain: vec![PretendedModel::card("pretended")],
            rules: true,
        };
        assignment.roles.reader = paid("reader");
        assignment.roles.writer = paid("writer");
        let effects = Effects::default()
            .with::<PrepareDocs>(Pretended)
            .with::<SearchDocs>(Pretended)
            .with::<ReadLead>(Pretended)
            .with::<Admit>(Pretended)
            .with::<CallModel>(PretendedModel { say: said, output: 50 });
        Rehearsal {
            input: assignment,
            settings: Settings { parallel: 6, ..Settings::default() },
            effects,
            answer,
        }
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

fn whole(sentences: &[&str]) -> String {
    sentences.join("\n\n")
}

#[async_trait]
impl Perform<SearchDocs> for Pretended {
    async fn perform(&self, _act: SearchDocs, _call: &Call) -> Result<Paid<DocsFound>, Failure> {
        let candidate = |text: &&str| Candidate {
            text: (*text).to_owned(),
            heading: "The mill".to_owned(),
            page: None,
            ranges: Vec::new(),
            score: 1.0,
        };
        let lead = |(name, date, sentences): &(&str, &str, &[&str])| Lead {
            location: Location::Path((*name).into()),
            title: (*name).to_owned(),
            date: Some((*date).to_owned()),
            provider: "local".to_owned(),
            references: Vec::new(),
            replaced: false,
            candidates: sentences.iter().map(candidate).collect(),
        };
        let leads = DOCUMENTS.iter().map(lead).collect();
        Ok(Paid::free(DocsFound { verdict: Verdict::Addressed, unknown: Vec::new(), leads }))
    }
}

#[async_trait]
impl Perform<ReadLead> for Pretended {
    async fn perform(&self, act: ReadLead, _call: &Call) -> Result<Paid<DocRead>, Failure> {
        let name = act.lead.location.to_string();
        let document = DOCUMENTS.iter().find(|(known, _, _)| *known == name && name != "locked.md");
        let Some((_, date, sentences)) = document else {
            return Err(Failure::lasting(format!("{name} cannot be read")));
        };
        let text = whole(sentences);
        let hash = Hash::of(text.as_bytes()).to_string();
        let source = Source {
            id: hash.chars().take(16).collect(),
            location: act.lead.location,
            title: name.clone(),
            date: Some((*date).to_owned()),
            authority: Authority::Official,
            raw_hash: hash.clone(),
            text_hash: hash,
        };
        let card = SourceCard {
            source,
            shown: name.clone(),
            author: None,
            kind: "Markdown".to_owned(),
            accessed: "2026-01-01".to_owned(),
            asset: format!("assets/text/{name}"),
            provider: "local".to_owned(),
            references: Vec::new(),
            replaced: false,
        };
        Ok(Paid::free(DocRead { card, language: None, excerpt: text }))
    }
}

#[async_trait]
impl Perform<Admit> for Pretended {
    async fn perform(&self, act: Admit, _call: &Call) -> Result<Paid<Admitted>, Failure> {
        let text = DOCUMENTS
            .iter()
            .find(|(name, _, _)| *name == act.card.shown)
            .map_or(String::new(), |it| whole(it.2));
        let mut admitted = Admitted::default();
        for proposal in act.proposals {
            match admit(&proposal.id, &proposal.statement, &proposal.quote, &act.card.source, &text, 1.0) {
                Ok(fact) => admitted.facts.push(fact),
                Err(refusal) => {
                    admitted
                        .refused
                        .push(RefusedFact { statement: proposal.statement, why: refusal.to_string() });
                }
            }
        }
        Ok(Paid::free(admitted))
    }
}

fn said(call: &ModelCall) -> String {
    let shown: String = call.messages.iter().map(|message| message.text.as_str()).collect();
    let value = match call.skill.as_str() {
        "read_for_facts" => facts(&shown),
        _ => article(&shown),
    };
    value.to_string()
}

/// Every sentence of the library that is shown, and one that is not there.
fn facts(shown: &str) -> Value {
    let sentences = DOCUMENTS.iter().flat_map(|(_, _, sentences)| sentences.iter());
    let there = sentences.filter(|sentence| shown.contains(**sentence));
    let mut facts: Vec<Value> = there.map(|it| json!({"statement": it, "quote": it})).collect();
    facts.push(json!({"statement": "The mill is haunted.", "quote": "The mill is haunted."}));
    json!({"facts": facts})
}

/// Every fact as its own sentence, and one that is a lie.
fn article(shown: &str) -> Value {
    let lines = shown.lines().filter_map(|line| {
        let (label, rest) = line.trim().split_once(" (")?;
        let statement = rest.split_once("): ")?.1;
        label.starts_with("Fact-").then(|| json!({"text": statement, "facts": [label]}))
    });
    let mut sentences: Vec<Value> = lines.collect();
    sentences.push(json!({"text": "Everybody loves the mill.", "facts": ["Fact-001"]}));
    json!({
        "introduction": [{"text": "This article looks at the mill.", "facts": []}],
        "sections": [{"section": 0, "paragraphs": [sentences]}],
        "conclusion": [{"text": "The mill costs 900 euros a day.", "facts": ["Fact-001"]}],
    })
}
