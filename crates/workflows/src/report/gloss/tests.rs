use baton_figures::reading::called::Rows;

use super::*;

const BOARD: &str = "Cigarettes in the American states, for the board:

- How did the packs sold per head (packpc) develop from 1985 to 1995?
- How did the average price in cents (avgprs) and the tax develop, year by year?
- Is a higher income per head (inc_pc, in dollars) a sign of more (packpc)?";

fn columns(query: &str) -> Vec<(String, String)> {
    read(query).columns.into_iter().collect()
}

fn pair(code: &str, words: &str) -> (String, String) {
    (code.to_owned(), words.to_owned())
}

#[test]
fn glosses_are_read_in_every_form() {
    let expected =
        [pair("avgprs", "price"), pair("inc_pc", "income per head"), pair("packpc", "packs sold per head")];
    assert_eq!(columns(BOARD), expected);
    assert_eq!(read(BOARD).units, [pair("avgprs", "cents"), pair("inc_pc", "USD")].into());
    for (query, expected) in [
        ("`packpc` is packs sold per head.", vec![pair("packpc", "packs sold per head")]),
        ("`packpc` means the packs sold, in cents", vec![pair("packpc", "packs sold")]),
        ("packpc: packs sold per head", vec![pair("packpc", "packs sold per head")]),
        ("- avgprs: average price, in cents", vec![pair("avgprs", "average price")]),
        ("How are the market values (marketvalue) distributed?", vec![pair("marketvalue", "market values")]),
        (
            "How is the average income of the districts (avginc, in thousand dollars) distributed?",
            vec![pair("avginc", "income of the districts")],
        ),
        (
            "Do patients with more nodes have a shorter recurrence-free time (time, in days)?",
            vec![pair("time", "recurrence-free time")],
        ),
        // What is no gloss.
        ("Revenue: how did it develop?", vec![]),
        ("revenue: how it developed", vec![]),
        ("How did sales develop (in euros, by month)?", vec![]),
        ("How did revenue (revenue) develop?", vec![]),
        ("Which shops (all of them) sold most?", vec![]),
    ] {
        assert_eq!(columns(query), expected, "{query}");
    }
}

#[test]
fn rows_are_called_what_the_query_counts() {
    let rows = |called: &str, count: Option<u64>, sure: bool| Rows { called: called.to_owned(), count, sure };
    for (query, expected) in [
        ("The two thousand largest companies of the list.", rows("companies", Some(2000), false)),
        ("The 2,000 largest companies", rows("companies", Some(2000), false)),
        ("How many flights were late?", rows("flights", None, false)),
        ("Each row is a company.", rows("companies", None, true)),
        ("It has one row per person.", rows("people", None, true)),
        ("Which 5 employees earn most?", rows("employees", Some(5), false)),
    ] {
        assert_eq!(read(query).rows.first(), Some(&expected), "{query}");
    }
    assert_eq!(read("How did revenue develop over 12 months?").rows, []);
}

#[test]
fn words_go_behind_a_persons_own_tables_and_are_never_doubled() {
    let once = with_words(Some("# mine"), BOARD).unwrap();
    let twice = with_words(Some(&once), BOARD).unwrap();
    assert_eq!(once, twice);
    let called = baton_figures::reading::file::called(&once).unwrap();
    assert_eq!(called, read(BOARD));
    assert_eq!(with_words(None, "?"), None);
    let own = "[words.columns]\npackpc = \"packs\"";
    assert_eq!(with_words(Some(own), BOARD).as_deref(), Some(own));
}

#[test]
fn what_is_said_of_all_amounts_is_repeated() {
    assert_eq!(
        amounts("The list of 2004, amounts in billions of US dollars.").as_deref(),
        Some("Amounts are in billions of US dollars, as the query says.")
    );
    assert_eq!(amounts("Which amounts in north were largest?"), None);
}
