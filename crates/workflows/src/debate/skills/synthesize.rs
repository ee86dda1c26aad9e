//! Skill: the decision, written from all rounds. Its twin lists what was decided, by how many, and what is open.

use baton_agents::skill::{Piece, Problem, Skill, Vars};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Brief, PARTS, lines};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct Synthesize;

/// What to write from.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToSynthesize {
    /// The brief.
    pub brief: Brief,
    /// What the ledger says is decided, one slot on each line.
    pub decided: Vec<String>,
    /// The solutions that stand, by letter.
    pub standing: Vec<(String, String)>,
    /// Objections that stand against what leads, as `id (severity): claim -> answer`.
    pub open: Vec<String>,
    /// Objections that were answered and settled, in the same form.
    #[serde(default)]
    pub settled: Vec<String>,
    /// The words of the last round's critiques, each with the letter of its target.
    #[serde(default)]
    pub critiques: Vec<(String, String)>,
    /// Requirements that what leads does not meet, by id.
    pub unmet: Vec<String>,
    /// Earlier rounds, shortened if they are long.
    pub history: String,
    /// Why the debate ended.
    pub ended: String,
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Written {
    /// The solution as Markdown.
    pub solution: String,
    /// What it costs.
    pub tradeoffs: Vec<String>,
    /// What to do.
    pub recommendations: Vec<String>,
    /// Ids of requirements it does not meet.
    pub unmet_requirements: Vec<String>,
    /// What nobody could answer.
    pub open_questions: Vec<String>,
    /// How sure, from 0 to 100.
    #[schemars(range(min = 0, max = 100))]
    pub confidence: u8,
}

impl Skill for Synthesize {
    const NAME: &'static str = "debate_synthesize";
    const PROMPT: &'static str = include_str!("../prompts/synthesize.md");
    const PARTS: &'static [(&'static str, &'static str)] = PARTS;
    const MAX_TOKENS: u32 = 2048;
    type Input = ToSynthesize;
    type Output = Written;

    fn vars(input: &ToSynthesize) -> Vars {
        input.brief.vars()
    }

    fn material(input: &ToSynthesize) -> Vec<Piece> {
        let mut pieces = input.brief.pieces();
        pieces.push(Piece::new("what the votes decided", lines(&input.decided), 0));
        pieces.extend(input.standing.iter().map(|(letter, text)| Piece::tagged("solution", letter, text, 1)));
        if !input.open.is_empty() {
            pieces.push(Piece::new("objections that stand", lines(&input.open), 0));
        }
        if !input.settled.is_empty() {
            pieces.push(Piece::new("objections that were settled", lines(&input.settled), 1));
        }
        if !input.unmet.is_empty() {
            pieces.push(Piece::new("requirements that are not met so far", lines(&input.unmet), 0));
        }
        let critiques = input.critiques.iter();
        pieces.extend(critiques.map(|(letter, text)| Piece::tagged("critique of", letter, text, 3)));
        if !input.history.is_empty() {
            pieces.push(Piece::new("earlier rounds", &input.history, 5));
        }
        pieces
    }

    fn check(input: &ToSynthesize, output: &Written) -> Vec<Problem> {
        let mut problems = Vec::new();
        if output.solution.trim().is_empty() {
            problems.push(Problem::new("/solution", "the solution is empty"));
        }
        if output.confidence > 100 {
            problems.push(Problem::new("/confidence", "the number is over 100"));
        }
        for (at, id) in output.unmet_requirements.iter().enumerate() {
            if !input.brief.requirement_ids().any(|known| known == id) {
                let path = format!("/unmet_requirements/{at}");
                problems.push(Problem::new(path, format!("there is no requirement {id:?}")));
            }
        }
        problems
    }

    fn rules(input: &ToSynthesize) -> Option<Written> {
        let decided: Vec<String> = input.decided.iter().map(|line| format!("- {line}")).collect();
        let decided =
            if decided.is_empty() { "Nothing was put to a vote.".to_owned() } else { decided.join("\n") };
        let open =
            input.open.iter().map(|objection| format!("Accepts that this stands: {}", claim_of(objection)));
        Some(Written {
            solution: format!("Counted from the positions of the panel; nobody reworded it.\n\n{decided}"),
            tradeoffs: open.collect(),
            recommendations: Vec::new(),
            unmet_requirements: input.unmet.clone(),
            open_questions: Vec::new(),
            confidence: 100,
        })
    }
}

/// The claim of a line without its id and its answer.
fn claim_of(line: &str) -> &str {
    let claim = line.split_once("): ").map_or(line, |(_, claim)| claim);
    claim.split_once(" -> ").map_or(claim, |(claim, _)| claim)
}
