//! The table pair by pair, both chains, and what every workflow has to show.

mod answered;
mod depth;
mod driving;
mod judged;
mod shapes;
pub(super) mod support;
mod telling;
mod whole;

use std::collections::BTreeSet;

use baton_engine::torture::Rigour;
use baton_machine::{Word, Workflow, describe};
use baton_testkit::workflow_suite;

use super::Report;
use super::State::{self, *};

workflow_suite!(Report, Rigour { seed: 5, chains: 4, pairs: false });

/// The thirteen transitions of the seed.
const NAMED: [(State, State); 13] = [
    (InitialResearch, BriefBuilder),
    (BriefBuilder, Planning),
    (Planning, Execution),
    (Execution, QuestionsReview),
    (QuestionsReview, Execution),
    (QuestionsReview, ChartAnalysis),
    (QuestionsReview, Aggregation),
    (ChartAnalysis, StoryLining),
    (StoryLining, Aggregation),
    (Aggregation, Editing),
    (Aggregation, Reporting),
    (Editing, Reporting),
    (Reporting, Complete),
];

#[test]
fn the_table_has_the_thirteen_transitions_of_the_seed_and_one_end_more() {
    let table = describe(Report::TABLE);
    let known = |name: &str| State::ALL.iter().copied().find(|state| state.name() == name);
    let mut pairs = BTreeSet::new();
    for row in &table.rows {
        let Some(to) = known(&row.to) else { continue };
        pairs.extend(
            row.from.iter().filter_map(|from| known(from)).filter(|from| *from != to).map(|from| (from, to)),
        );
    }
    let mut expected: BTreeSet<(State, State)> = NAMED.into_iter().collect();
    expected.extend([(InitialResearch, NoEvidence), (QuestionsReview, NoEvidence)]);
    assert_eq!(pairs, expected);
    let names: Vec<&str> = State::ALL.iter().map(|state| state.name()).collect();
    assert_eq!(names.len(), 12);
    assert_eq!(
        names[..11].join(" "),
        "initial_research brief_builder planning execution questions_review chart_analysis story_lining aggregation editing reporting complete"
    );
}
