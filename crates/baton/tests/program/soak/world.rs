//! The home and the servers of a soak. Every run has a model, a site and an MCP server under names of its own, so that
//! what a server saw can be told apart by run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use baton_testkit::http_server::{HttpServer, Request, Response};
use baton_testkit::mcp_server;
use baton_testkit::model_server::{Act, Asked, Chance, Faults, ModelServer};
use serde_json::json;

use crate::debate::{self, PANEL};
use crate::modelled::{Modelled, SECRET};
use crate::research::{HEADLINE, corpus};
use crate::research_web;

/// Of a thousand answers of a model so many go wrong, and as many of the site.
const BAD: u64 = 120;

/// What a run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Three agents and a judge, all of them models.
    Debate,
    /// Documents, with a model before the rules.
    Documents,
    /// The site and an MCP server, with a model before the rules.
    Web,
    /// Commands, one of which may not be repeated.
    Approval,
}

impl Kind {
    /// The kind of a run; debates make the most calls.
    pub fn of(chance: &mut Chance) -> Self {
        [Self::Debate, Self::Debate, Self::Documents, Self::Documents, Self::Web, Self::Approval]
            [chance.below(6)]
    }
}

/// A home among servers that misbehave by chance.
pub struct World {
    pub modelled: Modelled,
    pub site: HttpServer,
    /// What the site did wrong, by kind.
    pub site_faults: Arc<Mutex<BTreeMap<String, usize>>>,
}

impl World {
    pub fn start(seed: u64) -> Self {
        let modelled = Modelled::new();
        modelled.server.answer(good_answer);
        modelled.server.faults(Faults::new(seed, BAD, Act::misbehaving("{}")));
        let pages = research_web::pages();
        let chance = Mutex::new(Chance::new(seed ^ 0x517e));
        let site_faults = Arc::<Mutex<BTreeMap<String, usize>>>::default();
        let told = Arc::clone(&site_faults);
        let site = HttpServer::start(move |request| {
            let bad = bad_page(&mut chance.lock().expect("whole"));
            let Some((name, response)) = bad.filter(|_| request.path != "/robots.txt") else {
                return good_page(request, &pages);
            };
            *told.lock().expect("whole").entry(format!("site {name}")).or_default() += 1;
            response
        });
        let panel = format!("terminationCondition = {{ type = \"fixed\" }}\n{PANEL}");
        modelled.home.write("panel.toml", &panel);
        Self { modelled, site: site.expect("a site"), site_faults }
    }

    /// The server of all models.
    pub fn server(&self) -> &ModelServer {
        &self.modelled.server
    }

    /// Where the journal is.
    pub fn kept(&self) -> PathBuf {
        self.modelled.home.path()
    }

    /// The folder of what belongs to one run alone.
    pub fn own(&self, number: u64) -> PathBuf {
        self.modelled.home.desk().join(format!("own-{number}"))
    }

    /// Makes what a run needs: its configuration and its plan.
    pub fn prepare(&self, number: u64, chance: &mut Chance) {
        let own = self.own(number);
        let settings = own.join(".config/baton");
        std::fs::create_dir_all(&settings).expect("a folder");
        let (model, site) = (self.modelled.server.v1(), self.site.url(&format!("/{number}")));
        let mcp =
            research_web::toml_list(&mcp_server::arguments(&mcp_act(chance), &path(&own.join("mcp.log"))));
        let settings_text = format!(
            "[models.m]\nprovider = \"openai\"\nbase_url = \"{model}\"\nmodel = \"large-{number}\"\n\
             key_env = \"OPENAI_API_KEY\"\nlocal = true\nprice = {{ input = 1, output = 4 }}\n\
             limits = {{ idle_seconds = 1, max_bytes = 200000 }}\n[roles]\ndefault = [\"m\"]\n\
             [search.town]\nprovider = \"searxng\"\nbase_url = \"{site}\"\nper_minute = 60000\ntimeout_seconds = 1\n\
             [mcp.tool]\ncommand = \"sh\"\nargs = {mcp}\nsearch_tool = \"find\"\ntimeout_seconds = 1\n\
             max_bytes = 100000\nper_minute = 60000\n"
        );
        std::fs::write(settings.join("baton.toml"), settings_text).expect("written");
        let done = path(&own.join("done"));
        let command = |name: &str, more: &str| {
            format!("{{ name = \"{name}\", run = \"echo {name} >> {done}; sleep 0.4; echo {name}\"{more} }}")
        };
        let stages = [("check", ", repeatable = true"), ("publish", ""), ("tell", ", repeatable = true")];
        let stages = stages.map(|(stage, more)| {
            let commands = ["one", "two", "three"].map(|name| command(&format!("{stage}-{name}"), more));
            format!(
                "[[stages]]\nname = \"{stage}\"\nask = \"Go on?\"\ncommands = [{}]\n",
                commands.join(", ")
            )
        });
        let plan = format!("title = \"{} a plan\"\n{}", title(number), stages.concat());
        std::fs::write(own.join("plan.toml"), plan).expect("written");
    }

    /// The words that start a run.
    pub fn words(&self, number: u64, kind: Kind) -> Vec<String> {
        let title = title(number);
        let research = format!("{title} {HEADLINE}");
        let words = match kind {
            Kind::Debate => {
                vec!["debate", "Where do we store the jobs?", "--config", "panel.toml", "--rounds", "4"]
            }
            Kind::Documents => vec!["research", &research, "--model", "m,rules", "--yes"],
            Kind::Web => vec!["research", &research, "--sources", "town,tool", "--model", "m,rules", "--yes"],
            Kind::Approval => vec!["start", "approval", "plan.toml", "--yes"],
        };
        let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        match kind {
            Kind::Debate => words[1] = format!("{title} {}", words[1]),
            Kind::Documents => words.extend(["--docs".to_owned(), corpus()]),
            Kind::Web => words.extend(["--allow-private".to_owned(), self.site.host()]),
            Kind::Approval => words[2] = path(&self.own(number).join("plan.toml")),
        }
        words
    }

    /// The program on behalf of one run: its own configuration, the shared home, the key.
    pub fn command(&self, number: u64, words: &[String]) -> Command {
        let own = self.own(number);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut command = self.modelled.home.command(&words);
        let errors = std::fs::File::options().create(true).append(true).open(own.join("errors"));
        command.env("HOME", own).env("OPENAI_API_KEY", SECRET);
        command.stdout(Stdio::piped()).stderr(errors.expect("a file"));
        command
    }

    /// Ends the servers and keeps the folder for a person to look at.
    pub fn leave(self) -> PathBuf {
        let desk = self.modelled.home.desk();
        let kept = desk.parent().expect("a folder").to_owned();
        std::mem::forget(self);
        kept
    }
}

/// How the title of a run begins. No word, for research would look for it.
pub fn title(number: u64) -> String {
    format!("[{number}]")
}

fn path(path: &Path) -> String {
    path.display().to_string()
}

fn good_answer(asked: &Asked) -> String {
    match debate::skill(asked) {
        skill if skill.starts_with("debate_") => debate::agreeable(asked),
        _ => r#"{"gaps": []}"#.to_owned(),
    }
}

/// Below the number of a run lies the whole site.
fn good_page(request: &Request, pages: &BTreeMap<String, String>) -> Response {
    let mut request = request.clone();
    let host = request.header("host").unwrap_or_default().to_owned();
    if let Some((number, rest)) = request.path.clone().trim_start_matches('/').split_once('/') {
        let below = format!("{host}/{number}");
        request.path = format!("/{rest}");
        request
            .headers
            .iter_mut()
            .filter(|(name, _)| name == "host")
            .for_each(|(_, value)| value.clone_from(&below));
    }
    research_web::answer(&request, pages)
}

fn bad_page(chance: &mut Chance) -> Option<(&'static str, Response)> {
    if chance.next_u64() % 1000 >= BAD {
        return None;
    }
    let bad = [
        ("500", Response::status(500)),
        ("503", Response::status(503).with("Retry-After", "1")),
        ("429", Response::status(429).with("Retry-After", "2")),
        ("page", Response::ok("text/html", "<html>Please sign in</html>")),
        ("nonsense", Response::ok("application/json", "{\"results\": [{}, 7, null]}")),
        ("flood", Response::Flood("text/html".to_owned())),
        ("silence", Response::Silence),
    ];
    Some(bad[chance.below(bad.len())].clone())
}

fn mcp_act(chance: &mut Chance) -> mcp_server::Act {
    let nothing = json!({"content": [{"type": "text", "text": "[]"}]}).to_string();
    let acts = [
        mcp_server::Act::Answer(nothing.clone()),
        mcp_server::Act::Hang,
        mcp_server::Act::Flood,
        mcp_server::Act::LongLine,
        mcp_server::Act::Crash,
        mcp_server::Act::Pry(nothing),
        mcp_server::Act::Refuse("no".to_owned()),
    ];
    acts[chance.below(acts.len())].clone()
}
