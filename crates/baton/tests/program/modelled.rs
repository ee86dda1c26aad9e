//! A home with a scripted model server beside it, and a key in the environment that must show up nowhere.

use std::path::Path;

use baton_testkit::model_server::ModelServer;
use tokio::runtime::{Builder, Runtime};

use crate::support::{Home, Output};

/// The key of the model `m`. Whatever the program prints or keeps, this is not in it.
pub const SECRET: &str = "sk-live-5d1f0c9a7e";

/// An input for the skill `summarize`.
pub const NOTE: &str = "text = \"Ada Lovelace was born in London in 1815. She wrote notes on the Analytical \
                        Engine.\"\nsentences = 2\n";

/// A good answer to it.
pub const GOOD: &str =
    r#"{"summary": "Ada was born in 1815.", "quotes": ["Ada Lovelace was born in London in 1815."]}"#;

/// A home, a server, and a configuration that leads from one to the other.
pub struct Modelled {
    pub home: Home,
    pub server: ModelServer,
    // Last, so that the server is gone before it.
    _runtime: Runtime,
}

impl Modelled {
    pub fn new() -> Self {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let server = runtime.block_on(ModelServer::start()).expect("a server");
        server.answer(|_| GOOD.to_owned());
        let home = Home::new();
        home.write("note.toml", NOTE);
        Self { home, server, _runtime: runtime }
    }

    /// The section of a model at the server.
    pub fn model(&self, name: &str, more: &str) -> String {
        model_at(&self.server.v1(), name, more)
    }

    /// Writes the project's file and trusts it.
    pub fn configure(&self, text: &str) {
        self.home.write("baton.toml", text);
        let said = self.baton(&["trust", "--yes"]);
        assert_eq!(said.code, Some(0), "{said:?}");
    }

    /// One model `m` that has its key and its price, and the default role that asks it.
    pub fn with_m(self) -> Self {
        let model = self.model("m", "key_env = \"OPENAI_API_KEY\"\nprice = { input = 1, output = 4 }");
        self.configure(&format!("{model}[roles]\ndefault = [\"m\"]\n"));
        self
    }

    /// Runs the program with the key in its environment.
    pub fn baton(&self, words: &[&str]) -> Output {
        let output = self.home.command(words).env("OPENAI_API_KEY", SECRET).output().expect("it runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        let said = Output { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
        assert!(!said.out.contains(SECRET) && !said.err.contains(SECRET), "{words:?} tells the key");
        said
    }

    /// Asks for a summary of the note.
    pub fn ask(&self, more: &[&str]) -> Output {
        self.baton(&[&["ask", "summarize", "--input", "note.toml"], more].concat())
    }
}

/// The section of a model at an address.
pub fn model_at(address: &str, name: &str, more: &str) -> String {
    format!("[models.{name}]\nprovider = \"openai\"\nbase_url = \"{address}\"\nmodel = \"large\"\n{more}\n")
}

/// The files below a folder that hold these bytes, and how many were looked at.
pub fn holding(folder: &Path, wanted: &str) -> (Vec<String>, usize) {
    let (mut found, mut seen) = (Vec::new(), 0);
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            let (more, count) = holding(&path, wanted);
            found.extend(more);
            seen += count;
        } else if path.is_file() {
            let bytes = std::fs::read(&path).expect("readable");
            seen += 1;
            if bytes.windows(wanted.len()).any(|window| window == wanted.as_bytes()) {
                found.push(path.display().to_string());
            }
        }
    }
    (found, seen)
}
