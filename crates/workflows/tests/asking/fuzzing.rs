//! The fuzz targets over their corpora, crash inputs that were kept among them: neither may rot between two runs of
//! `scripts/fuzz`. It stands here because this crate sees all that holds parsers.

#[path = "../../../../fuzz/src/lib.rs"]
#[allow(clippy::expect_used, reason = "a target fails by panicking")]
mod targets;

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// The stems of the names in a folder of `fuzz`, and where they stand.
fn entries(folder: &Path) -> BTreeSet<(String, PathBuf)> {
    let stem = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (stem(&path), path)).collect()
}

#[test]
fn every_target_holds_over_its_corpus() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let names: Vec<String> = targets::TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    for folder in ["corpus", "fuzz_targets"] {
        let there: Vec<String> = entries(&fuzz.join(folder)).into_iter().map(|(name, _)| name).collect();
        assert_eq!(there, names, "fuzz/{folder}");
    }
    let mut broken = Vec::new();
    for (name, folder) in entries(&fuzz.join("corpus")) {
        let inputs = entries(&folder);
        assert!(!inputs.is_empty(), "{name} has no inputs");
        for (_, input) in inputs {
            let bytes = fs::read(&input).unwrap();
            if catch_unwind(|| targets::run(&name, &bytes)).is_err() {
                broken.push(input);
            }
        }
    }
    assert_eq!(broken, Vec::<PathBuf>::new(), "what each breaks stands above");
}
