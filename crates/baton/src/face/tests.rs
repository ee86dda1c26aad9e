use super::*;

#[test]
fn what_is_not_known_to_be_ordinary_asks_for_an_approval() {
    let ordinary = [
        ("research", "approve-1-3f2a"),
        ("research", "check-10"),
        ("debate", "architect-1"),
        ("debate", "f2-architect-3"),
        ("debate", "frame"),
        ("debate", "frame.1"),
    ];
    let approval = [
        ("approval", "approve"),
        ("approval", "repair"),
        ("approval", "upload?1"),
        ("research", "survey?1"),
        ("research", "approve-1?1"),
        ("research", "pay"),
        ("debate", "ops:proposal"),
        ("debate", "ops:critique-1"),
        ("debate", "run-1?1"),
        ("debate", "go"),
        ("shop", "check-10"),
        ("", ""),
    ];
    for (workflow, name) in ordinary {
        assert_eq!(asks(workflow, name), Asks::Ordinary, "{workflow} {name}");
    }
    for (workflow, name) in approval {
        assert_eq!(asks(workflow, name), Asks::Approval, "{workflow} {name}");
    }
}
