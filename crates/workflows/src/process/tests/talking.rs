//! Conversations with real processes: who says what, and how they end.

use super::*;

/// Says `hello`, repeats what it hears with an exclamation mark, and is content after so many lines.
struct Parrot {
    lines: usize,
    heard: Vec<String>,
}

impl Parrot {
    fn content_after(lines: usize) -> Self {
        Self { lines, heard: Vec::new() }
    }
}

impl Conversation for Parrot {
    fn begin(&mut self) -> Vec<String> {
        vec!["hello".to_owned()]
    }

    fn hear(&mut self, line: &str) -> Vec<String> {
        // The supervisor of these tests prints two lines of its own first.
        if line.is_empty() || line == "running 1 test" {
            return Vec::new();
        }
        self.heard.push(line.to_owned());
        vec![format!("{line}!")]
    }

    fn is_over(&self) -> bool {
        self.heard.len() >= self.lines
    }
}

#[tokio::test]
async fn both_sides_speak_until_one_is_content() {
    for processes in both() {
        let folder = tempfile::tempdir().unwrap();
        let mut parrot = Parrot::content_after(3);
        let line = Invocation::shell("while read -r said; do echo \"$said\"; done; exit 4");
        let done = processes.converse(&line, folder.path(), &mut parrot).await.unwrap();
        assert_eq!(parrot.heard, ["hello", "hello!", "hello!!"]);
        // With its stdin closed it may leave by itself; whether it was waited for that long is the clock's matter.
        assert_eq!(done.exit, ExitKind::Code(0));
        assert!(!folder.path().join("stdin").exists());
    }
}

#[tokio::test]
async fn a_process_that_ends_in_the_middle_says_how() {
    for processes in both() {
        let folder = tempfile::tempdir().unwrap();
        let mut parrot = Parrot::content_after(9);
        let line = Invocation::shell("read -r said; echo \"$said\"; echo why >&2; exit 7");
        let done = processes.converse(&line, folder.path(), &mut parrot).await.unwrap();
        assert_eq!((done.exit, done.err.text().trim()), (ExitKind::Code(7), "why"));
        assert_eq!(parrot.heard, ["hello"]);
    }
}

#[tokio::test]
async fn more_is_said_than_a_pipe_holds() {
    struct Long(bool);
    impl Conversation for Long {
        fn begin(&mut self) -> Vec<String> {
            vec!["x".repeat(1_000_000), "the end".to_owned()]
        }
        fn hear(&mut self, line: &str) -> Vec<String> {
            self.0 |= line == "1000000 7";
            Vec::new()
        }
        fn is_over(&self) -> bool {
            self.0
        }
    }
    for processes in both() {
        let folder = tempfile::tempdir().unwrap();
        let mut long = Long(false);
        let line = Invocation::shell("read -r one; read -r two; echo ${#one} ${#two}");
        processes.converse(&line, folder.path(), &mut long).await.unwrap();
        assert!(long.0);
    }
}

#[tokio::test]
async fn who_stays_when_all_is_said_is_ended_with_what_it_started() {
    for processes in both() {
        let folder = tempfile::tempdir().unwrap();
        let mut parrot = Parrot::content_after(1);
        let line =
            Invocation::shell("trap '' TERM; read -r said; echo \"$said\"; while :; do sleep 1000; done");
        let done = processes.converse(&line, folder.path(), &mut parrot).await.unwrap();
        assert_eq!(done.exit, ExitKind::Code(0), "the conversation ended well");
    }
}
