//! What a reviewer beside the rules said of one tree. It can add findings and nothing else; what makes it less than a sound
//! review is said with it, and weighs.

use std::collections::BTreeSet;

use baton_agents::parse::{Wanted, parse};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Cost;
use super::order::{Finding, Severity};

/// How a project stands, by whoever judges it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Health {
    /// Plan and tree agree.
    #[default]
    #[serde(rename = "ON_TRACK")]
    OnTrack,
    /// Something small is missing.
    #[serde(rename = "NEEDS_ADJUSTMENT")]
    NeedsAdjustment,
    /// They have parted.
    #[serde(rename = "OFF_TRACK")]
    OffTrack,
}

impl Health {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::OnTrack => "ON_TRACK",
            Self::NeedsAdjustment => "NEEDS_ADJUSTMENT",
            Self::OffTrack => "OFF_TRACK",
        }
    }

    /// What a word means.
    fn of(word: &str) -> Option<Self> {
        [Self::OnTrack, Self::NeedsAdjustment, Self::OffTrack].into_iter().find(|it| it.word() == word)
    }
}

/// What a reviewer said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opinion {
    /// Who.
    pub by: String,
    /// The tree it looked at.
    pub tree: String,
    /// What it found.
    pub findings: Vec<Finding>,
    /// How the project stands, where it was asked that and answered soundly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health: Option<Health>,
    /// Why this is no sound review, if it is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// What it cost.
    #[serde(default, skip_serializing_if = "Cost::is_free")]
    pub cost: Cost,
}

impl Opinion {
    /// A review that did not come about.
    pub fn missing(by: &str, tree: &str, why: impl Into<String>) -> Self {
        let (by, tree) = (by.to_owned(), tree.to_owned());
        Self { by, tree, findings: Vec::new(), health: None, doubt: Some(why.into()), cost: Cost::Free }
    }

    /// What is added to the findings of the rules: its own, and that it is no sound review if it is none.
    pub fn weigh(&self, required: bool) -> Vec<Finding> {
        let doubt = self.doubt.iter().map(|why| Finding {
            rule: "review".to_owned(),
            severity: if required { Severity::Blocker } else { Severity::Major },
            path: String::new(),
            what: format!("there is no sound review by {}: {why}", self.by),
            by: "rules".to_owned(),
        });
        self.findings.iter().cloned().chain(doubt).collect()
    }
}

/// Reads findings from an agent's last words. `known` are the files they can be about. What cannot be read, and what is
/// said of files that are not there, is left out and told.
pub fn read(words: &str, by: &str, known: &BTreeSet<String>) -> (Vec<Finding>, Option<String>) {
    let value = match parse(words, Wanted::Object) {
        Ok(parsed) => parsed.value,
        Err(refused) => return (Vec::new(), Some(format!("its answer cannot be read: {refused}"))),
    };
    let Some(listed) = value["findings"].as_array() else {
        return (Vec::new(), Some("its answer has no list `findings`".to_owned()));
    };
    let mut findings = Vec::new();
    let (mut strange, mut nowhere) = (0, BTreeSet::new());
    for item in listed {
        match finding(item, by) {
            None => strange += 1,
            Some(found) if !found.path.is_empty() && !known.contains(&found.path) => {
                nowhere.insert(found.path);
            }
            Some(found) => findings.push(found),
        }
    }
    let mut doubts = Vec::new();
    if strange > 0 {
        doubts.push(format!("{strange} of its {} findings have no known severity or no words", listed.len()));
    }
    if !nowhere.is_empty() {
        let files: Vec<&str> = nowhere.iter().map(String::as_str).take(5).collect();
        doubts.push(format!("it found something in files that are not there ({})", files.join(", ")));
    }
    (findings, (!doubts.is_empty()).then(|| doubts.join("; ")))
}

/// Reads a verdict on a project beside the findings it rests on. One that is not sound is none: a word nobody knows, or a
/// bad word without a finding. What must be mended is not on track, whatever else is said.
pub fn read_verdict(words: &str, findings: &[Finding]) -> Result<Health, String> {
    let value = parse(words, Wanted::Object).map(|parsed| parsed.value).unwrap_or_default();
    let word = value["health"].as_str().unwrap_or_default().trim();
    let Some(said) = Health::of(word) else {
        return Err("its answer has no `health` that is ON_TRACK, NEEDS_ADJUSTMENT or OFF_TRACK".to_owned());
    };
    if said > Health::OnTrack && findings.is_empty() {
        return Err(format!("it says {} and finds nothing", said.word()));
    }
    let is_blocked = findings.iter().any(|finding| finding.severity == Severity::Blocker);
    Ok(if is_blocked { said.max(Health::NeedsAdjustment) } else { said })
}

fn finding(item: &Value, by: &str) -> Option<Finding> {
    let text = |key: &str| item[key].as_str().unwrap_or_default().trim();
    let short = |text: &str, letters: usize| text.chars().take(letters).collect::<String>();
    let severity = match text("severity").to_lowercase().as_str() {
        "blocker" => Severity::Blocker,
        "major" => Severity::Major,
        "minor" => Severity::Minor,
        _ => return None,
    };
    if text("what").is_empty() {
        return None;
    }
    Some(Finding {
        rule: if text("rule").is_empty() { "review".to_owned() } else { short(text("rule"), 60) },
        severity,
        path: text("path").trim_start_matches("./").to_owned(),
        what: short(text("what"), 600),
        by: by.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> BTreeSet<String> {
        ["src/a.rs".to_owned()].into()
    }

    #[test]
    fn findings_are_read_from_whatever_stands_around_them() {
        let words = "I looked.\n```json\n{\"findings\": [{\"rule\": \"naming\", \"severity\": \"major\", \
                     \"path\": \"./src/a.rs\", \"what\": \"no\"}]}\n```\nBye.";
        let (findings, doubt) = read(words, "critic", &known());
        assert_eq!(doubt, None);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].to_string(), "naming (major, src/a.rs): no");
        assert_eq!(findings[0].by, "critic");
        assert_eq!(
            read("{\"findings\": []}", "critic", &known()),
            (Vec::new(), None),
            "none is a good answer"
        );
    }

    #[test]
    fn what_lies_or_cannot_be_read_is_left_out_and_told() {
        let doubt = |words: &str| read(words, "critic", &known()).1.unwrap_or_default();
        assert!(doubt("all good!").contains("cannot be read"));
        assert!(doubt("{\"verdict\": \"fine\"}").contains("no list `findings`"));
        let words = "{\"findings\": [{\"severity\": \"blocker\", \"path\": \"src/b.rs\", \"what\": \"x\"}, \
                     {\"severity\": \"grave\", \"path\": \"src/a.rs\", \"what\": \"x\"}, \
                     {\"severity\": \"minor\", \"path\": \"src/a.rs\", \"what\": \"y\"}]}";
        let (findings, doubt) = read(words, "critic", &known());
        assert_eq!(findings.len(), 1);
        let doubt = doubt.unwrap_or_default();
        assert!(doubt.contains("1 of its 3 findings") && doubt.contains("src/b.rs"), "{doubt}");
    }

    #[test]
    fn a_verdict_needs_a_word_that_is_known_and_findings_that_carry_it() {
        let verdict = |words: &str| read_verdict(words, &read(words, "critic", &known()).0);
        let finding = |severity: &str| {
            format!("[{{\"severity\": \"{severity}\", \"path\": \"src/a.rs\", \"what\": \"x\"}}]")
        };
        let said =
            |health: &str, findings: &str| format!("{{\"health\": \"{health}\", \"findings\": {findings}}}");
        assert_eq!(verdict(&said("ON_TRACK", "[]")), Ok(Health::OnTrack));
        assert_eq!(verdict(&said("OFF_TRACK", &finding("major"))), Ok(Health::OffTrack));
        assert_eq!(verdict(&said("ON_TRACK", &finding("blocker"))), Ok(Health::NeedsAdjustment));
        for (words, why) in [
            ("all good!".to_owned(), "has no `health`"),
            (said("PERFECT", "[]"), "has no `health`"),
            ("{\"findings\": []}".to_owned(), "has no `health`"),
            (said("OFF_TRACK", "[]"), "says OFF_TRACK and finds nothing"),
            (said("OFF_TRACK", &finding("major").replace("src/a.rs", "nowhere.rs")), "finds nothing"),
        ] {
            let doubt = verdict(&words).unwrap_err();
            assert!(doubt.contains(why), "{words}: {doubt}");
        }
    }

    #[test]
    fn a_doubt_weighs_and_stops_only_where_a_review_is_required() {
        let opinion = Opinion::missing("critic", "t", "it ended badly");
        let severity = |required| opinion.weigh(required).first().map(|finding| finding.severity);
        assert_eq!((severity(false), severity(true)), (Some(Severity::Major), Some(Severity::Blocker)));
        let sound = Opinion { doubt: None, ..opinion };
        assert_eq!(sound.weigh(true), []);
    }
}
