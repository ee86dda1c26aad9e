//! Ends that reach everything a process started, also what forked twice and made a session of its own.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Command;

use tempfile::TempDir;

use super::*;

const LIMIT: Duration = Duration::from_secs(60);

/// A daemon as a process would start one: an orphan in a session of its own, with an environment of its own. It holds
/// one end of a pipe, on which it says that it is up and, if it gets so far, that it still is.
struct Daemon {
    folder: TempDir,
}

impl Daemon {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for pipe in ["life", "go"] {
            assert!(Command::new("mkfifo").arg(folder.path().join(pipe)).status().unwrap().success());
        }
        Self { folder }
    }

    /// A line that starts it and goes on with something else. The daemon does something itself, and then says that
    /// it still lives.
    fn line(&self, does: &str, then: &str) -> Invocation {
        let daemon = format!("exec 3>life; echo up >&3; {does}; echo alive >&3");
        let line =
            format!("echo begun; (env -i PATH=\"$PATH\" setsid sh -c '{daemon}' >/dev/null 2>&1 &); {then}");
        Invocation::shell(&line).folder(Some(self.folder.path()))
    }

    /// Waits until it is up.
    async fn up(&self) -> BufReader<File> {
        let path = self.folder.path().join("life");
        let (up, life) = blocking(move || {
            let mut life = BufReader::new(File::open(path).unwrap());
            let mut line = String::new();
            life.read_line(&mut line).unwrap();
            (line, life)
        })
        .await;
        assert_eq!(up, "up\n");
        life
    }

    fn go(&self) {
        std::fs::write(self.folder.path().join("go"), "go\n").unwrap();
    }
}

/// What a daemon still says before its end of the pipe is closed, which its death does.
async fn last_words(mut life: BufReader<File>) -> String {
    blocking(move || {
        let mut words = String::new();
        life.read_to_string(&mut words).unwrap();
        words
    })
    .await
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}

/// Runs a line whose daemon is up when the time is over.
async fn out_of_time(
    clock: &HandClock,
    processes: &Processes,
    does: &str,
) -> (ProcessOutput, Daemon, BufReader<File>) {
    let daemon = Daemon::new();
    let line = daemon.line(does, "sleep 600").time_limit(LIMIT);
    let over = async {
        clock.until_sleeping(1).await;
        let life = daemon.up().await;
        clock.advance(LIMIT);
        life
    };
    let (finished, life) = tokio::join!(processes.run(&line), over);
    (finished.unwrap(), daemon, life)
}

#[tokio::test]
async fn a_daemon_ends_when_the_time_is_over() {
    let clock = HandClock::new();
    let (finished, _daemon, life) = out_of_time(&clock, &supervised(&clock), "sleep 60").await;
    assert_eq!((finished.exit, printed(finished.out)), (ExitKind::TimedOut, "begun\n".to_owned()));
    assert_eq!(last_words(life).await, "");
}

/// The limit that is told, and the proof that the tests around this one can fail.
#[tokio::test]
async fn without_a_supervisor_a_daemon_gets_away() {
    let clock = HandClock::new();
    let processes = Processes::unsupervised(Arc::new(clock.clone()));
    let (finished, daemon, life) = out_of_time(&clock, &processes, "read line <go").await;
    assert_eq!((finished.exit, printed(finished.out)), (ExitKind::TimedOut, "begun\n".to_owned()));
    daemon.go();
    assert_eq!(last_words(life).await, "alive\n");
}

#[tokio::test]
async fn a_daemon_ends_when_nobody_waits_for_the_process_any_more() {
    let daemon = Daemon::new();
    let line = daemon.line("sleep 60", "sleep 600");
    let run = tokio::spawn(async move { supervised(&HandClock::new()).run(&line).await });
    let life = daemon.up().await;
    run.abort();
    assert!(run.await.unwrap_err().is_cancelled());
    assert_eq!(last_words(life).await, "");
}

#[tokio::test]
async fn a_daemon_ends_with_a_process_that_ends_by_itself() {
    let daemon = Daemon::new();
    let line = daemon.line("sleep 60", "read line <begun");
    assert!(Command::new("mkfifo").arg(daemon.folder.path().join("begun")).status().unwrap().success());
    let begun = daemon.folder.path().join("begun");
    let up = async {
        let life = daemon.up().await;
        blocking(move || std::fs::write(begun, "yes\n").unwrap()).await;
        life
    };
    let processes = supervised(&HandClock::new());
    let (finished, life) = tokio::join!(processes.run(&line), up);
    assert_eq!(finished.unwrap().exit, ExitKind::Code(0));
    assert_eq!(last_words(life).await, "");
}

#[tokio::test]
async fn a_process_may_leave_its_daemon_behind() {
    for processes in both() {
        let daemon = Daemon::new();
        let line = daemon.line("read line <go", "true").leave_children();
        let (finished, life) = tokio::join!(processes.run(&line), daemon.up());
        assert_eq!(finished.unwrap().exit, ExitKind::Code(0));
        daemon.go();
        assert_eq!(last_words(life).await, "alive\n");
    }
}

/// Whoever shares its outputs is part of it, so a process that left children behind can still be stopped.
#[tokio::test]
async fn children_left_behind_are_waited_for_while_they_can_print() {
    for processes in both() {
        let daemon = Daemon::new();
        let line = Invocation::shell("echo first; (exec 3>life; echo up >&3; read line <go; echo later) &");
        let line = line.folder(Some(daemon.folder.path())).leave_children();
        let go = async {
            let life = daemon.up().await;
            daemon.go();
            last_words(life).await
        };
        let (finished, _) = tokio::join!(processes.run(&line), go);
        assert_eq!(printed(finished.unwrap().out), "first\nlater\n");
    }
}

#[tokio::test]
async fn a_process_gets_its_time_to_clean_up() {
    let clock = HandClock::new();
    for processes in [supervised(&clock), Processes::unsupervised(Arc::new(clock.clone()))] {
        let daemon = Daemon::new();
        // A shell waits for a command in the foreground before it looks at a signal, but not with `wait`.
        let line = "trap 'echo clean; exit 0' TERM; exec 3>life; echo up >&3; sleep 600 & wait";
        let line = Invocation::shell(line).folder(Some(daemon.folder.path()));
        let line = line.time_limit(LIMIT).grace(LIMIT);
        let over = async {
            clock.until_sleeping(1).await;
            let life = daemon.up().await;
            clock.advance(LIMIT);
            last_words(life).await
        };
        let (finished, _) = tokio::join!(processes.run(&line), over);
        let finished = finished.unwrap();
        assert_eq!((finished.exit, printed(finished.out)), (ExitKind::TimedOut, "clean\n".to_owned()));
    }
}

#[tokio::test]
async fn who_kills_the_supervisor_is_told_on() {
    let line = Invocation::shell("kill -9 $PPID; exec sleep 1");
    let lost = supervised(&HandClock::new()).run(&line).await.unwrap_err();
    assert!(matches!(lost, ProcessError::Lost), "{lost}");
}
