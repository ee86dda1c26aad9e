//! What the server does with one request. Everything that can go wrong is a value, and every value is in a list,
//! so that a test can pick any of them.

/// How one request is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Says this text, as a good server would.
    Say(String),
    /// Says this text and counts its tokens so.
    Count(String, Counts),
    /// Says this text with the key it was given somewhere in the answer.
    Leak(String, Leak),
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

impl Act {
    /// Every way to misbehave while saying `text`, for tests that pick one by chance.
    #[must_use]
    pub fn misbehaving(text: &str) -> Vec<Self> {
        let counts = Counts::ALL.iter().map(|counts| Self::Count(text.to_owned(), *counts));
        let leaks = Leak::ALL.iter().map(|leak| Self::Leak(text.to_owned(), *leak));
        let faults = Fault::ALL.iter().map(|fault| Self::Fail(*fault));
        faults.chain(counts).chain(leaks).chain([Self::Refuse, Self::CutAtLimit(text.to_owned())]).collect()
    }
}

/// How a server counts the tokens of a good answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Not at all.
    Missing,
    /// `null` where the counts should be.
    Null,
    /// A text where the counts should be.
    NoObject,
    /// Every count as text: `"12"`.
    Text,
    /// Every count below zero.
    Negative,
    /// Every count with a fraction.
    Fraction,
    /// Every count zero.
    Zero,
    /// Every count one, however long the text.
    One,
    /// As many as a number can hold.
    Huge,
    /// Right, and all of the question from the cache.
    AllCached,
    /// Right, and more from the cache than there is.
    MoreCached,
    /// Nothing read, and all of it from the cache.
    OnlyCached,
    /// Right, and a price of its own of a cent, where the shape has one.
    Dear,
    /// Right, and a price of its own of nothing.
    Gratis,
    /// Right, and a price below nothing.
    NegativePrice,
}

impl Counts {
    /// Every way to count.
    pub const ALL: [Self; 15] = [
        Self::Missing,
        Self::Null,
        Self::NoObject,
        Self::Text,
        Self::Negative,
        Self::Fraction,
        Self::Zero,
        Self::One,
        Self::Huge,
        Self::AllCached,
        Self::MoreCached,
        Self::OnlyCached,
        Self::Dear,
        Self::Gratis,
        Self::NegativePrice,
    ];
}

/// Where a server writes the key it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leak {
    /// As the name of the model, in an otherwise good answer.
    Model,
    /// As the id of the answer.
    Id,
    /// As the reason why it stopped.
    Finish,
    /// In the answer's text.
    Text,
    /// In the answer's text, one half in each of two pieces.
    SplitText,
    /// In the answer's text, base64 as in a header.
    Base64,
    /// As the type of its content.
    ContentType,
    /// In an error inside a good answer.
    Error,
    /// In the words of a refusal, where the cut of a long text would leave half of it.
    Refusal,
    /// As a name inside a refusal of no known shape.
    RefusalName,
    /// In a body that is no JSON.
    Body,
}

impl Leak {
    /// Every place.
    pub const ALL: [Self; 11] = [
        Self::Model,
        Self::Id,
        Self::Finish,
        Self::Text,
        Self::SplitText,
        Self::Base64,
        Self::ContentType,
        Self::Error,
        Self::Refusal,
        Self::RefusalName,
        Self::Body,
    ];
}

/// What a server writes into `Retry-After`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// So many seconds.
    Seconds(u32),
    /// Half a minute from now, as a date.
    DateIn30s,
    /// A date long past.
    LongAgo,
    /// The end of the year 9999.
    Year9999,
    /// The largest number of 64 bits.
    Largest,
    /// More digits than any number type has.
    Endless,
    /// Below zero.
    Negative,
    /// No number and no date.
    Words,
}

impl Wait {
    /// Every wish; one of each kind.
    pub const ALL: [Self; 8] = [
        Self::Seconds(7),
        Self::DateIn30s,
        Self::LongAgo,
        Self::Year9999,
        Self::Largest,
        Self::Endless,
        Self::Negative,
        Self::Words,
    ];

    /// The header's text. Dates count from [`Self::DATE`], which the same answer carries.
    #[must_use]
    pub fn header(self) -> String {
        match self {
            Self::Seconds(seconds) => seconds.to_string(),
            Self::DateIn30s => "Tue, 03 Jun 2025 08:00:30 GMT".to_owned(),
            Self::LongAgo => "Thu, 01 Jan 1970 00:00:00 GMT".to_owned(),
            Self::Year9999 => "Fri, 31 Dec 9999 23:59:59 GMT".to_owned(),
            Self::Largest => u64::MAX.to_string(),
            Self::Endless => "9".repeat(400),
            Self::Negative => "-30".to_owned(),
            Self::Words => "a while".to_owned(),
        }
    }

    /// The server's `Date`.
    pub const DATE: &str = "Tue, 03 Jun 2025 08:00:00 GMT";
}

/// How a request is answered badly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Takes the request and never answers.
    StallBeforeAnswer,
    /// Begins the answer and never goes on.
    StallInAnswer,
    /// Begins the answer and then only shows that it lives, for ever: once after each [`crate::ModelServer::drip`].
    DripForever,
    /// Begins the answer and then shows that it lives as fast as it can, for ever.
    Flood,
    /// Closes the connection in the middle of the answer.
    CutConnection,
    /// Begins the answer and then reports an error in it.
    ErrorInAnswer,
    /// 429 with `Retry-After` in seconds, if any.
    TooMany(Option<u32>),
    /// 429 with any `Retry-After`.
    Asks(Wait),
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

impl Fault {
    /// Every fault; one of each kind.
    pub const ALL: [Self; 26] = [
        Self::StallBeforeAnswer,
        Self::StallInAnswer,
        Self::DripForever,
        Self::Flood,
        Self::CutConnection,
        Self::ErrorInAnswer,
        Self::TooMany(None),
        Self::TooMany(Some(3)),
        Self::Asks(Wait::Seconds(7)),
        Self::Asks(Wait::DateIn30s),
        Self::Asks(Wait::LongAgo),
        Self::Asks(Wait::Year9999),
        Self::Asks(Wait::Largest),
        Self::Asks(Wait::Endless),
        Self::Asks(Wait::Negative),
        Self::Asks(Wait::Words),
        Self::Internal,
        Self::Unavailable,
        Self::BadKeyEchoed,
        Self::SchemaRefused,
        Self::ContextTooLong,
        Self::NoSuchModel,
        Self::WebPage,
        Self::NotJson,
        Self::BadEvent,
        Self::OtherShape,
    ];
}
