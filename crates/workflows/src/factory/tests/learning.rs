//! What a build knows after what happened.

use super::*;

fn part(number: usize) -> SplitPart {
    SplitPart {
        number,
        from: format!("f{number}"),
        to: format!("t{number}"),
        tree: String::new(),
        files: Vec::new(),
        lines: 400,
    }
}

#[test]
fn parts_take_the_place_of_the_whole_in_order() {
    let mut large = report("SUPERSEDED");
    large.parts = vec![part(1), part(2)];
    let memory = check(&[
        under_way(),
        vec![
            (EffortEnded { effort: "a".to_owned(), report: large }, Monitor),
            (SizeViolation { efforts: vec!["a".to_owned()] }, HandleSplits),
            (SplitsReady { efforts: vec!["a".to_owned()] }, Monitor),
        ],
    ]);
    let here: Vec<&str> = memory.present().iter().map(|effort| effort.branch.as_str()).collect();
    assert_eq!(here, ["wave-1-1-a", "wave-1-1-a--split-001", "wave-1-1-a--split-002"]);
    assert_eq!(memory.efforts["a"].status, EffortStatus::Superseded);
    assert_eq!(memory.efforts["a--split-002"].after.as_deref(), Some("a--split-001"));
    assert_eq!(memory.splits, 1);
}

#[test]
fn debt_is_the_weight_of_what_is_open_in_what_is_merged() {
    let finding = |severity| Finding {
        rule: "x".to_owned(),
        severity,
        path: String::new(),
        what: String::new(),
        by: "rules".to_owned(),
    };
    let findings = vec![finding(Severity::Minor), finding(Severity::Major), finding(Severity::Blocker)];
    let mut queued = report("QUEUED");
    let (commit, tree, gates) = ("tip".to_owned(), "t".to_owned(), Vec::new());
    queued.review = Some(Review { commit, tree, findings, gates, opinions: Vec::new() });
    let before =
        vec![(EffortEnded { effort: "a".to_owned(), report: queued }, Monitor), (AllComplete, WaveComplete)];
    assert_eq!(check(&[under_way(), before.clone()]).debt(), 0, "what is not merged is nobody's debt yet");
    assert_eq!(check(&[under_way(), before, vec![(merged("a"), WaveComplete)]]).debt(), 12);
}

#[test]
fn every_effort_of_the_plan_is_known_from_the_first_moment() {
    let memory = Factory::begin(&order());
    assert_eq!(memory.sequence, ["a", "b", "e"]);
    assert_eq!(memory.efforts["b"].branch, "wave-1-2-b");
}
