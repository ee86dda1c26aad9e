//! What of a prompt stands outside its fences: there nobody but the program and its user may speak.

/// The text of a prompt without what is fenced. `texts` are its messages; the first names the fence.
///
/// # Panics
///
/// If the fence is not named, or one is left open: then nothing can be said of the prompt.
#[must_use]
#[expect(clippy::panic, reason = "a test fails by panicking, its helpers too")]
pub fn outside(texts: &[String]) -> String {
    let named = texts.first().and_then(|system| system.split_once("between lines marked "));
    let Some(word) = named.and_then(|(_, rest)| rest.split_whitespace().next()) else {
        panic!("no fence is named in {texts:?}")
    };
    let (open, close) = (format!("<<<DATA {word} \""), format!("<<<END {word}>>>"));
    let mut outside = String::new();
    for text in texts {
        let mut inside = false;
        for line in text.lines() {
            if inside {
                inside = line != close;
            } else if line.starts_with(&open) && line.ends_with("\">>>") {
                inside = true;
                outside.push_str(line); // the name of a piece stands outside
            } else {
                outside.push_str(line);
                outside.push('\n');
            }
        }
        assert!(!inside, "a fence is left open in {text}");
    }
    outside
}
