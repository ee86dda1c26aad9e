//! Small words: times, spans, money, names. Pure; nothing here prints.

use std::time::Duration;

use baton_engine::Millis;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A moment as RFC 3339 in UTC, to the millisecond.
pub fn rfc3339(at: Millis) -> String {
    let (day, clock) = (at.day(), at.time_of_day());
    format!("{day}T{clock}.{:03}Z", at.0 % 1000)
}

/// A moment for people, in UTC.
pub fn moment(at: Millis) -> String {
    let (day, clock) = (at.day(), at.time_of_day());
    format!("{day} {clock}")
}

/// A span in its largest unit: `12s`, `3m`, `2h`, `5d`.
pub fn age(span: Duration) -> String {
    match span.as_secs() {
        seconds @ 0..60 => format!("{seconds}s"),
        seconds @ 60..3_600 => format!("{}m", seconds / 60),
        seconds @ 3_600..86_400 => format!("{}h", seconds / 3_600),
        seconds => format!("{}d", seconds / 86_400),
    }
}

/// A span as a watch shows it: `0:07`, `12:03`, `1:02:03`, `3d 1:02:03`.
pub fn elapsed(span: Duration) -> String {
    let seconds = span.as_secs();
    let (days, hours, minutes, second) =
        (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    match (days, hours) {
        (0, 0) => format!("{minutes}:{second:02}"),
        (0, _) => format!("{hours}:{minutes:02}:{second:02}"),
        _ => format!("{days}d {hours}:{minutes:02}:{second:02}"),
    }
}

/// Money: at least two digits of a dollar, and as many more as there is to say.
pub fn usd(micro: u64) -> String {
    let fraction = format!("{:06}", micro % 1_000_000);
    let (cents, rest) = fraction.split_at(2);
    format!("${}.{cents}{}", micro / 1_000_000, rest.trim_end_matches('0'))
}

/// Reads an amount of dollars exactly, to the millionth.
pub fn read_usd(typed: &str) -> Result<u64, String> {
    let wrong = || format!("`{typed}` is not an amount of dollars such as 2 or 0.50");
    let (whole, fraction) = typed.split_once('.').unwrap_or((typed, ""));
    let digits = |text: &str| text.chars().all(|letter| letter.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || fraction.len() > 6 || !digits(whole) || !digits(fraction)
    {
        return Err(wrong());
    }
    let dollars: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| wrong())? };
    let micro: u64 = format!("{fraction:0<6}").parse().map_err(|_| wrong())?;
    dollars.checked_mul(1_000_000).and_then(|all| all.checked_add(micro)).ok_or_else(wrong)
}

/// How many, with the word in the right number.
pub fn count(number: usize, word: &str) -> String {
    match word.strip_suffix('y') {
        _ if number == 1 => format!("1 {word}"),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{number} {stem}ies"),
        _ => format!("{number} {word}s"),
    }
}

/// A size in the unit that suits it.
pub fn bytes(size: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if size < 1000 {
        return format!("{size} B");
    }
    let mut value = size as f64;
    let mut unit = "B";
    for larger in UNITS {
        if value < 1000.0 {
            break;
        }
        value /= 1000.0;
        unit = larger;
    }
    format!("{value:.1} {unit}")
}

/// Text from outside, made harmless for a terminal: no control characters, no hidden direction changes.
pub fn clean(text: &str) -> String {
    let hidden = |letter: char| matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars()
        .filter(|letter| !hidden(*letter))
        .map(|letter| if letter == '\t' || letter == '\n' { ' ' } else { letter })
        .filter(|letter| !letter.is_control())
        .collect()
}

/// How many columns a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// A text cut to so many columns; what is cut off leaves a mark.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = 0;
    for letter in text.chars() {
        let wide = letter.width().unwrap_or(0);
        if used + wide + 1 > columns {
            break;
        }
        used += wide;
        kept.push(letter);
    }
    if columns > 0 {
        kept.push('…');
    }
    kept
}

/// A text in lines of at most so many columns; a longer word has a line to itself.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A word as a shell reads it back.
pub fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=@%+,".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests;
