//! A debate as a program sees it.

use std::path::Path;

use baton_agents::skill::Role;
use baton_engine::Effects;

use super::panel::{AskProgram, Programs};
use super::setup::{Kind, Setup};
use super::tools::{Folders, UseTool};
use super::{Debate, Memory};
use crate::process::Processes;
use crate::profile::{Export, Profile, Stakes};

impl Profile for Debate {
    const EXPORTS: &'static [Export] = &[
        Export { file: "decision.md", endings: &["md", "markdown", "txt"] },
        Export { file: "debate.json", endings: &["json"] },
    ];

    fn performers(effects: Effects, processes: &Processes) -> Effects {
        effects.with::<AskProgram>(Programs::new(processes.clone())).with::<UseTool>(Folders)
    }

    fn roles(setup: &Setup) -> Vec<&Role> {
        let agents = setup.agents.iter().filter_map(|agent| match &agent.kind {
            Kind::Model { role, .. } => Some(role),
            Kind::Person { .. } | Kind::File(_) | Kind::Command { .. } | Kind::Rules(_) => None,
        });
        agents.chain([&setup.judge.role]).collect()
    }

    fn order(memory: &Memory) -> Option<&Setup> {
        Some(&memory.setup)
    }

    fn output(setup: &Setup) -> Option<&Path> {
        setup.output.as_deref()
    }

    /// What is to be decided, and what agents want to know (agent, dash, number), are ordinary. Behind a colon a person
    /// on the panel is asked for their own opinion.
    fn stakes(question: &str) -> Stakes {
        let is_frame = question == "frame" || question.starts_with("frame.");
        let number = question.rsplit_once('-').map(|(_, number)| number.parse::<u32>());
        let is_ordinary = !question.contains(':') && (is_frame || matches!(number, Some(Ok(_))));
        if is_ordinary { Stakes::Ordinary } else { Stakes::Approval }
    }
}
