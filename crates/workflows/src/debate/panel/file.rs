//! Agents that are files: positions and objections written beforehand, frozen when the debate began. They are read,
//! they do not answer: what is held against them stays open.

use async_trait::async_trait;

use super::{CritiqueDraft, Desk, PanelError, Panelist, ProposalDraft, letter, raised_before};
use crate::debate::contribution::Contribution;
use crate::debate::objections::Entry;
use crate::debate::positions;
use crate::debate::setup::{Kind, Written};
use crate::debate::skills::critique::Raised;
use crate::debate::winning::covered_by_words;

pub(super) struct ByFile;

fn written<'a>(desk: &'a Desk<'_>) -> Result<&'a Written, PanelError> {
    match &desk.agent.kind {
        Kind::File(written) => Ok(written),
        _ => Err(PanelError::Unusable(format!("{} is no file", desk.agent.id))),
    }
}

#[async_trait]
impl Panelist for ByFile {
    async fn propose(&self, desk: &Desk<'_>) -> Result<ProposalDraft, PanelError> {
        let written = written(desk)?;
        let frame = desk.memory.frame.clone().unwrap_or_default();
        let given = written.positions.iter().filter_map(|(slot, option)| {
            let slot = frame.slot(slot)?;
            Some((slot.slot.clone(), slot.normal(option)?))
        });
        // What is stated counts; the rest is read from the words.
        let mut taken = positions::read(&frame, &written.text);
        taken.extend(given);
        let covers = covered_by_words(&desk.memory.setup.requirements, &written.text);
        let by = "file".to_owned();
        Ok(ProposalDraft {
            text: written.text.clone(),
            positions: taken,
            covers,
            responses: Vec::new(),
            quotes: Vec::new(),
            by,
            tokens: 0,
        })
    }

    async fn critique(
        &self,
        desk: &Desk<'_>,
        targets: &[&Contribution],
    ) -> Result<CritiqueDraft, PanelError> {
        let mut held = CritiqueDraft { by: "file".to_owned(), ..CritiqueDraft::default() };
        // Raised once: a file has nothing new to say in a later round.
        let first = if desk.memory.round == 1 { written(desk)?.objections.as_slice() } else { &[] };
        for target in targets {
            let meant = first
                .iter()
                .filter(|objection| target.positions.get(&objection.slot) == Some(&objection.option));
            held.objections.extend(meant.map(|objection| Raised {
                target: letter(desk.memory, &target.agent),
                slot: objection.slot.clone(),
                severity: objection.severity,
                claim: objection.claim.clone(),
                quote: None,
            }));
        }
        // What was held against an option is over for whoever has left it.
        let left = |entry: &Entry| {
            let now = targets.iter().find(|target| target.agent == entry.target);
            let slot = entry.about.as_ref();
            slot.and_then(|slot| now?.positions.get(slot)) != entry.against.as_ref()
        };
        let before = raised_before(desk.memory, &desk.agent.id, targets);
        held.settled = before.into_iter().filter(left).map(|entry| entry.objection.id).collect();
        held.text = held.objections.iter().map(|raised| raised.claim.as_str()).collect::<Vec<_>>().join("\n");
        Ok(held)
    }

    async fn refine(
        &self,
        _desk: &Desk<'_>,
        own: &Contribution,
        _open: &[Entry],
    ) -> Result<ProposalDraft, PanelError> {
        Ok(ProposalDraft {
            text: own.text.clone(),
            positions: own.positions.clone(),
            covers: own.covers.clone(),
            responses: Vec::new(),
            quotes: Vec::new(),
            by: own.by.clone(),
            tokens: 0,
        })
    }
}
