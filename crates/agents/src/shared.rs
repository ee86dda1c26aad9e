//! A small state that processes share: a file, locked while it is changed. It serves courtesy towards others (paces,
//! pauses), so where the file cannot be used the state is this process's own and nothing fails.

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// State in a file, or in this process alone.
#[derive(Debug, Default)]
pub struct Shared<T> {
    file: Option<PathBuf>,
    own: Mutex<T>,
}

impl<T: Default + Serialize + DeserializeOwned> Shared<T> {
    /// State of this process alone.
    #[must_use]
    pub fn own() -> Self {
        Self { file: None, own: Mutex::default() }
    }

    /// State in a file, which is made when it is first changed.
    #[must_use]
    pub fn in_file(file: &Path) -> Self {
        Self { file: Some(file.to_owned()), own: Mutex::default() }
    }

    /// Changes the state while nobody else can.
    pub fn change<R>(&self, act: impl FnOnce(&mut T) -> R) -> R {
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = self.file.as_deref().and_then(locked);
        if let Some(known) = file.as_mut().and_then(read) {
            *own = known;
        }
        let done = act(&mut own);
        if let Some(file) = &mut file {
            write(file, &*own);
        }
        done
    }
}

/// The file, locked until it is closed.
fn locked(path: &Path) -> Option<File> {
    fs::create_dir_all(path.parent()?).ok()?;
    let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path).ok()?;
    file.lock().ok()?;
    Some(file)
}

/// What the file holds; nothing if it is new or was cut short by a crash.
fn read<T: DeserializeOwned>(file: &mut File) -> Option<T> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

fn write(file: &mut File, state: &impl Serialize) {
    let Ok(text) = serde_json::to_vec(state) else { return };
    // A file that is cut short is as good as new: the next one to look begins afresh.
    let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(&text));
}
