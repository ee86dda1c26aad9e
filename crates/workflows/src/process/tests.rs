//! Real processes, under a supervisor and alone. The supervisor is this test program, started again as the test
//! `the_supervisor`; what the test harness prints then comes before what the process prints.

use baton_agents::clock::HandClock;

use super::*;

mod ending;
mod printing;
mod talking;

/// Not a test by itself: what [`supervised`] starts.
#[test]
fn the_supervisor() {
    supervise(std::env::args_os().skip_while(|arg| arg != "--").skip(1));
}

fn supervisor() -> Supervisor {
    let test = ["--exact", "process::tests::the_supervisor", "--nocapture", "--"];
    Supervisor::new(std::env::current_exe().unwrap(), test.map(OsString::from).to_vec())
}

/// Processes with and without a supervisor, on a clock that stands still.
fn both() -> [Processes; 2] {
    [supervised(&HandClock::new()), Processes::unsupervised(Arc::new(HandClock::new()))]
}

fn supervised(clock: &HandClock) -> Processes {
    Processes::supervised(supervisor(), Arc::new(clock.clone()))
}

/// What was printed, without what the test harness said before it.
fn printed(captured: Capture) -> String {
    let text = captured.text();
    text.strip_prefix("\nrunning 1 test\n").unwrap_or(&text).to_owned()
}

#[tokio::test]
async fn code_signal_and_both_outputs_come_back() {
    for processes in both() {
        let line = Invocation::shell("echo out; echo err >&2; exit 3");
        let ProcessOutput { exit, out, err } = processes.run(&line).await.unwrap();
        assert_eq!((exit, printed(out), err.text()), (ExitKind::Code(3), "out\n".into(), "err\n".into()));
        let killed = processes.run(&Invocation::shell("kill -9 $$")).await.unwrap();
        assert_eq!(killed.exit, ExitKind::Signal(9));
    }
}

#[tokio::test]
async fn input_is_given_in_whole_or_not_read_at_all() {
    for processes in both() {
        let input = "a line\n".repeat(200_000);
        let count = Invocation::new("wc").args(["-c"]).input(input.clone());
        assert_eq!(printed(processes.run(&count).await.unwrap().out).trim(), input.len().to_string());
        let deaf = processes.run(&Invocation::new("true").input(input)).await.unwrap();
        assert_eq!(deaf.exit, ExitKind::Code(0));
        let without = processes.run(&Invocation::new("cat")).await.unwrap();
        assert_eq!(printed(without.out), "", "there is nothing to read");
    }
}

#[tokio::test]
async fn what_cannot_be_started_says_why() {
    let missing = "cannot be run: No such file or directory (os error 2)";
    for processes in both() {
        let program = processes.run(&Invocation::new("no-such-program")).await.unwrap_err();
        assert_eq!(program.to_string(), missing);
        let folder = processes.run(&Invocation::shell("true").folder(Some("/no/such/folder"))).await;
        assert_eq!(folder.unwrap_err().to_string(), missing);
    }
}

/// Cargo gives its tests many variables; none of them may go on to a process that a test starts.
#[tokio::test]
async fn of_our_environment_only_the_named_part_is_passed_on() {
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some(), "there is something to hide");
    for processes in both() {
        let line = Invocation::new("env").variable("ASKED_FOR", "yes");
        let seen = printed(processes.run(&line).await.unwrap().out);
        let names: Vec<&str> = seen.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        assert!(names.contains(&"PATH") && names.contains(&"ASKED_FOR"), "{names:?}");
        let secret: Vec<_> =
            names.iter().filter(|name| !PASSED_ON.contains(name) && **name != "ASKED_FOR").collect();
        assert!(secret.is_empty(), "{secret:?}");
    }
}
