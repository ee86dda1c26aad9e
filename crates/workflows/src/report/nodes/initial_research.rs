//! initial_research: looks into the tables, brings the index of the documents up to date, and searches once.

use baton_engine::{Cx, Fault};

use crate::report::acts::ProfileData;
use crate::report::brief::{tags, title_of};
use crate::report::context::{KeyFact, file_name};
use crate::report::query::Query;
use crate::report::remote;
use crate::report::{Context, Event, Order, Report};
use crate::retrieval::{self, PrepareDocs, Reading, Search};

pub async fn run(cx: Cx<Report>) -> Result<Event, Fault> {
    let order = cx.read(|memory| memory.order.clone());
    let query = Query::read(&order.query);
    let mut context = Context {
        tags: tags(&order.query).into_iter().map(|(tag, _)| tag).collect(),
        preliminary_questions: query.asked.iter().flat_map(|asked| asked.questions.clone()).collect(),
        ..Context::default()
    };
    let drawn = remote::draw(&cx, order.remote.as_ref()).await?;
    let files = [order.data.clone(), drawn.files].concat();
    if !files.is_empty() {
        let act = ProfileData { files, tables: order.tables.clone() };
        match cx.step("profile", &act).await {
            Ok(profiled) => {
                context.kept = Some(profiled.kept);
                context.hashes = profiled.hashes;
                context.tables_toml = profiled.tables;
                context.profiles = profiled.profiles;
            }
            Err(Fault::Failed { text, .. }) => {
                context.notes.push(format!("the data could not be read: {text}"));
            }
            Err(fault) => return Err(fault),
        }
    }
    context.profiles.refused.extend(drawn.refused);
    context.notes.extend(drawn.notes);
    context.look_at_tables();
    if order.has_documents() {
        documents(&cx, &order, &mut context).await?;
    }
    match nothing(&order, &context) {
        Some(why) => Ok(Event::NothingFound { why }),
        None => Ok(Event::ContextGathered { context: Box::new(context) }),
    }
}

/// Why there is nothing to report on: no table could be read and there are no documents.
fn nothing(order: &Order, context: &Context) -> Option<String> {
    if order.has_documents() || context.profiles.tables.iter().any(|table| table.rows > 0) {
        return None;
    }
    let refused = context.profiles.refused.first();
    let why = refused.map(|it| format!("{}: {}", file_name(&it.file), it.reason.trim_end_matches('.')));
    let empty = || context.notes.first().cloned().unwrap_or_else(|| "the tables have no rows".to_owned());
    Some(format!("none of the data can be used ({})", why.unwrap_or_else(empty)))
}

/// A first search, for what the query is about.
async fn documents(cx: &Cx<Report>, order: &Order, context: &mut Context) -> Result<(), Fault> {
    let scope = order.scope();
    if !scope.folders.is_empty() {
        let prepared = cx.step("prepare", &PrepareDocs { folders: scope.folders.clone() }).await?;
        context.documents = prepared.documents;
        context.notes.extend(prepared.left_out.into_iter().map(|file| format!("left out: {file}")));
    }
    let about = title_of(order);
    let search = Search {
        id: "first",
        query: order.words(&about),
        focus: Vec::new(),
        searcher: &order.roles.searcher,
    };
    let found = retrieval::search(cx, &scope, &search).await?;
    let reading = Reading {
        id: "i1",
        part: 0,
        question: about.clone(),
        query: order.words(&about),
        weight: 0.3,
        leads: found.leads,
        reader: &order.roles.reader,
    };
    let read = retrieval::read(cx, &scope, &reading).await?;
    for fact in read.facts.iter().take(5) {
        let source = read.sources.iter().find(|card| card.key() == fact.fact.source);
        context.key_facts.push(KeyFact {
            fact: fact.fact.statement.clone(),
            source: source.map(|card| card.shown.clone()).unwrap_or_default(),
        });
    }
    context.notes.extend(read.notes);
    (context.sources, context.facts) = (read.sources, read.facts);
    Ok(())
}
