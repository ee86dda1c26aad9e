//! Indicators of technical analysis, which no report draws. A name is refused where it *names the calculation*: "RSI (14)" and
//! "BTC RSI" are, "RSI cases treated" and "Morsia" are not.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An indicator that is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Indicator {
    Rsi,
    Macd,
    Bollinger,
    MovingAverage,
    Stochastic,
    SupportResistance,
    ChartPattern,
}

impl fmt::Display for Indicator {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Rsi => "the relative strength index (RSI)",
            Self::Macd => "MACD",
            Self::Bollinger => "a Bollinger band",
            Self::MovingAverage => "a moving average",
            Self::Stochastic => "the stochastic oscillator",
            Self::SupportResistance => "a level of support or resistance",
            Self::ChartPattern => "a chart pattern",
        })
    }
}

/// Short names that other trades use too: refused only where the calculation is the thing named.
const SHORT: [(&str, Indicator); 6] = [
    ("rsi", Indicator::Rsi),
    ("sma", Indicator::MovingAverage),
    ("ema", Indicator::MovingAverage),
    ("wma", Indicator::MovingAverage),
    ("dema", Indicator::MovingAverage),
    ("bbands", Indicator::Bollinger),
];

/// Runs of words that mean nothing else. A word ending in `*` stands for all that begin so.
const PHRASES: [(&[&str], Indicator); 19] = [
    (&["macd"], Indicator::Macd),
    (&["bollinger*"], Indicator::Bollinger),
    (&["боллиндж*"], Indicator::Bollinger),
    (&["relative", "strength", "index"], Indicator::Rsi),
    (&["индекс*", "относительн*", "силы"], Indicator::Rsi),
    (&["moving", "average*"], Indicator::MovingAverage),
    (&["moving", "mean*"], Indicator::MovingAverage),
    (&["rolling", "average*"], Indicator::MovingAverage),
    (&["rolling", "mean*"], Indicator::MovingAverage),
    (&["скользящ*", "средн*"], Indicator::MovingAverage),
    (&["gleitend*", "durchschnitt*"], Indicator::MovingAverage),
    (&["moyenne*", "mobile*"], Indicator::MovingAverage),
    (&["media*", "movil*"], Indicator::MovingAverage),
    (&["stochastic", "oscillator"], Indicator::Stochastic),
    (&["resistance", "level*"], Indicator::SupportResistance),
    (&["support", "and", "resistance"], Indicator::SupportResistance),
    (&["support", "resistance"], Indicator::SupportResistance),
    (&["уров*", "сопротивления"], Indicator::SupportResistance),
    (&["head", "and", "shoulders"], Indicator::ChartPattern),
];

/// Words that stand beside a short name and leave the calculation the thing named: its window, what it is of.
const WINDOW: [&str; 13] =
    ["d", "w", "m", "h", "day", "days", "week", "weeks", "period", "periods", "months", "daily", "weekly"];

/// The indicator a name names.
pub fn forbidden(name: &str) -> Option<Indicator> {
    let words = words(name);
    phrase(&words).or_else(|| short(&words))
}

/// Small letters and digits apart: `RSI_14d` is `rsi`, `14`, `d`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = None;
    for letter in name.chars().flat_map(char::to_lowercase) {
        let letter = if letter == 'ó' {
            'o'
        } else if letter == 'é' {
            'e'
        } else {
            letter
        };
        let class = letter.is_alphanumeric().then(|| letter.is_numeric());
        match (class, words.last_mut()) {
            (Some(_), Some(word)) if class == before => word.push(letter),
            (Some(_), _) => words.push(letter.to_string()),
            (None, _) => {}
        }
        before = class;
    }
    words
}

fn phrase(words: &[String]) -> Option<Indicator> {
    let fits = |word: &String, wanted: &&str| match wanted.strip_suffix('*') {
        Some(stem) => word.starts_with(stem),
        None => word == wanted,
    };
    let stands = |phrase: &[&str]| {
        words.windows(phrase.len()).any(|run| run.iter().zip(phrase).all(|(word, wanted)| fits(word, wanted)))
    };
    PHRASES.iter().find(|(phrase, _)| stands(phrase)).map(|(_, indicator)| *indicator)
}

/// A short name is the thing named when nothing but its window, or "of" and what it is of, follows it.
fn short(words: &[String]) -> Option<Indicator> {
    words.iter().enumerate().find_map(|(at, word)| {
        let (_, indicator) = SHORT.iter().find(|(short, _)| short == word)?;
        let after = words.get(at + 1..).unwrap_or_default();
        let is_window = |word: &String| WINDOW.contains(&word.as_str()) || word.chars().all(char::is_numeric);
        let rest = after.iter().find(|word| !is_window(word));
        rest.is_none_or(|word| word == "of" || word == "for").then_some(*indicator)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_calculations_are_refused() {
        for (name, indicator) in [
            ("RSI", Indicator::Rsi),
            ("BTC RSI", Indicator::Rsi),
            ("rsi_14", Indicator::Rsi),
            ("RSI (14d)", Indicator::Rsi),
            ("RSI of revenue", Indicator::Rsi),
            ("Relative Strength Index", Indicator::Rsi),
            ("MACD signal line", Indicator::Macd),
            ("Bollinger Bands, upper", Indicator::Bollinger),
            ("SMA200", Indicator::MovingAverage),
            ("50-day moving average", Indicator::MovingAverage),
            ("7-day rolling mean of sales", Indicator::MovingAverage),
            ("Скользящая средняя, 30 дней", Indicator::MovingAverage),
            ("media móvil", Indicator::MovingAverage),
            ("Support/resistance", Indicator::SupportResistance),
            ("Уровень сопротивления", Indicator::SupportResistance),
        ] {
            assert_eq!(forbidden(name), Some(indicator), "{name}");
        }
    }

    #[test]
    fn other_things_with_such_letters_are_not() {
        for name in [
            "",
            "Morsia",
            "Persia",
            "RSI cases treated",
            "SMA patients",
            "EMA approvals",
            "Support tickets",
            "Resistance (ohm)",
            "Average price",
            "Moving company revenue",
            "macdonald",
            "Schema",
            "Electric resistance",
            "support level agreements",
        ] {
            assert_eq!(forbidden(name), None, "{name}");
        }
    }
}
