//! Items of a list, of which a question wants one: "how often are the boilers tested" is told by one item of the minutes,
//! and the others next to it are about something else.

use std::ops::Range;

use baton_agents::rules::lines::bullet_len;
use baton_agents::rules::question::ParsedQuestion;

/// Of several items the one that has most of what is asked, by its place in the text; none if no single one stands out.
#[must_use]
pub fn narrowed(text: &str, list: &Range<usize>, question: &ParsedQuestion) -> Option<Range<usize>> {
    let items = items(text, list)?;
    let found = |at: &Range<usize>| {
        let stems = question.stems(&text[at.clone()]);
        question.terms.iter().filter(|term| stems.contains(&term.stem)).count()
    };
    let counts: Vec<usize> = items.iter().map(found).collect();
    let most = counts.iter().copied().max().filter(|most| *most > 0)?;
    let mut best = items.into_iter().zip(counts).filter(|(_, count)| *count == most).map(|(item, _)| item);
    let first = best.next()?;
    best.next().is_none().then_some(first)
}

/// The items of a list that opens with one; none for other text and for a single item.
fn items(text: &str, list: &Range<usize>) -> Option<Vec<Range<usize>>> {
    let mut items: Vec<Range<usize>> = Vec::new();
    let mut at = list.start;
    for line in text.get(list.clone())?.split_inclusive('\n') {
        let from = at + line.len() - line.trim_start().len();
        let to = at + line.trim_end().len();
        at += line.len();
        match items.last_mut() {
            _ if from >= to => {}
            _ if bullet_len(line.trim_start()) > 0 => items.push(from..to),
            Some(last) => last.end = to,
            None => return None,
        }
    }
    (items.len() > 1).then_some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_item_that_was_asked_for_is_told_alone() {
        let text = "- The alarm limit was raised.\n- The reserve boilers are\n  tested every week.\n- The store is full.";
        let asked = |question: &str| {
            let question = ParsedQuestion::new(question);
            narrowed(text, &(0..text.len()), &question).map(|at| text[at].to_owned())
        };
        let wanted = "- The reserve boilers are\n  tested every week.";
        assert_eq!(asked("How often are the reserve boilers tested?").as_deref(), Some(wanted));
        assert_eq!(asked("What was decided?"), None);
        assert_eq!(items("No list at all.", &(0..15)), None);
    }
}
