//! The acts carried out beyond this machine: putting queries to providers, fetching pages. A run has these only if its
//! order names a place beyond this machine.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use baton_agents::read::fetch::{FetchError, FetchedPage};
use baton_agents::read::polite::{Polite, PoliteError};
use baton_agents::search::assemble::Assembled;
use baton_agents::search::fan::{End, Fan, Fanned};
use baton_agents::search::mcp::McpServer;
use baton_agents::search::web::WebFault;
use baton_agents::search::{Location, Query};
use baton_engine::{Call, Effects, Failure, Paid, Perform};

use super::acts::{FetchPage, PageRead, SearchWeb};
use super::local::{LocalWorld, lasting};
use super::source::Lead;

/// What lies beyond this machine, as far as a run may ask it.
#[derive(Clone)]
pub struct WebWorld {
    here: LocalWorld,
    fan: Arc<Fan>,
    readers: Arc<[Arc<McpServer>]>,
    polite: Arc<Polite>,
    /// Searches that everybody answered: the same words are not sent, and perhaps paid for, twice.
    answered: Arc<Mutex<HashMap<String, Fanned>>>,
}

impl WebWorld {
    /// The places a run may ask, and the fetcher for what they point to. What is fetched is kept `here`.
    #[must_use]
    pub fn new(here: LocalWorld, places: Assembled, polite: Polite) -> Self {
        let Assembled { fan, readers } = places;
        Self {
            here,
            fan: Arc::new(fan),
            readers: readers.into(),
            polite: Arc::new(polite),
            answered: Arc::default(),
        }
    }

    /// Adds the performers.
    #[must_use]
    pub fn effects(self, effects: Effects) -> Effects {
        effects.with::<SearchWeb>(self.clone()).with::<FetchPage>(self)
    }

    /// The server that reads a page: the one that found it, else one that does nothing but read.
    fn reader(&self, lead: &Lead) -> Option<&McpServer> {
        let found = |server: &&Arc<McpServer>| {
            let name = &server.card().name;
            lead.provider == *name || lead.references.iter().any(|it| it.provider == *name)
        };
        let only_reads = |server: &&Arc<McpServer>| server.card().search_tool.is_none();
        let server = self.readers.iter().find(found).or_else(|| self.readers.iter().find(only_reads));
        server.map(Arc::as_ref)
    }

    async fn page(&self, run: &str, lead: &Lead) -> Result<FetchedPage, Failure> {
        let Location::Url(address) = &lead.location else {
            return Err(lasting(format!("{} is not a web address", lead.location)));
        };
        let Some(server) = self.reader(lead) else {
            let fetched = self.polite.fetch_once(run, address).await;
            return fetched.map(|(page, _)| page).map_err(|error| polite_failure(&error));
        };
        if let Some(page) = self.polite.fetched_on(run, address).map_err(lasting)? {
            return Ok(page);
        }
        let page = server.read(address).await.map_err(|fault| web_failure(&fault, address))?;
        self.polite.keep(run, address, &page).map_err(lasting)?;
        Ok(page)
    }
}

#[async_trait]
impl Perform<SearchWeb> for WebWorld {
    async fn perform(&self, act: SearchWeb, _call: &Call) -> Result<Paid<Fanned>, Failure> {
        let SearchWeb { query: text, hits: limit, rules, language } = act;
        let known = self.answered.lock().unwrap_or_else(PoisonError::into_inner).get(&text).cloned();
        if let Some(mut fanned) = known {
            fanned.ends.iter_mut().for_each(|put| put.tries = 0);
            return Ok(Paid::free(fanned));
        }
        let query = Query { text: text.clone(), limit, since: rules.since, until: rules.until, language };
        let fanned = self.fan.search(&[query], &rules).await;
        if fanned.ends.iter().all(|put| matches!(put.end, End::Answered { .. })) {
            self.answered.lock().unwrap_or_else(PoisonError::into_inner).insert(text, fanned.clone());
        }
        Ok(Paid::free(fanned))
    }
}

#[async_trait]
impl Perform<FetchPage> for WebWorld {
    async fn perform(&self, act: FetchPage, call: &Call) -> Result<Paid<PageRead>, Failure> {
        let page = self.page(&call.run.to_string(), &act.lead).await?;
        self.here.blocking(move |here| here.keep_page(&act.lead, &page)).await
    }
}

/// Only what may be gone in a moment is worth another try.
fn polite_failure(error: &PoliteError) -> Failure {
    match error {
        PoliteError::Fetch(
            FetchError::Timeout(_) | FetchError::Connection { .. } | FetchError::Status { status: 500.., .. },
        ) => Failure::passing(error.to_string()),
        _ => lasting(error),
    }
}

fn web_failure(fault: &WebFault, address: &str) -> Failure {
    let text = format!("{address} could not be read by {}: {}", fault.provider, fault.detail);
    if fault.kind.retriable() { Failure::passing(text) } else { Failure::lasting(text) }
}
