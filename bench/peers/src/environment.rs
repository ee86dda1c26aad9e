//! The Python environment of the peers: made from the registry once, and kept.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use baton_bench_engine::{BenchError, report};

/// The peers' scripts and what they need.
const FILES: [(&str, &str); 3] = [
    ("requirements.txt", include_str!("../python/requirements.txt")),
    ("langgraph_peer.py", include_str!("../python/langgraph_peer.py")),
    ("dbos_peer.py", include_str!("../python/dbos_peer.py")),
];

/// An environment that can run the peers.
pub struct Environment {
    /// Its interpreter.
    pub python: PathBuf,
    /// Where the scripts stand.
    pub scripts: PathBuf,
    /// What is installed, as `name==version`.
    pub versions: Vec<String>,
}

/// Makes the environment, or takes the one that is there.
pub fn make(folder: &Path) -> Result<Environment, BenchError> {
    std::fs::create_dir_all(folder)?;
    let folder = folder.canonicalize()?;
    for (name, text) in FILES {
        std::fs::write(folder.join(name), text)?;
    }
    let python = folder.join("env/bin/python");
    let wanted: Vec<String> = FILES[0].1.lines().map(str::to_owned).collect();
    if !python.exists() {
        report::complain("making the Python environment of the peers");
        run(Command::new("python3").args(["-m", "venv"]).arg(folder.join("env")))?;
    }
    if !installed(&python)?.is_superset(&wanted.iter().cloned().collect()) {
        report::complain("installing the peers from the registry");
        let mut pip = Command::new(&python);
        run(pip
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"])
            .arg(folder.join("requirements.txt")))?;
    }
    let missing: Vec<String> = wanted
        .iter()
        .filter(|it| !installed(&python).is_ok_and(|have| have.contains(*it)))
        .cloned()
        .collect();
    if !missing.is_empty() {
        return Err(BenchError::Void(format!("the environment lacks {}", missing.join(", "))));
    }
    Ok(Environment { python, scripts: folder, versions: wanted })
}

fn installed(python: &Path) -> Result<std::collections::BTreeSet<String>, BenchError> {
    let output =
        Command::new(python).args(["-m", "pip", "freeze", "--disable-pip-version-check"]).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

fn run(command: &mut Command) -> Result<(), BenchError> {
    let status = command.stdin(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(BenchError::Void(format!("{command:?} ended with {status}"))) }
}
