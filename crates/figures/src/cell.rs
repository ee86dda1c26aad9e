//! What stands in one cell: a number, a day, a truth, words, or nothing. Numbers and days are read by the column's
//! rules alone; a cell that does not fit them is odd, never bent until it fits.

pub mod day;

use crate::decimal::Decimal;

/// What stands for nothing, whatever the column.
const MISSING: [&str; 22] = [
    "na",
    "n/a",
    "n.a.",
    "#n/a",
    "null",
    "none",
    "nil",
    "nan",
    "-",
    "--",
    "---",
    "–",
    "—",
    "?",
    ".",
    "..",
    "…",
    "missing",
    "k.a.",
    "k. a.",
    "н/д",
    "нет данных",
];

/// Does the cell hold nothing?
#[must_use]
pub fn is_missing(text: &str) -> bool {
    let text = text.trim();
    if text.is_empty() {
        return true;
    }
    let same =
        |word: &str| text.eq_ignore_ascii_case(word) || (!text.is_ascii() && text.to_lowercase() == word);
    text.len() <= 24 && MISSING.iter().any(|word| same(word))
}

/// What stood beside the digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mark {
    /// Nothing.
    Bare,
    /// A percent sign.
    Percent,
    /// A currency, by its three letters.
    Currency(&'static str),
}

/// A number as it stands in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    /// Its value; of a percentage the number before the sign.
    pub value: Decimal,
    /// What stood beside it.
    pub mark: Mark,
    /// Written as (1,234).
    pub bracketed: bool,
}

/// Signs and letters of currencies. Letters alone count only beside digits.
const CURRENCIES: [(&str, &str); 26] = [
    ("US$", "USD"),
    ("A$", "AUD"),
    ("C$", "CAD"),
    ("$", "USD"),
    ("€", "EUR"),
    ("£", "GBP"),
    ("¥", "JPY"),
    ("₽", "RUB"),
    ("₹", "INR"),
    ("₩", "KRW"),
    ("₺", "TRY"),
    ("zł", "PLN"),
    ("руб.", "RUB"),
    ("USD", "USD"),
    ("EUR", "EUR"),
    ("GBP", "GBP"),
    ("JPY", "JPY"),
    ("CHF", "CHF"),
    ("RUB", "RUB"),
    ("CNY", "CNY"),
    ("SEK", "SEK"),
    ("NOK", "NOK"),
    ("DKK", "DKK"),
    ("PLN", "PLN"),
    ("AUD", "AUD"),
    ("CAD", "CAD"),
];

/// The currency a word of a header names.
#[must_use]
pub fn currency(word: &str) -> Option<&'static str> {
    CURRENCIES.iter().find(|(sign, _)| word.eq_ignore_ascii_case(sign)).map(|(_, code)| *code)
}

/// Plain digits with the column's mark before the fraction: mantissa, scale, and whether a needless zero leads. The quick way for nearly all cells.
#[must_use]
pub fn plain(bytes: &[u8], decimal: u8) -> Option<(i64, u32, bool)> {
    let (negative, digits) = match bytes.first()? {
        b'-' => (true, bytes.get(1..)?),
        _ => (false, bytes),
    };
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let (mut mantissa, mut scale, mut point) = (0_i64, 0_u32, false);
    for byte in digits {
        match byte {
            b'0'..=b'9' => {
                mantissa = mantissa * 10 + i64::from(byte - b'0');
                scale += u32::from(point);
            }
            _ if *byte == decimal && !point => point = true,
            _ => return None,
        }
    }
    if point && (digits.len() == 1 || scale == 0) {
        return None;
    }
    let zero_leads = digits.first() == Some(&b'0') && digits.get(1).is_some_and(u8::is_ascii_digit);
    Some((if negative { -mantissa } else { mantissa }, scale, zero_leads))
}

/// A number by the rules of its column.
#[must_use]
pub fn number(text: &str, decimal: char, thousands: Option<char>) -> Option<Number> {
    let (core, mark, bracketed) = strip(text)?;
    let value = digits(core.0, decimal, thousands)?;
    Some(Number { value: if core.1 { value.negated() } else { value }, mark, bracketed })
}

/// The digits with their separators, whether a sign or brackets make them negative, and what stood beside them.
fn strip(text: &str) -> Option<((&str, bool), Mark, bool)> {
    let mut rest = trim(text);
    let (mut negative, mut mark, mut bracketed) = (false, Mark::Bare, false);
    if let Some(inner) = rest.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        (rest, negative, bracketed) = (trim(inner), true, true);
    }
    for _ in 0..4 {
        if let Some(after) = rest.strip_prefix(['-', '−', '+']) {
            if negative {
                return None;
            }
            negative = !rest.starts_with('+');
            rest = trim(after);
        }
        if let Some(before) = rest.strip_suffix('%') {
            if mark != Mark::Bare {
                return None;
            }
            (rest, mark) = (trim(before), Mark::Percent);
        }
        if mark == Mark::Bare
            && let Some((inner, code)) = without_currency(rest)
        {
            (rest, mark) = (trim(inner), Mark::Currency(code));
        }
    }
    // Accountants write 1,234- as well.
    if let Some(before) = rest.strip_suffix('-')
        && !negative
        && !before.is_empty()
    {
        (rest, negative) = (trim(before), true);
    }
    rest.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == ',').then_some((
        (rest, negative),
        mark,
        bracketed,
    ))
}

fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{a0}' || c == '\u{202f}' || c == '\u{feff}')
}

fn without_currency(text: &str) -> Option<(&str, &'static str)> {
    CURRENCIES.iter().find_map(|(sign, code)| {
        let inner = text.strip_prefix(sign).or_else(|| text.strip_suffix(sign))?;
        Some((inner, *code))
    })
}

/// Digits by given separators: groups of three, at most one fraction.
fn digits(core: &str, decimal: char, thousands: Option<char>) -> Option<Decimal> {
    let (mantissa, exponent) = match core.find(['e', 'E']) {
        Some(at) => (core.get(..at)?, core.get(at..)?),
        None => (core, ""),
    };
    let (whole, fraction) = match mantissa.split_once(decimal) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    if fraction.is_some_and(|tail| tail.is_empty() || !tail.bytes().all(|b| b.is_ascii_digit())) {
        return None;
    }
    let mut plain = String::with_capacity(core.len());
    match thousands {
        Some(mark) if whole.contains(mark) => {
            for (at, group) in whole.split(mark).enumerate() {
                let fits = if at == 0 { (1..=3).contains(&group.len()) } else { group.len() == 3 };
                if !fits || !group.bytes().all(|b| b.is_ascii_digit()) {
                    return None;
                }
                plain.push_str(group);
            }
        }
        _ => plain.push_str(whole),
    }
    if !plain.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    if let Some(fraction) = fraction {
        plain.push('.');
        plain.push_str(fraction);
    }
    plain.push_str(exponent);
    plain.parse().ok()
}

/// What one cell says about the separators of its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hint {
    /// No separator at all.
    None,
    /// A fraction behind a point, thousands by comma or not at all.
    Point,
    /// A fraction behind a comma, thousands by point or not at all.
    Comma,
    /// `1,234`: a thousand or a fraction.
    EitherComma,
    /// `1.234`: a fraction or a thousand.
    EitherPoint,
}

/// What a cell says about separators, and what groups its thousands; none when it is no number by any rule.
#[must_use]
pub fn hint(text: &str) -> Option<(Hint, Option<char>)> {
    let ((core, _), _, _) = strip(text)?;
    let core = core.split(['e', 'E']).next().unwrap_or(core);
    let spaces = core.chars().find(|c| matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\''));
    let (commas, points) = (core.matches(',').count(), core.matches('.').count());
    let group_like = |mark: char| {
        core.rsplit_once(mark).is_some_and(|(before, after)| {
            after.len() == 3 && (1..=3).contains(&before.len()) && !before.starts_with('0')
        })
    };
    let found = match (commas, points) {
        (0, 0) => (Hint::None, spaces),
        (1, 0) if spaces.is_none() && group_like(',') => (Hint::EitherComma, None),
        (0, 1) if spaces.is_none() && group_like('.') => (Hint::EitherPoint, None),
        (1, 0) => (Hint::Comma, spaces),
        (0, 1) => (Hint::Point, spaces),
        (_, 0) => (Hint::Point, Some(',')),
        (0, _) => (Hint::Comma, Some('.')),
        _ if core.rfind(',') > core.rfind('.') => (Hint::Comma, Some('.')),
        _ => (Hint::Point, Some(',')),
    };
    let (decimal, thousands) = match found {
        (Hint::Comma, grouping) => (',', grouping),
        (Hint::EitherComma, _) => ('.', Some(',')),
        (_, grouping) => ('.', grouping),
    };
    digits(core, decimal, thousands).map(|_| found)
}

/// A truth by the words of some languages. `0` and `1` are numbers.
#[must_use]
pub fn truth(text: &str) -> Option<bool> {
    let text = text.trim();
    if text.len() > 8 {
        return None;
    }
    match text.to_lowercase().as_str() {
        "true" | "yes" | "ja" | "wahr" | "да" | "y" | "t" => Some(true),
        "false" | "no" | "nein" | "falsch" | "нет" | "n" | "f" => Some(false),
        _ => None,
    }
}

/// Whether a label says that its row sums up others.
#[must_use]
pub fn is_total(text: &str) -> bool {
    const TOTALS: [&str; 17] = [
        "total",
        "totals",
        "grand total",
        "subtotal",
        "sub-total",
        "sub total",
        "sum",
        "overall total",
        "gesamt",
        "gesamtsumme",
        "summe",
        "zwischensumme",
        "insgesamt",
        "итого",
        "всего",
        "totale",
        "total général",
    ];
    if text.len() > 40 {
        return false;
    }
    let text = text.trim().trim_end_matches(':').trim().to_lowercase();
    TOTALS.contains(&text.as_str())
}

#[cfg(test)]
mod tests;
