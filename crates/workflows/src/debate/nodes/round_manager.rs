//! RoundManager: begins the next round while there is one. Before the first, the decision frame is settled: given,
//! written by the person, or found by the judge.

use baton_agents::skill::Skill;
use baton_engine::{Cx, Fault, Question};

use super::again;
use crate::debate::frame::Frame;
use crate::debate::frame::words::{FORM, Worded};
use crate::debate::memory::{LeftOut, Memory};
use crate::debate::panel::{PanelError, put};
use crate::debate::record::FRAME_LEFT_OUT;
use crate::debate::skills::Brief;
use crate::debate::skills::find_frame::{FindFrame, ToFrame};
use crate::debate::{Debate, Event, State};

/// The piece of work that can fail here.
const FRAME: &str = "frame";

pub async fn run(cx: Cx<Debate>) -> Result<Event, Fault> {
    let memory = cx.read(Clone::clone);
    if memory.round >= memory.setup.terms.rounds {
        return Ok(Event::MaxRoundsReached);
    }
    if memory.frame.is_none() {
        let (frame, by) = match settle(&cx, &memory).await {
            Ok(found) => found,
            Err(PanelError::Budget(why)) => return Ok(Event::BudgetReached { why }),
            Err(PanelError::Fault(fault)) => return Err(*fault),
            Err(PanelError::Unusable(why)) if memory.falls_back(State::RoundManager) => {
                let what = LeftOut { round: 0, what: FRAME_LEFT_OUT.to_owned(), why };
                cx.emit(Event::LeftOut { what }).await?;
                by_rules(&memory)
            }
            Err(PanelError::Unusable(why)) => {
                return Ok(again(&memory, State::RoundManager, vec![FRAME.to_owned()], why));
            }
        };
        cx.emit(Event::FrameSet { frame, by }).await?;
    }
    Ok(Event::BeginRound)
}

async fn settle(cx: &Cx<Debate>, memory: &Memory) -> Result<(Frame, String), PanelError> {
    if memory.setup.terms.frame_from_person {
        return from_person(cx, memory.retried(State::RoundManager)).await;
    }
    let judge = &memory.setup.judge;
    if judge.role.chain.is_empty() {
        return Ok(by_rules(memory));
    }
    if memory.falls_back(State::RoundManager) {
        let why = memory.gave_up(State::RoundManager, FRAME).cloned().unwrap_or_default();
        return Err(PanelError::Unusable(why));
    }
    let again = memory.retried(State::RoundManager);
    let input = ToFrame { brief: Brief::of(memory, &judge.focus) };
    let answer = put::<FindFrame>(cx, &judge.role, &format!("frame.{again}"), &input, false).await?;
    Ok((answer.output.frame(), answer.by.into()))
}

/// Rules find a frame or they do not; either way there is nothing to try again.
fn by_rules(memory: &Memory) -> (Frame, String) {
    let input = ToFrame { brief: Brief::of(memory, &memory.setup.judge.focus) };
    let found = FindFrame::rules(&input).map(|found| (found.frame(), "rules".to_owned()));
    found.unwrap_or_else(|| (Frame::default(), "nobody".to_owned()))
}

async fn from_person(cx: &Cx<Debate>, again: u32) -> Result<(Frame, String), PanelError> {
    let text = format!("What is to be decided? {FORM}");
    let name = if again == 0 { "frame".to_owned() } else { format!("frame.{again}") };
    let answer = cx.ask::<Worded>(name, Question::words(text)).await?;
    let Worded(frame) = answer.value;
    match frame.problems().into_iter().next() {
        Some(wrong) => {
            Err(PanelError::Unusable(format!("the frame of {} cannot be used: {wrong}", answer.by)))
        }
        None => Ok((frame, answer.by)),
    }
}
