//! What a reply is charged, whatever its server says of its tokens: never less than the text sent and received.

use baton_agents::model::{Price, Provider, Usage};
use baton_testkit::model_server::{Act, Counts, ModelServer};

use crate::common::{call, card, models};

/// Price: 1 a token read, a tenth of that from the cache, 4 a token written.
const PRICE: Price = Price { input: 1_000_000, output: 4_000_000, cached: Some(100_000) };
/// 23 bytes: the server counts 6 tokens, we would guess 8.
const TEXT: &str = "a plain answer of words";
const HUGE: u64 = 1 << 40;

/// Tokens read, of these cached, written; whether estimated; and what it costs.
type Charged = ((u64, u64, u64), bool, u64);

/// What each way of counting is charged. `guess` is our estimate for the question with its schema.
fn charged(counts: Counts, provider: Provider, guess: u64) -> Charged {
    let anthropic = provider == Provider::Anthropic;
    match counts {
        // What is no count, or one no tokenizer could have made, is our own.
        Counts::Missing
        | Counts::Null
        | Counts::NoObject
        | Counts::Text
        | Counts::Negative
        | Counts::Fraction
        | Counts::Zero
        | Counts::One => ((guess, 0, 8), true, guess + 32),
        Counts::OnlyCached => ((guess, 0, 6), true, guess + 24),
        Counts::Huge => ((HUGE, 0, HUGE), false, 1_000_000_000_000),
        // A discount is for what was read, at its own price, and no more.
        Counts::AllCached => ((6, 6, 6), false, 25),
        // Anthropic counts cached tokens beside the others, so more of them is more read.
        Counts::MoreCached if anthropic => ((6006, 6000, 6), false, 6 + 600 + 24),
        Counts::MoreCached => ((6, 6, 6), false, 25),
        // A price of the server's own only raises ours; the other shapes have none.
        Counts::Dear if provider == Provider::OpenAi => ((6, 0, 6), false, 10_000),
        Counts::Dear | Counts::Gratis | Counts::NegativePrice => ((6, 0, 6), false, 30),
    }
}

#[tokio::test]
async fn every_way_of_counting_is_charged_at_least_the_text() {
    for provider in [Provider::OpenAi, Provider::Anthropic, Provider::Gemini] {
        for stream in [false, true] {
            let server = ModelServer::start().await.unwrap();
            let mut card = card(&server, "m", provider);
            card.price = Some(PRICE);
            let models = models(&[card]);
            let call = call("m", stream);
            let sent: usize = call.messages.iter().map(|m| m.text.len()).sum();
            let schema = call.schema.as_ref().unwrap().schema.to_string().len();
            let guess = (sent + schema).div_ceil(3) as u64;
            for counts in Counts::ALL {
                server.script([Act::Count(TEXT.to_owned(), counts)]);
                let reply = models.perform(&call, &()).await.unwrap();
                let case = format!("{provider:?} stream={stream} {counts:?}");
                assert_eq!(reply.text, TEXT, "{case}");
                let Usage { input, cached, output, estimated } = reply.usage;
                let got: Charged = ((input, cached, output), estimated, reply.cost_microusd);
                assert_eq!(got, charged(counts, provider, guess), "{case}");
            }
        }
    }
}
