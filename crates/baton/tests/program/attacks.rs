//! A folder that came from somebody else, and a home others can reach: what an attacker gets, and what the person sees.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::modelled::{Modelled, SECRET, holding};
use crate::support::{Home, Output};

fn chmod(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("changed");
}

/// What a person sees who has set nothing but a key.
fn victim(home: &Home, words: &[&str]) -> Output {
    let mut command = home.command(words);
    let output = command.env_remove("BATON_HOME").env("OPENAI_API_KEY", SECRET).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    Output { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// The commands that open a home, with what they need to be understood.
const OPENING: [&[&str]; 15] = [
    &["runs"],
    &["show", "last"],
    &["log", "last"],
    &["watch", "last"],
    &["resume", "last"],
    &["answer", "last", "yes"],
    &["cancel", "last"],
    &["explain", "last"],
    &["files", "last"],
    &["verify", "last"],
    &["start", "approval", "release.toml"],
    &["debate", "eval", "last"],
    &["research", "What?", "--docs", ".", "--yes"],
    &["search", "What?", "--docs", "."],
    &["read", "release.toml"],
];

#[test]
fn a_journal_that_came_with_a_project_runs_no_command() {
    let home = Home::new();
    let plan = "title = \"Evil\"\n[[stages]]\nname = \"a\"\n\
                commands = [{ name = \"b\", run = \"touch pwned\", repeatable = true }]\n";
    home.write("evil.toml", plan);
    assert_eq!(
        home.baton(&["start", "approval", "evil.toml", "--no-drive", "--home", ".cache"]).code,
        Some(0)
    );
    home.write("baton.toml", "home = \".cache\"\n");
    // The prepared home even says that it is trusted.
    assert_eq!(home.baton(&["trust", "--yes", "--home", ".cache"]).code, Some(0));
    for words in OPENING.iter().chain([&["doctor"][..], &["resume", "last", "--json"]].iter()) {
        let said = victim(&home, words);
        assert_eq!(said.code, Some(4), "{words:?}: {said:?}");
        assert!(
            said.err.starts_with(
                "error: baton.toml, line 1, column 1: this file came with the project and names what needs \
                 trust: home. Read it, then run `baton trust`.\n"
            ),
            "{words:?}: {said:?}"
        );
        assert!(said.err.contains("type: baton trust\n"), "{said:?}");
    }
    assert!(!home.desk().join("pwned").exists(), "nothing was run");
    // It is the trust of a person that makes the difference.
    assert_eq!(victim(&home, &["trust", "--yes"]).code, Some(0));
    assert_eq!(victim(&home, &["resume", "last"]).code, Some(0));
    assert!(home.desk().join("pwned").exists());
}

#[test]
fn a_journal_that_came_with_a_project_is_sent_no_key() {
    let desk = Modelled::new().with_m();
    let prepared = [
        desk.baton(&["trust", "--yes", "--home", ".cache"]),
        desk.baton(&["debate", "A or B?", "--no-drive", "--home", ".cache"]),
    ];
    assert!(prepared.iter().all(|said| said.code == Some(0)), "{prepared:?}");
    desk.home.write("baton.toml", "home = \".cache\"\n");
    assert_eq!(desk.baton(&["trust", "--yes", "--home", ".cache"]).code, Some(0));
    let said = victim(&desk.home, &["resume", "last"]);
    assert!(said.code == Some(4) && said.err.contains("needs trust: home."), "{said:?}");
    assert!(desk.server.served().is_empty(), "nobody was called");
    assert_eq!(victim(&desk.home, &["trust", "--yes"]).code, Some(0));
    victim(&desk.home, &["resume", "last"]);
    assert!(!desk.server.served().is_empty(), "once it is trusted, the prepared run calls");
    assert_eq!(holding(&desk.home.desk(), SECRET).0, Vec::<String>::new());
}

/// Everything a file can say that is not called harmless, one key at a time.
#[test]
fn a_project_says_nothing_that_counts_before_it_is_trusted() {
    let home = Home::new();
    for (text, key) in [
        ("[roles]\ndefault = [\"mine\"]", "roles.default"),
        ("[search.wikipedia]", "search.wikipedia"),
        (
            "[mcp.m]\ncommand = \"touch\"\nargs = [\"pwned\"]\nsearch_tool = \"s\"",
            "mcp.m.command, mcp.m.args",
        ),
        ("[privacy]\nsend_documents = true", "privacy.send_documents"),
        ("[debate]\nrounds = 100", "debate.rounds"),
        ("[budget]\nusd = 1.01", "budget.usd"),
    ] {
        home.write("baton.toml", text);
        let said = home.baton(&["runs"]);
        assert_eq!(said.code, Some(4), "{text}: {said:?}");
        assert!(said.err.contains(&format!("names what needs trust: {key}")), "{text}: {}", said.err);
        assert!(said.err.contains("type: baton trust\n"), "{}", said.err);
    }
    assert!(!home.path().exists() && !home.desk().join("pwned").exists());
    home.write("baton.toml", "parallel = 2\n[budget]\nusd = 0.25\ntokens = 9\ncalls = 3\n");
    assert_eq!(home.baton(&["runs"]).code, Some(0));
}

#[test]
fn a_trusted_file_is_not_trusted_in_another_folder() {
    let home = Home::new();
    home.write("baton.toml", "home = \".cache\"\n");
    assert_eq!(victim(&home, &["trust", "--yes"]).code, Some(0));
    assert_eq!(victim(&home, &["runs"]).code, Some(0));
    let other = home.desk().join("other");
    std::fs::create_dir(&other).expect("a folder");
    for how in ["a copy", "a link"] {
        let file = other.join("baton.toml");
        match how {
            "a copy" => std::fs::copy(home.desk().join("baton.toml"), &file).map(drop).expect("copied"),
            _ => {
                std::fs::remove_file(&file).expect("removed");
                std::os::unix::fs::symlink(home.desk().join("baton.toml"), &file).expect("linked");
            }
        }
        let mut command = home.command(&["runs"]);
        let output = command.current_dir(&other).env_remove("BATON_HOME").output().expect("it runs");
        assert_eq!(output.status.code(), Some(4), "{how}: {output:?}");
        assert!(!other.join(".cache").exists(), "{how}");
    }
}

#[test]
fn a_run_cannot_be_named_so_that_it_leads_out_of_the_home() {
    let home = Home::new();
    assert_eq!(home.baton(&["start", "approval", "release.toml", "--home", "deep"]).code, Some(5));
    let file = home.desk().join("deep/baton.db");
    let database = rusqlite::Connection::open(file).expect("a database");
    database.execute_batch("UPDATE run SET name = '../../../escaped'").expect("changed");
    // What was written while the name was good.
    std::fs::remove_dir_all(home.desk().join("deep/runs")).expect("removed");
    for words in [&["files"][..], &["resume"], &["show"], &["log"], &["answer"], &["cancel"], &["verify"]] {
        let mut words = [words, &["last", "--home", "deep"]].concat();
        if words[0] == "answer" {
            words.insert(2, "yes");
        }
        let said = home.baton(&words);
        assert_eq!(said.code, Some(1), "{words:?}: {said:?}");
        let told = "the journal of this home is damaged or was made by somebody else: \"../../../escaped\" is not the \
                    name of a run";
        assert!(
            said.err.contains(told) && said.err.contains("choose another with --home"),
            "{words:?}: {said:?}"
        );
    }
    assert_eq!(home.baton(&["runs", "--home", "deep"]).code, Some(1));
    let said = home.baton(&["doctor", "--home", "deep"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("BAD  records") && said.out.contains("../../../escaped"), "{}", said.out);
    let above = home.desk().parent().expect("a folder").to_owned();
    assert!(!above.join("escaped").exists() && !home.desk().join("deep/runs").exists());
}

#[test]
fn a_folder_of_files_that_leads_elsewhere_is_not_followed() {
    let home = Home::new();
    let run = home.waiting();
    let (folder, outside) = (home.path().join("runs").join(&run), home.desk().join("outside"));
    std::fs::remove_dir_all(&folder).expect("removed");
    std::fs::create_dir(&outside).expect("a folder");
    std::os::unix::fs::symlink(&outside, &folder).expect("linked");
    let said = home.baton(&["files", "last"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("leads out of it"), "{said:?}");
    assert_eq!(std::fs::read_dir(&outside).expect("there").count(), 0);
}

#[test]
fn a_home_that_others_can_enter_is_opened_by_no_command() {
    let home = Home::new();
    home.waiting();
    let before = std::fs::read(home.path().join("baton.db")).expect("a database");
    for mode in [0o755, 0o770, 0o701] {
        chmod(&home.path(), mode);
        for words in OPENING.iter().chain([&["trust", "release.toml"][..]].iter()) {
            if words[0] == "trust" {
                home.write("release.toml", "home = \"x\"\n");
            }
            let said = home.baton(words);
            assert_eq!(said.code, Some(4), "{words:?}: {said:?}");
            let path = home.path().display().to_string();
            let told = format!(
                "error: the home {path} is not yours alone: others on this machine can enter it (mode {mode:04o}). \
                 Nothing was read or done; close it: chmod 700 {path} (or name another with --home)\n"
            );
            assert_eq!(said.err, told, "{words:?}");
        }
        home.write("release.toml", crate::support::RELEASE);
        assert_eq!(home.baton(&["doctor"]).code, Some(1));
    }
    assert!(before == std::fs::read(home.path().join("baton.db")).expect("a database"), "it was not touched");
    chmod(&home.path(), 0o700);
    assert_eq!(home.baton(&["answer", "last", "yes"]).code, Some(0));
}

#[test]
fn a_project_s_budget_only_lowers_that_of_the_person() {
    let home = Home::new();
    let own = home.desk().parent().expect("a folder").join(".config/baton");
    std::fs::create_dir_all(&own).expect("a folder");
    let started = |more: &[&str]| {
        let said = home.baton(&[&["start", "approval", "release.toml", "--no-drive"], more].concat());
        let shown = home.baton(&["show", "last", "--json"]);
        (said, shown.json()["limits"]["usd"].as_f64())
    };
    home.write("baton.toml", "[budget]\nusd = 50\n");
    // Where the person has said nothing, more than the default needs trust.
    let said = home.baton(&["start", "approval", "release.toml", "--no-drive"]);
    assert!(said.code == Some(4) && said.err.contains("needs trust: budget.usd."), "{said:?}");
    assert_eq!(home.baton(&["trust", "--yes"]).code, Some(0));
    assert_eq!(started(&[]).1, Some(50.0));
    // Where the person has said something, trust changes nothing.
    std::fs::write(own.join("baton.toml"), "[budget]\nusd = 2\n").expect("written");
    let note = "note: baton.toml, line 2, column 1: budget.usd is more than your own, so yours counts: 2.00. A project \
                can only lower it.\n";
    let (said, usd) = started(&[]);
    assert_eq!((said.err.as_str(), usd), (note, Some(2.0)));
    assert!(home.baton(&["doctor"]).out.contains("budget of a run $2.00"));
    home.write("baton.toml", "# never trusted\n[budget]\nusd = 50\n");
    let (said, usd) = started(&[]);
    assert_eq!((said.code, usd), (Some(0), Some(2.0)), "{said:?}");
    assert!(said.err.contains("yours counts: 2.00"), "{said:?}");
    home.write("baton.toml", "[budget]\nusd = 0.5\n");
    let (said, usd) = started(&[]);
    assert_eq!((said.err.as_str(), usd), ("", Some(0.5)));
    // What was typed stands over both, and then there is nothing to say.
    home.write("baton.toml", "[budget]\nusd = 50\n");
    let (said, usd) = started(&["--budget-usd", "7"]);
    assert_eq!((said.err.as_str(), usd), ("", Some(7.0)));
}
