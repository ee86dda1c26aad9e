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
    let chmod = |mode| std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(mode));
    chmod(0o755).expect("opened");
    assert_eq!(shared(folder.path()), Some(Shared::Open { mode: "0755".to_owned() }));
    home.ready().expect("an empty one is closed");
    assert_eq!(shared(folder.path()), None);
    std::fs::write(folder.path().join("mine.txt"), "").expect("a file");
    for mode in [0o755, 0o710, 0o701, 0o770, 0o777, 0o702] {
        chmod(mode).expect("opened");
        for refused in [home.ready(), home.check(), home.make()] {
            let said = refused.expect_err("refused").to_string();
            let close = format!("close it: chmod 700 {}", folder.path().display());
            assert!(said.contains(&format!("(mode {mode:04o})")) && said.contains(&close), "{said}");
        }
    }
    chmod(0o700).expect("closed");
    home.ready().expect("ours alone");
}

#[cfg(unix)]
#[test]
fn a_link_is_as_good_as_where_it_leads() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let (real, link) = (folder.path().join("real"), folder.path().join("link"));
    std::os::unix::fs::symlink(&real, &link).expect("a link");
    assert_eq!(shared(&link), None, "it leads nowhere yet");
    std::fs::create_dir(&real).expect("a folder");
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o750)).expect("opened");
    assert_eq!(shared(&link), Some(Shared::Open { mode: "0750".to_owned() }));
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o700)).expect("closed");
    assert_eq!(shared(&link), None);
}

#[cfg(unix)]
#[test]
fn a_folder_of_another_account_is_not_ours() {
    use std::os::unix::fs::MetadataExt;
    let us = rustix::process::geteuid().as_raw();
    // Everybody but the administrator finds the root folder foreign; the administrator must make a foreign one.
    let folder = tempfile::tempdir().expect("a folder");
    let foreign = if us == 0 {
        std::os::unix::fs::chown(folder.path(), Some(4242), None).expect("given away");
        folder.path()
    } else {
        Path::new("/")
    };
    let owner = std::fs::metadata(foreign).expect("there").uid();
    let why = Shared::Foreign { owner, us };
    assert_eq!(shared(foreign), Some(why.clone()));
    assert_eq!(why.next(foreign), "name a folder of your own with --home or BATON_HOME");
}
