//! What can be set without typing it: the environment over the project's `baton.toml` over the person's
//! own. All keys stand in one file: the agents' crate knows the schema, and `home` and `parallel` are ours.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use baton_agents::config::{self as agents, Layer, Overrides, TrustStore, Wish};
use baton_agents::read::bounded;
use baton_engine::{Limits, Settings};
use serde::Deserialize;
use toml::Spanned;

use crate::home::{Home, config_folder};
use crate::text::quoted;
use crate::trouble::Trouble;

/// The name of the file.
pub const FILE: &str = "baton.toml";

/// Looks up an environment variable; injected, so that tests need no real environment.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// Where to look for what is set.
pub struct Places<'a> {
    /// The folder whose `baton.toml` is read as the project's; none where a command must work without it.
    pub project: Option<&'a Path>,
    /// The home that was typed.
    pub home: Option<&'a Path>,
    /// The environment.
    pub env: Env<'a>,
}

/// What is set.
#[derive(Clone, Debug)]
pub struct Config {
    /// The files it was read from, the strongest last.
    pub files: Vec<PathBuf>,
    /// The home, as an absolute path or one from the present folder.
    pub home: Option<PathBuf>,
    /// How many steps of a run may be in flight at once.
    pub parallel: Option<u32>,
    /// Models, roles, budget and privacy, as files and environment have them.
    pub agents: agents::Config,
    layers: Vec<Layer>,
    overrides: Overrides,
}

/// Our own keys of the file; the others are checked by the agents' crate.
#[derive(Debug, Default, Deserialize)]
struct Written {
    home: Option<PathBuf>,
    parallel: Option<Spanned<u32>>,
}

impl Config {
    /// Reads the files, and the environment over them. What makes no sense is refused, and so is a file of
    /// the project that says more than what is harmless and is not trusted.
    pub fn read(places: &Places<'_>) -> Result<Self, Trouble> {
        let mut found = Found::default();
        if let Some(file) = config_folder(places.env).map(|folder| folder.join("baton").join(FILE)) {
            found.own(&file)?;
        }
        if let Some(folder) = places.project {
            found.project(folder, places)?;
        }
        let set = |name: &str| {
            (places.env)(name)
                .map(|value| value.to_string_lossy().into_owned())
                .filter(|value| !value.is_empty())
        };
        if let Some(typed) = set("BATON_PARALLEL") {
            found.parallel = Some(read_parallel(&typed)?);
        }
        let overrides = Overrides::from_env(set).map_err(|error| wrong(&error))?;
        let agents = build(&found.layers, &overrides)?;
        let Found { files, home, parallel, layers } = found;
        Ok(Self { files, home, parallel, agents, layers, overrides })
    }

    /// Models, roles, budget and privacy with what was typed over everything else.
    pub fn typed(&self, flags: Overrides) -> Result<agents::Config, Trouble> {
        build(&self.layers, &flags.over(self.overrides.clone()))
    }

    /// What a file wants that needs trust, beside the other files there are.
    pub fn wishes(&self, layer: &Layer) -> Vec<Wish> {
        agents::wishes(layer, &self.layers)
    }

    /// The limits of the project's file that do not count, each as a sentence with its place. One that was typed or
    /// stands in the environment counts whatever the files say.
    pub fn held_back(&self, is_budget_typed: bool) -> Vec<String> {
        let typed = Overrides { usd: is_budget_typed.then_some(0.0), ..Overrides::default() };
        let overrides = typed.over(self.overrides.clone());
        agents::held_back(&self.layers, &overrides).iter().map(ToString::to_string).collect()
    }

    /// The settings of a new run: what was typed over what is configured over the defaults.
    pub fn settings(&self, micro_usd: Option<u64>, parallel: Option<u32>) -> Settings {
        let default = Settings::default();
        let budget = self.agents.budget;
        let limits = Limits {
            micro_usd: micro_usd.or(budget.microusd),
            tokens: budget.tokens.or(default.limits.tokens),
            calls: budget.calls.or(default.limits.calls),
            ..default.limits
        };
        Settings { limits, parallel: parallel.or(self.parallel).unwrap_or(default.parallel) }
    }
}

/// What the files say, each over the one before.
#[derive(Default)]
struct Found {
    files: Vec<PathBuf>,
    home: Option<PathBuf>,
    parallel: Option<u32>,
    layers: Vec<Layer>,
}

impl Found {
    /// The person's own file: it may say anything.
    fn own(&mut self, file: &Path) -> Result<(), Trouble> {
        if let Some(text) = read(file)? {
            let layer = parse(&file.display().to_string(), &text)?;
            self.add(file, &text, layer)?;
        }
        Ok(())
    }

    /// The file of a project, which came from somebody else until its reader says otherwise.
    fn project(&mut self, folder: &Path, places: &Places<'_>) -> Result<(), Trouble> {
        let file = folder.join(FILE);
        let Some(text) = read(&file)? else { return Ok(()) };
        if self.files.iter().any(|own| same_file(own, &file)) {
            return Ok(());
        }
        let name = file.display().to_string();
        let layer = Layer::parse_project(&name, &text).map_err(|error| wrong(&error))?;
        if let Some(refusal) = layer.refusal(&self.layers)
            && !self.trusts(&file, &text, places)?
        {
            return Err(Trouble::Untrusted {
                what: refusal.to_string(),
                flag: places.home.map(|home| format!(" --home {}", quoted(&home.display().to_string()))),
            });
        }
        self.add(&file, &text, layer)
    }

    /// Whether the person has trusted this file as it is. It must not name the home in which it is trusted.
    fn trusts(&self, file: &Path, text: &str, places: &Places<'_>) -> Result<bool, Trouble> {
        let Ok(home) = Home::choose(places.home, self.home.as_deref(), places.env) else { return Ok(false) };
        home.check()?;
        Ok(TrustStore::load(&home.trusted())?.trusts(text, file))
    }

    fn add(&mut self, file: &Path, text: &str, layer: Layer) -> Result<(), Trouble> {
        let place = |span: Option<std::ops::Range<usize>>, what: &str| {
            let before = text.get(..span.map_or(0, |span| span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|letter| *letter != '\n').count() + 1;
            Trouble::Config(vec![format!("{}, line {line}, column {column}: {what}", file.display())])
        };
        let written: Written =
            toml::from_str(text).map_err(|error| place(error.span(), error.message().trim()))?;
        if let Some(parallel) = written.parallel {
            if *parallel.get_ref() == 0 {
                return Err(place(Some(parallel.span()), "parallel must be at least 1."));
            }
            self.parallel = Some(parallel.into_inner());
        }
        // A path in the file is meant from where the file stands.
        let folder = file.parent().unwrap_or(Path::new(""));
        self.home = written.home.map(|home| folder.join(home)).or(self.home.take());
        self.files.push(file.to_owned());
        self.layers.push(layer);
        Ok(())
    }
}

/// Reads a text as the schema has it, trusted or not.
pub fn parse(name: &str, text: &str) -> Result<Layer, Trouble> {
    Layer::parse(name, text).map_err(|error| wrong(&error))
}

fn read(file: &Path) -> Result<Option<String>, Trouble> {
    match bounded::text(file, bounded::WRITTEN) {
        Ok(text) => Ok(Some(text)),
        Err(refusal) if refusal.is_missing() => Ok(None),
        Err(refusal) => {
            let why = std::io::Error::from(refusal);
            Err(Trouble::Config(vec![format!("{}: it cannot be read ({why}).", file.display())]))
        }
    }
}

fn same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

fn build(layers: &[Layer], overrides: &Overrides) -> Result<agents::Config, Trouble> {
    agents::build(layers, overrides)
        .map_err(|errors| Trouble::Config(errors.iter().map(ToString::to_string).collect()))
}

fn read_parallel(typed: &str) -> Result<u32, Trouble> {
    typed.parse().ok().filter(|parallel| *parallel > 0).ok_or_else(|| {
        let what = format!("the variable BATON_PARALLEL: `{typed}` is not a number of steps, such as 8.");
        Trouble::Config(vec![what])
    })
}

fn wrong(error: &agents::ConfigError) -> Trouble {
    Trouble::Config(vec![error.to_string()])
}

#[cfg(test)]
mod tests;
