//! What a process that shut itself in can still do with files. The limits cannot be taken back, so the test program
//! starts itself again and does the trying there.

#![cfg(unix)]

use std::fs::File;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{no_descriptors, no_paths, shut_in};

const FOLDER: &str = "BATON_TEST_SHUT_IN_FOLDER";
const LIMITS: &str = "BATON_TEST_SHUT_IN_LIMITS";

/// Everything the probe managed to do in `folder` under the named limits.
fn done(limits: &str, folder: &Path) -> String {
    std::fs::write(folder.join("secret.txt"), "secret").unwrap();
    std::fs::write(folder.join("doomed.txt"), "doomed").unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["read::extract::child::tests::probe", "--exact", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .env(LIMITS, limits)
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    let line =
        out.lines().find_map(|line| line.split_once("probe did:")).map(|(_, did)| did.trim().to_owned());
    line.unwrap_or_else(|| panic!("no report: {out}{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
#[ignore = "the tests below run it in a process of its own"]
fn probe() {
    let folder = PathBuf::from(std::env::var_os(FOLDER).unwrap());
    let landlock = match std::env::var(LIMITS).unwrap().as_str() {
        "none" => false,
        "descriptors" => no_descriptors().map(|()| false).unwrap(),
        "paths" => no_paths().unwrap(),
        "all" => shut_in(8 << 30).map(|()| false).unwrap(),
        other => panic!("{other}"),
    };
    let tried = [
        ("read", std::fs::read(folder.join("secret.txt")).is_ok()),
        ("write", File::create(folder.join("new.txt")).is_ok()),
        ("list", std::fs::read_dir(&folder).is_ok()),
        ("listen", TcpListener::bind("127.0.0.1:0").is_ok()),
        ("delete", std::fs::remove_file(folder.join("doomed.txt")).is_ok()),
        ("landlock", landlock),
    ];
    let did: Vec<&str> = tried.iter().filter(|(_, worked)| *worked).map(|(what, _)| *what).collect();
    println!("probe did: {}", did.join(" "));
}

#[test]
fn without_limits_the_probe_does_everything() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(done("none", folder.path()), "read write list listen delete");
}

#[test]
fn without_descriptors_nothing_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(done("descriptors", folder.path()), "delete");
}

#[test]
fn landlock_refuses_every_path_where_the_kernel_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let expected = ["listen landlock", "read write list listen delete"];
    let did = done("paths", folder.path());
    assert!(expected.contains(&did.as_str()), "{did}");
}

#[test]
fn the_child_opens_no_file_and_no_socket() {
    let folder = tempfile::tempdir().unwrap();
    let has_landlock = done("paths", folder.path()).ends_with("landlock");
    assert_eq!(done("all", folder.path()), if has_landlock { "" } else { "delete" });
}
