//! From a skill and its input to the messages of a call: the frame all skills share, the skill's own
//! prompt, the schema, the fenced material. A variable the prompt names and nobody gives is an error. A repair asks
//! the whole again: what the model said before may repeat what it was told to, so it is fenced like any foreign text.

use std::borrow::Cow;
use std::sync::OnceLock;

use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use serde_json::Value;

use super::context::{Cut, fit};
use super::{Fence, Problem, Skill, Vars};
use crate::hash::sha256_hex;
use crate::model::{Message, ModelCard, Speaker};

/// What every skill's system message says.
const FRAME: &str = include_str!("../../prompts/frame.md");
/// What a repair turn adds.
const REPAIR: &str = include_str!("../../prompts/repair.md");
/// How many bytes of text make a token when guessing how much fits: few, so that the guess is safe.
const BYTES_PER_TOKEN: u64 = 3;
/// How much of a bad reply is shown back to its model.
const MOST_SHOWN_BACK: usize = 4000;

/// A prompt that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// A template does not render: most often a variable that is missing.
    #[error(
        "the prompt of {skill} cannot be rendered: {why}. Give the variable, or correct the prompt file."
    )]
    Template {
        /// Whose prompt.
        skill: String,
        /// What the template engine says, with the line.
        why: String,
    },
    /// Nothing of the material fits.
    #[error("the question alone fills what {model} can read ({context_tokens} tokens).")]
    NoRoom {
        /// Which model.
        model: String,
        /// What it can read and write.
        context_tokens: u64,
    },
}

/// A prompt ready to send.
pub(super) struct Rendered {
    pub messages: Vec<Message>,
    pub cut: Vec<Cut>,
}

/// Hash of everything written by hand that goes into a call of this skill.
pub(super) fn prompt_hash<S: Skill>() -> String {
    sha256_hex([FRAME, REPAIR, &whole::<S>()].join("\0").as_bytes())
}

/// A skill's prompt with the parts it shares in their places.
fn whole<S: Skill>() -> Cow<'static, str> {
    S::PARTS.iter().fold(Cow::Borrowed(S::PROMPT), |prompt, (name, part)| {
        prompt.replace(&format!("{{% include \"{name}\" %}}"), part.trim_end()).into()
    })
}

fn render(skill: &str, template: &str, vars: Value) -> Result<String, PromptError> {
    static STRICT: OnceLock<Environment<'static>> = OnceLock::new();
    let environment = STRICT.get_or_init(|| {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment
    });
    environment.render_named_str("prompt.md", template, minijinja::Value::from(Serde(vars))).map_err(
        |error| {
            let line = error.line().map_or(String::new(), |l| format!(" in line {l}"));
            let why = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
            let expression = error.range().and_then(|r| template.get(r)).unwrap_or("").trim().to_owned();
            PromptError::Template {
                skill: skill.to_owned(),
                why: format!("{why}{line} {expression}").trim().to_owned(),
            }
        },
    )
}

/// An answer that cannot be used: what the model said, and what is wrong with it.
#[derive(Clone, Copy)]
pub(super) struct Rejected<'a> {
    pub said: &'a str,
    pub problems: &'a [Problem],
}

impl Rejected<'_> {
    /// Both may quote what the model has read, so both are foreign.
    fn vars(self) -> Vars {
        let shown: String = self.said.chars().take(MOST_SHOWN_BACK).collect();
        let shown = if shown.trim().is_empty() { "(nothing)".to_owned() } else { shown };
        let problems: Vec<String> = self.problems.iter().map(|problem| format!("- {problem}")).collect();
        Vars::new().with("last_answer", shown).with("problems", problems.join("\n"))
    }
}

/// What is said to one model: everything that fits into it, and what was wrong with its last answer.
pub(super) fn turn<S: Skill>(
    input: &S::Input,
    schema: &str,
    card: &ModelCard,
    max_tokens: u32,
    (seed, key): (&[u8; 32], &str),
    rejected: Option<Rejected<'_>>,
) -> Result<Rendered, PromptError> {
    let (prompt, vars, pieces) = (whole::<S>(), S::vars(input), S::material(input));
    let again = rejected.map(Rejected::vars);
    let said = again.iter().flat_map(Vars::foreign);
    let texts: Vec<&str> = pieces.iter().map(|p| p.text.as_str()).chain(vars.foreign()).chain(said).collect();
    // A model that was made to repeat the fence is shown another one with what it said.
    let fence = Fence::new(seed, key, &texts);
    let system = render(S::NAME, FRAME, serde_json::json!({"fence": fence.word(), "schema": schema}))?;
    let repair = again.map(|vars| render(S::NAME, REPAIR, vars.shown(&fence).into())).transpose()?;
    let user = |material: String| -> Result<String, PromptError> {
        let mut vars = vars.shown(&fence);
        vars.insert("material".to_owned(), material.into());
        let asked = render(S::NAME, &prompt, vars.into())?;
        Ok(repair.iter().fold(asked, |asked, repair| format!("{asked}\n\n{repair}")))
    };
    // The answer, and at first also the room in which it may have to be shown back.
    let answers = if rejected.is_some() { 1 } else { 2 };
    let tokens = card.context_tokens.saturating_sub(answers * u64::from(max_tokens) + 256);
    let room = usize::try_from(tokens * BYTES_PER_TOKEN).unwrap_or(usize::MAX);
    let bare = user(String::new())?;
    let fitted = room.checked_sub(system.len() + bare.len()).and_then(|room| fit(pieces, room));
    let Some((pieces, cut)) = fitted else {
        return Err(PromptError::NoRoom { model: card.name.clone(), context_tokens: card.context_tokens });
    };
    let blocks: Vec<String> = pieces.iter().map(|p| fence.around(p.name(), &p.text)).collect();
    let messages = vec![
        Message { speaker: Speaker::System, text: system },
        Message { speaker: Speaker::User, text: user(blocks.join("\n\n"))? },
    ];
    Ok(Rendered { messages, cut })
}
