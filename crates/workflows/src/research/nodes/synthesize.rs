//! SYNTHESIZING: the report from the knowledge graph alone. What its facts do not carry is dropped.

use baton_agents::skill::{Answerer, Skill};
use baton_engine::{Cx, Fault};

use crate::asking::{Ask, ask};
use crate::research::skills::plan::clauses;
use crate::research::skills::write::{About, KnownFact, ToWrite, WriteReport};
use crate::research::{Event, Memory, Report, Research, RunError, RunErrorKind};

pub async fn run(cx: Cx<Research>) -> Result<Event, Fault> {
    let (brief, input) = cx.read(|memory| (memory.brief.clone(), to_write(memory)));
    if input.dimensions.iter().all(|about| about.facts.is_empty()) {
        return Ok(nothing(&cx));
    }
    let asked = Ask::last("write", &input, brief.material());
    let answered = ask::<WriteReport, _>(&cx, &brief.roles.synthesizer, asked).await;
    let (draft, by) = match answered {
        Ok(answer) => (answer.output, answer.by),
        // A report by rules is better than none: everything it needs is already paid for.
        Err(Fault::Unavailable(_) | Fault::Budget { .. }) => match WriteReport::rules(&input) {
            Some(draft) => (draft, Answerer::Rules),
            None => return Ok(nothing(&cx)),
        },
        Err(fault) => return Err(fault),
    };
    let mut report = cx.read(|memory| Report::of(&draft, &memory.facts(), by));
    if report.answer.is_empty() {
        // Nothing of the draft held: the facts themselves do.
        let Some(draft) = WriteReport::rules(&input) else { return Ok(nothing(&cx)) };
        let dropped = report.dropped;
        report = cx.read(|memory| Report::of(&draft, &memory.facts(), Answerer::Rules));
        report.dropped.extend(dropped);
    }
    if report.answer.is_empty() {
        let trouble = RunError {
            kind: RunErrorKind::Broken,
            message: "no sentence of the report could be verified.".to_owned(),
            recovery: "`baton resume` writes it again.".to_owned(),
        };
        return Ok(Event::Failed { trouble });
    }
    Ok(Event::ReportWritten { report: Box::new(report) })
}

fn nothing(cx: &Cx<Research>) -> Event {
    Event::NothingFound { tried: cx.read(super::reflect::tried) }
}

/// What a prompt may hold of each dimension; nothing is dropped from the journal.
const PER_DIMENSION: usize = 30;

fn to_write(memory: &Memory) -> ToWrite {
    let facts = memory.facts();
    let plan = memory.plan.as_ref();
    let about = |(index, name): (usize, &str)| About {
        dimension: index,
        name: name.to_owned(),
        facts: facts
            .of_part(index)
            .into_iter()
            .take(PER_DIMENSION)
            .map(|fact| KnownFact {
                label: fact.label(),
                source: fact.source_label(),
                statement: fact.found.fact.statement.clone(),
                quote: fact.found.fact.quote.clone(),
                score: fact.found.score,
            })
            .collect(),
    };
    let names = plan.map(|plan| plan.dimensions.iter().map(|it| it.name.as_str()).collect::<Vec<_>>());
    ToWrite {
        question: memory.brief.question(),
        asked: clauses(&memory.brief.topic).len(),
        dimensions: names.unwrap_or_default().into_iter().enumerate().map(about).collect(),
    }
}
