//! Skill: what is wrong with a change that rules and gates let through. Its twin finds nothing: the rules have spoken before
//! it is asked.

use baton_agents::skill::{Piece, Problem, Skill, Vars};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct ReviewChange;

/// A change that is to be merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// What was to be done.
    pub task: String,
    /// Each changed file with its difference.
    pub files: Vec<ChangedFile>,
}

/// A changed file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedFile {
    /// Its path.
    pub path: String,
    /// What changed in it.
    pub patch: String,
}

/// What is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Found {
    /// Each thing; none is a good answer.
    pub findings: Vec<FoundThing>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundThing {
    /// What kind of thing, in one to three words.
    pub rule: String,
    /// How bad it is.
    pub severity: Weight,
    /// The changed file, or empty.
    pub path: String,
    /// What is wrong and what would be right.
    pub what: String,
}

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// Worth knowing.
    Minor,
    /// Should be mended.
    Major,
    /// Must be mended before it is merged.
    Blocker,
}

impl Skill for ReviewChange {
    const NAME: &'static str = "review_change";
    const PROMPT: &'static str = include_str!("../prompts/review_change.md");
    const MAX_TOKENS: u32 = 2000;
    type Input = Change;
    type Output = Found;

    fn vars(input: &Change) -> Vars {
        // A plan may have been drafted from somebody's roadmap.
        Vars::new().with("task", input.task.clone())
    }

    fn material(input: &Change) -> Vec<Piece> {
        // What a file is called is somebody's word like what stands in it.
        let piece = |(at, file): (usize, &ChangedFile)| {
            Piece::tagged("change", &(at + 1), format!("File: {}\n\n{}", file.path, file.patch), 1)
        };
        input.files.iter().enumerate().map(piece).collect()
    }

    fn check(input: &Change, output: &Found) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (index, found) in output.findings.iter().enumerate() {
            if !found.path.is_empty() && !input.files.iter().any(|file| file.path == found.path) {
                let what = format!("{:?} is none of the changed files", found.path);
                problems.push(Problem::new(format!("/findings/{index}/path"), what));
            }
            if found.what.trim().is_empty() {
                problems.push(Problem::new(format!("/findings/{index}/what"), "say what is wrong"));
            }
        }
        problems
    }

    fn rules(_input: &Change) -> Option<Found> {
        Some(Found { findings: Vec::new() })
    }
}
