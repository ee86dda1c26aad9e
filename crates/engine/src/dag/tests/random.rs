//! Random graphs, random endings, random orders of coming back: what must hold whatever happens.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::ending;
use crate::dag::check::waits_for;
use crate::dag::{Dag, DagError, Task, TaskEnd, TaskId, TaskStatus};

/// One task in the making: what it would like, of which as much is taken as is sound.
#[derive(Clone, Debug)]
struct Wish {
    needs: Vec<prop::sample::Index>,
    fallback: Option<prop::sample::Index>,
    critical: bool,
    mark: char,
    /// Tasks that its end adds; the first may stand in for it.
    adds: u8,
    stands_in: bool,
}

fn wish() -> impl Strategy<Value = Wish> {
    let index = any::<prop::sample::Index>;
    let needs = prop::collection::vec(index(), 0..4);
    let fallback = prop::option::weighted(0.4, index());
    let mark = prop::sample::select(vec!['+', '+', '-', '-', '~']);
    let adds = prop::sample::select(vec![0, 0, 0, 1, 2]);
    (needs, fallback, any::<bool>(), mark, adds, any::<bool>()).prop_map(
        |(needs, fallback, critical, mark, adds, stands_in)| Wish {
            needs,
            fallback,
            critical,
            mark,
            adds,
            stands_in,
        },
    )
}

/// Ids whose order says nothing about the order of the wishes.
fn id(number: usize) -> TaskId {
    TaskId(format!("{:02}", number * 7 % 31))
}

fn wishes() -> impl Strategy<Value = Vec<Wish>> {
    prop::collection::vec(wish(), 1..16)
}

/// The tasks as they were wished for, sound or not.
fn wished(wishes: &[Wish]) -> Vec<Task> {
    let one = |(number, wish): (usize, &Wish)| {
        let mut task =
            Task::new(id(number)).after(wish.needs.iter().map(|need| id(need.index(wishes.len()))));
        task.fallback = wish.fallback.map(|fallback| id(fallback.index(wishes.len())));
        task.critical = wish.critical;
        task
    };
    wishes.iter().enumerate().map(one).collect()
}

/// The same tasks, each with those needs and that fallback which leave the graph sound.
fn sound(wishes: &[Wish]) -> Dag {
    let wished = wished(wishes);
    let bare = |task: &Task| Task { depends_on: BTreeSet::new(), fallback: None, ..task.clone() };
    let mut kept: Vec<Task> = wished.iter().map(bare).collect();
    let mut keep_if_sound = |number: usize, change: &dyn Fn(&mut Task)| {
        let mut tried = kept.clone();
        change(&mut tried[number]);
        if Dag::new(tried.clone()).is_ok() {
            kept = tried;
        }
    };
    for (number, task) in wished.iter().enumerate() {
        keep_if_sound(number, &|kept| kept.fallback.clone_from(&task.fallback));
        for need in &task.depends_on {
            keep_if_sound(number, &|kept| _ = kept.depends_on.insert(need.clone()));
        }
    }
    Dag::new(kept).unwrap()
}

/// The end of a task, with what its wish adds.
fn end(number: usize, wish: &Wish) -> TaskEnd {
    let task = id(number);
    let added = |which: u8| Task::new(format!("{task}-{which}"));
    let mut add: Vec<Task> = (0..wish.adds).map(added).collect();
    let stands_in = wish.stands_in && !add.is_empty();
    if let Some(second) = add.get_mut(1) {
        second.depends_on.insert(task.clone());
    }
    let fallback = stands_in.then(|| add[0].id.clone());
    TaskEnd { add, fallback, ..TaskEnd::new(task, ending(wish.mark)) }
}

/// Runs a graph with `limit` at once, letting the one that `order` says come back next. Checks as it goes.
fn run(mut dag: Dag, ends: &BTreeMap<TaskId, TaskEnd>, limit: usize, order: &[prop::sample::Index]) -> Dag {
    let mut flying: Vec<TaskId> = Vec::new();
    let mut started = BTreeSet::new();
    for turn in 0.. {
        for task in dag.start_ready(limit - flying.len()) {
            assert!(started.insert(task.id.clone()), "{} was started twice", task.id);
            assert_free(&dag, &task);
            flying.push(task.id);
        }
        assert!(!dag.stuck(), "stuck: {dag:?}");
        if flying.is_empty() {
            break;
        }
        let next = flying.swap_remove(order[turn % order.len()].index(flying.len()));
        finish(&mut dag, &next, ends);
    }
    assert!(dag.is_over(), "not over: {dag:?}");
    dag
}

/// Ends a task as was wished; one that was added completes.
fn finish(dag: &mut Dag, id: &TaskId, ends: &BTreeMap<TaskId, TaskEnd>) {
    let mut end = ends.get(id).cloned().unwrap_or_else(|| TaskEnd::new(id.clone(), ending('+')));
    end.fallback = end.fallback.filter(|_| dag.get(id).unwrap().fallback.is_none());
    dag.apply(&end).unwrap();
}

/// Everything the task depends on is final, and so is whatever stands in for it.
fn assert_free(dag: &Dag, task: &Task) {
    for need in &task.depends_on {
        let mut speaker = dag.get(need).unwrap();
        while let (TaskStatus::Failed, Some(fallback)) = (speaker.status(), &speaker.fallback) {
            speaker = dag.get(fallback).unwrap();
        }
        assert!(speaker.status().is_final(), "{} was started before {}", task.id, speaker.id);
        let good = speaker.status() == TaskStatus::Completed || !dag.get(need).unwrap().critical;
        assert!(good, "{} was started without {need}", task.id);
    }
}

fn ends(wishes: &[Wish]) -> BTreeMap<TaskId, TaskEnd> {
    wishes.iter().enumerate().map(|(number, wish)| (id(number), end(number, wish))).collect()
}

fn order() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 1..20)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 512, ..ProptestConfig::default() })]

    /// Every graph ends, and how it ends depends on the endings alone: not on the limit, not on the order.
    #[test]
    fn a_graph_always_ends_and_always_in_the_same_way(
        wishes in wishes(), first in order(), second in order(), limit in 1_usize..5,
    ) {
        let (dag, ends) = (sound(&wishes), ends(&wishes));
        let once = run(dag.clone(), &ends, limit, &first);
        let again = run(dag, &ends, 6 - limit, &second);
        prop_assert_eq!(once, again);
    }

    /// Any graph at all is either refused with a circle that is really there, or runs to its end.
    #[test]
    fn a_graph_is_refused_or_ends(wishes in wishes(), order in order()) {
        let tasks = wished(&wishes);
        match Dag::new(tasks.clone()) {
            Ok(dag) => _ = run(dag, &ends(&wishes), 3, &order),
            Err(DagError::Cycle(path)) => {
                let map = tasks.into_iter().map(|task| (task.id.clone(), task)).collect();
                prop_assert!(path.len() > 1 && path.first() == path.last());
                for pair in path.windows(2) {
                    prop_assert!(waits_for(&map, &map[&pair[0]]).contains(&pair[1]), "{:?}", path);
                }
            }
            Err(error) => prop_assert!(matches!(error, DagError::SelfDependency(_)), "{}", error),
        }
    }

    /// A graph that is stored in the middle and read back goes on as if nothing had happened.
    #[test]
    fn a_stored_graph_goes_on(wishes in wishes(), order in order(), turns in 0_usize..10) {
        let (mut dag, ends) = (sound(&wishes), ends(&wishes));
        let straight = run(dag.clone(), &ends, 2, &order);
        for _ in 0..turns {
            let Some(task) = dag.start_ready(1).pop() else { break };
            finish(&mut dag, &task.id, &ends);
        }
        dag.start_ready(2);
        let text = serde_json::to_string(&dag).unwrap();
        let mut read: Dag = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&read, &dag);
        read.begin_again();
        prop_assert_eq!(run(read, &ends, 2, &order), straight);
    }
}
