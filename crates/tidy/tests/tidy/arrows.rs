//! Which crate may know which. Decisions stay apart from the world only as long as the arrows hold;
//! a new crate or arrow is a decision, recorded below `docs/decisions/`, and then a line here.

use crate::manifest::{Manifest, manifests};
use crate::tree::Tree;

/// A crate and those of our crates it may depend on.
const ARROWS: [(&str, &[&str]); 10] = [
    ("baton", &["baton-workflows", "baton-agents", "baton-engine", "baton-machine"]),
    (
        "baton-workflows",
        &["baton-agents", "baton-charts", "baton-engine", "baton-figures", "baton-machine", "baton-pdf"],
    ),
    ("baton-agents", &[]),
    ("baton-charts", &[]),
    ("baton-pdf", &["baton-charts"]),
    ("baton-engine", &["baton-machine"]),
    ("baton-figures", &[]),
    ("baton-machine", &[]),
    ("baton-testkit", &["baton-engine", "baton-machine", "baton-agents", "baton-workflows"]),
    ("baton-tidy", &["baton-machine", "baton-engine", "baton-workflows"]),
];

/// The one crate that tests of any other may add.
const TESTKIT: &str = "baton-testkit";

/// Dependencies between our crates that are not on the list.
pub fn check(tree: &Tree) -> Vec<String> {
    manifests(tree).iter().flat_map(forbidden).collect()
}

fn forbidden(manifest: &Manifest<'_>) -> Vec<String> {
    if let Some(fault) = &manifest.fault {
        return vec![fault.clone()];
    }
    let from = manifest.name();
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == from) else {
        return vec![format!(
            "{}: the crate {from} has no arrows; decide which it may have",
            manifest.folder
        )];
    };
    let edges = |key: &'static str| {
        manifest.packages(key).into_iter().filter(|to| is_ours(to)).map(move |to| (key, to))
    };
    ["dependencies", "build-dependencies", "dev-dependencies"]
        .into_iter()
        .flat_map(edges)
        .filter(|(key, to)| !allowed.contains(to) && (*key != "dev-dependencies" || *to != TESTKIT))
        .map(|(key, to)| format!("{from} -> {to} ([{key}]) is not an arrow of the design"))
        .collect()
}

fn is_ours(package: &str) -> bool {
    package == "baton" || package.starts_with("baton-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(manifest: &str) -> Vec<String> {
        check(&Tree::of(&[("crates/sample/Cargo.toml", manifest)]))
    }

    #[test]
    fn an_arrow_that_points_the_wrong_way_is_found() {
        let machine =
            "[package]\nname = 'baton-machine'\n[dependencies]\nserde = '1'\nbaton-engine.workspace = true";
        assert_eq!(
            found(machine),
            ["baton-machine -> baton-engine ([dependencies]) is not an arrow of the design"]
        );
    }

    #[test]
    fn a_new_name_or_a_target_does_not_hide_an_arrow() {
        let agents = "[package]\nname = 'baton-agents'\n[target.'cfg(unix)'.dependencies]\nstore = { package = 'baton-engine' }";
        assert_eq!(
            found(agents),
            ["baton-agents -> baton-engine ([dependencies]) is not an arrow of the design"]
        );
    }

    #[test]
    fn tests_may_add_the_testkit_and_nothing_else() {
        let engine = "[package]\nname = 'baton-engine'\n[dependencies]\nbaton-machine = {}\n[dev-dependencies]\nbaton-testkit = {}\nbaton = {}";
        assert_eq!(
            found(engine),
            ["baton-engine -> baton ([dev-dependencies]) is not an arrow of the design"]
        );
        let shipped = "[package]\nname = 'baton'\n[dependencies]\nbaton-testkit = {}";
        assert_eq!(found(shipped), ["baton -> baton-testkit ([dependencies]) is not an arrow of the design"]);
    }

    #[test]
    fn a_crate_nobody_decided_on_is_found() {
        assert_eq!(
            found("[package]\nname = 'baton-utils'"),
            ["crates/sample: the crate baton-utils has no arrows; decide which it may have"]
        );
    }
}
