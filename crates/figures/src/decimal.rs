//! Exact decimal numbers: what stands in a cell, and sums, differences and products of it, without a rounding
//! anywhere. Only a division rounds, half to even, to a number of places that the caller names and a figure states.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Most digits behind the point that are kept; more are refused, not cut.
const MAX_SCALE: u32 = 30;

/// A decimal number: `mantissa / 10^scale`, without trailing zeros behind the point. In JSON it is a string, so that
/// no reader turns it into a binary fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Decimal {
    mantissa: i128,
    scale: u8,
}

impl Decimal {
    /// Nothing.
    pub const ZERO: Self = Self { mantissa: 0, scale: 0 };
    /// A hundred, for percentages.
    pub const HUNDRED: Self = Self { mantissa: 100, scale: 0 };

    /// `mantissa / 10^scale`.
    #[must_use]
    pub fn new(mut mantissa: i128, scale: u32) -> Self {
        let mut scale = scale.min(u32::from(u8::MAX));
        while scale > 0 && mantissa % 10 == 0 {
            mantissa /= 10;
            scale -= 1;
        }
        Self { mantissa, scale: u8::try_from(scale).unwrap_or(u8::MAX) }
    }

    /// The number as an integer over a power of ten.
    #[must_use]
    pub fn parts(self) -> (i128, u32) {
        (self.mantissa, u32::from(self.scale))
    }

    /// The integer over `10^scale` for a wanted scale; none when digits would be lost or do not fit.
    #[must_use]
    pub fn at_scale(self, scale: u32) -> Option<i128> {
        let more = scale.checked_sub(u32::from(self.scale))?;
        self.mantissa.checked_mul(10_i128.checked_pow(more)?)
    }

    /// Digits behind the point.
    #[must_use]
    pub fn places(self) -> u32 {
        u32::from(self.scale)
    }

    /// Is it zero?
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    /// Is it below zero?
    #[must_use]
    pub fn is_negative(self) -> bool {
        self.mantissa < 0
    }

    /// Without its sign.
    #[must_use]
    pub fn abs(self) -> Self {
        Self { mantissa: self.mantissa.saturating_abs(), ..self }
    }

    /// The sum; none when it does not fit into 38 digits.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let scale = self.places().max(other.places());
        let sum = self.at_scale(scale)?.checked_add(other.at_scale(scale)?)?;
        Some(Self::new(sum, scale))
    }

    /// The difference; none when it does not fit.
    #[must_use]
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.negated())
    }

    /// With the other sign.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { mantissa: self.mantissa.saturating_neg(), ..self }
    }

    /// The product; none when it does not fit.
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        let product = self.mantissa.checked_mul(other.mantissa)?;
        Some(Self::new(product, self.places() + other.places()))
    }

    /// The quotient, rounded half to even at so many places; none when the divisor is zero or the digits do not fit.
    #[must_use]
    pub fn over(self, divisor: Self, places: u32) -> Option<Self> {
        let scale = self.places().max(divisor.places());
        let (above, below) = (self.at_scale(scale)?, divisor.at_scale(scale)?);
        if below == 0 {
            return None;
        }
        let negative = (above < 0) != (below < 0);
        let (above, below) = (above.unsigned_abs(), below.unsigned_abs());
        let (mut quotient, mut rest) = (above / below, above % below);
        for _ in 0..places {
            rest = rest.checked_mul(10)?;
            quotient = quotient.checked_mul(10)?.checked_add(rest / below)?;
            rest %= below;
        }
        // Whether the rest is more than half, without doubling it: doubling may not fit.
        let up = match rest.cmp(&(below - rest)) {
            Ordering::Greater => true,
            Ordering::Equal => quotient % 2 == 1,
            Ordering::Less => false,
        };
        let magnitude = i128::try_from(quotient.checked_add(u128::from(up))?).ok()?;
        Some(Self::new(if negative { -magnitude } else { magnitude }, places))
    }

    /// Rounded half to even at so many places.
    #[must_use]
    pub fn rounded(self, places: u32) -> Self {
        self.over(Self::new(1, 0), places).unwrap_or(self)
    }

    /// How a binary fraction is written, read as a decimal; none for what is no number.
    #[must_use]
    pub fn from_f64(value: f64) -> Option<Self> {
        if value.is_finite() { format!("{value:e}").parse().ok() } else { None }
    }

    /// The nearest binary fraction.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // operands below 2^53 and powers of ten up to 22 are exact
    pub fn to_f64(self) -> f64 {
        if self.mantissa.unsigned_abs() < 1 << 53 && self.scale <= 22 {
            return self.mantissa as f64 / 10_f64.powi(i32::from(self.scale));
        }
        self.to_string().parse().unwrap_or(f64::NAN)
    }
}

impl From<i64> for Decimal {
    fn from(value: i64) -> Self {
        Self::new(i128::from(value), 0)
    }
}

impl From<u64> for Decimal {
    fn from(value: u64) -> Self {
        Self::new(i128::from(value), 0)
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let scale = self.places().max(other.places());
        match (self.at_scale(scale), other.at_scale(scale)) {
            (Some(one), Some(two)) => one.cmp(&two),
            // Too long at one scale: whole parts decide, and where they agree so do short tails.
            _ => self.whole().cmp(&other.whole()).then_with(|| self.tail().cmp(&other.tail())),
        }
    }
}

impl Decimal {
    fn power(self) -> i128 {
        10_i128.checked_pow(self.places()).unwrap_or(i128::MAX)
    }

    fn whole(self) -> i128 {
        self.mantissa.div_euclid(self.power())
    }

    /// The part behind the point at the widest scale, where it always fits.
    fn tail(self) -> i128 {
        let tail = self.mantissa.rem_euclid(self.power());
        let wider = MAX_SCALE.saturating_sub(self.places());
        tail.saturating_mul(10_i128.checked_pow(wider).unwrap_or(1))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.scale == 0 {
            return write!(out, "{}", self.mantissa);
        }
        let sign = if self.mantissa < 0 { "-" } else { "" };
        let digits = self.mantissa.unsigned_abs().to_string();
        let places = usize::from(self.scale);
        let padded = format!("{digits:0>width$}", width = places + 1);
        let (whole, tail) = padded.split_at(padded.len() - places);
        write!(out, "{sign}{whole}.{tail}")
    }
}

/// A text is no plain decimal number that fits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no plain decimal number of at most 38 digits")]
pub struct NotDecimal(pub String);

impl FromStr for Decimal {
    type Err = NotDecimal;

    /// `-12.50`, `3`, `1.5e-7`: a point, no grouping.
    fn from_str(text: &str) -> Result<Self, NotDecimal> {
        read(text).ok_or_else(|| NotDecimal(text.to_owned()))
    }
}

fn read(text: &str) -> Option<Decimal> {
    let (digits, exponent) = match text.find(['e', 'E']) {
        Some(at) => (text.get(..at)?, text.get(at + 1..)?.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (negative, digits) = match digits.as_bytes().first()? {
        b'-' => (true, digits.get(1..)?),
        b'+' => (false, digits.get(1..)?),
        _ => (false, digits),
    };
    let (mut mantissa, mut scale, mut seen, mut point) = (0_i128, 0_i32, false, false);
    for byte in digits.bytes() {
        match byte {
            b'0'..=b'9' => {
                mantissa = mantissa.checked_mul(10)?.checked_add(i128::from(byte - b'0'))?;
                scale += i32::from(point);
                seen = true;
            }
            b'.' if !point => point = true,
            _ => return None,
        }
    }
    let scale = scale.checked_sub(exponent)?;
    if !seen {
        return None;
    }
    let mantissa = if negative { -mantissa } else { mantissa };
    let number = match u32::try_from(scale) {
        Ok(scale) if scale <= 60 => Decimal::new(mantissa, scale),
        Ok(_) => return None,
        Err(_) => Decimal::new(mantissa.checked_mul(10_i128.checked_pow(scale.unsigned_abs())?)?, 0),
    };
    (number.places() <= MAX_SCALE).then_some(number)
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl schemars::JsonSchema for Decimal {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Decimal".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^-?[0-9]+([.][0-9]+)?$" })
    }
}

#[cfg(test)]
mod tests;
