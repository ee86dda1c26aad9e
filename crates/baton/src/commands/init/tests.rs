use std::path::Path;

use baton_engine::Settings;

use super::*;
use crate::config::Config;

#[test]
fn as_written_the_file_changes_nothing() {
    let config = Config::parse(Path::new(""), TEXT).expect("readable");
    assert_eq!(config.settings(None, None), Settings::default());
    assert_eq!(config.home, None);
}

#[test]
fn every_commented_line_can_be_taken_into_use() {
    let used: String = TEXT
        .lines()
        .map(|line| line.strip_prefix("# ").filter(|rest| rest.contains(" = ")).unwrap_or(line))
        .collect::<Vec<_>>()
        .join("\n");
    let config = Config::parse(Path::new(""), &used).expect("readable");
    assert_eq!(config.home, Some("runs".into()));
    // The numbers shown are the defaults they claim to be.
    let default = Settings::default();
    assert_eq!(config.micro_usd, default.limits.micro_usd);
    assert_eq!(config.parallel, Some(default.parallel));
}
