//! What a project's file may say before it is trusted, and what it may never do.

use super::super::file::SCHEMA;
use super::super::tests::{GOOD, SOURCES, layer};
use super::super::{Overrides, build, default_file, held_back};
use super::*;

/// The keys of a file that need trust, where the person's own file says `own`.
fn wanted(text: &str, own: &str) -> Vec<String> {
    wishes(&layer(text), &[layer(own)]).into_iter().map(|wish| wish.key).collect()
}

/// Whoever adds a key to the schema decides here whether it is harmless. Until then it needs trust.
#[test]
fn every_key_of_the_schema_is_judged() {
    let below = |key: &str, section: &str| key == section || key.starts_with(&format!("{section}."));
    let mut harmless = Vec::new();
    for (section, keys) in SCHEMA {
        for key in *keys {
            let path = section.iter().chain([key]).copied().collect::<Vec<_>>().join(".");
            let judged = |judged: Judged, covers: &dyn Fn(&str) -> bool| {
                JUDGED.iter().any(|(key, how, why)| *how == judged && covers(key) && !why.is_empty())
            };
            if judged(Harmless, &|key| key == path) {
                harmless.push(path);
            } else {
                let is_section = SCHEMA.iter().any(|(section, _)| *section == [path.as_str()]);
                let by_itself = judged(NeedsTrust, &|section| below(&path, section));
                assert!(by_itself || (is_section && BARE.contains(&path.as_str())), "{path} is not judged");
            }
        }
    }
    assert_eq!(harmless, ["parallel", "budget.usd", "budget.tokens", "budget.calls"], "a short list");
    assert_eq!(harmless.len(), JUDGED.iter().filter(|(_, judged, _)| *judged == Harmless).count());
}

#[test]
fn what_is_not_called_harmless_needs_trust() {
    for (text, keys) in [
        ("home = \".cache\"", "home"),
        ("[roles]\ndefault = [\"mine\"]", "roles.default"),
        ("[roles]\ndefault = [\"rules\"]", "roles.default"),
        ("[privacy]\nsend_documents = false", "privacy.send_documents"),
        ("[search.wikipedia]", "search.wikipedia"),
        ("[search.wikipedia]\nper_minute = 3", "search.wikipedia.per_minute"),
        ("mcp.x.enabled = false", "mcp.x.enabled"),
        ("[data.x]", "data.x"),
        ("[data.x]\nurl = \"https://x.example/a.csv\"", "data.x.url"),
        ("[data.x.pages]\nby = \"number\"", "data.x.pages.by"),
        ("[debate]\nrounds = 9", "debate.rounds"),
        ("[[debate.agents]]\nid = \"a\"", "debate.agents debate.agents.id"),
        ("parallel = { home = \"x\" }", "parallel.home"),
        ("parallel = 3\n[budget]\nusd = 1\ntokens = 5\ncalls = 0", ""),
        ("[roles]\n[privacy]\n[debate]\n[models]\n[search]\n[mcp]\n[data]\n[budget]", ""),
        (default_file(), ""),
    ] {
        assert_eq!(wanted(text, "").join(" "), keys, "{text}");
    }
    assert_eq!(
        wanted(SOURCES, "").join(" "),
        "search.wikipedia search.mine.provider search.mine.base_url search.mine.per_minute search.brave.key_env \
         search.openalex.enabled search.feeds.urls search.feeds.timeout_seconds mcp.notes.command \
         mcp.notes.search_tool mcp.notes.search_arguments.num_results"
    );
}

/// Each of two commands is shown, not only the last one.
#[test]
fn every_line_of_a_list_is_told() {
    let text = "[[debate.agents]]\ncommand = \"good\"\n[[debate.agents]]\ncommand = \"evil\"\n";
    let found = wishes(&layer(text), &[]);
    let commands: Vec<usize> =
        found.iter().filter(|wish| wish.key == "debate.agents.command").map(|wish| wish.line).collect();
    assert_eq!(commands, [2, 4]);
    assert!(found.iter().all(|wish| wish.why.contains("commands")));
}

#[test]
fn a_refusal_names_keys_place_and_what_to_type() {
    let refused = |text: &str| Layer::parse_project("p/baton.toml", text).unwrap().refusal(&[]);
    assert_eq!(refused("parallel = 2\n"), None);
    assert_eq!(
        refused("parallel = 2\nhome = \"x\"\n").unwrap().to_string(),
        "p/baton.toml, line 2, column 1: this file came with the project and names what needs trust: home. \
         Read it, then run `baton trust`."
    );
    let long = refused(GOOD).unwrap().to_string();
    assert!(
        long.contains("line 3") && long.contains("models.here.local") && long.contains(", and 5 more."),
        "{long}"
    );
}

#[test]
fn trust_is_for_a_content_at_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    for project in [&here, &there] {
        std::fs::create_dir(project).unwrap();
        std::fs::write(project.join("baton.toml"), GOOD).unwrap();
    }
    let list = folder.path().join("trusted");
    let mut store = TrustStore::load(&list).unwrap();
    store.trust(GOOD, &here.join("baton.toml"));
    store.save(&list).unwrap();
    let store = TrustStore::load(&list).unwrap();
    assert!(store.trusts(GOOD, &here.join("baton.toml")));
    assert!(store.trusts(GOOD, &there.join("../here/baton.toml")), "another way to the same place");
    assert!(!store.trusts(&GOOD.replace("11434", "11435"), &here.join("baton.toml")), "it was changed");
    assert!(!store.trusts(GOOD, &there.join("baton.toml")), "its paths are meant from another folder");
    assert!(!store.trusts(GOOD, &here.join("other.toml")));
}

#[cfg(unix)]
#[test]
fn neither_links_nor_strange_names_borrow_trust() {
    let folder = tempfile::tempdir().unwrap();
    let (mine, evil) = (folder.path().join("mine"), folder.path().join("evil"));
    std::fs::create_dir(&mine).unwrap();
    std::fs::create_dir(&evil).unwrap();
    std::fs::write(mine.join("baton.toml"), GOOD).unwrap();
    std::os::unix::fs::symlink(mine.join("baton.toml"), evil.join("baton.toml")).unwrap();
    let list = folder.path().join("trusted");
    let mut store = TrustStore::default();
    store.trust(GOOD, &mine.join("baton.toml"));
    assert!(!store.trusts(GOOD, &evil.join("baton.toml")), "a link to a trusted file");
    let broken = folder.path().join("mi\nne");
    std::fs::create_dir(&broken).unwrap();
    assert!(!store.trusts(GOOD, &broken.join("baton.toml")));
    store.trust(GOOD, &broken.join("baton.toml"));
    store.save(&list).unwrap();
    let store = TrustStore::load(&list).unwrap();
    assert!(store.trusts(GOOD, &broken.join("baton.toml")), "and it can be trusted by its own name");
}

#[test]
fn a_project_s_limits_only_lower_those_of_the_person() {
    let budget = |own: &str, project: &str, overrides: &Overrides| {
        let project = Layer::parse_project("baton.toml", project).unwrap();
        let needs_trust = !wishes(&project, &[layer(own)]).is_empty();
        let layers = [layer(own), project];
        let budget = build(&layers, overrides).unwrap().budget;
        let told: Vec<String> = held_back(&layers, overrides).iter().map(ToString::to_string).collect();
        (budget.microusd.unwrap(), budget.tokens, needs_trust, told)
    };
    let files = Overrides::default();
    let said = |own: &str, project: &str| budget(own, project, &files);
    let usd = |usd: &str| format!("[budget]\nusd = {usd}\n");
    // The person said nothing: less than the default is harmless, more needs trust.
    assert_eq!(said("", &usd("0.5")), (500_000, None, false, vec![]));
    assert_eq!(said("", &usd("1.0")), (1_000_000, None, false, vec![]));
    assert_eq!(said("", &usd("50")), (50_000_000, None, true, vec![]));
    // The person said something: it is never raised, and trust would change nothing.
    assert_eq!(said(&usd("5"), &usd("3")), (3_000_000, None, false, vec![]));
    let told = "baton.toml, line 2, column 1: budget.usd is more than your own, so yours counts: 2.00. A project can \
                only lower it.";
    assert_eq!(said(&usd("2"), &usd("50")), (2_000_000, None, false, vec![told.to_owned()]));
    // What was typed stands over both.
    let typed = Overrides { usd: Some(9.0), ..Overrides::default() };
    assert_eq!(budget(&usd("2"), &usd("50"), &typed), (9_000_000, None, false, vec![]));
    let (_, tokens, _, told) = said("[budget]\ntokens = 7\n", "[budget]\ntokens = 8\n");
    assert_eq!((tokens, told.len()), (Some(7), 1));
    assert_eq!(said("", "[budget]\ntokens = 8\n").1, Some(8));
    // A number that is none is not taken for a low one.
    let nonsense = Layer::parse_project("baton.toml", &usd("nan")).unwrap();
    assert!(build(&[layer(&usd("2")), nonsense], &files).is_err());
}
