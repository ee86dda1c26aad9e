//! A browser for tests: chromedriver, spoken to in plain HTTP. Where there is none, tests say so and look at nothing.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// How long an answer may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Browser {
    driver: Child,
    /// Kept open: a driver that cannot write ends.
    _said: BufReader<ChildStdout>,
    port: u16,
    session: String,
}

impl Browser {
    /// A browser, or `None` with a message where none is installed.
    pub fn start() -> Option<Self> {
        let mut driver = match Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
        {
            Ok(driver) => driver,
            Err(error) => {
                eprintln!(
                    "skipped: no chromedriver ({error}); install the packages chromium and chromium-driver"
                );
                return None;
            }
        };
        let mut said = BufReader::new(driver.stdout.take().unwrap());
        let mut port = 0;
        let mut line = String::new();
        while port == 0 && said.read_line(&mut line).unwrap() > 0 {
            // It first repeats what it was told, port 0, and then says which one it got.
            port = line
                .trim()
                .rsplit_once("on port ")
                .and_then(|(_, port)| port.trim_end_matches('.').parse().ok())
                .unwrap_or(0);
            line.clear();
        }
        let mut browser = Self { driver, _said: said, port, session: String::new() };
        let root = Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.starts_with(b"0\n"));
        let mut arguments = vec!["--headless=new", "--disable-gpu", "--window-size=900,800"];
        if root {
            arguments.push("--no-sandbox");
        }
        let wanted = json!({"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": {"args": arguments}}}});
        let answer = browser.call("POST", "/session", &wanted);
        browser.session = answer["sessionId"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        Some(browser)
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            let line = line.trim().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            length =
                line.strip_prefix("content-length:").map_or(length, |length| length.trim().parse().unwrap());
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let answer: Value = serde_json::from_slice(&body).unwrap();
        answer["value"].clone()
    }

    fn ask(&self, path: &str, body: &Value) -> Value {
        let answer = self.call("POST", &format!("/session/{}{path}", self.session), body);
        assert!(answer.get("error").is_none(), "{path}: {answer}");
        answer
    }

    pub fn open(&self, path: &std::path::Path) {
        self.ask("/url", &json!({"url": format!("file://{}", path.display())}));
    }

    /// Runs a script in the page, whatever its content policy.
    pub fn run(&self, script: &str) -> Value {
        self.ask("/execute/sync", &json!({"script": script, "args": []}))
    }

    pub fn text(&self, script: &str) -> String {
        self.run(script).as_str().unwrap_or_default().to_owned()
    }

    /// Presses a key, as a keyboard does.
    pub fn press(&self, key: &str) {
        let key = match key {
            "ArrowLeft" => "\u{e012}",
            "ArrowRight" => "\u{e014}",
            "Home" => "\u{e011}",
            "End" => "\u{e010}",
            "Escape" => "\u{e00c}",
            "Enter" => "\u{e007}",
            other => panic!("{other}"),
        };
        let actions = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        self.ask("/actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]}));
    }

    /// Moves the pointer to a place of the window; clicks there if told.
    pub fn point(&self, x: f64, y: f64, click: bool) {
        let mut actions = vec![
            json!({"type": "pointerMove", "duration": 0, "x": x.round(), "y": y.round(), "origin": "viewport"}),
        ];
        if click {
            actions.extend([
                json!({"type": "pointerDown", "button": 0}),
                json!({"type": "pointerUp", "button": 0}),
            ]);
        }
        self.ask("/actions", &json!({"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]}));
    }

    /// Goes into the first frame of the page.
    pub fn enter_frame(&self) {
        self.ask("/frame", &json!({"id": 0}));
    }

    pub fn resize(&self, width: u32, height: u32) {
        let command = json!({"cmd": "Emulation.setDeviceMetricsOverride",
            "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}});
        self.ask("/goog/cdp/execute", &command);
    }

    /// Looks as on paper, or in the dark.
    pub fn emulate(&self, media: &str, scheme: &str) {
        let command = json!({"cmd": "Emulation.setEmulatedMedia",
            "params": {"media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]}});
        self.ask("/goog/cdp/execute", &command);
    }

    /// What the page complained of: refused scripts, errors.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.ask("/se/log", &json!({"type": "browser"}));
        log.as_array().unwrap().iter().map(|line| line["message"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
            self.call("DELETE", &format!("/session/{}", self.session), &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
