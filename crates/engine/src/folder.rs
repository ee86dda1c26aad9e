//! The run's folder: files for people, rendered from the journal, never read back.
//!
//! Each file is replaced whole, so a reader sees the old one or the new one. At most once a second, and
//! whenever driving ends. Damaging the folder damages nothing: `baton files` writes it again.
//!
//! One process at a time writes a run's folder, and it looks at the journal only once it may write: what comes
//! later is then never older.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, TryLockError};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::cx::lock;
use crate::driver::{Head, Watch};
use crate::engine::Engine;
use crate::host::HostError;
use crate::migration::open_all;
use crate::runs::Runs;
use crate::{Hash, Millis, Record, RunFile, RunId, Status, View, Work};

const PAUSE: Duration = Duration::from_secs(1);

/// Writes a run's folder while the run is driven, and passes on what it sees.
pub(crate) struct Folder<'a, W: Work> {
    engine: Engine,
    run: RunId,
    written: BTreeMap<String, Hash>,
    last: Option<Millis>,
    then: &'a mut dyn Watch<W>,
}

impl<'a, W: Work> Folder<'a, W> {
    pub fn new(engine: &Engine, run: RunId, then: &'a mut dyn Watch<W>) -> Self {
        Self { engine: engine.clone(), run, written: BTreeMap::new(), last: None, then }
    }

    fn is_due(&self, now: Millis) -> bool {
        self.last.is_none_or(|last| now.since(last) >= PAUSE)
    }
}

impl<W: Work> Watch<W> for Folder<'_, W> {
    fn durable(&mut self, head: &Head<W>, status: &Status, last: bool) {
        let now = self.engine.clock.now();
        if last || self.is_due(now) {
            let files = render(&self.engine, head, status);
            let news = news(&files, &self.written);
            // The folder is a projection: if it cannot be written now, the next stop or `baton files` does.
            // Somebody else who writes it meanwhile is only waited for at the end: the journal does not grow while we
            // are here, so what was rendered is as new as what they find.
            if news.is_empty() {
                self.last = Some(now);
            } else if let Ok(Some(_alone)) = alone(self.engine.store.home(), &self.run, last) {
                self.last = Some(now);
                let _ = write(self.engine.store.home(), &self.run, news, &mut self.written);
            }
        }
        self.then.durable(head, status, last);
    }
}

/// The files of a run as it stands.
pub fn render<W: Work>(runs: &dyn Runs, head: &Head<W>, status: &Status) -> Vec<RunFile> {
    let records =
        || -> Vec<Record> { open_all(&runs.records(&head.run, 1).unwrap_or_default(), runs.vault()) };
    let memory = lock(&head.memory);
    W::files(&View {
        run: &head.run,
        position: &head.position,
        memory: &memory,
        status,
        purse: &head.purse,
        records: &records,
        vault: runs.vault(),
    })
}

/// The folder in which a run of a home shows its files.
pub fn path(home: &Path, run: &RunId) -> PathBuf {
    home.join("runs").join(run.as_str())
}

/// Writes the whole folder of a run, with what `make` finds once nobody else writes it.
pub fn rewrite<E: From<HostError>>(
    home: &Path,
    run: &RunId,
    make: impl FnOnce() -> Result<Vec<RunFile>, E>,
) -> Result<Vec<RunFile>, E> {
    let _alone = alone(home, run, true)?;
    let files = make()?;
    write(home, run, news(&files, &BTreeMap::new()), &mut BTreeMap::new())?;
    Ok(files)
}

/// The right to write a run's folder, until dropped. The lock stands beside the folder, which is for people.
fn alone(home: &Path, run: &RunId, waits: bool) -> Result<Option<File>, HostError> {
    let trouble = |error: std::io::Error| HostError::file("locking the run's folder", &error);
    let folder = path(home, run);
    if let Some(runs) = folder.parent() {
        std::fs::create_dir_all(runs).map_err(trouble)?;
    }
    let lock = File::create(folder.with_file_name(format!(".{run}.lock"))).map_err(trouble)?;
    if waits {
        lock.lock().map_err(trouble)?;
        return Ok(Some(lock));
    }
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(trouble(error)),
    }
}

/// The files that are not as they were written.
fn news<'f>(files: &'f [RunFile], written: &BTreeMap<String, Hash>) -> Vec<(&'f RunFile, Hash)> {
    let hash = |file: &RunFile| Hash::of(file.copy_of.as_ref().map_or(&file.content, |from| from.as_bytes()));
    let hashed = files.iter().map(|file| (file, hash(file)));
    hashed.filter(|(file, hash)| written.get(&file.path) != Some(hash)).collect()
}

/// Writes these files, each whole. The caller is alone in writing.
fn write(
    home: &Path,
    run: &RunId,
    files: Vec<(&RunFile, Hash)>,
    written: &mut BTreeMap<String, Hash>,
) -> Result<(), HostError> {
    let folder = path(home, run);
    if written.is_empty() {
        clear_away(home, &folder, &files);
    }
    for (file, hash) in files {
        let path = confined(&folder, &file.path).ok_or_else(|| leads_out(&file.path))?;
        if !path.parent().is_some_and(|parent| stays_below(home, parent)) {
            return Err(leads_out(&file.path));
        }
        match &file.copy_of {
            Some(from) => {
                let from = confined(home, from)
                    .filter(|path| stays_below(home, path))
                    .ok_or_else(|| leads_out(from))?;
                replace(&path, |temporary| std::fs::copy(&from, temporary).map(|_| ()))?;
            }
            None => replace(&path, |temporary| std::fs::write(temporary, &file.content))?,
        }
        written.insert(file.path.clone(), hash);
    }
    Ok(())
}

fn leads_out(path: &str) -> HostError {
    HostError::Unwritable { what: "writing the run's folder", why: format!("{path} leads out of it") }
}

/// A reader sees the old file or the new one.
fn replace(path: &Path, make: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<(), HostError> {
    let trouble = |error: std::io::Error| HostError::file("writing the run's folder", &error);
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(trouble)?;
    }
    let temporary = temporary(path);
    make(&temporary).map_err(trouble)?;
    std::fs::rename(&temporary, path).map_err(trouble)
}

/// Whether what exists of a path is below the home when links are followed. A link in the place of the file itself
/// is replaced, not followed.
fn stays_below(home: &Path, path: &Path) -> bool {
    let Ok(home) = home.canonicalize() else { return false };
    let real = path.ancestors().find_map(|part| part.canonicalize().ok());
    real.is_some_and(|real| real.starts_with(home))
}

const UNFINISHED: &str = ".unfinished";

/// A name beside the file that nobody else takes.
fn temporary(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}-{count}{UNFINISHED}", std::process::id()))
}

/// Takes away what writers left that died while they wrote: the caller is alone, so nobody works on these.
fn clear_away(home: &Path, folder: &Path, files: &[(&RunFile, Hash)]) {
    let folders =
        files.iter().filter_map(|(file, _)| confined(folder, &file.path)?.parent().map(Path::to_owned));
    for folder in folders.filter(|folder| stays_below(home, folder)).collect::<BTreeSet<PathBuf>>() {
        // A folder that is not there yet has nothing in it.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') && name.ends_with(UNFINISHED) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

/// The path below the folder, if it stays below it.
fn confined(folder: &Path, path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    (plain && path.file_name().is_some()).then(|| folder.join(path))
}
