//! Evaluation: what the round was worth, and whether there is another. Under fixed rounds nobody is asked.

use baton_agents::skill::{Answerer, Skill};
use baton_engine::{Cx, Fault};
use futures::future::join_all;

use super::{JUDGE_LOOKS, Missing, THE_JUDGE, follow, given_up};
use crate::debate::assess::{Decision, Judgement, Judges, LEDGER, assess, decide};
use crate::debate::contribution::Type;
use crate::debate::ledger::{Figures, agrees, blind, figures};
use crate::debate::memory::Memory;
use crate::debate::objections::{Entry, Standing, objections};
use crate::debate::panel::{Looker, PanelError, letter, put_looking};
use crate::debate::setup::{Agent, Termination};
use crate::debate::skills::judge::{JudgeRound, Judged, ToJudge};
use crate::debate::skills::{self, Brief};
use crate::debate::{Debate, Event, State};

pub async fn run(cx: Cx<Debate>) -> Result<Event, Fault> {
    let memory = cx.read(Clone::clone);
    let terms = memory.setup.terms;
    let figures = figures(&memory, memory.round);
    let mut judges = Judges::default();
    let mut pieces = Vec::new();
    for judged in judge(&cx, &memory, &figures).await {
        match judged {
            Ok(judgement) => judges.judgements.push(judgement),
            Err(missing) => pieces.push(Err(missing)),
        }
    }
    judges.missing = pieces.len();
    if let Some(event) = follow(&cx, &memory, State::Evaluation, pieces).await? {
        return Ok(event);
    }
    if judges.missing == 0 && memory.on_bench(THE_JUDGE).is_some() && !judges.judgements.is_empty() {
        cx.emit(Event::Returned { who: THE_JUDGE.to_owned() }).await?;
    }
    let sat_out = u32::from(memory.sits_out(THE_JUDGE)) * memory.setup.judge.samples;
    judges.missing += if is_asked(&memory) { sat_out as usize } else { 0 };
    let assessment = assess(&terms, figures, judges);
    cx.emit(Event::Evaluated { assessment: assessment.clone() }).await?;
    if terms.termination == Termination::Fixed {
        return Ok(if memory.round < terms.rounds { Event::Continue } else { Event::MaxRoundsReached });
    }
    let before = memory.round.checked_sub(1).and_then(|round| memory.assessments.get(&round));
    let saturated = before.is_some_and(|before| before.figures.saturated());
    Ok(match decide(&terms, &assessment, saturated, agrees(&memory, &blind(&memory))) {
        Decision::Continue => Event::Continue,
        Decision::Consensus(why) => Event::ConsensusReached { why },
        Decision::Impasse(why) => Event::ImpasseReached { why },
    })
}

/// Whether there is a judge for the rounds of this debate.
fn is_asked(memory: &Memory) -> bool {
    memory.setup.terms.termination != Termination::Fixed && !memory.setup.judge.role.chain.is_empty()
}

/// What the judges say: nothing under fixed rounds, the ledger's own figures where there is no judge.
async fn judge(cx: &Cx<Debate>, memory: &Memory, figures: &Figures) -> Vec<Result<Judgement, Missing>> {
    let judge = &memory.setup.judge;
    if memory.setup.terms.termination == Termination::Fixed || is_asked(memory) && memory.sits_out(THE_JUDGE)
    {
        return Vec::new();
    }
    if judge.role.chain.is_empty() {
        let counted = JudgeRound::rules(&input(memory, figures, 0, skills::Desk::default()));
        return counted.map(|judged| Ok(judgement(judged, LEDGER.to_owned()))).into_iter().collect();
    }
    let asked = (0..judge.samples).map(|n| async move {
        let what = format!("judge-{n}");
        let judged = sample(cx, memory, figures, n, &what).await;
        judged.map_err(|trouble| Missing { what, who: Some(THE_JUDGE.to_owned()), trouble })
    });
    join_all(asked).await
}

/// One judgement; how often it failed before is part of its name, so that good ones are not asked for again. Rules that
/// stand in for a judge judge nothing: what they would count stands in the ledger.
async fn sample(
    cx: &Cx<Debate>,
    memory: &Memory,
    figures: &Figures,
    n: u32,
    what: &str,
) -> Result<Judgement, PanelError> {
    given_up(memory, State::Evaluation, what)?;
    let key = format!("{what}.{}", memory.attempt(State::Evaluation, what));
    let role = &memory.setup.judge.role;
    let who = Looker { cx, memory, role, key: &key, most: JUDGE_LOOKS, phase: Type::Refinement };
    let answer = put_looking::<JudgeRound>(who, |desk| input(memory, figures, n, desk)).await?;
    match answer.by {
        Answerer::Rules => Err(PanelError::Unusable("no model of the judge gave a good answer".to_owned())),
        by => Ok(judgement(answer.output, by.into())),
    }
}

fn judgement(judged: Judged, by: String) -> Judgement {
    let Judged { findings, agreement, readiness, .. } = judged;
    Judgement { agreement, readiness, findings, by }
}

/// What a judge is shown: solutions under letters, in another order for every sample, what was held against them and
/// what was answered.
fn input(memory: &Memory, figures: &Figures, sample: u32, desk: skills::Desk) -> ToJudge {
    let stands = |agent: &Agent| {
        let one = memory.stands_for(memory.round, &agent.id)?;
        Some((letter(memory, &agent.id), skills::with_positions(&one.text, one.positions.iter())))
    };
    let mut standing: Vec<(String, String)> = memory.setup.voices().filter_map(stands).collect();
    if !standing.is_empty() {
        let turn = sample as usize % standing.len();
        standing.rotate_left(turn);
    }
    let mut entries = objections(memory, memory.round);
    entries.sort_by_key(|entry| (entry.standing == Standing::Closed, entry.round));
    let quality = memory.setup.terms.termination == Termination::Quality;
    ToJudge {
        brief: Brief::of(memory, &memory.setup.judge.focus),
        standing,
        open: entries.iter().map(Entry::line_with_reply).collect(),
        critiques: critiques(memory, memory.round),
        agreement: figures.agreement,
        gaps: figures.unmet.len() + figures.missing.len() + figures.blocking.len() + figures.major.len(),
        decides: if quality { "readiness".to_owned() } else { "agreement".to_owned() },
        desk,
    }
}

/// The words of a round's critiques, each with the letter of its target; critics have no letters.
pub(super) fn critiques(memory: &Memory, round: u32) -> Vec<(String, String)> {
    let said = memory.of(round, Type::Critique).filter(|one| !one.text.trim().is_empty());
    said.filter_map(|one| Some((letter(memory, one.target.as_deref()?), one.text.clone()))).collect()
}
