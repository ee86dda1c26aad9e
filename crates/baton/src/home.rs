//! Where runs are kept, and that nobody else can read them.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::config::Env;
use crate::text::quoted;
use crate::trouble::Trouble;

/// The folder that holds all runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// The folder.
    pub path: PathBuf,
    /// Who named it.
    pub named_by: NamedBy,
}

/// Who named the home.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum NamedBy {
    /// `--home`.
    #[serde(rename = "--home")]
    Flag,
    /// `BATON_HOME`.
    #[serde(rename = "BATON_HOME")]
    Environment,
    /// `baton.toml`.
    #[serde(rename = "baton.toml")]
    Config,
    /// Nobody: it is the platform's data folder.
    #[serde(rename = "default")]
    Platform,
}

impl NamedBy {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Flag => "named by --home",
            Self::Environment => "named by BATON_HOME",
            Self::Config => "named by baton.toml",
            Self::Platform => "the platform's data folder",
        }
    }
}

impl Home {
    /// The home: the flag over the environment over the configuration over the platform's data folder.
    pub fn choose(flag: Option<&Path>, config: Option<&Path>, env: Env<'_>) -> Result<Self, Trouble> {
        let set = |name: &str| env(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let choices = [
            (flag.map(Path::to_owned), NamedBy::Flag),
            (set("BATON_HOME"), NamedBy::Environment),
            (config.map(Path::to_owned), NamedBy::Config),
            (data_folder(&set).map(|folder| folder.join("baton")), NamedBy::Platform),
        ];
        let chosen = choices.into_iter().find_map(|(path, named_by)| Some(Self { path: path?, named_by }));
        chosen.ok_or(Trouble::NoHome)
    }

    /// The list of files of projects that a person has trusted.
    pub fn trusted(&self) -> PathBuf {
        self.path.join("trusted")
    }

    /// Makes the folder, closed to others, if there is none. One that is not ours alone is refused.
    pub fn make(&self) -> Result<(), Trouble> {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.path).map_err(|why| Trouble::File {
            what: "make",
            path: self.path.clone(),
            why,
        })?;
        self.ready()
    }

    /// Sees to it that nobody else can read or write here, before anything is read or written. A folder that is not
    /// there yet will be made so.
    pub fn ready(&self) -> Result<(), Trouble> {
        self.close_if_new();
        self.check()
    }

    /// Refuses a folder that is not ours alone: others could read the runs, or write what is then carried out.
    pub fn check(&self) -> Result<(), Trouble> {
        match shared(&self.path) {
            None => Ok(()),
            Some(why) => Err(Trouble::Shared { path: self.path.clone(), why }),
        }
    }

    /// Closes a folder that was made for us but not by us. One that holds other things is left as it is.
    fn close_if_new(&self) {
        let is_empty = std::fs::read_dir(&self.path).is_ok_and(|mut entries| entries.next().is_none());
        if is_empty {
            // If it may not be changed, the journal cannot be made either, and that is reported.
            let _ = close(&self.path);
        }
    }
}

/// Why a folder is not ours alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Shared {
    /// Its rights let others in.
    #[error("others on this machine can enter it (mode {mode})")]
    Open {
        /// The rights.
        mode: String,
    },
    /// It, or the link that leads to it, is somebody else's.
    #[error("it belongs to another account (user {owner}; you are user {us})")]
    Foreign {
        /// Whose it is.
        owner: u32,
        /// Who we are.
        us: u32,
    },
}

impl Shared {
    /// What to type.
    pub fn next(&self, path: &Path) -> String {
        match self {
            Self::Open { .. } => {
                let path = quoted(&path.display().to_string());
                format!("close it: chmod 700 {path} (or name another with --home)")
            }
            Self::Foreign { .. } => "name a folder of your own with --home or BATON_HOME".to_owned(),
        }
    }
}

#[cfg(target_os = "macos")]
fn data_folder(set: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    set("HOME").map(|home| home.join("Library/Application Support"))
}

#[cfg(windows)]
fn data_folder(set: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    set("LOCALAPPDATA")
}

#[cfg(not(any(target_os = "macos", windows)))]
fn data_folder(set: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    // A relative one is to be ignored, says the specification of these folders.
    let named = set("XDG_DATA_HOME").filter(|folder| folder.is_absolute());
    named.or_else(|| set("HOME").map(|home| home.join(".local/share")))
}

/// The folder of the person's own configuration files.
pub fn config_folder(env: Env<'_>) -> Option<PathBuf> {
    let set = |name: &str| env(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let platform = || {
        if cfg!(windows) {
            return set("APPDATA");
        }
        let below = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".config" };
        set("HOME").map(|home| home.join(below))
    };
    // Whoever sets this means it, whatever the platform.
    set("XDG_CONFIG_HOME").filter(|folder| folder.is_absolute()).or_else(platform)
}

#[cfg(unix)]
fn close(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn close(_path: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Whether somebody else has a part in a folder; none where there is no folder. What is inside is as closed as the
/// folder is.
#[cfg(unix)]
fn shared(path: &Path) -> Option<Shared> {
    use std::os::unix::fs::MetadataExt;
    let us = rustix::process::geteuid().as_raw();
    // Whoever made a link can lead it elsewhere. The administrator could do anything anyway.
    let link = std::fs::symlink_metadata(path).ok()?;
    let folder = std::fs::metadata(path).ok()?;
    let owner = if link.is_symlink() && ![us, 0].contains(&link.uid()) { link.uid() } else { folder.uid() };
    if owner != us {
        return Some(Shared::Foreign { owner, us });
    }
    let mode = folder.mode() & 0o777;
    (mode & 0o077 != 0).then(|| Shared::Open { mode: format!("{mode:04o}") })
}

#[cfg(not(unix))]
fn shared(_path: &Path) -> Option<Shared> {
    None
}

#[cfg(test)]
mod tests;
