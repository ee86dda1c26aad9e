//! Causes: the words that claim one, which no figure carries, and the words that deny one.

/// Words that make a cause of what only happened together. They stand in no list above; named so that nobody adds them.
pub const CAUSAL: &[&str] = &[
    "cause",
    "causes",
    "because",
    "due",
    "caused",
    "causing",
    "drove",
    "driven",
    "driving",
    "thanks",
    "owing",
    "therefore",
    "thus",
    "hence",
    "consequently",
    "resulted",
    "result",
    "results",
    "resulting",
    "explains",
    "explained",
    "impact",
    "effect",
    "effects",
    "affected",
    "influenced",
    "boosted",
    "lifted",
    "pushed",
    "pulled",
    "triggered",
    "fuelled",
    "fueled",
    "enabled",
    "reason",
    "so",
    "why",
];

/// What is said of a correlation so that nobody takes it for a cause: "which says nothing about a cause".
const NO_CAUSE: &[(&[&str], &[&str])] = &[
    (
        &["says nothing", "say nothing", "tells us nothing", "tells nothing", "shows nothing"],
        &["about a cause", "about the cause", "about causes", "about cause", "of a cause", "about causation"],
    ),
    (&["is", "proves", "shows"], &["no cause", "not a cause", "no proof of a cause"]),
    (
        &["does not", "do not", "need not"],
        &[
            "say that there is a cause",
            "show a cause",
            "prove a cause",
            "imply a cause",
            "mean a cause",
            "mean that there is a cause",
        ],
    ),
];

/// A sentence without the words that deny a cause; none if it has no such words.
pub fn without_no_cause(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let phrases = NO_CAUSE.iter().flat_map(|(verbs, objects)| {
        verbs.iter().flat_map(move |verb| objects.iter().map(move |object| format!("{verb} {object}")))
    });
    let found = phrases.filter_map(|phrase| Some((lower.find(&phrase)?, phrase.len()))).next()?;
    let (at, length) = found;
    let (before, behind) = (text.get(..at)?, text.get(at + length..)?);
    Some(format!("{before}{behind}"))
}
