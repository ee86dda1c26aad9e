//! Polite fetching across runs: one request at a time to a host, with a pause after it; a host that asks for rest gets
//! it; a page fetched before is asked for with its validators and, unchanged, comes from the archive.
//!
//! Cache and pauses lie in a folder and serve every run of every process.

use std::collections::HashMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use url::Url;

use super::Format;
use super::archive::{Archive, ArchiveError};
use super::fetch::{FetchError, Fetched, FetchedPage, Fetcher, Validators};
use crate::clock::Clock;
use crate::config::is_this_machine;
use crate::hash::sha256_hex;
use crate::shared::Shared;

/// No robots.txt makes us wait longer than this between two pages.
const LONGEST_GAP: Duration = Duration::from_secs(30);
/// A machine whose clock was set back must not leave a host alone for longer than this.
const LONGEST_REST: Duration = Duration::from_secs(3600);
/// The rest of a host that asks for one without saying how long.
const REST: Duration = Duration::from_secs(60);

/// How polite to be.
#[derive(Debug, Clone, Copy)]
pub struct Manners {
    /// Time between two requests to one host.
    pub gap: Duration,
    /// The same for a host on this machine, which is nobody else's.
    pub gap_here: Duration,
    /// A host that rests longer than this is reported instead of waited for.
    pub patience: Duration,
}

impl Default for Manners {
    fn default() -> Self {
        Self { gap: Duration::from_secs(1), gap_here: Duration::ZERO, patience: Duration::from_secs(60) }
    }
}

/// Where a page came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// From its server, now.
    Fetched,
    /// From the archive: its server says it has not changed.
    Unchanged,
    /// From the archive, and its server was not asked.
    Archived,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum PoliteError {
    /// It could not be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// Its host asked to be left alone.
    #[error("{url} was not fetched: its host asked for rest; {seconds} s of it are left")]
    Resting {
        /// Which address.
        url: String,
        /// How much longer.
        seconds: u64,
    },
    /// It was fetched but not kept.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The cache could not be read or written.
    #[error("the cache of pages at {} failed: {source}", path.display())]
    Cache {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// What is remembered of a page; its body lies in the archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    url: String,
    final_url: String,
    redirects: Vec<String>,
    format: Format,
    charset: Option<String>,
    raw_hash: String,
    /// The errand it was last fetched on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    errand: Option<String>,
    #[serde(flatten)]
    validators: Validators,
}

/// When a host may be asked again.
#[derive(Debug, Default, Clone, Copy, Serialize, Deserialize)]
struct Turn {
    next: Duration,
    rest_until: Duration,
}

/// A fetcher that remembers.
pub struct Polite {
    fetcher: Fetcher,
    archive: Archive,
    folder: PathBuf,
    clock: Arc<dyn Clock>,
    manners: Manners,
    /// Who holds a host's lock may ask it.
    hosts: Mutex<HashMap<String, Arc<Mutex<Shared<Turn>>>>>,
}

impl Polite {
    /// A polite fetcher whose cache lies in `folder`, which is made when it is first written to.
    #[must_use]
    pub fn new(
        fetcher: Fetcher,
        archive: Archive,
        folder: &Path,
        clock: Arc<dyn Clock>,
        manners: Manners,
    ) -> Self {
        Self { fetcher, archive, folder: folder.to_owned(), clock, manners, hosts: Mutex::default() }
    }

    /// Fetches a page, in its host's turn, or takes it from the archive if it has not changed.
    pub async fn fetch(&self, address: &str) -> Result<(FetchedPage, Origin), PoliteError> {
        self.fetch_on(None, address).await
    }

    /// Fetches a page at most once on an errand, such as a run: what was fetched on it before comes from the archive,
    /// also in another process.
    pub async fn fetch_once(
        &self,
        errand: &str,
        address: &str,
    ) -> Result<(FetchedPage, Origin), PoliteError> {
        self.fetch_on(Some(errand), address).await
    }

    /// The page if it was fetched on this errand already.
    pub fn fetched_on(&self, errand: &str, address: &str) -> Result<Option<FetchedPage>, PoliteError> {
        let known = self.known(address)?.filter(|(entry, _)| entry.errand.as_deref() == Some(errand));
        Ok(known.map(|(entry, body)| entry.page(body)))
    }

    /// Keeps a page that somebody else fetched on an errand.
    pub fn keep(&self, errand: &str, address: &str, page: &FetchedPage) -> Result<(), PoliteError> {
        self.remember(&self.entry(Some(errand), address, page, Validators::default())?)
    }

    async fn fetch_on(
        &self,
        errand: Option<&str>,
        address: &str,
    ) -> Result<(FetchedPage, Origin), PoliteError> {
        let url = Url::parse(address).map_err(|_| FetchError::Address(address.to_owned()))?;
        let host = url.host_str().unwrap_or_default().to_lowercase();
        let turns = || Arc::new(Mutex::new(Shared::in_file(&self.host_file(&host))));
        let turn = Arc::clone(self.hosts.lock().await.entry(host.clone()).or_insert_with(turns));
        let turn = turn.lock().await;
        // Looked up in the host's turn: whoever had it before may have fetched this very page.
        let known = self.known(address)?;
        let known = match known {
            Some((entry, body)) if errand.is_some() && entry.errand.as_deref() == errand => {
                return Ok((entry.page(body), Origin::Archived));
            }
            other => other,
        };
        self.wait(&turn, &url).await?;
        let asked = known.as_ref().map(|(entry, _)| (entry.final_url.as_str(), &entry.validators));
        let fetched = self.fetcher.fetch_if_changed(address, asked).await;
        // Only now robots.txt has been read, which may ask for a longer pause.
        let (now, gap) = (self.clock.now(), self.gap(&url).await);
        let rest = match &fetched {
            Err(FetchError::Status { status: 429 | 503, retry_after, .. }) => {
                retry_after.map_or(REST, Duration::from_secs)
            }
            _ => Duration::ZERO,
        };
        turn.change(|turn| {
            turn.next = turn.next.max(now + gap);
            turn.rest_until = turn.rest_until.max(now + rest);
        });
        match (fetched?, known) {
            (Fetched::Page(page, validators), _) => {
                self.remember(&self.entry(errand, address, &page, validators)?)?;
                Ok((page, Origin::Fetched))
            }
            (Fetched::Unchanged, Some((mut entry, body))) => {
                if errand.is_some() {
                    entry.errand = errand.map(str::to_owned);
                    self.remember(&entry)?;
                }
                Ok((entry.page(body), Origin::Unchanged))
            }
            // Cannot be: without an entry nothing was asked conditionally.
            (Fetched::Unchanged, None) => {
                let url = address.to_owned();
                Err(FetchError::Status { url, status: 304, retry_after: None }.into())
            }
        }
    }

    /// The pause after a request: ours, or the longer one that robots.txt asks for.
    async fn gap(&self, url: &Url) -> Duration {
        let ours = if is_this_machine(url.as_str()) { self.manners.gap_here } else { self.manners.gap };
        self.fetcher.crawl_delay(url).await.unwrap_or_default().min(LONGEST_GAP).max(ours)
    }

    /// The last copy of a page, without asking anybody; none if it was never fetched.
    pub fn archived(&self, address: &str) -> Result<Option<(FetchedPage, Origin)>, PoliteError> {
        Ok(self.known(address)?.map(|(entry, body)| (entry.page(body), Origin::Archived)))
    }

    /// Takes the next turn of a host, among all processes, and waits for it.
    async fn wait(&self, turn: &Shared<Turn>, url: &Url) -> Result<(), PoliteError> {
        let (now, gap) = (self.clock.now(), self.gap(url).await);
        let wait = turn.change(|turn| {
            let rest = turn.rest_until.saturating_sub(now).min(LONGEST_REST);
            if rest > self.manners.patience {
                return Err(PoliteError::Resting { url: url.to_string(), seconds: rest.as_secs() });
            }
            let at = (now + rest).max(turn.next.min(now + LONGEST_REST));
            turn.next = at + gap;
            Ok(at - now)
        })?;
        if !wait.is_zero() {
            self.clock.sleep(wait).await;
        }
        Ok(())
    }

    fn host_file(&self, host: &str) -> PathBuf {
        self.folder.join("hosts").join(format!("{}.json", &sha256_hex(host.as_bytes())[..16]))
    }

    /// The entry of an address and its body. A body that is gone or changed makes it unknown: it is fetched anew.
    fn known(&self, address: &str) -> Result<Option<(Entry, Vec<u8>)>, PoliteError> {
        let path = self.path(address);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(PoliteError::Cache { path, source }),
        };
        // A cache: what cannot be understood is as good as absent.
        let Ok(entry) = serde_json::from_slice::<Entry>(&text) else { return Ok(None) };
        match self.archive.get(&entry.raw_hash) {
            Ok(body) => Ok((entry.url == address).then_some((entry, body))),
            Err(ArchiveError::Missing(_) | ArchiveError::Changed(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Archives a page and says what to remember of it.
    fn entry(
        &self,
        errand: Option<&str>,
        address: &str,
        page: &FetchedPage,
        validators: Validators,
    ) -> Result<Entry, PoliteError> {
        Ok(Entry {
            url: address.to_owned(),
            final_url: page.url.clone(),
            redirects: page.redirects.clone(),
            format: page.format,
            charset: page.charset.clone(),
            raw_hash: self.archive.put(&page.body)?,
            errand: errand.map(str::to_owned),
            validators,
        })
    }

    fn remember(&self, entry: &Entry) -> Result<(), PoliteError> {
        let path = self.path(&entry.url);
        let failed = |source: std::io::Error| PoliteError::Cache { path: path.clone(), source };
        fs::create_dir_all(path.parent().unwrap_or(&self.folder)).map_err(failed)?;
        let text = serde_json::to_vec_pretty(entry).map_err(|error| failed(error.into()))?;
        // Written beside and renamed: another process reads the old entry or the new one.
        let beside = path.with_extension(format!("{}.partial", std::process::id()));
        let mut file = fs::File::create(&beside).map_err(failed)?;
        file.write_all(&text).map_err(failed)?;
        fs::rename(&beside, &path).map_err(failed)
    }

    fn path(&self, address: &str) -> PathBuf {
        let name = sha256_hex(address.as_bytes());
        self.folder.join(&name[..2]).join(format!("{name}.json"))
    }
}

impl Entry {
    fn page(self, body: Vec<u8>) -> FetchedPage {
        FetchedPage {
            url: self.final_url,
            format: self.format,
            charset: self.charset,
            body,
            redirects: self.redirects,
        }
    }
}
