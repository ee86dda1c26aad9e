use super::*;
use crate::research::skills::plan::rules_for;

const TOPIC: &str = "How many buildings does the Harlund network heat, how old are the buildings, and what does a connection cost?";

fn plan() -> Plan {
    Plan::of(TOPIC, rules_for(TOPIC), "rules")
}

/// The questions of the changed plan, without what they take over.
fn asked(said: &str) -> Result<Vec<String>, String> {
    let plan = granted(&plan(), said)?;
    plan.dag().unwrap();
    for (at, dimension) in plan.dimensions.iter().enumerate() {
        let served: Vec<_> = plan.tasks.iter().filter(|duty| duty.dimension == Some(at)).collect();
        assert_eq!(served.len(), 2, "{said}: {served:?}");
        assert!(served.iter().all(|duty| duty.query == dimension.question), "{said}: {served:?}");
    }
    Ok(plan
        .dimensions
        .iter()
        .map(|it| it.question.split(" (").next().unwrap_or_default().to_owned())
        .collect())
}

const MANY: &str = "How many buildings does the Harlund network heat?";
const OLD: &str = "how old are the buildings";
const COST: &str = "what does a connection cost";

#[test]
fn what_is_understood_takes_effect() {
    for (said, wanted) in [
        ("without the age of the buildings", vec![MANY, COST]),
        ("Please drop the second.", vec![MANY, COST]),
        ("drop the second and the third", vec![MANY]),
        ("remove the last one", vec![MANY, OLD]),
        ("leave out the costs", vec![MANY, OLD]),
        ("please add a question about noise", vec![MANY, OLD, COST, "Noise"]),
        ("also the noise of the plant", vec![MANY, OLD, COST, "Noise of the plant"]),
        ("How loud is the plant at night?", vec![MANY, OLD, COST, "How loud is the plant at night"]),
        ("only the costs", vec![COST]),
        ("drop the first and add the number of customers", vec![OLD, COST, "Number of customers"]),
        ("change the third to the price of heat", vec![MANY, OLD, "Price of heat"]),
        ("ohne die Kosten, auch Lärm", vec![MANY, OLD, COST, "Lärm"]),
    ] {
        assert_eq!(asked(said), Ok(wanted.iter().map(|it| (*it).to_owned()).collect()), "{said}");
    }
}

#[test]
fn what_is_not_understood_is_refused_with_what_is() {
    for (said, why) in [
        ("make it snappier", UNDERSTOOD),
        ("hm", UNDERSTOOD),
        ("drop the fifth", "there is no part 5 of the plan; it has 3"),
        ("drop the first, the second and the third", "nothing would be left to find out"),
        ("only the weather", "no part of the plan is about \"weather\""),
        ("also the", UNDERSTOOD),
    ] {
        let refused = asked(said).unwrap_err();
        assert!(refused.contains(why), "{said}: {refused}");
    }
}

#[test]
fn an_exclusion_that_is_no_part_keeps_sentences_out() {
    let plan = granted(&plan(), "without the blog of the tenants").unwrap();
    assert_eq!(plan.dimensions.len(), 3);
    assert_eq!(plan.exclusions, ["blog of the tenants"]);
    assert!(is_excluded("The tenants write a blog.", &plan.exclusions));
    assert!(!is_excluded("The tenants pay 40 euros.", &plan.exclusions));
}

#[test]
fn a_name_becomes_a_question_that_can_be_searched_by_itself() {
    assert_eq!(question_of("noise at night", TOPIC), "Noise at night (Harlund)?");
    assert_eq!(question_of("How loud is Quayside?", TOPIC), "How loud is Quayside?");
}
