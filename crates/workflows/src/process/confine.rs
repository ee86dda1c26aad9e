//! What a process may touch: it writes below the folders it is given and nowhere else, and opens no connection unless it
//! may. The kernel holds it to that (Landlock, Linux 5.13 for files and 6.7 for connections); what it starts inherits it.
//!
//! **What is not covered.** Everything can still be read. UDP is not refused. A kernel that knows less refuses less, and
//! one without Landlock refuses nothing: [`Sandbox::Require`] then does not start the process.

use std::path::PathBuf;

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
        match self.sandbox {
            Sandbox::Off => Ok(()),
            Sandbox::Prefer => self.restrict(false),
            Sandbox::Require => self.restrict(true),
        }
    }

    #[cfg(target_os = "linux")]
    fn restrict(&self, required: bool) -> std::io::Result<()> {
        use landlock::{
            ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
            RulesetAttr, RulesetCreatedAttr,
        };
        let files = if required { CompatLevel::HardRequirement } else { CompatLevel::BestEffort };
        let refused = |error: landlock::RulesetError| {
            std::io::Error::new(std::io::ErrorKind::Unsupported, format!("it cannot be confined: {error}"))
        };
        let write = AccessFs::from_write(ABI::V3);
        let mut rules = Ruleset::default().set_compatibility(files).handle_access(write).map_err(refused)?;
        if !self.network {
            rules = rules.handle_access(AccessNet::from_all(ABI::V4)).map_err(refused)?;
        }
        let mut rules = rules.create().map_err(refused)?;
        // Writing to devices such as /dev/null makes no file anywhere.
        let devices = AccessFs::WriteFile | AccessFs::Truncate;
        if let Ok(folder) = PathFd::new("/dev") {
            rules = rules.add_rule(PathBeneath::new(folder, devices)).map_err(refused)?;
        }
        for path in &self.writable {
            let folder = PathFd::new(path).map_err(std::io::Error::other)?;
            rules = rules.add_rule(PathBeneath::new(folder, write)).map_err(refused)?;
        }
        rules.restrict_self().map(drop).map_err(refused)
    }

    #[cfg(not(target_os = "linux"))]
    fn restrict(&self, required: bool) -> std::io::Result<()> {
        if required {
            return Err(std::io::Error::new(
                std::io::ErrorKind::Unsupported,
                "it cannot be confined: no Landlock here",
            ));
        }
        Ok(())
    }
}
