//! A workflow of your own: `cargo run --example approval -- HOME`, kill it anywhere, and run it again.
use std::io::Write;

use baton_engine::{Cx, Drive, End, Engine, Fault, Node, Question, Work, node};
use baton_machine::{Kind, Outcome, Row, Workflow, events, transitions, words};
use baton_workflows::command::RunCommand;

words! { pub enum State { Building = "BUILDING", Asking = "ASKING", Publishing = "PUBLISHING", Done = "DONE" } }
events! { pub enum Event as On { Built { log: String } = "BUILT", Yes = "YES", No = "NO", Published = "PUBLISHED" } }

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Release;

impl Workflow for Release {
    const NAME: &'static str = "release";
    const START: State = State::Building;
    const TABLE: &'static [Row<Self>] = transitions! {
        Building   + Built     => Asking;
        Asking     + Yes       => Publishing;
        Asking     + No        => Building;
        Publishing + Published => Done;
    };
    type State = State;
    type On = On;
    type Event = Event;
    type Input = String;
    type Memory = String;
    fn begin(input: &String) -> String {
        input.clone()
    }
    fn learn(memory: &mut String, event: &Event) {
        memory.push_str(if let Event::Built { log } = event { log } else { "" });
    }
    fn kind(state: State) -> Kind {
        match state {
            State::Building | State::Publishing => Kind::Works,
            State::Asking => Kind::Waits,
            State::Done => Kind::Ends(Outcome::Completed),
        }
    }
}

impl Work for Release {
    const CODE_VERSION: u32 = 1;
    fn node(state: State) -> Option<Node<Self>> {
        match state {
            State::Building => {
                Some(node(async |cx| shell(&cx, "date").await.map(|log| Event::Built { log })))
            }
            State::Asking => Some(node(ask)),
            State::Publishing => Some(node(async |cx| shell(&cx, "true").await.map(|_| Event::Published))),
            State::Done => None,
        }
    }
}

async fn shell(cx: &Cx<Release>, line: &str) -> Result<String, Fault> {
    Ok(cx.step("run", &RunCommand::repeatable(line)).await?.output)
}

async fn ask(cx: Cx<Release>) -> Result<Event, Fault> {
    let question = Question::yes_no(cx.read(|log| format!("{log}Publish, rather than build again?")));
    Ok(if cx.ask::<bool>("publish", question).await?.value { Event::Yes } else { Event::No })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let home = std::env::args().nth(1).ok_or("which folder is its home?")?;
    let engine = Engine::open(home.as_ref(), baton_workflows::effects(&Default::default()))?;
    let run =
        engine.store.find("last").or_else(|_| engine.start::<Release>(&String::new(), Default::default()))?;
    while engine.drive::<Release>(&run, Drive::default(), &mut ()).await? == End::Waiting {
        let open = engine.store.questions(Some(&run))?.remove(0);
        write!(std::io::stderr(), "{} (yes or no) ", open.question.text)?;
        let typed = std::io::stdin().lines().next().ok_or("nobody answered; run it again to go on")??;
        engine.store.answer(&run, &open.key, &open.question.read(&typed), "you", engine.clock.now())?;
    }
    Ok(writeln!(std::io::stderr(), "{run}: {}", engine.store.run(&run)?.state)?)
}
