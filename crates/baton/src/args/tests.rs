use clap::CommandFactory;

use super::*;

#[test]
fn the_arguments_fit_together() {
    Args::command().debug_assert();
}

#[test]
fn every_command_shows_an_example() {
    for command in Args::command().get_subcommands().filter(|command| !command.is_hide_set()) {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let call = format!("  baton {}", command.get_name());
        assert!(help.contains("Example") && help.contains(&call), "{}: {help}", command.get_name());
    }
}

#[test]
fn json_is_seen_even_when_the_rest_is_wrong() {
    let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>().into_iter();
    assert!(wants_json(words("baton nonsense --json")));
    assert!(!wants_json(words("baton answer last -- --json")));
}

#[test]
fn a_text_may_begin_with_a_bullet_and_an_option_with_a_slip_is_none() {
    let read = |words: &[&str]| read(words.iter().map(OsString::from)).is_ok();
    for text in ["- How did sales develop?", "-\tHow?", "-\nHow?\n- Which?"] {
        assert!(read(&["baton", "report", text, "--data", "a.csv"]), "{text}");
        assert!(read(&["baton", "research", text]), "{text}");
        assert!(read(&["baton", "article", "--topic", text]), "{text}");
        assert!(read(&["baton", "debate", text]), "{text}");
    }
    assert!(read(&["baton", "report", "-", "--data", "a.csv"]));
    assert!(!read(&["baton", "report", "--dta", "a.csv"]));
    assert!(!read(&["baton", "research", "-x"]));
}
