//! The article as the crash test runs it: three kinds of sources at once, a paid reader and a paid writer that lies, a
//! source that cannot be read, and a plan that has to be made again.

use baton_agents::model::ModelCall;
use baton_agents::skill::Role;
use baton_engine::torture::{Rehearsal, Rehearse};
use baton_engine::{OpenQuestion, Settings};
use serde_json::{Value, json};

use super::brief::form::{Form, Terms};
use super::{Article, Assignment};
use crate::asking::CallModel;
use crate::pretended::{PretendedDocument, PretendedLibrary, PretendedModel};

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
        let effects = library().effects().with::<CallModel>(PretendedModel { say: said, output: 50 });
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

/// The library; one of its documents is locked.
fn library() -> PretendedLibrary {
    let document = |(name, date, sentences): &(&str, &str, &[&str])| PretendedDocument {
        name: (*name).to_owned(),
        date: (*name != "locked.md").then(|| (*date).to_owned()),
        heading: "The mill".to_owned(),
        sentences: sentences.iter().map(|sentence| (*sentence).to_owned()).collect(),
    };
    PretendedLibrary { documents: DOCUMENTS.iter().map(document).collect() }
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
