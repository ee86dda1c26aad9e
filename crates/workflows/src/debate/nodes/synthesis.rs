//! Synthesis: the decision, written by the judge or counted from the ledger. Whatever happened, there is one; how sure it
//! is, is the lowest of what its writer says, what the judge said of the last round, and what the ledger allows.

use baton_agents::skill::{Answerer, Skill};
use baton_engine::{Cx, Fault};

use super::again;
use super::evaluation::critiques;
use crate::debate::assess::{JUDGE_UNAVAILABLE, LEDGER, caps};
use crate::debate::contribution::{Contribution, Type};
use crate::debate::ledger::{counts, figures, positions};
use crate::debate::memory::{LeftOut, Memory, Solution};
use crate::debate::objections::{Entry, Standing, objections};
use crate::debate::panel::{PanelError, letter, put};
use crate::debate::record::DECISION_LEFT_OUT;
use crate::debate::setup::Agent;
use crate::debate::skills::Brief;
use crate::debate::skills::condense::{Condense, ToCondense};
use crate::debate::skills::synthesize::{Synthesize, ToSynthesize, Written};
use crate::debate::winning;
use crate::debate::{Debate, Event, State};

pub async fn run(cx: Cx<Debate>) -> Result<Event, Fault> {
    let memory = cx.read(Clone::clone);
    let judge = &memory.setup.judge;
    if judge.role.chain.is_empty() {
        return counted(&memory, false);
    }
    if memory.falls_back(State::Synthesis) {
        let why = memory.gave_up(State::Synthesis, "synthesis").cloned().unwrap_or_default();
        return stand_in(&cx, &memory, why).await;
    }
    let answer = match history(&cx, &memory).await {
        Ok(history) => {
            let key = format!("synthesis.{}", memory.attempt(State::Synthesis, "synthesis"));
            put::<Synthesize>(&cx, &judge.role, &key, &input(&memory, history), true).await
        }
        Err(trouble) => Err(trouble),
    };
    match answer {
        Ok(answer) if answer.by == Answerer::Rules => {
            stand_in(&cx, &memory, "no model of the judge gave a good answer".to_owned()).await
        }
        Ok(answer) => {
            let own = answer.output.confidence;
            let by: String = answer.by.into();
            Ok(complete(&memory, answer.output, &by, Some(own), false))
        }
        // Not even the share kept for the answer is left: what there is is counted.
        Err(PanelError::Budget(why)) => stand_in(&cx, &memory, why).await,
        Err(PanelError::Unusable(why)) => {
            Ok(again(&memory, State::Synthesis, vec!["synthesis".to_owned()], why))
        }
        Err(PanelError::Fault(fault)) => Err(*fault),
    }
}

/// Counts the decision because the judge who was to write it did not, and says so.
async fn stand_in(cx: &Cx<Debate>, memory: &Memory, why: String) -> Result<Event, Fault> {
    let what = LeftOut { round: memory.round, what: DECISION_LEFT_OUT.to_owned(), why };
    cx.emit(Event::LeftOut { what }).await?;
    counted(memory, true)
}

fn counted(memory: &Memory, unavailable: bool) -> Result<Event, Fault> {
    let written = Synthesize::rules(&input(memory, String::new()));
    let written = written.ok_or_else(|| Fault::GaveUp("the decision could not be counted".to_owned()))?;
    Ok(complete(memory, written, LEDGER, None, unavailable))
}

/// Earlier rounds for the judge, with objections and answers; shortened first if they are long.
async fn history(cx: &Cx<Debate>, memory: &Memory) -> Result<String, PanelError> {
    let judge = &memory.setup.judge;
    let last = memory.last_round();
    let entries = objections(memory, last);
    let line = |one: &Contribution| {
        let whose =
            one.target.as_ref().map_or(String::new(), |target| format!(" of {}", letter(memory, target)));
        let by = if one.kind == Type::Critique {
            String::new()
        } else {
            format!(" {}", letter(memory, &one.agent))
        };
        let mut told = format!("Round {}, {}{by}{whose}:\n{}", one.round, one.kind.name(), one.text);
        for objection in &one.objections {
            let entry = entries.iter().find(|entry| entry.objection.id == objection.id);
            told.push_str(
                &entry.map_or_else(String::new, |entry| format!("\n- {}", entry.line_with_reply())),
            );
        }
        told
    };
    let earlier = memory.contributions.values().filter(|one| one.round < last);
    let history = earlier.map(line).collect::<Vec<_>>().join("\n\n");
    if !judge.summarization.enabled || history.chars().count() < judge.summarization.threshold {
        return Ok(history);
    }
    let input = ToCondense {
        history,
        focus: judge.focus.clone(),
        instructions: String::new(),
        most: judge.summarization.max_length,
    };
    // A history that cannot be shortened is not worth another try: the prompt cuts what does not fit.
    match put::<Condense>(cx, &judge.role, "condense", &input, true).await {
        Ok(answer) => Ok(answer.output.summary.chars().take(judge.summarization.max_length).collect()),
        Err(PanelError::Unusable(why)) => {
            let what = LeftOut { round: memory.round, what: "a summary for the judge".to_owned(), why };
            cx.emit(Event::LeftOut { what }).await?;
            Ok(input.history)
        }
        Err(trouble) => Err(trouble),
    }
}

fn input(memory: &Memory, history: String) -> ToSynthesize {
    let round = memory.last_round();
    let decided = counts(memory, &positions(memory, round)).into_iter().map(|count| {
        let votes: Vec<String> =
            count.votes.iter().map(|(option, who)| format!("{option} {}", who.len())).collect();
        let decision = count.leading.unwrap_or_else(|| "not decided".to_owned());
        format!("{}: {decision} (votes: {})", count.slot, votes.join(", "))
    });
    let stands =
        |agent: &Agent| Some((letter(memory, &agent.id), memory.stands_for(round, &agent.id)?.text.clone()));
    let (open, settled): (Vec<Entry>, Vec<Entry>) =
        objections(memory, round).into_iter().partition(|entry| entry.standing == Standing::Open);
    let decision = winning::decided(memory);
    // What is held against an option that lost is no cost of what was decided.
    let weighs = |entry: &&Entry| match (&entry.about, &entry.against) {
        (Some(slot), Some(option)) => decision.get(slot) == Some(option),
        _ => true,
    };
    ToSynthesize {
        brief: Brief::of(memory, &memory.setup.judge.focus),
        decided: decided.collect(),
        standing: memory.setup.voices().filter_map(stands).collect(),
        open: open.iter().filter(weighs).map(Entry::line_with_reply).collect(),
        settled: settled.iter().map(Entry::line_with_reply).collect(),
        critiques: critiques(memory, round),
        unmet: figures(memory, round).unmet,
        history,
        ended: memory.ending.as_ref().map_or_else(String::new, |ending| ending.why.clone()),
    }
}

/// The decision with its confidence: the lowest of what its writer says, what the last judgement was, and what the
/// ledger allows.
fn complete(memory: &Memory, written: Written, by: &str, own: Option<u8>, unavailable: bool) -> Event {
    let figures = figures(memory, memory.last_round());
    let mut unmet = figures.unmet.clone();
    unmet.extend(written.unmet_requirements.iter().filter(|id| !figures.unmet.contains(id)).cloned());
    let judged = memory.assessments.values().next_back();
    let judged = judged.and_then(|assessment| Some((assessment.confidence?, assessment.source.clone())));
    let mut sources: Vec<(u8, String)> = Vec::new();
    sources.extend(own.map(|own| (own, format!("self-report of {by}"))));
    sources.extend(judged);
    if sources.is_empty() {
        sources.extend(figures.agreement.map(|agreement| (agreement, LEDGER.to_owned())));
    }
    let says_number = !sources.is_empty();
    sources.extend(caps(&figures).into_iter().map(|cap| (cap.at_most, format!("{LEDGER}: {}", cap.why))));
    if unavailable {
        sources.push((50, format!("{LEDGER}: {JUDGE_UNAVAILABLE}")));
    }
    let is_major = |id: &&String| memory.setup.requirements.iter().any(|one| one.id == **id && one.major);
    if let Some(id) = written.unmet_requirements.iter().find(is_major) {
        sources.push((40, format!("{by} says that {id} is not met")));
    }
    let lowest = sources.into_iter().filter(|_| says_number).min_by_key(|(number, _)| *number);
    let (confidence, source) = match lowest {
        Some((number, source)) => (Some(number), source),
        None => (None, "nobody could say".to_owned()),
    };
    let solution = Solution {
        text: written.solution,
        tradeoffs: written.tradeoffs,
        recommendations: written.recommendations,
        unmet,
        open_questions: written.open_questions,
        confidence,
        confidence_source: source,
        by: by.to_owned(),
    };
    Event::Complete { solution }
}
