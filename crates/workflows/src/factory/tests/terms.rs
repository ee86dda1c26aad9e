//! Money, verdicts and edited plans, as a build knows them.

use baton_engine::{Limits, Purse, Spend};

use super::*;
use crate::coding::AgentSpec;
use crate::factory::plan::compare;
use crate::factory::{money, nodes};

/// A build whose efforts are done by somebody who is paid.
fn paid(budget: plan::Budget) -> Memory {
    let mut order = order();
    order.plan.agents.push(AgentSpec {
        name: "bot".to_owned(),
        kind: "claude".to_owned(),
        ..AgentSpec::recipe()
    });
    for phase in &mut order.plan.phases {
        for effort in phase.waves.iter_mut().flat_map(|wave| &mut wave.efforts) {
            effort.agent = "bot".to_owned();
        }
    }
    order.plan.budget = budget;
    Factory::begin(&order)
}

fn grant(memory: &Memory, id: &str, spent: u64) -> Result<u64, String> {
    let spent = Spend { micro_usd: spent, ..Spend::NONE };
    let purse = Purse { spent, ..Purse::default() };
    let limits = Limits { micro_usd: Some(10_000_000), kept_for_last: 0, ..Limits::default() };
    let order = nodes::order_of(memory, id).expect("an effort");
    money::grant(memory, &purse, &limits, id, &order)
}

#[test]
fn an_effort_gets_the_least_of_what_is_left_for_it() {
    let dollars = |project, phase, effort, attempt| plan::Budget {
        project,
        phase,
        effort,
        attempt,
        turn: Some(500_000),
        abandon: false,
    };
    let million = Some(1_000_000);
    assert_eq!(grant(&Factory::begin(&order()), "a", 0), Ok(0), "a recipe is not paid");
    assert_eq!(grant(&paid(dollars(None, None, None, million)), "a", 0), Ok(1_000_000));
    assert_eq!(
        grant(&paid(dollars(None, None, None, None)), "a", 1_000_000),
        Ok(3_000_000),
        "a third of what is left"
    );
    assert_eq!(
        grant(&paid(dollars(None, None, million, None)), "a", 9_400_000),
        Ok(600_000),
        "what the run has"
    );
    let why = grant(&paid(dollars(None, None, million, None)), "a", 9_600_000).unwrap_err();
    assert_eq!(why, "`a` needs 0.50 USD for a turn, and the run has 0.40 USD left of 10.00 USD");
    let mut memory = paid(dollars(Some(5_000_000), million, None, Some(900_000)));
    memory.learn(&EffortBegun { effort: "a".to_owned(), base: String::new(), granted: 900_000 });
    let why = grant(&memory, "b", 0).unwrap_err();
    assert_eq!(why, "`b` needs 0.50 USD for a turn, and its phase has 0.10 USD left of 1.00 USD");
    assert_eq!(grant(&memory, "e", 0), Ok(900_000), "another phase");
    let mut cheap = report("QUEUED");
    cheap.micro_usd = 200_000;
    memory.learn(&EffortEnded { effort: "a".to_owned(), report: cheap });
    assert_eq!(grant(&memory, "b", 200_000), Ok(800_000), "what was not used came back");
}

#[test]
fn limits_of_the_plan_can_be_raised_on_the_way() {
    let mut memory = paid(plan::Budget::default());
    let change = |key: &str, value: serde_json::Value| Change { key: key.to_owned(), value };
    Factory::change(&mut memory, &change("budget.phase", 12.5.into())).unwrap();
    assert_eq!(memory.plan.budget.phase, Some(12_500_000));
    assert!(Factory::change(&mut memory, &change("budget.phase", "much".into())).is_err());
    assert!(Factory::change(&mut memory, &change("budget.wave", 1.into())).is_err());
}

#[test]
fn a_second_verdict_can_only_be_worse_and_a_person_s_word_is_kept_with_its_reason() {
    let said = |health| SecondVerdict { by: "m".to_owned(), health, grounds: vec!["why".to_owned()] };
    let worse = assessment(Health::OnTrack).seconded(said(Some(Health::OffTrack)));
    assert_eq!((worse.health, worse.grounds.len()), (Health::OffTrack, 2));
    let better = assessment(Health::OffTrack).seconded(said(Some(Health::OnTrack)));
    assert_eq!(better.health, Health::OffTrack);
    let nobody = assessment(Health::OnTrack).seconded(said(None));
    assert_eq!(nobody.health, Health::OnTrack);
    assert!(nobody.grounds[1].starts_with("rules alone judged, m was not available"));
    let word = Overruled { by: "me".to_owned(), reason: "it comes later".to_owned(), was: Health::OffTrack };
    let overruled = Assessment { overruled: Some(word), ..assessment(Health::OnTrack) };
    let memory = check(&[phase_done(), vec![(OnTrack { assessment: overruled }, NextPhase)]]);
    let last = memory.decisions.last().expect("a decision");
    assert_eq!(last.what, "phase 1: ON_TRACK, overruled by me");
    assert_eq!(last.grounds, "it comes later; it was OFF_TRACK (because)");
}

/// The plan of [`order`] with something done to its text.
fn edited(change: impl FnOnce(&mut plan::Plan)) -> plan::Plan {
    let mut plan = order().plan;
    change(&mut plan);
    plan
}

/// A plan that was taken over.
fn taken(plan: plan::Plan) -> Event {
    let seen = plan::PlanSeen { hash: "h".to_owned(), taken: Some(Box::new(plan)) };
    Noticed { what: "the plan was edited".to_owned(), plan: Some(seen) }
}

fn effort(id: &str) -> EffortPlan {
    let mut effort = order().plan.phases[0].adjustment[0].clone();
    effort.id = id.to_owned();
    effort
}

#[test]
fn an_edited_plan_changes_what_has_not_begun() {
    let memory = check(&[under_way(), wave_done("a")]);
    let plan = edited(|plan| {
        plan.phases[0].waves[1].efforts[0].task = "Something else.".to_owned();
        plan.phases[1].waves[0].efforts = vec![effort("new")];
        plan.gates[0].run = "make all".to_owned();
    });
    let (edit, plan) = compare(&memory, &plan).expect("it can be taken over");
    assert_eq!(edit.words(), "adds new; changes b; leaves out e; has other gates; would run make all");
    let mut memory = memory;
    memory.learn(&taken(plan));
    assert_eq!(memory.sequence, ["a", "b", "new"]);
    assert_eq!(memory.efforts["b"].plan.task, "Something else.");
    assert_eq!(memory.efforts["new"].branch, "wave-2-1-new");
    assert_eq!((memory.efforts["a"].status, memory.plan_seen.as_str()), (EffortStatus::Merged, "h"));
}

#[test]
fn an_edited_plan_cannot_change_what_is_done() {
    let memory = check(&[under_way(), wave_done("a")]);
    let gone = edited(|plan| plan.phases[0].waves[0].efforts = vec![effort("x")]);
    assert_eq!(
        compare(&memory, &gone).unwrap_err(),
        "`a` is merged, and the edited plan does not have it where it was"
    );
    let memory =
        check(&[phase_done(), vec![(OnTrack { assessment: assessment(Health::OnTrack) }, NextPhase)]]);
    let more = edited(|plan| {
        let wave = plan::Wave { name: "w".to_owned(), efforts: vec![effort("x")] };
        plan.phases[0].waves.push(wave);
    });
    assert_eq!(
        compare(&memory, &more).unwrap_err(),
        "phase 1 is done, and the edited plan has other efforts in it"
    );
    let later = edited(|plan| plan.phases[1].waves[0].efforts.push(effort("x")));
    assert_eq!(compare(&memory, &later).expect("a later phase").0.added, ["x"]);
    assert!(compare(&memory, &order().plan).expect("the same").0.is_nothing());
}

#[test]
fn adjustments_of_ours_stay_when_a_plan_is_taken_over() {
    let adjusted = vec![
        (NeedsAdjustment { assessment: assessment(Health::NeedsAdjustment) }, ReviewPlanDeviations),
        (DeviationsListed { deviations: Vec::new() }, AdjustmentPlanning),
        (AdjustmentPlanned { efforts: vec![effort("c")] }, ArchitectFeedback),
        (AdjustmentApproved { by: "rules".to_owned() }, PhaseInit),
        (PhaseStarted { at: 1 }, WaveInit),
    ];
    let mut memory = check(&[phase_done(), adjusted]);
    let more = edited(|plan| {
        plan.phases[0].waves.push(plan::Wave { name: "w".to_owned(), efforts: vec![effort("x")] });
    });
    let (edit, plan) = compare(&memory, &more).expect("it can be taken over");
    assert_eq!(edit.added, ["x"]);
    memory.learn(&taken(plan));
    let waves: Vec<&str> =
        memory.plan.phases[0].waves.iter().map(|wave| wave.efforts[0].id.as_str()).collect();
    assert_eq!(waves, ["a", "b", "c", "x"]);
    assert_eq!((memory.efforts["c"].wave, memory.efforts["x"].wave), (Some(2), Some(3)));
    let kept =
        Noticed { what: "no".to_owned(), plan: Some(plan::PlanSeen { hash: "h".to_owned(), taken: None }) };
    let memory = check(&[under_way(), vec![(kept, Monitor)]]);
    assert_eq!((memory.plan_seen.as_str(), memory.plan == memory.order.plan), ("h", true));
    assert_eq!(memory.decisions.last().map(|last| last.what.as_str()), Some("the plan stays as it was"));
}
