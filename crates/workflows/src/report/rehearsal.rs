//! The report as the crash test runs it: a table and documents, a paid reader and a paid writer that lies, a document that
//! cannot be read, a question nothing answers and so a second round, charts, a story and an editor.

use std::collections::BTreeMap;

use async_trait::async_trait;
use baton_agents::evidence::{Authority, Source, admit};
use baton_agents::model::ModelCall;
use baton_agents::search::Location;
use baton_agents::search::local::Verdict;
use baton_agents::skill::Role;
use baton_engine::torture::{Rehearsal, Rehearse};
use baton_engine::{Call, Effects, Failure, Hash, OpenQuestion, Paid, Perform, Settings};
use baton_figures::{Answer, Profiles};
use serde_json::{Value, json};

use super::acts::{
    ComputeAnswers, Computed, ComputedAgain, FindFindings, Found, ProfileData, Profiled, RecomputeFigures,
};
use super::{Depth, Order, Report};
use crate::asking::CallModel;
use crate::pretended::PretendedModel;
use crate::retrieval::{
    Admit, Admitted, Candidate, DocRead, DocsFound, Lead, PrepareDocs, Prepared, ReadLead, RefusedFact,
    SearchDocs, SourceCard,
};

/// The library of the rehearsal.
const DOCUMENTS: [(&str, &[&str]); 2] = [
    (
        "review.md",
        &[
            "The mill sold flour for EUR 130 in 2025.",
            "If sales stay above EUR 100, a second wheel can be bought.",
        ],
    ),
    ("locked.md", &["The mill burnt down and was built again."]),
];

impl Rehearse for Report {
    fn rehearsal() -> Rehearsal<Self> {
        let mut order = Order::new(
            "## 1. Sales\n- How did sales develop from 2024 to 2025?\n## 2. Plans\n- What can be bought?\n- Who sings in the choir?",
        );
        order.data = vec!["sales.csv".into()];
        order.docs = vec!["docs".into()];
        order.depth = Some(Depth::DeepDive);
        order.today = "2026-01-01".to_owned();
        let paid = |name: &str| Role {
            name: name.to_owned(),
            chain: vec![PretendedModel::card("pretended")],
            rules: true,
        };
        order.roles.reader = paid("reader");
        order.roles.writer = paid("writer");
        let effects = Effects::default()
            .with::<ProfileData>(Pretended)
            .with::<ComputeAnswers>(Pretended)
            .with::<FindFindings>(Pretended)
            .with::<RecomputeFigures>(Pretended)
            .with::<PrepareDocs>(Pretended)
            .with::<SearchDocs>(Pretended)
            .with::<ReadLead>(Pretended)
            .with::<Admit>(Pretended)
            .with::<CallModel>(PretendedModel { say: said, output: 50 });
        Rehearsal { input: order, settings: Settings { parallel: 6, ..Settings::default() }, effects, answer }
    }
}

fn answer(_open: &OpenQuestion) -> Value {
    json!("yes")
}

/// What looking into a table of two years of sales brought, once; recorded, so that no file is needed.
const RECORDED: &str = include_str!("rehearsal.json");

#[derive(serde::Deserialize)]
struct Recorded {
    profiles: Profiles,
    answers: Vec<Answer>,
}

fn recorded() -> Result<Recorded, Failure> {
    serde_json::from_str(RECORDED).map_err(|error| Failure::lasting(error.to_string()))
}

/// The world of the rehearsal. What it says depends on nothing but what it is asked.
struct Pretended;

#[async_trait]
impl Perform<ProfileData> for Pretended {
    async fn perform(&self, _act: ProfileData, _call: &Call) -> Result<Paid<Profiled>, Failure> {
        let profiles = recorded()?.profiles;
        Ok(Paid::free(Profiled {
            profiles,
            tables: "# tables\n".to_owned(),
            kept: "0".repeat(64),
            hashes: BTreeMap::new(),
        }))
    }
}

#[async_trait]
impl Perform<ComputeAnswers> for Pretended {
    async fn perform(&self, act: ComputeAnswers, _call: &Call) -> Result<Paid<Computed>, Failure> {
        let known = recorded()?.answers;
        let answers = act.questions.iter().map(|question| {
            let same = known.iter().find(|answer| answer.question.ask == question.ask);
            let mut answer = same.cloned().unwrap_or_else(|| Answer {
                question: question.clone(),
                understood: String::new(),
                figures: Vec::new(),
                series: Vec::new(),
                doubts: Vec::new(),
                refused: Some("the table has nothing for it".to_owned()),
            });
            answer.question = question.clone();
            for (at, figure) in answer.figures.iter_mut().enumerate() {
                figure.id = format!("{}.{}", question.id, at + 1);
            }
            answer
        });
        Ok(Paid::free(Computed { answers: answers.collect() }))
    }
}

#[async_trait]
impl Perform<FindFindings> for Pretended {
    async fn perform(&self, _act: FindFindings, _call: &Call) -> Result<Paid<Found>, Failure> {
        Ok(Paid::free(Found::default()))
    }
}

#[async_trait]
impl Perform<RecomputeFigures> for Pretended {
    async fn perform(&self, act: RecomputeFigures, _call: &Call) -> Result<Paid<ComputedAgain>, Failure> {
        let again = act.figures.into_iter().map(|figure| baton_figures::figure::Recomputed {
            id: figure.id,
            stated: figure.value,
            found: Some(figure.value),
            holds: true,
            reason: None,
        });
        Ok(Paid::free(ComputedAgain { figures: again.collect(), series: Vec::new() }))
    }
}

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
    async fn perform(&self, act: SearchDocs, _call: &Call) -> Result<Paid<DocsFound>, Failure> {
        if act.question.contains("choir") {
            return Ok(Paid::free(DocsFound {
                verdict: Verdict::NoEvidence,
                unknown: Vec::new(),
                leads: Vec::new(),
                nearest: None,
            }));
        }
        let candidate = |text: &&str| Candidate {
            text: (*text).to_owned(),
            heading: "The mill".to_owned(),
            page: None,
            ranges: Vec::new(),
            score: 1.0,
        };
        let lead = |(name, sentences): &(&str, &[&str])| Lead {
            location: Location::Path((*name).into()),
            title: (*name).to_owned(),
            date: Some("2025-12-01".to_owned()),
            provider: "local".to_owned(),
            references: Vec::new(),
            replaced: false,
            candidates: sentences.iter().map(candidate).collect(),
        };
        let leads = DOCUMENTS.iter().map(lead).collect();
        Ok(Paid::free(DocsFound { verdict: Verdict::Addressed, unknown: Vec::new(), leads, nearest: None }))
    }
}

#[async_trait]
impl Perform<ReadLead> for Pretended {
    async fn perform(&self, act: ReadLead, _call: &Call) -> Result<Paid<DocRead>, Failure> {
        let name = act.lead.location.to_string();
        let document = DOCUMENTS.iter().find(|(known, _)| *known == name && name != "locked.md");
        let Some((_, sentences)) = document else {
            return Err(Failure::lasting(format!("{name} cannot be read")));
        };
        let text = whole(sentences);
        let hash = Hash::of(text.as_bytes()).to_string();
        let source = Source {
            id: hash.chars().take(16).collect(),
            location: act.lead.location,
            title: name.clone(),
            date: Some("2025-12-01".to_owned()),
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
            .find(|(name, _)| *name == act.card.shown)
            .map_or(String::new(), |it| whole(it.1));
        let mut admitted = Admitted::default();
        for proposal in act.proposals {
            match admit(&proposal.id, &proposal.statement, &proposal.quote, &act.card.source, &text, 1.0) {
                Ok(fact) => admitted.facts.push(fact),
                Err(refusal) => {
                    let why = refusal.to_string();
                    admitted.refused.push(RefusedFact { statement: proposal.statement, why, quoted: false });
                }
            }
        }
        Ok(Paid::free(admitted))
    }
}

fn said(call: &ModelCall) -> String {
    let shown: String = call.messages.iter().map(|message| message.text.as_str()).collect();
    let value = match call.skill.as_str() {
        "read_for_facts" => {
            let sentences = DOCUMENTS.iter().flat_map(|(_, sentences)| sentences.iter());
            let there = sentences.filter(|sentence| shown.contains(**sentence));
            let facts: Vec<Value> = there.map(|it| json!({"statement": it, "quote": it})).collect();
            json!({ "facts": facts })
        }
        "tell_story" => {
            let lie = json!({"text": "Sales fell by 30 % because of the rain.", "evidence": ["d1.1"]});
            json!({ "core_answer": lie, "hook": lie })
        }
        _ => json!({ "passages": [{ "question": 1, "sentences": [
            {"text": "Sales rose by 30 % from 2024 to 2025.", "evidence": ["d1.1"]},
            {"text": "Sales fell by 30 % from 2024 to 2025.", "evidence": ["d1.1"]},
            {"text": "Everybody loves the mill.", "evidence": ["Fact-001"]},
        ]}]}),
    };
    value.to_string()
}
