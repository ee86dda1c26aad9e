//! Evaluation: what the round was worth, and whether there is another. Under fixed rounds nobody is asked.

use baton_agents::skill::Skill;
use baton_engine::{Cx, Fault};
use futures::future::join_all;

use super::follow;
use crate::debate::assess::{Decision, Judgement, assess, decide};
use crate::debate::contribution::Severity;
use crate::debate::ledger::{Figures, figures, objections};
use crate::debate::memory::Memory;
use crate::debate::panel::{PanelError, letter, put};
use crate::debate::setup::Termination;
use crate::debate::skills::Brief;
use crate::debate::skills::judge::{JudgeRound, Judged, ToJudge};
use crate::debate::{Debate, Event, State};

pub async fn run(cx: Cx<Debate>) -> Result<Event, Fault> {
    let memory = cx.read(Clone::clone);
    let terms = memory.setup.terms;
    let figures = figures(&memory, memory.round);
    let mut judgements = Vec::new();
    let mut pieces = Vec::new();
    for judged in judge(&cx, &memory, &figures).await {
        match judged {
            Ok(judgement) => judgements.push(judgement),
            Err(failed) => pieces.push(Err(failed)),
        }
    }
    if let Some(event) = follow(&cx, &memory, State::Evaluation, pieces).await? {
        return Ok(event);
    }
    let assessment = assess(&terms, figures, judgements);
    cx.emit(Event::Evaluated { assessment: assessment.clone() }).await?;
    if terms.termination == Termination::Fixed {
        return Ok(if memory.round < terms.rounds { Event::Continue } else { Event::MaxRoundsReached });
    }
    let before = memory.round.checked_sub(1).and_then(|round| memory.assessments.get(&round));
    let saturated = before.is_some_and(|before| before.figures.saturated());
    Ok(match decide(&terms, &assessment, saturated) {
        Decision::Continue => Event::Continue,
        Decision::Consensus(why) => Event::ConsensusReached { why },
        Decision::Impasse(why) => Event::ImpasseReached { why },
    })
}

/// What the judges say: nothing under fixed rounds, the ledger's own figures where there is no judge or none that
/// can be understood.
async fn judge(
    cx: &Cx<Debate>,
    memory: &Memory,
    figures: &Figures,
) -> Vec<Result<Judgement, (String, PanelError)>> {
    let judge = &memory.setup.judge;
    if memory.setup.terms.termination == Termination::Fixed {
        return Vec::new();
    }
    if judge.role.chain.is_empty() || memory.falls_back(State::Evaluation) {
        let counted = JudgeRound::rules(&input(memory, figures, 0));
        return counted.map(|judged| Ok(judgement(judged, "the ledger".to_owned()))).into_iter().collect();
    }
    let asked = (0..judge.samples).map(|n| sample(cx, memory, figures, n));
    join_all(asked).await
}

/// One judgement; how often it failed before is part of its name, so that good ones are not asked for again.
async fn sample(
    cx: &Cx<Debate>,
    memory: &Memory,
    figures: &Figures,
    n: u32,
) -> Result<Judgement, (String, PanelError)> {
    let what = format!("judge-{n}");
    let key = format!("{what}.{}", memory.attempt(State::Evaluation, &what));
    let input = input(memory, figures, n);
    match put::<JudgeRound>(cx, &memory.setup.judge.role, &key, &input, false).await {
        Ok(answer) => Ok(judgement(answer.output, answer.by.into())),
        Err(trouble) => Err((what, trouble)),
    }
}

fn judgement(judged: Judged, by: String) -> Judgement {
    let Judged { findings, agreement, readiness } = judged;
    Judgement { agreement, readiness, findings, by }
}

/// What a judge is shown: solutions under letters, in another order for every sample.
fn input(memory: &Memory, figures: &Figures, sample: u32) -> ToJudge {
    let stands = |agent: &crate::debate::setup::Agent| {
        Some((letter(memory, &agent.id), memory.stands_for(memory.round, &agent.id)?.text.clone()))
    };
    let mut standing: Vec<(String, String)> = memory.setup.voices().filter_map(stands).collect();
    if !standing.is_empty() {
        let turn = sample as usize % standing.len();
        standing.rotate_left(turn);
    }
    let entries = objections(memory, memory.round);
    let open = entries.iter().filter(|entry| {
        [Severity::Blocking, Severity::Major, Severity::Minor].iter().any(|weight| entry.is_open(*weight))
    });
    let line = |entry: &crate::debate::ledger::Entry| {
        let objection = &entry.objection;
        format!("{} ({}): {}", objection.id, objection.severity.name(), objection.claim)
    };
    let quality = memory.setup.terms.termination == Termination::Quality;
    ToJudge {
        brief: Brief::of(memory, &memory.setup.judge.focus),
        standing,
        open: open.map(line).collect(),
        agreement: figures.agreement,
        gaps: figures.unmet.len() + figures.missing.len() + figures.blocking.len() + figures.major.len(),
        decides: if quality { "readiness".to_owned() } else { "agreement".to_owned() },
    }
}
