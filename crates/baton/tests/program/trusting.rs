//! `trust`: what a project's file may not do until somebody has looked at it.

use std::fs::File;
use std::io::{Read, Write};
use std::process::Command;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::modelled::{Modelled, model_at};
use crate::support::Home;

const FILE: &str = "[models.m]\nprovider = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"x\"\nkey_env = \"K\"\n\n[privacy]\nsend_documents = true\n";

#[test]
fn a_file_that_reaches_out_is_refused_until_it_is_trusted() {
    let home = Home::new();
    home.write("baton.toml", FILE);
    for words in [&["runs"][..], &["doctor"], &["start", "approval", "release.toml"]] {
        let said = home.baton(words);
        assert_eq!(said.code, Some(4), "{said:?}");
        for part in [
            "models.m.provider, models.m.base_url, models.m.model, models.m.key_env, privacy.send_documents.",
            "type: baton trust\n",
            "baton.toml, line 2",
        ] {
            assert!(said.err.contains(part), "{part}: {}", said.err);
        }
    }
    assert!(!home.path().exists(), "nothing was done");

    let said = home.baton(&["trust"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.out.contains("line 5    models.m.key_env   key_env = \"K\""), "{}", said.out);
    for why in ["  a model says where your texts and keys go", "  consent to send your documents is yours"] {
        assert!(said.out.contains(why), "{}", said.out);
    }
    assert!(said.err.contains("type: baton trust baton.toml --yes"), "{}", said.err);
    assert_eq!(home.baton(&["runs"]).code, Some(4), "being shown is not being trusted");

    assert_eq!(home.baton(&["trust", "--yes"]).code, Some(0));
    assert_eq!(home.baton(&["runs"]).code, Some(0));
    assert!(home.baton(&["trust"]).out.contains("is trusted already"));

    home.write("baton.toml", &FILE.replace(":1/", ":2/"));
    assert_eq!(home.baton(&["runs"]).code, Some(4), "any change asks again");
}

/// What the program says and how it ends on a terminal where this was typed ahead.
fn at_terminal(mut command: Command, typed: &str) -> (Option<i32>, String) {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&controller).expect("granted");
    unlockpt(&controller).expect("unlocked");
    let name = ptsname(&controller, Vec::new()).expect("a name");
    let inside = File::options().read(true).write(true).open(name.to_str().expect("a path")).expect("opened");
    let mut screen = File::from(controller);
    screen.write_all(typed.as_bytes()).expect("typed");
    let end = || inside.try_clone().expect("another end");
    command.env("TERM", "xterm").stdin(end()).stdout(end()).stderr(end());
    let mut child = command.spawn().expect("it starts");
    // The terminal only closes when all its ends are gone.
    drop((command, inside));
    let mut seen = Vec::new();
    // At the end of the last process in it a terminal gives an error instead of nothing.
    let _ = screen.read_to_end(&mut seen);
    (child.wait().expect("ended").code(), String::from_utf8_lossy(&seen).into_owned())
}

#[test]
fn at_a_terminal_a_person_is_asked_and_only_yes_is_yes() {
    let home = Home::new();
    home.write("baton.toml", FILE);
    for no in ["no\n", "\n", "yes please\n"] {
        let (code, seen) = at_terminal(home.command(&["trust"]), no);
        assert_eq!(code, Some(8), "{seen}");
        assert!(seen.contains("Trust baton.toml? (yes or no) > "), "{seen}");
        assert!(seen.contains("was not trusted; nothing was changed"), "{seen}");
        assert!(!home.path().exists());
    }
    let (code, seen) = at_terminal(home.command(&["trust"]), "yes\n");
    assert_eq!(code, Some(0), "{seen}");
    assert!(seen.contains("is trusted until it changes"), "{seen}");
    assert_eq!(home.baton(&["runs"]).code, Some(0));
}

#[test]
fn trust_speaks_json() {
    let home = Home::new();
    home.write("baton.toml", FILE);
    let told = home.baton(&["trust", "--yes", "--json"]).json();
    assert_eq!((&told["trusted"], &told["wants"][1]["line"]), (&true.into(), &3.into()));
    assert_eq!(told["wants"][1]["key"], "models.m.base_url");
    assert!(told["wants"][1]["why"].as_str().expect("a reason").starts_with("a model says where"));
    let hash = told["sha256"].as_str().expect("a hash");
    assert!(std::fs::read_to_string(home.path().join("trusted")).expect("a list").starts_with(hash));
    home.write("other.toml", FILE.replace("\"K\"", "\"L\"").as_str());
    let said = home.baton(&["trust", "other.toml", "--json"]);
    assert_eq!((said.code, &said.json()["error"]["exit"]), (Some(2), &2.into()));
}

#[test]
fn what_needs_no_trust_and_what_cannot_be_read() {
    let home = Home::new();
    home.write("baton.toml", "parallel = 2\n[budget]\nusd = 0.5\n");
    assert_eq!(home.baton(&["runs"]).code, Some(0));
    assert!(home.baton(&["trust"]).out.contains("names nothing that needs trust"));
    home.write("baton.toml", "[models.m]\nprovider = \"openai\"\n  modle = \"x\"\n");
    let said = home.baton(&["trust"]);
    assert_eq!(said.code, Some(4), "{said:?}");
    let wanted = "baton.toml, line 3, column 3: unknown key `modle` in [models.m]; did you mean `model`?";
    assert!(said.err.contains(wanted), "{}", said.err);
    let said = home.baton(&["trust", "none.toml"]);
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("cannot read none.toml"), "{}", said.err);
}

#[test]
fn trust_is_kept_in_the_home_that_was_typed() {
    let home = Home::new();
    home.write("baton.toml", FILE);
    let said = home.baton(&["runs", "--home", "a b"]);
    assert!(said.err.contains("type: baton trust --home 'a b'\n"), "{}", said.err);
    assert_eq!(home.baton(&["trust", "--yes", "--home", "a b"]).code, Some(0));
    assert_eq!(home.baton(&["runs", "--home", "a b"]).code, Some(0));
    assert_eq!(home.baton(&["runs"]).code, Some(4), "another home trusts nothing");
}

#[test]
fn a_project_uses_the_models_of_the_person_once_it_is_trusted() {
    let desk = Modelled::new();
    let own = desk.home.desk().join("own/baton");
    std::fs::create_dir_all(&own).expect("a folder");
    std::fs::write(own.join("baton.toml"), model_at(&desk.server.v1(), "mine", "local = true"))
        .expect("a file");
    desk.home.write("baton.toml", "[roles]\ndefault = [\"mine\"]\n");
    let baton = |words: &[&str]| {
        let mut command = desk.home.command(words);
        command.env("XDG_CONFIG_HOME", desk.home.desk().join("own")).output().expect("it runs")
    };
    let ask = ["ask", "summarize", "--input", "note.toml", "--json"];
    let refused = baton(&ask);
    assert_eq!(refused.status.code(), Some(4), "{refused:?}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("names what needs trust: roles.default."));
    assert!(desk.server.served().is_empty());
    assert_eq!(baton(&["trust", "--yes"]).status.code(), Some(0));
    assert_eq!(baton(&ask).status.code(), Some(0));
    assert_eq!(desk.server.served().len(), 1);
}
