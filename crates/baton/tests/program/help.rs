//! Help, completions and the manual: made from the same words.

use crate::support::{Home, same};

pub const COMMANDS: [&str; 38] = [
    "research",
    "article",
    "report",
    "start",
    "debate",
    "build",
    "runs",
    "show",
    "watch",
    "log",
    "answer",
    "resume",
    "cancel",
    "fork",
    "rewind",
    "checkpoint",
    "diff",
    "export",
    "import",
    "migrate",
    "rm",
    "gc",
    "worker",
    "explain",
    "files",
    "verify",
    "check",
    "diagram",
    "ask",
    "search",
    "read",
    "mcp",
    "torture",
    "doctor",
    "init",
    "trust",
    "completions",
    "man",
];

#[test]
fn the_first_page_names_every_command() {
    let home = Home::new();
    let said = home.baton(&["--help"]);
    for command in COMMANDS {
        assert!(said.out.contains(&format!("\n  {command} ")), "{command}: {}", said.out);
    }
    assert!(!said.out.contains("torture-child"), "{}", said.out);
    same("help.txt", &home.transcript(&[&["--help"], &["answer", "--help"], &["show"]]));
    assert!(!home.baton(&["--version"]).out.is_empty());
}

#[test]
fn the_help_of_every_command_has_an_example() {
    let home = Home::new();
    for command in COMMANDS {
        let said = home.baton(&[command, "--help"]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{command}");
        assert!(said.out.contains(&format!("  baton {command}")), "{command}: {}", said.out);
        assert!(said.out.lines().all(|line| line.chars().count() <= 110), "{command}: {}", said.out);
    }
    // Asking for help makes no home.
    assert!(!home.path().exists());
}

#[test]
fn every_shell_gets_a_script() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let said = home.baton(&["completions", shell]);
        assert_eq!(said.code, Some(0), "{shell}");
        assert!(said.out.contains("baton") && said.out.contains("explain"), "{shell}");
    }
    assert_eq!(home.baton(&["completions", "nonsense"]).code, Some(2));
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let home = Home::new();
    assert!(home.baton(&["man"]).out.contains(".TH baton 1"));
    let said = home.baton(&["man", "--dir", "pages"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let written: Vec<&str> = said.out.lines().collect();
    assert_eq!(written.len(), COMMANDS.len() + 1, "{written:?}");
    for command in COMMANDS {
        let page =
            std::fs::read_to_string(home.desk().join(format!("pages/baton-{command}.1"))).expect("a page");
        assert!(page.contains(&format!(".TH baton-{command} 1")), "{page}");
        assert!(page.contains(&format!("baton {command}")), "{page}");
    }
}
