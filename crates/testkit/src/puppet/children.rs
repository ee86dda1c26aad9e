//! Puppets that begin puppets.

use baton_engine::{Child, ChildEnd, ChildEnding, Cx, Fault, Share, Spend};
use serde::{Deserialize, Serialize};

use super::{Do, Puppet, Script, say};

/// A child of a puppet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// Its name.
    pub name: String,
    /// What it is told to do.
    pub script: Script,
    /// What it gets if there is that much.
    pub wish: Spend,
    /// What it must get.
    pub least: Spend,
}

/// A child that spends nothing.
pub fn child(name: &str, script: Script) -> Order {
    Order { name: name.to_owned(), script, wish: Spend::NONE, least: Spend::NONE }
}

impl Order {
    async fn begin<const CODE: u32>(&self, cx: &Cx<Puppet<CODE>>) -> Result<Child, Fault> {
        let share = Share::new(self.wish, self.least);
        cx.start_child(self.name.as_str(), "puppet", &self.script, share).await
    }
}

fn ended(name: &str, end: &ChildEnd) -> String {
    let how = match end.ending {
        ChildEnding::Finished(outcome) => format!("{outcome:?}"),
        ChildEnding::Cancelled => "Cancelled".to_owned(),
    };
    format!("{name}: {how} {}", end.output)
}

/// Carries out what has to do with children.
pub(super) async fn perform<const CODE: u32>(cx: &Cx<Puppet<CODE>>, instruction: Do) -> Result<(), Fault> {
    match instruction {
        Do::Children(orders) => {
            let mut children = Vec::new();
            for order in &orders {
                children.push(order.begin(cx).await?);
            }
            for (child, end) in children.iter().zip(cx.wait_children(&children).await?) {
                say(cx, ended(&child.name, &end)).await?;
            }
        }
        Do::First(orders) => {
            let mut children = Vec::new();
            for order in &orders {
                children.push(order.begin(cx).await?);
            }
            if let Some((which, end)) = cx.wait_any(&children).await? {
                say(cx, ended(&children[which].name, &end)).await?;
                children.remove(which);
            }
            for child in &children {
                cx.cancel_child(child).await?;
                let end = cx.wait_child(child).await?;
                say(cx, ended(&child.name, &end)).await?;
            }
        }
        Do::Orphan(order) => drop(order.begin(cx).await?),
        Do::Stranger(workflow) => {
            let child = cx.start_child("stranger", &workflow, &(), Share::NONE).await?;
            let words = match cx.wait_child(&child).await {
                Ok(end) => ended("stranger", &end),
                Err(fault) => fault.to_string(),
            };
            say(cx, words).await?;
        }
        Do::Nest(deep) if deep > 0 => {
            let script: Script = vec![vec![Do::Nest(deep - 1)]];
            let words = match child("nested", script).begin(cx).await {
                Ok(child) => ended("nested", &cx.wait_child(&child).await?),
                Err(fault) => fault.to_string(),
            };
            say(cx, words).await?;
        }
        _ => {}
    }
    Ok(())
}
