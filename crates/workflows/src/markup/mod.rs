//! Words of strangers made safe for each place they are shown in. Sources, models and people write titles,
//! quotes and names; none of them may write Markdown, HTML, YAML or a second line.

pub mod html;

use html::escaped;

/// One line: no control characters, no terminal escapes, no marks that turn the direction of reading.
pub fn plain(text: &str) -> String {
    let kept: String = text
        .chars()
        .map(|letter| if letter.is_whitespace() { ' ' } else { letter })
        .filter(|letter| !letter.is_control() && !is_hidden(*letter))
        .collect();
    kept.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Marks nobody sees that change what is seen, or hide words from a reader. Joiners stay: scripts need them.
fn is_hidden(letter: char) -> bool {
    matches!(
        letter,
        '\u{61c}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// Markdown that shows exactly these words. [`unmarked`] gives them back.
pub fn marked(text: &str) -> String {
    let text = plain(text);
    let mut safe = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied().unwrap_or(' ');
        let escape = match letter {
            '\\' | '[' | ']' | '<' | '`' | '*' | '|' | '~' => true,
            // Inside a word an underscore is only an underscore.
            '_' => !(before.is_alphanumeric() && next.is_alphanumeric()),
            '&' => next == '#' || next.is_ascii_alphabetic(),
            '#' | '-' | '+' | '=' | '>' => safe.is_empty(),
            // `1. ` and `1) ` begin a list, `1.5` does not.
            '.' | ')' => next == ' ' && !safe.is_empty() && safe.bytes().all(|byte| byte.is_ascii_digit()),
            _ => false,
        };
        if escape {
            safe.push('\\');
        }
        safe.push(letter);
        before = letter;
    }
    safe
}

/// The words that Markdown made by [`marked`] shows.
pub fn unmarked(markdown: &str) -> String {
    let mut words = String::with_capacity(markdown.len());
    let mut letters = markdown.chars().peekable();
    while let Some(letter) = letters.next() {
        let escapes = letter == '\\' && letters.peek().is_some_and(char::is_ascii_punctuation);
        words.push(if escapes { letters.next().unwrap_or(letter) } else { letter });
    }
    words
}

/// HTML that shows exactly these words, also inside a quoted attribute.
pub fn hypertext(text: &str) -> String {
    escaped(&plain(text))
}

/// A YAML string, which is also a JSON string.
pub fn quoted(text: &str) -> String {
    serde_json::Value::String(plain(text)).to_string()
}

/// An address a reader may follow: the web's own schemes, nothing that ends a link or begins a tag.
pub fn address(url: &str) -> Option<String> {
    let lower = url.trim().to_lowercase();
    if !lower.starts_with("http://") && !lower.starts_with("https://") {
        return None;
    }
    Some(encoded(url.trim()))
}

/// A path below the run's folder as a link.
pub fn link(path: &str) -> String {
    encoded(path)
}

fn encoded(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for byte in text.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&*+,;=%".contains(&byte);
        if plain {
            safe.push(char::from(byte));
        } else {
            safe.push_str(&format!("%{byte:02X}"));
        }
    }
    safe
}

/// `1 source`, `2 sources`.
pub fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}
