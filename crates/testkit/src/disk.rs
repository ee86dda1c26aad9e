//! A simulated disk: what a traced process wrote, replayed into the files a power cut could have left.
//!
//! The process is real, and so are SQLite and the file system calls; only the disk is made up. Up to the last
//! synchronisation of a file everything is there; of what was written since, any 512-byte sector may be there or not.
//! Names (new files, renames, removals) become durable in their order, at the latest with the next synchronisation of
//! anything, as journaling file systems do it. Folders are there at once.

mod trace;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use baton_engine::{Dice, SeededDice};

pub use trace::{Op, read, trace};

/// What a disk writes at once.
const SECTOR: u64 = 512;

/// What becomes of what was not synchronised.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    /// It is all lost.
    Lost,
    /// It is all there.
    Kept,
    /// Each sector has its own luck, by this seed.
    Torn(u64),
}

/// The files of a folder, as far as the disk has them for sure, and what is on its way.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    files: Vec<OnDisk>,
    names: BTreeMap<PathBuf, usize>,
    durable_names: BTreeMap<PathBuf, usize>,
    waiting_names: Vec<(PathBuf, Option<usize>)>,
    folders: Vec<PathBuf>,
}

#[derive(Clone, Debug, Default)]
struct OnDisk {
    durable: Vec<u8>,
    waiting: Vec<Change>,
}

#[derive(Clone, Debug)]
enum Change {
    Write { at: u64, bytes: Vec<u8> },
    Cut(u64),
}

impl Disk {
    /// Does what the process did.
    pub fn apply(&mut self, op: &Op) {
        match op {
            Op::Open { path, empties } => {
                let file = self.file(path);
                if *empties {
                    self.files[file].waiting.push(Change::Cut(0));
                }
            }
            Op::Write { path, at, bytes } => {
                let file = self.file(path);
                self.files[file].waiting.push(Change::Write { at: *at, bytes: bytes.clone() });
            }
            Op::Cut { path, length } => {
                let file = self.file(path);
                self.files[file].waiting.push(Change::Cut(*length));
            }
            Op::Sync { path } => {
                self.durable_names = self.names.clone();
                self.waiting_names.clear();
                if let Some(file) = self.names.get(path) {
                    let file = &mut self.files[*file];
                    let OnDisk { durable, waiting } = file;
                    waiting.drain(..).for_each(|change| change.put(durable, &mut |_| true));
                }
            }
            Op::Rename { from, to } => {
                if let Some(file) = self.names.get(from).copied() {
                    self.name(from, None);
                    self.name(to, Some(file));
                }
            }
            Op::Remove { path } => self.name(path, None),
            Op::Folder { path } => self.folders.push(path.clone()),
            Op::Mark(_) => {}
        }
    }

    fn file(&mut self, path: &Path) -> usize {
        if let Some(file) = self.names.get(path) {
            return *file;
        }
        self.files.push(OnDisk::default());
        let file = self.files.len() - 1;
        self.name(path, Some(file));
        file
    }

    fn name(&mut self, path: &Path, file: Option<usize>) {
        named(&mut self.names, path, file);
        self.waiting_names.push((path.to_owned(), file));
    }

    /// Writes the files as a power cut now would leave them.
    pub fn image(&self, fate: Fate, to: &Path) -> std::io::Result<()> {
        let dice = SeededDice::new(if let Fate::Torn(seed) = fate { seed } else { 0 });
        // Some disks lose nearly everything, some nearly nothing.
        let of_ten = [1, 5, 9][usize::try_from(dice.roll() % 3).unwrap_or(0)];
        let mut keeps = |_: u64| match fate {
            Fate::Lost => false,
            Fate::Kept => true,
            Fate::Torn(_) => dice.roll() % 10 < of_ten,
        };
        let mut names = self.durable_names.clone();
        for (path, file) in &self.waiting_names {
            if !keeps(0) {
                break;
            }
            named(&mut names, path, *file);
        }
        self.folders.iter().try_for_each(|folder| std::fs::create_dir_all(to.join(folder)))?;
        for (path, file) in names {
            let OnDisk { durable, waiting } = &self.files[file];
            let mut content = durable.clone();
            waiting.iter().for_each(|change| change.put(&mut content, &mut keeps));
            let path = to.join(path);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(path, content)?;
        }
        Ok(())
    }
}

fn named(names: &mut BTreeMap<PathBuf, usize>, path: &Path, file: Option<usize>) {
    match file {
        Some(file) => names.insert(path.to_owned(), file),
        None => names.remove(path),
    };
}

impl Change {
    /// Makes the change, each sector of it as far as it is kept.
    fn put(&self, content: &mut Vec<u8>, keeps: &mut dyn FnMut(u64) -> bool) {
        let index = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
        match self {
            Self::Cut(length) => {
                if keeps(*length) {
                    content.resize(index(*length), 0);
                }
            }
            Self::Write { at, bytes } => {
                let mut rest = bytes.as_slice();
                let mut at = *at;
                while !rest.is_empty() {
                    let (sector, after) = rest.split_at(index(SECTOR - at % SECTOR).min(rest.len()));
                    if keeps(at) {
                        let end = index(at) + sector.len();
                        if content.len() < end {
                            content.resize(end, 0);
                        }
                        content[index(at)..end].copy_from_slice(sector);
                    }
                    at += sector.len() as u64;
                    rest = after;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
