//! The program on a terminal: a block that is drawn over itself, questions asked on the spot.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::support::{Gate, Home};

/// The program and the terminal it stands in.
pub struct Screen {
    child: Child,
    keys: File,
    pub seen: String,
}

impl Screen {
    pub fn open(mut command: Command, columns: u16) -> Self {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&controller).expect("granted");
        unlockpt(&controller).expect("unlocked");
        let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&controller, size).expect("sized");
        let name = ptsname(&controller, Vec::new()).expect("a name");
        let inside =
            File::options().read(true).write(true).open(name.to_str().expect("a path")).expect("opened");
        let end = || OwnedFd::from(inside.try_clone().expect("another end"));
        let child =
            command.env("TERM", "xterm").stdin(end()).stdout(end()).stderr(end()).spawn().expect("it starts");
        // The command holds ends of its own, and the terminal only closes when all are gone.
        drop(command);
        Self { child, keys: File::from(controller), seen: String::new() }
    }

    /// Reads until this has appeared.
    pub fn until(&mut self, wanted: &str) {
        while !self.seen.contains(wanted) {
            assert!(self.read(), "never seen: {wanted}\n{}", self.seen);
        }
    }

    fn read(&mut self) -> bool {
        let mut bytes = [0; 4096];
        // At the end of the last process in it a terminal gives an error instead of nothing.
        let count = self.keys.read(&mut bytes).unwrap_or(0);
        self.seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
        count > 0
    }

    pub fn key_in(&mut self, text: &str) {
        self.seen.clear();
        self.keys.write_all(text.as_bytes()).expect("typed");
    }

    pub fn end(mut self) -> (Option<i32>, String) {
        while self.read() {}
        (self.child.wait().expect("ended").code(), self.seen)
    }
}

#[test]
fn questions_are_asked_on_the_spot_until_the_answer_fits() {
    let home = Home::new();
    let mut screen = Screen::open(home.command(&["start", "approval", "release.toml"]), 80);
    screen.until("2/approve (yes or no; an empty line leaves it waiting) > ");
    assert!(
        screen.seen.contains("Publish it?") && screen.seen.contains("AWAITING_APPROVAL"),
        "{}",
        screen.seen
    );
    screen.key_in("maybe\n");
    screen.until("the answer does not fit the question");
    screen.until(" > ");
    screen.key_in("yes\n");
    let (code, seen) = screen.end();
    assert_eq!(code, Some(0), "{seen}");
    assert!(seen.contains("finished: completed"), "{seen}");
    assert!(home.baton(&["log", "last"]).out.contains("2/approve is answered by ann: true"));
}

#[test]
fn an_empty_line_leaves_the_question_waiting() {
    let home = Home::new();
    let mut screen = Screen::open(home.command(&["start", "approval", "release.toml"]), 80);
    screen.until(" > ");
    screen.key_in("\n");
    let (code, seen) = screen.end();
    assert_eq!(code, Some(5), "{seen}");
    assert!(seen.contains("baton answer ") && seen.contains(" 2/approve yes"), "{seen}");
}

#[test]
fn a_signal_leaves_the_question_waiting_too() {
    let home = Home::new();
    let mut screen = Screen::open(home.command(&["start", "approval", "release.toml"]), 80);
    screen.until(" > ");
    kill_process(Pid::from_child(&screen.child), Signal::INT).expect("signalled");
    let (code, seen) = screen.end();
    assert_eq!(code, Some(8), "{seen}");
    assert!(seen.contains("is ") && seen.contains("baton answer "), "{seen}");
    assert_eq!(home.baton(&["show", "last", "--json"]).json()["status"], "waiting");
}

#[test]
fn progress_is_one_block_drawn_over_itself() {
    let home = Home::new();
    let gate = Gate::new(&home, true);
    let mut screen = Screen::open(home.command(&["start", "approval", "gate.toml", "--yes"]), 30);
    // Four lines up, everything below cleared, and the same four lines again.
    screen.until("\x1b[4A\x1b[J");
    screen.until("  1/wait  command");
    for line in screen.seen.split("\r\n") {
        let shown: String = line
            .split('\x1b')
            .map(|part| part.trim_start_matches(['[', '3', '4', 'A', 'J', '2', 'm', '0']))
            .collect();
        assert!(shown.chars().count() < 30, "too wide for the terminal: {line:?}");
    }
    gate.open();
    let (code, seen) = screen.end();
    assert_eq!(code, Some(0), "{seen}");
    assert!(seen.contains("COMPLETED"), "{seen}");
}

#[test]
fn colour_is_left_out_when_it_is_not_wanted() {
    let home = Home::new();
    home.waiting();
    let (_, seen) = Screen::open(home.command(&["runs"]), 80).end();
    assert!(seen.contains("\x1b[33mwaiting\x1b[0m"), "{seen:?}");
    let mut command = home.command(&["runs"]);
    command.env("NO_COLOR", "1");
    let (_, seen) = Screen::open(command, 80).end();
    assert!(seen.contains("waiting") && !seen.contains('\x1b'), "{seen:?}");
    let (_, seen) = Screen::open(home.command(&["runs"]), 50).end();
    assert!(seen.contains('…'), "{seen:?}");
}
