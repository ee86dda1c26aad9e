//! Numbers as a reader of a language expects them.

use crate::spec::Language;

/// At and beyond these a number is written with a power of ten.
const HUGE: f64 = 1e15;
const TINY: f64 = 1e-6;

/// All digits that tell a value from its neighbours: 1,234.5
pub fn exact(value: f64, language: Language) -> String {
    let size = value.abs();
    if value != 0.0 && !(TINY..HUGE).contains(&size) {
        return power(value, language);
    }
    localised(&value.to_string(), language)
}

/// Exactly so many decimals: 1,234.50
pub(crate) fn fixed(value: f64, decimals: usize, language: Language) -> String {
    localised(&format!("{value:.decimals$}"), language)
}

/// Three or four digits that matter, for a label beside a bar or a point.
pub(crate) fn short(value: f64, language: Language) -> String {
    let size = value.abs();
    if value != 0.0 && !(1e-4..HUGE).contains(&size) {
        return power(value, language);
    }
    let decimals = match size {
        _ if size == 0.0 || size >= 1000.0 => 0,
        _ if size >= 10.0 => 1,
        _ if size >= 1.0 => 2,
        _ => (2.0 - size.log10().floor()).clamp(0.0, 6.0) as usize,
    };
    let text = format!("{value:.decimals$}");
    localised(
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text },
        language,
    )
}

/// 1.5×10⁻⁹
fn power(value: f64, language: Language) -> String {
    let text = format!("{value:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}×10{}", localised(digits, language), raised(exponent))
}

/// An exponent in small digits.
pub(crate) fn raised(exponent: &str) -> String {
    let small = |letter| match letter {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        other => other,
    };
    exponent.chars().map(small).collect()
}

/// Plain digits with the signs of a language.
fn localised(plain: &str, language: Language) -> String {
    let (sign, plain) = match plain.strip_prefix('-') {
        // Nothing is less than nothing: -0.0 and what rounds to it have no sign.
        Some(rest) if rest.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) => ("\u{2212}", rest),
        Some(rest) => ("", rest),
        None => ("", plain),
    };
    let (whole, decimals) = plain.split_once('.').unwrap_or((plain, ""));
    let (group, point) = signs(language);
    let mut out = String::from(sign);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            out.push(group);
        }
        out.push(digit);
    }
    if !decimals.is_empty() {
        out.push(point);
        out.push_str(decimals);
    }
    out
}

/// What groups thousands, and what stands before decimals.
pub(crate) fn signs(language: Language) -> (char, char) {
    match language {
        Language::En => (',', '.'),
        Language::De | Language::Es => ('.', ','),
        Language::Fr => ('\u{202f}', ','),
        Language::Ru => ('\u{a0}', ','),
    }
}

/// By what the values of an axis are divided, so that its labels stay short.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Magnitude {
    pub exponent: i32,
}

impl Magnitude {
    /// For values up to this size.
    pub fn of(largest: f64) -> Self {
        let exponent = match largest {
            _ if largest == 0.0 || !largest.is_finite() => 0,
            _ if !(1e-4..HUGE).contains(&largest) => (largest.log10().floor() / 3.0).floor() as i32 * 3,
            _ if largest >= 1e12 => 12,
            _ if largest >= 1e9 => 9,
            _ if largest >= 1e6 => 6,
            _ if largest >= 1e5 => 3,
            _ => 0,
        };
        Self { exponent }
    }

    /// A value in this magnitude. Dividing twice keeps very small ones from overflowing.
    pub fn apply(self, value: f64) -> f64 {
        let half = self.exponent / 2;
        value / 10f64.powi(half) / 10f64.powi(self.exponent - half)
    }

    /// What it is called: "million".
    pub fn word(self, language: Language) -> String {
        let words = match language {
            Language::En => ["thousand", "million", "billion", "trillion"],
            Language::De => ["Tausend", "Mio.", "Mrd.", "Bio."],
            Language::Es => ["miles", "millones", "miles de millones", "billones"],
            Language::Fr => ["milliers", "millions", "milliards", "billions"],
            Language::Ru => ["тыс.", "млн", "млрд", "трлн"],
        };
        match self.exponent {
            0 => String::new(),
            3 => words[0].to_owned(),
            6 => words[1].to_owned(),
            9 => words[2].to_owned(),
            12 => words[3].to_owned(),
            other => format!("×10{}", raised(&other.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_their_language() {
        for (language, wanted) in [
            (Language::En, "−1,234,567.5"),
            (Language::De, "−1.234.567,5"),
            (Language::Fr, "−1\u{202f}234\u{202f}567,5"),
            (Language::Ru, "−1\u{a0}234\u{a0}567,5"),
        ] {
            assert_eq!(exact(-1_234_567.5, language), wanted);
        }
        assert_eq!(exact(-0.0, Language::En), "0");
        assert_eq!(fixed(-0.001, 2, Language::En), "0.00");
        assert_eq!(exact(999.0, Language::En), "999");
    }

    #[test]
    fn huge_and_tiny_numbers_keep_short() {
        assert_eq!(exact(1.5e300, Language::En), "1.5×10³⁰⁰");
        assert_eq!(exact(-2.5e-9, Language::De), "−2,5×10⁻⁹");
        assert_eq!(short(5e-324, Language::En), "5×10⁻³²⁴");
        assert_eq!(short(1234.56, Language::En), "1,235");
        assert_eq!(short(0.012345, Language::En), "0.0123");
        assert_eq!(short(12.0, Language::En), "12");
    }

    #[test]
    fn magnitudes_divide_and_say_so() {
        assert_eq!(Magnitude::of(2_500_000.0).word(Language::En), "million");
        assert_eq!(Magnitude::of(2_500_000.0).apply(2_500_000.0), 2.5);
        assert_eq!(Magnitude::of(4e-9).word(Language::En), "×10⁻⁹");
        assert!((Magnitude::of(4e-310).apply(4e-310) - 400.0).abs() < 1.0);
        assert_eq!(Magnitude::of(99_999.0).exponent, 0);
    }
}
