//! A run that waits for a yes and then pays, in two versions: in the second the waiting state has another name.

use std::path::PathBuf;

use baton_bench_engine::Append;
use baton_engine::{Cx, Fault, Node, Question, Work, node};
use baton_machine::{Kind, Outcome, Row, Workflow, events, transitions, words};
use serde::{Deserialize, Serialize};

/// What an order is started with: the file that is marked when it is paid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bill {
    /// The file.
    pub file: PathBuf,
}

macro_rules! order {
    ($module:ident, $waiting:literal) => {
        /// One version.
        pub mod $module {
            use super::{Append, Bill, Cx, Fault, Kind, Node, Outcome, Question, Row, Work, Workflow, events, node, transitions, words};

            words! { pub enum State { Wait = $waiting, Pay = "PAY", Done = "DONE" } }
            events! { pub enum Event as On { Yes = "YES", Paid = "PAID" } }

            /// The workflow.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct Order;

            impl Workflow for Order {
                const NAME: &'static str = "order";
                const START: State = State::Wait;
                const TABLE: &'static [Row<Self>] = transitions! {
                    Wait + Yes  => Pay;
                    Pay  + Paid => Done;
                };
                type State = State;
                type On = On;
                type Event = Event;
                type Input = Bill;
                type Memory = Bill;
                fn begin(bill: &Bill) -> Bill {
                    bill.clone()
                }
                fn learn(_memory: &mut Bill, _event: &Event) {}
                fn kind(state: State) -> Kind {
                    match state {
                        State::Wait => Kind::Waits,
                        State::Pay => Kind::Works,
                        State::Done => Kind::Ends(Outcome::Completed),
                    }
                }
            }

            impl Work for Order {
                const CODE_VERSION: u32 = 1;
                fn node(state: State) -> Option<Node<Self>> {
                    match state {
                        State::Wait => Some(node(async |cx: Cx<Self>| {
                            let yes = serde_json::json!({"type": "boolean"});
                            cx.ask::<bool>("pay", Question::new("Pay?", yes)).await?;
                            Ok::<Event, Fault>(Event::Yes)
                        })),
                        State::Pay => Some(node(async |cx: Cx<Self>| {
                            let file = cx.read(|bill| bill.file.clone());
                            cx.step("pay", &Append { file }).await?;
                            Ok::<Event, Fault>(Event::Paid)
                        })),
                        State::Done => None,
                    }
                }
            }
        }
    };
}

order!(before, "WAIT");
order!(after, "AWAIT_APPROVAL");
