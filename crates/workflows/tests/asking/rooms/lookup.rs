//! Lookup: a question and a folder in, a cited list out. A whole workflow through the rooms alone.

use std::collections::BTreeMap;
use std::path::PathBuf;

use baton_agents::skill::{Role, Words};
use baton_engine::{Cx, Fault, Node, RunFile, View, Work, node};
use baton_machine::{Kind, Outcome, Row, Verdict, Workflow, events, transitions, words};
use baton_workflows::citation::{self, Block, CitedReport, Facts, Gate, Line, Setting, Statement};
use baton_workflows::retrieval::{self, FoundFact, Lead, PrepareDocs, Reading, Scope, Search, SourceCard};
use serde::{Deserialize, Serialize};

words! {
    /// Where a lookup can stand.
    pub enum State {
        Searching = "SEARCHING",
        Reading = "READING",
        Writing = "WRITING",
        Done = "DONE",
        Nothing = "NOTHING",
    }
}

events! {
    /// What can happen to it.
    pub enum Event as On {
        Searched { leads: Vec<Lead> } = "SEARCHED",
        Read { facts: Vec<FoundFact>, sources: Vec<SourceCard> } = "READ",
        Written { lines: Vec<Line> } = "WRITTEN",
    }
}

/// What is asked of which folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Query {
    pub question: String,
    pub folder: PathBuf,
}

/// What it has learnt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    query: Query,
    leads: Vec<Lead>,
    facts: Vec<FoundFact>,
    sources: BTreeMap<String, SourceCard>,
    lines: Vec<Line>,
}

impl Memory {
    fn numbered(&self) -> Facts<'_> {
        Facts::number(&self.facts, &self.sources, "2026-01-01")
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup;

impl Workflow for Lookup {
    const NAME: &'static str = "lookup";
    const START: State = State::Searching;
    const TABLE: &'static [Row<Self>] = transitions! {
        Searching   + Searched                  => Reading;
        Reading     + Read      if has_facts    => Writing;
        Reading     + Read                      => Nothing;
        Writing     + Written                   => Done;
    };

    type State = State;
    type On = On;
    type Event = Event;
    type Input = Query;
    type Memory = Memory;

    fn begin(query: &Query) -> Memory {
        let (leads, facts, lines) = (Vec::new(), Vec::new(), Vec::new());
        Memory { query: query.clone(), leads, facts, sources: BTreeMap::new(), lines }
    }

    fn learn(memory: &mut Memory, event: &Event) {
        match event {
            Event::Searched { leads } => memory.leads.clone_from(leads),
            Event::Read { facts, sources } => {
                memory.facts.clone_from(facts);
                memory.sources = sources.iter().map(|card| (card.key().to_owned(), card.clone())).collect();
            }
            Event::Written { lines } => memory.lines.clone_from(lines),
        }
    }

    fn kind(state: State) -> Kind {
        match state {
            State::Searching | State::Reading | State::Writing => Kind::Works,
            State::Done => Kind::Ends(Outcome::Completed),
            State::Nothing => Kind::Ends(Outcome::NoEvidence),
        }
    }
}

fn has_facts(memory: &Memory) -> Verdict {
    Verdict::of(!memory.facts.is_empty()).saw("facts", memory.facts.len())
}

impl Work for Lookup {
    const CODE_VERSION: u32 = 1;

    fn node(state: State) -> Option<Node<Self>> {
        match state {
            State::Searching => Some(node(search)),
            State::Reading => Some(node(read)),
            State::Writing => Some(node(write)),
            State::Done | State::Nothing => None,
        }
    }

    fn title(query: &Query) -> String {
        query.question.clone()
    }

    fn files(view: &View<'_, Self>) -> Vec<RunFile> {
        let memory = view.memory;
        if memory.lines.is_empty() {
            return Vec::new();
        }
        let facts = memory.numbered();
        let lines = memory.lines.iter().map(|line| Statement::of(line, &facts)).collect();
        let report = CitedReport {
            title: memory.query.question.clone(),
            front: Vec::new(),
            about: "looked up by rules".to_owned(),
            blocks: vec![
                Block::Heading(2, "What the documents say".to_owned()),
                Block::Claims(Setting::List, lines),
            ],
            facts: &facts,
        };
        let mut files = citation::files(&report);
        files.extend(citation::copies(&facts));
        files
    }
}

async fn search(cx: Cx<Lookup>) -> Result<Event, Fault> {
    let query = cx.read(|memory| memory.query.clone());
    cx.step("prepare", &PrepareDocs { folders: vec![query.folder.clone()] }).await?;
    let searcher = Role::rules_only("searcher");
    let words = Words::typed(query.question);
    let search = Search { id: "S1", query: words, focus: Vec::new(), searcher: &searcher };
    let found = retrieval::search(&cx, &Scope::of_folders(vec![query.folder]), &search).await?;
    Ok(Event::Searched { leads: found.leads })
}

async fn read(cx: Cx<Lookup>) -> Result<Event, Fault> {
    let (query, leads) = cx.read(|memory| (memory.query.clone(), memory.leads.clone()));
    let reading = Reading {
        id: "R1",
        part: 0,
        question: query.question.clone(),
        query: Words::typed(query.question),
        weight: 1.0,
        leads,
        reader: &Role::rules_only("reader"),
    };
    let output = retrieval::read(&cx, &Scope::of_folders(vec![query.folder]), &reading).await?;
    Ok(Event::Read { facts: output.facts, sources: output.sources })
}

/// The nearest facts, word for word, as far as they pass the gate.
async fn write(cx: Cx<Lookup>) -> Result<Event, Fault> {
    let lines = cx.read(|memory| {
        let facts = memory.numbered();
        let mut gate = Gate::new(&facts);
        let nearest = facts.of_part(0).into_iter().take(5);
        nearest.filter_map(|fact| gate.pass(&fact.found.fact.statement, &[fact.label()])).collect()
    });
    Ok(Event::Written { lines })
}
