//! A quote as its own statement: what is left of a proposed fact whose statement says more than its quote does.

use baton_agents::evidence::{Fact, Source, admit, admit_at, quote};
use baton_agents::rules::antecedent::untied;

use super::acts::Proposal;
use super::antecedent::{complete, leans};
use super::skills::read::speaks_to_machines;
use super::source::Candidate;

/// The longest quote that may stand for itself.
const LONGEST_QUOTE: usize = 600;

/// A fact that states its quote; none if the quote is not there, is too long, or speaks to machines. What leans on the
/// sentence before it is stated without the word that ties it, or together with that sentence.
pub(super) fn verbatim(proposal: &Proposal, source: &Source, text: &str) -> Option<Fact> {
    let statement = stated(&proposal.quote);
    let is_fit = |statement: &str| {
        statement.len() <= LONGEST_QUOTE
            && statement != proposal.statement
            && !statement.contains('|')
            && !leans(statement)
            && !speaks_to_machines(statement)
    };
    let own = |statement: &str| admit(&proposal.id, statement, &proposal.quote, source, text, 1.0).ok();
    if !leans(&statement) {
        return Some(statement).filter(|statement| is_fit(statement)).and_then(|statement| own(&statement));
    }
    if let Some(fact) = untied(&statement).filter(|untied| is_fit(untied)).and_then(|untied| own(&untied)) {
        return Some(fact);
    }
    let range = quote::find(text, &proposal.quote)?;
    let alone = Candidate {
        text: text[range.clone()].to_owned(),
        heading: String::new(),
        page: None,
        ranges: vec![range],
        score: 0.0,
    };
    let whole = complete(text, alone)?;
    let statement = stated(&whole.text);
    let fact = || admit_at(&proposal.id, &statement, &whole.text, &whole.ranges, source, text).ok();
    is_fit(&statement).then(fact).flatten()
}

/// A quote as a sentence: on one line, without the mark of a list before it and what leads on to the next item.
fn stated(quote: &str) -> String {
    let line = quote.split_whitespace().collect::<Vec<_>>().join(" ");
    let item = line.strip_prefix('(').and_then(|rest| rest.split_once(") "));
    let item = item.filter(|(mark, _)| mark.len() <= 3 && mark.chars().all(char::is_alphanumeric));
    let said = item.map_or(line.as_str(), |(_, rest)| rest);
    let ended = ["; and", "; or", ";"].iter().find_map(|end| said.strip_suffix(end));
    ended.map_or_else(|| said.to_owned(), |said| format!("{said}."))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use baton_agents::evidence::{Authority, Source};
    use baton_agents::search::Location;

    use super::super::acts::Proposal;
    use super::verbatim;

    const TEXT: &str = "5. Termination\n\n5.1. The rights will terminate automatically if You fail to comply. However, if You \
        become compliant, then the rights are reinstated. They last for 60 days.\n\n    (a) You must give recipients a copy; and\n\n\
        1.10. \"Modifications\"\n    means any file that results from an addition.";

    #[test]
    fn a_quote_states_itself_where_its_statement_does_not_hold() {
        let source = Source {
            id: "s".to_owned(),
            location: Location::Path(PathBuf::from("licence.txt")),
            title: "Licence".to_owned(),
            date: None,
            authority: Authority::Blog,
            raw_hash: String::new(),
            text_hash: String::new(),
        };
        for (quote, stated) in [
            (
                "However, if You become compliant, then the rights are reinstated.",
                Some("If You become compliant, then the rights are reinstated."),
            ),
            (
                "They last for 60 days.",
                Some(
                    "5.1. The rights will terminate automatically if You fail to comply. However, if You become compliant, then the rights are reinstated. They last for 60 days.",
                ),
            ),
            ("(a) You must give recipients a copy; and", Some("You must give recipients a copy.")),
            (
                "1.10. \"Modifications\"\n    means any file that results from an addition.",
                Some("1.10. \"Modifications\" means any file that results from an addition."),
            ),
            ("The rights last for ever.", None),
        ] {
            let statement = "Everything is allowed.".to_owned();
            let proposal =
                Proposal { id: "R1.1".to_owned(), statement, quote: quote.to_owned(), ranges: Vec::new() };
            let fact = verbatim(&proposal, &source, TEXT);
            assert_eq!(fact.map(|fact| fact.statement).as_deref(), stated, "{quote}");
        }
    }
}
