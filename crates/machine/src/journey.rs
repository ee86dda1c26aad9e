//! The way a run went, for drawings: how often and how long it stood in each state, and how often each row was taken.

use std::collections::BTreeMap;

/// How often and how long a run stood in a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stay {
    /// How often it was entered.
    pub visits: u32,
    /// How long it stood there in all, in milliseconds.
    pub millis: u64,
}

/// The way a run went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Journey {
    /// Where it stands.
    pub here: Option<String>,
    /// Its stays, by state.
    pub stays: BTreeMap<String, Stay>,
    /// How often each row was taken.
    pub rows: BTreeMap<usize, u32>,
}

impl Journey {
    /// A run of which only its place is known.
    pub fn at(here: Option<&str>) -> Self {
        Self { here: here.map(str::to_owned), ..Self::default() }
    }

    /// What is said of a state in a drawing.
    pub(crate) fn remark(&self, state: &str) -> Option<String> {
        let Stay { visits, millis } = self.stays.get(state)?;
        Some(format!("{visits} × · {}", span(*millis)))
    }

    /// What is said behind the label of a row.
    pub(crate) fn times(&self, row: usize) -> Option<u32> {
        self.rows.get(&row).copied().filter(|times| *times > 0)
    }
}

/// A span of time in the largest units that tell it.
fn span(millis: u64) -> String {
    let seconds = millis / 1000;
    match seconds {
        0 => format!("{millis} ms"),
        1..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}
