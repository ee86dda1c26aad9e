use super::*;

fn read(text: &str, env: &[(&str, &str)]) -> Result<Config, String> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(FILE), text).expect("a file");
    let lookup =
        |name: &str| env.iter().find(|(other, _)| *other == name).map(|(_, value)| OsString::from(value));
    Config::read(folder.path(), &lookup)
        .map(|config| Config {
            home: config.home.and_then(|home| home.strip_prefix(folder.path()).map(Path::to_owned).ok()),
            file: None,
            ..config
        })
        .map_err(|trouble| trouble.to_string())
}

#[test]
fn the_environment_is_over_the_file_and_flags_are_over_both() {
    let text = "home = \"runs\"\nbudget_usd = 2.5\nparallel = 3\n";
    let config = read(text, &[("BATON_PARALLEL", "5"), ("BATON_BUDGET_USD", "")]).expect("readable");
    assert_eq!(
        config,
        Config { file: None, home: Some("runs".into()), micro_usd: Some(2_500_000), parallel: Some(5) }
    );
    let settings = config.settings(Some(7), None);
    assert_eq!((settings.limits.micro_usd, settings.parallel), (Some(7), 5));
}

#[test]
fn without_anything_the_engine_s_defaults_hold() {
    let config = Config::read(Path::new("no such folder"), &|_| None).expect("nothing to read");
    assert_eq!(config, Config::default());
    assert_eq!(config.settings(None, None), Settings::default());
}

#[test]
fn what_cannot_be_meant_is_named() {
    for (text, env, wanted) in [
        ("budget = 1\n", vec![], "unknown field `budget`"),
        ("budget_usd = \"much\"\n", vec![], "baton.toml: budget_usd: `much` is not an amount of dollars"),
        ("parallel = 0\n", vec![], "baton.toml: parallel must be at least 1"),
        ("parallel = \n", vec![], "baton.toml: "),
        ("", vec![("BATON_PARALLEL", "many")], "BATON_PARALLEL: `many` is not a number"),
        ("", vec![("BATON_BUDGET_USD", "-1")], "BATON_BUDGET_USD: `-1` is not an amount"),
    ] {
        let said = read(text, &env).expect_err("must be refused");
        assert!(said.contains(wanted) && said.contains("nothing was done"), "{text}: {said}");
    }
}
