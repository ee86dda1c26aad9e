//! Tests of the tree itself. Each check is a function from a [`Tree`] to what it found; it stands in its own file
//! beside a test that breaks a small tree on purpose. Here they meet the real one.

mod anatomy;
mod arrows;
mod changelog;
mod database;
mod doc_paths;
mod forgotten;
mod leftovers;
mod links;
mod machine_paths;
mod manifest;
mod markdown;
mod module_docs;
mod sizes;
mod threats;
mod tree;

use std::io;

use tree::Tree;

/// Fails with every finding at once: a list is mended in one go, a first finding in many.
fn expect_none(findings: &[String]) -> io::Result<()> {
    assert!(findings.is_empty(), "\n  {}\n", findings.join("\n  "));
    Ok(())
}

#[test]
fn paths_named_in_documents_exist() -> io::Result<()> {
    expect_none(&doc_paths::check(&Tree::real()?))
}

#[test]
fn promises_have_their_tests() -> io::Result<()> {
    expect_none(&threats::check(&Tree::real()?))
}

#[test]
fn links_in_documents_resolve() -> io::Result<()> {
    expect_none(&links::check(&Tree::real()?))
}

#[test]
fn crates_depend_only_along_the_arrows() -> io::Result<()> {
    expect_none(&arrows::check(&Tree::real()?))
}

#[test]
fn the_database_is_named_only_where_it_is_kept() -> io::Result<()> {
    expect_none(&database::check(&Tree::real()?))
}

#[test]
fn files_stay_small() -> io::Result<()> {
    let tree = Tree::real()?;
    for warning in sizes::getting_long(&tree) {
        println!("warning: {warning}");
    }
    expect_none(&sizes::check(&tree))
}

#[test]
fn modules_say_what_they_hold() -> io::Result<()> {
    expect_none(&module_docs::check(&Tree::real()?))
}

#[test]
fn nothing_is_left_unfinished() -> io::Result<()> {
    expect_none(&leftovers::check(&Tree::real()?))
}

#[test]
fn workflow_folders_share_one_anatomy() -> io::Result<()> {
    expect_none(&anatomy::check(&Tree::real()?))
}

#[test]
fn no_source_file_is_forgotten() -> io::Result<()> {
    expect_none(&forgotten::check(&Tree::real()?))
}

#[test]
fn no_path_of_one_machine_is_written_down() -> io::Result<()> {
    expect_none(&machine_paths::check(&Tree::real()?))
}

#[test]
fn changelog_is_open() -> io::Result<()> {
    expect_none(&changelog::check(&Tree::real()?))
}
