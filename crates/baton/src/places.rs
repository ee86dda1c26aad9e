//! Places beyond this machine: which one a name means, and asking them.

use std::sync::Arc;

use baton_agents::clock::{Clock, RealClock};
use baton_agents::config::Config;
use baton_agents::model::secret::{EnvKeys, Keys};
use baton_agents::nearest::nearest;
use baton_agents::read::archive::Archive;
use baton_agents::read::extract::ChildCommand;
use baton_agents::read::fetch::{FetchSettings, Fetcher};
use baton_agents::read::polite::{Manners, Polite};
use baton_agents::search::assemble::{Assembled, assemble};
use baton_agents::search::mcp::McpCard;
use baton_agents::search::web::{Consent, Kind, ProviderCard};
use baton_engine::Engine;
use baton_workflows::retrieval::{Beyond, LocalWorld, WebWorld};

use crate::program::Program;
use crate::sources::{Period, SourceArgs, refuse};
use crate::trouble::Trouble;

/// The folders of documents, among the names of places.
pub const LOCAL: &str = "local";
/// All feeds that are configured.
const FEEDS: &str = "feeds";
/// The folder of the page cache below the home.
pub const FETCHED: &str = "fetched";
/// The folder of the providers' paces below the home.
const PACES: &str = "paces";

/// The places some names mean.
#[derive(Debug, Default)]
pub struct NamedPlaces {
    /// Whether the folders are among them.
    pub local: bool,
    /// Providers of search.
    pub providers: Vec<ProviderCard>,
    /// MCP servers.
    pub servers: Vec<McpCard>,
}

impl NamedPlaces {
    /// Everything that is configured.
    pub fn configured(config: &Config) -> Self {
        Self {
            local: false,
            providers: config.search.values().cloned().collect(),
            servers: config
                .mcp
                .values()
                .filter(|card| card.search_tool.is_some() || card.read_tool.is_some())
                .cloned()
                .collect(),
        }
    }

    /// What these names mean. A keyless provider with a public address needs no section of its own.
    pub fn of<'a>(config: &Config, names: impl IntoIterator<Item = &'a str>) -> Result<Self, Trouble> {
        let mut named = Self::default();
        for name in names {
            named.add(config, name)?;
        }
        Ok(named)
    }

    fn add(&mut self, config: &Config, name: &str) -> Result<(), Trouble> {
        let kind = Kind::NAMED.into_iter().find(|kind| kind.name() == name);
        let public = kind.filter(|kind| !kind.needs_key()).and_then(|kind| Some((kind, kind.home()?)));
        if name == LOCAL {
            self.local = true;
        } else if let Some(card) = config.search.get(name) {
            self.take(card.clone());
        } else if let Some(card) = config.mcp.get(name) {
            if !self.servers.iter().any(|known| known.name == card.name) {
                self.servers.push(card.clone());
            }
        } else if name == FEEDS && config.search.values().any(|card| card.kind == Kind::Feed) {
            let feeds = config.search.values().filter(|card| card.kind == Kind::Feed);
            feeds.for_each(|card| self.take(card.clone()));
        } else if let Some((kind, home)) = public {
            self.take(ProviderCard::new(kind, home));
        } else {
            return Err(unknown(config, name, kind.is_some() || name == FEEDS));
        }
        Ok(())
    }

    fn take(&mut self, card: ProviderCard) {
        if !self.providers.iter().any(|known| known.name == card.name) {
            self.providers.push(card);
        }
    }
}

fn unknown(config: &Config, name: &str, is_kind: bool) -> Trouble {
    if is_kind {
        return Trouble::Order {
            what: format!("`{name}` is not set up"),
            next: format!("Write a section [search.{name}] into baton.toml; docs/providers.md has its keys"),
        };
    }
    let public = Kind::NAMED.iter().filter(|kind| kind.home().is_some() && !kind.needs_key());
    let known: Vec<&str> = std::iter::once(LOCAL)
        .chain(public.map(|kind| kind.name()))
        .chain(config.search.keys().map(String::as_str))
        .chain(config.mcp.keys().map(String::as_str))
        .collect();
    let next = nearest(name, known.iter().copied())
        .map_or_else(|| format!("There are: {}", known.join(", ")), |near| format!("Did you mean `{near}`?"));
    Trouble::Order { what: format!("there is no source `{name}`"), next }
}

/// The engine, able to ask these places.
pub fn with_places(program: &Program, mut engine: Engine, beyond: &Beyond) -> Result<Engine, Trouble> {
    let child = ChildCommand::this_program().map_err(Trouble::Runtime)?;
    let here = LocalWorld::new(&program.home.path, child, Arc::clone(&program.clock));
    let world = WebWorld::new(here, assembled(program, beyond)?, polite(program, &beyond.allow_private)?);
    engine.effects = world.effects(engine.effects);
    Ok(engine)
}

/// The places, ready to be asked at the pace that all runs of this home keep together.
pub fn assembled(program: &Program, beyond: &Beyond) -> Result<Assembled, Trouble> {
    let keys: Arc<dyn Keys> = Arc::new(EnvKeys);
    let clock: Arc<dyn Clock> = Arc::new(RealClock::new());
    let consent = Consent::given_by(&beyond.consent);
    let paces = program.home.path.join(PACES);
    Ok(assemble(&beyond.providers, &beyond.servers, &keys, &clock, Some(&paces), &consent)?)
}

/// A fetcher of pages whose cache serves every run of this home.
pub fn polite(program: &Program, allow_private: &[String]) -> Result<Polite, Trouble> {
    let settings = FetchSettings { allowed_private: allow_private.to_vec(), ..FetchSettings::default() };
    let archive = Archive::of_home(&program.home.path);
    let folder = program.home.path.join(FETCHED);
    Ok(Polite::new(Fetcher::new(settings)?, archive, &folder, Arc::new(RealClock::new()), Manners::default()))
}

/// What a run reaches beyond this machine: the places that were named, else, where there are no documents, those that are
/// configured.
pub fn reached(
    config: &Config,
    sources: &SourceArgs,
    period: &Period,
    allow_private: &[String],
    has_docs: bool,
) -> Result<Option<Beyond>, Trouble> {
    let (named, origin) = if !sources.names.is_empty() {
        (NamedPlaces::of(config, sources.names())?, "--sources")
    } else if has_docs {
        return Ok(None);
    } else {
        (NamedPlaces::configured(config), "baton.toml")
    };
    if named.local && !has_docs {
        return refuse(
            "`local` means your documents, and none are named",
            "Name a folder with --docs FOLDER",
        );
    }
    if named.providers.is_empty() && named.servers.is_empty() {
        return Ok(None);
    }
    if named.providers.is_empty() && named.servers.iter().all(|server| server.search_tool.is_none()) {
        return refuse(
            format!("{} can read pages and find none", named.servers[0].name),
            "Name a place that searches beside it, such as --sources wikipedia",
        );
    }
    Ok(Some(Beyond {
        consent: origin.to_owned(),
        providers: named.providers,
        servers: named.servers,
        rules: sources.rules(period)?,
        language: period.two_letters(),
        allow_private: allow_private.to_vec(),
    }))
}
