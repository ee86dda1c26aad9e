use std::ffi::OsString;

use super::*;

fn choose(flag: Option<&str>, config: Option<&str>, env: &[(&str, &str)]) -> Option<(String, NamedBy)> {
    let lookup =
        |name: &str| env.iter().find(|(other, _)| *other == name).map(|(_, value)| OsString::from(value));
    let home = Home::choose(flag.map(Path::new), config.map(Path::new), &lookup).ok()?;
    Some((home.path.display().to_string(), home.named_by))
}

#[test]
fn the_nearest_name_counts() {
    let env = [("BATON_HOME", "/env"), ("HOME", "/me")];
    let named = |path: &str, by| Some((path.to_owned(), by));
    assert_eq!(choose(Some("/flag"), Some("/file"), &env), named("/flag", NamedBy::Flag));
    assert_eq!(choose(None, Some("/file"), &env), named("/env", NamedBy::Environment));
    assert_eq!(choose(None, Some("/file"), &[("BATON_HOME", "")]), named("/file", NamedBy::Config));
    assert_eq!(choose(None, None, &[]), None);
}

#[cfg(target_os = "linux")]
#[test]
fn the_data_folder_follows_the_platform() {
    let named = |path: &str| Some((path.to_owned(), NamedBy::Platform));
    assert_eq!(choose(None, None, &[("HOME", "/me")]), named("/me/.local/share/baton"));
    assert_eq!(choose(None, None, &[("HOME", "/me"), ("XDG_DATA_HOME", "/data")]), named("/data/baton"));
    assert_eq!(
        choose(None, None, &[("HOME", "/me"), ("XDG_DATA_HOME", "data")]),
        named("/me/.local/share/baton")
    );
}

#[cfg(unix)]
#[test]
fn an_empty_folder_is_closed_and_a_used_one_is_left_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let home = Home { path: folder.path().to_owned(), named_by: NamedBy::Flag };
    let open = || std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755));
    open().expect("opened");
    assert_eq!(home.open_to_others(), Some("0755".to_owned()));
    home.close_if_new();
    assert_eq!(home.open_to_others(), None);
    std::fs::write(folder.path().join("mine.txt"), "").expect("a file");
    open().expect("opened");
    home.close_if_new();
    assert_eq!(home.open_to_others(), Some("0755".to_owned()));
}
