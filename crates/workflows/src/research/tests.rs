//! Lists of events and the states they lead to, and what every workflow has to show.

use baton_agents::skill::Answerer;
use baton_engine::dag::{TaskEnd, TaskEnding};
use baton_engine::torture::Rigour;
use baton_testkit::suite::{leads_to, refuses};
use baton_testkit::workflow_suite;

use super::Event::{self, *};
use super::State::{self, *};
use super::*;
use crate::retrieval::{FoundFact, SourceCard};

workflow_suite!(Research, Rigour { seed: 3, chains: 30, pairs: false });

fn brief() -> Brief {
    Brief::new("What is it?", vec![])
}

fn plan() -> Plan {
    let dimension = |name: &str| Dimension {
        name: name.to_owned(),
        question: format!("What of {name}?"),
        focus: vec![name.to_owned()],
    };
    Plan::of("What is it?", vec![dimension("cost"), dimension("use")], "rules")
}

fn drafted() -> Event {
    PlanDrafted { plan: plan(), why: "first draft".to_owned() }
}

fn approved() -> Event {
    let plan = plan();
    Approved { approval: Approval { by: "me".to_owned(), revision: 1, hash: plan.hash(), modifications: 0 } }
}

fn found(key: &str) -> (SourceCard, FoundFact) {
    use baton_agents::evidence::{Authority, Source, admit};
    use baton_agents::search::Location;
    let source = Source {
        id: "aa".to_owned(),
        location: Location::Path("a.md".into()),
        title: "A".to_owned(),
        date: None,
        authority: Authority::Official,
        raw_hash: "aa".to_owned(),
        text_hash: "aa".to_owned(),
    };
    let fact =
        admit(key, "It costs 4 euros.", "It costs 4 euros.", &source, "It costs 4 euros.", 1.0).unwrap();
    let card = SourceCard {
        source,
        shown: "a.md".to_owned(),
        author: None,
        kind: "Markdown".to_owned(),
        accessed: "2026-01-01".to_owned(),
        asset: "assets/text/a.md".to_owned(),
        provider: "local".to_owned(),
        references: Vec::new(),
        replaced: false,
    };
    let by = Answerer::Rules;
    (card, FoundFact { fact, part: 0, heading: String::new(), page: None, score: 1.0, by })
}

fn finished(id: &str, facts: bool) -> Event {
    let mut brought = TaskOutput::nothing(TaskEnd::new(id, TaskEnding::Completed));
    if facts {
        let (card, found) = found(&format!("{id}.1"));
        brought.sources.push(card);
        brought.findings.push(found);
    }
    TaskFinished { brought: Box::new(brought) }
}

fn reflection() -> Box<Reflection> {
    Box::new(reflect(&Memory::new(brief())))
}

fn limit() -> Event {
    LimitReached { what: "the limit of 50 iterations".to_owned() }
}

fn broken() -> Event {
    let kind = RunErrorKind::Broken;
    Event::Failed { trouble: RunError { kind, message: "it broke".to_owned(), recovery: "again".to_owned() } }
}

fn report() -> Event {
    let report = Report {
        answer: vec![],
        sections: vec![],
        dropped: vec![],
        by: Answerer::Rules,
        blocks: vec![],
        also: vec![],
        mended: 0,
        second: None,
    };
    ReportWritten { report: Box::new(report) }
}

#[track_caller]
fn check(steps: &[(Event, State)]) -> Memory {
    leads_to::<Research>(&brief(), steps)
}

#[test]
fn from_a_plan_to_a_report() {
    let memory = check(&[
        (drafted(), Planning),
        (drafted(), Planning),
        (approved(), Researching),
        (finished("P1", false), Researching),
        (finished("S1", true), Researching),
        (TasksDone, Reflecting),
        (GapsFound { reflection: reflection(), add: vec![] }, Researching),
        (TasksDone, Reflecting),
        (Complete { reflection: reflection() }, Synthesizing),
        (report(), Completed),
    ]);
    assert_eq!((memory.findings.len(), memory.sources.len(), memory.reflections.len()), (1, 1, 2));
}

#[test]
fn a_no_to_the_plan_aborts_and_a_no_later_writes_what_there_is() {
    let no = || Event::Refused { by: "me".to_owned() };
    check(&[(drafted(), Planning), (no(), Aborted)]);
    check(&[(drafted(), Planning), (approved(), Researching), (no(), Aborted)]);
    check(&[(approved(), Researching), (finished("S1", true), Researching), (no(), Synthesizing)]);
}

#[test]
fn the_limit_forces_synthesis_if_there_is_a_fact_and_an_error_if_there_is_none() {
    check(&[(approved(), Researching), (limit(), Error)]);
    let memory = check(&[
        (drafted(), Planning),
        (approved(), Researching),
        (finished("P1", true), Researching),
        (limit(), Synthesizing),
    ]);
    assert_eq!(memory.limits.len(), 1);
}

#[test]
fn nothing_found_is_an_end_of_its_own() {
    let nothing = NothingFound { tried: vec!["local".to_owned()], nearest: None };
    check(&[(approved(), Researching), (TasksDone, Reflecting), (nothing, NoEvidence)]);
}

#[test]
fn an_error_goes_back_to_where_it_was() {
    for state in [Planning, Researching, Reflecting, Synthesizing] {
        let mut steps = vec![];
        let way = [
            (approved(), Researching),
            (TasksDone, Reflecting),
            (Complete { reflection: reflection() }, Synthesizing),
        ];
        steps.extend(way.into_iter().take(
            [Planning, Researching, Reflecting, Synthesizing].iter().position(|it| *it == state).unwrap(),
        ));
        steps.extend([(broken(), Error), (ErrorTold, Error), (Resumed, state)]);
        check(&steps);
    }
}

#[test]
fn rounds_of_reflection_are_bounded() {
    let more = || GapsFound { reflection: reflection(), add: vec![] };
    let mut steps =
        vec![(drafted(), Planning), (approved(), Researching), (finished("P1", true), Researching)];
    for _ in 0..12 {
        steps.extend([(TasksDone, Reflecting), (more(), Researching)]);
    }
    steps.extend([(TasksDone, Reflecting), (more(), Synthesizing)]);
    check(&steps);
}

#[test]
fn an_event_that_does_not_belong_is_refused() {
    refuses::<Research>(&brief(), &[TasksDone, report(), finished("S1", false), Resumed]);
}

#[test]
fn an_approval_is_bound_to_what_was_seen() {
    let (seen, mut changed) = (plan(), plan());
    changed.dimensions[1].name = "misuse".to_owned();
    assert_ne!(nodes::plan::question_key(&seen), nodes::plan::question_key(&changed));
    changed.clone_from(&seen);
    changed.revision = 2;
    assert_ne!(nodes::plan::question_key(&seen), nodes::plan::question_key(&changed));
}
