//! The kind of answer a question wants, told from its words. English first; German, French, Spanish, Italian, Dutch and
//! Portuguese by their question words.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::super::language::Language;
use super::super::words::{fold, word_ranges};

/// What would answer a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A number, with its unit or what it counts.
    Number,
    /// An amount of money.
    Money,
    /// A part of a whole: percent, "two thirds".
    Share,
    /// A day, a year, a time of day, or the event it hangs on.
    Date,
    /// How long, how often.
    Duration,
    /// A person or a body of persons.
    Person,
    /// A place, a folder, a file.
    Place,
    /// One of a set, by its name: an option, a command, a material.
    Name,
    /// Yes or no, and under which condition.
    YesNo,
    /// What something is.
    Definition,
    /// Several things.
    List,
    /// What to do.
    Steps,
    /// Why, or what for.
    Reason,
    /// How two things differ.
    Comparison,
    /// Anything about the subject.
    Free,
}

impl Kind {
    /// Is the answer a value that stands in the sentence as digits or number words?
    #[must_use]
    pub fn is_value(self) -> bool {
        matches!(self, Self::Number | Self::Money | Self::Share | Self::Date | Self::Duration)
    }
}

/// In this order: the first that fits decides.
const KINDS: &[(Kind, &str)] = &[
    (
        Kind::Comparison,
        r"\b(differs?|difference|differences|different from|compared? (to|with)|versus|vs|better than|worse than|safer than|faster than|rather than|instead of|unterschied|unterschiede|unterscheiden|unterscheidet|différences?|diffère|diferencias?|differenza|verschil|diferença)\b",
    ),
    (
        Kind::Reason,
        r"\b(why|what for|benefits?|advantages?|reasons?|rationale|what (causes|caused|makes|made|keeps|prevents|stops|is gained)|what (is|was) the (point|use|purpose|cause)|warum|weshalb|wieso|wozu|pourquoi|por qué|perché|waarom|por que)\b",
    ),
    // "What does the option do with a plain file?" asks for no option.
    (Kind::Definition, r"^what (does|do) .{2,80}\b(do|mean|stand for)\b"),
    (
        Kind::Name,
        r"^(which|what) ([\w-]+ ){0,3}(option|argument|parameter|function|command|pragma|setting|flag|method|module|directive|variable|field|header|keyword)s?\b",
    ),
    // "How do I ask for the price of an item?" wants no price.
    (Kind::Steps, r"^how (do|can|should|would|might|must|could) (i|you|we|one)\b"),
    (
        Kind::Share,
        r"\b((what|which) (share|percentage|proportion|fraction|part|percent)|how many percent|how large (a|is the) (share|part|proportion)|percentage|welcher anteil|wie viel prozent|wieviel prozent|prozentsatz|quelle (part|proportion)|quel pourcentage|qué (porcentaje|proporción|parte)|quale percentuale|welk percentage|que percentagem)\b",
    ),
    (
        Kind::Money,
        r"\b(how (much|expensive)\b.*\b(costs?|pay|paid|pays|charged?|earn|spend|spent|price|fee|worth|owe)|what (does|do|did|will|would) .{2,80} costs?|(what|which|how high) (is|are|was|were) the ([\w-]+ ){0,3}(price|prices|fee|fees|tariff|salary|budget|rent|fare|fine|wage|revenue|turnover|grant|deposit)|how (large|high|big) (is|was) the ([\w-]+ ){0,2}(fee|fine|budget|grant|deposit|price|salary)|price of|cost of|(wie ?viel|was) (kostet|kosten|bezahlt|zahlt)|wie hoch (ist|sind|war) (die|der|das) [\w-]*(gebühr|gebühren|preis|kosten|miete|strafe|lohn|gehalt)|combien (coûte|coûtent|coûtait|paie|faut-il payer)|quel est le (prix|coût|tarif)|cuánto (cuesta|cuestan|costó|vale)|cuál es el (precio|coste|costo)|quanto (costa|costano|custa)|hoeveel kost)\b",
    ),
    (
        Kind::Duration,
        r"\b(how (long|soon|quickly|often|frequently|old)|(how many|within how many|after how many|for how many) (seconds|minutes|hours|days|weeks|months|years)|what ([\w-]+ ){0,2}(delay|timeout|interval|period|duration|frequency)|wie (lange|oft|alt|schnell)|combien de (temps|jours|mois|années|fois|semaines|heures)|quelle est la durée|cuánto tiempo|cuánt[oa]s (días|años|meses|semanas|horas|veces)|con qué frecuencia|quanto tempo|hoe (lang|vaak|oud))\b",
    ),
    (
        Kind::Date,
        r"^(since |until |by |from )?when (was|were|did|is|are|does|do|will|must|has|have|had|may|can)\b|\b(what|which) ([\w-]+ ){0,1}(date|day|year|month|time of day)\b|\b(in|since|until|by|on) (which|what) (year|date|day|month)|\bat what time\b|\bdeadline\b|^(seit |bis |ab )?wann\b|\bin welchem jahr\b|^(depuis |jusqu'à |de )?quand\b|\bà quelle date\b|\ben quelle année\b|^(desde |hasta )?cuándo\b|\ben qué (año|fecha|día)\b|^quando\b|^wanneer\b",
    ),
    (
        Kind::Number,
        r"\b(how (many|much|big|large|high|deep|wide|small|far|fast|tall|heavy|hot|cold|loud|strong|reliable|late)|what (factor|number|port|rate|length|value|size|temperature)|what (is|was|are|were) the ([\w'-]+ ){0,4}(number|size|limit|length|height|depth|width|weight|capacity|temperature|pressure|speed|rate|distance|area|population|age|level|volume|mass|density|maximum|minimum|average|mean|boiling point|melting point|voltage|power|output|efficiency|factor|ratio|count|score|default of|exit code|port)|(boiling|melting|freezing|flash) point|(maximum|minimum|largest|smallest|highest|lowest|longest|shortest|default) ([\w-]+ ){0,2}(number|size|length|value|limit|temperature|depth|level)|which (uids|ports?|numbers?|versions?|exit code)|wie (viele?|hoch|groß|gross|schwer|weit|tief|breit|warm|kalt|schnell|stark|laut)|combien|cuánt[oa]s?|quant[oiae]|hoeveel|quel est le nombre|à quelle (température|hauteur|vitesse|distance))\b",
    ),
    (
        Kind::Person,
        r"^(by |from |to |for )?(who|whom|whose)\b|\b(which|what) (person|people|author|company|organi[sz]ation|team|body|office|authority|committee|department)\b|^(wer|wem|wen|wessen)\b|^(par |à |de )?qui\b|^(por |a |de )?quién(es)?\b|^(da |a |di )?chi\b|^wie (is|was|heeft) de\b|^(por |a |de )?quem\b",
    ),
    (
        Kind::Place,
        r"^(from |to )?where\b|\b(in|at|on|to|from) (which|what) (country|city|town|place|folder|directory|file|street|district|region|room|building)\b|\b(which|what) (folder|directory|file|path)\b|^(wo|woher|wohin)\b|^(d')?où\b|^(de |a |en )?dónde\b|^(di |da )?dove\b|^waar\b|^(de |a |em )?onde\b",
    ),
    (
        Kind::Steps,
        r"^how (do|can|should|would|to|might|must|could)\b|\bhow (do|can|should|does|could) (i|you|we|one|a|an|the)\b|\bis there (a|any) way\b|\bwhat (can|should|must|do) (be done|i do|one do|you do|we do|have to be done)\b|\bwhat steps\b|^wie (kann|muss|soll|könn|mache|wird|werden|lässt|bekomm)|^wie [\wäöüß]+ (ich|man|wir)\b|^comment (faire|puis|peut|dois|doit|est|sont|on)\b|^cómo (se|puedo|puede|debo|hago)\b|^come (si|posso|faccio)\b|^hoe (kan|moet|doe)\b|^como (se|posso|faço)\b",
    ),
    (
        Kind::List,
        r"\b(what|which) (are|were) (the|all|some)\b|\b(list|name|enumerate) (the|all|some)\b|\bwhat (kinds|types|sorts|options|ways|forms|parts|steps|rights|duties)\b|\bwhich ([\w-]+ ){0,2}(methods|options|types|kinds|fields|values|languages|countries|conditions|requirements|rights|duties|formats|commands|functions)\b|\bwelche (arten|möglichkeiten|rechte|pflichten)\b|\bwas sind die\b|\bquel(le)?s sont (les|la|le)\b|\bcuáles son\b|\bquali sono\b",
    ),
    (
        Kind::Name,
        r"\b(which|what) ([\w-]+ ){0,3}(option|argument|parameter|function|command|pragma|setting|flag|method|module|directive|variable|class|type|level|strategy|priority|field|header|keyword|material|refrigerant|program|tool|package|name|language|format|colour|color|key)\b|^what (is|are|was|were) the default\b|^(which|in which|on which|from which|with which|under which|for which)\b|\b(qué|quelle|welcher|welche) (versión|version)\b|^welche[rsnm]?\b|^quel(le)?\b|^((con|en|a|de|por|para|desde) )?(qué|cuál)\b|^quale\b|^welke?\b|^qual\b|\bwhat (is|are) .{1,60} called\b|\bhow is .{1,60} called\b",
    ),
    (
        Kind::Definition,
        r"^what('s| is| are| was| were)\b|^what does\b.*\b(mean|stand for|do)\b|^define\b|\bmeaning of\b|\bmeant by\b|^(was ist|was sind|was bedeutet|was heißt)\b|^qu'est-ce|^que signifie\b|^qué (es|son|significa)\b|^(che )?cos'è\b|^wat (is|zijn|betekent)\b|^o que é\b",
    ),
    // "Que se passe-t-il": not every verb before its subject asks for yes or no.
    (Kind::Free, r"^(que |qu'|qu’)"),
    (
        Kind::YesNo,
        r"^(is|are|does|do|did|can|may|must|should|has|have|had|was|were|will|could|would|am)\b|^(ist|sind|war|waren|kann|können|darf|dürfen|muss|müssen|soll|sollte|hat|haben|wird|werden|gibt es|gilt)\b|^(est-ce|est-il|peut-on|y a-t-il|faut-il|doit-on|puis-je)|^[^,?]*\b\w+-(t-)?(il|elle|ils|elles|on)\b|^¿?(es|son|está|puede|puedo|hay|debe|se puede|tiene)\b|^(è|sono|può|si può|c'è)\b|^(mag|moet|kan|heeft)\b",
    ),
];

static TABLE: LazyLock<Vec<(Kind, Regex)>> = LazyLock::new(|| {
    let compiled = |(kind, text): &(Kind, &str)| Some((*kind, Regex::new(&format!("(?i){text}")).ok()?));
    KINDS.iter().filter_map(compiled).collect()
});

/// The kind of answer a question wants.
pub(super) fn of(question: &str) -> Kind {
    let text = question.trim().trim_start_matches(['¿', '"', '\'', '«', '„', '“']).trim_start();
    let kind = TABLE.iter().find(|(_, regex)| regex.is_match(text)).map_or(Kind::Free, |(kind, _)| *kind);
    // "Was zeigt die Liste?" opens as an English question for yes or no does.
    let german = kind == Kind::YesNo && text.get(..4).is_some_and(|first| first.eq_ignore_ascii_case("was "));
    if german && Language::of_question(question) == Language::German { Kind::Free } else { kind }
}

/// Plurals that do not end with an s.
const PLURALS: &[&str] = &[
    "people",
    "men",
    "women",
    "children",
    "feet",
    "teeth",
    "mice",
    "data",
    "staff",
    "personnel",
    "sheep",
    "criteria",
    "media",
    "personen",
    "leute",
];

/// What is counted: the first plural behind "how many"; empty when nothing is, as in "how much memory".
pub(super) fn head(question: &str, kind: Kind, language: Language) -> String {
    let words: Vec<String> = word_ranges(question).map(|range| fold(&question[range])).collect();
    let pair = |a: &str, b: &[&str]| {
        words.windows(2).position(|pair| pair[0] == a && b.contains(&pair[1].as_str())).map(|at| at + 2)
    };
    let start = match kind {
        Kind::Number | Kind::Duration | Kind::Share => pair("how", &["many"])
            .or_else(|| pair("number", &["of"]))
            .or_else(|| pair("wie", &["viele"]))
            .or_else(|| words.iter().position(|word| word == "wieviele").map(|at| at + 1))
            .or_else(|| pair("combien", &["de", "d"]))
            .or_else(|| {
                words.iter().position(|word| ["cuantos", "cuantas"].contains(&word.as_str())).map(|at| at + 1)
            }),
        _ => None,
    };
    let Some(start) = start else { return String::new() };
    let behind = || words[start.min(words.len())..].iter().take_while(|word| !language.is_stop(word)).take(4);
    let plural = |word: &&String| {
        (word.ends_with('s') && !word.ends_with("ss") && word.len() > 3)
            || (language == Language::French && word.ends_with('x'))
            || PLURALS.contains(&word.as_str())
    };
    // "Combien de mémoire" wants an amount, and nothing is counted.
    let any = || behind().next().filter(|_| language != Language::French);
    let head = if language == Language::German { any() } else { behind().find(plural).or_else(any) };
    head.cloned().unwrap_or_default()
}

/// A word that measures: "MW" in a question is no name.
pub(super) fn is_unit(word: &str) -> bool {
    [
        "kwh", "mwh", "gwh", "kw", "mw", "gw", "km", "kg", "gb", "mb", "kb", "tb", "gib", "mib", "kib", "hz",
        "ghz", "mhz", "eur", "usd", "db", "co2", "utc", "i", "api", "id",
    ]
    .contains(&word)
        || is_month(word)
}

/// A month or a day of the week.
pub(super) fn is_month(word: &str) -> bool {
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ]
    .contains(&word)
}
