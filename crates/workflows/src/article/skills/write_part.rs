//! Skill: an opening, a closing or a summary from facts, closed world.

use baton_agents::skill::{Answerer, Piece, Problem, Skill, Vars, Words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reader::Reader;
use super::{ShownFact, WrittenSentence, put, who};
use crate::article::bibliography::References;
use crate::article::draft::Sentence;
use crate::article::workers::{Job, Trouble};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct WritePart;

/// Which part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// The opening.
    Introduction,
    /// The closing.
    Conclusion,
    /// The essence.
    Summary,
}

impl PartKind {
    fn order(self) -> &'static str {
        match self {
            Self::Introduction => {
                "an opening of two to four sentences: what it is about, why it matters, what the reader will learn"
            }
            Self::Conclusion => {
                "a closing of two to four sentences: what follows, what is open, what comes next"
            }
            Self::Summary => "a summary of two to four sentences",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Introduction => "introduction",
            Self::Conclusion => "conclusion",
            Self::Summary => "summary",
        }
    }
}

/// What is to be written.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToWritePart {
    /// The topic.
    pub topic: Words,
    /// How it is to sound.
    pub tone: Words,
    /// What it is.
    pub order: Words,
    /// The facts.
    pub facts: Vec<ShownFact>,
}

/// The sentences, before anything in them is believed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrittenPart {
    /// They.
    pub sentences: Vec<WrittenSentence>,
}

impl Skill for WritePart {
    const NAME: &'static str = "write_part";
    const PROMPT: &'static str = include_str!("../prompts/write_part.md");
    type Input = ToWritePart;
    type Output = WrittenPart;

    fn vars(input: &ToWritePart) -> Vars {
        Vars::new().with("topic", &input.topic).with("tone", &input.tone).with("order", &input.order)
    }

    fn material(input: &ToWritePart) -> Vec<Piece> {
        let lines: Vec<String> = input.facts.iter().map(ShownFact::line).collect();
        vec![Piece::new("facts", lines.join("\n"), 0)]
    }

    fn check(_input: &ToWritePart, output: &WrittenPart) -> Vec<Problem> {
        match output.sentences.len() {
            1..=8 => Vec::new(),
            _ => vec![Problem::new("/sentences", "1 to 8 sentences are wanted")],
        }
    }

    fn rules(_input: &ToWritePart) -> Option<WrittenPart> {
        None
    }
}

/// Facts that a prompt may hold.
const MOST: usize = 30;

/// Lets a model write a part; none if there is none. Facts in `taken` are said elsewhere.
pub async fn ask(
    job: &Job<'_>,
    kind: PartKind,
    taken: &[String],
) -> Result<Option<(Vec<Sentence>, Answerer)>, Trouble> {
    let input = job.read(|memory| {
        let (brief, facts) = (&memory.assignment.brief, memory.numbered());
        let references = References::all(&facts, brief.citation_style);
        let free = facts
            .all()
            .iter()
            .filter(|fact| !fact.superseded && !taken.iter().any(|key| key == fact.found.key()));
        ToWritePart {
            topic: memory.assignment.words(&brief.topic),
            tone: Words::typed(brief.tone.name()),
            order: Words::typed(kind.order()),
            facts: free
                .take(MOST)
                .map(|fact| ShownFact::of(fact, references.name(fact.found.key())))
                .collect(),
        }
    });
    let role =
        if kind == PartKind::Summary { &job.assignment.roles.analyst } else { &job.assignment.roles.writer };
    let Some(answered) = put::<WritePart>(job, role, kind.name(), &input, false).await? else {
        return Ok(None);
    };
    let by = who(&answered);
    let sentences = job.read(|memory| {
        let facts = memory.numbered();
        let mut gate = Reader::new(&facts);
        for fact in taken.iter().filter_map(|key| facts.fact(key)) {
            gate.said.say(&fact.found.fact.statement);
        }
        let places = gate.all(&answered.output.sentences);
        gate.settled(places)
    });
    Ok(Some((sentences, by)))
}
