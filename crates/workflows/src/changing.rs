//! Reading what a person changes in a run that has begun: numbers within bounds, roles, words for yes.

use baton_agents::skill::Role;
use baton_engine::record::Change;

/// A whole number from `least` to `most`.
pub fn whole(change: &Change, least: u32, most: u32) -> Result<u32, String> {
    let number = change.value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        format!("`{}` cannot be {}: it takes a whole number from {least} to {most}", change.key, change.value)
    })
}

/// The role behind `model.NAME`, if the key is one of that family.
pub fn role(change: &Change) -> Option<Result<(&str, Role), String>> {
    let name = change.key.strip_prefix("model.")?;
    let role = serde_json::from_value::<Role>(change.value.clone());
    Some(match role {
        Ok(role) if role.name == name => Ok((name, role)),
        Ok(role) => Err(format!("`{}` was given the models of the role {}", change.key, role.name)),
        Err(_) => Err(format!("`{}` takes names of models, like `--model {name}=NAME`", change.key)),
    })
}

/// A yes, and nothing else: what is finished is not begun again by a no.
pub fn yes(change: &Change) -> Result<(), String> {
    match &change.value {
        serde_json::Value::Bool(true) => Ok(()),
        other => Err(format!("`{}` cannot be {other}: it takes true", change.key)),
    }
}

/// Words.
pub fn words(change: &Change) -> Result<&str, String> {
    let words = change.value.as_str().map(str::trim).filter(|words| !words.is_empty());
    words.ok_or_else(|| format!("`{}` cannot be {}: it takes a name", change.key, change.value))
}
