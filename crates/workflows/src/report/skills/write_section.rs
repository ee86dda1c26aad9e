//! Skill: the prose of a section from figures and facts, closed world. Every sentence passes the gate; what is dropped is
//! said by rules, so no answer is lost with it.

use std::collections::BTreeMap;

use baton_agents::skill::{Answerer, Piece, Problem, Skill, Vars, Words, one_line};
use baton_engine::{Cx, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ShownEvidence, WrittenSentence, put};
use crate::citation::Dropped;
use crate::report::aggregation::Section;
use crate::report::gate::Gate;
use crate::report::numbers::numbers;
use crate::report::prose::Sentence;
use crate::report::writing::quotes_to;
use crate::report::{Draft, Memory, Order, Report};

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
    /// What was written before, a line for each sentence; empty the first time.
    #[serde(default)]
    pub draft: Vec<String>,
    /// What of it was not let through, and why.
    #[serde(default)]
    pub problems: Vec<String>,
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
        Vars::new()
            .with("title", &input.title)
            .with("questions", input.questions.clone())
            .with("again", !input.problems.is_empty())
    }

    fn material(input: &ToWrite) -> Vec<Piece> {
        let lines: Vec<String> = input.evidence.iter().map(ShownEvidence::line).collect();
        let mut pieces = vec![Piece::new("evidence", lines.join("\n"), 0)];
        if !input.problems.is_empty() {
            pieces.push(Piece::new("what you wrote", input.draft.join("\n"), 1));
            pieces.push(Piece::new("what was not let through, and why", input.problems.join("\n"), 1));
        }
        pieces
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
        match written(cx, &order, &key, input).await? {
            Ok(written) => {
                draft.by = written.by;
                draft.dropped.extend(written.dropped);
                for (number, sentences) in written.passages {
                    let passages = &mut draft.aggregation.sections[at].passages;
                    let Some(passage) = number.checked_sub(1).and_then(|at| passages.get_mut(at)) else {
                        continue;
                    };
                    // What is answered in part is worded too; what is left open stays said.
                    if passage.answered || passage.sentences.iter().any(|it| !it.remark) {
                        let facts = cx.read(|memory| quotes_of(memory, &passage.sentences));
                        passage.sentences = joined(&passage.sentences, sentences, &facts);
                    }
                }
            }
            Err(note) => draft.notes.extend(note),
        }
    }
    if draft.by != Answerer::Rules {
        retold(draft);
    }
    Ok(())
}

/// What a model wrote of a section and the gate let through.
struct Written {
    by: Answerer,
    passages: Vec<(usize, Vec<Sentence>)>,
    dropped: Vec<Dropped>,
}

/// Lets a model write a section. What is not let through goes back to it once, with the reasons.
async fn written(
    cx: &Cx<Report>,
    order: &Order,
    key: &str,
    input: ToWrite,
) -> Result<Result<Written, Option<String>>, Fault> {
    let role = &order.roles.writer;
    let answered = match put::<WriteSection>(cx, role, key, &input, order.material()).await? {
        Ok(answered) => answered,
        Err(note) => return Ok(Err(note)),
    };
    let (passages, dropped) = cx.read(|memory| gated(memory, &answered.output));
    let first = Written { by: answered.by.clone(), passages, dropped };
    if first.dropped.is_empty() {
        return Ok(Ok(first));
    }
    let problem = |it: &Dropped| format!("{} ({})", one_line(&it.text), one_line(&it.why));
    let problems = first.dropped.iter().map(problem).collect();
    let input = ToWrite { draft: answered.output.lines(), problems, ..input };
    let Ok(again) = put::<WriteSection>(cx, role, &format!("{key}/again"), &input, order.material()).await?
    else {
        return Ok(Ok(first));
    };
    let (passages, dropped) = cx.read(|memory| gated(memory, &again.output));
    let kept = |passages: &[(usize, Vec<Sentence>)]| passages.iter().map(|(_, own)| own.len()).sum::<usize>();
    if kept(&passages) < kept(&first.passages) {
        return Ok(Ok(first));
    }
    Ok(Ok(Written { by: again.by, passages, dropped }))
}

impl WrittenSection {
    /// A line for each sentence, with its question and what it rests on.
    fn lines(&self) -> Vec<String> {
        let line = |question: usize, it: &WrittenSentence| {
            format!("question {question}: {} [{}]", one_line(&it.text), it.evidence.join(", "))
        };
        let own = |passage: &WrittenPassage| -> Vec<String> {
            passage.sentences.iter().map(|it| line(passage.question, it)).collect()
        };
        self.passages.iter().flat_map(own).collect()
    }
}

/// The quotes behind sentences of rules, by key.
fn quotes_of(memory: &Memory, sentences: &[Sentence]) -> BTreeMap<String, String> {
    let numbered = memory.numbered();
    let keys = sentences.iter().flat_map(|it| &it.facts);
    keys.filter_map(|key| Some((key.clone(), numbered.fact(key)?.found.fact.quote.clone()))).collect()
}

/// The sentences of a model with those of rules whose numbers they do not give: the answer first, whoever wrote it.
fn joined(rules: &[Sentence], model: Vec<Sentence>, quotes: &BTreeMap<String, String>) -> Vec<Sentence> {
    let own: Vec<&Sentence> = rules.iter().filter(|it| !it.remark).collect();
    let is_missing = |it: &&Sentence| !is_said(it, &model, quotes);
    let missing: Vec<Sentence> = own.iter().copied().filter(is_missing).cloned().collect();
    let remarks = || rules.iter().filter(|it| it.remark).cloned();
    if missing.is_empty() && !model.is_empty() {
        return model.into_iter().chain(remarks()).collect();
    }
    // What a model says of a quote that stands there whole is said twice.
    let stands = |key: &String| missing.iter().any(|it| it.facts.contains(key));
    let is_new =
        |it: &Sentence| it.facts.is_empty() || !it.facts.iter().all(stands) || !it.figures().is_empty();
    let model: Vec<Sentence> = model.into_iter().filter(is_new).collect();
    let opens = own.first().is_some_and(|first| missing.iter().any(|it| it == *first));
    let (before, behind) = if opens { (missing, model) } else { (model, missing) };
    before.into_iter().chain(behind).chain(remarks()).collect()
}

/// Whether sentences give the first number of a sentence of rules, or all numbers of its quote.
fn is_said(own: &Sentence, sentences: &[Sentence], quotes: &BTreeMap<String, String>) -> bool {
    if let Some(figure) = own.first_figure() {
        return sentences.iter().any(|it| it.writes(figure));
    }
    own.facts.iter().all(|key| {
        let citing: Vec<String> =
            sentences.iter().filter(|it| it.facts.contains(key)).map(Sentence::text).collect();
        let text = citing.join(" ");
        let told: Vec<_> = numbers(&text).into_iter().map(|found| found.value).collect();
        let quote = quotes.get(key).map_or("", String::as_str);
        !citing.is_empty() && numbers(quote).iter().all(|found| told.contains(&found.value))
    })
}

/// The takeaways are the first sentences of the sections as they are now.
fn retold(draft: &mut Draft) {
    for takeaway in &mut draft.aggregation.takeaways {
        let Some(first) = takeaway.first_figure().map(str::to_owned) else { continue };
        let mut written = draft.aggregation.sections.iter().flat_map(Section::sentences);
        let same = written.find(|sentence| sentence.by_model && sentence.writes(&first));
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
    // What documents say of a question that figures answer may be told beside it.
    let beside = section
        .passages
        .iter()
        .flat_map(|passage| quotes_to(memory, &section.scope_item_id, &passage.question));
    let beside: Vec<Sentence> = beside.collect();
    for sentence in section.sentences().chain(&beside) {
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
        draft: Vec::new(),
        problems: Vec::new(),
    }
}

type Passed = (Vec<(usize, Vec<Sentence>)>, Vec<Dropped>);

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
