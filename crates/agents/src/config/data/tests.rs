use super::super::doctor::{KeyState, examine};
use super::super::tests::{config, mistake};
use crate::data::{DataFormat, DataPlace, Paging};
use crate::model::secret::GivenKeys;

const GOOD: &str = r#"
[data.orders]
url = "https://api.example.org/orders"
format = "json"
path = "result.items"
key_env = "ORDERS_KEY"
key_header = "x-api-key"
max_pages = 7
pages = { by = "number", step = 100, first = 0 }

[data.prices]
url = "https://api.example.org/prices.csv?from=2024"

[data.off]
enabled = false

[mcp.bank]
command = "bank-mcp"

[data.rates]
mcp = "bank"
tool = "rates"
arguments = { base = "EUR" }
"#;

#[test]
fn sources_of_data_become_cards() {
    let config = config(GOOD);
    assert_eq!(config.data.keys().collect::<Vec<_>>(), ["orders", "prices", "rates"]);
    let orders = &config.data["orders"];
    let paging = Paging::Number { parameter: "page".to_owned(), first: 0, step: 100 };
    assert_eq!((orders.pages.as_ref(), orders.limits.max_pages), (Some(&paging), 7));
    assert_eq!(config.data["prices"].format, DataFormat::Csv);
    let DataPlace::Tool { server, tool, .. } = &config.data["rates"].place else { panic!("no tool") };
    assert_eq!((server.name.as_str(), tool.as_str()), ("bank", "rates"));
    let exam = examine(&config, &GivenKeys::default());
    assert_eq!(exam.data[0].key, KeyState::Missing("ORDERS_KEY".to_owned()));
    assert_eq!(exam.data[2].place, "the tool rates of bank");
}

#[test]
fn what_makes_no_sense_is_told_with_its_place() {
    let url = "url = \"https://a.example/d.json\"\n";
    for (text, expected) in [
        ("format = \"json\"", "line 1, column 7: write either url, or mcp and tool: where the data are."),
        (
            "url = \"https://a.example/d\"",
            "the address does not say what it sends: write format (json, jsonl, csv).",
        ),
        ("url = \"ftp://a.example/d.csv\"", "write http or https"),
        ("url = \"https://a.example/d.csv?api_key=abc\"", "`api_key` looks like a key; keys go into key_env"),
        (
            "url = \"http://a.example/d.csv\"\nkey_env = \"K\"",
            "a key is not sent over plain http to another machine",
        ),
        (&format!("{url}key_header = \"x\""), "names the header of a key: write key_env too."),
        (&format!("{url}tool = \"t\""), "belongs to mcp, and this source has a url."),
        (&format!("{url}format = \"xml\""), "no format is called `xml`"),
        (&format!("{url}pages = {{ by = \"cursor\" }}"), "write at: where a page says what comes next"),
        (
            &format!("{url}pages = {{ by = \"luck\" }}"),
            "write by: \"number\", \"cursor\", or (for a url) \"link\".",
        ),
        (&format!("{url}pages = {{ by = \"number\", step = 0 }}"), "0 asks for the same page for ever."),
        (&format!("{url}max_bytes = 99_000_000_000"), "at most 33554432 are drawn from one source."),
        (&format!("{url}per_minute = 0"), "0 asks never; write enabled = false."),
        (&format!("{url}pace = 3"), "unknown key `pace` in [data.x]; known are: enabled, url,"),
        ("url = \"https://a.example/d.csv\"\npath = \"a\"", "only a JSON document has places to look into."),
        (
            "url = \"https://a.example/d.csv\"\npages = { by = \"number\" }",
            "only where they are JSON documents",
        ),
        ("mcp = \"nobody\"\ntool = \"t\"", "no MCP server is called `nobody`; add [mcp.nobody]."),
    ] {
        let told = mistake(&format!("[data.x]\n{text}"));
        assert!(told.contains(expected), "{text}: {told}");
    }
    let told = mistake("[data.\"../x\"]\nurl = \"https://a.example/d.csv\"");
    assert!(told.contains("letters, digits, _ and -"), "{told}");
}
