use super::{USAGE, parse};
use crate::figures::NAMES;

fn typed(line: &str) -> Result<super::Args, String> {
    parse(line.split_whitespace().map(str::to_owned))
}

#[test]
fn all_figures_unless_some_are_named() {
    assert_eq!(typed("").unwrap().figures, NAMES);
    let args = typed("--json kill --seed 7 bytes").unwrap();
    assert_eq!((args.json, args.seed, args.figures), (true, 7, vec!["kill".to_owned(), "bytes".to_owned()]));
}

#[test]
fn what_is_not_understood_is_said() {
    assert_eq!(typed("speed").unwrap_err(), format!("there is no figure or option `speed`\n{USAGE}"));
    assert_eq!(typed("--seed x").unwrap_err(), format!("--seed needs a number\n{USAGE}"));
    assert_eq!(typed("--dir").unwrap_err(), format!("--dir needs a value\n{USAGE}"));
}

#[test]
fn the_usage_names_every_figure() {
    assert!(NAMES.iter().all(|name| USAGE.contains(name)));
}
