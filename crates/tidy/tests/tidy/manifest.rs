//! What the checks read from a crate's `Cargo.toml`.

use toml::{Table, Value};

use crate::tree::Tree;

/// One crate of the workspace.
pub struct Manifest<'a> {
    /// Where it stands, such as `crates/machine`.
    pub folder: String,
    /// Its `Cargo.toml`; empty when it could not be read, and then `fault` says why.
    pub table: Table,
    pub fault: Option<String>,
    tree: &'a Tree,
}

impl Manifest<'_> {
    /// The package's name, or its folder's when it has none.
    pub fn name(&self) -> &str {
        let package = self.table.get("package").and_then(|package| package.get("name"));
        package.and_then(Value::as_str).unwrap_or(&self.folder)
    }

    /// The packages named under this key at the top and under each `[target]`, by their real names.
    pub fn packages(&self, key: &str) -> Vec<&str> {
        let targets = self.table.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
        let tables = targets.filter_map(|target| target.get(key)).chain(self.table.get(key));
        tables
            .filter_map(Value::as_table)
            .flatten()
            .map(|(name, what)| renamed(what).unwrap_or(name))
            .collect()
    }

    /// The files Cargo compiles on its own for a kind of target (`test`, `bin`): those it finds and those declared.
    pub fn roots(&self, kind: &str, folder: &str) -> Vec<String> {
        let declared = self.table.get(kind).and_then(Value::as_array).into_iter().flatten();
        let declared = declared.flat_map(|target| self.declared(target, folder));
        let mut roots: Vec<String> = declared.chain(self.discovered(kind, folder)).collect();
        roots.sort();
        roots.dedup();
        roots
    }

    /// The root of a declared target: its path, or where Cargo looks for its name.
    fn declared(&self, target: &Value, folder: &str) -> Vec<String> {
        let text = |key: &str| target.get(key).and_then(Value::as_str);
        if let Some(path) = text("path") {
            return vec![format!("{}/{path}", self.folder)];
        }
        let stem = format!("{}/{folder}/{}", self.folder, text("name").unwrap_or_default());
        let places = [format!("{stem}.rs"), format!("{stem}/main.rs")];
        places.into_iter().filter(|place| self.tree.text(place).is_some()).collect()
    }

    /// `tests/*.rs` and `tests/*/main.rs`, unless the manifest says `autotests = false`; the same for bins.
    fn discovered(&self, kind: &str, folder: &str) -> Vec<String> {
        let switch = self.table.get("package").and_then(|package| package.get(format!("auto{kind}s")));
        if switch.and_then(Value::as_bool) == Some(false) {
            return Vec::new();
        }
        let prefix = format!("{}/{folder}/", self.folder);
        let is_root = |path: &str| {
            let inside = path.get(prefix.len()..).unwrap_or_default();
            match inside.split_once('/') {
                None => inside.ends_with(".rs"),
                Some((_, rest)) => rest == "main.rs",
            }
        };
        self.tree.below(&prefix).filter(|path| is_root(path)).map(str::to_owned).collect()
    }
}

/// Every crate below `crates/`.
pub fn manifests(tree: &Tree) -> Vec<Manifest<'_>> {
    tree.folders_in("crates").into_iter().map(|name| read(tree, format!("crates/{name}"))).collect()
}

fn read(tree: &Tree, folder: String) -> Manifest<'_> {
    let path = format!("{folder}/Cargo.toml");
    let parsed = match tree.text(&path) {
        Some(text) => text.parse::<Table>().map_err(|why| format!("{path}: {why}")),
        None => Err(format!("{path}: missing")),
    };
    match parsed {
        Ok(table) => Manifest { folder, table, fault: None, tree },
        Err(fault) => Manifest { folder, table: Table::new(), fault: Some(fault), tree },
    }
}

fn renamed(dependency: &Value) -> Option<&str> {
    dependency.get("package")?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = r#"
        [package]
        name = "baton-sample"
        [dependencies]
        serde = "1"
        store = { package = "baton-engine", path = "../engine" }
        [target.'cfg(unix)'.dependencies]
        libc = "0.2"
        [[test]]
        name = "whole"
        path = "checks/whole.rs"
        [[test]]
        name = "one"
    "#;

    #[test]
    fn dependencies_are_read_by_their_real_names_on_every_target() {
        let tree = Tree::of(&[("crates/sample/Cargo.toml", SAMPLE)]);
        let sample = read(&tree, "crates/sample".to_owned());
        let mut packages = sample.packages("dependencies");
        packages.sort_unstable();
        assert_eq!((sample.name(), packages), ("baton-sample", vec!["baton-engine", "libc", "serde"]));
    }

    #[test]
    fn test_binaries_are_those_found_and_those_declared() {
        let tree = Tree::of(&[
            ("crates/sample/Cargo.toml", SAMPLE),
            ("crates/sample/tests/one.rs", ""),
            ("crates/sample/tests/two/main.rs", ""),
            ("crates/sample/tests/two/part.rs", ""),
        ]);
        let roots = read(&tree, "crates/sample".to_owned()).roots("test", "tests");
        assert_eq!(
            roots,
            [
                "crates/sample/checks/whole.rs",
                "crates/sample/tests/one.rs",
                "crates/sample/tests/two/main.rs"
            ]
        );
    }

    #[test]
    fn a_declared_name_is_found_where_cargo_looks_for_it() {
        let manifest = "[package]\nautotests = false\n[[test]]\nname = 'main'\n";
        let tree = Tree::of(&[
            ("crates/sample/Cargo.toml", manifest),
            ("crates/sample/tests/main.rs", ""),
            ("crates/sample/tests/part.rs", ""),
        ]);
        let roots = read(&tree, "crates/sample".to_owned()).roots("test", "tests");
        assert_eq!(roots, ["crates/sample/tests/main.rs"]);
    }

    #[test]
    fn a_manifest_that_is_missing_or_broken_is_a_fault() {
        let tree = Tree::of(&[("crates/a/src/lib.rs", ""), ("crates/b/Cargo.toml", "[package")]);
        let faults: Vec<bool> = manifests(&tree).iter().map(|manifest| manifest.fault.is_some()).collect();
        assert_eq!(faults, [true, true]);
    }
}
