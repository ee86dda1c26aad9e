//! `debate` with what cannot work: every mistake told in words, nothing started.

use crate::support::Home;

const AGENT: &str = "[[agents]]\nid = \"ann\"\nkind = \"person\"\n";

/// What a debate file leads to.
fn refused(home: &Home, file: &str, wanted: &str) {
    home.write("panel.toml", file);
    let said = home.baton(&["debate", "A or B?", "--config", "panel.toml"]);
    assert_eq!(said.code, Some(4), "{file}: {said:?}");
    assert!(said.err.contains(wanted), "{wanted}: {}", said.err);
    assert!(said.err.contains("nothing was started"), "{}", said.err);
    assert!(home.runs().is_empty());
}

#[test]
fn every_mistake_of_a_debate_file_is_told() {
    let home = Home::new();
    home.write("empty.md", " \n");
    std::fs::create_dir(home.desk().join("in")).expect("made");
    std::os::unix::fs::symlink("/etc", home.desk().join("out")).expect("linked");
    let with = |more: &str| format!("{more}\n{AGENT}");
    let wrong = [
        (format!("{AGENT}{AGENT}"), "two agents have the id `ann`"),
        (
            "[[agents]]\nid = \"ann\"\nkind = \"person\"\nenabled = false\n".to_owned(),
            "the panel has no agent",
        ),
        (format!("{AGENT}role = \"poet\"\n"), "unknown role `poet`; known are: architect, security"),
        (with("rounds = 0"), "rounds is 0; it must be from 1 to 100"),
        (
            with("terminationCondition = { type = \"quality\", threshold = 120 }"),
            "threshold is 120; it must be from 0 to 100",
        ),
        (with("terminationCondition = { type = \"never\" }"), "unknown variant `never`"),
        (
            format!("{AGENT}systemPromptPath = \"gone.md\"\n"),
            "the prompt file of `ann` cannot be used: gone.md",
        ),
        (format!("{AGENT}systemPromptPath = \"empty.md\"\n"), "empty.md is empty"),
        (
            format!("{AGENT}systemPromptPath = \"../../etc/passwd\"\n"),
            "outside the folder of the debate file",
        ),
        (with("context = \"..\""), "Access denied: .. is outside the folder of the debate file"),
        (with("context = \"out\""), "Access denied: out is outside the folder of the debate file"),
        (with("context = \"empty.md\""), "is no folder"),
        (
            with("frame = [{ slot = \"x\", options = [\"a\"] }]"),
            "has one option, so there is nothing to decide",
        ),
        (with("frame = [{ slot = \"x\" }, { slot = \"X\" }]"), "two slots are called `X`"),
        ("[[agents]]\nid = \"a b\"\n".to_owned(), "`a b` cannot be an id"),
        ("[[agents]]\nid = \"m\"\n".to_owned(), "agent `m` has no model"),
        (
            "[[agents]]\nid = \"m\"\nmodel = \"big\"\n".to_owned(),
            "names the model `big`, which is not configured",
        ),
        ("[[agents]]\nid = \"f\"\nkind = \"file\"\n".to_owned(), "agent `f` needs the key `file`"),
        (
            "[[agents]]\nid = \"f\"\nkind = \"file\"\nfile = \"gone.toml\"\n".to_owned(),
            "the file of `f` cannot be used",
        ),
        (
            "[[agents]]\nid = \"c\"\nkind = \"command\"\ncommand = \" \"\n".to_owned(),
            "needs the key `command`",
        ),
        (with("round = 3"), "panel.toml: line 1, column 1: unknown key `round`; did you mean `rounds`?"),
        (
            format!("{AGENT}modle = \"m\"\n"),
            "panel.toml: line 4, column 1: unknown key `modle`; did you mean `model`?",
        ),
        (with("timeoutPerRound = 3"), "line 1, column 1: `timeoutPerRound` cannot be heeded"),
    ];
    for (file, wanted) in wrong {
        refused(&home, &file, wanted);
    }
}

#[test]
fn what_was_typed_must_make_sense_too() {
    let home = Home::new();
    home.write("panel.toml", AGENT);
    let wrong: [(&[&str], &str); 6] = [
        (&["debate"], "there is no problem to debate"),
        (&["debate", "A or B?", "--config", "gone.toml"], "gone.toml: it cannot be read"),
        (&["debate", "-p", "gone.md"], "gone.md: it cannot be read"),
        (&["debate", "A or B?", "-p", "panel.toml"], "cannot be used with"),
        (
            &["debate", "A or B?", "--config", "panel.toml", "--agents", "security"],
            "no agent with the role or id security",
        ),
        (
            &["debate", "A or B?", "--config", "panel.toml", "--context", "gone"],
            "the context folder cannot be used: gone",
        ),
    ];
    for (words, wanted) in wrong {
        let said = home.baton(words);
        assert_eq!(said.code, Some(2), "{words:?}: {said:?}");
        assert!(said.err.contains(wanted), "{wanted}: {}", said.err);
    }
    assert_eq!(home.baton(&["debate", "A or B?", "--config", "panel.toml", "--rounds", "0"]).code, Some(2));
    let said = home.baton(&["debate", "A or B?"]);
    assert!(said.code == Some(4) && said.err.contains("write down who shall debate"), "{said:?}");
    assert_eq!(home.baton(&["debate", "eval", "nothing"]).code, Some(2), "there is no such run");
    assert!(home.runs().is_empty());
}

#[test]
fn a_project_may_not_name_commands_before_it_is_trusted() {
    let home = Home::new();
    home.write("baton.toml", "[[debate.agents]]\nid = \"c\"\nkind = \"command\"\ncommand = \"touch ran\"\n");
    let said = home.baton(&["debate", "A or B?"]);
    assert_eq!(said.code, Some(4), "{said:?}");
    assert!(said.err.contains("debate.agents.command") && said.err.contains("baton trust"), "{}", said.err);
    assert!(!home.desk().join("ran").exists());
}

#[test]
fn a_person_who_answers_for_another_is_not_heard() {
    let home = Home::new();
    let panel = "frame = [{ slot = \"s\", options = [\"a\", \"b\"] }]\n\
                 [[agents]]\nid = \"bob\"\nkind = \"person\"\nwho = \"bob\"\n";
    home.write("panel.toml", panel);
    assert_eq!(home.baton(&["debate", "A or B?", "--config", "panel.toml"]).code, Some(5));
    let said = home.baton(&["answer", "last", "bob:s", "a"]);
    assert_eq!(said.code, Some(5), "{said:?}");
    assert!(said.out.contains("ann answered for bob, and only bob may; it was not taken"), "{}", said.out);
}

#[test]
fn files_go_to_no_model_elsewhere_unless_they_are_sent() {
    let home = Home::new();
    home.write(
        "baton.toml",
        "[models.far]\nprovider = \"openai\"\nbase_url = \"https://models.invalid/v1\"\nmodel = \"large\"\n\
         price = { input = 1, output = 4 }\n",
    );
    assert_eq!(home.baton(&["trust", "--yes"]).code, Some(0));
    home.write("memo.txt", "Take a.\n");
    let frame = "frame = [{ slot = \"s\", options = [\"a\", \"b\"] }]\n";
    let model = "[[agents]]\nid = \"bob\"\nkind = \"model\"\nmodel = \"far\"\n";
    let file = "[[agents]]\nid = \"memo\"\nkind = \"file\"\nfile = \"memo.txt\"\n";
    home.write("panel.toml", &format!("{frame}{model}{file}"));
    let said = home.baton(&["debate", "A or B?", "--config", "panel.toml"]);
    let why = "asks far (models.invalid:443) alone, and text of your documents may not be sent there; nothing was started";
    assert!(said.code == Some(2) && said.err.contains(why) && said.err.contains("--send"), "{said:?}");
    // What it would cost can be known without a word, and with one it may start.
    assert_eq!(home.baton(&["debate", "A or B?", "--config", "panel.toml", "--plan"]).code, Some(0));
    let said = home.baton(&["debate", "A or B?", "--config", "panel.toml", "--send", "--no-drive"]);
    assert_eq!((said.code, home.runs().len()), (Some(0), 1), "{said:?}");
}
