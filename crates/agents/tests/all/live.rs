//! Three skills asked of a real, weak model: plain, streamed, with and without an enforced schema. What it
//! gets wrong must be caught; what is believed must be true. Started by `scripts/live/models`.

use std::sync::Arc;

use baton_agents::clock::{Clock, RealClock};
use baton_agents::model::secret::{EnvKeys, Keys};
use baton_agents::model::{
    Bounds, Finish, Limits, Message, ModelCall, ModelCard, Models, OutputSchema, Price, Provider, Speaker,
    Structured,
};
use baton_agents::skill::{
    Answer, AskRequest, Budget, By, DirectPort, ExtractFacts, Outcome, Reading, Role, Skill, Summarize,
    ToSummarize, YesNo, YesNoQuestion, ask,
};

use serde_json::{Value, json};

const TEXT: &str = "Ada Lovelace was born in London in 1815. In 1843 she published notes on the Analytical \
                    Engine of Charles Babbage. The notes hold a table for computing Bernoulli numbers, which \
                    many call the first program. She died in 1852.";

fn card(name: &str, stream: bool, structured: Structured) -> ModelCard {
    ModelCard {
        name: name.to_owned(),
        provider: Provider::OpenAi,
        base_url: std::env::var("BATON_LIVE_URL").expect("run scripts/live/models"),
        model: "smollm2".to_owned(),
        key_env: None,
        price: Some(Price::FREE),
        context_tokens: 4096,
        max_output_tokens: 160,
        temperature: Some(0.0),
        structured,
        stream,
        limits: Limits { at_once: 2, ..Limits::default() },
        on_this_machine: true,
        may_see_documents: true,
    }
}

/// What came of one ask, in a line, and how many wrong answers were caught on the way.
fn report<T: serde::Serialize>(how: &str, skill: &str, answer: &Answer<T>) -> usize {
    let caught = answer.tries.iter().filter(|t| matches!(t.outcome, Outcome::Bad(_))).count();
    let who = if answer.by == By::Rules { "rules" } else { "model" };
    let output = serde_json::to_string(&answer.output).unwrap();
    println!(
        "{how:>8} {skill:<14} by {who}, {caught} wrong caught, {} tokens: {output}",
        answer.usage().output
    );
    for one in &answer.tries {
        if let Outcome::Bad(problems) = &one.outcome {
            println!("{:>25} {}", "caught:", problems[0]);
        }
        if let Outcome::Fault(fault) = &one.outcome {
            panic!("the server failed: {fault}");
        }
    }
    caught
}

async fn one<S: Skill>(port: &DirectPort, role: &Role, input: &S::Input) -> Answer<S::Output> {
    let question = AskRequest { key: &role.name, input, carries_documents: true };
    ask::<S>(port, role, question).await.unwrap()
}

#[tokio::test]
async fn a_weak_model_is_used_and_not_believed() {
    let clock: Arc<dyn Clock> = Arc::new(RealClock::new());
    let keys: Arc<dyn Keys> = Arc::new(EnvKeys);
    let ways = [
        ("plain", card("plain", false, Structured::Instruction)),
        ("streamed", card("streamed", true, Structured::Instruction)),
        ("schema", card("schema", true, Structured::Schema)),
    ];
    let models = Models::over_http(ways.iter().map(|(_, c)| c.clone()), &keys, &clock).unwrap();
    let port = DirectPort::new(models, clock, Budget { microusd: Some(0), ..Budget::default() }, [7; 32]);
    let (mut caught, mut by_model) = (0, 0);
    for (how, card) in ways {
        let role = Role { name: how.to_owned(), chain: vec![card], rules: true };
        let text = TEXT.to_owned();

        let input = ToSummarize { text: text.clone(), sentences: 2 };
        let answer = one::<Summarize>(&port, &role, &input).await;
        caught += report(how, "summarize", &answer);
        by_model += usize::from(answer.by != By::Rules);
        assert!(answer.output.quotes.iter().all(|q| TEXT.contains(q.as_str())));

        let input =
            YesNoQuestion { question: "Was Ada Lovelace born in Paris?".to_owned(), text: text.clone() };
        let answer = one::<YesNo>(&port, &role, &input).await;
        caught += report(how, "yes_no", &answer);
        by_model += usize::from(answer.by != By::Rules);
        assert!(TEXT.contains(&answer.output.quote));

        let input = Reading { question: "When was Ada Lovelace born?".to_owned(), text, most: 2 };
        let answer = one::<ExtractFacts>(&port, &role, &input).await;
        caught += report(how, "extract_facts", &answer);
        by_model += usize::from(answer.by != By::Rules);
        assert!(answer.output.facts.iter().all(|f| TEXT.contains(&f.quote)));
    }
    println!("nine asks: {by_model} answered by the model, {caught} wrong answers caught");
    assert!(caught > 0, "a model this weak does not get everything right");
}

/// The server enforces the shape; nothing enforces the truth.
#[tokio::test]
async fn a_schema_gives_the_shape_whole_and_streamed() {
    let clock: Arc<dyn Clock> = Arc::new(RealClock::new());
    let keys: Arc<dyn Keys> = Arc::new(EnvKeys);
    let models = Models::over_http([card("m", true, Structured::Schema)], &keys, &clock).unwrap();
    let text = "Text: Ada Lovelace was born in London in 1815. Extract name, year born and city as JSON.";
    let short = json!({"type": "string", "maxLength": 40});
    let schema = json!({
        "type": "object", "required": ["name", "born", "city"],
        "properties": {"name": short, "born": {"type": "integer"}, "city": short},
    });
    let mut said = Vec::new();
    for stream in [false, true] {
        let call = ModelCall {
            model: "m".to_owned(),
            role: "live".to_owned(),
            skill: "person".to_owned(),
            step: "person".to_owned(),
            prompt_hash: String::new(),
            messages: vec![Message { speaker: Speaker::User, text: text.to_owned() }],
            schema: Some(OutputSchema { name: "person".to_owned(), schema: schema.clone() }),
            max_tokens: 120,
            temperature: Some(0.0),
            stream,
            carries_documents: false,
            bounds: Bounds::default(),
        };
        let reply = models.perform(&call, &()).await.unwrap();
        println!("stream={stream}: {} ({:?})", reply.text, reply.usage);
        let value: Value = serde_json::from_str(&reply.text).unwrap();
        assert!(value["name"].is_string() && value["born"].is_i64() && value["city"].is_string());
        assert!(!reply.usage.estimated && reply.usage.output > 0 && reply.finish == Finish::Stop);
        let truth = if value["born"] == 1815 { "right" } else { "wrong, and the shape did not prevent it" };
        println!("{:>25} the year is {truth}", "");
        said.push(value);
    }
    assert_eq!(said[0], said[1], "at temperature 0 both ways say the same");
}
