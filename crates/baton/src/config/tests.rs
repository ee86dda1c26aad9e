use super::*;
use crate::home::NamedBy;

/// What the files of a person and of a project say together, the project's trusted.
fn read_both(own: &str, project: &str, env: &[(&str, &str)]) -> Result<Config, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let (person, desk) = (folder.path().join("person/baton"), folder.path().join("desk"));
    std::fs::create_dir_all(&person).expect("a folder");
    std::fs::create_dir_all(&desk).expect("a folder");
    std::fs::write(person.join(FILE), own).expect("a file");
    std::fs::write(desk.join(FILE), project).expect("a file");
    let kept = Home { path: folder.path().join("kept"), named_by: NamedBy::Environment };
    kept.make().expect("a home");
    let mut trusted = TrustStore::default();
    trusted.trust(project, &desk.join(FILE));
    trusted.save(&kept.trusted()).expect("written");
    let lookup = |name: &str| match name {
        "XDG_CONFIG_HOME" => Some(folder.path().join("person").into()),
        "BATON_HOME" => Some(folder.path().join("kept").into()),
        _ => env.iter().find(|(other, _)| *other == name).map(|(_, value)| OsString::from(value)),
    };
    let read = Config::read(&Places { project: Some(&desk), home: None, env: &lookup });
    let read = read.map(|config| Config {
        home: config.home.and_then(|home| home.strip_prefix(folder.path()).map(Path::to_owned).ok()),
        ..config
    });
    read.map_err(|trouble| trouble.to_string())
}

fn read_one(text: &str, env: &[(&str, &str)]) -> Result<Config, String> {
    read_both("", text, env)
}

#[test]
fn the_environment_is_over_the_file_and_flags_are_over_both() {
    let text = "home = \"runs\"\nparallel = 3\n[budget]\nusd = 2.5\ncalls = 9\n";
    let config = read_one(text, &[("BATON_PARALLEL", "5"), ("BATON_BUDGET_USD", "")]).expect("readable");
    assert_eq!((config.home.as_deref(), config.parallel), (Some(Path::new("desk/runs")), Some(5)));
    let limits = config.settings(None, None).limits;
    assert_eq!((limits.micro_usd, limits.calls), (Some(2_500_000), Some(9)));
    let settings = config.settings(Some(7), None);
    assert_eq!((settings.limits.micro_usd, settings.parallel), (Some(7), 5));
    let typed = config.typed(Overrides { usd: Some(0.5), ..Overrides::default() }).expect("sensible");
    assert_eq!(typed.budget.microusd, Some(500_000));
}

#[test]
fn the_project_is_over_the_person() {
    let own = "home = \"mine\"\nparallel = 3\n[budget]\nusd = 2\n\
               [models.far]\nprovider = \"openai\"\nmodel = \"m\"\nkey_env = \"K\"\n";
    let config = read_both(own, "parallel = 4\n[budget]\nusd = 1.25\n[roles]\ndefault = [\"far\"]\n", &[])
        .expect("readable");
    assert_eq!((config.home.as_deref(), config.parallel), (Some(Path::new("person/baton/mine")), Some(4)));
    assert_eq!(config.agents.budget.microusd, Some(1_250_000));
    assert_eq!(config.agents.role("writer").chain[0].name, "far");
    assert_eq!(config.files.len(), 2);
}

#[test]
fn a_project_cannot_bring_the_home_that_trusts_it() {
    let text = "home = \"kept\"\n[privacy]\nsend_documents = true\n";
    let folder = tempfile::tempdir().expect("a folder");
    let kept = Home { path: folder.path().join("kept"), named_by: NamedBy::Flag };
    kept.make().expect("a home");
    std::fs::write(folder.path().join(FILE), text).expect("a file");
    let mut trusted = TrustStore::default();
    trusted.trust(text, &folder.path().join(FILE));
    trusted.save(&kept.trusted()).expect("written");
    let read =
        |home: Option<&Path>| Config::read(&Places { project: Some(folder.path()), home, env: &|_| None });
    assert!(matches!(read(None), Err(Trouble::Untrusted { .. })), "{:?}", read(None));
    assert!(read(Some(&kept.path)).is_ok(), "{:?}", read(Some(&kept.path)));
}

/// A list that others can write trusts nothing.
#[cfg(unix)]
#[test]
fn an_open_home_is_not_asked_what_is_trusted() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("kept");
    std::fs::create_dir(&kept).expect("a folder");
    std::fs::set_permissions(&kept, std::fs::Permissions::from_mode(0o770)).expect("opened");
    let text = "home = \"elsewhere\"\n";
    std::fs::write(folder.path().join(FILE), text).expect("a file");
    let mut trusted = TrustStore::default();
    trusted.trust(text, &folder.path().join(FILE));
    trusted.save(&kept.join("trusted")).expect("written");
    let read = Config::read(&Places { project: Some(folder.path()), home: Some(&kept), env: &|_| None });
    assert!(matches!(read, Err(Trouble::Shared { .. })), "{read:?}");
}

#[test]
fn without_anything_the_engine_s_defaults_hold() {
    let nowhere = Some(Path::new("no such folder"));
    let config =
        Config::read(&Places { project: nowhere, home: None, env: &|_| None }).expect("nothing to read");
    assert!(config.files.is_empty());
    assert_eq!(config.settings(None, None), Settings::default());
}

#[test]
fn what_cannot_be_meant_is_named() {
    for (text, env, wanted) in [
        (
            "\n paralel = 1\n",
            vec![],
            "baton.toml, line 2, column 2: unknown key `paralel`; did you mean `parallel`?",
        ),
        ("[budget]\nusd = \"much\"\n", vec![], "baton.toml, line 2, column 7: invalid type"),
        ("# one\nparallel = 0\n", vec![], "baton.toml, line 2, column 12: parallel must be at least 1"),
        ("parallel = -1\n", vec![], "baton.toml, line 1, column 12: "),
        ("home = 7\n", vec![], "baton.toml, line 1, column 8: "),
        ("parallel = \n", vec![], "baton.toml, line 1, "),
        ("", vec![("BATON_PARALLEL", "many")], "BATON_PARALLEL: `many` is not a number"),
        ("", vec![("BATON_BUDGET_USD", "-1")], "BATON_BUDGET_USD: a budget is a number of dollars"),
        ("", vec![("BATON_MODELS", "none")], "no model is called `none`"),
    ] {
        let said = read_one(text, &env).expect_err("must be refused");
        assert!(said.contains(wanted) && said.contains("Nothing was done"), "{text}: {said}");
    }
}
