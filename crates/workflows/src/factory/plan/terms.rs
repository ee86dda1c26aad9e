//! What a plan says of reviewers and money.

use serde::{Deserialize, Serialize};
use toml::de::DeTable;

use super::table::{Notes, Placed};

/// Who reviews beside the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewTerms {
    /// The agent that reviews every effort, by its name in the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Whether the models of the role `reviewer` do.
    #[serde(default)]
    pub model: bool,
    /// Whether the models of the role `architect` judge phases.
    #[serde(default)]
    pub architect: bool,
    /// The agent that judges phases, by its name in the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub architect_agent: Option<String>,
    /// Whether nothing is approved without a sound review.
    #[serde(default)]
    pub required: bool,
}

impl ReviewTerms {
    /// Whether rules review alone.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// What may be spent, in millionths of a dollar. What is not named is bounded by what stands above it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// By the whole build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<u64>,
    /// By a phase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<u64>,
    /// By an effort, over all its tries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<u64>,
    /// By one try of an effort.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u64>,
    /// Reserved for one turn or review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u64>,
    /// Whether a limit ends the build instead of asking.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub abandon: bool,
}

impl Budget {
    /// Whether nothing is named.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// Reads `[review]`; the agents it names come with their places.
pub fn review<'a>(notes: &mut Notes<'a>, root: &DeTable<'a>) -> (ReviewTerms, Vec<Placed>) {
    let Some(node) = root.get("review") else { return (ReviewTerms::default(), Vec::new()) };
    let Some(table) = notes.table(node, "`review`") else { return (ReviewTerms::default(), Vec::new()) };
    notes.keys(table, &["agent", "model", "architect", "architect_agent", "required"], "`review`");
    let (agent, architect) = (notes.text(table, "agent"), notes.text(table, "architect_agent"));
    let terms = ReviewTerms {
        agent: agent.clone().map(|(name, _)| name),
        model: notes.flag(table, "model"),
        architect: notes.flag(table, "architect"),
        architect_agent: architect.clone().map(|(name, _)| name),
        required: notes.flag(table, "required"),
    };
    if terms.required && terms.agent.is_none() && !terms.model {
        notes.wrong(node.span().start, "a review is `required`, and neither `agent` nor `model` gives one");
    }
    if let (true, Some((_, at))) = (terms.architect, &architect) {
        notes.wrong(*at, "the architect is a model (`architect`) or an agent (`architect_agent`), not both");
    }
    (terms, agent.into_iter().chain(architect).collect())
}

/// Reads `[budget]`.
pub fn budget<'a>(notes: &mut Notes<'a>, root: &DeTable<'a>) -> Budget {
    let Some(node) = root.get("budget") else { return Budget::default() };
    let Some(table) = notes.table(node, "`budget`") else { return Budget::default() };
    notes.keys(table, &["project", "phase", "effort", "attempt", "turn", "at_limit"], "`budget`");
    let budget = Budget {
        project: notes.dollars(table, "project"),
        phase: notes.dollars(table, "phase"),
        effort: notes.dollars(table, "effort"),
        attempt: notes.dollars(table, "attempt"),
        turn: notes.dollars(table, "turn"),
        abandon: notes.word(table, "at_limit", &[("ask", false), ("abandon", true)]).unwrap_or(false),
    };
    let inside = [
        ("turn", budget.turn, "attempt", budget.attempt),
        ("attempt", budget.attempt, "effort", budget.effort),
        ("effort", budget.effort, "phase", budget.phase),
        ("phase", budget.phase, "project", budget.project),
    ];
    for (small, less, large, more) in inside {
        if let (Some(less), Some(more)) = (less, more)
            && less > more
        {
            notes.wrong(node.span().start, format!("`{small}` is more than `{large}`, which holds it"));
        }
    }
    budget
}
