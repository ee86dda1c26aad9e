use baton_engine::{Hash, RunId};

use super::*;

#[test]
fn every_way_a_run_can_stand_has_its_code() {
    use Outcome::*;
    use StopReason::*;
    let stopped = Status::Stopped;
    for (status, code) in [
        (Status::Finished(Completed), 0),
        (Status::Running, 0),
        (Status::Finished(Failed), 1),
        (stopped(Panic), 1),
        (stopped(Refused), 1),
        (stopped(Disk), 1),
        (stopped(Broken), 1),
        (stopped(Provider), 3),
        (stopped(Changed), 4),
        (Status::Waiting, 5),
        (Status::Finished(Partial), 6),
        (stopped(Budget), 6),
        (Status::Finished(NoEvidence), 7),
        (Status::Finished(Aborted), 8),
        (stopped(Cancelled), 8),
        (stopped(Interrupted), 8),
    ] {
        assert_eq!(Exit::of_status(&status).code(), code, "{status:?}");
    }
}

#[test]
fn the_end_of_driving_has_the_code_of_the_status_it_leaves() {
    let ends = [
        (End::Finished(Outcome::NoEvidence), 7),
        (End::Waiting, 5),
        (End::Stopped { reason: StopReason::Provider, detail: String::new() }, 3),
    ];
    for (end, code) in ends {
        assert_eq!(Exit::of_end(&end).code(), code, "{end:?}");
    }
}

#[test]
fn every_sort_of_trouble_has_its_code() {
    let run = || "7kq2mzx4bd".parse::<RunId>().unwrap();
    let held = || RunsError::Held { run: run(), owner: "process 1".to_owned() };
    let newer = || OpenError::Newer { file: "baton.db".to_owned(), found: 9, known: 1 };
    let changed =
        || DriveError::Changed { what: "table".to_owned(), was: "a".to_owned(), is: "b".to_owned() };
    let config = Trouble::Config(vec!["baton.toml: wrong".to_owned()]);
    let rows: Vec<(Trouble, u8)> = vec![
        (RunsError::NoRun("x".to_owned()).into(), 2),
        (RunsError::Ambiguous { prefix: "x".to_owned(), runs: Vec::new() }.into(), 2),
        (Trouble::NoWorkflow { name: "x".to_owned(), known: Vec::new() }, 2),
        (Trouble::Input { file: "x".to_owned(), what: "wrong".to_owned() }, 2),
        (StartError::Input("wrong".to_owned()).into(), 2),
        (config, 4),
        (Trouble::NoHome, 4),
        (newer().into(), 4),
        (StartError::Runs(held()).into(), 1),
        (TortureError::Open(newer()).into(), 4),
        (changed().into(), 4),
        (TortureError::Drive(changed()).into(), 4),
        (held().into(), 1),
        (DriveError::Runs(held()).into(), 1),
        (DriveError::Blob { hash: Hash::ZERO, what: "gone".to_owned() }.into(), 1),
        (Trouble::Over { run: run(), outcome: "completed", what: "cancelled" }, 1),
    ];
    for (trouble, code) in rows {
        assert_eq!(Exit::of_trouble(&trouble).code(), code, "{trouble}");
    }
}

#[test]
fn an_ask_without_an_answer_has_its_code() {
    use baton_agents::model::ModelFault;
    use baton_agents::skill::AskFailure;
    let fault = |kind| Cause::Model(ModelFault::new(kind, "m", "why."));
    for (cause, code) in [
        (Cause::NoModel, 4),
        (Cause::OverBudget("no money.".to_owned()), 6),
        (Cause::Declined, 3),
        (Cause::NoGoodAnswer(vec![]), 3),
        (Cause::Stopped("told to".to_owned()), 8),
        (fault(FaultKind::KeyMissing), 4),
        (fault(FaultKind::PriceUnknown), 4),
        (fault(FaultKind::SchemaRefused), 4),
        (fault(FaultKind::Tls), 3),
        (fault(FaultKind::Unauthorized), 3),
        (fault(FaultKind::ServerError), 3),
    ] {
        let failure = AskFailure { skill: "s".to_owned(), role: "r".to_owned(), cause, tries: vec![] };
        let trouble = Trouble::Ask { failure: Box::new(failure) };
        assert_eq!(Exit::of_trouble(&trouble).code(), code, "{trouble}");
    }
}
