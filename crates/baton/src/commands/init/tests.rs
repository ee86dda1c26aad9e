use baton_engine::Settings;

use super::*;
use crate::config::{Config, Places, parse};

/// What a file with this text sets.
fn read(text: &str) -> Config {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("baton")).expect("a folder");
    std::fs::write(folder.path().join("baton").join(FILE), text).expect("a file");
    let env = |name: &str| (name == "XDG_CONFIG_HOME").then(|| folder.path().into());
    let mut config = Config::read(&Places { project: None, home: None, env: &env }).expect("readable");
    let own = folder.path().join("baton");
    config.home = config.home.and_then(|home| home.strip_prefix(own).map(Into::into).ok());
    config
}

#[test]
fn as_written_the_file_changes_nothing_and_needs_no_trust() {
    let config = read(&text());
    assert_eq!(config.settings(None, None), Settings::default());
    assert_eq!(config.home, None);
    assert!(config.agents.models.is_empty());
    assert!(!config.agents.privacy.send_documents);
    assert_eq!(config.wishes(&parse(FILE, &text()).expect("readable")), []);
}

#[test]
fn every_commented_line_can_be_taken_into_use() {
    let setting = |line: &str| {
        let rest = line.strip_prefix("# ")?;
        let is_key = rest.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '));
        let is_section =
            ["[models.", "[search.", "[mcp.", "[data."].iter().any(|start| rest.starts_with(start));
        (is_key || is_section).then(|| rest.to_owned())
    };
    let used: Vec<String> =
        text().lines().map(|line| setting(line).unwrap_or_else(|| line.to_owned())).collect();
    let config = read(&used.join("\n"));
    assert_eq!(config.home, Some("runs".into()));
    assert_eq!(config.agents.models.len(), 3);
    assert_eq!((config.agents.search.len(), config.agents.mcp.len()), (5, 1));
    // The numbers shown are the defaults they claim to be.
    let default = Settings::default();
    assert_eq!(config.agents.budget.microusd, default.limits.micro_usd);
    assert_eq!(config.parallel, Some(default.parallel));
}
