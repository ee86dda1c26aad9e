//! `ask`: one skill alone, answered by a model, by rules, or by nobody.

use baton_testkit::model_server::{Act, Fault};
use rustix::process::Signal;

use crate::modelled::{Modelled, SECRET, holding, model_at};
use crate::support::until;

#[test]
fn a_good_answer_comes_with_its_bill() {
    let desk = Modelled::new().with_m();
    let said = desk.ask(&[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    for part in [
        "\"summary\": \"Ada was born in 1815.\"",
        "by         m (",
        "try        m: a good answer",
        "cost       $0.0",
    ] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
    let told = desk.ask(&["--json"]).json();
    assert_eq!(told["answer"]["quotes"][0], "Ada Lovelace was born in London in 1815.");
    assert_eq!((&told["by"]["model"]["name"], &told["tries"][0]["outcome"]), (&"m".into(), &"good".into()));
    assert!(told["cost_usd"].as_f64().is_some_and(|cost| cost > 0.0), "{told}");
    assert_eq!((&told["cut"], &told["repairs"]), (&serde_json::json!([]), &serde_json::json!([])));
    assert_eq!(desk.server.served().len(), 2);
    assert!(!desk.home.path().join("baton.db").exists(), "nothing is recorded");
}

#[test]
fn a_bad_answer_is_sent_back_and_a_torn_one_is_read() {
    let desk = Modelled::new().with_m();
    let good = crate::modelled::GOOD;
    desk.server.script([Act::Say("nonsense".to_owned()), Act::Say(format!("Sure!\n```json\n{good}\n```"))]);
    let said = desk.ask(&[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    for part in ["m: an answer that does not pass", "m: a good answer", "repaired   surroundings"] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
}

#[test]
fn what_does_not_fit_is_cut_and_it_is_said() {
    let desk = Modelled::new();
    let model = desk.model("m", "local = true\ncontext_tokens = 6000\nmax_output_tokens = 500");
    desk.configure(&format!("{model}[roles]\ndefault = [\"m\"]\n"));
    let more = "It rained all day in London. ".repeat(1_000);
    desk.home.write("note.toml", &format!("text = \"Ada Lovelace was born in London in 1815. {more}\"\n"));
    let said = desk.ask(&[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("cut        text: the model saw "), "{}", said.out);
}

#[test]
fn without_a_model_rules_answer_and_say_so() {
    let desk = Modelled::new();
    let said = desk.ask(&[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("rules alone: the role default names no model"), "{}", said.out);
    assert_eq!(desk.ask(&["--json"]).json()["by"], "rules");
    assert_eq!(desk.server.served().len(), 0, "a key in the environment is not consent");
}

#[test]
fn a_missing_key_names_its_variable() {
    let desk = Modelled::new();
    let model = desk.model("m", "key_env = \"OTHER_KEY\"\nprice = { input = 1, output = 4 }");
    desk.configure(&format!("{model}[roles]\ndefault = [\"m\"]\n"));
    let said = desk.ask(&[]);
    assert_eq!(said.code, Some(4), "{said:?}");
    assert!(said.err.contains("OTHER_KEY is not set. Set that variable"), "{}", said.err);
    assert!(said.err.contains("There is no answer; 1 try cost $0.00"), "{}", said.err);
    // With rules last the same trouble is only told.
    let said = desk.ask(&["--model", "m,rules"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("rules alone: no model gave a good answer"), "{}", said.out);
    assert!(said.out.contains("OTHER_KEY is not set"), "{}", said.out);
}

#[test]
fn a_wrong_name_names_the_nearest() {
    let desk = Modelled::new().with_m();
    let said = desk.ask(&["--model", "mm,rules"]);
    assert_eq!(said.code, Some(4), "{said:?}");
    assert!(said.err.contains("no model is called `mm`; did you mean `m`?"), "{}", said.err);
    let said = desk.baton(&["ask", "sumarize", "--input", "note.toml"]);
    assert_eq!(said.code, Some(2));
    assert!(
        said.err.contains("there is no skill `sumarize`") && said.err.contains("`summarize`"),
        "{}",
        said.err
    );
    let said = desk.ask(&["--role", "defalt"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.err.contains("no chain of its own") && said.err.contains("`default`"), "{}", said.err);
    desk.server.script([Act::Fail(Fault::NoSuchModel)]);
    let said = desk.ask(&[]);
    assert_eq!(said.code, Some(4), "{said:?}");
    assert!(said.err.contains("Check `model` in its section"), "{}", said.err);
}

#[test]
fn a_provider_that_is_down_or_busy_is_the_provider_s_fault() {
    let desk = Modelled::new();
    let down = model_at("http://127.0.0.1:1/v1", "down", "local = true");
    desk.configure(&format!("{down}{}", desk.model("busy", "local = true")));
    // As many as one ask may call: each is tried once and none is waited for.
    let said = desk.ask(&["--model", "down,down,down,down,down,down"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.contains("Check that the server runs and that base_url is right"), "{}", said.err);
    desk.server.script([Act::Fail(Fault::TooMany(Some(3_600)))]);
    let said = desk.ask(&["--model", "busy", "--json"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    let error = &said.json()["error"];
    assert_eq!(error["exit"], 3);
    assert!(error["what"].as_str().is_some_and(|what| what.contains("Wait, or lower per_minute")), "{error}");
}

#[test]
fn money_is_limited_before_it_is_spent() {
    let desk = Modelled::new().with_m();
    let said = desk.ask(&["--budget-usd", "0.000001"]);
    assert_eq!(said.code, Some(6), "{said:?}");
    assert!(said.err.contains("Raise the budget, or use a cheaper model"), "{}", said.err);
    let model = desk.model("m", "");
    desk.configure(&format!("{model}[roles]\ndefault = [\"m\"]\n"));
    let said = desk.ask(&[]);
    assert_eq!(said.code, Some(4), "{said:?}");
    assert!(said.err.contains("its price is not known and the budget is in money"), "{}", said.err);
    assert!(said.err.contains("Give the model a price"), "{}", said.err);
    assert_eq!(desk.server.served().len(), 0, "nothing was sent");
}

#[test]
fn documents_stay_here_unless_sent() {
    let desk = Modelled::new();
    // An address that is not this machine by its number, and where nobody answers.
    let far = model_at("http://0.0.0.0:1/v1", "far", "price = { input = 1, output = 4 }");
    desk.configure(&format!("{far}[roles]\ndefault = [\"far\"]\n"));
    let said = desk.ask(&[]);
    assert_eq!(said.code, Some(4), "{said:?}");
    assert!(said.err.contains("allow it with --send"), "{}", said.err);
    let said = desk.ask(&["--send", "--model", "far,far,far,far,far,far"]);
    assert_eq!(said.code, Some(3), "it was tried: {said:?}");
}

#[test]
fn a_signal_stops_it_and_says_what_it_may_have_cost() {
    let desk = Modelled::new();
    let model = desk.model("m", "price = { input = 1, output = 4 }");
    desk.configure(&format!("{model}[roles]\ndefault = [\"m\"]\n"));
    desk.server.script([Act::Fail(Fault::StallBeforeAnswer)]);
    let running = desk.home.spawn(&["ask", "summarize", "--input", "note.toml", "--json"]);
    until("the model is asked", || {
        desk.home.baton(&["--version"]);
        !desk.server.served().is_empty()
    });
    running.signal(Signal::INT);
    let (status, out, _) = running.end();
    assert_eq!(status.code(), Some(8), "{out}");
    let told: serde_json::Value = serde_json::from_str(&out).expect("one value");
    assert!(told["cost_usd_at_most"].as_f64().is_some_and(|cost| cost > 0.0), "{told}");
}

#[test]
fn an_input_that_does_not_fit_is_named_and_skills_are_listed() {
    let desk = Modelled::new();
    desk.home.write("note.toml", "txt = \"x\"\n");
    let said = desk.ask(&[]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(
        said.err.contains("note.toml: it does not fit the skill summarize: unknown field `txt`"),
        "{}",
        said.err
    );
    let said = desk.baton(&["ask", "--list"]);
    assert_eq!(said.code, Some(0));
    let words = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("summarize text: string, sentences?: integer"), "{}", said.out);
    let told = desk.baton(&["ask", "--list", "--json"]).json();
    assert!(told.as_array().is_some_and(|skills| skills.len() == 4), "{told}");
    assert_eq!(desk.baton(&["ask"]).code, Some(2));
}

#[test]
fn the_key_reaches_the_model_and_nothing_else() {
    let desk = Modelled::new().with_m();
    assert_eq!(desk.ask(&[]).code, Some(0));
    assert!(desk.server.served()[0].key.contains(SECRET), "the model got it");
    desk.server.script([Act::Fail(Fault::BadKeyEchoed), Act::Fail(Fault::BadKeyEchoed)]);
    for more in [&[][..], &["--json"]] {
        let said = desk.ask(more);
        assert_eq!(said.code, Some(3), "{said:?}");
        assert!(said.err.contains("[key]") && said.err.contains("Check the key"), "{}", said.err);
    }
    desk.server.script([Act::Fail(Fault::BadKeyEchoed)]);
    assert_eq!(desk.baton(&["doctor", "--probe"]).code, Some(1));

    let plan = "title = \"Env\"\n[[stages]]\nname = \"a\"\ncommands = [{ name = \"env\", run = \"env\" }]\n";
    desk.home.write("env.toml", plan);
    let said = desk.baton(&["start", "approval", "env.toml"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    for words in [&["log", "last", "--json"][..], &["show", "last", "--json"], &["doctor", "--json"]] {
        desk.baton(words);
    }
    let kept = desk.home.path();
    assert!(!holding(&kept, "PATH=").0.is_empty(), "the command's output is kept");
    let (found, seen) = holding(&kept, SECRET);
    assert!(seen >= 2, "the journal and the list of trusted files");
    assert!(found.is_empty() && holding(&desk.home.desk(), SECRET).0.is_empty(), "{found:?}");
}
