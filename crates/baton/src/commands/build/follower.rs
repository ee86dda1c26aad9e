//! How far a build is: phase, wave, efforts and their lines.

use baton_workflows::factory::{EffortStatus, Event, Factory, Memory};

use crate::telling::Telling;
use crate::text::count;

/// What there is to tell of a build.
#[derive(Default)]
pub struct Progress;

impl Telling<Factory> for Progress {
    fn line(&mut self, memory: &Memory, event: &Event) -> Option<String> {
        line(memory, event)
    }

    fn lines(&self, memory: &Memory) -> Vec<String> {
        let of = |status: EffortStatus| memory.efforts.values().filter(|it| it.status == status).count();
        let at_work: Vec<String> = memory
            .in_order()
            .filter(|effort| effort.status == EffortStatus::Implementing)
            .map(|effort| effort.plan.id.clone())
            .collect();
        let wave = (memory.wave + 1).min(memory.waves().max(1));
        let mut lines = vec![format!(
            "phase {} of {}, wave {wave} of {}, {} merged, {} queued",
            memory.phase + 1,
            memory.plan.phases.len(),
            memory.waves(),
            of(EffortStatus::Merged),
            of(EffortStatus::Queued)
        )];
        if !at_work.is_empty() {
            lines.push(format!("now {}", at_work.join(" ")));
        }
        lines
    }
}

/// An event in one line.
fn line(memory: &Memory, event: &Event) -> Option<String> {
    match event {
        Event::EffortEnded { effort, report } => {
            let why = report.why.lines().next().map_or_else(String::new, |why| format!(": {why}"));
            let lines = count(usize::try_from(report.lines).unwrap_or(usize::MAX), "line");
            Some(format!("{effort}  {} ({lines}){why}", report.state.to_lowercase()))
        }
        Event::EffortMerged { merged } => {
            let commit = merged.commit.get(..12).unwrap_or(&merged.commit);
            Some(format!("{}  merged as {commit}", merged.effort))
        }
        Event::IssuesFound { issues } => {
            let issues = issues.iter().map(|issue| {
                format!(
                    "{} ({}): {}",
                    issue.effort,
                    issue.kind,
                    issue.what.lines().next().unwrap_or_default()
                )
            });
            Some(format!("issues: {}", issues.collect::<Vec<_>>().join("; ")))
        }
        Event::SizeViolation { efforts } => Some(format!("too large: {}", efforts.join(", "))),
        Event::Noticed { what, .. } => Some(what.clone()).filter(|what| !what.is_empty()),
        Event::Abandon { why } => Some(format!("abandoned: {why}")),
        Event::OnTrack { assessment }
        | Event::NeedsAdjustment { assessment }
        | Event::MinorCorrection { assessment }
        | Event::OffTrack { assessment } => {
            let grounds = assessment.grounds.join("; ");
            Some(format!("phase {}: {} ({grounds})", assessment.phase, assessment.health.word()))
        }
        Event::RecoveryApproved { option, .. } => {
            Some(format!("recovery {}: {}", memory.recoveries, option.word()))
        }
        Event::ProjectVerified { delivered } => Some(format!("delivered: {}", delivered.at)),
        _ => None,
    }
}
