//! Skill: the thesis and what catches the eye, closed world. The order of the sections is the query's own.

use baton_agents::skill::{Piece, Problem, Skill, Vars, Words};
use baton_engine::{Cx, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ShownEvidence, WrittenSentence, put};
use crate::report::gate::Gate;
use crate::report::{Memory, Report, Story};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct TellStory;

/// What is to be told.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToTell {
    /// What the report is to answer.
    pub question: Words,
    /// The figures and facts.
    pub evidence: Vec<ShownEvidence>,
}

/// The story, before anything in it is believed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToldStory {
    /// The answer to the main question.
    pub core_answer: WrittenSentence,
    /// What catches the eye.
    pub hook: WrittenSentence,
}

impl Skill for TellStory {
    const NAME: &'static str = "tell_story";
    const PROMPT: &'static str = include_str!("../prompts/tell_story.md");
    type Input = ToTell;
    type Output = ToldStory;

    fn vars(input: &ToTell) -> Vars {
        Vars::new().with("question", &input.question)
    }

    fn material(input: &ToTell) -> Vec<Piece> {
        let lines: Vec<String> = input.evidence.iter().map(ShownEvidence::line).collect();
        vec![Piece::new("evidence", lines.join("\n"), 0)]
    }

    fn check(_input: &ToTell, _output: &ToldStory) -> Vec<Problem> {
        Vec::new()
    }

    fn rules(_input: &ToTell) -> Option<ToldStory> {
        None
    }
}

/// Lets a model word thesis and hook; what the gate drops stays as rules have it.
pub async fn ask(cx: &Cx<Report>, story: &mut Story) -> Result<Vec<String>, Fault> {
    let order = cx.read(|memory| memory.order.clone());
    let input = cx.read(|memory| input(memory, story));
    if input.evidence.is_empty() {
        return Ok(Vec::new());
    }
    let told = match put::<TellStory>(cx, &order.roles.writer, "story", &input, order.material()).await? {
        Ok(answered) => answered.output,
        Err(note) => return Ok(note.into_iter().collect()),
    };
    cx.read(|memory| {
        let facts = memory.numbered();
        let mut gate = Gate::new(memory, &facts);
        if let Some(sentence) = gate.pass(&told.core_answer.text, &told.core_answer.evidence) {
            story.core_answer = Some(sentence);
        }
        if let Some(sentence) = gate.pass(&told.hook.text, &told.hook.evidence) {
            story.hook = Some(sentence);
        }
        story.dropped = gate.dropped();
    });
    Ok(Vec::new())
}

fn input(memory: &Memory, story: &Story) -> ToTell {
    let sentences = story.core_answer.iter().chain(&story.hook).chain(&story.climax);
    let mut evidence: Vec<ShownEvidence> = Vec::new();
    for sentence in sentences {
        for id in sentence.figures() {
            if let Some(figure) = memory.figure(id)
                && !evidence.iter().any(|known| known.label == id)
            {
                let value = crate::report::naming::written(figure.value, figure.unit.as_deref());
                let says = format!("{} = {value} ({})", figure.label, sentence.text());
                evidence.push(ShownEvidence { label: id.to_owned(), says });
            }
        }
    }
    ToTell { question: memory.order.words(&story.main_question), evidence }
}
