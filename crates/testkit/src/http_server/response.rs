//! What a server answers, well behaved or not.

use std::io::{self, Read, Write};
use std::net::TcpStream;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::tap::Tap;

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
    /// The beginning of a page, then nothing until the other side hangs up.
    Stalls,
    /// A good answer of this content type that goes on for ever: one space after each [`super::HttpServer::drip`].
    Drips(String),
    /// A good answer of this content type that goes on for ever, as fast as it can.
    Flood(String),
    /// A text that says it is this long and begins to be sent.
    Huge(u64),
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

    /// An HTML page in UTF-8.
    #[must_use]
    pub fn html(page: &str) -> Self {
        Self::ok("text/html; charset=utf-8", page)
    }

    /// An HTML page, gzip-packed.
    #[must_use]
    pub fn gzip(page: &str) -> Self {
        Self::packed(page.len() as u64, page.as_bytes())
    }

    /// A small gzip body that unpacks to this many bytes.
    #[must_use]
    pub fn gzip_bomb(bytes: u64) -> Self {
        Self::packed(bytes, io::repeat(b' '))
    }

    fn packed(bytes: u64, from: impl Read) -> Self {
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        // Writing to memory does not fail.
        let packed = io::copy(&mut from.take(bytes), &mut packer).and_then(|_| packer.finish());
        Self::ok("text/html; charset=utf-8", packed.unwrap_or_default()).with("Content-Encoding", "gzip")
    }

    /// A redirect to an address or path.
    #[must_use]
    pub fn redirect(to: &str) -> Self {
        Self::status(302).with("Location", to)
    }

    /// Too busy, with this `Retry-After`.
    #[must_use]
    pub fn busy(until: &str) -> Self {
        Self::status(429).with("Retry-After", until)
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

    /// Sends it; endless ones end with an error when the client hangs up.
    pub(super) fn send(self, mut writer: &TcpStream, reader: &mut impl Read, tap: &Tap) -> io::Result<()> {
        match self {
            Self::Whole { status, headers, body } => {
                let lines: String =
                    headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
                head(writer, status, &format!("{lines}Content-Length: {}\r\n", body.len()))?;
                writer.write_all(&body)
            }
            Self::Silence => hang_up(reader),
            Self::Stalls => {
                head(writer, 200, "Content-Type: text/html\r\nContent-Length: 1000\r\n")?;
                writer.write_all(b"<p>The beginning of")?;
                hang_up(reader)
            }
            Self::Drips(kind) => {
                head(writer, 200, &format!("Content-Type: {kind}\r\n"))?;
                while tap.wait() {
                    writer.write_all(b" ")?;
                }
                Ok(())
            }
            Self::Flood(kind) => {
                head(writer, 200, &format!("Content-Type: {kind}\r\n"))?;
                for_ever(writer)
            }
            Self::Huge(length) => {
                head(writer, 200, &format!("Content-Type: text/plain\r\nContent-Length: {length}\r\n"))?;
                for_ever(writer)
            }
        }
    }
}

fn head(mut writer: &TcpStream, status: u16, headers: &str) -> io::Result<()> {
    write!(writer, "HTTP/1.1 {status} Scripted\r\n{headers}Connection: close\r\n\r\n")
}

fn for_ever(mut writer: &TcpStream) -> io::Result<()> {
    loop {
        writer.write_all(&[b' '; 8192])?;
    }
}

/// Returns when the client hangs up.
fn hang_up(reader: &mut impl Read) -> io::Result<()> {
    reader.read_to_end(&mut Vec::new()).map(drop)
}
