//! SYNTHESIZING: the report from the knowledge graph alone. What its facts do not carry is dropped.

use baton_agents::skill::Skill;
use baton_engine::{Cx, Fault};

use super::asking::said;
use crate::research::draft::weigh;
use crate::research::graph::Graph;
use crate::research::skills::plan::clauses;
use crate::research::skills::write::{About, Known, ToWrite, WriteReport};
use crate::research::{Event, Memory, Research, Trouble, TroubleKind};

pub async fn run(cx: Cx<Research>) -> Result<Event, Fault> {
    let (role, input) = cx.read(|memory| (memory.brief.roles.synthesizer.clone(), to_write(memory)));
    if input.dimensions.iter().all(|about| about.facts.is_empty()) {
        return Ok(nothing(&cx));
    }
    let answered = said::<WriteReport>(&cx, &role, "write", &input, true).await;
    let (draft, by) = match answered {
        Ok(answer) => (answer.output, answer.by),
        // A report by rules is better than none: everything it needs is already paid for.
        Err(Fault::Unavailable(_) | Fault::Budget { .. }) => match WriteReport::rules(&input) {
            Some(draft) => (draft, "rules".to_owned()),
            None => return Ok(nothing(&cx)),
        },
        Err(fault) => return Err(fault),
    };
    let mut report = cx.read(|memory| weigh(&draft, &Graph::of(memory), &by));
    if report.answer.is_empty() {
        // Nothing of the draft held: the facts themselves do.
        let Some(draft) = WriteReport::rules(&input) else { return Ok(nothing(&cx)) };
        let dropped = report.dropped;
        report = cx.read(|memory| weigh(&draft, &Graph::of(memory), "rules"));
        report.dropped.extend(dropped);
    }
    if report.answer.is_empty() {
        let trouble = Trouble {
            kind: TroubleKind::Broken,
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
    let graph = Graph::of(memory);
    let plan = memory.plan.as_ref();
    let about = |(index, name): (usize, &str)| About {
        dimension: index,
        name: name.to_owned(),
        facts: graph
            .of_dimension(index)
            .into_iter()
            .take(PER_DIMENSION)
            .map(|fact| Known {
                label: fact.label(),
                source: fact.source_label(),
                statement: fact.finding.fact.statement.clone(),
                quote: fact.finding.fact.quote.clone(),
                score: fact.finding.score,
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
