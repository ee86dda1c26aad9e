use super::*;
use crate::question::{Aggregate, Ask, Filter, Measure, Test};
use crate::source::Context;
use crate::{Grain, profile};

const SALES: &str = "day,region,shop,revenue_eur,orders\n2024-01-01,north,s1,10,1\n2024-07-01,south,s2,20,2\n2025-01-01,north,s1,30,3\n2025-12-31,south,s3,40,4\n";
const SHOPS: &str = "shop,town\ns1,Harlund\ns2,Ostby\ns3,Ostby\n";

fn tables() -> Profiles {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = [("sales.csv", SALES), ("shops.csv", SHOPS)].map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path
    });
    profile::of_files(&paths, &[], &Context::default()).expect("profiled")
}

fn revenue() -> Measure {
    Measure::sum("revenue_eur")
}

fn of(how: Aggregate, column: &str) -> Measure {
    Measure { how, column: Some(column.to_owned()) }
}

#[test]
fn words_become_typed_questions_in_three_languages() {
    let profiles = tables();
    for (text, expected) in [
        ("What was the total revenue in 2024?", Ask::Total { measure: revenue() }),
        ("Wie hoch war der Umsatz insgesamt 2024?", Ask::Total { measure: revenue() }),
        ("Какова общая выручка в 2024 году?", Ask::Total { measure: revenue() }),
        ("What is the average number of orders?", Ask::Total { measure: of(Aggregate::Mean, "orders") }),
        (
            "Which region has the highest revenue?",
            Ask::Ranking { measure: revenue(), by: "region".to_owned(), top: 1, ascending: false },
        ),
        (
            "What are the top 3 shops by revenue?",
            Ask::Ranking { measure: revenue(), by: "shop".to_owned(), top: 3, ascending: false },
        ),
        (
            "Which town has the lowest revenue?",
            Ask::Ranking { measure: revenue(), by: "shops.town".to_owned(), top: 1, ascending: true },
        ),
        (
            "What share of revenue comes from north?",
            Ask::Share { measure: revenue(), by: "region".to_owned(), of: vec!["north".to_owned()] },
        ),
        (
            "In which year was revenue highest?",
            Ask::Peak { measure: revenue(), grain: Grain::Year, lowest: false },
        ),
        (
            "How many different shops are there in sales?",
            Ask::Total { measure: of(Aggregate::Distinct, "shop") },
        ),
        ("Revenue per orders?", Ask::Ratio { above: revenue(), below: Measure::sum("orders") }),
        (
            "Is revenue correlated with orders?",
            Ask::Correlation { x: "revenue_eur".to_owned(), y: "orders".to_owned(), grain: None },
        ),
        ("How does revenue develop by month?", Ask::Trend { measure: revenue(), grain: Some(Grain::Month) }),
        (
            "Compare revenue by region",
            Ask::Comparison { measure: revenue(), by: "region".to_owned(), groups: Vec::new() },
        ),
        (
            "How much of the target of 200 does the total revenue reach?",
            Ask::Target { measure: revenue(), target: crate::question::Goal::Value(200_i64.into()) },
        ),
    ] {
        let read = understand("q", text, &profiles);
        assert_eq!(read.question.as_ref().map(|question| &question.ask), Some(&expected), "{text}: {read:?}");
        assert!(read.understood.ends_with('.'), "{}", read.understood);
    }
}

#[test]
fn values_bounds_and_times_become_filters() {
    let profiles = tables();
    let read =
        understand("q", "What was the total revenue in north since 2025?", &profiles).question.expect("read");
    assert_eq!(
        read.filters,
        [Filter { column: "region".to_owned(), test: Test::Is(vec!["north".to_owned()]) }]
    );
    assert_eq!(read.period.map(|period| period.from.to_string()).as_deref(), Some("2025-01-01"));
    let read = understand(
        "q",
        "What was the total revenue of sales with orders above 2 in Ostby in July 2024?",
        &profiles,
    )
    .question
    .expect("read");
    assert_eq!(read.filters[0].column, "shops.town");
    assert_eq!(read.filters[1], Filter { column: "orders".to_owned(), test: Test::Above(2_i64.into()) });
    assert_eq!(read.period.map(|period| period.to_string()).as_deref(), Some("2024-07"));
    let change =
        understand("q", "How did revenue change from 2024 to 2025?", &profiles).question.expect("read");
    assert!(matches!(change.ask, Ask::Change { from: Some(_), to: Some(_), .. }));
}

#[test]
fn what_the_tables_do_not_have_is_refused_with_the_word() {
    let profiles = tables();
    for (text, part) in [
        ("What was the total profit in 2024?", "nothing in the data is called \"profit\""),
        ("What was the revenue in Paris?", "nothing in the data is called \"Paris\""),
        ("Why did revenue fall in 2025?", "\"Why\" asks for causes"),
        ("What will revenue be next year?", "tables only tell what was"),
        ("Show the RSI of revenue", "technical indicator"),
        ("How many are there?", "how many of what"),
        ("revenue and orders", "does not say what is to be done"),
        ("???", "no words"),
    ] {
        let read = understand("q", text, &profiles);
        assert!(read.question.is_none(), "{text}: {read:?}");
        assert!(read.refused.as_deref().is_some_and(|reason| reason.contains(part)), "{text}: {read:?}");
    }
    assert!(understand("q", "total revenue", &Profiles::default()).refused.is_some());
}

#[test]
fn the_choice_of_how_is_told() {
    let read = understand("q", "What was the revenue in 2024?", &tables());
    assert!(read.notes.iter().any(|note| note.contains("taken as its sum")), "{read:?}");
}

/// A table that repeats its days as years and months, as many exports do.
fn repeated() -> Profiles {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("jobs.csv");
    let mut text = String::from("year,month,day,count\n");
    for at in 0..30 {
        let (year, month) = (2020 + at / 12, at % 12 + 1);
        text.push_str(&format!("{year},{month},{year}-{month:02}-01,{}\n", 100 + at));
    }
    std::fs::write(&path, text).expect("written");
    profile::of_files(&[path], &[], &Context::default()).expect("profiled")
}

#[test]
fn months_beside_days_are_times_and_no_measure() {
    let profiles = repeated();
    let time = profiles.tables[0].time.as_ref().expect("a time");
    assert_eq!((time.column.as_str(), time.frequency), ("day", Some(Grain::Month)));
    let read = understand("q", "Which month has the highest count?", &profiles);
    let ask = read.question.map(|question| question.ask);
    assert_eq!(
        ask,
        Some(Ask::Peak { measure: Measure::sum("count"), grain: Grain::Month, lowest: false }),
        "{:?}",
        read.refused
    );
    let read = understand("q", "What was the average count in each year?", &profiles);
    let measure = of(Aggregate::Mean, "count");
    assert_eq!(
        read.question.map(|question| question.ask),
        Some(Ask::Trend { measure, grain: Some(Grain::Year) })
    );
}

#[test]
fn what_is_known_by_the_year_is_not_told_by_the_month() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("census.csv");
    std::fs::write(&path, "year,people\n1950,10\n1955,12\n1960,15\n1965,19\n").expect("written");
    let profiles = profile::of_files(&[path], &[], &Context::default()).expect("profiled");
    let question =
        understand("q", "Which month has the highest people?", &profiles).question.expect("a question");
    let answers = crate::compute::answers(&profiles, &[question], &Context::default()).expect("answered");
    assert!(
        answers[0].refused.as_ref().is_some_and(|why| why.contains("tells no more than the year")),
        "{answers:?}"
    );
    // The last year is over, although no other follows it.
    let question = understand("q", "How did people develop?", &profiles).question.expect("a question");
    let answers = crate::compute::answers(&profiles, &[question], &Context::default()).expect("answered");
    assert_eq!(answers[0].series[0].partial, 0, "{answers:?}");
}

fn one(name: &str, text: &str) -> Profiles {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("written");
    profile::of_files(&[path], &[], &Context::default()).expect("profiled")
}

#[test]
fn a_part_of_a_question_is_never_answered_as_the_whole() {
    let ozone = one("air.csv", "Ozone,Temp,Month,Day\n41,67,5,1\n36,72,5,2\n12,74,6,1\n18,62,6,2\n");
    let wed = one(
        "wed.csv",
        "Year,Marriages,Divorces,Divorces_per_1000\n1990,357,10,0.3\n1991,345,12,0.4\n1992,300,15,0.5\n",
    );
    let weather = one(
        "weather.csv",
        "location,date,precip,weather\nSeattle,2012-01-01,0,rain\nSeattle,2012-01-02,1,snow\nNew York,2012-01-01,2,rain\nNew York,2012-01-02,0,rain\n",
    );
    let cars = one("cars.csv", "mpg,yr,origin\n18,70,1\n20,71,2\n22,72,3\n");
    for (profiles, text, part) in [
        (&ozone, "Which month was hottest?", "no column of numbers"),
        (&ozone, "How did ozone develop over the months?", "no column of days"),
        (&wed, "In which year was it highest?", "no column of numbers"),
        (&wed, "How many divorces come for one marriage?", "\"Marriages\""),
        (&wed, "How did it develop?", "nothing to count"),
        (&weather, "When was the wettest month?", "no column of numbers"),
        (&weather, "Which location and weather has the highest precip?", "beside what was understood"),
        (&cars, "How did mpg develop over the years?", "no column of days"),
    ] {
        let read = understand("q", text, profiles);
        assert!(read.refused.as_deref().is_some_and(|reason| reason.contains(part)), "{text}: {read:?}");
    }
    for (profiles, text, expected) in [
        (
            &wed,
            "When were divorces per 1000 highest?",
            Ask::Peak {
                measure: of(Aggregate::Mean, "Divorces_per_1000"),
                grain: Grain::Year,
                lowest: false,
            },
        ),
        (
            &weather,
            "How is the weather distributed?",
            Ask::Share { measure: Measure::rows(), by: "weather".to_owned(), of: Vec::new() },
        ),
        (
            &weather,
            "Which weather is used most?",
            Ask::Ranking { measure: Measure::rows(), by: "weather".to_owned(), top: 1, ascending: false },
        ),
    ] {
        let read = understand("q", text, profiles);
        let mut asked = read.question.map(|question| question.ask);
        if let (Some(Ask::Peak { measure, .. }), Ask::Peak { measure: wanted, .. }) = (&mut asked, &expected)
        {
            // One row each: its cell is no average and may be called either.
            measure.how = wanted.how;
        }
        assert_eq!(asked, Some(expected), "{text}: {:?}", read.refused);
    }
}

#[test]
fn how_things_stood_is_not_added_up_over_months() {
    let mut text = String::from("month,staff,revenue_eur\n");
    for at in 0..36 {
        text.push_str(&format!("{}-{:02}-01,{},{}\n", 2020 + at / 12, at % 12 + 1, 100 + at, 1000 + at));
    }
    let profiles = one("firm.csv", &text);
    for (text, how) in [
        ("How did staff change by year?", Aggregate::Mean),
        ("How did revenue change by year?", Aggregate::Sum),
        ("What was the total staff?", Aggregate::Sum),
    ] {
        let ask = understand("q", text, &profiles).question.expect("a question").ask;
        let (Ask::Change { measure, .. } | Ask::Total { measure }) = ask else { panic!("{text}: {ask:?}") };
        assert_eq!(measure.how, how, "{text}");
    }
    let ask =
        understand("q", "In which month was staff lowest?", &profiles).question.expect("a question").ask;
    assert!(matches!(ask, Ask::Peak { measure, .. } if measure.how == Aggregate::Sum));
}
