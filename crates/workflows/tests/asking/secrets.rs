//! A key is sent to its provider and stands nowhere else: not in the journal, the blobs, the files or errors.

use baton_testkit::model_server::{Act, Fault, Leak};

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

/// Every place a server can write the key to, one run for each, streamed as the card says: as model, id, header,
/// body, error, in one piece and in two.
#[tokio::test]
async fn a_key_that_is_echoed_is_found_nowhere_in_the_home() {
    for leak in Leak::ALL {
        let mut home = Home::new().await;
        home.rules = true;
        let acts = std::iter::repeat_n(Act::Leak(GOOD.to_owned(), leak), 20);
        home.server.script(acts);
        let (engine, run, end) = home.drive(1).await;
        assert!(end.is_ok(), "{leak:?}: {end:?}");
        assert_eq!(heard(&engine, &run.unwrap()).len(), 1, "{leak:?}");
        assert!(home.server.served().iter().any(|served| served.key.contains(KEY)), "{leak:?}");
        drop(engine);
        let found = grep(home.folder.path());
        assert!(found.is_empty(), "{leak:?}: the key stands in {found:?}");
    }
}

fn grep(folder: &std::path::Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(grep(&path));
        } else if holds(&std::fs::read(&path).unwrap()) {
            found.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    found
}

/// The key, the half of it that a cut would leave, or what base64 makes of it after `me:`.
fn holds(bytes: &[u8]) -> bool {
    let needles = [KEY, &KEY[..KEY.len() / 2], "dmVyeS1zZWNy"];
    needles.iter().any(|needle| bytes.windows(needle.len()).any(|window| window == needle.as_bytes()))
}
