use serde_json::{Value, json};

use super::{SETTINGS, change};
use crate::record::{Change, Settings};

fn changed(key: &str, value: Value) -> Result<Option<Settings>, String> {
    let mut settings = Settings::default();
    let known = change(&mut settings, &Change { key: key.to_owned(), value });
    known.map(|known| known.then_some(settings)).map_err(|error| error.to_string())
}

#[test]
fn every_key_takes_what_it_says_and_nothing_else() {
    let good = [json!(2.5), json!(1000), json!(7), json!(60), json!(3)];
    for (known, value) in SETTINGS.iter().zip(good) {
        assert_ne!(changed(known.key, value).unwrap().unwrap(), Settings::default(), "{}", known.key);
        for wrong in [json!("a lot"), json!(-1), json!([1]), json!(true)] {
            let told = changed(known.key, wrong.clone()).unwrap_err();
            assert!(told.contains(known.key) && told.contains(known.hint), "{told}");
        }
    }
    assert_eq!(
        changed("parallel", json!(0)).unwrap_err(),
        "`parallel` cannot be 0: it takes a whole number from 1 on"
    );
    assert_eq!(changed("calls", json!("none")).unwrap().unwrap().limits.calls, None);
    assert_eq!(changed("question", json!("why")), Ok(None));
    assert_eq!(changed("budget_usd", json!(2.5)).unwrap().unwrap().limits.micro_usd, Some(2_500_000));
}
