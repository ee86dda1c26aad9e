//! Plans that somebody else made: a draft by a model, and how an effort is cut by an agent.

use baton_testkit::model_server::{Act, Fault};
use serde_json::{Value, json};

use crate::build_judges::script;
use crate::building::{git, small};
use crate::modelled::Modelled;
use crate::support::Home;

const ROADMAP: &str = "# Bread\n\n## Dough\n\n- Mix in `a.txt`\n- Bake; depends on mix\n";

/// Drafts with a model that answers so.
fn drafted(answer: Option<String>) -> (Modelled, Value, String) {
    let modelled = Modelled::new();
    let model = modelled.model("m", "local = true");
    modelled.configure(&format!("{model}[roles]\nplanner = [\"m\"]\n"));
    modelled.server.act(move |_| answer.clone().map_or_else(|| Fault::Internal.into(), Act::Say));
    small(&modelled.home);
    modelled.home.write("ROADMAP.md", ROADMAP);
    let words = ["build", "plan", "--from", "ROADMAP.md", "--repo", "repo", "-o", "draft.toml", "--json"];
    let said = modelled.baton(&words);
    assert_eq!(said.code, Some(0), "{said:?}");
    let plan = std::fs::read_to_string(modelled.home.desk().join("draft.toml")).expect("a plan");
    (modelled, said.json(), plan)
}

fn effort(id: &str, items: &[usize], depends_on: &[&str]) -> Value {
    json!({"id": id, "name": id, "task": format!("Do {id}."), "paths": [format!("{id}/**")], "items": items, "depends_on": depends_on})
}

fn plan_of(efforts: &[Value], gates: &Value) -> Option<String> {
    Some(
        json!({"title": "Bread", "gates": gates, "phases": [{"name": "Dough", "efforts": efforts}]})
            .to_string(),
    )
}

#[test]
fn a_model_drafts_a_plan_whose_commands_wait_for_a_person() {
    let gates = json!([{"name": "test", "run": "sh tests/t.sh; touch /tmp/never-of-mine", "tests": true}]);
    let efforts =
        [effort("mix", &[1], &[]), effort("oven", &[2], &[]), effort("bake", &[2], &["mix", "oven"])];
    let (modelled, said, plan) = drafted(plan_of(&efforts, &gates));
    assert_eq!(said["by"], "m", "{said}");
    assert!(plan.starts_with("# Drafted from a roadmap by m.") && plan.contains("drafted = true"), "{plan}");
    let served = modelled.server.served();
    let shown = served.last().expect("it was asked").asked.texts.join("\n");
    assert!(shown.contains("tests/t.sh") && shown.contains("Mix in"), "{shown}");
    let valid = modelled.home.baton(&["build", "validate", "draft.toml", "--json"]).json();
    assert_eq!(valid["efforts"].as_array().map(Vec::len), Some(3), "{valid}");
    let said = modelled.home.baton(&["build", "draft.toml", "--repo", "repo", "--yes", "--json"]);
    assert_eq!((said.code, &said.json()["state"]), (Some(5), &json!("PLANNING")), "{said:?}");
    assert!(said.out.contains("sh tests/t.sh; touch"), "{said:?}");
}

#[test]
fn a_draft_that_does_not_hold_is_not_taken() {
    let none = json!([]);
    let cases = [
        ("it fails", None),
        ("nonsense", Some("Sure! Here is a plan.".to_owned())),
        ("an item is lost", plan_of(&[effort("mix", &[1], &[])], &none)),
        ("an item is invented", plan_of(&[effort("mix", &[1, 2, 3], &[])], &none)),
        ("a circle", plan_of(&[effort("mix", &[1], &["bake"]), effort("bake", &[2], &["mix"])], &none)),
        (
            "leads out",
            plan_of(
                &[json!({"id": "x", "name": "x", "task": "x", "paths": ["../up"], "items": [1, 2]})],
                &none,
            ),
        ),
    ];
    for (name, answer) in cases {
        let (modelled, said, plan) = drafted(answer);
        assert_eq!(said["by"], "rules", "{name}: {said}");
        assert!(plan.contains("id = \"mix-in-a-txt\"") && plan.contains("depends_on"), "{name}: {plan}");
        assert_eq!(modelled.home.baton(&["build", "validate", "draft.toml"]).code, Some(0), "{name}");
    }
}

/// A plan of one effort that is too large, and an agent that says how it is cut.
fn cut(home: &Home, splitter: &str) -> (Value, String) {
    small(home);
    // The second file needs the first: `tests/t.sh` fails where `b.txt` is alone.
    std::fs::write(home.desk().join("repo/tests/t.sh"), "test ! -f b.txt || test -f c.txt\n")
        .expect("written");
    git(&home.desk().join("repo"), &["commit", "-qam", "second"]);
    let lines = |word: &str| format!("{word}\\n").repeat(14);
    let splitter = script(home, "cut.sh", splitter);
    let write = |name: &str| format!("{{ write = \"{name}\", content = \"{}\" }}", lines(name));
    let plan = format!(
        "title = \"x\"\n[agents.cutter]\nkind = \"command\"\nrun = '''{splitter}'''\n[gates.test]\nrun = \"sh tests/t.sh\"\n\
         [size]\nsoft = 20\nhard = 30\n[policy]\nsplit = \"cutter\"\nturn_limit = 3\nidle_limit = 2\n[[phase]]\nname = \"p\"\n\
         [[phase.effort]]\nid = \"w\"\npaths = [\"*.txt\"]\nwork = [{}, {}, {}]\n",
        write("b.txt"),
        write("c.txt"),
        write("d.txt")
    );
    home.write("plan.toml", &plan);
    let value = home.baton(&["build", "plan.toml", "--repo", "repo", "--yes", "--json"]).json();
    let runs = home.baton(&["runs", "--all", "--json"]).json();
    let whole = runs.as_array().expect("runs").iter().find(|run| run["state"] == "SUPERSEDED");
    let folder = whole.map(|run| home.path().join("runs").join(run["run"].as_str().expect("an id")));
    let page = folder.map(|folder| std::fs::read_to_string(folder.join("effort.md")).expect("a page"));
    (value, page.unwrap_or_default())
}

#[test]
fn an_agent_says_how_an_effort_is_cut_and_the_gates_say_whether_it_holds() {
    let home = Home::new();
    let plan = "echo 'So: {\"parts\": [{\"files\": [\"d.txt\"]}, {\"files\": [\"c.txt\", \"b.txt\"]}]}'";
    let (value, page) = cut(&home, plan);
    assert_eq!((&value["state"], &value["splits"]), (&json!("COMPLETE"), &json!(1)), "{value}");
    assert!(page.contains("Cut into 2 parts by the plan of cutter, which holds"), "{page}");
    assert!(
        page.contains("1. d.txt (14 added lines)") && page.contains("2. c.txt, b.txt (28 added lines)"),
        "{page}"
    );
    let run = value["run"].as_str().expect("an id");
    for name in ["b.txt", "c.txt", "d.txt"] {
        git(&home.desk().join("repo"), &["cat-file", "-e", &format!("baton/{run}:{name}")]);
    }
}

#[test]
fn where_the_plan_of_an_agent_does_not_hold_rules_cut() {
    let parts = |parts: &str| format!("echo '{{\"parts\": [{parts}]}}'");
    let files = |names: &str| format!("{{\"files\": [{names}]}}");
    let cases = [
        ("echo I would not cut it".to_owned(), "its answer cannot be read"),
        ("exit 1".to_owned(), "it failed"),
        (parts(&files("\"b.txt\", \"c.txt\", \"d.txt\"")), "fewer than two parts"),
        (parts(&[files("\"d.txt\""), files("\"c.txt\"")].join(", ")), "b.txt is in none of its parts"),
        (
            parts(&[files("\"d.txt\""), files("\"c.txt\", \"b.txt\", \"x.txt\"")].join(", ")),
            "x.txt is none of the changed",
        ),
        (
            parts(&[files("\"b.txt\""), files("\"c.txt\", \"d.txt\"")].join(", ")),
            "with its part 1 the gates do not pass",
        ),
        (
            "echo x > b.txt; ".to_owned()
                + &parts(&[files("\"d.txt\""), files("\"c.txt\", \"b.txt\"")].join(", ")),
            "",
        ),
    ];
    for (line, why) in cases {
        let home = Home::new();
        let (value, page) = cut(&home, &line);
        assert_eq!(value["state"], "COMPLETE", "{line}: {value}");
        if !why.is_empty() {
            assert!(
                page.contains("because the plan of cutter does not hold") && page.contains(why),
                "{line}: {page}"
            );
        }
    }
}
