//! What rules say to questions over small tables: nothing of what was asked may be lost on the way.

use baton_figures::Answer;
use baton_figures::compute::answers;
use baton_figures::profile::of_files;
use baton_figures::source::Context;

use crate::report::gloss;
use crate::report::planner::reading::{missing_end, missing_group, read};
use crate::report::planner::with_those_behind;
use crate::report::tell::{tell, yes_or_no};

fn told(name: &str, table: &str, question: &str) -> Vec<String> {
    told_with(name, table, "", question)
}

/// The same where the query says more than the question.
fn told_with(name: &str, table: &str, said: &str, question: &str) -> Vec<String> {
    answered(name, table, said, question).iter().flat_map(tell).map(|sentence| sentence.text()).collect()
}

fn answered(name: &str, table: &str, said: &str, question: &str) -> Vec<Answer> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, table).unwrap();
    let context = Context { called: gloss::read(&format!("{said}\n{question}")), ..Context::default() };
    let profiles = of_files(&[path], &[], &context).unwrap();
    let Ok(typed) = read(question, &profiles) else { return Vec::new() };
    let typed: Vec<_> = typed.into_iter().map(with_those_behind).collect();
    answers(&profiles, &typed, &Context::default()).unwrap()
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

/// Three states over three years.
const PACKS: &str = "state,year,packpc,avgprs,tax\n\
    KY,1985,190,90,20\nUT,1985,70,110,40\nNH,1985,160,95,25\n\
    KY,1986,150,120,22\nUT,1986,40,150,60\nNH,1986,120,130,30\n\
    KY,1987,172,115,24\nUT,1987,50,145,55\nNH,1987,156,125,32\n";
const FIRMS: &str = "rank,name,country,sales,marketvalue\n1,Citi,US,95,255\n2,Shell,UK,134,159\n\
    3,Total,France,131,116\n4,Exxon,US,222,277\n";

#[test]
fn columns_and_rows_are_called_as_the_query_calls_them() {
    for (name, table, said, question, wanted) in [
        (
            "packs.csv",
            PACKS,
            "",
            "How did the average packs sold per head (packpc) develop from 1985 to 1987?",
            "Average packs sold per head fell by 10 % from 1985 to 1987, from 140 to 126.",
        ),
        (
            "packs.csv",
            PACKS,
            "avgprs: average price, in cents.",
            "When was the average price highest?",
            "Average price was highest in 1986 with 133.3 cents.",
        ),
        (
            "firms.csv",
            FIRMS,
            "The four largest companies of the list.",
            "Which share of the companies do the US have?",
            "Country US made up 50 % of the companies.",
        ),
        ("firms.csv", FIRMS, "", "What is the average market value?", "Average market value was 201.8."),
    ] {
        assert_eq!(
            told_with(name, table, said, question).first().map(String::as_str),
            Some(wanted),
            "{question}"
        );
    }
    // Without a word of what a row is nothing is counted.
    assert_eq!(told("firms.csv", FIRMS, "How many employees are there?"), Vec::<String>::new());
}

#[test]
fn a_question_is_answered_whole() {
    for (name, table, said, question, wanted) in [
        (
            "packs.csv",
            PACKS,
            "",
            "Which states sold the most and the fewest packs per head (packpc) in 1987?",
            vec![
                "State KY had the most packs per head in 1987 with 172, ahead of state NH with 156 and state UT with 50.",
                "State UT had the fewest packs per head in 1987 with 50, followed by state NH with 156 and state KY with 172.",
            ],
        ),
        (
            "packs.csv",
            PACKS,
            "",
            "How did the average price (avgprs) and the tax develop, year by year?",
            vec![
                "Average price rose by 30.5 % from 1985 to 1987, from 98.33 to 128.3, with a high of 133.3 in 1986.",
                "Average tax rose by 30.6 % from 1985 to 1987, from 28.33 to 37, with a high of 37.33 in 1986.",
            ],
        ),
        (
            "packs.csv",
            PACKS,
            "packpc: packs sold per head",
            "How did the average packs sold per head develop, year by year?",
            vec![
                "Average packs sold per head fell by 10 % from 1985 to 1987, from 140 to 126, with a low of 103.3 in 1986.",
            ],
        ),
        (
            "firms.csv",
            FIRMS,
            "The four largest companies of the list.",
            "How many companies does each country have, and which share do the US have?",
            vec![
                "The number of companies was 2 for country US, 1 for France and 1 for country UK.",
                "Country US made up 50 % of the companies.",
            ],
        ),
    ] {
        assert_eq!(told_with(name, table, said, question), wanted, "{question}");
    }
}

#[test]
fn yes_or_no_is_said_where_it_is_asked() {
    let said = "avgprs: average price\npackpc: packs sold per head\nThe four largest companies";
    for (table, question, wanted) in [
        (
            PACKS,
            "Is a higher price associated with fewer packs per head?",
            "Yes: where the average price was higher, packs sold per head tended to be lower (correlation \u{2212}0.75, row by row); this says nothing about a cause.",
        ),
        (
            PACKS,
            "Is a higher price associated with more packs per head?",
            "No: where the average price was higher, packs sold per head tended to be lower (correlation \u{2212}0.75, row by row); this says nothing about a cause.",
        ),
        (
            FIRMS,
            "Do companies with more sales also have a higher market value?",
            "Yes: where sales were higher, the market value tended to be higher too (correlation 0.39, row by row); this says nothing about a cause.",
        ),
        (
            "a,b\n1,2\n2,1\n3,1\n4,2\n",
            "Is a higher a associated with a higher b?",
            "Hardly: the a and the b have no connection to speak of (correlation 0, row by row); this says nothing about a cause.",
        ),
        (PACKS, "Is the price associated with packs per head?", ""),
        (PACKS, "How is a higher price related to fewer packs per head?", ""),
    ] {
        let answers = answered("firms.csv", table, said, question);
        let found = answers.first().and_then(|answer| yes_or_no(question, answer)).map(|it| it.text());
        assert_eq!(found.unwrap_or_default(), wanted, "{question}: {answers:?}");
    }
}

#[test]
fn what_is_a_share_already_changes_by_points() {
    let table = "year,turnout_pct\n2000,60\n2004,58\n2008,54\n2012,51\n";
    assert_eq!(
        told("votes.csv", table, "How did turnout pct develop from 2000 to 2012?"),
        ["Turnout fell by 9 percentage points from 2000 to 2012, from 60 % to 51 %."]
    );
}

#[test]
fn an_end_that_no_typed_question_seeks_is_left_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.csv");
    std::fs::write(&path, STORE).unwrap();
    let profiles = of_files(&[path], &[], &Context::default()).unwrap();
    let both = read("Which region has the highest and the lowest profit?", &profiles).unwrap();
    let (highest, all): (Vec<&_>, Vec<&_>) = (both.iter().take(1).collect(), both.iter().collect());
    let asked = "Which region has the highest and the lowest profit?";
    assert_eq!(missing_end(asked, &highest).as_deref(), Some("the lowest"));
    assert_eq!(missing_end(asked, &all), None);
    assert_eq!(missing_end("Which region has the highest profit?", &highest), None);
    let total = read("What is the total profit?", &profiles).unwrap();
    let total: Vec<&_> = total.iter().collect();
    let which = "In which regions did profit rise?";
    assert_eq!(missing_group(which, &total, &profiles).as_deref(), Some("which regions"));
    assert_eq!(missing_group(which, &highest, &profiles), None);
}
