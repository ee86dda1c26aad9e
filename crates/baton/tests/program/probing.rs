//! `doctor` on models and roles, and `--probe`.

use crate::modelled::{Modelled, model_at};

/// A model that works, one without its key, one that is down, and roles over them.
fn mixed() -> Modelled {
    let desk = Modelled::new();
    let text = [
        desk.model("good", "key_env = \"OPENAI_API_KEY\"\nprice = { input = 1, output = 4 }"),
        desk.model("keyless", "key_env = \"OTHER_KEY\"\nprice = { input = 1, output = 4 }"),
        model_at("http://127.0.0.1:1/v1", "down", "local = true"),
        "[roles]\ndefault = [\"good\", \"rules\"]\nplanner = [\"keyless\", \"down\"]\njudge = [\"keyless\"]\n".to_owned(),
    ];
    desk.configure(&text.concat());
    desk
}

#[test]
fn every_model_and_role_is_shown_with_what_is_missing() {
    let desk = mixed();
    let said = desk.baton(&["doctor"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    for part in [
        "ok   model    good: large at 127.0.0.1:",
        "key from OPENAI_API_KEY, $1.00 read, $4.00 written for a million tokens, may see documents",
        "BAD  model    keyless: large at 127.0.0.1:",
        "set OTHER_KEY in the environment",
        "ok   role     default: good, then rules; good answers first",
        "ok   role     planner: keyless, then down; down answers first",
        "BAD  role     judge: keyless",
    ] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
    assert_eq!(desk.server.served().len(), 0, "nothing is called unasked");
    let told = desk.baton(&["doctor", "--json"]).json();
    assert_eq!(told["models"][2]["missing"][0], "set OTHER_KEY in the environment");
    assert_eq!(told["roles"][1]["first_ready"], serde_json::Value::Null);
    assert!(told.get("probes").is_none());
}

#[test]
fn a_probe_tries_each_model_and_tells_its_time_or_its_fault() {
    let desk = mixed();
    let said = desk.baton(&["doctor", "--probe"]);
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("trying 3 models; each try costs a few tokens"), "{}", said.err);
    for part in [
        "ok   probe    good answered in ",
        "BAD  probe    down: ",
        "Check that the server runs and that base_url is right.",
        "BAD  probe    keyless: ",
        "Set that variable, or take the model out of the role's chain.",
    ] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
    assert_eq!(desk.server.served().len(), 1, "one call to the one that can be called");
    let told = desk.baton(&["doctor", "--probe", "--json"]).json();
    let probe =
        |name: &str| told["probes"].as_array().and_then(|all| all.iter().find(|one| one["model"] == name));
    let (good, down) = (probe("good").expect("tried"), probe("down").expect("tried"));
    assert!(good["ok"] == true && good["took_ms"].is_u64() && good["cost_usd"].is_f64(), "{good}");
    assert_eq!((&down["ok"], &down["fault"]), (&false.into(), &"unreachable".into()));
}

#[test]
fn a_healthy_configuration_passes() {
    let desk = Modelled::new().with_m();
    let said = desk.baton(&["doctor", "--probe"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("Everything is as it should be."), "{}", said.out);
}
