//! What an assistant may not do through `baton mcp` unless the person who started it said so.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::assistant::{Assistant, block_on, gated, id, release};
use crate::support::{Gate, Home};

#[test]
fn questions_are_the_persons_unless_granted() {
    let cases: [(&[&str], &str); 3] = [
        (&[], "unless they start `baton mcp` with --answer approval"),
        (&["--answer", "research,debate"], "unless they start `baton mcp` with --answer approval"),
        (&["--answer", "approval"], "did not start `baton mcp` with --may-approve"),
    ];
    for (flags, why) in cases {
        let home = Home::new();
        block_on(async {
            let assistant =
                Assistant::connect(&home, &[&["mcp", "--allow", "approval"], flags].concat()).await;
            let started = assistant.call("start_run", release()).await;
            let waiting = assistant.rested(id(&started)).await;
            let run = id(&waiting);
            assert_eq!(waiting["questions"][0]["answer_by"], "person", "{flags:?}");
            for key in [json!(null), json!("2/approve"), json!("approve")] {
                let refused =
                    assistant.refused("answer_question", json!({ "run": run, "key": key, "answer": "yes" }));
                let refused = refused.await;
                let command = format!("baton answer {run} 2/approve yes");
                for words in ["for the person to answer", why, "Publish it?", &command] {
                    assert!(refused.contains(words), "{flags:?}: no `{words}` in {refused}");
                }
            }
            let after = assistant.call("show_run", json!({ "run": run })).await;
            assert_eq!((&after["status"], &after["records"]), (&json!("waiting"), &waiting["records"]));
        });
        assert!(!home.baton(&["log", "last"]).out.contains("is answered by"), "{flags:?}");
    }
}

#[test]
fn runs_of_others_are_never_answered() {
    let flags = ["mcp", "--allow", "approval", "--answer", "approval", "--may-approve"];
    let home = Home::new();
    let persons = home.waiting();
    block_on(async {
        let earlier = Assistant::connect(&home, &flags).await;
        let own = id(&earlier.call("start_run", release()).await).to_owned();
        earlier.rested(&own).await;
        let refused = earlier.refused("answer_question", json!({ "run": persons, "answer": "yes" })).await;
        assert!(refused.contains("was not started by you through this server"), "{refused}");
        assert!(earlier.leave().await);
        // Another server process knows nothing of what the one before it started.
        let later = Assistant::connect(&home, &flags).await;
        for run in [&own, &persons, "last"] {
            let refused = later.refused("answer_question", json!({ "run": run, "answer": "yes" })).await;
            assert!(refused.contains("was not started by you"), "{run}: {refused}");
        }
    });
    for run in [own_of(&home), persons] {
        assert_eq!(home.baton(&["show", &run, "--json"]).json()["status"], "waiting");
    }
}

fn own_of(home: &Home) -> String {
    home.runs().pop().expect("a run")
}

#[test]
fn whether_something_happened_is_the_persons_to_say() {
    for (flags, granted) in
        [(&["--answer", "approval"][..], false), (&["--answer", "approval", "--may-approve"], true)]
    {
        let home = Home::new();
        let gate = Gate::new(&home, false);
        block_on(async {
            let assistant =
                Assistant::connect(&home, &[&["mcp", "--allow", "approval"], flags].concat()).await;
            let run = id(&assistant.call("start_run", gated()).await).to_owned();
            kill_driver(&assistant, &home, &run).await;
            gate.open();
            assert_eq!(home.baton(&["resume", &run]).code, Some(5), "it asks what happened");
            let answer = json!({ "run": run, "answer": "{\"happened\": false}", "wait_seconds": 50 });
            if granted {
                let after = assistant.call("answer_question", answer).await;
                assert_eq!(
                    (&after["answered"]["key"], &after["status"]),
                    (&json!("1/wait?1"), &json!("finished"))
                );
            } else {
                let refused = assistant.refused("answer_question", answer).await;
                assert!(refused.contains("it asks for an approval"), "{refused}");
                assert!(refused.contains("Did it happen?") && refused.contains("'1/wait?1'"), "{refused}");
            }
        });
    }
}

/// Ends the driver of a run while its command stands at the gate.
async fn kill_driver(assistant: &Assistant, home: &Home, run: &str) {
    for _ in 0..2_000 {
        let shown = assistant.call("show_run", json!({ "run": run })).await;
        if home.desk().join("begun").exists()
            && let Some(driver) = shown["driven_by"].as_str()
        {
            let digits = driver.split(|letter: char| !letter.is_ascii_digit()).find(|part| !part.is_empty());
            let id = digits.and_then(|digits| digits.parse().ok()).and_then(Pid::from_raw);
            kill_process(id.expect("a process"), Signal::KILL).expect("killed");
            break;
        }
    }
    let gone = |shown: &Value| shown["status"] == "interrupted";
    for _ in 0..2_000 {
        if gone(&assistant.call("show_run", json!({ "run": run })).await) {
            return;
        }
    }
    panic!("the driver never was gone");
}

#[test]
fn no_path_leads_out_of_the_roots() {
    let home = Home::new();
    for name in ["docs", "secret"] {
        std::fs::create_dir(home.desk().join(name)).expect("a folder");
        home.write(&format!("{name}/note.md"), "# Note\n\nThe key is 4711.\n");
    }
    std::os::unix::fs::symlink(home.desk().join("secret"), home.desk().join("docs/out")).expect("a link");
    std::os::unix::fs::symlink(home.desk().join("secret/note.md"), home.desk().join("docs/out.md"))
        .expect("a link");
    let secret = home.desk().join("secret");
    let folders = ["secret", "docs/../secret", "docs/out", ".", secret.to_str().expect("text")];
    let files =
        ["secret/note.md", "docs/../secret/note.md", "docs/out/note.md", "docs/out.md", "docs/missing.md"];
    block_on(async {
        let assistant = Assistant::connect(&home, &["mcp", "--root", "docs", "--allow", "research"]).await;
        for folder in folders {
            let calls = [
                ("research", json!({ "question": "Which key?", "docs": ["docs", folder] })),
                ("debate", json!({ "problem": "Which key?", "context": folder })),
                ("search", json!({ "words": "Which key?", "docs": folder })),
                ("start_run", json!({ "workflow": "research", "input": { "docs": [folder] } })),
            ];
            for (tool, arguments) in calls {
                let refused = assistant.refused(tool, arguments).await;
                assert!(
                    refused.contains("was refused") && refused.contains("--root FOLDER"),
                    "{tool}: {refused}"
                );
            }
        }
        for path in files {
            for (tool, more) in
                [("read_document", json!({})), ("check_quote", json!({ "statement": "a", "quote": "a" }))]
            {
                let mut arguments = more;
                arguments["path"] = json!(path);
                let refused = assistant.refused(tool, arguments).await;
                assert!(
                    refused.contains("was refused") && !refused.contains("4711"),
                    "{tool} {path}: {refused}"
                );
            }
        }
        let found = assistant.call("search", json!({ "words": "What is the key?", "docs": "docs" })).await;
        assert_eq!(found["documents"], 1, "a link out of the folder is not followed: {found}");
        let document = assistant.call("read_document", json!({ "path": "docs/../docs/note.md" })).await;
        assert!(document["text"].as_str().is_some_and(|text| text.contains("4711")), "{document}");

        let closed = Assistant::connect(&home, &["mcp"]).await;
        let refused = closed.refused("research", json!({ "question": "Which key?", "docs": ["docs"] })).await;
        assert!(
            refused.contains("given no folder") && refused.contains("baton mcp --root FOLDER"),
            "{refused}"
        );
    });
    assert!(home.runs().is_empty(), "nothing was started");
    let missing = home.baton(&["mcp", "--root", "no-such-folder"]);
    assert!(missing.code == Some(1) && missing.err.contains("no-such-folder"), "{missing:?}");
}

#[test]
fn an_assistant_gets_no_further_than_the_commands() {
    let home = Home::new();
    home.waiting();
    block_on(async {
        let assistant = Assistant::connect(&home, &["mcp"]).await;
        let wrong = [
            ("show_run", json!({ "run": "nothing" }), "there is no run `nothing`"),
            ("show_run", json!({ "run": "nothing", "wait_seconds": 5 }), "there is no run `nothing`"),
            (
                "read_file",
                json!({ "run": "last", "path": "../../baton.db" }),
                "has no file called `../../baton.db`",
            ),
            (
                "read_file",
                json!({ "run": "last", "path": "/etc/passwd" }),
                "has no file called `/etc/passwd`",
            ),
            ("verify_run", json!({ "run": "nothing" }), "there is no run `nothing`"),
            (
                "search",
                json!({ "words": "heat", "sources": ["wikipedia"] }),
                "baton.toml sets up no `wikipedia`",
            ),
        ];
        for (tool, arguments, words) in wrong {
            let refused = assistant.refused(tool, arguments).await;
            assert!(refused.to_lowercase().contains(words), "{tool}: {refused}");
        }
        let refused = assistant.try_call("start_run", release()).await;
        let refused = refused.expect_err("it runs commands, so it must be allowed by name");
        assert!(refused.contains("`approval` may not be started from here"), "{refused}");
    });
    assert_eq!(home.runs().len(), 1, "nothing was started");
    assert_eq!(
        home.baton(&["mcp", "--may-approve"]).code,
        Some(2),
        "approvals are granted for workflows by name"
    );
    assert_eq!(home.baton(&["mcp", "--answer", "no-such-workflow"]).code, Some(2));
}
