//! The micro costs, by criterion: deciding, sealing, checking the chain, and one durable transition.

use std::hint::black_box;
use std::time::Duration;

use baton_bench_engine::probe::Stopwatch;
use baton_bench_engine::ring::{Event, Load, Plan, Ring};
use baton_bench_engine::{BenchError, Rig, runtime};
use baton_engine::record::{Body, Chained, Happened, Payload, Record, Step};
use baton_engine::{Hash, Millis};
use baton_machine::{Position, Workflow, advance};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::json;

const CHAIN: u64 = 10_000;

fn deciding(criterion: &mut Criterion) {
    let plan = Plan { transitions: u64::MAX, load: Load::Nothing };
    criterion.bench_function("machine::advance", |bencher| {
        let (mut position, mut memory) = (Position::<Ring>::start(), Ring::begin(&plan));
        bencher.iter(|| {
            // The bounded row is used up after a million rounds; begin again before that.
            if position.visit > 5_000_000 {
                position = Position::start();
            }
            advance(Ring::TABLE, &mut position, &mut memory, black_box(&Event::Moved))
        });
    });
}

fn event(n: u64) -> Record {
    let happened = Happened {
        from: "PLANNING".to_owned(),
        row: 0,
        to: "SEARCHING".to_owned(),
        event: Payload::Inline(json!("MOVED")),
        guards: Vec::new(),
        step: Step::Visit,
    };
    Record { n, at: Millis(1_700_000_000_000 + n), body: Body::Event(happened) }
}

fn sealing(criterion: &mut Criterion) {
    let record = event(7);
    criterion.bench_function("seal one record (JSON and hash)", |bencher| {
        bencher.iter(|| Chained::after(black_box(Hash::ZERO), black_box(&record)));
    });
}

fn chain() -> Result<Vec<Chained>, serde_json::Error> {
    let mut previous = Hash::ZERO;
    let link = |n| {
        let next = Chained::after(previous, &event(n))?;
        previous = next.hash;
        Ok(next)
    };
    (1..=CHAIN).map(link).collect()
}

fn checking(criterion: &mut Criterion) {
    let records = match chain() {
        Ok(records) => records,
        Err(error) => unmeasured(&error.into()),
    };
    let mut group = criterion.benchmark_group("chain");
    group.throughput(Throughput::Elements(CHAIN));
    group.bench_function("check 10,000 records", |bencher| {
        bencher.iter(|| {
            let mut previous = Hash::ZERO;
            black_box(&records).iter().all(|record| {
                let whole = record.follows(previous);
                previous = record.hash;
                whole
            })
        });
    });
    group.finish();
}

fn durable(criterion: &mut Criterion) {
    for (name, load) in
        [("one durable transition", Load::Nothing), ("one durable transition with a step", Load::Step)]
    {
        criterion.bench_function(name, |bencher| {
            bencher.iter_custom(|times| transitions(times, &load).unwrap_or_else(|error| unmeasured(&error)));
        });
    }
}

fn transitions(times: u64, load: &Load) -> Result<Duration, BenchError> {
    let home = tempfile::tempdir()?;
    let rig = Rig::open(home.path())?;
    let runtime = runtime()?;
    let run = rig.start::<Ring>(&Plan { transitions: times, load: load.clone() })?;
    let watch = Stopwatch::start();
    runtime.block_on(rig.finish::<Ring>(&run))?;
    Ok(Duration::from_secs_f64(watch.seconds()))
}

#[expect(clippy::panic, reason = "criterion has no other way to say that a measurement failed")]
fn unmeasured(error: &BenchError) -> ! {
    panic!("{error}")
}

criterion_group!(engine, deciding, sealing, checking, durable);
criterion_main!(engine);
