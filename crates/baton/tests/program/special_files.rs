//! What is no file, or too large a one, is refused at once and by name, wherever a person or a project names it.

use std::os::unix::fs::symlink;
use std::process::Command;

use crate::support::{Home, Output};

/// A home whose desk holds a pipe nobody writes to, a folder, a device and three gigabytes of nothing.
fn surprised() -> Home {
    let home = Home::new();
    let at = |name: &str| home.desk().join(name);
    pipe(&home, "pipe.md");
    pipe(&home, "pipe");
    std::fs::create_dir(at("folder.md")).expect("a folder");
    symlink("/dev/zero", at("zero.md")).expect("a link");
    std::fs::File::create(at("sparse.md")).and_then(|file| file.set_len(3 << 30)).expect("a file");
    home
}

fn pipe(home: &Home, name: &str) {
    let made = Command::new("mkfifo").arg(home.desk().join(name)).status();
    assert!(made.expect("mkfifo runs").success());
}

fn refused(said: &Output, code: i32, why: &str) {
    assert!(said.code == Some(code) && said.err.contains(why), "{why} is not in {said:?}");
}

#[test]
fn read_refuses_what_is_no_file() {
    let home = surprised();
    for (name, code, why) in [
        ("pipe.md", 2, "pipe.md is a named pipe, not a regular file. Nothing was archived"),
        ("pipe", 2, "pipe is a named pipe, not a regular file"),
        ("folder.md", 2, "folder.md is a folder, not a regular file"),
        ("zero.md", 2, "zero.md is a device, not a regular file"),
        ("/dev/zero", 2, "/dev/zero is a device, not a regular file"),
        ("sparse.md", 7, "sparse.md is 3221225472 bytes, more than the limit of 67108864"),
    ] {
        refused(&home.baton(&["read", name]), code, why);
    }
}

#[test]
fn a_pipe_in_place_of_the_configuration_stops_nothing_but_itself() {
    let home = Home::new();
    pipe(&home, "baton.toml");
    let why = "baton.toml: it cannot be read (it is a named pipe, not a regular file).";
    refused(&home.baton(&["runs"]), 4, why);
    refused(&home.baton(&["trust"]), 1, "it is a named pipe, not a regular file");
    std::fs::remove_file(home.desk().join("baton.toml")).expect("removed");
    assert_eq!(home.baton(&["runs"]).code, Some(0));
}

#[test]
fn orders_plans_problems_and_panels_are_files() {
    let home = surprised();
    home.write("panel.toml", "[[agents]]\nid = \"ann\"\nkind = \"file\"\nfile = \"pipe.md\"\n");
    let pipe = "it is a named pipe, not a regular file";
    let sparse = "it is 3221225472 bytes, more than the limit of 16777216";
    for (words, code, why) in [
        (vec!["start", "approval", "pipe"], 2, pipe),
        (vec!["start", "approval", "sparse.md"], 2, sparse),
        (vec!["ask", "summarize", "--input", "pipe"], 2, pipe),
        (vec!["research", "--from", "pipe.md"], 2, pipe),
        (vec!["research", "--from", "sparse.md"], 2, sparse),
        (vec!["debate", "-p", "pipe.md"], 2, pipe),
        (vec!["debate", "Which?", "--config", "pipe"], 2, pipe),
        (
            vec!["debate", "Which?", "--config", "panel.toml"],
            4,
            "pipe.md: is a named pipe, not a regular file",
        ),
    ] {
        refused(&home.baton(&words), code, why);
    }
}

#[test]
fn a_pipe_among_documents_is_left_out() {
    let home = surprised();
    std::fs::create_dir(home.desk().join("docs")).expect("a folder");
    home.write("docs/limits.md", "# Limits\n\nThe widget table allows at most 2000 columns.\n");
    pipe(&home, "docs/pipe.md");
    let said = home.baton(&["search", "How many columns does the widget table allow?", "--docs", "docs"]);
    assert!(said.code == Some(0) && said.out.contains("at most 2000 columns"), "{said:?}");
}
