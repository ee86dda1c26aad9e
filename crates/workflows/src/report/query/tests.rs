use super::*;

#[test]
fn titles_are_cut_where_a_clause_ends_and_questions_stay_whole() {
    for (text, title) in [
        (
            "The two thousand largest companies of the Forbes list of 2004, amounts in billions of US dollars.",
            "The two thousand largest companies of the Forbes list of 2004",
        ),
        (
            "how many companies does each country have, and which share do the United States have?",
            "How many companies does each country have, and which share do the United States have?",
        ),
        (
            "Cigarettes in the American states, for the board:",
            "Cigarettes in the American states, for the board",
        ),
        ("costs by region", "Costs by region"),
        (
            "A sentence of eighty letters and more that nobody has parted by any mark stands whole above it",
            "A sentence of eighty letters and more that nobody has parted by any mark stands whole above it",
        ),
    ] {
        assert_eq!(topic_of(text), title);
    }
}

#[test]
fn the_line_above_bullets_is_no_question() {
    let query =
        Query::read("Cigarettes, for the board:\n\n- How did sales develop?\n- Which states sold most?");
    let asked: Vec<&str> = query.asked.iter().flat_map(|it| &it.questions).map(String::as_str).collect();
    assert_eq!(asked, ["How did sales develop?", "Which states sold most?"]);
    assert_eq!(query.preamble, ["Cigarettes, for the board:"]);
    // A query that begins with a bullet is one.
    assert_eq!(Query::read("- How did sales develop?").asked[0].questions, ["How did sales develop?"]);
}
