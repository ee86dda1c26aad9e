//! `scripts/bridge`: prompts and answers as files, and what it recorded played back, by itself and by the scripted server.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use baton_testkit::model_server::Recording;

use crate::modelled::{GOOD, Modelled, NOTE, model_at};
use crate::support::{Home, Output};

/// A running bridge; it ends with the test.
struct Bridge {
    child: Child,
    lines: BufReader<ChildStdout>,
    address: String,
}

impl Drop for Bridge {
    fn drop(&mut self) {
        // It may have ended by itself, which is what this is for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Bridge {
    fn start(folder: &Path, more: &[&str]) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/bridge");
        let mut child = Command::new("python3")
            .arg(script)
            .arg(folder)
            .args(["--port", "0", "--settle", "0.1"])
            .args(more)
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 runs the bridge");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
        let address = line(&mut lines).strip_prefix("bridge: ").expect("its address").to_owned();
        Self { child, lines, address }
    }
}

fn line(lines: &mut impl BufRead) -> String {
    let mut line = String::new();
    lines.read_line(&mut line).expect("a line");
    line.trim_end().to_owned()
}

fn configure(home: &Home, address: &str) {
    let model = model_at(address, "m", "local = true");
    home.write("baton.toml", &format!("{model}[roles]\ndefault = [\"m\"]\n"));
    home.write("note.toml", NOTE);
    assert_eq!(home.baton(&["trust", "--yes"]).code, Some(0));
}

fn ask(home: &Home, note: &str) -> Output {
    home.baton(&["ask", "summarize", "--input", note, "--json"])
}

#[test]
fn a_person_can_be_the_model_and_is_asked_once() {
    let home = Home::new();
    let desk: PathBuf = home.desk().join("answers");
    let mut bridge = Bridge::start(&desk, &[]);
    configure(&home, &bridge.address);
    let asking = home.spawn(&["ask", "summarize", "--input", "note.toml", "--json"]);
    let told = line(&mut bridge.lines);
    assert!(told.starts_with("001 summarize: answer it in ") && told.ends_with("001.answer.txt"), "{told}");
    let prompt = std::fs::read_to_string(desk.join("001.prompt.md")).expect("a prompt");
    assert!(prompt.contains("Ada Lovelace was born in London") && prompt.contains("JSON schema"), "{prompt}");
    std::fs::write(desk.join("part"), GOOD).expect("written");
    std::fs::rename(desk.join("part"), desk.join("001.answer.txt")).expect("put in place");
    let (status, out, err) = asking.end();
    assert!(status.success() && out.contains("Ada was born in 1815."), "{out} {err}");

    // Asked again, with another fence: the answer is known, also after a restart.
    assert!(ask(&home, "note.toml").out.contains("Ada was born in 1815."));
    let again = Bridge::start(&desk, &[]);
    configure(&home, &again.address);
    assert!(ask(&home, "note.toml").out.contains("Ada was born in 1815."));
    assert!(!desk.join("002.prompt.md").exists());

    // What was recorded plays back, and nothing else does.
    let traffic = desk.join("traffic.jsonl");
    home.write("other.toml", &NOTE.replace("London", "Paris"));
    let replayed =
        Bridge::start(&home.desk().join("replayed"), &["--replay", traffic.to_str().expect("text")]);
    configure(&home, &replayed.address);
    assert!(ask(&home, "note.toml").out.contains("Ada was born in 1815."));
    let said = ask(&home, "other.toml");
    assert!(
        said.code != Some(0) && said.err.contains("the recording has no answer to this prompt"),
        "{said:?}"
    );
    let modelled = Modelled::new();
    let text = std::fs::read_to_string(traffic).expect("traffic");
    modelled.server.replay(Recording::read(&text).expect("a recording"));
    configure(&modelled.home, &modelled.server.v1());
    modelled.home.write("other.toml", &NOTE.replace("London", "Paris"));
    assert!(ask(&modelled.home, "note.toml").out.contains("Ada was born in 1815."));
    assert_ne!(ask(&modelled.home, "other.toml").code, Some(0));
}

#[test]
fn the_bridge_answers_no_web_page() {
    let home = Home::new();
    let bridge = Bridge::start(&home.desk().join("answers"), &[]);
    let port = bridge.address.trim_start_matches("http://").trim_end_matches("/v1").to_owned();
    for (host, origin) in [(port.as_str(), "Origin: http://evil.example\r\n"), ("evil.example", "")] {
        use std::io::{Read, Write};
        let mut socket = std::net::TcpStream::connect(&port).expect("a connection");
        let request = format!(
            "POST /v1/chat/completions HTTP/1.0\r\nHost: {host}\r\n{origin}Content-Length: 2\r\n\r\n{{}}"
        );
        socket.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        socket.read_to_string(&mut answer).expect("an answer");
        assert!(answer.contains(" 403 "), "{answer}");
    }
}
