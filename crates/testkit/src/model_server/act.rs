//! What the server does with one request.

/// How one request is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Says this text, as a good server would.
    Say(String),
    /// Says this text and stops at the token limit.
    CutAtLimit(String),
    /// Declines in the provider's own way.
    Refuse,
    /// Repeats the question, orders hidden in it included.
    Echo,
    /// Says this text a word at a time, each word only after [`crate::ModelServer::drip`].
    Drip(String),
    /// Misbehaves.
    Fail(Fault),
}

/// How a request is answered badly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Takes the request and never answers.
    StallBeforeAnswer,
    /// Begins the answer and never goes on.
    StallInAnswer,
    /// Closes the connection in the middle of the answer.
    CutConnection,
    /// 429 with `Retry-After` in seconds, if any.
    TooMany(Option<u32>),
    /// 500.
    Internal,
    /// 503 with a page of HTML.
    Unavailable,
    /// 401, with the key it was given in the text.
    BadKeyEchoed,
    /// 400: cannot enforce the schema.
    SchemaRefused,
    /// 400: too long.
    ContextTooLong,
    /// 404: no such model.
    NoSuchModel,
    /// 200 and a web page.
    WebPage,
    /// 200, JSON by name, not by content.
    NotJson,
    /// 200, a stream whose first event is no JSON and holds the key.
    BadEvent,
    /// 200, JSON, but of another shape.
    OtherShape,
}
