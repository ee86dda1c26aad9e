//! Configuration: what people write, what they get wrong, what they must consent to.

use super::doctor::{KeyState, examine};
use super::*;
use crate::model::secret::GivenKeys;
use crate::model::{Bounds, Price};

pub(super) const GOOD: &str = r#"
[models.here]
provider = "openai"
base_url = "http://127.0.0.1:11434/v1"
model = "qwen3"
local = true

[models.far]
provider = "anthropic"
model = "claude"
key_env = "ANTHROPIC_API_KEY"
price = { input = 3, output = 15.5 }
limits = { per_minute = 50 }

[roles]
planner = ["far", "here", "rules"]
judge = ["far"]

[budget]
usd = 2.5
"#;

pub(super) fn layer(text: &str) -> Layer {
    Layer::parse("baton.toml", text).unwrap()
}

pub(super) fn config(text: &str) -> Config {
    build(&[layer(text)], &Overrides::default()).unwrap()
}

/// The first mistake in a file, whether of form or of sense.
pub(super) fn mistake(text: &str) -> String {
    match Layer::parse("baton.toml", text) {
        Err(error) => error.to_string(),
        Ok(layer) => build(&[layer], &Overrides::default()).unwrap_err()[0].to_string(),
    }
}

#[test]
fn the_default_file_parses_and_names_no_model() {
    let config = config(default_file());
    assert!(config.models.is_empty());
    assert_eq!(config.budget.microusd, Some(1_000_000));
    assert_eq!(
        config.role("planner"),
        crate::skill::Role { rules: true, name: "planner".into(), chain: vec![] }
    );
    assert_eq!(
        build(&[], &Overrides::default()).unwrap().budget,
        config.budget,
        "the file states the defaults"
    );
}

/// Every commented example must parse too, once its comment sign is gone.
#[test]
fn the_examples_in_the_default_file_parse() {
    let is_setting = |line: &str| {
        let rest = line.trim_start_matches("# ");
        ["[models.", "[limits.", "[search.", "[mcp.", "[data."].iter().any(|s| rest.starts_with(s))
            || rest.split_once(" = ").is_some_and(|(k, _)| !k.contains(' '))
    };
    let open = |line: &str| {
        if is_setting(line) { line.trim_start_matches("# ").to_owned() } else { line.to_owned() }
    };
    let text: Vec<String> = default_file().lines().map(open).collect();
    let config = config(&text.join("\n"));
    assert_eq!(config.models.keys().collect::<Vec<_>>(), ["careful", "fast", "local"]);
    let providers = ["arxiv", "brave", "feed:www.rust-lang.org", "searxng", "wikipedia"];
    assert_eq!(config.search.keys().collect::<Vec<_>>(), providers);
    assert_eq!(config.mcp["notes"].search_tool.as_deref(), Some("search_notes"));
    assert_eq!(config.data.keys().collect::<Vec<_>>(), ["entries", "orders"]);
    assert_eq!(config.role("planner").chain.len(), 2);
    let judge = config.role("judge").chain[0].limits.whole;
    assert_eq!(judge, Bounds { total_seconds: Some(120), max_bytes: Some(16 << 20) });
    assert_eq!(
        config.models["fast"].price,
        Some(Price { input: 250_000, output: 2_000_000, cached: Some(25_000) })
    );
}

#[test]
fn a_good_file_gives_cards_and_chains() {
    let config = config(GOOD);
    let far = &config.models["far"];
    assert_eq!(far.base_url, "https://api.anthropic.com/v1");
    assert_eq!(far.price, Some(Price { input: 3_000_000, output: 15_500_000, cached: None }));
    assert_eq!((far.limits.per_minute, far.limits.idle_seconds), (Some(50), 60));
    assert_eq!(config.models["here"].price, Some(Price::FREE));
    let planner = config.role("planner");
    assert_eq!(planner.chain.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["far", "here"]);
    assert!(planner.rules && !config.role("judge").rules);
    assert_eq!(config.budget.microusd, Some(2_500_000));
}

#[test]
fn limits_of_a_role_stand_over_those_of_its_models() {
    let limited = format!(
        "{GOOD}\n[limits.judge]\ntotal_seconds = 9\n[limits.default]\ntotal_seconds = 70\nmax_bytes = 5\n"
    )
    .replace("per_minute = 50", "per_minute = 50, total_seconds = 800, max_bytes = 6");
    let config = config(&limited);
    let bounds = |role: &str| config.role(role).chain[0].limits.whole;
    let of = |total, most| Bounds { total_seconds: Some(total), max_bytes: Some(most) };
    assert_eq!((bounds("judge"), bounds("planner")), (of(9, 5), of(70, 5)));
    assert_eq!(config.models["far"].limits.whole, of(800, 6));
    let usual = Bounds::default();
    assert_eq!((usual.total(true).as_secs(), usual.total(false).as_secs()), (1800, 600));
    let wrong = mistake("[limits.judge]\ntotal = 9");
    assert_eq!(
        wrong,
        "baton.toml, line 2, column 1: unknown key `total` in [limits.judge]; known are: total_seconds, max_bytes."
    );
}

#[test]
fn a_key_in_the_environment_is_not_consent() {
    let keys = GivenKeys::default().with("OPENAI_API_KEY", "k");
    let config = build(&[], &Overrides::from_env(|_| None).unwrap()).unwrap();
    assert!(examine(&config, &keys).models.is_empty());
    assert!(config.role("planner").chain.is_empty());
}

#[test]
fn documents_stay_unless_allowed() {
    let at = |more: &str| config(&format!("{GOOD}\n{more}"));
    let sees = |config: &Config, name: &str| config.models[name].may_see_documents;
    let closed = at("");
    assert!(sees(&closed, "here") && !sees(&closed, "far"));
    assert!(sees(&at("[privacy]\ndocuments_to = [\"far\"]"), "far"));
    assert!(sees(&at("[privacy]\nsend_documents = true"), "far"));
    let flag = Overrides { send_documents: Some(true), ..Overrides::default() };
    assert!(sees(&build(&[layer(GOOD)], &flag).unwrap(), "far"));
    let off = Overrides { send_documents: Some(false), ..Overrides::default() };
    let allowed = layer(&format!("{GOOD}\n[privacy]\nsend_documents = true"));
    assert!(!sees(&build(&[allowed], &off).unwrap(), "far"));
}

#[test]
fn this_machine_is_told_by_the_address() {
    for here in ["http://127.0.0.1:80/v1", "http://localhost/v1", "http://[::1]:8080", "http://127.9.9.9"] {
        assert!(is_this_machine(here), "{here}");
    }
    for far in [
        "http://127.0.0.1.example.com",
        "http://192.168.0.2",
        "http://localhost.example.com",
        "no",
        "http://0.0.0.0",
    ] {
        assert!(!is_this_machine(far), "{far}");
    }
}

#[test]
fn mistakes_are_placed_and_the_right_word_is_near() {
    let model = "[models.m]\nprovider = \"openai\"\nmodel = \"x\"\n";
    let cases = [
        (
            "[models.m]\nprovider = \"openai\"\nmodle = \"x\"",
            "baton.toml, line 3, column 1: unknown key `modle` in [models.m]; did you mean `model`?",
        ),
        ("[role]\n", "line 1, column 2: unknown key `role`; did you mean `roles`?"),
        (
            "[budget]\n  euros = 1\n",
            "line 2, column 3: unknown key `euros` in [budget]; known are: usd, tokens, calls.",
        ),
        ("[models.m]\nprovider = \"opnai\"\nmodel = \"x\"", "line 2, column 12: unknown variant `opnai`"),
        ("[models.m]\nprovider = \"openai\"\n", "missing field `model`"),
        ("[budget]\nusd = \"much\"\n", "line 2, column 7: invalid type: string"),
        ("[budget\n", "line 1"),
        (
            &format!("{model}[roles]\na = [\"n\"]"),
            "line 5, column 1: no model is called `n`; did you mean `m`?",
        ),
        (&format!("{model}[roles]\na = [\"rules\", \"m\"]"), "`rules` comes last"),
        (&format!("{model}[roles]\na = []"), "an empty chain asks nobody"),
        (&format!("{model}local = true"), "line 4, column 1: `local` means this machine"),
        (&format!("{model}base_url = \"nowhere\""), "not an address"),
        (&format!("{model}base_url = \"https://me:pw@x.org\""), "no name or password"),
        (&format!("{model}base_url = \"http://x.org\"\nkey_env = \"K\""), "not sent over plain http"),
        (&format!("{model}price = {{ input = -1, output = 1 }}"), "never negative"),
        ("[budget]\nusd = -2.0", "a number of dollars"),
        ("[models.rules]\nprovider = \"openai\"\nmodel = \"x\"", "give the model another name"),
        (&format!("{model}[privacy]\ndocuments_to = [\"mm\"]"), "no model is called `mm`; did you mean `m`?"),
    ];
    for (text, want) in cases {
        let got = mistake(text);
        assert!(got.contains(want), "{text}\n got: {got}\nwant: {want}");
    }
}

#[test]
fn flags_stand_over_environment_over_files() {
    let env = |name: &str| match name {
        "BATON_MODELS" => Some("here, rules".to_owned()),
        "BATON_BUDGET_USD" => Some("0.5".to_owned()),
        _ => None,
    };
    let env = Overrides::from_env(env).unwrap();
    let flags = Overrides { usd: Some(3.0), ..Overrides::default() };
    let config = build(&[layer(GOOD)], &flags.over(env)).unwrap();
    assert_eq!(config.budget.microusd, Some(3_000_000));
    let judge = config.role("judge");
    assert_eq!((judge.chain.len(), judge.chain[0].name.as_str(), judge.rules), (1, "here", true));

    let wrong = Overrides { chain: Some(vec!["hree".to_owned()]), ..Overrides::default() };
    let error = build(&[layer(GOOD)], &wrong).unwrap_err()[0].to_string();
    assert_eq!(error, "--model or BATON_MODELS: no model is called `hree`; did you mean `here`?");
    let bad = Overrides::from_env(|n| (n == "BATON_BUDGET_USD").then(|| "lots".to_owned())).unwrap_err();
    assert!(bad.to_string().contains("the variable BATON_BUDGET_USD: write a number"), "{bad}");
}

#[test]
fn later_files_win_by_model_and_by_setting() {
    let over = layer("[models.far]\nprovider = \"gemini\"\nmodel = \"g\"\n[budget]\ntokens = 9\n");
    let config = build(&[layer(GOOD), over], &Overrides::default()).unwrap();
    assert_eq!(config.models["far"].model, "g");
    assert_eq!((config.budget.tokens, config.budget.microusd), (Some(9), Some(2_500_000)));
    assert_eq!(config.models.len(), 2);
}

#[test]
fn the_doctor_says_what_is_missing() {
    let text = format!("{GOOD}\n[models.unpriced]\nprovider = \"gemini\"\nmodel = \"g\"\n");
    let config = config(&text);
    let exam = examine(&config, &GivenKeys::default());
    let model = |name: &str| exam.models.iter().find(|m| m.name == name).unwrap();
    assert_eq!(model("far").key, KeyState::Missing("ANTHROPIC_API_KEY".into()));
    assert_eq!(model("far").missing, ["set ANTHROPIC_API_KEY in the environment"]);
    assert_eq!(model("far").roles, ["judge", "planner"]);
    assert!(model("here").missing.is_empty());
    assert_eq!(model("unpriced").missing.len(), 2);
    let ready: Vec<_> = exam.roles.iter().map(|r| (r.name.as_str(), r.first_ready.as_deref())).collect();
    assert_eq!(ready, [("judge", None), ("planner", Some("here"))]);
    let keys = GivenKeys::default().with("ANTHROPIC_API_KEY", "sk-very-secret");
    let exam = examine(&config, &keys);
    assert_eq!(exam.roles[0].first_ready.as_deref(), Some("far"));
    assert!(!serde_json::to_string(&exam).unwrap().contains("very-secret"));
}

pub(super) const SOURCES: &str = r#"
[search.wikipedia]

[search.mine]
provider = "searxng"
base_url = "http://127.0.0.1:8888"
per_minute = 5

[search.brave]
key_env = "BRAVE_KEY"

[search.openalex]
enabled = false

[search.feeds]
urls = ["https://a.example/rss", "https://a.example/atom"]
timeout_seconds = 9

[mcp.notes]
command = "notes"
search_tool = "find"
search_arguments = { num_results = 5 }
"#;

#[test]
fn a_section_names_a_provider_and_nothing_else_does() {
    let config = config(SOURCES);
    let names: Vec<&str> = config.search.keys().map(String::as_str).collect();
    assert_eq!(names, ["brave", "feed:a.example", "feed:a.example#2", "mine", "wikipedia"]);
    assert_eq!(config.search["wikipedia"].base_url, "https://en.wikipedia.org");
    assert_eq!((config.search["mine"].per_minute, config.search["feed:a.example"].timeout_seconds), (5, 9));
    assert_eq!(config.mcp["notes"].query_argument, "query");
    assert_eq!(config.mcp["notes"].search_arguments["num_results"], 5);
    let exam = examine(&config, &GivenKeys::default());
    assert_eq!(exam.search[0].missing, ["set BRAVE_KEY in the environment"]);
    assert!(exam.search[1..].iter().all(|check| check.missing.is_empty()));
    assert!(build(&[], &Overrides::default()).unwrap().search.is_empty(), "no provider by default");
}

#[test]
fn mistakes_in_sources_are_placed() {
    let cases = [
        (
            "[search.wikipedai]",
            "baton.toml, line 1, column 9: no provider is called `wikipedai`; did you mean `wikipedia`?",
        ),
        ("[search.searxng]", "baton.toml, line 1, column 9: searxng has no public address: write base_url."),
        (
            "[search.tavily]",
            "baton.toml, line 1, column 9: tavily answers nobody without a key: write key_env.",
        ),
        (
            "[search.arxiv]\nper_minute = 0",
            "baton.toml, line 2, column 1: 0 asks never; write enabled = false.",
        ),
        (
            "[search.arxiv]\nperminute = 1",
            "baton.toml, line 2, column 1: unknown key `perminute` in [search.arxiv]; did you mean `per_minute`?",
        ),
        (
            "[search.searxng]\nbase_url = \"http://me:pw@x.example\"",
            "baton.toml, line 2, column 1: write http or https, and no name or password: keys go into key_env.",
        ),
        (
            "[search.brave]\nbase_url = \"http://x.example\"\nkey_env = \"K\"",
            "baton.toml, line 3, column 1: a key is not sent over plain http to another machine; use https.",
        ),
        (
            "[search.feeds]",
            "baton.toml, line 1, column 9: write urls = [\"https://…\"], the addresses of the feeds.",
        ),
        (
            "[mcp.x]\nsearch_tool = \"s\"",
            "baton.toml, line 1, column 6: write either command or url: where the server is.",
        ),
        (
            "[mcp.x]\ncommand = \"c\"",
            "baton.toml, line 1, column 6: write search_tool or read_tool, or name it in a [data.*] section: which of its tools may be used.",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(mistake(text), expected, "{text}");
    }
}
