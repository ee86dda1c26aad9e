//! The ledger and what follows from it: agreement, impasse, saturation, caps, judges that cannot be trusted.

use super::support::{answers, memory, objects, setup, slot, takes};
use crate::debate::assess::{Assessment, Decision, Judgement, Judges, assess, decide};
use crate::debate::contribution::{Contribution, Reply, Severity, Type};
use crate::debate::ledger::{agrees, blind, figures, flips};
use crate::debate::memory::Memory;
use crate::debate::objections::{Fate, Standing, objections};
use crate::debate::panel::dissenter;
use crate::debate::setup::{Kind, Requirement, Setup, Termination, Terms};

/// The panel's positions in a round, as proposals and as refinements.
fn stand(round: u32, stores: [&str; 3]) -> Vec<Contribution> {
    let names = ["ann", "bob", "cid"].into_iter().zip(stores);
    names
        .flat_map(|(name, store)| {
            [Type::Proposal, Type::Refinement].map(|kind| takes(round, kind, name, store))
        })
        .collect()
}

fn judged(agreement: u8) -> Judgement {
    Judgement { agreement, readiness: agreement / 2, findings: Vec::new(), by: "m".to_owned() }
}

fn weigh(memory: &Memory, scores: &[u8]) -> Assessment {
    let judgements = scores.iter().map(|score| judged(*score)).collect();
    let judges = Judges { judgements, missing: 0 };
    assess(&memory.setup.terms, figures(memory, memory.round), judges)
}

fn decision(memory: &Memory, scores: &[u8]) -> Decision {
    decide(&memory.setup.terms, &weigh(memory, scores), false, agrees(memory, &blind(memory)))
}

#[test]
fn one_agreement_is_a_consensus_only_if_the_judge_thinks_so_too() {
    let memory = memory(&setup(), 1, stand(1, ["sqlite"; 3]));
    assert_eq!(figures(&memory, 1).agreement, Some(100));
    assert!(matches!(decision(&memory, &[95]), Decision::Consensus(_)));
    assert_eq!(decision(&memory, &[60]), Decision::Continue);
    assert_eq!(decision(&memory, &[]), Decision::Continue, "no judge is no number");
}

#[test]
fn a_judge_cannot_see_agreement_where_the_ledger_sees_none() {
    let memory = memory(&setup(), 1, stand(1, ["sqlite", "sqlite", "postgres"]));
    let assessment = weigh(&memory, &[95]);
    assert_eq!(
        (assessment.confidence, assessment.source.as_str()),
        (Some(60), "the ledger: in dispute: store")
    );
    assert_eq!(assessment.caps[0].why, "in dispute: store");
    assert_eq!(decision(&memory, &[95]), Decision::Continue);
}

#[test]
fn judges_who_differ_too_much_do_not_count() {
    let memory = memory(&setup(), 1, stand(1, ["sqlite"; 3]));
    assert!(matches!(decision(&memory, &[95, 80, 95]), Decision::Consensus(_)));
    let assessment = weigh(&memory, &[95, 60, 90]);
    assert!(assessment.uncertain);
    assert_eq!(assessment.confidence, Some(90), "the median");
    assert_eq!(decision(&memory, &[95, 60, 90]), Decision::Continue);
}

#[test]
fn quality_looks_at_readiness() {
    let mut setup = setup();
    setup.terms.termination = Termination::Quality;
    setup.terms.threshold = 50;
    let memory = memory(&setup, 1, stand(1, ["sqlite"; 3]));
    assert_eq!(decision(&memory, &[90]), Decision::Continue, "readiness is 45");
    assert!(matches!(decision(&memory, &[100]), Decision::Consensus(why) if why.starts_with("readiness 50")));
}

#[test]
fn nobody_moving_in_a_dispute_is_an_impasse_but_not_in_the_last_round() {
    let both = |rounds| {
        let mut setup = setup();
        setup.terms.rounds = rounds;
        let split = ["sqlite", "sqlite", "postgres"];
        memory(&setup, 2, [stand(1, split), stand(2, split)].concat())
    };
    assert!(matches!(decision(&both(3), &[95]), Decision::Impasse(why) if why.contains("store")));
    assert_eq!(decision(&both(2), &[95]), Decision::Continue);
}

#[test]
fn rounds_without_new_objections_are_saturated() {
    let mut setup = setup();
    setup.terms.rounds = 5;
    let claim = "the disk of a single host can be lost";
    let rounds =
        [stand(1, ["sqlite", "postgres", "sqlite"]), stand(2, ["postgres", "sqlite", "sqlite"])].concat();
    let raised = [
        objects(1, "ann", "bob", "r1", Severity::Minor, claim),
        objects(2, "ann", "bob", "r2", Severity::Minor, "a single host's disk can be lost"),
    ];
    let memory = memory(&setup, 2, [rounds, raised.to_vec()].concat());
    let figures = figures(&memory, 2);
    assert_eq!(figures.novelty, Some(0));
    assert!(figures.saturated() && !figures.impasse());
    let assessment = weigh(&memory, &[40]);
    assert_eq!(
        decide(&setup.terms, &assessment, false, false),
        Decision::Continue,
        "one such round is the last warning"
    );
    assert!(matches!(decide(&setup.terms, &assessment, true, false), Decision::Impasse(_)));
}

#[test]
fn an_objection_stands_until_its_critic_lets_go_of_it() {
    use Fate::{Accepted, Rejected, Unanswered, Withdrawn};
    use Standing::{Closed, Open};
    let looks = |settled: bool| {
        let mut again = Contribution::new(2, Type::Critique, "ann", Some("bob"));
        again.reviewed = vec!["r1-1B-1".to_owned()];
        again.settled = if settled { again.reviewed.clone() } else { Vec::new() };
        again
    };
    // weight, answer, whether the critic has looked again and is content; what became of it, and whether it was checked.
    let cases = [
        (Severity::Blocking, None, None, Unanswered, Open, false),
        (Severity::Blocking, Some(Reply::Rejected), None, Rejected, Open, false),
        (Severity::Major, Some(Reply::Rejected), None, Rejected, Open, false),
        (Severity::Minor, Some(Reply::Rejected), None, Rejected, Closed, false),
        (Severity::Major, Some(Reply::Rejected), Some(false), Rejected, Open, true),
        (Severity::Major, Some(Reply::Rejected), Some(true), Withdrawn, Closed, true),
        (Severity::Blocking, Some(Reply::Accepted), None, Accepted, Closed, false),
        (Severity::Blocking, Some(Reply::Accepted), Some(true), Accepted, Closed, true),
        // Accepted in words alone.
        (Severity::Blocking, Some(Reply::Accepted), Some(false), Accepted, Open, true),
        (Severity::Major, None, Some(true), Withdrawn, Closed, true),
    ];
    for (severity, reply, again, fate, standing, checked) in cases {
        let raised = objects(1, "ann", "bob", "r1-1B-1", severity, "it loses data");
        let refined = takes(1, Type::Refinement, "bob", "sqlite");
        let refined = reply.map_or(refined.clone(), |reply| answers(refined, "r1-1B-1", reply));
        let more = again.map(looks).into_iter().collect();
        let memory = memory(&setup(), 2, [vec![raised, refined], more].concat());
        let entry = &objections(&memory, 2)[0];
        let found = (entry.fate, entry.standing, entry.checked_in.is_some());
        assert_eq!(found, (fate, standing, checked), "{severity:?} {reply:?} {again:?}");
        assert_eq!(objections(&memory, 1)[0].checked_in, None, "not before it happened");
    }
}

#[test]
fn what_was_accepted_and_not_looked_at_again_is_no_consensus() {
    let raised = objects(1, "ann", "bob", "r1-1B-1", Severity::Major, "it loses data");
    let mut said = stand(1, ["sqlite"; 3]);
    said.retain(|one| (one.agent.as_str(), one.kind) != ("bob", Type::Refinement));
    said.push(raised);
    said.push(answers(takes(1, Type::Refinement, "bob", "sqlite"), "r1-1B-1", Reply::Accepted));
    let memory = memory(&setup(), 1, said);
    assert_eq!(figures(&memory, 1).unchecked, ["r1-1B-1"]);
    assert_eq!(decision(&memory, &[95]), Decision::Continue);
    assert_eq!(weigh(&memory, &[95]).confidence, Some(75));
}

#[test]
fn a_consensus_takes_two_rounds_unless_the_blind_proposals_agree() {
    let settle = |rounds| {
        let mut setup = setup();
        setup.terms.rounds = rounds;
        let mut said = stand(1, ["sqlite"; 3]);
        said.retain(|one| (one.agent.as_str(), one.kind) != ("cid", Type::Proposal));
        said.push(takes(1, Type::Proposal, "cid", "postgres"));
        let said = said.into_iter().map(|one| match (one.agent.as_str(), one.kind) {
            ("cid", Type::Refinement) => answers(one, "r1-1C-1", Reply::Partially),
            _ => one,
        });
        let raised = objects(1, "ann", "cid", "r1-1C-1", Severity::Minor, "a server must be kept alive");
        memory(&setup, 1, said.chain([raised]).collect())
    };
    assert_eq!(decision(&settle(3), &[95]), Decision::Continue);
    assert!(matches!(decision(&settle(1), &[95]), Decision::Consensus(_)), "there is no second");
    let mut asked = settle(3);
    asked.setup.terms.min_rounds = Some(1);
    assert!(matches!(decision(&asked, &[95]), Decision::Consensus(_)), "somebody said so");
}

#[test]
fn too_few_are_no_consensus() {
    let mut panel = setup();
    panel.agents.extend(["dan", "eve"].map(|id| super::support::on_paper(id, "store: sqlite")));
    let memory = memory(&panel, 1, stand(1, ["sqlite"; 3]));
    assert_eq!((figures(&memory, 1).voices, figures(&memory, 1).needed()), (3, 4));
    assert_eq!(weigh(&memory, &[95]).confidence, Some(50));
    panel.terms.threshold = 40;
    let memory = Memory { setup: panel, ..memory };
    assert_eq!(decision(&memory, &[95]), Decision::Continue, "however low the threshold");
}

#[test]
fn a_judge_that_is_not_there_holds_confidence_down_and_ends_nothing() {
    let mut lax = setup();
    lax.terms.threshold = 20;
    let memory = memory(&lax, 1, stand(1, ["sqlite"; 3]));
    let gone = Judges { judgements: Vec::new(), missing: 1 };
    let assessment = assess(&lax.terms, figures(&memory, 1), gone);
    assert_eq!((assessment.confidence, assessment.judge_unavailable), (Some(50), true));
    assert_eq!(decide(&lax.terms, &assessment, false, true), Decision::Continue);
    // Where one of three samples is missing, the lowest of the others counts.
    let two = Judges { judgements: vec![judged(95), judged(80)], missing: 1 };
    let assessment = assess(&lax.terms, figures(&memory, 1), two);
    assert_eq!((assessment.confidence, assessment.judge_unavailable), (Some(80), false));
}

#[test]
fn findings_lower_what_their_own_judge_says() {
    use crate::debate::skills::judge::{FindingKind, JudgeFinding};
    let memory = memory(&setup(), 1, stand(1, ["sqlite"; 3]));
    let found = |kind| {
        let finding = JudgeFinding { kind, what: "x".to_owned(), quote: "ann wants sqlite".to_owned() };
        let judgements = vec![Judgement { findings: vec![finding], ..judged(95) }];
        assess(&setup().terms, figures(&memory, 1), Judges { judgements, missing: 0 }).confidence
    };
    assert_eq!(found(FindingKind::Contradiction), Some(60));
    assert_eq!(found(FindingKind::UnmetRequirement), Some(40));
    assert_eq!(found(FindingKind::UnansweredCritique), Some(70));
    assert_eq!(found(FindingKind::OpenQuestion), Some(95));
}

#[test]
fn open_blockers_missing_requirements_and_lone_voices_hold_confidence_down() {
    let caps = |setup: &Setup, contributions| weigh(&memory(setup, 1, contributions), &[95]).confidence;
    let blocked = objects(1, "ann", "bob", "r1", Severity::Blocking, "it loses data");
    assert_eq!(caps(&setup(), [stand(1, ["sqlite"; 3]), vec![blocked]].concat()), Some(70));
    let mut demanding = setup();
    let text = "It must survive a crash.".to_owned();
    demanding.requirements = vec![Requirement { id: "R1".to_owned(), text, major: true }];
    assert_eq!(caps(&demanding, stand(1, ["sqlite"; 3])), Some(40));
    assert_eq!(caps(&setup(), vec![takes(1, Type::Refinement, "ann", "sqlite")]), Some(50));
}

#[test]
fn giving_in_without_a_reason_is_no_agreement() {
    let before = stand(1, ["sqlite", "sqlite", "postgres"]);
    let silent = memory(&setup(), 2, [before.clone(), stand(2, ["sqlite"; 3])].concat());
    assert_eq!(figures(&silent, 2).uncited, ["cid/store"]);
    assert_eq!(weigh(&silent, &[95]).confidence, Some(75));
    let mut argued = [before, stand(2, ["sqlite"; 3])].concat();
    argued.pop();
    argued.push(objects(2, "ann", "cid", "r2-1C-1", Severity::Minor, "a server must be kept alive"));
    argued.push(answers(takes(2, Type::Refinement, "cid", "sqlite"), "r2-1C-1", Reply::Accepted));
    let argued = memory(&setup(), 2, argued);
    assert_eq!(flips(&argued, 2)[0].because, ["r2-1C-1"]);
    assert!(matches!(decision(&argued, &[95]), Decision::Consensus(_)));
}

#[test]
fn somebody_must_dissent_when_blind_proposals_agree() {
    let mut panel = setup();
    assert_eq!(dissenter(&memory(&panel, 1, stand(1, ["sqlite"; 3]))), None, "files cannot argue");
    panel.agents[0].kind = Kind::Person { who: None };
    panel.agents[2].kind = Kind::Person { who: None };
    let mut agreed = memory(&panel, 1, stand(1, ["sqlite"; 3]));
    assert_eq!(dissenter(&agreed), Some("ann"));
    agreed.round = 2;
    assert_eq!(dissenter(&agreed), Some("cid"), "it goes round");
    assert_eq!(dissenter(&memory(&setup(), 1, stand(1, ["sqlite", "postgres", "sqlite"]))), None);
}

#[test]
fn positions_are_brought_to_one_form() {
    let retention = slot("retention", &["90 days", "7 years"]);
    assert_eq!(retention.normal("90d").as_deref(), Some("90 days"));
    assert_eq!(retention.normal("Ninety days").as_deref(), Some("90 days"));
    assert_eq!(retention.normal("3 weeks"), None);
    assert_eq!(retention.normal("other: 3 weeks").as_deref(), Some("other: 21 days"));
    assert_eq!(Terms::default().threshold, 80);
}
