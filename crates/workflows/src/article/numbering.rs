//! Numbers in front of titles, headings and clauses: they tell where something stands in its document, and mean nothing
//! outside it.

/// A text without the number of its chapter, section or clause in front.
#[must_use]
pub fn unnumbered(text: &str) -> &str {
    let text = text.trim_start();
    let Some((first, rest)) = text.split_once(' ') else { return text };
    let rest = rest.trim_start();
    if is_part(first) {
        // "Chapter 4. A Detailed History"; a chapter that has no name but its number keeps it.
        return match rest.split_once(' ') {
            Some((number, name)) if is_number(number) && !name.trim().is_empty() => name.trim_start(),
            _ => text,
        };
    }
    if is_number(first) && first.contains(['.', ')']) && !rest.is_empty() { rest } else { text }
}

fn is_part(word: &str) -> bool {
    ["chapter", "appendix", "part", "section", "kapitel", "anhang", "abschnitt"]
        .contains(&word.to_lowercase().as_str())
}

/// `4`, `4.13.2.`, `I.8.4`, `A.`: digits and single letters, with dots between them.
fn is_number(word: &str) -> bool {
    let mut parts = word.trim_end_matches(['.', ')', ':']).split('.').peekable();
    let one = |part: &str| {
        let digits = !part.is_empty() && part.chars().all(|letter| letter.is_ascii_digit());
        let roman = !part.is_empty() && part.chars().all(|letter| "IVX".contains(letter));
        digits || roman || (part.len() == 1 && part.chars().all(|letter| letter.is_ascii_uppercase()))
    };
    parts.all(one)
}

#[cfg(test)]
mod tests {
    use super::unnumbered;

    #[test]
    fn numbers_of_parts_go_and_other_numbers_stay() {
        let cases = [
            ("Chapter 4. A Detailed History", "A Detailed History"),
            ("4.13.2. Package pools", "Package pools"),
            ("I.8.4 How were they run?", "How were they run?"),
            ("A.1. Using accounts", "Using accounts"),
            ("2) Cables", "Cables"),
            ("Chapter 4", "Chapter 4"),
            ("12 plants are in use", "12 plants are in use"),
            ("A heat pump", "A heat pump"),
            ("I think so", "I think so"),
            ("Section leaders", "Section leaders"),
        ];
        for (text, wanted) in cases {
            assert_eq!(unnumbered(text), wanted, "{text}");
        }
    }
}
