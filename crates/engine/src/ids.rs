//! The small values everything else is named by: runs, keys, hashes, times.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};

/// A run's name: ten letters and digits that are easy to read aloud; any unambiguous prefix will do.
///
/// It also names a folder, so there is no other: what a row, a record or a person gives is read with `parse`, and
/// what Baton cannot have made is refused there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct RunId(pub(crate) String);

impl RunId {
    const LENGTH: usize = 10;
    /// No vowels (no accidental words), no 0/o or 1/l.
    const LETTERS: &[u8; 27] = b"23456789bcdfghjkmnpqrstvwxz";

    /// A new name from 64 random bits.
    pub fn from_bits(mut bits: u64) -> Self {
        let mut name = String::with_capacity(Self::LENGTH);
        for _ in 0..Self::LENGTH {
            name.push(char::from(Self::LETTERS[(bits % 27) as usize]));
            bits /= 27;
        }
        Self(name)
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text that is not the name of a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not the name of a run: that is ten letters and digits which Baton has chosen")]
pub struct BadRunId(pub String);

impl TryFrom<String> for RunId {
    type Error = BadRunId;
    fn try_from(text: String) -> Result<Self, BadRunId> {
        let fits = text.len() == Self::LENGTH && text.bytes().all(|letter| Self::LETTERS.contains(&letter));
        if fits { Ok(Self(text)) } else { Err(BadRunId(text)) }
    }
}

impl FromStr for RunId {
    type Err = BadRunId;
    fn from_str(text: &str) -> Result<Self, BadRunId> {
        text.to_owned().try_into()
    }
}

impl From<RunId> for String {
    fn from(run: RunId) -> Self {
        run.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Names one step, question or timer of a run: the visit it belongs to, and a name unique within it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The visit.
    pub visit: u32,
    /// The name within the visit.
    pub name: String,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.visit, self.name)
    }
}

/// A text that is not a key.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a key: a key looks like 3/plan (visit, slash, name)")]
pub struct BadKey(String);

impl FromStr for Key {
    type Err = BadKey;
    fn from_str(text: &str) -> Result<Self, BadKey> {
        let bad = || BadKey(text.to_owned());
        let (visit, name) = text.split_once('/').ok_or_else(bad)?;
        let visit = visit.parse().map_err(|_| bad())?;
        if name.is_empty() {
            return Err(bad());
        }
        Ok(Self { visit, name: name.to_owned() })
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

/// A SHA-256, written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// The hash before the first record of a run.
    pub const ZERO: Self = Self([0; 32]);

    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The hash from its stored 32 bytes.
    pub fn from_slice(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The first twelve digits, for people.
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Hash {
    type Err = BadHash;
    fn from_str(text: &str) -> Result<Self, BadHash> {
        let bad = || BadHash(text.to_owned());
        if text.len() != 64 || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(bad());
        }
        let mut bytes = [0; 32];
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).map_err(|_| bad())?;
        }
        Ok(Self(bytes))
    }
}

/// A text that is not a hash.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a hash of 64 hexadecimal digits")]
pub struct BadHash(String);

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

/// Milliseconds since 1970 (UTC).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub u64);

impl Millis {
    /// This much later.
    #[must_use]
    pub fn plus(self, span: std::time::Duration) -> Self {
        Self(self.0.saturating_add(u64::try_from(span.as_millis()).unwrap_or(u64::MAX)))
    }

    /// The time since then; zero if the clock went backwards.
    pub fn since(self, earlier: Self) -> std::time::Duration {
        std::time::Duration::from_millis(self.0.saturating_sub(earlier.0))
    }

    /// The day in UTC, `YYYY-MM-DD`.
    #[must_use]
    pub fn day(self) -> String {
        let (year, month, day) = date(self.0 / 86_400_000);
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// The time of that day, `HH:MM:SS`.
    #[must_use]
    pub fn time_of_day(self) -> String {
        let second = self.0 / 1000 % 86_400;
        format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)
    }
}

/// The date of a day counted from 1970-01-01, in the Gregorian calendar.
///
/// Years are counted from March, so that the day that comes and goes is the last of its year.
fn date(days: u64) -> (u64, u64, u64) {
    const FOUR_CENTURIES: u64 = 146_097;
    const TO_MARCH_OF_YEAR_0: u64 = 719_468;
    let days = days + TO_MARCH_OF_YEAR_0;
    let (era, day) = (days / FOUR_CENTURIES, days % FOUR_CENTURIES);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next, month, day)
}
