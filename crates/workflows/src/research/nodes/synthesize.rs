//! SYNTHESIZING: the report from the knowledge graph alone. What its facts do not carry goes back to the writer once;
//! then it is dropped, and a part that lost its answer gets its best fact.

use baton_agents::skill::{Answerer, Skill};
use baton_engine::{Cx, Fault};

use crate::asking::{Ask, ask};
use crate::citation::{Facts, NumberedFact, SecondOpinion, second_judge, to_confirm};
use crate::research::draft::JudgedDraft;
use crate::research::relevance::{Standing, Wanted};
use crate::research::skills::mend::{MendSentences, ToMend};
use crate::research::skills::write::{
    AskedPart, Draft, KnownConflict, KnownFact, KnownSource, RankedFact, ToWrite, WriteReport,
};
use crate::research::wishes::is_excluded;
use crate::research::{Brief, Dispute, Event, Memory, Report, Research};
use crate::retrieval::antecedent::leans;

pub async fn run(cx: Cx<Research>) -> Result<Event, Fault> {
    let (brief, input) = cx.read(|memory| (memory.brief.clone(), to_write(memory)));
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
    let report = judged(&cx, &brief, input, draft, by).await?;
    // Blocks that all say "not found" are no answer.
    if report.blocks.iter().all(|block| block.lines.is_empty()) {
        return Ok(unanswered(&cx, report));
    }
    Ok(Event::ReportWritten { report: Box::new(report) })
}

/// The report of a draft; what a model wrote and facts do not carry goes back to it once, with the reasons.
async fn judged(
    cx: &Cx<Research>,
    brief: &Brief,
    input: ToWrite,
    draft: Draft,
    by: Answerer,
) -> Result<Report, Fault> {
    let mut judged = cx.read(|memory| JudgedDraft::of(draft, &memory.facts()));
    if by == Answerer::Rules {
        return Ok(cx.read(|memory| judged.report(&input, memory, by)));
    }
    let to_mend = ToMend { known: input, rejected: judged.rejected() };
    if !to_mend.rejected.is_empty() {
        let asked = Ask::last("mend", &to_mend, brief.material());
        match ask::<MendSentences, _>(cx, &brief.roles.synthesizer, asked).await {
            // Rules mend nothing, and give up nothing either.
            Ok(answer) if answer.by == Answerer::Rules => {}
            Ok(answer) => cx.read(|memory| judged.mend(answer.output.sentences, &memory.facts())),
            // What was not mended is dropped; facts stand in for it.
            Err(Fault::Unavailable(_) | Fault::Budget { .. }) => {}
            Err(fault) => return Err(fault),
        }
    }
    let second = confirmed(cx, brief, &mut judged).await?;
    let report = cx.read(|memory| judged.report(&to_mend.known, memory, by));
    Ok(Report { second, ..report })
}

/// Lets the second judge refuse, if there is one; what a reader should know of it.
async fn confirmed(
    cx: &Cx<Research>,
    brief: &Brief,
    judged: &mut JudgedDraft,
) -> Result<Option<SecondOpinion>, Fault> {
    let Some(role) = &brief.roles.verifier else { return Ok(None) };
    let passed = judged.passed();
    let lines = cx.read(|memory| to_confirm(&passed, &memory.facts()));
    let opinion = second_judge(cx, role, "confirm", &lines, brief.material()).await?;
    judged.refuse(&opinion);
    Ok(opinion.note)
}

/// The end where nobody wrote anything.
pub fn nothing(cx: &Cx<Research>) -> Event {
    let empty = Draft { parts: Vec::new(), also: Vec::new() };
    let report = cx.read(|memory| {
        JudgedDraft::of(empty, &memory.facts()).report(&to_write(memory), memory, Answerer::Rules)
    });
    unanswered(cx, report)
}

/// The end without an answer: what was tried, and what comes nearest, told as that.
fn unanswered(cx: &Cx<Research>, report: Report) -> Event {
    let is_near = report.nearest().next().is_some() && report.lines().next().is_none();
    Event::NothingFound { tried: cx.read(super::reflect::tried), nearest: is_near.then(|| Box::new(report)) }
}

/// Everything that was found, each part of the question with what answers it best.
#[must_use]
pub fn to_write(memory: &Memory) -> ToWrite {
    let facts = memory.facts();
    let exclusions = memory.plan.as_ref().map_or(&[][..], |plan| &plan.exclusions);
    let wanted =
        |fact: &&NumberedFact<'_>| !fact.superseded && !is_excluded(&fact.found.fact.statement, exclusions);
    let current: Vec<&NumberedFact<'_>> = facts.all().iter().filter(wanted).collect();
    let asked = |dimension: usize, question: &str| {
        let wanted = Wanted::of(question, &facts);
        let mut ranked: Vec<RankedFact> =
            current.iter().filter_map(|fact| ranked(fact, dimension, &wanted, &current)).collect();
        ranked.sort_by(|a, b| b.answers.cmp(&a.answers).then(b.score.total_cmp(&a.score)));
        AskedPart { part: dimension, question: question.to_owned(), facts: ranked }
    };
    let known = |fact: &&NumberedFact<'_>| KnownFact {
        label: fact.label(),
        source: fact.source_label(),
        statement: fact.found.fact.statement.clone(),
        quote: fact.found.fact.quote.clone(),
    };
    ToWrite {
        question: memory.brief.question(),
        parts: memory.asked().map(|(at, dimension)| asked(at, &dimension.question)).collect(),
        facts: current.iter().map(known).collect(),
        sources: sources(&facts),
        conflicts: memory.open_disputes(&facts).iter().map(|dispute| conflict(dispute, &facts)).collect(),
    }
}

/// How a fact stands to a part; none if it neither was found for it nor answers it.
fn ranked(
    fact: &NumberedFact<'_>,
    dimension: usize,
    wanted: &Wanted,
    all: &[&NumberedFact<'_>],
) -> Option<RankedFact> {
    let Standing { score, answers, adds, near, value, given, explains, sure, has } = wanted.fit(fact);
    let found = fact.parts.get(&dimension).copied();
    let follows = all.iter().find(|before| fact.is_behind(before)).map(|before| before.label());
    let leans = follows.is_some() && leans(&fact.found.fact.statement);
    (found.is_some() || answers).then(|| RankedFact {
        label: fact.label(),
        // The search has weighed the passage and the sentence; how well the part is answered decides between near ones.
        score: FIT * score + found.unwrap_or(0.0),
        answers,
        adds,
        near: near && !leans,
        follows,
        leans,
        value,
        given,
        explains,
        sure,
        has,
        source: fact.source,
    })
}

/// What it counts, beside the score of the search, how well the sentence answers its part.
const FIT: f64 = 0.5;

fn sources(facts: &Facts<'_>) -> Vec<KnownSource> {
    let known = |(at, card): (usize, &&crate::retrieval::SourceCard)| KnownSource {
        label: crate::citation::source_label(at + 1),
        title: card.source.title.clone(),
        date: card.source.date.clone(),
    };
    facts.sources().iter().enumerate().map(known).collect()
}

fn conflict(dispute: &Dispute, facts: &Facts<'_>) -> KnownConflict {
    let sides = [&dispute.conflict.left, &dispute.conflict.right];
    let labels = sides.iter().filter_map(|key| facts.fact(key)).map(NumberedFact::label);
    KnownConflict {
        facts: labels.collect(),
        what: dispute.conflict.explanation.clone(),
        weighed: dispute.weighed(facts),
    }
}
