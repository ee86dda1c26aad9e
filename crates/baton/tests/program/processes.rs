//! What commands start ends with their run, however the run ends, and none of it sees our secrets.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use rustix::fs::Mode;
use rustix::process::Signal;

use crate::support::{Home, Running};

/// A command that starts a daemon, forked twice and in a session of its own, and does not come back.
const DAEMON: &str = r#"
title = "Daemon"
[[stages]]
name = "only"
commands = [{ name = "serve", run = '''(env -i PATH="$PATH" setsid sh -c 'exec 3>life; echo up >&3; sleep 60; echo alive >&3' >/dev/null 2>&1 &); read line <never''' }]
"#;

/// A run whose daemon is up, and the pipe that closes when the daemon dies.
fn served(home: &Home) -> (Running, BufReader<File>) {
    for pipe in ["life", "never"] {
        rustix::fs::mkfifoat(rustix::fs::CWD, home.desk().join(pipe), Mode::RUSR | Mode::WUSR)
            .expect("a pipe");
    }
    home.write("daemon.toml", DAEMON);
    let running = home.spawn(&["start", "approval", "daemon.toml"]);
    let mut life = BufReader::new(File::open(home.desk().join("life")).expect("opened"));
    let mut up = String::new();
    life.read_line(&mut up).expect("readable");
    assert_eq!(up, "up\n");
    (running, life)
}

fn is_silent(mut life: BufReader<File>) {
    let mut words = String::new();
    life.read_to_string(&mut words).expect("readable");
    assert_eq!(words, "");
}

#[test]
fn a_daemon_ends_with_a_run_that_is_stopped() {
    let home = Home::new();
    let (mut running, life) = served(&home);
    running.signal(Signal::TERM);
    assert!(running.message().starts_with("stopping;"));
    running.signal(Signal::INT);
    assert_eq!(running.code(), Some(8));
    is_silent(life);
}

#[test]
fn a_daemon_ends_when_the_program_is_killed() {
    let home = Home::new();
    let (running, life) = served(&home);
    running.kill();
    is_silent(life);
}

#[test]
fn a_command_sees_no_secret_of_ours_and_neither_does_its_supervisor() {
    let home = Home::new();
    let run = "(env; tr '\\\\0' ' ' </proc/$PPID/environ) >seen";
    home.write(
        "env.toml",
        &format!("title = \"Env\"\n[[stages]]\nname = \"only\"\ncommands = [{{ name = \"see\", run = \"{run}\" }}]\n"),
    );
    let words = ["start", "approval", "env.toml"];
    let output = home.command(&words).env("OPENAI_API_KEY", "hunter2").output().expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let seen = std::fs::read_to_string(home.desk().join("seen")).expect("written");
    assert!(seen.contains("PATH=") && !seen.contains("hunter2"), "{seen}");
}
