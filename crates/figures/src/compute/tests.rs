use std::path::PathBuf;

use super::*;
use crate::date::{Grain, Period};
use crate::question::{Ask, Filter, Goal, Test};
use crate::{Decimal, profile};

const SALES: &str = "day,region,revenue,orders,shop\n\
2025-01-01,north,10.10,1,s1\n2025-01-15,south,20.20,2,s2\n2025-02-01,north,30.30,3,s1\n2025-02-20,south,5.05,1,s3\n\
2025-03-01,north,12.00,,s1\n2025-03-31,south,8.00,4,s2\n";
const SHOPS: &str = "shop,town\ns1,Harlund\ns2,Ostby\ns3,Ostby\n";

fn setting(files: &[(&str, &str)]) -> (tempfile::TempDir, Profiles, Context) {
    let folder = tempfile::tempdir().expect("a folder");
    let paths: Vec<PathBuf> = files
        .iter()
        .map(|(name, text)| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("written");
            path
        })
        .collect();
    let context = Context { scratch: Some(folder.path().to_owned()), ..Context::default() };
    let profiles = profile::of_files(&paths, &[], &context).expect("profiled");
    assert_eq!(profiles.refused, []);
    (folder, profiles, context)
}

fn ask(profiles: &Profiles, context: &Context, ask: Ask) -> Answer {
    filtered(profiles, context, ask, Vec::new(), None)
}

fn filtered(
    profiles: &Profiles,
    context: &Context,
    ask: Ask,
    filters: Vec<Filter>,
    period: Option<Period>,
) -> Answer {
    let question = Question { id: "q".to_owned(), table: "sales".to_owned(), ask, filters, period };
    let answer = answers(profiles, &[question], context).expect("answered").remove(0);
    let tables: Vec<_> = profiles.tables.iter().map(|table| table.reading.clone()).collect();
    for again in recompute(&tables, &answer.figures, context) {
        assert!(again.holds, "{again:?} of {:#?}", answer.figures);
    }
    answer
}

fn values(answer: &Answer) -> Vec<String> {
    answer.figures.iter().map(|figure| figure.value.to_string()).collect()
}

fn total(how: Aggregate, column: &str) -> Ask {
    Ask::Total { measure: Measure { how, column: Some(column.to_owned()) } }
}

#[test]
fn every_aggregate_is_right_to_the_last_digit() {
    let (_folder, profiles, context) = setting(&[("sales.csv", SALES)]);
    for (how, column, expected) in [
        (Aggregate::Sum, "revenue", "85.65"),
        (Aggregate::Mean, "revenue", "14.275"),
        (Aggregate::Median, "revenue", "11.05"),
        (Aggregate::Min, "revenue", "5.05"),
        (Aggregate::Max, "revenue", "30.3"),
        (Aggregate::Count, "orders", "5"),
        (Aggregate::Distinct, "region", "2"),
        (Aggregate::Distinct, "orders", "4"),
        (Aggregate::Quantile(75), "revenue", "20.2"),
        (Aggregate::Deviation, "orders", "1.3038"),
    ] {
        let answer = ask(&profiles, &context, total(how, column));
        assert_eq!(answer.refused, None);
        assert_eq!(values(&answer), [expected], "{how:?} of {column}");
    }
}

#[test]
fn a_figure_says_where_it_comes_from() {
    let (_folder, profiles, context) = setting(&[("sales.csv", SALES)]);
    let north = Filter { column: "region".to_owned(), test: Test::Is(vec!["north".to_owned()]) };
    let february =
        Period { from: "2025-02-01".parse().expect("a day"), to: "2025-02-28".parse().expect("a day") };
    let answer = filtered(&profiles, &context, total(Aggregate::Sum, "revenue"), vec![north], Some(february));
    let figure = &answer.figures[0];
    assert_eq!(figure.label, "sum of revenue, region north, 2025-02");
    assert_eq!(figure.formula.words, "sum of revenue where region is \"north\" in 2025-02");
    assert_eq!(figure.formula.cells, "SUM(sales!C4)");
    assert_eq!(figure.cells[0].rows, [(4, 4)]);
}

#[test]
fn change_share_ranking_comparison_ratio_target_and_peak() {
    let (_folder, profiles, context) = setting(&[("sales.csv", SALES)]);
    let revenue = || Measure::sum("revenue");
    let change = ask(
        &profiles,
        &context,
        Ask::Change { measure: revenue(), from: None, to: None, grain: Some(Grain::Month) },
    );
    assert_eq!(values(&change), ["-33.9934", "-10.3", "30.3", "20"]);
    let share = ask(
        &profiles,
        &context,
        Ask::Share { measure: revenue(), by: "region".to_owned(), of: vec!["north".to_owned()] },
    );
    assert_eq!(values(&share), ["61.1792", "52.4", "85.65"]);
    let ranking = ask(
        &profiles,
        &context,
        Ask::Ranking { measure: revenue(), by: "shop".to_owned(), top: 2, ascending: false },
    );
    assert_eq!(values(&ranking), ["52.4", "28.2"]);
    assert_eq!(ranking.figures[0].group.get("shop").map(String::as_str), Some("s1"));
    let comparison = ask(
        &profiles,
        &context,
        Ask::Comparison { measure: revenue(), by: "region".to_owned(), groups: Vec::new() },
    );
    assert_eq!(values(&comparison), ["52.4", "33.25", "57.594", "19.15"]);
    let ratio = ask(&profiles, &context, Ask::Ratio { above: revenue(), below: Measure::sum("orders") });
    assert_eq!(values(&ratio), ["7.786364", "85.65", "11"]);
    let target = ask(
        &profiles,
        &context,
        Ask::Target { measure: revenue(), target: Goal::Value(Decimal::from(100_i64)) },
    );
    assert_eq!(values(&target), ["85.65", "85.65"]);
    let peak = ask(&profiles, &context, Ask::Peak { measure: revenue(), grain: Grain::Month, lowest: false });
    assert_eq!(
        (values(&peak), peak.figures[0].period.map(|p| p.to_string())),
        (vec!["35.35".to_owned()], Some("2025-02".to_owned()))
    );
}

#[test]
fn a_column_of_another_table_is_looked_up_and_never_multiplies_rows() {
    let (_folder, profiles, context) = setting(&[("sales.csv", SALES), ("shops.csv", SHOPS)]);
    let ranking = Ask::Ranking {
        measure: Measure::sum("revenue"),
        by: "shops.town".to_owned(),
        top: 5,
        ascending: false,
    };
    let answer = ask(&profiles, &context, ranking.clone());
    assert_eq!(values(&answer), ["52.4", "33.25"]);

    let twice = format!("{SHOPS}s1,Elsewhere\n");
    let (_folder, profiles, context) = setting(&[("sales.csv", SALES), ("shops.csv", &twice)]);
    let refused = ask(&profiles, &context, ranking).refused.expect("refused");
    assert!(refused.contains("multiply rows"), "{refused}");
    assert!(profiles.tables[0].doubts.iter().any(|doubt| doubt.text.contains("multiply rows")));
}

#[test]
fn a_period_that_is_not_over_is_left_out_and_named() {
    let mut text = String::from("day,revenue\n");
    for at in 0..75 {
        let day = "2025-01-01".parse::<crate::Date>().expect("a day").plus(at);
        text.push_str(&format!("{day},10\n"));
    }
    let (_folder, profiles, context) = setting(&[("sales.csv", &text)]);
    let trend =
        ask(&profiles, &context, Ask::Trend { measure: Measure::sum("revenue"), grain: Some(Grain::Month) });
    assert_eq!(values(&trend)[1], "-30", "February has three days less; March is not over");
    assert!(
        trend.doubts.iter().any(|doubt| doubt.text.starts_with("2025-03 is not complete")),
        "{:?}",
        trend.doubts
    );
    assert_eq!(trend.series[0].partial, 1);
}

#[test]
fn what_the_data_cannot_carry_is_refused_in_a_sentence() {
    let (_folder, profiles, context) = setting(&[("sales.csv", SALES)]);
    for (ask_, part) in [
        (total(Aggregate::Sum, "region"), "holds words"),
        (total(Aggregate::Sum, "profit"), "has no column \"profit\""),
        (
            Ask::Share {
                measure: Measure { how: Aggregate::Mean, column: Some("revenue".to_owned()) },
                by: "region".to_owned(),
                of: Vec::new(),
            },
            "needs a sum or a count",
        ),
        (
            Ask::Share {
                measure: Measure::sum("revenue"),
                by: "region".to_owned(),
                of: vec!["west".to_owned()],
            },
            "nowhere \"west\"",
        ),
        (Ask::Seasonality { measure: Measure::sum("revenue") }, "at least two rounds"),
        (Ask::Correlation { x: "revenue".to_owned(), y: "day".to_owned(), grain: None }, "holds days"),
    ] {
        let refused = ask(&profiles, &context, ask_).refused.unwrap_or_default();
        assert!(refused.contains(part), "{refused} / {part}");
    }
    let year =
        Period { from: "2031-01-01".parse().expect("a day"), to: "2031-12-31".parse().expect("a day") };
    let answer = filtered(&profiles, &context, total(Aggregate::Sum, "revenue"), Vec::new(), Some(year));
    assert_eq!(
        answer.refused.as_deref(),
        Some("sales has no row in 2031; its days go from 2025-01-01 to 2025-03-31")
    );
}

#[test]
fn a_changed_file_or_figure_is_noticed() {
    let (folder, profiles, context) = setting(&[("sales.csv", SALES)]);
    let answer = ask(&profiles, &context, total(Aggregate::Sum, "revenue"));
    let tables = vec![profiles.tables[0].reading.clone()];
    let mut lie = answer.figures.clone();
    lie[0].value = Decimal::from(86_i64);
    assert_eq!(
        recompute(&tables, &lie, &context)[0].reason.as_deref(),
        Some("it says 86, the file gives 85.65")
    );
    std::fs::write(folder.path().join("sales.csv"), SALES.replace("5.05", "5.06")).expect("written");
    assert!(!recompute(&tables, &answer.figures, &context)[0].holds);
    std::fs::remove_file(folder.path().join("sales.csv")).expect("removed");
    assert!(recompute(&tables, &answer.figures, &context)[0].reason.is_some());
}

#[test]
fn medians_and_distinct_counts_are_the_same_when_they_are_sorted_on_disk() {
    let mut text = String::from("group,value\n");
    for at in 0_u64..5000 {
        text.push_str(&format!("g{},{}.{}\n", at % 7, at * 7919 % 1009, at % 10));
    }
    let (_folder, profiles, mut context) = setting(&[("sales.csv", &text)]);
    let wanted = [
        Ask::Ranking {
            measure: Measure { how: Aggregate::Median, column: Some("value".to_owned()) },
            by: "group".to_owned(),
            top: 9,
            ascending: false,
        },
        Ask::Ranking {
            measure: Measure { how: Aggregate::Distinct, column: Some("value".to_owned()) },
            by: "group".to_owned(),
            top: 9,
            ascending: false,
        },
    ];
    let quick: Vec<_> = wanted.iter().map(|one| values(&ask(&profiles, &context, one.clone()))).collect();
    context.limits.memory = 1 << 12;
    let slow: Vec<_> = wanted.iter().map(|one| values(&ask(&profiles, &context, one.clone()))).collect();
    assert_eq!(quick, slow);
    assert_eq!(quick[0].len(), 7);
}

#[test]
fn more_groups_than_allowed_is_a_refusal_and_not_a_cut_list() {
    let mut text = String::from("name,value\n");
    for at in 0..300 {
        text.push_str(&format!("n{},1\n", at));
    }
    let (_folder, profiles, mut context) = setting(&[("sales.csv", &text)]);
    context.limits.groups = 100;
    let answer = ask(
        &profiles,
        &context,
        Ask::Ranking { measure: Measure::rows(), by: "name".to_owned(), top: 3, ascending: false },
    );
    assert_eq!(
        answer.refused.as_deref(),
        Some("\"name\" has more than 100 different values, too many to group by")
    );
}

#[test]
fn correlations_are_floating_and_say_nothing_of_causes() {
    let mut text = String::from("x,y,z\n");
    for at in 0..50 {
        text.push_str(&format!("{at},{},{}\n", at * 2 + 1, 7));
    }
    let (_folder, profiles, context) = setting(&[("sales.csv", &text)]);
    let of = |x: &str, y: &str| Ask::Correlation { x: x.to_owned(), y: y.to_owned(), grain: None };
    let answer = ask(&profiles, &context, of("x", "y"));
    assert_eq!(values(&answer), ["1"]);
    assert!(answer.doubts.iter().any(|doubt| doubt.text.contains("causes")));
    assert!(
        ask(&profiles, &context, of("x", "z")).refused.is_some_and(|text| text.contains("never changes"))
    );
}
