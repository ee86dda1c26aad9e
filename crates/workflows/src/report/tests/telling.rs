//! What rules say to questions over small tables: nothing of what was asked may be lost on the way.

use baton_figures::compute::answers;
use baton_figures::profile::of_files;
use baton_figures::source::Context;

use crate::report::planner::reading::read;
use crate::report::planner::with_those_behind;
use crate::report::tell::tell;

fn told(name: &str, table: &str, question: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, table).unwrap();
    let profiles = of_files(&[path], &[], &Context::default()).unwrap();
    let Ok(typed) = read(question, &profiles) else { return Vec::new() };
    let typed: Vec<_> = typed.into_iter().map(with_those_behind).collect();
    let answered = answers(&profiles, &typed, &Context::default()).unwrap();
    answered.iter().flat_map(tell).map(|sentence| sentence.text()).collect()
}

const WEATHER: &str = "location,date,precip,weather\nSeattle,2012-01-01,0,rain\nSeattle,2012-01-02,1,snow\n\
                       New York,2012-01-01,2,rain\nNew York,2012-01-02,30,snow\nNew York,2012-01-03,4,snow\n";
const STORE: &str = "region,category,profit\nwest,chairs,5\nwest,tables,7\nsouth,tables,-3\n";

#[test]
fn filters_and_bounds_are_said_and_both_of_two_things_asked_are_answered() {
    for (name, table, question, wanted) in [
        (
            "weather.csv",
            WEATHER,
            "How many rows had snow in Seattle compared with New York?",
            vec!["The number of rows for snow was 1 for Seattle and 2 for New York."],
        ),
        (
            "weather.csv",
            WEATHER,
            "How many rows had precip above 3?",
            vec!["The number of rows where precip is above 3 was 2."],
        ),
        (
            "store.csv",
            STORE,
            "Which region has the highest profit for tables?",
            vec!["West had the highest profit for tables with 7, ahead of south with \u{2212}3."],
        ),
        (
            "store.csv",
            STORE,
            "Which regions and categories earn the most profit?",
            vec![
                "West had the highest profit with 12, ahead of south with \u{2212}3.",
                "Chairs had the highest profit with 5, ahead of tables with 4.",
            ],
        ),
        (
            "store.csv",
            STORE,
            "How are the categories distributed?",
            vec!["Tables made up 66.7 % of the rows, chairs 33.3 %."],
        ),
    ] {
        assert_eq!(told(name, table, question), wanted, "{question}");
    }
}

#[test]
fn what_stood_month_by_month_is_told_to_the_last_whole_year_and_not_added_up() {
    let mut table = String::from("month,staff,sales\n");
    for at in 0..24 {
        table.push_str(&format!(
            "{}-{:02}-01,{},{}\n",
            2024 + at / 12,
            at % 12 + 1,
            100 + at / 12 * 10,
            10 + at / 12
        ));
    }
    assert_eq!(
        told("firm.csv", &table, "How did staff and sales develop?"),
        [
            "Average staff rose by 10 % from 2024 to 2025, from 100 to 110.",
            "Sales rose by 10 % from 2024 to 2025, from 120 to 132."
        ]
    );
    assert_eq!(
        told("firm.csv", &table, "When was staff highest?"),
        ["Staff was highest in January 2025 with 110."]
    );
}
