//! The engine's own settings by name: what may be changed in every run, whatever its workflow.

use super::TurnError;
use crate::record::{Change, Settings};
use crate::work::Changeable;

/// The settings every run has.
pub const SETTINGS: [Changeable; 5] = [
    Changeable { key: "budget_usd", hint: "a number of dollars", says: "what it may spend in all" },
    Changeable { key: "tokens", hint: "a whole number, or none", says: "tokens it may use in all" },
    Changeable { key: "calls", hint: "a whole number, or none", says: "paid calls it may make in all" },
    Changeable { key: "work_seconds", hint: "a whole number, or none", says: "time it may spend in steps" },
    Changeable { key: "parallel", hint: "a whole number from 1 on", says: "steps at once" },
];

/// Whether a setting has this name.
pub fn is_key(key: &str) -> bool {
    SETTINGS.iter().any(|known| known.key == key)
}

/// Changes a setting; false if there is none of this name.
pub fn change(settings: &mut Settings, change: &Change) -> Result<bool, TurnError> {
    let Some(known) = SETTINGS.iter().find(|known| known.key == change.key) else { return Ok(false) };
    let wrong = || TurnError::Value {
        key: change.key.clone(),
        value: change.value.to_string(),
        hint: known.hint.to_owned(),
    };
    let none = change.value.is_null() || change.value == "none";
    let whole = || change.value.as_u64().map(Some).or(none.then_some(None)).ok_or_else(wrong);
    let limits = &mut settings.limits;
    match known.key {
        "budget_usd" => {
            let usd = change.value.as_f64().filter(|usd| usd.is_finite() && *usd >= 0.0).ok_or_else(wrong)?;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is not negative; a cast saturates"
            )]
            let micro = (usd * 1e6).round() as u64;
            limits.micro_usd = Some(micro);
        }
        "tokens" => limits.tokens = whole()?,
        "calls" => limits.calls = whole()?,
        "work_seconds" => limits.work_ms = whole()?.map(|seconds| seconds.saturating_mul(1_000)),
        _ => {
            let parallel = change.value.as_u64().and_then(|number| u32::try_from(number).ok());
            settings.parallel = parallel.filter(|number| *number > 0).ok_or_else(wrong)?;
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests;
