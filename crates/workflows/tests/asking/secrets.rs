//! A key is sent to its provider and stands nowhere else: not in the journal, the blobs, the files or errors.

use baton_testkit::model_server::{Act, Fault};

use crate::asker::{GOOD, Home, KEY, heard};

#[tokio::test]
async fn a_key_is_found_nowhere_in_the_home() {
    let mut home = Home::new().await;
    home.rules = true;
    let steps = ["q0:summarize:0.0", "q1:summarize:0.0", "q2:summarize:0.0", "q2:summarize:1.0"];
    let acts = [
        Act::Say(GOOD.to_owned()),
        Act::Fail(Fault::BadKeyEchoed),
        Act::Say(format!("{{\"summary\": \"the key is {KEY}\", \"quotes\": []}}")),
        Act::Fail(Fault::Internal),
    ];
    for (step, act) in steps.into_iter().zip(acts) {
        home.server.script_step(step, [act]);
    }
    home.server.answer(|_| GOOD.to_owned());
    let (engine, run, end) = home.drive(3).await;
    assert!(end.is_ok(), "{end:?}");
    assert_eq!(heard(&engine, &run.unwrap()).len(), 3);
    assert!(
        home.server.served().iter().any(|served| served.key.contains(KEY)),
        "the provider itself must have been given the key"
    );
    drop(engine);
    let found = grep(home.folder.path());
    assert!(found.is_empty(), "the key stands in {found:?}");
}

fn grep(folder: &std::path::Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(grep(&path));
        } else if std::fs::read(&path).unwrap().windows(KEY.len()).any(|window| window == KEY.as_bytes()) {
            found.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    found
}
