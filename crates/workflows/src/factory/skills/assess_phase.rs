//! Skill: how a phase stands, by an architect who may only judge worse than the rules. Its twin repeats the rules.

use baton_agents::skill::{Piece, Problem, Skill, Vars};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::coding::Health;

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct AssessPhase;

/// A phase and what rules say of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToAssess {
    /// The project.
    pub title: String,
    /// The phase.
    pub phase: String,
    /// What rules say.
    pub health: Health,
    /// Why they say it.
    pub grounds: Vec<String>,
    /// Its efforts, each as `name: task`.
    pub efforts: Vec<String>,
    /// Open findings of reviewers.
    pub findings: Vec<String>,
    /// What the phase changed, by file.
    pub changes: Vec<(String, String)>,
}

/// What the architect says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assessed {
    /// The verdict.
    pub health: Health,
    /// Why, in sentences.
    pub grounds: Vec<String>,
}

impl Skill for AssessPhase {
    const NAME: &'static str = "assess_phase";
    const PROMPT: &'static str = include_str!("../prompts/assess_phase.md");
    const MAX_TOKENS: u32 = 1000;
    type Input = ToAssess;
    type Output = Assessed;

    fn vars(input: &ToAssess) -> Vars {
        Vars::new().with("health", input.health.word())
    }

    fn material(input: &ToAssess) -> Vec<Piece> {
        let listed = |lines: &[String]| lines.iter().map(|line| format!("- {line}\n")).collect::<String>();
        // A plan may have been drafted from somebody's roadmap, and grounds repeat what commands said.
        let plan =
            format!("Project: {}\nPhase: {}\nEfforts:\n{}", input.title, input.phase, listed(&input.efforts));
        let about = [("plan of the phase", plan), ("what the rules say in detail", listed(&input.grounds))];
        let about = about.into_iter().filter(|(_, text)| !text.is_empty());
        let about = about.map(|(name, text)| Piece::new(name, text, 0));
        let findings = input.findings.iter().map(|finding| Piece::new("open finding", finding, 0));
        // What a file is called is somebody's word like what stands in it.
        let changes = input.changes.iter().enumerate().map(|(at, (path, patch))| {
            Piece::tagged("change", &(at + 1), format!("File: {path}\n\n{patch}"), 1)
        });
        about.chain(findings).chain(changes).collect()
    }

    fn check(input: &ToAssess, output: &Assessed) -> Vec<Problem> {
        let mut problems = Vec::new();
        if output.health > input.health && output.grounds.iter().all(|ground| ground.trim().is_empty()) {
            problems.push(Problem::new("/grounds", "who judges worse than the rules says why"));
        }
        problems
    }

    fn rules(input: &ToAssess) -> Option<Assessed> {
        Some(Assessed { health: input.health, grounds: Vec::new() })
    }
}
