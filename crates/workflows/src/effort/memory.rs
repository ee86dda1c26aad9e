//! What an effort learns.

use baton_machine::Word;
use serde::{Deserialize, Serialize};

use super::{Event, State};
use crate::coding::order::{EffortOrder, EffortReport, Review, SplitPart};
use crate::coding::{Cost, Role, TurnEnd, Turned};
use crate::git::{Provisioned, Size, Snapped};

/// All that an effort has learnt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// What was ordered.
    pub order: EffortOrder,
    /// Where it works.
    pub place: Option<Provisioned>,
    /// The newest commit of its branch.
    pub tip: String,
    /// What was last found in its worktree.
    pub snapped: Option<Snapped>,
    /// Turns its agents took, and how each ended.
    pub turns: Vec<(Role, Turned)>,
    /// What was asked and answered, in order.
    pub answers: Vec<String>,
    /// A question that is open.
    pub question: Option<String>,
    /// How often it got stuck since it last got on.
    pub stuck: u32,
    /// Whether asking again may help.
    pub stuck_again: bool,
    /// How large it is.
    pub size: Size,
    /// How often it was reviewed.
    pub reviews: u32,
    /// The last review.
    pub review: Option<Review>,
    /// How often in a row it was refused for the same.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repeats: u32,
    /// Trees that were refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// Whether a person changed the task since it began.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub task_changed: bool,
    /// Reviews whose cost nobody knows.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_reviews: u32,
    /// The parts it was cut into.
    pub parts: Vec<SplitPart>,
    /// Who said how it is cut, and why not somebody else.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cut_by: String,
    /// Why it stands still.
    pub why: String,
    /// Where it ended, once it has.
    pub ended: Option<State>,
}

impl Memory {
    /// What is known before anything has happened.
    pub fn new(order: EffortOrder) -> Self {
        Self {
            tip: order.base.clone(),
            order,
            place: None,
            snapped: None,
            turns: Vec::new(),
            answers: Vec::new(),
            question: None,
            stuck: 0,
            stuck_again: false,
            size: Size::default(),
            reviews: 0,
            review: None,
            repeats: 0,
            refused: Vec::new(),
            task_changed: false,
            unknown_reviews: 0,
            parts: Vec::new(),
            cut_by: String::new(),
            why: String::new(),
            ended: None,
        }
    }

    /// Folds one event.
    pub fn learn(&mut self, event: &Event) {
        match event {
            Event::Begun | Event::WorkDone => {}
            Event::Provisioned { place } => {
                self.tip.clone_from(&place.tip);
                self.place = Some(place.clone());
            }
            Event::AlreadyContained { tip } => {
                self.tip.clone_from(tip);
                self.ended = Some(State::Merged);
            }
            Event::TurnEnded { role, end } => {
                self.turns.push((*role, end.clone()));
                // What was answered belongs to the turn that asked.
                if !matches!(end.end, TurnEnd::NeedsInput { .. }) {
                    self.answers.clear();
                }
            }
            Event::Committed { snapped } => {
                self.tip.clone_from(&snapped.tip);
                self.snapped = Some(snapped.clone());
            }
            Event::InputNeeded { question } => self.question = Some(question.clone()),
            Event::Answered { text, .. } => {
                self.question = None;
                self.answers.push(text.clone());
            }
            Event::Stuck { why, again } => {
                self.stuck += 1;
                self.stuck_again = *again;
                let before = self.review.iter().filter(|review| !review.approves());
                let before: Vec<String> = before.flat_map(Review::complaints).collect();
                // Who could not mend it leaves behind what was to be mended.
                let told = if before.is_empty() {
                    String::new()
                } else {
                    format!("; still open: {}", before.join("; "))
                };
                self.why = format!("{why}{told}");
                self.ended = Some(State::Failed);
            }
            Event::Measured { size } => {
                (self.size, self.stuck) = (size.clone(), 0);
                self.why.clear();
                self.ended = None;
            }
            Event::SplitPlanned { parts, by, note } => {
                self.parts.clone_from(parts);
                self.cut_by = match (by.as_str(), note.as_str()) {
                    ("", "") => "rules".to_owned(),
                    ("", note) => note.to_owned(),
                    (by, _) => format!("the plan of {by}, which holds"),
                };
                self.ended = Some(State::Superseded);
            }
            Event::CannotSplit { why } => self.why.clone_from(why),
            Event::Approved { review } => {
                self.reviews += 1;
                self.repeats = 0;
                self.note(review);
                self.review = Some(review.clone());
                self.why.clear();
                self.ended = Some(State::Queued);
            }
            Event::ChangesRequired { review } => {
                self.reviews += 1;
                let before = self.review.as_ref().filter(|before| !before.approves()).map(Review::signature);
                let is_same = before.is_some_and(|before| before == review.signature());
                self.repeats = if is_same { self.repeats + 1 } else { 0 };
                self.refused.push(review.tree.clone());
                self.note(review);
                self.why = review.complaints().join("\n");
                if is_same {
                    self.why = format!("it was refused for the same as before: {}", self.why);
                }
                self.review = Some(review.clone());
                self.ended = Some(State::Failed);
            }
            Event::TryAgain { .. } => {
                (self.stuck, self.reviews, self.repeats, self.ended) = (0, 0, 0, None);
            }
            Event::GaveUp { why } => {
                self.why.clone_from(why);
                self.ended = Some(State::Failed);
            }
        }
    }

    fn note(&mut self, review: &Review) {
        let unknown = review.opinions.iter().filter(|opinion| opinion.cost.is_unknown()).count();
        self.unknown_reviews += u32::try_from(unknown).unwrap_or(u32::MAX);
    }

    /// Turns and reviews that were charged at their reservation because nobody knows what they cost.
    pub fn unknown_costs(&self) -> u64 {
        let turns = self.turns.iter().filter(|(_, turned)| Cost::is_unknown(&turned.cost)).count();
        turns as u64 + u64::from(self.unknown_reviews)
    }

    /// How many turns in a row were stopped just now.
    #[must_use]
    pub fn stopped_turns(&self) -> usize {
        self.turns.iter().rev().take_while(|(_, turned)| turned.end == TurnEnd::Cancelled).count()
    }

    /// Whether anybody can mend what a review found: a recipe only if it says how.
    pub fn can_be_fixed(&self) -> bool {
        self.order.agent.kind != "recipe" || !self.order.fix.is_empty()
    }

    /// What the build is told.
    pub fn report(&self) -> EffortReport {
        EffortReport {
            state: self.ended.map_or("", Word::name).to_owned(),
            tip: self.tip.clone(),
            base: self.order.base.clone(),
            lines: self.size.lines,
            reviews: self.reviews,
            review: self.review.clone(),
            parts: self.parts.clone(),
            why: self.why.clone(),
            micro_usd: 0,
            unknown_costs: self.unknown_costs(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
