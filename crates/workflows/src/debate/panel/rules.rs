//! Agents that are rules: critics that check requirement coverage, missing positions, banned options and numbers
//! within bounds. They take no position, and let go of an objection when what they check has changed.

use async_trait::async_trait;
use baton_agents::rules::quantities::quantities;

use super::{CritiqueDraft, Desk, PanelError, Panelist, ProposalDraft, raised_before, shown};
use crate::debate::contribution::{Contribution, Severity};
use crate::debate::objections::Entry;
use crate::debate::setup::{Bound, Checklist, Kind};
use crate::debate::skills::critique::{Raised, Shown, gaps};

pub(super) struct ByRules;

#[async_trait]
impl Panelist for ByRules {
    async fn propose(&self, desk: &Desk<'_>) -> Result<ProposalDraft, PanelError> {
        Err(PanelError::Unusable(format!("{} is a rules critic and takes no position", desk.agent.id)))
    }

    async fn critique(
        &self,
        desk: &Desk<'_>,
        targets: &[&Contribution],
    ) -> Result<CritiqueDraft, PanelError> {
        let Kind::Rules(checklist) = &desk.agent.kind else {
            return Err(PanelError::Unusable(format!("{} is no rules critic", desk.agent.id)));
        };
        let brief = desk.brief();
        let shown: Vec<Shown> = targets.iter().map(|target| shown(desk.memory, target)).collect();
        let now: Vec<Raised> = shown
            .iter()
            .flat_map(|target| gaps(&brief, target).into_iter().chain(checked(checklist, target)))
            .collect();
        let before = raised_before(desk.memory, &desk.agent.id, targets);
        let holds = |entry: &Entry| now.iter().any(|raised| raised.claim == entry.objection.claim);
        let known = |raised: &Raised| before.iter().any(|entry| entry.objection.claim == raised.claim);
        let settled =
            before.iter().filter(|entry| !holds(entry)).map(|entry| entry.objection.id.clone()).collect();
        let found = now.len();
        let objections: Vec<Raised> = now.iter().filter(|raised| !known(raised)).cloned().collect();
        let text = format!("Checked by rules: {found} found, {} of them new.", objections.len());
        Ok(CritiqueDraft { text, objections, settled, by: "rules".to_owned(), tokens: 0 })
    }

    async fn refine(
        &self,
        desk: &Desk<'_>,
        _own: &Contribution,
        _open: &[Entry],
    ) -> Result<ProposalDraft, PanelError> {
        self.propose(desk).await
    }
}

fn checked(checklist: &Checklist, target: &Shown) -> Vec<Raised> {
    let position =
        |slot: &str| target.positions.iter().find(|(name, _)| name == slot).map(|(_, option)| option);
    let raise = |slot: &str, claim: String| Raised {
        target: target.letter.clone(),
        slot: slot.to_owned(),
        severity: Severity::Blocking,
        claim,
        quote: None,
    };
    let banned =
        checklist.banned.iter().filter(|ban| position(&ban.slot).is_some_and(|option| *option == ban.option));
    let banned = banned.map(|ban| {
        let why = if ban.why.is_empty() { String::new() } else { format!(": {}", ban.why) };
        raise(&ban.slot, format!("{} may not be taken for {}{why}", ban.option, ban.slot))
    });
    let limits = checklist.limits.iter().filter_map(|bound| {
        let broken = out_of_bounds(bound, position(&bound.slot)?)?;
        Some(raise(&bound.slot, broken))
    });
    banned.chain(limits).collect()
}

/// Why a position is outside its bound. Numbers of another kind cannot be compared and are said to be so.
fn out_of_bounds(bound: &Bound, position: &str) -> Option<String> {
    let number = |words: &str| quantities(words).into_iter().next();
    let limits = [(&bound.least, "least", false), (&bound.most, "most", true)];
    for (limit, name, is_most) in limits {
        let Some((words, limit)) = limit.as_ref().and_then(|words| Some((words, number(words)?))) else {
            continue;
        };
        let Some(found) = number(position) else {
            return Some(format!("{position} holds no number to hold against at {name} {words}"));
        };
        if found.dimension != limit.dimension {
            return Some(format!("{position} cannot be compared with {words}"));
        }
        let over = if is_most { found.value > limit.value } else { found.value < limit.value };
        if over {
            return Some(format!("{position} for {} is not at {name} {words}", bound.slot));
        }
    }
    None
}
