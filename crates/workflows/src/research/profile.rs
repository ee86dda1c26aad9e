//! Research as a program sees it.

use std::path::Path;

use baton_agents::skill::Role;
use baton_engine::{Limits, Settings};

use super::{Brief, Memory, Research};
use crate::profile::{Export, Profile, Stakes};
use crate::retrieval::Beyond;

/// Per cent of the budget that only the writing of the report may use.
const KEPT_FOR_REPORT: u8 = 15;

impl Profile for Research {
    const EXPORTS: &'static [Export] = &[
        Export { file: "report.md", endings: &["md", "markdown", "txt"] },
        Export { file: "report.html", endings: &["html", "htm"] },
    ];

    fn settings(configured: Settings) -> Settings {
        Settings { limits: Limits { kept_for_last: KEPT_FOR_REPORT, ..configured.limits }, ..configured }
    }

    fn roles(brief: &Brief) -> Vec<&Role> {
        brief.roles.all()
    }

    fn beyond(brief: &Brief) -> Option<&Beyond> {
        brief.beyond.as_ref()
    }

    fn order(memory: &Memory) -> Option<&Brief> {
        Some(&memory.brief)
    }

    fn output(brief: &Brief) -> Option<&Path> {
        brief.output.as_deref()
    }

    /// Its plan, and whether it goes on, are ordinary.
    fn stakes(question: &str) -> Stakes {
        let is_ordinary = question.starts_with("approve-") || question.starts_with("check-");
        if is_ordinary { Stakes::Ordinary } else { Stakes::Approval }
    }
}
