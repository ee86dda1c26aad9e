//! Words in a picture: cleaned of what no picture may hold, escaped, measured, cut and wrapped. The font of the reader is not
//! known, so widths are those of a wide common face and a little more.

use unicode_width::UnicodeWidthChar;

/// One line without control characters and without marks that turn the direction of reading for what follows.
pub fn clean(text: &str) -> String {
    let kept = text.chars().map(|letter| if letter.is_whitespace() { ' ' } else { letter }).filter(|letter| {
        let turns = matches!(letter, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}');
        let unreal = matches!(letter, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}');
        !letter.is_control() && !turns && !unreal
    });
    let kept: String = kept.collect();
    kept.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Words as text or as a value of an attribute in XML and HTML.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

/// Widths of the letters from space to tilde, in thousandths of the font's size.
const LATIN: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 222, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 222, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// How wide a text is at a font size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|letter| advance(letter, size)).sum()
}

fn advance(letter: char, size: f64) -> f64 {
    let thousandths = match letter {
        ' '..='~' => LATIN.get(letter as usize - 32).copied().map_or(600.0, f64::from),
        // Letters of other alphabets are as wide as a wide Latin one, those of CJK fill a square, marks stand on others.
        _ => match letter.width() {
            Some(0) | None => 0.0,
            Some(1) => 610.0,
            Some(_) => 1000.0,
        },
    };
    thousandths / 1000.0 * size * 1.1
}

/// A text that fits, with an ellipsis where it was cut.
pub(crate) fn fit(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let room = most - advance('…', size);
    let mut used = 0.0;
    let kept: String = text
        .chars()
        .take_while(|letter| {
            used += advance(*letter, size);
            used <= room
        })
        .collect();
    format!("{}…", kept.trim_end())
}

/// Lines that fit, at most so many, the last one cut.
pub(crate) fn wrap(text: &str, size: f64, most: f64, lines: usize) -> Vec<String> {
    let mut done: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut rest = pieces(text).into_iter().peekable();
    while let Some(piece) = rest.peek() {
        let joined = format!("{line}{piece}");
        if line.is_empty() || width(joined.trim_end(), size) <= most {
            line = joined;
            rest.next();
            continue;
        }
        if done.len() + 1 >= lines {
            break;
        }
        done.push(std::mem::take(&mut line).trim_end().to_owned());
    }
    let left: String = rest.collect();
    let last = fit(format!("{line}{left}").trim_end(), size, most);
    if !last.is_empty() {
        done.push(last);
    }
    done
}

/// Where a line may break: behind spaces, and around letters that are written without any.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut piece = String::new();
    for letter in text.chars() {
        let wide = letter.width() == Some(2);
        if wide && !piece.is_empty() && !is_closing(letter) {
            pieces.push(std::mem::take(&mut piece));
        }
        piece.push(letter);
        if letter == ' ' {
            pieces.push(std::mem::take(&mut piece));
        }
    }
    pieces.push(piece);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Marks that no line begins with.
fn is_closing(letter: char) -> bool {
    matches!(letter, '、' | '。' | '，' | '．' | '）' | '」' | '』' | '】' | '！' | '？' | '：' | '；')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_picture_may_hold_is_taken_out() {
        assert_eq!(clean("a\u{0}b\n\u{202e}c\u{1b}[31m\u{ffff}  d"), "ab c[31m d");
        assert_eq!(escape("<a b='c' d=\"&\">"), "&lt;a b=&#39;c&#39; d=&quot;&amp;&quot;&gt;");
    }

    #[test]
    fn texts_are_cut_and_wrapped_to_their_room() {
        let long = "Deliveries to the northern depots of the whole region";
        assert!(width(&fit(long, 12.0, 100.0), 12.0) <= 100.0);
        let lines = wrap(long, 12.0, 120.0, 3);
        assert!(lines.len() <= 3 && lines.iter().all(|line| width(line, 12.0) <= 120.0), "{lines:?}");
        assert_eq!(wrap("short", 12.0, 120.0, 3), ["short"]);
        assert_eq!(wrap("", 12.0, 120.0, 3), Vec::<String>::new());
        assert!(wrap(&"x".repeat(500), 12.0, 120.0, 2).iter().all(|line| width(line, 12.0) <= 120.0));
    }

    #[test]
    fn text_without_spaces_breaks_between_its_letters() {
        let lines = wrap("北部地区的配送量在三月之后下降了三分之一。", 12.0, 120.0, 4);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, 12.0) <= 126.0), "{lines:?}");
    }
}
