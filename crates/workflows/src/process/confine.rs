//! What an agent or a gate may touch, as a plan says it and a journal keeps it: it writes below the folders it is given and
//! nowhere else, and opens no connection unless it may. How a process is held to that, and what is not covered, is said in
//! [`baton_agents::confine`]; where the system cannot, [`Sandbox::Require`] does not start it.

use std::path::PathBuf;

use baton_agents::confine;
use serde::{Deserialize, Serialize};

/// How much it matters that a process is confined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sandbox {
    /// It must be; where the system cannot, it is not run.
    Require,
    /// It is where the system can.
    #[default]
    Prefer,
    /// It is not.
    Off,
}

/// What a process may touch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// How much it matters.
    pub sandbox: Sandbox,
    /// Below these it may write.
    pub writable: Vec<PathBuf>,
    /// Whether it may open and take connections.
    pub network: bool,
}

impl Confinement {
    /// Everything is allowed.
    pub fn off() -> Self {
        Self { sandbox: Sandbox::Off, writable: Vec::new(), network: true }
    }

    /// Shuts the present process in, with all it will start. What the system refuses to do is an error only where it is
    /// required.
    pub(super) fn enter(&self) -> std::io::Result<()> {
        let confinement = confine::Confinement {
            memory: None,
            readable: confine::Readable::Everything,
            writable: self.writable.clone(),
            network: self.network,
            required: self.sandbox == Sandbox::Require,
        };
        match self.sandbox {
            Sandbox::Off => Ok(()),
            Sandbox::Prefer | Sandbox::Require => {
                confine::confine(&confinement).map_err(std::io::Error::other)
            }
        }
    }
}
