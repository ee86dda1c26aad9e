//! What a plan says, and everything that can be wrong with one.

use std::path::Path;

use super::*;

fn mistakes(text: &str) -> Vec<String> {
    let kinds = ["recipe", "command", "person"];
    read(text, Path::new(""), &kinds).err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

const GOOD: &str = r#"
title = "A plan"
shared = ["CHANGES.md"]
[gates.test]
run = "make test"
timeout = "2m"
[[phase]]
name = "One"
[[phase.effort]]
id = "a"
paths = ["src/a/**"]
work = [{ write = "src/a/x", content = "x" }, { append = "CHANGES.md", content = "- a" }]
[[phase.effort]]
id = "b"
paths = ["src/b/**"]
depends_on = ["a"]
work = [{ run = "make b", timeout = 30 }]
[[phase.effort]]
id = "c"
paths = ["src/c/**"]
gates = []
work = [{ delete = "src/c/old" }]
"#;

#[test]
fn waves_follow_from_what_waits_for_what() {
    let plan = read(GOOD, Path::new(""), &["recipe"]).unwrap();
    let waves: Vec<Vec<&str>> = plan.phases[0]
        .waves
        .iter()
        .map(|wave| wave.efforts.iter().map(|effort| effort.id.as_str()).collect())
        .collect();
    assert_eq!(waves, [vec!["a", "c"], vec!["b"]]);
    assert_eq!(plan.gates[0].timeout_s, 120);
    assert_eq!(plan.phases[0].waves[0].efforts[0].gates, ["test"], "every gate, unless it says which");
    assert_eq!(plan.phases[0].waves[0].efforts[1].gates, Vec::<String>::new());
    assert_eq!(plan.commands().len(), 2);
}

#[test]
fn everything_wrong_is_told_at_once_with_its_place() {
    let text = r#"title = "x"
frobnicate = 1
[agents.bot]
kind = "robot"
[gates.test]
rum = "make"
[policy]
parallel = 0
deliver = "fax"
[[phase]]
name = "One"
[[phase.wave]]
[[phase.wave.effort]]
id = "a b"
paths = ["../out"]
agent = "nobody"
gates = ["lint"]
work = [{ write = "x" }, { write = "y", run = "z" }]
[[phase.wave.effort]]
id = "c"
paths = ["src/**"]
depends_on = ["c", "ghost"]
work = [{ write = "lib/y", content = "" }]
[[phase.wave.effort]]
id = "c"
paths = ["src/lib.rs"]
work = [{ patch = "missing.patch" }]
"#;
    assert_eq!(
        mistakes(text),
        [
            "line 2, column 1: a plan has no `frobnicate`; there are title, base, drafted, agents, gates, integration, tests, protected, shared, size, policy, phase, description, review, budget",
            "line 4, column 8: there is no agent of the kind `robot`; there are recipe, command, person",
            "line 5, column 8: the gate `test` needs `run`",
            "line 6, column 1: the gate `test` has no `rum`; did you mean `run`?",
            "line 8, column 12: `parallel` must be a whole number from 1 up",
            "line 9, column 11: `deliver` is one of branch, merge, patches, pr-files, not `fax`",
            "line 14, column 6: `a b` cannot be an id; use letters, digits, - and _",
            "line 15, column 10: `../out` does not stay in the project",
            "line 16, column 9: there is no agent `nobody`; there are recipe, bot",
            "line 17, column 10: there is no gate `lint`; there are test",
            "line 18, column 9: the step `write` needs either `content` or `file`",
            "line 18, column 26: a step has exactly one of write, append, replace, delete, move, patch, cherry_pick, copy, run, wait_for",
            "line 21, column 10: `c` and `c` of the same wave may change the same files (src/lib.rs and src/**); put them in two waves, or name the files under `shared`",
            "line 22, column 15: `c` waits for itself",
            "line 22, column 20: there is no effort `ghost` in a wave",
            "line 23, column 9: `lib/y` is not among the paths of the effort `c`",
            "line 25, column 6: two efforts have the id `c`",
            "line 27, column 9: `missing.patch` cannot be read: No such file or directory (os error 2)",
        ]
    );
}

#[test]
fn cycles_and_what_comes_too_late_are_told() {
    let plan = |first: &str, second: &str| {
        format!(
            "title = \"x\"\n[[phase]]\nname = \"p\"\n[[phase.effort]]\nid = \"a\"\npaths = [\"a\"]\ndepends_on = [{first}]\nwork = [{{ delete = \"a\" }}]\n[[phase.effort]]\nid = \"b\"\npaths = [\"b\"]\ndepends_on = [{second}]\nwork = [{{ delete = \"b\" }}]\n"
        )
    };
    assert_eq!(
        mistakes(&plan("\"b\"", "\"a\"")),
        [
            "line 7, column 15: `a` and `b` wait for each other",
            "line 12, column 15: `b` and `a` wait for each other"
        ]
    );
    assert_eq!(mistakes(&plan("", "\"a\"")), Vec::<String>::new());
    assert!(mistakes("").iter().any(|what| what.contains("needs `title`")));
    assert!(mistakes("title = \"x\n[").iter().all(|what| what.starts_with("line ")));
}

#[test]
fn a_roadmap_becomes_a_plan_that_reads() {
    let roadmap = "# Bread\n\n## Dough\n\n- [x] Buy flour\n- Mix water and flour in `src/dough.py`\n- Knead (depends on mix water)\n\n## Oven\n\n1. Heat the oven\n2. Bake; needs heat the oven and knead\n\n```\n- not a task\n```\n";
    let text = outline(roadmap, "roadmap").text("");
    let plan = read(&text, Path::new(""), &["recipe", "person"]).unwrap();
    assert_eq!(plan.title, "Bread");
    assert!(plan.drafted);
    let efforts: Vec<(usize, usize, &str)> =
        plan.efforts().map(|(p, w, effort)| (p, w, effort.id.as_str())).collect();
    assert_eq!(
        efforts,
        [(0, 0, "mix-water-and-flour"), (0, 1, "knead"), (1, 0, "heat-the-oven"), (1, 1, "bake")]
    );
    let bake = plan.efforts().find(|(.., effort)| effort.id == "bake").unwrap().2;
    assert_eq!(bake.depends_on, ["heat-the-oven", "knead"]);
}

#[test]
fn reviewers_and_money_are_read_and_what_is_wrong_with_them_is_told() {
    let text = r#"title = "x"
[agents.critic]
kind = "command"
run = "critic"
turn_usd = 0.25
price = { input = 1.5, output = 6 }
[review]
agent = "critic"
model = true
required = true
[budget]
project = 20
phase = 8.50
turn = 0.5
at_limit = "abandon"
[policy]
verdict = "ask"
edited = "defer"
[[phase]]
name = "One"
budget = 3
[[phase.effort]]
id = "a"
paths = ["a"]
budget = 1
reviewer = "critic"
work = [{ write = "a", content = "a" }]
"#;
    let plan = read(text, Path::new(""), &["recipe", "command"]).unwrap();
    let critic = plan.agent("critic");
    assert!(critic.is_paid());
    assert_eq!(critic.turn_micro_usd, Some(250_000));
    assert_eq!(critic.price.map(|price| (price.input, price.output)), Some((1_500_000, 6_000_000)));
    assert!(plan.review.model && plan.review.required && !plan.review.architect);
    assert_eq!((plan.budget.project, plan.budget.phase), (Some(20_000_000), Some(8_500_000)));
    assert_eq!((plan.budget.attempt, plan.budget.abandon), (None, true));
    assert_eq!(
        (plan.phases[0].budget, plan.phases[0].waves[0].efforts[0].budget),
        (Some(3_000_000), Some(1_000_000))
    );
    assert_eq!((plan.policy.verdict, plan.policy.edited), (Some(Verdicts::Ask), Edited::Defer));
    let wrong = "title = \"x\"\n[agents.me]\nkind = \"person\"\n[review]\nagent = \"me\"\n[budget]\nturn = 2\nattempt = \
                 1\nphase = \"much\"\n[[phase]]\nname = \"p\"\n[[phase.effort]]\nid = \"a\"\npaths = [\"a\"]\nreviewer = \
                 \"nobody\"\nwork = [{ write = \"a\", content = \"a\" }]\n";
    assert_eq!(
        mistakes(wrong),
        [
            "line 5, column 9: the agent `me` is a person and cannot review, judge or plan a cut",
            "line 6, column 1: `turn` is more than `attempt`, which holds it",
            "line 9, column 9: `phase` must be an amount in dollars such as 2.50",
            "line 15, column 12: there is no agent `nobody`",
        ]
    );
}
