//! An article as data, before it is Markdown or HTML: what each sentence claims, what it rests on, and in whose voice.

use baton_agents::evidence::Derived;
use serde::{Deserialize, Serialize};

use super::bibliography::References;
use crate::citation::Dropped;
use crate::markup::plain;

/// In whose voice a sentence is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Voice {
    /// The article's own; the citation follows.
    Plain,
    /// `According to …, `
    According,
    /// `… reports that `
    Reports,
    /// `… adds that `
    Adds,
    /// `… notes that `
    Notes,
    /// `… states that `, with the verb that fits the kind of source.
    States,
    /// `…, according to ….`
    Trailing,
    /// `The report adds that `: the sentence before names the source.
    ItAdds,
    /// `It also says that `: the sentence before names the source.
    ItSays,
    /// `…, the report says.`: a sentence before names the source.
    SaysSo,
    /// `… writes: “…”`
    Writes,
    /// `“…”`, the citation follows.
    Quoted,
    /// Computed from facts; their citations follow.
    Computed,
    /// The article speaks of itself; it claims nothing about its subject.
    Frame,
}

/// What a sentence begins with to show how it belongs to the one before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lead {
    /// What the paragraph is about, as its source heads it.
    On(String),
    /// It is of a later year than the sentence before.
    Later,
    /// It has another number for the same measure than the sentence before.
    Contrast,
    /// It speaks of what is still to come.
    Ahead,
    /// It warns.
    Caution,
    /// It comes last.
    Finally,
}

impl Lead {
    fn words(&self) -> String {
        match self {
            Self::On(what) => format!("On {what}"),
            Self::Later => "Later".to_owned(),
            Self::Contrast => "By contrast".to_owned(),
            Self::Ahead => "Looking ahead".to_owned(),
            Self::Caution => "As a caution".to_owned(),
            Self::Finally => "Finally".to_owned(),
        }
    }
}

/// A sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sentence {
    /// What is claimed, without whoever says it.
    pub claim: String,
    /// Keys of the facts it rests on; none for a sentence about the article itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// In whose voice.
    pub voice: Voice,
    /// Whether its first letter is small inside another sentence.
    #[serde(default)]
    pub lowers: bool,
    /// How it was computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived: Option<Box<Derived>>,
    /// How it belongs to the one before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<Lead>,
}

impl Sentence {
    /// A sentence about the article itself.
    #[must_use]
    pub fn frame(text: impl Into<String>) -> Self {
        Self { voice: Voice::Frame, ..Self::plain(text, Vec::new()) }
    }

    /// A sentence that facts carry.
    #[must_use]
    pub fn plain(claim: impl Into<String>, facts: Vec<String>) -> Self {
        Self { claim: claim.into(), facts, voice: Voice::Plain, lowers: false, derived: None, lead: None }
    }

    /// What was computed, as a sentence.
    #[must_use]
    pub fn computed(derived: &Derived) -> Self {
        let mut facts: Vec<String> = derived.inputs.iter().map(|input| input.fact.clone()).collect();
        facts.dedup();
        Self {
            voice: Voice::Computed,
            derived: Some(Box::new(derived.clone())),
            ..Self::plain(derived.statement.clone(), facts)
        }
    }

    /// Whether it claims something about the subject.
    #[must_use]
    pub fn is_claim(&self) -> bool {
        self.voice != Voice::Frame
    }

    /// The sentence as it is read, citations included.
    #[must_use]
    pub fn shown(&self, references: &References<'_>) -> String {
        let claim = plain(&self.claim);
        let source = self.facts.first().map(String::as_str);
        let inner = || if self.lowers { lowered(&claim) } else { claim.clone() };
        let led = || if self.lead.is_some() { inner() } else { claim.clone() };
        let says =
            |verb: &str| source.map(|key| format!("{} {verb} that {}", references.narrative(key), inner()));
        let quoted = || format!("“{}”", claim.replace('"', "’"));
        let said = match self.voice {
            Voice::According => {
                source.map(|key| format!("according to {}, {}", references.narrative(key), inner()))
            }
            Voice::Trailing => source.map(|key| {
                let open = led();
                let open = open.trim_end_matches('.');
                format!("{open}, according to {}.", references.narrative(key))
            }),
            Voice::States => source.and_then(|key| says(references.verb(key))),
            Voice::Reports => says("reports"),
            Voice::Adds => says("adds"),
            Voice::Notes => says("notes"),
            Voice::ItAdds => source.map(|key| format!("the {} adds that {}", references.noun(key), inner())),
            Voice::ItSays => Some(format!("it also says that {}", inner())),
            Voice::SaysSo => source
                .map(|key| format!("{}, the {} says.", claim.trim_end_matches('.'), references.noun(key))),
            Voice::Writes => source.map(|key| format!("{} writes: {}", references.narrative(key), quoted())),
            Voice::Quoted => Some(cited(&quoted(), &references.marks(&self.facts))),
            Voice::Plain | Voice::Computed => Some(cited(&led(), &references.marks(&self.facts))),
            Voice::Frame => Some(claim.clone()),
        };
        let said = said.unwrap_or_else(|| claim.clone());
        // What follows the name of a source begins small; the sentence itself does not.
        match &self.lead {
            Some(lead) => capital(&format!("{}, {said}", lead.words())),
            None => capital(&said),
        }
    }
}

/// The citation before the full stop, behind a closing quotation mark.
fn cited(text: &str, mark: &str) -> String {
    if mark.is_empty() {
        return text.to_owned();
    }
    if text.ends_with('”') {
        return format!("{text} {mark}.").replace(".” (", "” (");
    }
    match text.strip_suffix('.') {
        Some(open) => format!("{open} {mark}."),
        None => format!("{text} {mark}"),
    }
}

fn lowered(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// A text with its first letter large.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Figures side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// Names of its columns.
    pub head: Vec<String>,
    /// Its rows, each with the fact it rests on.
    pub rows: Vec<(Vec<String>, String)>,
}

/// Sentences that belong together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Paragraph {
    /// They.
    pub sentences: Vec<Sentence>,
    /// Figures below them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Table>,
}

/// A part under its own heading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// The heading.
    pub heading: String,
    /// What stands below it.
    pub paragraphs: Vec<Paragraph>,
}

/// An article.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// Its title.
    pub title: String,
    /// The opening.
    pub introduction: Vec<Sentence>,
    /// The body.
    pub sections: Vec<Section>,
    /// The closing.
    pub conclusion: Vec<Sentence>,
    /// What was not let through.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<Dropped>,
}

/// The heading of the closing.
pub const CONCLUSION: &str = "Conclusion";
/// The heading of the list of sources.
pub const REFERENCES: &str = "References";

impl Draft {
    /// Every sentence, in order.
    pub fn sentences(&self) -> impl Iterator<Item = &Sentence> {
        let body = self.sections.iter().flat_map(|section| &section.paragraphs).flat_map(|it| &it.sentences);
        self.introduction.iter().chain(body).chain(&self.conclusion)
    }

    /// Its tables, in order.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        let paragraphs = self.sections.iter().flat_map(|section| &section.paragraphs);
        paragraphs.filter_map(|paragraph| paragraph.table.as_ref())
    }

    /// Keys of the facts it rests on, in order, each once.
    #[must_use]
    pub fn facts(&self) -> Vec<&str> {
        let rows = self.tables().flat_map(|table| table.rows.iter().map(|(_, fact)| fact.as_str()));
        let mut keys: Vec<&str> = Vec::new();
        for key in self.sentences().flat_map(|sentence| sentence.facts.iter().map(String::as_str)).chain(rows)
        {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }

    /// All it claims, in one text: another text is another article.
    #[must_use]
    pub fn plain(&self) -> String {
        self.sentences().map(|sentence| sentence.claim.as_str()).collect::<Vec<_>>().join("\n")
    }
}
