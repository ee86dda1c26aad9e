//! Skill: a plan made of a roadmap. Whatever it drafts is held against the roadmap and read like any plan; its twin takes
//! headings and lists as they stand.

use std::collections::BTreeSet;
use std::path::Path;

use baton_agents::skill::{Piece, Problem, Skill, Vars};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::factory::plan::{Drafted, outline, read};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct DraftPlan;

/// What a plan is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Roadmap {
    /// A title, if the roadmap has none.
    pub title: String,
    /// The roadmap in Markdown.
    pub text: String,
    /// The files that the project has now.
    #[serde(default)]
    pub files: Vec<String>,
}

impl Roadmap {
    /// What is to be done, by the rules: the open items of its lists, in order.
    pub fn items(&self) -> Vec<String> {
        outline(&self.text, &self.title).efforts().map(|effort| effort.task.clone()).collect()
    }
}

impl Skill for DraftPlan {
    const NAME: &'static str = "draft_plan";
    const PROMPT: &'static str = include_str!("../prompts/draft_plan.md");
    const MAX_TOKENS: u32 = 8000;
    type Input = Roadmap;
    type Output = Drafted;

    fn vars(input: &Roadmap) -> Vars {
        Vars::new().with("count", input.items().len())
    }

    fn material(input: &Roadmap) -> Vec<Piece> {
        let items: String =
            input.items().iter().enumerate().map(|(at, item)| format!("{}. {item}\n", at + 1)).collect();
        let files = input.files.join("\n");
        let mut pieces = vec![Piece::new("items", &items, 0), Piece::new("roadmap", &input.text, 1)];
        if !files.is_empty() {
            pieces.push(Piece::new("files of the project", &files, 2));
        }
        pieces
    }

    fn check(input: &Roadmap, output: &Drafted) -> Vec<Problem> {
        let mut problems = items_are_kept(input, output);
        let good = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
        for (at, gate) in output.gates.iter().enumerate() {
            if gate.name.is_empty() || !gate.name.chars().all(good) {
                problems.push(Problem::new(format!("/gates/{at}/name"), "use letters, digits, - and _"));
            }
            if gate.run.trim().is_empty() {
                problems.push(Problem::new(format!("/gates/{at}/run"), "say what is run"));
            }
        }
        // Waves are made of what waits for what, so that a cycle and a name nobody has come out here.
        if let Err(mistakes) = read(&output.text(""), Path::new(""), &["person"]) {
            problems.extend(mistakes.into_iter().map(|mistake| Problem::new("", mistake.what)));
        }
        problems
    }

    fn rules(input: &Roadmap) -> Option<Drafted> {
        Some(outline(&input.text, &input.title)).filter(|plan| !plan.phases.is_empty())
    }
}

/// Every item of the roadmap is in the plan, and none that it does not have.
fn items_are_kept(input: &Roadmap, output: &Drafted) -> Vec<Problem> {
    let (items, mut problems) = (input.items(), Vec::new());
    let mut kept = BTreeSet::new();
    for effort in output.efforts() {
        for item in &effort.items {
            if (1..=items.len()).contains(item) {
                kept.insert(*item);
            } else {
                let what =
                    format!("the effort {:?} does item {item}, which the roadmap does not have", effort.id);
                problems.push(Problem::new("", what));
            }
        }
        if effort.items.is_empty() && !items.is_empty() {
            let what = format!("the effort {:?} does no item of the roadmap", effort.id);
            problems.push(Problem::new("", what));
        }
    }
    for number in (1..=items.len()).filter(|number| !kept.contains(number)) {
        problems.push(Problem::new("", format!("no effort does item {number}")));
    }
    problems
}
