//! Sources of data beyond the disk, named with `--data` like files.

use std::path::Path;

use baton_agents::config::Config;
use baton_agents::data::DataCard;
use baton_agents::nearest::nearest;
use baton_workflows::report::{Order, Remote};

use crate::sources::refuse;
use crate::trouble::Trouble;

/// What gives the consent to ask a source: that a person named it.
const CONSENT: &str = "--data";

/// The source this names; none if it is a path.
pub fn named<'c>(config: &'c Config, typed: &Path) -> Result<Option<&'c DataCard>, Trouble> {
    let name = typed.to_str().unwrap_or_default();
    match (config.data.get(name), typed.exists()) {
        (Some(_), true) => refuse(
            format!("`{name}` is both a file and the source [data.{name}] of baton.toml"),
            format!("Write ./{name} for the file, or give the section another name"),
        ),
        (Some(card), false) => Ok(Some(card)),
        (None, true) => Ok(None),
        (None, false) => match nearest(name, config.data.keys().map(String::as_str)) {
            Some(near) => refuse(
                format!("there is no file and no source `{name}`"),
                format!("Did you mean the source `{near}` of baton.toml?"),
            ),
            None => Ok(None),
        },
    }
}

/// Adds a source to what a run may draw from.
pub fn add(order: &mut Order, card: &DataCard, allow_private: &[String]) {
    let remote = order.remote.get_or_insert_with(Remote::default);
    CONSENT.clone_into(&mut remote.consent);
    remote.sources.retain(|known| known.name != card.name);
    remote.sources.push(card.clone());
    remote.allow_private.extend(allow_private.iter().cloned());
    remote.allow_private.sort();
    remote.allow_private.dedup();
}
