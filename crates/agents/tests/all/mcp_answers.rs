//! What tools of published MCP servers return; where each answer comes from is said in `tests/providers/README.md`.

use std::sync::Arc;

use baton_agents::clock::RealClock;
use baton_agents::search::Query;
use baton_agents::search::mcp::McpCard;
use baton_agents::search::web::Finder as _;
use baton_testkit::mcp_server::Act;
use serde_json::json;

use crate::mcp::{Scripted, block_on, find, lines, text};

fn fixture(name: &str) -> String {
    std::fs::read_to_string(format!("{}/tests/providers/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The hits in a text, as lines of title, address and snippet.
fn found(answer: &str) -> Vec<String> {
    lines(&find(&Act::Answer(text(answer))).0.unwrap())
}

#[test]
fn lists_written_for_a_reader_are_read() {
    assert_eq!(
        found(&fixture("mcp-searxng.txt")),
        [
            "Briefing on refrigerants for the heat-pump network | http://harlund.example/refrigerants-briefing.html | …what they are and why Harlund uses ammonia Briefing for members of the city council, answering question 2024/77 of 5 September 2024. The problem A heat pump needs a refrigerant that boils at a low temperature. Many of the…",
            "River heat for the harbour: Quayside plant opened - Venna Courier | http://harlund.example/news-quayside-opening.html | …Ammonia instead of synthetic gases As at Northgate, the refrigerant is ammonia. Tomas Rind, managing director of Harlund Heat, said that the company had decided against synthetic refrigerants because of their effect on the climate and because of the stricter…",
        ]
    );
    assert_eq!(
        found(&fixture("duckduckgo-mcp-server.txt")),
        [
            "Transformer (deep learning) | https://en.wikipedia.org/wiki/Transformer_(deep_learning) | In deep learning, the transformer is an architecture based on attention.",
            "Transformers explained | https://example.org/transformers | Every word is weighed against every other.",
        ]
    );
    assert_eq!(
        found(&fixture("tavily-mcp.txt")),
        [
            "Transformers explained | https://example.org/transformers | Every word is weighed against every other. A second paragraph of the same page, see https://example.org/other.",
            "Another | https://example.net/a | Short.",
        ]
    );
    assert_eq!(
        found(
            "Results:\n\n- [One](https://a.example/1) - the first\n- [Two](https://a.example/2): the second\n  - with a point\n"
        ),
        ["One | https://a.example/1 | the first", "Two | https://a.example/2 | the second with a point"]
    );
}

#[test]
fn finding_nothing_is_an_answer() {
    assert!(found(&fixture("mcp-searxng-none.txt")).is_empty());
    assert!(found(r#"{"query": "zzzqq", "results": []}"#).is_empty());
    let (answer, _) = find(&Act::Answer(text(r#"{"message": "try later"}"#)));
    assert_eq!(answer.unwrap_err().detail, "its tool returned text that names no address");
}

#[test]
fn a_page_begins_with_its_own_words() {
    let scripted =
        Scripted::new(&Act::Answer(text(&fixture("mcp-server-fetch.txt"))), Arc::new(RealClock::new()));
    let page = block_on(scripted.server.read("http://harlund.example/refrigerants-briefing.html")).unwrap();
    let page = String::from_utf8(page.body).unwrap();
    assert!(page.starts_with("## Refrigerants: what they are"), "{page}");
}

#[test]
fn arguments_of_the_configuration_go_with_every_call() {
    let constant = |card: McpCard| McpCard {
        search_arguments: [("num_results".to_owned(), json!(5))].into_iter().collect(),
        read_arguments: [("max_length".to_owned(), json!(100_000))].into_iter().collect(),
        ..card
    };
    let act = Act::Answer(text("A page at https://a.example/"));
    let scripted = Scripted::with(&act, Arc::new(RealClock::new()), constant);
    block_on(async {
        scripted.server.find(&Query::new("dues", 3)).await.unwrap();
        scripted.server.read("https://a.example/").await.unwrap();
    });
    let told = scripted.told();
    assert!(told.contains(r#""arguments":{"num_results":5,"query":"dues"}"#), "{told}");
    assert!(told.contains(r#""arguments":{"max_length":100000,"url":"https://a.example/"}"#), "{told}");
}
