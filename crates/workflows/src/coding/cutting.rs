//! How an agent would cut a change into parts. What it says is a proposal: whether it holds, the gates and the limits say.

use baton_agents::parse::{Wanted, parse};
use serde::{Deserialize, Serialize};

use super::{Cost, TurnRequest};

/// Has an agent say how a change is cut. It is shown the tree with the change and may change nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanCut {
    /// What is asked. Its worktree is made for this.
    pub request: TurnRequest,
    /// The tree with the whole change.
    pub tree: String,
    /// The most it may cost, reserved before it begins.
    #[serde(default)]
    pub micro_usd: u64,
}

/// What it said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutPlan {
    /// Who.
    pub by: String,
    /// The files of each part, in the order in which the parts come.
    pub parts: Vec<Vec<String>>,
    /// Why there is no plan, if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// What it cost.
    #[serde(default, skip_serializing_if = "Cost::is_free")]
    pub cost: Cost,
}

/// The answer's shape.
#[derive(Deserialize)]
struct Answer {
    parts: Vec<Part>,
}

#[derive(Deserialize)]
struct Part {
    files: Vec<String>,
}

impl CutPlan {
    /// Reads `{"parts": [{"files": [...]}, ...]}` from an agent's last words.
    pub fn read(words: &str) -> Result<Vec<Vec<String>>, String> {
        let value = match parse(words, Wanted::Object) {
            Ok(parsed) => parsed.value,
            Err(refused) => return Err(format!("its answer cannot be read: {refused}")),
        };
        let answer: Answer = serde_json::from_value(value)
            .map_err(|_| "its answer has no list `parts` of lists `files`".to_owned())?;
        let plain = |path: String| path.trim().trim_start_matches("./").to_owned();
        Ok(answer.parts.into_iter().map(|part| part.files.into_iter().map(plain).collect()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_from_whatever_stands_around_it() {
        let words = "Here:\n```json\n{\"parts\": [{\"name\": \"first\", \"files\": [\"./a\", \"b\"]}, {\"files\": [\"c\"]}]}\n```";
        assert_eq!(CutPlan::read(words).unwrap(), [vec!["a", "b"], vec!["c"]]);
        for nonsense in ["I would cut it.", "{\"parts\": 3}", "{\"parts\": [[\"a\"]]}", "{\"files\": []}"] {
            assert!(CutPlan::read(nonsense).is_err(), "{nonsense}");
        }
    }
}
