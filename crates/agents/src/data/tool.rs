//! A page of data from a tool of an MCP server.

use serde_json::{Map, Value};

use super::card::{DataCard, Paging};
use super::{At, Drawn, next_number, records};
use crate::search::mcp::McpServer;
use crate::search::web::{WebFault, WebFaultKind};

pub(super) async fn draw(
    card: &DataCard,
    server: &McpServer,
    tool: &str,
    arguments: &Map<String, Value>,
    at: &At,
) -> Result<Drawn, WebFault> {
    let mut arguments = arguments.clone();
    match (at, &card.pages) {
        (At::Number(number), Some(Paging::Number { parameter, .. })) => {
            arguments.insert(parameter.clone(), Value::from(*number));
        }
        (At::First, Some(Paging::Number { parameter, first, .. })) => {
            arguments.insert(parameter.clone(), Value::from(*first));
        }
        (At::Cursor(cursor), Some(Paging::Cursor { parameter, .. })) => {
            arguments.insert(parameter.clone(), Value::from(cursor.as_str()));
        }
        _ => {}
    }
    let text = server.data(tool, arguments).await?;
    let read = records::read(text.as_bytes(), card.format, &card.path, card.pages.as_ref())
        .map_err(|why| WebFault::new(&card.name, WebFaultKind::Unreadable, why))?;
    let next = read.next.or_else(|| next_number(card, at, read.records));
    Ok(Drawn { bytes: read.bytes, records: read.records, next })
}
