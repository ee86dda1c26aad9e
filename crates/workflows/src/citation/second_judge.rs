//! The second judge: a model that a person has named may refuse what the gate let through. It can let nothing through, and if it
//! cannot be asked, what rules said stands and the reader is told.

use baton_agents::skill::{Answerer, Role};
use baton_engine::{Cx, Fault};
use baton_machine::Workflow;
use serde::{Deserialize, Serialize};

use super::facts::Facts;
use super::gate::{Dropped, Line};
use super::skills::confirm::{ConfirmSentence, Rests, ToConfirm};
use crate::asking::{Ask, Material, ask};
use crate::markup::{count, plain};

/// Sentences put to it at once.
const AT_ONCE: usize = 12;

/// What it said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opinion {
    /// Sentences it refused, by their place in what it was shown, each with its reason.
    pub refused: Vec<(usize, String)>,
    /// What a reader should know of it.
    pub note: Option<SecondOpinion>,
}

/// What a reader should know of the second judge; kept with a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecondOpinion {
    /// It looked at everything that was not a quote itself.
    Given {
        /// Who it was.
        by: Answerer,
        /// How many sentences it looked at.
        sentences: usize,
    },
    /// It could not be asked, or not to the end; what rules said stands.
    Unavailable {
        /// Why.
        why: String,
    },
}

impl SecondOpinion {
    /// A sentence for the limits of a report.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Given { by, sentences } => {
                let (who, sentences) = (plain(by.name()), count(*sentences, "sentence"));
                format!("A second judge ({who}) looked at {sentences}.")
            }
            Self::Unavailable { why } => {
                let why = plain(why);
                format!(
                    "The second judge was not available, so rules alone judged: {}.",
                    why.trim_end_matches('.')
                )
            }
        }
    }
}

impl Opinion {
    /// Why it refused the sentence at this place, if it did.
    #[must_use]
    pub fn refuses(&self, place: usize) -> Option<String> {
        let (_, reason) = self.refused.iter().find(|(at, _)| *at == place)?;
        Some(format!("the second judge refused it: {}", plain(reason)))
    }

    /// Takes out of these lines what was refused; they are those it was asked about, in the same order.
    #[must_use]
    pub fn sift(&self, lines: Vec<Line>) -> (Vec<Line>, Vec<Dropped>) {
        let (mut kept, mut dropped) = (Vec::new(), Vec::new());
        for (index, line) in lines.into_iter().enumerate() {
            match self.refuses(index) {
                Some(why) => dropped.push(Dropped { text: line.text, why }),
                None => kept.push(line),
            }
        }
        (kept, dropped)
    }
}

/// Asks the second judge about lines that the gate let through. Nobody is asked if no model is named.
pub async fn second_judge<W: Workflow>(
    cx: &Cx<W>,
    role: &Role,
    key: &str,
    lines: &[Rests],
    material: Material,
) -> Result<Opinion, Fault> {
    let mut opinion = Opinion::default();
    if role.chain.is_empty() {
        return Ok(opinion);
    }
    // Words of a source carry themselves.
    let open: Vec<(usize, &Rests)> =
        lines.iter().enumerate().filter(|(_, rests)| !rests.is_quote()).collect();
    let mut by = None;
    for (batch, shown) in open.chunks(AT_ONCE).enumerate() {
        let input = ToConfirm { sentences: shown.iter().map(|(_, rests)| (*rests).clone()).collect() };
        let name = format!("{key}/{batch}");
        match ask::<ConfirmSentence, _>(cx, role, Ask::last(&name, &input, material)).await {
            Ok(answer) if answer.by == Answerer::Rules => {
                let why = answer.note.unwrap_or_else(|| "no model gave a good answer".to_owned());
                opinion.note = Some(SecondOpinion::Unavailable { why });
                return Ok(opinion);
            }
            Ok(answer) => {
                by = Some(answer.by);
                let refused = answer.output.refused.into_iter();
                let place = |number: usize| Some(shown.get(number.checked_sub(1)?)?.0);
                opinion.refused.extend(refused.filter_map(|one| Some((place(one.number)?, one.reason))));
            }
            Err(Fault::Unavailable(why)) => {
                opinion.note = Some(SecondOpinion::Unavailable { why });
                return Ok(opinion);
            }
            Err(Fault::Budget { short, .. }) => {
                opinion.note = Some(SecondOpinion::Unavailable { why: short.to_string() });
                return Ok(opinion);
            }
            Err(fault) => return Err(fault),
        }
    }
    opinion.note = by.map(|by| SecondOpinion::Given { by, sentences: open.len() });
    Ok(opinion)
}

/// What the second judge is shown of lines.
pub fn to_confirm<'l>(lines: impl IntoIterator<Item = &'l Line>, facts: &Facts<'_>) -> Vec<Rests> {
    let rests = |line: &Line| Rests {
        sentence: line.text.clone(),
        quotes: line
            .facts
            .iter()
            .filter_map(|key| facts.fact(key))
            .map(|fact| fact.found.fact.quote.clone())
            .collect(),
    };
    lines.into_iter().map(rests).collect()
}

impl Rests {
    fn is_quote(&self) -> bool {
        self.quotes.iter().any(|quote| plain(quote) == plain(&self.sentence))
    }
}

#[cfg(test)]
mod tests;
