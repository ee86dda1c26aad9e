//! Skill: names for themes, and the order they are written about.

use baton_agents::skill::{Answerer, Piece, Problem, Skill, Vars, Words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ShownFact, put, who};
use crate::article::bibliography::References;
use crate::article::workers::{Job, Theme, Trouble};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct NameThemes;

/// Facts that speak of one thing.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ShownTheme {
    /// Its number, from 0.
    pub number: usize,
    /// What rules call it.
    pub name: String,
    /// Its facts.
    pub facts: Vec<ShownFact>,
}

/// What is to be named.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToName {
    /// The topic.
    pub topic: Words,
    /// The themes.
    pub themes: Vec<ShownTheme>,
}

/// A theme with its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamedTheme {
    /// Its number.
    pub number: usize,
    /// A heading of at most eight words.
    pub heading: String,
}

/// The themes in the order they are written about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamedThemes {
    /// They.
    pub themes: Vec<NamedTheme>,
}

impl Skill for NameThemes {
    const NAME: &'static str = "name_themes";
    const PROMPT: &'static str = include_str!("../prompts/name_themes.md");
    type Input = ToName;
    type Output = NamedThemes;

    fn vars(input: &ToName) -> Vars {
        Vars::new().with("topic", &input.topic)
    }

    fn material(input: &ToName) -> Vec<Piece> {
        let piece = |theme: &ShownTheme| {
            let facts: Vec<String> = theme.facts.iter().map(ShownFact::line).collect();
            Piece::tagged("theme", &theme.number, format!("{}\n{}", theme.name, facts.join("\n")), 0)
        };
        input.themes.iter().map(piece).collect()
    }

    fn check(input: &ToName, output: &NamedThemes) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (at, theme) in output.themes.iter().enumerate() {
            let place = format!("/themes/{at}");
            if theme.number >= input.themes.len()
                || output.themes[..at].iter().any(|it| it.number == theme.number)
            {
                problems.push(Problem::new(&place, "every theme once, by its number"));
            }
            let words = theme.heading.split_whitespace().count();
            if words == 0 || words > 10 || theme.heading.contains('\n') {
                problems.push(Problem::new(&place, "a heading has 1 to 10 words on one line"));
            }
        }
        problems
    }

    fn rules(input: &ToName) -> Option<NamedThemes> {
        let named = |theme: &ShownTheme| NamedTheme { number: theme.number, heading: theme.name.clone() };
        Some(NamedThemes { themes: input.themes.iter().map(named).collect() })
    }
}

/// Lets a model name and order themes; those it leaves out keep their names and come last.
pub async fn ask(job: &Job<'_>, found: Vec<Theme>) -> Result<(Vec<Theme>, Answerer), Trouble> {
    let input = job.read(|memory| {
        let facts = memory.numbered();
        let references = References::all(&facts, memory.assignment.brief.citation_style);
        let shown = |key: &String| facts.fact(key).map(|fact| ShownFact::of(fact, references.name(key)));
        let theme = |(number, theme): (usize, &Theme)| ShownTheme {
            number,
            name: theme.theme.clone(),
            facts: theme.facts.iter().take(6).filter_map(shown).collect(),
        };
        ToName {
            topic: memory.assignment.words(&memory.assignment.brief.topic),
            themes: found.iter().enumerate().map(theme).collect(),
        }
    });
    let Some(answered) =
        put::<NameThemes>(job, &job.assignment.roles.analyst, "themes", &input, false).await?
    else {
        return Ok((found, Answerer::Rules));
    };
    let by = who(&answered);
    let mut left: Vec<Option<Theme>> = found.into_iter().map(Some).collect();
    let mut named: Vec<Theme> = Vec::new();
    let wished = &job.assignment.brief.specific_sections;
    for it in &answered.output.themes {
        if let Some(theme) = left.get_mut(it.number).and_then(Option::take) {
            // A heading that was asked for is not renamed.
            let kept = wished.contains(&theme.theme);
            let name = if kept { theme.theme.clone() } else { it.heading.trim().to_owned() };
            named.push(Theme { theme: name, ..theme });
        }
    }
    named.extend(left.into_iter().flatten());
    Ok((named, by))
}
