//! What a process that shut itself in can still do with files. The limits cannot be taken back, so the test program
//! starts itself again and does the trying there.

#![cfg(unix)]

use std::fs::File;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Confinement, Readable, confine, limit_paths, no_descriptors};

const FOLDER: &str = "BATON_TEST_SHUT_IN_FOLDER";
const LIMITS: &str = "BATON_TEST_SHUT_IN_LIMITS";

/// Everything the probe managed to do in `folder` under the named limits.
fn done(limits: &str, folder: &Path) -> String {
    std::fs::write(folder.join("secret.txt"), "secret").unwrap();
    std::fs::write(folder.join("doomed.txt"), "doomed").unwrap();
    std::fs::create_dir_all(folder.join("work")).unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["confine::tests::a_shut_in_process_opens_nothing", "--exact", "--nocapture"])
        .env(FOLDER, folder)
        .env(LIMITS, limits)
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    let line =
        out.lines().find_map(|line| line.split_once("probe did:")).map(|(_, did)| did.trim().to_owned());
    line.unwrap_or_else(|| panic!("no report: {out}{}", String::from_utf8_lossy(&output.stderr)))
}

/// Shuts the probe in as a child does it.
fn confined(readable: Vec<PathBuf>, writable: Vec<PathBuf>) -> bool {
    confine(&Confinement {
        memory: Some(8 << 30),
        readable: Readable::Files(readable),
        writable,
        ..Confinement::default()
    })
    .map(|()| false)
    .unwrap()
}

/// Shuts the probe in as an agent is: it reads everything and writes in one folder.
fn agent(folder: PathBuf) -> bool {
    let (readable, writable) = (Readable::Everything, vec![folder]);
    confine(&Confinement { readable, writable, ..Confinement::default() }).map(|()| false).unwrap()
}

/// Tries everything under the limits the environment names, and says what worked.
fn probe(folder: &Path) {
    let landlock = match std::env::var(LIMITS).unwrap().as_str() {
        "none" => false,
        "descriptors" => no_descriptors().map(|()| false).unwrap(),
        "paths" => limit_paths(&Confinement::default()).unwrap(),
        "all" => confined(Vec::new(), Vec::new()),
        "named" => confined(vec![folder.join("secret.txt")], Vec::new()),
        "scratch" => confined(Vec::new(), vec![folder.to_owned()]),
        "workshop" => agent(folder.join("work")),
        other => panic!("{other}"),
    };
    let tried = [
        ("read", std::fs::read(folder.join("secret.txt")).is_ok()),
        ("write", File::create(folder.join("new.txt")).is_ok()),
        ("list", std::fs::read_dir(folder).is_ok()),
        ("listen", TcpListener::bind("127.0.0.1:0").is_ok()),
        ("delete", std::fs::remove_file(folder.join("doomed.txt")).is_ok()),
        ("device", std::fs::write("/dev/null", "gone").is_ok()),
        ("work", File::create(folder.join("work/new.txt")).is_ok()),
        ("landlock", landlock),
    ];
    let did: Vec<&str> = tried.iter().filter(|(_, worked)| *worked).map(|(what, _)| *what).collect();
    println!("probe did: {}", did.join(" "));
}

#[test]
fn a_shut_in_process_opens_nothing() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return probe(&PathBuf::from(folder)); // this is the process that was started to try
    }
    let folder = tempfile::tempdir().unwrap();
    let everything = "read write list listen delete device work";
    assert_eq!(done("none", folder.path()), everything, "without limits");
    assert_eq!(done("descriptors", folder.path()), "delete", "deleting needs no descriptor");
    let paths = done("paths", folder.path());
    let has_landlock = paths.ends_with("landlock");
    // Kernels before 6.7 cannot refuse ports.
    let refused = ["landlock", "listen landlock"];
    assert!(if has_landlock { refused.contains(&paths.as_str()) } else { paths == everything }, "{paths}");
    assert_eq!(done("all", folder.path()), if has_landlock { "" } else { "delete" }, "as the child does it");
    let named = done("named", folder.path());
    let scratch = done("scratch", folder.path());
    if has_landlock {
        assert!(named == "read" || named == "read listen", "one file to read: {named}");
        assert!(
            scratch.starts_with("read write list") && scratch.ends_with("delete work"),
            "a folder: {scratch}"
        );
        let workshop = done("workshop", folder.path());
        let kept = ["read list device work", "read list listen device work"];
        assert!(kept.contains(&workshop.as_str()), "everything to read, one folder to write: {workshop}");
    }
}
