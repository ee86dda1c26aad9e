//! What can be set without typing it: `baton.toml` in the present folder, and the environment over it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use baton_engine::{Limits, Settings};
use serde::Deserialize;

use crate::text::read_usd;
use crate::trouble::Trouble;

/// The name of the file.
pub const FILE: &str = "baton.toml";

/// Looks up an environment variable; injected, so that tests need no real environment.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// What is set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// The file it was read from, if there was one.
    pub file: Option<PathBuf>,
    /// The home, as an absolute path or one from the present folder.
    pub home: Option<PathBuf>,
    /// The budget of a run in millionths of a dollar.
    pub micro_usd: Option<u64>,
    /// How many steps of a run may be in flight at once.
    pub parallel: Option<u32>,
}

/// The file as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    home: Option<PathBuf>,
    budget_usd: Option<toml::Value>,
    parallel: Option<u32>,
}

impl Config {
    /// Reads the file of a folder, if there is one, and the environment over it.
    pub fn read(folder: &Path, env: Env<'_>) -> Result<Self, Trouble> {
        let file = folder.join(FILE);
        let mut config = match std::fs::read_to_string(&file) {
            Ok(text) => Self::parse(folder, &text)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Self::default(),
            Err(error) => return Err(wrong(FILE, format!("it cannot be read ({error})"))),
        };
        config.overlay(env)?;
        Ok(config)
    }

    /// Reads the text of the file of a folder.
    pub fn parse(folder: &Path, text: &str) -> Result<Self, Trouble> {
        let written: Written = toml::from_str(text)
            .map_err(|error| wrong(FILE, error.to_string().trim_end().replace('\n', " ")))?;
        let micro_usd = written.budget_usd.as_ref().map(amount).transpose()?;
        check_parallel(FILE, written.parallel)?;
        Ok(Self {
            file: Some(folder.join(FILE)),
            // A path in the file is meant from where the file stands.
            home: written.home.map(|home| folder.join(home)),
            micro_usd,
            parallel: written.parallel,
        })
    }

    fn overlay(&mut self, env: Env<'_>) -> Result<(), Trouble> {
        let text = |name: &str| {
            env(name).map(|value| value.to_string_lossy().into_owned()).filter(|value| !value.is_empty())
        };
        if let Some(typed) = text("BATON_BUDGET_USD") {
            self.micro_usd = Some(read_usd(&typed).map_err(|what| wrong("BATON_BUDGET_USD", what))?);
        }
        if let Some(typed) = text("BATON_PARALLEL") {
            let parallel = typed
                .parse()
                .map_err(|_| wrong("BATON_PARALLEL", format!("`{typed}` is not a number of steps")))?;
            check_parallel("BATON_PARALLEL", Some(parallel))?;
            self.parallel = Some(parallel);
        }
        Ok(())
    }

    /// The settings of a new run: what was typed over what is configured over the defaults.
    pub fn settings(&self, micro_usd: Option<u64>, parallel: Option<u32>) -> Settings {
        let default = Settings::default();
        let limits =
            Limits { micro_usd: micro_usd.or(self.micro_usd).or(default.limits.micro_usd), ..default.limits };
        Settings { limits, parallel: parallel.or(self.parallel).unwrap_or(default.parallel) }
    }
}

/// Dollars as people write them: 2, 0.5 or "0.50".
fn amount(value: &toml::Value) -> Result<u64, Trouble> {
    let text = match value {
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::String(text) => text.clone(),
        other => other.type_str().to_owned(),
    };
    read_usd(&text).map_err(|what| wrong(FILE, format!("budget_usd: {what}")))
}

fn check_parallel(place: &str, parallel: Option<u32>) -> Result<(), Trouble> {
    if parallel == Some(0) {
        return Err(wrong(place, "parallel must be at least 1".to_owned()));
    }
    Ok(())
}

fn wrong(place: &str, what: String) -> Trouble {
    Trouble::Config { place: place.to_owned(), what }
}

#[cfg(test)]
mod tests;
