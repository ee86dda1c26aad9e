//! Real traffic kept and played back, as a model of its own. A cassette is a file of JSON lines, each a
//! call and what came of it; a call is matched by its content (what was asked), not by who asked or when.

use std::collections::{BTreeMap, VecDeque};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::secret::{Keys, Scrub};
use super::{FaultKind, Heartbeat, Model, ModelCall, ModelCard, ModelFault, ModelReply};
use crate::hash::sha256_hex;
use crate::read::bounded;

/// The largest cassette that is played.
const CASSETTE: u64 = 256 << 20;

/// One line of a cassette.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Taken {
    /// Hash of what was asked.
    asked: String,
    call: ModelCall,
    came: Result<ModelReply, ModelFault>,
}

/// A cassette that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The file cannot be read or written.
    #[error("cassette {path}: {source}")]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line is not what a recorder writes.
    #[error("cassette {path}, line {line}: {why}. Record it again, or delete the line.")]
    Line {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}

/// What makes two calls the same question.
fn asked(call: &ModelCall) -> String {
    let content = json!([call.model, call.messages, call.schema, call.max_tokens, call.temperature]);
    sha256_hex(content.to_string().as_bytes())
}

/// Passes calls on to a model and keeps what came of them.
pub struct Recorder {
    inner: Arc<dyn Model>,
    keys: Arc<dyn Keys>,
    file: Mutex<File>,
}

impl Recorder {
    /// Records `inner` at the end of the file at `path`. `keys` says what must never be written.
    pub fn new(inner: Arc<dyn Model>, keys: Arc<dyn Keys>, path: &Path) -> Result<Self, ReplayError> {
        let wrong = |source| ReplayError::File { path: path.to_owned(), source };
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(wrong)?;
        Ok(Self { inner, keys, file: Mutex::new(file) })
    }

    fn keep(&self, taken: &Taken) -> Result<(), std::io::Error> {
        let key = self.card().key_env.as_deref().and_then(|name| self.keys.key(name));
        let line = Scrub::of(key.as_ref()).answer(&serde_json::to_string(taken)?);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(format!("{line}\n").as_bytes())
    }
}

#[async_trait]
impl Model for Recorder {
    fn card(&self) -> &ModelCard {
        self.inner.card()
    }

    async fn call(&self, call: &ModelCall, watch: &dyn Heartbeat) -> Result<ModelReply, ModelFault> {
        let came = self.inner.call(call, watch).await;
        let taken = Taken { asked: asked(call), call: call.clone(), came: came.clone() };
        self.keep(&taken).map_err(|error| {
            let detail = format!("the answer came but the cassette could not be written: {error}.");
            ModelFault::new(FaultKind::Unreadable, &call.model, detail)
        })?;
        came
    }
}

/// Answers from a cassette, each recording once and in order; it reaches no network.
pub struct Replay {
    card: ModelCard,
    taken: Mutex<BTreeMap<String, VecDeque<Result<ModelReply, ModelFault>>>>,
}

impl Replay {
    /// Plays the file at `path` under the name on `card`.
    pub fn load(card: ModelCard, path: &Path) -> Result<Self, ReplayError> {
        let wrong = |source| ReplayError::File { path: path.to_owned(), source };
        let text = bounded::text(path, CASSETTE).map_err(|refusal| wrong(refusal.into()))?;
        let mut by_question: BTreeMap<String, VecDeque<_>> = BTreeMap::new();
        for (index, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
            let bad = |why: String| ReplayError::Line { path: path.to_owned(), line: index + 1, why };
            let taken: Taken = serde_json::from_str(line).map_err(|e| bad(e.to_string()))?;
            if taken.asked != asked(&taken.call) {
                return Err(bad("the call was changed after it was recorded".to_owned()));
            }
            by_question.entry(taken.asked).or_default().push_back(taken.came);
        }
        Ok(Self { card, taken: Mutex::new(by_question) })
    }

    /// Recordings nobody has asked for: a test that leaves some has drifted from its cassette.
    #[must_use]
    pub fn left(&self) -> usize {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).values().map(VecDeque::len).sum()
    }
}

#[async_trait]
impl Model for Replay {
    fn card(&self) -> &ModelCard {
        &self.card
    }

    async fn call(&self, call: &ModelCall, _watch: &dyn Heartbeat) -> Result<ModelReply, ModelFault> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let next = taken.get_mut(&asked(call)).and_then(VecDeque::pop_front);
        next.unwrap_or_else(|| {
            let detail = format!("the cassette holds no further answer to step {}.", call.step);
            Err(ModelFault::new(FaultKind::NotRecorded, &call.model, detail))
        })
    }
}
