//! The architect as a skill: its check finds what it is for, its twin repeats the rules.

use baton_agents::skill::Skill;

use crate::factory::skills::assess_phase::{AssessPhase, Assessed, Standing, ToAssess};

fn to_assess() -> ToAssess {
    ToAssess {
        title: "A ledger".to_owned(),
        phase: "Books".to_owned(),
        health: Standing::NeedsAdjustment,
        grounds: vec!["1 of 2 deliverables are there".to_owned()],
        efforts: vec!["Accounts: hold money".to_owned()],
        findings: vec!["size (minor): large".to_owned()],
        changes: vec![("a.py".to_owned(), "+x".to_owned())],
    }
}

#[test]
fn its_twin_repeats_the_rules_and_a_worse_word_needs_a_ground() {
    let twin = AssessPhase::rules(&to_assess()).expect("an answer");
    assert_eq!(twin.health, Standing::NeedsAdjustment);
    assert_eq!(AssessPhase::check(&to_assess(), &twin), []);
    let worse = |grounds: Vec<String>| Assessed { health: Standing::OffTrack, grounds };
    assert_eq!(AssessPhase::check(&to_assess(), &worse(vec!["a.py is empty".to_owned()])), []);
    assert_eq!(AssessPhase::check(&to_assess(), &worse(Vec::new())).len(), 1);
}
