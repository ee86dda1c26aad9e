//! Agents that are models. Each ask goes through the port that journals every paid attempt.

use async_trait::async_trait;
use baton_agents::skill::{Role, Skill};
use baton_engine::{Cx, Fault};

use super::{
    CritiqueDraft, Desk, PanelError, Panelist, ProposalDraft, dissenter, history, raised_before, shown,
};
use crate::asking::{self, Answered, Ask, Material};
use crate::debate::Debate;
use crate::debate::contribution::{Contribution, Type};
use crate::debate::memory::Memory;
use crate::debate::objections::Entry;
use crate::debate::setup::Kind;
use crate::debate::skills::clarify::{Clarify, ToClarify};
use crate::debate::skills::condense::{Condense, ToCondense};
use crate::debate::skills::critique::{Critique, ToCritique};
use crate::debate::skills::look::{Look, ToLook};
use crate::debate::skills::propose::{Propose, ToPropose};
use crate::debate::skills::refine::{Refine, ToRefine};
use crate::debate::skills::{self, Looking, Position, normal};
use crate::debate::tools::{Tool, ToolCall, UseTool, search_history};

/// Puts a skill to a role. A budget that is used up is the run's trouble; whatever else goes wrong is the agent's.
pub async fn put<S: Skill>(
    cx: &Cx<Debate>,
    role: &Role,
    key: &str,
    input: &S::Input,
    last: bool,
) -> Result<Answered<S::Output>, PanelError> {
    let material = Material::private_if(cx.read(|memory| memory.setup.holds_documents()));
    let answer = asking::ask::<S, _>(cx, role, Ask { key, input, material, last }).await;
    answer.map_err(|fault| match fault {
        Fault::Budget { short, .. } => PanelError::Budget(short.to_string()),
        Fault::Unavailable(why) => PanelError::Unusable(why),
        fault => PanelError::Fault(Box::new(fault)),
    })
}

/// Somebody who is asked with leave to look things up.
#[derive(Clone, Copy)]
pub struct Looker<'a> {
    pub cx: &'a Cx<Debate>,
    pub memory: &'a Memory,
    pub role: &'a Role,
    /// Names the ask within its visit.
    pub key: &'a str,
    /// How often it may look; nothing without a context folder.
    pub most: u32,
    /// The phase it is asked in: it may look into what was said before.
    pub phase: Type,
}

/// Puts a skill to a role again and again, until it wants to look nothing more up or may not. `input` makes the skill's
/// input of what was found.
pub async fn put_looking<S: Skill<Output: Looking>>(
    who: Looker<'_>,
    input: impl Fn(skills::Desk) -> S::Input,
) -> Result<Answered<S::Output>, PanelError> {
    let Looker { cx, memory, role, key, most, phase } = who;
    let most = if memory.setup.context.is_some() { most } else { 0 };
    let mut found = Vec::new();
    let mut tokens = 0;
    for turn in 0..=most {
        let left = most - u32::try_from(found.len()).unwrap_or(most).min(most);
        let name = if turn == 0 { key.to_owned() } else { format!("{key}-found-{turn}") };
        let desk = skills::Desk { found: found.clone(), left };
        let answer = put::<S>(cx, role, &name, &input(desk), false).await?;
        tokens += answer.tokens;
        let wanted = answer.output.look();
        if wanted.is_empty() || left == 0 {
            return Ok(Answered { tokens, ..answer });
        }
        for call in wanted.iter().take(left as usize) {
            let name = format!("{key}-tool-{}", found.len());
            found.push(looked_up(cx, memory, (memory.round, phase), name, call).await?);
        }
    }
    Err(PanelError::Unusable(format!("{key} only wants to look things up")))
}

async fn looked_up(
    cx: &Cx<Debate>,
    memory: &Memory,
    before: (u32, Type),
    name: String,
    call: &ToolCall,
) -> Result<String, PanelError> {
    match (&call.tool, &memory.setup.context) {
        (Tool::History, _) => Ok(search_history(memory, before, &call.argument)),
        (_, Some(folder)) => {
            Ok(cx.step(name, &UseTool { folder: folder.clone(), call: call.clone() }).await?)
        }
        (_, None) => Ok("error: there is no folder to look into".to_owned()),
    }
}

pub(super) struct ByModel;

/// The role and how often the agent may look things up.
fn role<'a>(desk: &'a Desk<'_>) -> Result<(&'a Role, u32), PanelError> {
    match &desk.agent.kind {
        Kind::Model { role, tool_calls } => Ok((role, *tool_calls)),
        other => {
            let why = format!("{} is a {}", desk.agent.id, other.name());
            Err(PanelError::Fault(Box::new(Fault::GaveUp(why))))
        }
    }
}

#[async_trait]
impl Panelist for ByModel {
    async fn clarify(&self, desk: &Desk<'_>) -> Result<Vec<String>, PanelError> {
        let most = desk.memory.setup.terms.clarify_per_agent;
        let instructions = desk.agent.clarify.clone().unwrap_or_default();
        let input = ToClarify { brief: desk.brief(), instructions, most };
        let answer = put::<Clarify>(desk.cx, role(desk)?.0, &desk.key("clarify"), &input, false).await?;
        Ok(answer.output.questions.into_iter().map(|question| question.text).collect())
    }

    async fn propose(&self, desk: &Desk<'_>) -> Result<ProposalDraft, PanelError> {
        let found = look(desk).await?;
        let input = ToPropose { brief: desk.brief(), found };
        let answer = put::<Propose>(desk.cx, role(desk)?.0, &desk.key("propose"), &input, false).await?;
        Ok(ProposalDraft {
            positions: normal(&input.brief.frame, &answer.output.positions),
            text: answer.output.proposal,
            covers: answer.output.covers,
            responses: Vec::new(),
            quotes: answer.output.quotes,
            by: answer.by.into(),
            tokens: answer.tokens,
        })
    }

    async fn critique(
        &self,
        desk: &Desk<'_>,
        targets: &[&Contribution],
    ) -> Result<CritiqueDraft, PanelError> {
        let memory = desk.memory;
        let shown: Vec<_> = targets.iter().map(|one| shown(memory, one)).collect();
        let letters: Vec<&str> = shown.iter().map(|target| target.letter.as_str()).collect();
        let key = desk.key(&format!("critique-{}", letters.join("-")));
        let raised = raised_before(memory, &desk.agent.id, targets);
        let input = |looked| ToCritique {
            brief: desk.brief(),
            targets: shown.clone(),
            raised: raised.iter().map(Entry::line_with_reply).collect(),
            history: history(memory, &desk.agent.id),
            dissent: dissenter(memory) == Some(desk.agent.id.as_str()),
            desk: looked,
        };
        let answer = put_looking::<Critique>(looker(desk, &key, Type::Critique)?, input).await?;
        let output = answer.output;
        Ok(CritiqueDraft {
            text: output.critique,
            objections: output.objections,
            settled: output.settled,
            by: answer.by.into(),
            tokens: answer.tokens,
        })
    }

    async fn refine(
        &self,
        desk: &Desk<'_>,
        own: &Contribution,
        open: &[Entry],
    ) -> Result<ProposalDraft, PanelError> {
        let round = desk.memory.round;
        let critiques = desk.memory.of(round, Type::Critique);
        let to_me = critiques.filter(|one| one.target.as_deref() == Some(desk.agent.id.as_str()));
        let position =
            |(slot, option): (&String, &String)| Position { slot: slot.clone(), option: option.clone() };
        let critiques: Vec<String> = to_me.map(|one| one.text.clone()).collect();
        let brief = desk.brief();
        let input = |looked| ToRefine {
            brief: brief.clone(),
            own: own.text.clone(),
            positions: own.positions.iter().map(position).collect(),
            covers: own.covers.clone(),
            objections: open.iter().map(Entry::line).collect(),
            critiques: critiques.clone(),
            history: history(desk.memory, &desk.agent.id),
            desk: looked,
        };
        let key = desk.key("refine");
        let answer = put_looking::<Refine>(looker(desk, &key, Type::Refinement)?, input).await?;
        Ok(ProposalDraft {
            positions: normal(&brief.frame, &answer.output.positions),
            text: answer.output.proposal,
            covers: answer.output.covers,
            responses: answer.output.responses,
            quotes: answer.output.quotes,
            by: answer.by.into(),
            tokens: answer.tokens,
        })
    }

    async fn condense(&self, desk: &Desk<'_>, history: &str) -> Result<Option<String>, PanelError> {
        let most = desk.agent.summarization.max_length;
        let input = ToCondense {
            history: history.to_owned(),
            focus: desk.agent.focus.clone(),
            instructions: desk.agent.summarize.clone().unwrap_or_default(),
            most,
        };
        let answer = put::<Condense>(desk.cx, role(desk)?.0, &desk.key("condense"), &input, false).await?;
        Ok(Some(answer.output.summary.chars().take(most).collect()))
    }
}

fn looker<'a>(desk: &'a Desk<'_>, key: &'a str, phase: Type) -> Result<Looker<'a>, PanelError> {
    let (role, most) = role(desk)?;
    Ok(Looker { cx: desk.cx, memory: desk.memory, role, key, most, phase })
}

/// Looks things up in the context folder, as long as the agent wants to and may.
async fn look(desk: &Desk<'_>) -> Result<Vec<String>, PanelError> {
    let (role, most) = role(desk)?;
    if desk.memory.setup.context.is_none() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    let mut turn = 0;
    while (found.len() as u64) < u64::from(most) {
        let left = most - u32::try_from(found.len()).unwrap_or(most);
        let input = ToLook { brief: desk.brief(), found: found.clone(), left };
        let wanted = put::<Look>(desk.cx, role, &desk.key(&format!("look-{turn}")), &input, false).await?;
        if wanted.output.calls.is_empty() {
            break;
        }
        for call in wanted.output.calls.into_iter().take(left as usize) {
            let name = desk.key(&format!("tool-{}", found.len()));
            found.push(looked_up(desk.cx, desk.memory, (1, Type::Proposal), name, &call).await?);
        }
        turn += 1;
    }
    Ok(found)
}
