//! A server on a free loopback port that answers each request as a function says: status, headers and body, or
//! silence. It keeps every request with its headers, so that a test can say what was sent and what was not.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::tap::Tap;

/// One request as it came.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// `GET`, `POST`…
    pub method: String,
    /// The path without its query.
    pub path: String,
    /// What stands after the question mark, as sent.
    pub query: String,
    /// Names in lower case, in the order of sending.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Request {
    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// What to answer.
#[derive(Debug, Clone)]
pub enum Response {
    /// A whole answer.
    Whole {
        /// Its status.
        status: u16,
        /// Its headers; the length is added.
        headers: Vec<(String, String)>,
        /// Its body.
        body: Vec<u8>,
    },
    /// Nothing, until the other side hangs up.
    Silence,
    /// A good answer of this content type that goes on for ever: one space after each [`HttpServer::drip`].
    Drips(String),
    /// A good answer of this content type that goes on for ever, as fast as it can.
    Flood(String),
}

impl Response {
    /// A good answer of a content type.
    #[must_use]
    pub fn ok(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::Whole {
            status: 200,
            headers: vec![("Content-Type".to_owned(), content_type.to_owned())],
            body: body.into(),
        }
    }

    /// Only a status.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self::Whole { status, headers: Vec::new(), body: Vec::new() }
    }

    /// The same with one more header.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        if let Self::Whole { headers, .. } = &mut self {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }
}

type Answering = dyn Fn(&Request) -> Response + Send + Sync;

/// A running server; it closes when dropped.
pub struct HttpServer {
    address: SocketAddr,
    closed: Arc<AtomicBool>,
    tap: Arc<Tap>,
    requests: Arc<Mutex<Vec<Request>>>,
    accepting: Option<JoinHandle<()>>,
}

impl HttpServer {
    /// Starts a server that answers as `answer` says.
    pub fn start(answer: impl Fn(&Request) -> Response + Send + Sync + 'static) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let (closed, requests) = (Arc::<AtomicBool>::default(), Arc::<Mutex<Vec<Request>>>::default());
        let answer: Arc<Answering> = Arc::new(answer);
        let tap = Arc::<Tap>::default();
        let (stop, kept, dripping) = (Arc::clone(&closed), Arc::clone(&requests), Arc::clone(&tap));
        let accepting = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let (answer, kept, tap) = (Arc::clone(&answer), Arc::clone(&kept), Arc::clone(&dripping));
                // A client that hangs up early is part of the tests; nobody waits for this thread's result.
                std::thread::spawn(move || serve(&stream, answer.as_ref(), &kept, &tap));
            }
        });
        Ok(Self { address, closed, tap, requests, accepting: Some(accepting) })
    }

    /// `host:port`.
    #[must_use]
    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// The address of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Lets so many more drips of dripping answers go out.
    pub fn drip(&self, drips: usize) {
        self.tap.drip(drips);
    }

    /// Every request so far, in order of arrival.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::SeqCst);
        self.tap.close();
        // Wakes the accepting thread, which then sees that the server is closed.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.accepting.take() {
            drop(thread.join());
        }
    }
}

fn serve(stream: &TcpStream, answer: &Answering, kept: &Mutex<Vec<Request>>, tap: &Tap) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    let request = read(&mut reader)?;
    kept.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
    match answer(&request) {
        Response::Whole { status, headers, body } => {
            let lines: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status} Scripted\r\n{lines}Content-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            let mut writer = stream;
            writer.write_all(head.as_bytes())?;
            writer.write_all(&body)
        }
        Response::Drips(kind) => {
            let mut writer = stream;
            begin(writer, &kind)?;
            while tap.wait() {
                writer.write_all(b" ")?;
            }
            Ok(())
        }
        // Ends with an error when the client hangs up.
        Response::Flood(kind) => {
            let mut writer = stream;
            begin(writer, &kind)?;
            loop {
                writer.write_all(&[b' '; 8192])?;
            }
        }
        // Returns when the client hangs up.
        Response::Silence => reader.read_to_end(&mut Vec::new()).map(drop),
    }
}

/// The head of an answer without a length.
fn begin(mut writer: &TcpStream, kind: &str) -> io::Result<()> {
    write!(writer, "HTTP/1.1 200 Scripted\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n")
}

fn read(reader: &mut impl BufRead) -> io::Result<Request> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut parts = line.split(' ');
    let method = parts.next().unwrap_or_default().to_owned();
    let target = parts.next().unwrap_or_default().to_owned();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let mut request =
        Request { method, path: path.to_owned(), query: query.to_owned(), ..Request::default() };
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.trim().split_once(':') {
            request.headers.push((name.to_lowercase(), value.trim().to_owned()));
        }
    }
    let length = request.header("content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    request.body = String::from_utf8_lossy(&body).into_owned();
    Ok(request)
}
