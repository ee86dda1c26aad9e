//! Skill: the prose of a section from figures and facts, closed world. Every sentence passes the gate; what is dropped is
//! said by rules, so no answer is lost with it.

use baton_agents::skill::{Answerer, Piece, Problem, Skill, Vars, Words};
use baton_engine::{Cx, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ShownEvidence, WrittenSentence, put};
use crate::report::aggregation::Section;
use crate::report::gate::Gate;
use crate::report::prose::Sentence;
use crate::report::{Draft, Memory, Report};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct WriteSection;

/// What is to be written.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToWrite {
    /// The section's title.
    pub title: Words,
    /// Its questions, numbered.
    pub questions: Vec<Words>,
    /// The figures and facts.
    pub evidence: Vec<ShownEvidence>,
}

/// What is said to one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrittenPassage {
    /// The number of the question.
    pub question: usize,
    /// The sentences.
    pub sentences: Vec<WrittenSentence>,
}

/// The section, before anything in it is believed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrittenSection {
    /// Question by question.
    pub passages: Vec<WrittenPassage>,
}

impl Skill for WriteSection {
    const NAME: &'static str = "write_section";
    const PROMPT: &'static str = include_str!("../prompts/write_section.md");
    const MAX_TOKENS: u32 = 3000;
    type Input = ToWrite;
    type Output = WrittenSection;

    fn vars(input: &ToWrite) -> Vars {
        Vars::new().with("title", &input.title).with("questions", input.questions.clone())
    }

    fn material(input: &ToWrite) -> Vec<Piece> {
        let lines: Vec<String> = input.evidence.iter().map(ShownEvidence::line).collect();
        vec![Piece::new("evidence", lines.join("\n"), 0)]
    }

    fn check(input: &ToWrite, output: &WrittenSection) -> Vec<Problem> {
        let wrong = |(at, passage): (usize, &WrittenPassage)| {
            let known = (1..=input.questions.len()).contains(&passage.question);
            (!known).then(|| Problem::new(format!("/passages/{at}/question"), "there is no such question"))
        };
        output.passages.iter().enumerate().filter_map(wrong).collect()
    }

    fn rules(_input: &ToWrite) -> Option<WrittenSection> {
        None
    }
}

/// Lets a model word the sections that have evidence; rules' sentences stay where it says nothing that holds.
pub async fn ask(cx: &Cx<Report>, draft: &mut Draft) -> Result<(), Fault> {
    let order = cx.read(|memory| memory.order.clone());
    if order.roles.writer.chain.is_empty() {
        return Ok(());
    }
    for at in 0..draft.aggregation.sections.len() {
        let section = &draft.aggregation.sections[at];
        let input = cx.read(|memory| input(memory, section));
        if input.evidence.is_empty() {
            continue;
        }
        let key = format!("section/{}", section.scope_item_id);
        let answered =
            match put::<WriteSection>(cx, &order.roles.writer, &key, &input, order.material()).await? {
                Ok(answered) => answered,
                Err(note) => {
                    draft.notes.extend(note);
                    continue;
                }
            };
        draft.by = answered.by.clone();
        let (passages, dropped) = cx.read(|memory| gated(memory, &answered.output));
        draft.dropped.extend(dropped);
        for (number, mut sentences) in passages {
            let passages = &mut draft.aggregation.sections[at].passages;
            let Some(passage) = number.checked_sub(1).and_then(|at| passages.get_mut(at)) else { continue };
            if sentences.is_empty() || !passage.answered {
                continue;
            }
            // What rules say and no sentence that held mentions stays.
            let missing = passage.sentences.iter().filter(|it| !it.remark && !is_said(it, &sentences));
            let missing: Vec<Sentence> = missing.cloned().collect();
            sentences.extend(missing);
            passage.sentences = sentences;
        }
    }
    if draft.by != Answerer::Rules {
        retold(draft);
    }
    Ok(())
}

/// Whether sentences rest on all that a sentence of rules rests on.
fn is_said(own: &Sentence, sentences: &[Sentence]) -> bool {
    let first = own.pieces.iter().find_map(|piece| match piece {
        crate::report::prose::Piece::Number { figure, .. } => Some(figure.as_str()),
        crate::report::prose::Piece::Words(_) => None,
    });
    match first {
        Some(figure) => sentences.iter().any(|it| it.figures().contains(figure)),
        None => own.facts.iter().all(|key| sentences.iter().any(|it| it.facts.contains(key))),
    }
}

/// The takeaways are the first sentences of the sections as they are now.
fn retold(draft: &mut Draft) {
    for takeaway in &mut draft.aggregation.takeaways {
        let figures: Vec<String> = takeaway.figures().into_iter().map(str::to_owned).collect();
        let same = draft.aggregation.sections.iter().flat_map(Section::sentences).find(|sentence| {
            sentence.by_model && figures.first().is_some_and(|id| sentence.figures().contains(id.as_str()))
        });
        if let Some(same) = same {
            *takeaway = same.clone();
        }
    }
    let mut seen: Vec<String> = Vec::new();
    draft.aggregation.takeaways.retain(|takeaway| {
        let text = takeaway.text();
        let is_new = !seen.contains(&text);
        seen.push(text);
        is_new
    });
}

fn input(memory: &Memory, section: &Section) -> ToWrite {
    let facts = memory.numbered();
    let mut evidence: Vec<ShownEvidence> = Vec::new();
    let mut put = |label: String, says: String| {
        if !evidence.iter().any(|known| known.label == label) {
            evidence.push(ShownEvidence { label, says });
        }
    };
    for sentence in section.sentences() {
        for id in sentence.figures() {
            let Some(figure) = memory.figure(id) else { continue };
            let value = crate::report::naming::written(figure.value, figure.unit.as_deref());
            put(id.to_owned(), format!("{} = {value} ({})", figure.label, sentence.text()));
        }
        for key in &sentence.facts {
            if let Some(fact) = facts.fact(key) {
                put(fact.label(), format!("{} ({})", fact.found.fact.quote, fact.card.source.title));
            }
        }
    }
    ToWrite {
        title: memory.order.words(&section.title),
        questions: section
            .passages
            .iter()
            .enumerate()
            .map(|(at, passage)| memory.order.words(&format!("{}. {}", at + 1, passage.question)))
            .collect(),
        evidence,
    }
}

type Passed = (Vec<(usize, Vec<Sentence>)>, Vec<crate::citation::Dropped>);

fn gated(memory: &Memory, written: &WrittenSection) -> Passed {
    let facts = memory.numbered();
    let mut gate = Gate::new(memory, &facts);
    let mut passages = Vec::new();
    for passage in &written.passages {
        let passed = passage.sentences.iter().filter_map(|it| gate.pass(&it.text, &it.evidence)).collect();
        passages.push((passage.question, passed));
    }
    (passages, gate.dropped())
}
