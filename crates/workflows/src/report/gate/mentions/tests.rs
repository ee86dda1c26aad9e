use super::*;

/// Sentences over columns that are called by words, and the columns they name.
const NAMED: [(&str, &[&str]); 4] = [
    ("Packs sold per head fell by 21.1 %.", &["packs sold per head"]),
    ("While the average price rose, packs sold per head fell.", &["average price", "packs sold per head"]),
    ("Prices rose on average.", &[]),
    ("Packs fell, market values rose.", &["packs", "market values"]),
];

#[test]
fn words_of_a_gloss_name_their_column_and_no_other() {
    let measures =
        ["packs", "packs sold per head", "average price", "market values"].map(str::to_owned).to_vec();
    for (text, expected) in NAMED {
        let parsed = Parsed::new(text, &[], &measures);
        let found: Vec<&str> = parsed
            .mentions
            .iter()
            .filter_map(|mention| match &mention.what {
                What::Measure(name) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}
