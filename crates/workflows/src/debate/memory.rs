//! What a debate learns.

use std::collections::{BTreeMap, BTreeSet};

use baton_machine::Word;
use serde::{Deserialize, Serialize};

use super::assess::Assessment;
use super::contribution::{Contribution, Type, key};
use super::frame::Frame;
use super::setup::Setup;
use super::{Event, On, State};

/// A question an agent has asked, and its answer; empty while there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clarification {
    /// Unique in the debate.
    pub id: String,
    /// Who asks.
    pub agent: String,
    /// The question.
    pub question: String,
    /// The answer; `NA` means that there is none to give.
    #[serde(default)]
    pub answer: String,
}

/// Something the debate had to go on without.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The round; 0 before the first.
    pub round: u32,
    /// What, such as `critique of kiss by architect`.
    pub what: String,
    /// Why.
    pub why: String,
}

/// Somebody who brought nothing usable and is asked no more, but for a probe now and then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bench {
    /// The round it was benched in, the last time.
    pub since: u32,
    /// Why.
    pub why: String,
    /// The round in which a probe brought something again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned: Option<u32>,
}

/// Rounds between two probes of somebody who is benched.
pub const PROBE_EVERY: u32 = 3;

/// Why the debate ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conclusion {
    /// The event that ended it.
    pub by: String,
    /// In words.
    pub why: String,
}

/// What was decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Solution {
    /// The solution as Markdown.
    pub text: String,
    /// What it costs.
    pub tradeoffs: Vec<String>,
    /// What to do.
    pub recommendations: Vec<String>,
    /// Requirements it does not meet, by id.
    pub unmet: Vec<String>,
    /// What nobody could answer.
    pub open_questions: Vec<String>,
    /// How sure, from 0 to 100; none if nobody could say.
    pub confidence: Option<u8>,
    /// Where that number comes from.
    pub confidence_source: String,
    /// Who wrote it.
    pub by: String,
}

/// What is known so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Memory {
    /// What it was started with.
    pub setup: Setup,
    /// The round; 0 before the first.
    pub round: u32,
    /// What is to be decided.
    pub frame: Option<Frame>,
    /// Who made the frame.
    pub frame_by: Option<String>,
    /// Questions and answers.
    pub clarifications: Vec<Clarification>,
    /// How often agents have been asked for questions.
    pub clarification_iterations: u32,
    /// All contributions by key.
    pub contributions: BTreeMap<String, Contribution>,
    /// Shortened histories, by agent; the newest counts.
    pub summaries: BTreeMap<String, String>,
    /// What the debate had to go on without, by key.
    pub left_out: BTreeMap<String, LeftOut>,
    /// What each round was worth.
    pub assessments: BTreeMap<u32, Assessment>,
    /// Why the debate ended.
    pub ending: Option<Conclusion>,
    /// What was decided.
    pub solution: Option<Solution>,
    /// Retries by node and round.
    pub retries: BTreeMap<String, u32>,
    /// Nodes that take their second way, by node and round.
    pub fallbacks: BTreeMap<String, u32>,
    /// How often a piece of a node's work had to be asked for again, by node, round and piece.
    pub attempts: BTreeMap<String, u32>,
    /// Pieces of work that are not asked for any more, and why.
    pub given_up: BTreeMap<String, String>,
    /// Retries of the node that was retried last.
    pub retries_here: u32,
    /// Fallbacks of the node that fell back last.
    pub fallbacks_here: u32,
    /// Why nodes were retried or fell back, in order.
    pub troubles: BTreeSet<String>,
    /// Who was benched, by id; the judge and summaries have names of their own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub benched: BTreeMap<String, Bench>,
    /// The round of each agent's newest summary.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub summarized_in: BTreeMap<String, u32>,
}

impl Memory {
    /// What is known before anything has happened.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let before = |(at, (question, answer)): (usize, &(String, String))| Clarification {
            id: format!("given-{}", at + 1),
            agent: "given".to_owned(),
            question: question.clone(),
            answer: answer.clone(),
        };
        Self {
            frame: setup.frame.clone(),
            frame_by: setup.frame.as_ref().map(|_| "given".to_owned()),
            clarifications: setup.clarifications.iter().enumerate().map(before).collect(),
            setup,
            round: 0,
            clarification_iterations: 0,
            contributions: BTreeMap::new(),
            summaries: BTreeMap::new(),
            left_out: BTreeMap::new(),
            assessments: BTreeMap::new(),
            ending: None,
            solution: None,
            retries: BTreeMap::new(),
            fallbacks: BTreeMap::new(),
            attempts: BTreeMap::new(),
            given_up: BTreeMap::new(),
            retries_here: 0,
            fallbacks_here: 0,
            troubles: BTreeSet::new(),
            benched: BTreeMap::new(),
            summarized_in: BTreeMap::new(),
        }
    }

    /// Folds one event.
    pub fn learn(&mut self, event: &Event) {
        match event {
            Event::QuestionsPending { questions, iteration } => {
                self.clarification_iterations = *iteration;
                self.clarifications.extend(questions.iter().cloned());
            }
            Event::AnswersSubmitted { answers } => {
                for asked in &mut self.clarifications {
                    if let Some(answer) = answers.get(&asked.id) {
                        asked.answer.clone_from(answer);
                    }
                }
            }
            Event::FrameSet { frame, by } => {
                self.frame = Some(frame.clone());
                self.frame_by = Some(by.clone());
            }
            Event::BeginRound => self.round += 1,
            Event::Summarized { agent, summary } => {
                self.summaries.insert(agent.clone(), summary.clone());
                self.summarized_in.insert(agent.clone(), self.round);
            }
            Event::Contributed { contribution } => {
                // The first counts: a retried node cannot say the same thing twice.
                self.contributions.entry(contribution.key()).or_insert_with(|| contribution.clone());
            }
            Event::LeftOut { what } => {
                self.left_out.insert(format!("{:03}/{}", what.round, what.what), what.clone());
            }
            Event::Benched { who, why } => {
                let bench = Bench { since: self.round, why: why.clone(), returned: None };
                self.benched.insert(who.clone(), bench);
            }
            Event::Returned { who } => {
                let round = self.round;
                self.benched.entry(who.clone()).and_modify(|bench| bench.returned = Some(round));
            }
            Event::Evaluated { assessment } => {
                self.assessments.insert(assessment.round, assessment.clone());
            }
            Event::ConsensusReached { why } => self.end("CONSENSUS_REACHED", why),
            Event::ImpasseReached { why } => self.end("IMPASSE_REACHED", why),
            Event::BudgetReached { why } => self.end("BUDGET_REACHED", why),
            Event::MaxRoundsReached => {
                let why = format!("all {} rounds were held", self.setup.terms.rounds);
                self.end("MAX_ROUNDS_REACHED", &why);
            }
            Event::Failed { why } => self.end("FAILED", why),
            Event::Complete { solution } => self.solution = Some(solution.clone()),
            Event::Retry { node, pieces, why } => {
                for piece in pieces {
                    *self.attempts.entry(self.piece(*node, piece)).or_default() += 1;
                }
                let times = self.retries.entry(self.place(*node)).or_default();
                *times += 1;
                self.retries_here = *times;
                self.trouble(*node, "was tried again", why, self.retries_here > super::nodes::RETRIES);
            }
            Event::Fallback { node, pieces, why } => {
                for piece in pieces {
                    self.given_up.insert(self.piece(*node, piece), why.clone());
                }
                let times = self.fallbacks.entry(self.place(*node)).or_default();
                *times += 1;
                self.fallbacks_here = *times;
                self.trouble(*node, "took its second way", why, self.fallbacks_here > 1);
            }
            Event::Start
            | Event::WaitingForInput { .. }
            | Event::AllClear
            | Event::ContextsReady
            | Event::ProposalsComplete
            | Event::CritiquesComplete
            | Event::RefinementsComplete
            | Event::Continue => {}
        }
    }

    fn end(&mut self, by: &str, why: &str) {
        self.ending = Some(Conclusion { by: by.to_owned(), why: why.to_owned() });
    }

    fn trouble(&mut self, node: State, what: &str, why: &str, over: bool) {
        let place = self.place(node);
        self.troubles.insert(format!("{place}: {} {what}: {why}", node.name()));
        if over {
            self.end("FAILED", &format!("{} could not go on: {why}", node.name()));
        }
    }

    /// A node in a round, as a key.
    #[must_use]
    pub fn place(&self, node: State) -> String {
        format!("{:03}.{}/{}", self.round, self.clarification_iterations, node.name())
    }

    fn piece(&self, node: State, piece: &str) -> String {
        format!("{}/{piece}", self.place(node))
    }

    /// How often this piece of work has failed in this round.
    #[must_use]
    pub fn attempt(&self, node: State, piece: &str) -> u32 {
        self.attempts.get(&self.piece(node, piece)).copied().unwrap_or(0)
    }

    /// Why this piece of work is not asked for any more; none if it still is.
    #[must_use]
    pub fn gave_up(&self, node: State, piece: &str) -> Option<&String> {
        self.given_up.get(&self.piece(node, piece))
    }

    /// How often this node has been retried in this round.
    #[must_use]
    pub fn retried(&self, node: State) -> u32 {
        self.retries.get(&self.place(node)).copied().unwrap_or(0)
    }

    /// Why somebody is on the bench now; none if they are not.
    #[must_use]
    pub fn on_bench(&self, who: &str) -> Option<&Bench> {
        self.benched.get(who).filter(|bench| bench.returned.is_none())
    }

    /// Whether somebody on the bench is asked once in this round, to see whether they are back.
    #[must_use]
    pub fn is_probed(&self, who: &str) -> bool {
        self.on_bench(who).is_some_and(|bench| {
            let rounds = self.round.saturating_sub(bench.since);
            rounds > 0 && rounds.is_multiple_of(PROBE_EVERY)
        })
    }

    /// Whether somebody is asked for nothing in this round.
    #[must_use]
    pub fn sits_out(&self, who: &str) -> bool {
        self.on_bench(who).is_some() && !self.is_probed(who)
    }

    /// How often nodes have been tried again, all together: the table bounds it.
    #[must_use]
    pub fn all_retries(&self) -> u32 {
        self.retries.values().sum()
    }

    /// Whether this node takes its second way in this round.
    #[must_use]
    pub fn falls_back(&self, node: State) -> bool {
        self.fallbacks.contains_key(&self.place(node))
    }

    /// Whether the budget ended the debate.
    #[must_use]
    pub fn over_budget(&self) -> bool {
        self.ending.as_ref().is_some_and(|ending| ending.by == On::BudgetReached.name())
    }

    /// A contribution.
    #[must_use]
    pub fn contribution(
        &self,
        round: u32,
        kind: Type,
        agent: &str,
        target: Option<&str>,
    ) -> Option<&Contribution> {
        self.contributions.get(&key(round, kind, agent, target))
    }

    /// The contributions of a round and type, by agent and target.
    pub fn of(&self, round: u32, kind: Type) -> impl Iterator<Item = &Contribution> {
        self.contributions.values().filter(move |one| one.round == round && one.kind == kind)
    }

    /// An agent's name as it was configured.
    #[must_use]
    pub fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.setup.agent(id).map_or(id, |agent| agent.name.as_str())
    }

    /// What an agent stands for at the end of a round: its refinement, else its proposal.
    #[must_use]
    pub fn stands_for(&self, round: u32, agent: &str) -> Option<&Contribution> {
        let refined = self.contribution(round, Type::Refinement, agent, None);
        refined.or_else(|| self.contribution(round, Type::Proposal, agent, None))
    }

    /// The last round that has a proposal; 0 if none has.
    #[must_use]
    pub fn last_round(&self) -> u32 {
        let rounds =
            self.contributions.values().filter(|one| one.kind != Type::Critique).map(|one| one.round);
        rounds.max().unwrap_or(0)
    }

    /// Questions without an answer.
    pub fn unanswered(&self) -> impl Iterator<Item = &Clarification> {
        self.clarifications.iter().filter(|asked| asked.answer.trim().is_empty())
    }
}
