//! Children inside a try: begun once, waited for by any number of tickets, never left open when the node ends.

use serde_json::{Value, json};

use super::open::{Open, OpenChild};
use super::payload::wrap;
use super::requests::other_step;
use super::visit::Try;
use super::{Driver, Halt};
use crate::child::{self, ChildOrder, DEEPEST, Share};
use crate::cx::Branch;
use crate::host::{Op, OverChild};
use crate::record::{self, Body};
use crate::{Fault, Key, Spend, Work};

impl<W: Work> Driver<'_, W> {
    /// Begins a child, or finds the one that an earlier try began. The node is told its name at once.
    pub(super) fn take_child(
        &mut self,
        this: &mut Try<W>,
        (ticket, name): (u64, String),
        order: ChildOrder,
        branch: Option<&Branch>,
    ) -> Result<(), Halt> {
        self.claim_name(this, &name)?;
        let mut blobs = Vec::new();
        let input = wrap(order.input, &mut blobs);
        let key = self.key(&name);
        if let Some(known) = self.ledger.child(&name).cloned() {
            if (&known.begun.workflow, &known.begun.input) != (&order.workflow, &input) {
                let had = (known.begun.workflow.as_str(), &known.begun.input);
                return Err(other_step(&name, had, (&order.workflow, &input)));
            }
            this.mailbox.deliver(ticket, Ok(json!(known.begun.run)));
            return match known.ended {
                Some(_) => Ok(()),
                None => self.hold_child(this, &name, known.begun),
            };
        }
        if self.head.depth >= DEEPEST {
            let text = format!("runs may be nested {DEEPEST} deep, and this one is the last of them");
            this.mailbox.deliver(ticket, Err(Fault::Failed { key, text, attempts: 1 }));
            return Ok(());
        }
        let share = match self.script.front().map(|front| &front.record.body) {
            Some(Body::Denied(denied)) => Err(denied.short.clone()),
            Some(_) => Ok(Spend::NONE),
            None => order.share.grant(&self.head.purse, &self.head.settings.limits),
        };
        let share = match share {
            Ok(share) => share,
            Err(short) => {
                let denied = record::Denied { key: key.clone(), short: short.clone() };
                self.make(Body::Denied(denied), Vec::new())?;
                this.mailbox.deliver(ticket, Err(Fault::Budget { key, short }));
                return Ok(());
            }
        };
        let begun = record::ChildBegun {
            run: child::name_of(&self.head.run, &key),
            key,
            workflow: order.workflow,
            input,
            settings: Share::settings(share, &self.head.settings),
            share,
            branch: branch.map(|branch| branch.name.clone()),
        };
        let recorded = self.make(Body::Child(Box::new(begun)), blobs)?;
        if let Body::Child(begun) = recorded {
            this.mailbox.deliver(ticket, Ok(json!(begun.run)));
            self.hold_child(this, &name, *begun)?;
        }
        Ok(())
    }

    fn hold_child(&mut self, this: &mut Try<W>, name: &str, begun: record::ChildBegun) -> Result<(), Halt> {
        this.hold(name, Open::Child(Box::new(OpenChild { begun, cancelled: false })));
        Ok(self.submit_if_live(this, name)?)
    }

    /// Ties a ticket to a child that was begun, or tells at once how it ended.
    pub(super) fn await_child(&mut self, this: &mut Try<W>, ticket: u64, name: String) -> Result<(), Halt> {
        let Some(known) = self.ledger.child(&name).cloned() else {
            return Err(self.broken(&format!("waits for the child `{name}`, which it has not begun")));
        };
        match known.ended {
            Some(ended) => {
                let told = self.child_end(&ended)?;
                this.mailbox.deliver(ticket, told);
            }
            None => drop(this.tickets.insert(ticket, name)),
        }
        Ok(())
    }

    /// A child shall stop; its end comes as it would by itself.
    pub(super) fn cancel_child(&mut self, this: &mut Try<W>, ticket: u64, name: &str) -> Result<(), Halt> {
        if let Some(Open::Child(child)) = this.open.get_mut(name).map(|opened| &mut opened.what) {
            child.cancelled = true;
            self.submit_if_live(this, name)?;
        }
        this.mailbox.deliver(ticket, Ok(Value::Null));
        Ok(())
    }

    /// What the host is to do about a child.
    pub(super) fn child_op(&self, child: &OpenChild) -> Result<Op, crate::DriveError> {
        Ok(Op::Child {
            input: self.value(&child.begun.input)?,
            begun: child.begun.clone(),
            depth: self.head.depth + 1,
            cancelled: child.cancelled,
        })
    }

    /// The record of a child that is over.
    pub(super) fn child_over(&self, key: Key, over: OverChild) -> (Body, Vec<(crate::Hash, Vec<u8>)>) {
        let mut blobs = Vec::new();
        let (end, spend) = match over {
            Ok(end) => {
                let spent = end.spent;
                (Ok(wrap(serde_json::to_value(end).unwrap_or_default(), &mut blobs)), spent)
            }
            Err(why) => (Err(why), Spend::NONE),
        };
        (Body::ChildEnded(record::ChildEnded { key, end, spend }), blobs)
    }

    /// Everybody who waits for the child is told.
    pub(super) fn child_ended(&mut self, this: &mut Try<W>, ended: &record::ChildEnded) -> Result<(), Halt> {
        let told = self.child_end(ended)?;
        let name = &ended.key.name;
        this.open.remove(name);
        let waiting: Vec<u64> =
            this.tickets.iter().filter(|(_, held)| *held == name).map(|(ticket, _)| *ticket).collect();
        for ticket in waiting {
            this.tickets.remove(&ticket);
            this.mailbox.deliver(ticket, told.clone());
        }
        Ok(())
    }

    fn child_end(&self, ended: &record::ChildEnded) -> Result<Result<Value, Fault>, Halt> {
        Ok(match &ended.end {
            Ok(payload) => Ok(self.value(payload)?),
            Err(why) => Err(Fault::Failed { key: ended.key.clone(), text: why.clone(), attempts: 1 }),
        })
    }

    /// A node may not end while a child of its visit is open: nobody would ever hear of it.
    pub(super) fn leaves_no_child(&self, this: &Try<W>) -> Result<(), Halt> {
        let open = this.open.iter().find(|(_, opened)| matches!(opened.what, Open::Child(_)));
        match open {
            Some((name, _)) => Err(self
                .broken(&format!("ended while its child `{name}` was not over: wait for it or cancel it"))),
            None => Ok(()),
        }
    }
}
