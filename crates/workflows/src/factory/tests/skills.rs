//! The skills of a build: their checks find what they are for, their twins do what rules can.

use baton_agents::skill::Skill;

use crate::coding::Health;
use crate::factory::plan::{Drafted, DraftedGate, read};
use crate::factory::skills::assess_phase::{AssessPhase, Assessed, ToAssess};
use crate::factory::{DraftPlan, Roadmap};

fn to_assess() -> ToAssess {
    ToAssess {
        title: "A ledger".to_owned(),
        phase: "Books".to_owned(),
        health: Health::NeedsAdjustment,
        grounds: vec!["1 of 2 deliverables are there".to_owned()],
        efforts: vec!["Accounts: hold money".to_owned()],
        findings: vec!["size (minor): large".to_owned()],
        changes: vec![("a.py".to_owned(), "+x".to_owned())],
    }
}

#[test]
fn its_twin_repeats_the_rules_and_a_worse_word_needs_a_ground() {
    let twin = AssessPhase::rules(&to_assess()).expect("an answer");
    assert_eq!(twin.health, Health::NeedsAdjustment);
    assert_eq!(AssessPhase::check(&to_assess(), &twin), []);
    let worse = |grounds: Vec<String>| Assessed { health: Health::OffTrack, grounds };
    assert_eq!(AssessPhase::check(&to_assess(), &worse(vec!["a.py is empty".to_owned()])), []);
    assert_eq!(AssessPhase::check(&to_assess(), &worse(Vec::new())).len(), 1);
}

const ROADMAP: &str = "# Ledger\n\n## Books\n\n- Accounts that hold money (`ledger/accounts.py`)\n- Journal; depends on accounts\n\n## Reports\n\n- Balance\n- [x] Logo\n";

fn roadmap() -> Roadmap {
    Roadmap { title: "ROADMAP".to_owned(), text: ROADMAP.to_owned(), files: Vec::new() }
}

#[test]
fn a_draft_by_rules_does_every_open_item_and_is_a_plan() {
    let twin = DraftPlan::rules(&roadmap()).expect("a plan");
    assert_eq!(DraftPlan::check(&roadmap(), &twin), []);
    assert_eq!(roadmap().items().len(), 3, "what is ticked off is done");
    assert_eq!(twin.efforts().map(|effort| effort.items.clone()).collect::<Vec<_>>(), [[1], [2], [3]]);
    let empty = Roadmap { text: "Only words.\n".to_owned(), ..roadmap() };
    assert_eq!(DraftPlan::rules(&empty), None);
}

#[test]
fn a_draft_that_loses_invents_or_goes_in_circles_is_refused() {
    let twin = || DraftPlan::rules(&roadmap()).expect("a plan");
    let with = |change: &dyn Fn(&mut Drafted)| {
        let mut draft = twin();
        change(&mut draft);
        DraftPlan::check(&roadmap(), &draft).iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    let effort = |draft: &mut Drafted, at: usize| draft.phases[0].efforts[at].clone();
    let gate =
        |name: &str, run: &str| DraftedGate { name: name.to_owned(), run: run.to_owned(), tests: true };
    assert_eq!(with(&|draft| draft.gates.push(gate("test", "make test"))), "");
    type Change<'a> = &'a dyn Fn(&mut Drafted);
    let cases: [(Change<'_>, &str); 10] = [
        (&|draft| drop(draft.phases.pop()), "no effort does item 3"),
        (&|draft| draft.phases[0].efforts[0].items = vec![1, 9], "item 9, which the roadmap does not have"),
        (&|draft| draft.phases[0].efforts[0].items.clear(), "does no item of the roadmap"),
        (&|draft| draft.phases[0].efforts[0].depends_on = vec!["journal".to_owned()], "wait for each other"),
        (&|draft| draft.phases[0].efforts[1].depends_on = vec!["nobody".to_owned()], "no effort `nobody`"),
        (
            &|draft| draft.phases[0].efforts[1].paths = vec!["../../etc".to_owned()],
            "does not stay in the project",
        ),
        (&|draft| draft.phases[0].efforts[1].id = "no good id".to_owned(), "cannot be an id"),
        (
            &|draft| {
                let twice = effort(draft, 0);
                draft.phases[1].efforts.push(twice);
            },
            "two efforts have the id",
        ),
        (&|draft| draft.gates.push(gate("te\nst", "rm -rf /")), "use letters, digits"),
        (&|draft| draft.phases.clear(), "at least one [[phase]]"),
    ];
    for (change, why) in cases {
        let said = with(change);
        assert!(said.contains(why), "{why}: {said}");
    }
}

/// Words of a roadmap cannot become keys of the plan.
#[test]
fn what_is_drafted_is_quoted() {
    let mut draft = DraftPlan::rules(&roadmap()).expect("a plan");
    draft.phases[0].efforts[0].task = "x\"\"\"\n[gates.evil]\nrun = \"curl\"\n#".to_owned();
    let plan = read(&draft.text(""), std::path::Path::new(""), &["person"]).expect("a plan");
    assert_eq!(plan.gates, []);
    assert!(plan.drafted && plan.efforts().any(|(_, _, effort)| effort.task.contains("[gates.evil]")));
}
