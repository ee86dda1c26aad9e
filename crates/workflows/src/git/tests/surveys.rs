//! Repositories that cannot be built on, each with what is wrong.

use super::*;

async fn wrong(repo: &Path, base: Option<&str>) -> Vec<String> {
    match survey(&Processes::default(), repo, base).await {
        Ok(_) => Vec::new(),
        Err(wrong) => wrong.iter().map(ToString::to_string).collect(),
    }
}

#[track_caller]
fn says(found: &[String], words: &str) {
    assert!(found.iter().any(|what| what.contains(words)), "{found:?} does not say {words}");
}

#[tokio::test]
async fn a_sound_one_is_taken_as_it_is() {
    let bench = Bench::new().await;
    let found = survey(&Processes::default(), &bench.repo(), None).await.unwrap();
    assert_eq!((found.branch.as_str(), found.base), ("main", bench.base()));
    let below = survey(&Processes::default(), &bench.repo().join("src"), None).await.unwrap();
    assert_eq!(below.top, bench.repo());
}

#[tokio::test]
async fn everything_else_is_refused_in_words() {
    let bench = Bench::new().await;
    let folder = bench.folder.path();
    let make = |name: &str| {
        let path = folder.join(name);
        std::fs::create_dir(&path).unwrap();
        path
    };
    says(&wrong(&make("plain"), None).await, "is not a git repository");
    let empty = make("empty");
    git(&empty, &["init", "-q"]);
    says(&wrong(&empty, None).await, "has no commits");
    git(folder, &["clone", "-q", "--bare", "repo", "bare.git"]);
    says(&wrong(&folder.join("bare.git"), None).await, "is a bare repository");
    let url = format!("file://{}", bench.repo().display());
    git(&bench.repo(), &["commit", "-q", "--allow-empty", "-m", "second"]);
    git(folder, &["clone", "-q", "--depth", "1", &url, "shallow"]);
    says(&wrong(&folder.join("shallow"), None).await, "is a shallow clone");
    says(&wrong(&bench.repo(), Some("nowhere")).await, "there is no commit called `nowhere`");
    write(&bench.repo(), "a.txt", "changed\n");
    says(&wrong(&bench.repo(), None).await, "changes that are in no commit: a.txt");
    git(&bench.repo(), &["checkout", "-q", "--", "."]);
    git(&bench.repo(), &["switch", "-q", "--detach"]);
    says(&wrong(&bench.repo(), None).await, "detached HEAD");
    assert_eq!(wrong(&bench.repo(), Some("main")).await, Vec::<String>::new());
}

#[tokio::test]
async fn submodules_and_names_that_differ_only_in_capitals_are_refused() {
    let bench = Bench::new().await;
    let head = bench.base();
    let entry = format!("160000,{head},vendor");
    git(&bench.repo(), &["update-index", "--add", "--cacheinfo", &entry]);
    git(&bench.repo(), &["commit", "-qm", "module"]);
    says(&wrong(&bench.repo(), None).await, "submodules (vendor)");
    git(&bench.repo(), &["reset", "-q", "--hard", &head]);
    write(&bench.repo(), "A.txt", "one\n");
    git(&bench.repo(), &["add", "-A"]);
    git(&bench.repo(), &["commit", "-qm", "capitals"]);
    says(&wrong(&bench.repo(), None).await, "differ only in capitals");
}
