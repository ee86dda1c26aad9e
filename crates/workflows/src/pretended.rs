//! What rehearsals and tests have instead of the world: a model that says what a function says and costs what its card says,
//! and a library of a few documents that are found by any question.

use async_trait::async_trait;
use baton_agents::evidence::{Authority, Source, admit};
use baton_agents::model::{
    Finish, Limits, ModelCall, ModelCard, ModelReply, Price, Provider, Structured, Usage,
};
use baton_agents::search::Location;
use baton_agents::search::local::Verdict;
use baton_engine::{Call, Effects, Failure, Hash, Paid, Perform, Spend};

use crate::asking::{CallModel, Replied};
use crate::retrieval::{
    Admit, Admitted, Candidate, DocRead, DocsFound, Lead, PrepareDocs, Prepared, ReadLead, RefusedFact,
    SearchDocs, SourceCard,
};

/// What every prompt is counted as, in tokens.
const INPUT: u64 = 100;

/// Answers calls of models. What it says must depend on nothing but the call.
pub(crate) struct PretendedModel {
    /// The text of its reply.
    pub say: fn(&ModelCall) -> String,
    /// What every reply is counted as, in tokens.
    pub output: u64,
}

impl PretendedModel {
    /// The card of such a model: a token costs a millionth of a dollar.
    pub fn card(name: &str) -> ModelCard {
        ModelCard {
            name: name.to_owned(),
            provider: Provider::OpenAi,
            base_url: "http://127.0.0.1:9/v1".to_owned(),
            model: name.to_owned(),
            key_env: None,
            price: Some(Price { input: 1_000_000, output: 1_000_000, cached: None }),
            context_tokens: 32_000,
            max_output_tokens: 2_000,
            temperature: None,
            structured: Structured::default(),
            stream: false,
            limits: Limits::default(),
            on_this_machine: true,
            may_see_documents: true,
        }
    }
}

#[async_trait]
impl Perform<CallModel> for PretendedModel {
    async fn perform(&self, act: CallModel, _call: &Call) -> Result<Paid<Replied>, Failure> {
        let call = &act.attempt.call;
        let tokens = INPUT + self.output;
        let reply = ModelReply {
            text: (self.say)(call),
            finish: Finish::Stop,
            usage: Usage { input: INPUT, output: self.output, ..Usage::default() },
            cost_microusd: tokens,
            served_by: call.model.clone(),
            provider_id: None,
        };
        Ok(Paid { out: Ok(reply), spend: Spend { micro_usd: tokens, tokens, calls: 1 } })
    }
}

/// A document of a pretended library. One that has no date cannot be read.
#[derive(Clone, Debug)]
pub(crate) struct PretendedDocument {
    /// Its name, and its title.
    pub name: String,
    /// Its day.
    pub date: Option<String>,
    /// What stands above its sentences.
    pub heading: String,
    /// What it says, sentence by sentence.
    pub sentences: Vec<String>,
}

impl PretendedDocument {
    fn text(&self) -> String {
        self.sentences.join("\n\n")
    }

    fn lead(&self) -> Lead {
        let candidate = |text: &String| Candidate {
            text: text.clone(),
            heading: self.heading.clone(),
            page: None,
            ranges: Vec::new(),
            score: 1.0,
        };
        Lead {
            location: Location::Path(self.name.clone().into()),
            title: self.name.clone(),
            date: Some(self.date.clone().unwrap_or_else(|| "2025-09-01".to_owned())),
            provider: "local".to_owned(),
            references: Vec::new(),
            replaced: false,
            candidates: self.sentences.iter().map(candidate).collect(),
        }
    }

    fn card(&self, lead: &Lead, date: &str) -> SourceCard {
        let hash = Hash::of(self.text().as_bytes()).to_string();
        let source = Source {
            id: hash.chars().take(16).collect(),
            location: lead.location.clone(),
            title: self.name.clone(),
            date: Some(date.to_owned()),
            authority: Authority::Official,
            raw_hash: hash.clone(),
            text_hash: hash,
        };
        SourceCard {
            source,
            shown: self.name.clone(),
            author: None,
            kind: "Markdown".to_owned(),
            accessed: "2026-01-01".to_owned(),
            asset: format!("assets/text/{}", self.name),
            provider: "local".to_owned(),
            references: Vec::new(),
            replaced: false,
        }
    }
}

/// Documents that every search finds. What it says depends on nothing but what it is asked.
#[derive(Clone, Debug)]
pub(crate) struct PretendedLibrary {
    /// They.
    pub documents: Vec<PretendedDocument>,
}

impl PretendedLibrary {
    /// A world that has this library and nothing else.
    pub fn effects(&self) -> Effects {
        Effects::default()
            .with::<PrepareDocs>(self.clone())
            .with::<SearchDocs>(self.clone())
            .with::<ReadLead>(self.clone())
            .with::<Admit>(self.clone())
    }

    fn named(&self, name: &str) -> Option<&PretendedDocument> {
        self.documents.iter().find(|document| document.name == name)
    }
}

#[async_trait]
impl Perform<PrepareDocs> for PretendedLibrary {
    async fn perform(&self, _act: PrepareDocs, _call: &Call) -> Result<Paid<Prepared>, Failure> {
        Ok(Paid::free(Prepared { documents: self.documents.len(), left_out: Vec::new() }))
    }
}

#[async_trait]
impl Perform<SearchDocs> for PretendedLibrary {
    async fn perform(&self, _act: SearchDocs, _call: &Call) -> Result<Paid<DocsFound>, Failure> {
        let leads = self.documents.iter().map(PretendedDocument::lead).collect();
        Ok(Paid::free(DocsFound { verdict: Verdict::Addressed, unknown: Vec::new(), leads, nearest: None }))
    }
}

#[async_trait]
impl Perform<ReadLead> for PretendedLibrary {
    async fn perform(&self, act: ReadLead, _call: &Call) -> Result<Paid<DocRead>, Failure> {
        let name = act.lead.location.to_string();
        let document = self.named(&name).and_then(|document| Some((document, document.date.clone()?)));
        let Some((document, date)) = document else {
            return Err(Failure::lasting(format!("{name} cannot be read")));
        };
        let card = document.card(&act.lead, &date);
        Ok(Paid::free(DocRead { card, language: None, excerpt: document.text() }))
    }
}

#[async_trait]
impl Perform<Admit> for PretendedLibrary {
    async fn perform(&self, act: Admit, _call: &Call) -> Result<Paid<Admitted>, Failure> {
        let text = self.named(&act.card.shown).map(PretendedDocument::text).unwrap_or_default();
        let mut admitted = Admitted::default();
        for proposal in act.proposals {
            match admit(&proposal.id, &proposal.statement, &proposal.quote, &act.card.source, &text, 1.0) {
                Ok(fact) => admitted.facts.push(fact),
                Err(refusal) => {
                    let (statement, why) = (proposal.statement, refusal.to_string());
                    admitted.refused.push(RefusedFact { statement, why, quoted: false });
                }
            }
        }
        Ok(Paid::free(admitted))
    }
}
