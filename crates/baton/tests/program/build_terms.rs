//! What a build goes by: budgets, a plan that is edited on the way, a stop in the middle of a turn, and the look of `baton
//! doctor` at its agents.

use std::path::PathBuf;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::build_judges::script;
use crate::building::{by_agent, git, small};
use crate::support::{Home, Output, until};

/// A program that behaves like Claude Code, costs a quarter of a dollar, and adds a line.
const CLAUDE: &str = "case \"$*\" in *--version*) echo '9.9.9 (pretended)'; exit;; esac\necho more >> \"$PWD/a.txt\"\n\
                      echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"Done.\",\
                      \"total_cost_usd\":0.25,\"usage\":{\"input_tokens\":10,\"output_tokens\":5}}'\n";

/// A plan of two efforts, one after the other, by an agent of this kind.
fn paid(kind: &str, line: &str, budget: &str) -> String {
    let effort = |id: &str, more: &str| {
        format!("[[phase.effort]]\nid = \"{id}\"\npaths = [\"a.txt\"]\nagent = \"bot\"\n{more}")
    };
    format!(
        "title = \"x\"\n[agents.bot]\nkind = \"{kind}\"\nrun = '''{line}'''\n[budget]\n{budget}\n[gates.test]\nrun = \"sh tests/t.sh\"\n\
         [[phase]]\nname = \"p\"\n{}{}",
        effort("one", ""),
        effort("two", "depends_on = [\"one\"]\n")
    )
}

fn build(home: &Home, plan: &str) -> Output {
    home.write("plan.toml", plan);
    home.baton(&["build", "plan.toml", "--repo", "repo", "--yes", "--json"])
}

fn run_of(value: &Value) -> String {
    value["run"].as_str().expect("an id").to_owned()
}

fn decisions(value: &Value) -> String {
    let folder = PathBuf::from(value["folder"].as_str().expect("a folder"));
    std::fs::read_to_string(folder.join("decisions.md")).expect("decisions")
}

#[test]
fn what_agents_tell_is_charged_and_what_they_do_not_is_charged_as_reserved() {
    let home = Home::new();
    small(&home);
    let claude = script(&home, "claude.sh", CLAUDE);
    let value = build(&home, &paid("claude", &claude, "project = 2\nattempt = 0.6\nturn = 0.5")).json();
    assert_eq!(value["state"], "COMPLETE", "{value}");
    assert_eq!((&value["cost_usd"], &value["unknown_costs"]), (&json!(0.5), &json!(0)), "{value}");
    let home = Home::new();
    small(&home);
    let aider = script(&home, "aider.sh", "echo more >> \"$PWD/a.txt\"\n");
    let value = build(&home, &paid("aider", &aider, "project = 2\nattempt = 0.6\nturn = 0.5")).json();
    assert_eq!(value["state"], "COMPLETE", "{value}");
    assert_eq!((&value["cost_usd"], &value["unknown_costs"]), (&json!(1.0), &json!(2)), "{value}");
    let folder = PathBuf::from(value["folder"].as_str().expect("a folder"));
    let state = std::fs::read_to_string(folder.join("state.yaml")).expect("a state");
    assert!(state.contains("turns_of_unknown_cost: 2"), "{state}");
}

#[test]
fn at_a_limit_a_person_is_asked_and_a_raised_limit_goes_on() {
    let home = Home::new();
    small(&home);
    let claude = script(&home, "claude.sh", CLAUDE);
    let said = build(&home, &paid("claude", &claude, "project = 5\nphase = 0.6\nturn = 0.5"));
    let value = said.json();
    assert_eq!((said.code, &value["state"]), (Some(5), &json!("MONITOR")), "{value}");
    let shown = home.baton(&["show", &run_of(&value), "--json"]).out;
    assert!(
        shown.contains("`two` needs 0.50 USD for a turn, and its phase has 0.35 USD left of 0.60 USD"),
        "{shown}"
    );
    let value = home.baton(&["resume", &run_of(&value), "--set", "budget.phase=2", "--json"]).json();
    assert_eq!((&value["state"], &value["cost_usd"]), (&json!("COMPLETE"), &json!(0.5)), "{value}");
}

#[test]
fn at_a_limit_the_build_is_abandoned_if_the_plan_says_so_or_the_person() {
    let home = Home::new();
    let repo = small(&home);
    let claude = script(&home, "claude.sh", CLAUDE);
    let said = build(&home, &paid("claude", &claude, "phase = 0.6\nturn = 0.5\nat_limit = \"abandon\""));
    let value = said.json();
    assert_eq!((said.code, &value["state"]), (Some(1), &json!("ABANDONED")), "{value}");
    assert!(value["because"].as_str().is_some_and(|why| why.contains("the budget is used up")), "{value}");
    assert_eq!(git(&repo, &["branch", "--list", "baton/*"]), "");
    let home = Home::new();
    small(&home);
    let claude = script(&home, "claude.sh", CLAUDE);
    let said = build(&home, &paid("claude", &claude, "attempt = 0.3\nturn = 0.5"));
    assert_eq!(said.code, Some(2), "a turn that costs more than a try of it may: {said:?}");
    assert!(said.err.contains("`turn` is more than `attempt`"), "{said:?}");
}

#[test]
fn an_effort_without_money_for_another_turn_is_parked() {
    let home = Home::new();
    small(&home);
    let claude =
        script(&home, "claude.sh", &CLAUDE.replace("echo more >> \"$PWD/a.txt\"", "rm -f \"$PWD/a.txt\""));
    let said = build(&home, &paid("claude", &claude, "attempt = 0.5\nturn = 0.5"));
    assert_eq!((said.code, &said.json()["state"]), (Some(5), &json!("MONITOR")), "{said:?}");
    let runs = home.baton(&["runs", "--json"]).json();
    let effort =
        runs.as_array().expect("runs").iter().find(|run| run["workflow"] == "effort").expect("an effort");
    assert_eq!(effort["state"], "PARKED", "{effort}");
    let shown = home.baton(&["show", effort["run"].as_str().expect("an id"), "--json"]).out;
    assert!(shown.contains("may cost 0.50 USD, and 0.25 USD are left for this effort"), "{shown}");
}

/// A plan of two waves by recipes.
fn two_waves(policy: &str, more: &str) -> String {
    let effort = |id: &str, step: &str| {
        format!(
            "[[phase.wave]]\n[[phase.wave.effort]]\nid = \"{id}\"\npaths = [\"{id}.txt\"]\nwork = [{step}]\n"
        )
    };
    let write = |id: &str| format!("{{ write = \"{id}.txt\", content = \"{id}\\n\" }}");
    format!(
        "title = \"x\"\n[gates.test]\nrun = \"sh tests/t.sh\"\n[policy]\n{policy}\n[[phase]]\nname = \"p\"\n{}{}{more}",
        effort("one", &write("one")),
        effort("two", &write("two"))
    )
}

const THIRD: &str = "[[phase.wave]]\n[[phase.wave.effort]]\nid = \"three\"\npaths = [\"three.txt\"]\nwork = [{ write = \"three.txt\", content = \"three\\n\" }]\n";
const COMMAND: &str = "[[phase.wave]]\n[[phase.wave.effort]]\nid = \"three\"\npaths = [\"three.txt\"]\nwork = [{ run = \"echo three > three.txt\" }]\n";

/// A build whose plan is edited before its first wave begins.
fn edited(policy: &str, more: &str) -> (Home, Output) {
    let home = Home::new();
    small(&home);
    home.write("plan.toml", &two_waves(policy, ""));
    home.baton(&["build", "plan.toml", "--repo", "repo", "--yes", "--no-drive"]);
    home.write("plan.toml", &two_waves(policy, more));
    let run = home.runs().pop().expect("a run");
    let said = home.baton(&["resume", &run, "--yes", "--json"]);
    (home, said)
}

#[test]
fn an_edited_plan_is_taken_over_as_its_policy_says() {
    let (_home, said) = edited("edited = \"take\"", THIRD);
    let value = said.json();
    assert_eq!((&value["state"], &value["merged"]), (&json!("COMPLETE"), &json!(3)), "{value}");
    assert!(decisions(&value).contains("by the policy of the plan it adds three from here on"));
    for policy in ["", "edited = \"refuse\""] {
        let (_home, said) = edited(policy, THIRD);
        let value = said.json();
        assert_eq!((&value["state"], &value["merged"]), (&json!("COMPLETE"), &json!(2)), "{policy}: {value}");
        assert!(
            decisions(&value).contains("the plan was edited (adds three) and is not taken over"),
            "{policy}"
        );
    }
    let (_home, said) = edited("", "# only words\n");
    assert!(!decisions(&said.json()).contains("edited"));
    let (_home, said) = edited("", "[[phase\n");
    assert!(decisions(&said.json()).contains("is not taken over: it has mistakes: line"));
}

#[test]
fn commands_that_an_edited_plan_adds_need_a_persons_word_even_with_yes() {
    for (word, merged) in [("take over", 3), ("keep", 2)] {
        let (home, said) = edited("edited = \"take\"", COMMAND);
        let value = said.json();
        assert_eq!((said.code, &value["state"]), (Some(5), &json!("WAVE_INIT")), "{value}");
        let run = run_of(&value);
        assert!(home.baton(&["show", &run, "--json"]).out.contains("echo three > three.txt"));
        home.baton(&["answer", &run, word]);
        let value = home.baton(&["resume", &run, "--json"]).json();
        assert_eq!((&value["state"], &value["merged"]), (&json!("COMPLETE"), &json!(merged)), "{value}");
    }
}

#[test]
fn a_deferred_edit_is_asked_about_between_phases() {
    let phase = "[[phase]]\nname = \"q\"\n[[phase.effort]]\nid = \"later\"\npaths = [\"later.txt\"]\nwork = [{ write = \"later.txt\", content = \"x\\n\" }]\n";
    let (home, said) = edited("edited = \"defer\"", phase);
    let value = said.json();
    assert_eq!((said.code, &value["state"]), (Some(5), &json!("NEXT_PHASE")), "{value}");
    home.baton(&["answer", &run_of(&value), "take over"]);
    let value = home.baton(&["resume", &run_of(&value), "--json"]).json();
    assert_eq!((&value["state"], &value["merged"]), (&json!("COMPLETE"), &json!(3)), "{value}");
}

/// A build of one effort whose agent is stopped in the middle of its turn, and goes on.
fn stopped(kind: &str, text: &str) {
    let home = Home::new();
    let repo = small(&home);
    let bot = script(&home, "bot.sh", text);
    let plan = by_agent(&bot, "")
        .replace("turn_limit = 3\nidle_limit = 2", "turn_limit = 60\nidle_limit = 60")
        .replace("kind = \"command\"", &format!("kind = \"{kind}\""));
    home.write("plan.toml", &plan);
    let running = home.spawn(&["build", "plan.toml", "--repo", "repo", "--yes", "--json"]);
    let scratch = || {
        let run = home.runs().into_iter().find(|run| home.path().join("workshops").join(run).exists())?;
        Some(home.path().join("workshops").join(run).join("tmp/w"))
    };
    until("the agent works", || scratch().is_some_and(|folder| folder.join("begun").exists()));
    running.signal(Signal::INT);
    let (_, out, _) = running.end();
    let told = scratch().expect("a folder").join("told");
    assert!(told.exists(), "{kind}: the agent heard of it: {out}");
    let runs = home.baton(&["runs", "--json"]).json();
    let build =
        runs.as_array().expect("runs").iter().find(|run| run["workflow"] == "factory").expect("a build");
    let run = build["run"].as_str().expect("an id").to_owned();
    let value = home.baton(&["resume", &run, "--yes", "--json"]).json();
    assert_eq!(value["state"], "COMPLETE", "{kind}: {value}");
    assert_eq!(git(&repo, &["show", &format!("baton/{run}:a.txt")]), "half\nwhole", "{kind}");
}

#[test]
fn a_stop_reaches_the_agent_and_the_next_turn_knows_of_it() {
    stopped(
        "command",
        "if grep -q 'was stopped before it was done' \"$BATON_TASK\"; then echo whole >> a.txt; exit 0; fi\n\
         trap 'echo stopped > \"${TMPDIR}/told\"; exit 0' TERM\necho half > a.txt\necho here > \"${TMPDIR}/begun\"\n\
         sleep 60 & wait\n",
    );
    stopped(
        "acp",
        "while read -r line; do case \"$line\" in\n\
         *'\"initialize\"'*) echo '{\"id\":1,\"result\":{\"protocolVersion\":1,\"agentCapabilities\":{}}}';;\n\
         *session/new*) echo '{\"id\":3,\"result\":{\"sessionId\":\"S\"}}';;\n\
         *'was stopped before it was done'*) echo whole >> a.txt; echo '{\"id\":4,\"result\":{\"stopReason\":\"end_turn\"}}';;\n\
         *session/prompt*) echo half > a.txt; echo here > \"$TMPDIR/../begun\";;\n\
         *session/cancel*) echo stopped > \"$TMPDIR/../told\"; echo '{\"id\":4,\"result\":{\"stopReason\":\"cancelled\"}}';;\n\
         esac; done\n",
    );
}

#[test]
fn doctor_looks_at_the_agents_of_a_plan_without_asking_their_models() {
    let home = Home::new();
    let claude = script(&home, "claude.sh", CLAUDE);
    let acp = script(
        &home,
        "acp.sh",
        "while read -r line; do case \"$line\" in\n*initialize*) echo '{\"id\":1,\"result\":{\"protocolVersion\":1,\"agentInfo\":{\"name\":\"pretended\",\"version\":\"9\"}}}';;\n\
         *session/new*) echo '{\"id\":2,\"error\":{\"code\":-32000,\"message\":\"Authentication required\"}}';;\n\
         *session/prompt*) echo asked > \"$HOME/asked\";; esac; done\n",
    );
    let plan = |agents: &str| {
        format!(
            "title = \"x\"\n{agents}[[phase]]\nname = \"p\"\n[[phase.effort]]\nid = \"w\"\npaths = [\"a\"]\nagent = \"bot\"\n"
        )
    };
    let look = |agents: &str| {
        home.write("plan.toml", &plan(agents));
        let said = home.baton(&["doctor", "--plan", "plan.toml", "--json"]);
        (said.code, said.json()["agents"][0].clone())
    };
    let (code, bot) = look(&format!("[agents.bot]\nkind = \"claude\"\nrun = '''{claude}'''\n"));
    assert_eq!((code, &bot["version"]), (Some(0), &json!("9.9.9 (pretended)")), "{bot}");
    assert!(bot["login"]["unknown"].as_str().is_some_and(|why| why.contains("ANTHROPIC_API_KEY")), "{bot}");
    let (code, bot) =
        look(&format!("[agents.bot]\nkind = \"claude\"\nrun = '''{claude}'''\nenv = [\"NO_SUCH_KEY\"]\n"));
    assert_eq!((code, &bot["login"]), (Some(1), &json!({"no": "NO_SUCH_KEY is not set"})), "{bot}");
    let (code, bot) = look(&format!("[agents.bot]\nkind = \"acp\"\nrun = '''{acp}'''\n"));
    assert_eq!(
        (code, &bot["version"], &bot["handshake"]),
        (Some(1), &json!("pretended 9"), &json!("ACP 1")),
        "{bot}"
    );
    assert_eq!(bot["login"], json!({"no": "Authentication required"}), "{bot}");
    let (code, bot) = look("[agents.bot]\nkind = \"codex\"\nrun = \"no-such-program-of-mine\"\n");
    assert!(
        code == Some(1) && bot["what"].as_str().is_some_and(|what| what.contains("is not installed")),
        "{bot}"
    );
}
