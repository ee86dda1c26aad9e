//! Synthesis: the decision, written by the judge or counted from the ledger. Whatever happened, there is one.

use baton_agents::skill::Skill;
use baton_engine::{Cx, Fault};

use super::again;
use crate::debate::assess::caps;
use crate::debate::contribution::Type;
use crate::debate::ledger::{Standing, counts, figures, objections, positions};
use crate::debate::memory::{Memory, Solution};
use crate::debate::panel::{PanelError, letter, put};
use crate::debate::skills::Brief;
use crate::debate::skills::condense::{Condense, ToCondense};
use crate::debate::skills::synthesize::{Synthesize, ToSynthesize, Written};
use crate::debate::{Debate, Event, State};

pub async fn run(cx: Cx<Debate>) -> Result<Event, Fault> {
    let memory = cx.read(Clone::clone);
    let judge = &memory.setup.judge;
    let counted = |history: String| {
        let input = input(&memory, history);
        let written = Synthesize::rules(&input);
        written.map(|written| complete(&memory, written, "the ledger", None))
    };
    let failed = || Fault::GaveUp("the decision could not be counted".to_owned());
    if judge.role.chain.is_empty() || memory.falls_back(State::Synthesis) {
        return counted(String::new()).ok_or_else(failed);
    }
    let answer = match history(&cx, &memory).await {
        Ok(history) => {
            let key = format!("synthesis.{}", memory.attempt(State::Synthesis, "synthesis"));
            put::<Synthesize>(&cx, &judge.role, &key, &input(&memory, history), true).await
        }
        Err(trouble) => Err(trouble),
    };
    match answer {
        Ok(answer) => {
            let own = answer.output.confidence;
            Ok(complete(&memory, answer.output, answer.by.name(), Some(own)))
        }
        // Not even the share kept for the answer is left: what there is is counted.
        Err(PanelError::Budget(_)) => counted(String::new()).ok_or_else(failed),
        Err(PanelError::Unusable(why)) => {
            Ok(again(&memory, State::Synthesis, vec!["synthesis".to_owned()], why))
        }
        Err(PanelError::Fault(fault)) => Err(*fault),
    }
}

/// Earlier rounds for the judge; shortened first if they are long.
async fn history(cx: &Cx<Debate>, memory: &Memory) -> Result<String, PanelError> {
    let judge = &memory.setup.judge;
    let last = memory.last_round();
    let line = |one: &crate::debate::contribution::Contribution| {
        format!("Round {}, {} {}:\n{}", one.round, one.kind.name(), letter(memory, &one.agent), one.text)
    };
    let earlier = memory.contributions.values().filter(|one| one.round < last && one.kind != Type::Critique);
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
        Err(PanelError::Unusable(_)) => Ok(input.history),
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
    let stands = |agent: &crate::debate::setup::Agent| {
        Some((letter(memory, &agent.id), memory.stands_for(round, &agent.id)?.text.clone()))
    };
    let open = objections(memory, round).into_iter().filter(|entry| entry.standing == Standing::Open);
    ToSynthesize {
        brief: Brief::of(memory, &memory.setup.judge.focus),
        decided: decided.collect(),
        standing: memory.setup.voices().filter_map(stands).collect(),
        open: open
            .map(|entry| {
                let objection = entry.objection;
                format!("{} ({}): {}", objection.id, objection.severity.name(), objection.claim)
            })
            .collect(),
        unmet: figures(memory, round).unmet,
        history,
        ended: memory.ending.as_ref().map_or_else(String::new, |ending| ending.why.clone()),
    }
}

/// The decision with its confidence: the lower of what its writer says, what the last round was worth, and what the
/// ledger allows.
fn complete(memory: &Memory, written: Written, by: &str, own: Option<u8>) -> Event {
    let round = memory.last_round();
    let caps = caps(&figures(memory, round));
    let cap = caps.iter().min_by_key(|cap| cap.at_most);
    let judged = memory.assessments.get(&round).and_then(|assessment| assessment.confidence);
    let agreement = figures(memory, round).agreement;
    let own = own.or(judged).or(agreement);
    let mut unmet = figures(memory, round).unmet;
    unmet.extend(
        written.unmet_requirements.iter().filter(|id| !figures(memory, round).unmet.contains(id)).cloned(),
    );
    let major = |id: &String| memory.setup.requirements.iter().any(|one| one.id == *id && one.major);
    let limit = cap.map_or(100, |cap| cap.at_most).min(if unmet.iter().any(major) { 40 } else { 100 });
    let (confidence, source) = match (own, cap) {
        (None, _) => (None, "nobody could say".to_owned()),
        (Some(own), Some(cap)) if own >= limit => (Some(limit), format!("the ledger: {}", cap.why)),
        (Some(own), _) if own > limit => {
            (Some(limit), "the ledger: a major requirement is not met".to_owned())
        }
        (Some(own), _) if by == "the ledger" => (Some(own), "the ledger".to_owned()),
        (Some(own), _) => (Some(own), format!("self-report of {by}")),
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
