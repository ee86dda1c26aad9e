//! Words that say what is asked, in English, German and Russian. A star stands for any ending.

/// What a word does in a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sense {
    /// "average"
    Average,
    /// "median"
    Median,
    /// "total", "how much"
    Total,
    /// "highest", "most"
    Highest,
    /// "lowest", "least"
    Lowest,
    /// "how many", "number of"
    Count,
    /// "different", "unique"
    Different,
    /// "share", "percentage"
    Share,
    /// "change", "grow"
    Change,
    /// "trend", "over time"
    Trend,
    /// "seasonal"
    Season,
    /// "correlated"
    Correlation,
    /// "compare", "versus"
    Compare,
    /// "ratio"
    Ratio,
    /// "target"
    Target,
    /// "distribution", "spread"
    Distribution,
    /// "standard deviation"
    Deviation,
    /// "latest", "current"
    Latest,
    /// "which", "who"
    Which,
    /// "when"
    When,
    /// "top"
    Top,
    /// "by", "each"
    By,
    /// "per"
    Per,
    /// "why", "will", "should": what data cannot tell
    Beyond,
    /// Rows of a table: "rows", "records"
    Rows,
    /// A day
    Day,
    /// A week
    Week,
    /// A month
    Month,
    /// A quarter
    Quarter,
    /// A year
    Year,
    /// Says nothing by itself
    Plain,
}

const SENSES: [(Sense, &[&str]); 31] = [
    (Sense::Average, &["average*", "mean", "means", "avg", "typical*", "durchschnitt*", "mittelwert*", "mittlere*", "средн*"]),
    (Sense::Median, &["median*", "медиан*"]),
    (Sense::Total, &["total*", "sum", "altogether", "overall", "combined", "gesamt*", "insgesamt", "summe", "сумм*", "всего", "итого", "общ*"]),
    (Sense::Highest, &["highest", "largest", "biggest", "greatest", "most", "max", "maximum", "maximal", "peak*", "top", "longest", "heaviest", "oldest", "hottest", "warmest", "windiest", "wettest", "tallest", "höchst*", "größt*", "meist*", "наибольш*", "самый", "самая", "самое", "максимал*", "больше"]),
    (Sense::Lowest, &["lowest", "smallest", "least", "fewest", "min", "minimum", "minimal", "shortest", "lightest", "coldest", "coolest", "youngest", "driest", "niedrigst*", "kleinst*", "wenigst*", "geringst*", "наименьш*", "минимал*"]),
    (Sense::Count, &["many", "number", "count", "often", "viele", "anzahl", "сколько", "количество", "число"]),
    (Sense::Different, &["different", "distinct", "unique", "verschieden*", "unterschiedlich*", "разн*", "различн*", "уникальн*"]),
    (Sense::Share, &["share*", "percentage", "percent", "proportion", "fraction", "anteil*", "prozent", "доля", "доли", "долю", "процент*"]),
    (Sense::Change, &["change*", "grow", "grew", "grown", "growth", "increase*", "decrease*", "rise", "rose", "risen", "fall", "fell", "fallen", "drop*", "decline*", "gain*", "verändert*", "veränderung", "wuchs", "gewachsen", "gestiegen", "stieg", "gefallen", "sank", "zunahme", "измен*", "вырос*", "рост*", "упал*", "снизил*"]),
    (Sense::Trend, &["trend*", "develop*", "evolve*", "evolution", "history", "time", "entwicklung", "entwickelt*", "verlauf", "тренд*", "динамик*"]),
    (Sense::Season, &["season*", "seasonality", "saison*", "сезон*"]),
    (Sense::Correlation, &["correlat*", "relationship", "relation", "related", "association", "associated", "zusammenhang", "korrel*", "корреляц*", "связ*"]),
    (Sense::Compare, &["compare*", "versus", "vs", "difference", "differ", "than", "vergleich*", "unterschied*", "als", "сравн*", "разниц*", "чем"]),
    (Sense::Ratio, &["ratio*", "verhältnis", "отношени*"]),
    (Sense::Target, &["target*", "goal", "goals", "plan", "planned", "ziel*", "цел*"]),
    (Sense::Distribution, &["distribut*", "quartile*", "range", "spread", "verteilung", "распределен*"]),
    (Sense::Deviation, &["deviation", "variance", "standardabweichung"]),
    (Sense::Latest, &["latest", "current", "currently", "newest", "recent", "last", "aktuell*", "letzte*", "jüngst*", "последн*", "текущ*"]),
    (Sense::Which, &["which", "who", "whose", "welche*", "wer", "какой", "какая", "какие", "какое", "кто", "каком", "какого"]),
    (Sense::When, &["when", "wann", "когда"]),
    (Sense::Top, &["top", "топ"]),
    (Sense::By, &["by", "each", "every", "across", "nach", "jede*", "по", "каждо*", "каждый"]),
    (Sense::Per, &["per", "pro", "на"]),
    (Sense::Beyond, &["why", "will", "should", "would", "could", "forecast*", "predict*", "projection*", "tomorrow", "future", "next", "cause*", "because", "best", "worst", "better", "recommend*", "warum", "wieso", "wird", "werden", "prognose*", "sollte*", "beste*", "почему", "будет", "прогноз*", "лучш*"]),
    (Sense::Rows, &["row", "rows", "record", "records", "entry", "entries", "observation", "observations", "case", "cases", "line", "lines", "zeilen", "einträge", "datensätze", "строк", "записей", "запись", "наблюдений"]),
    (Sense::Day, &["day", "days", "date", "dates", "daily", "tag", "tage", "tagen", "täglich*", "день", "дней", "дни", "дня"]),
    (Sense::Week, &["week", "weeks", "weekly", "woche", "wochen", "неделя", "недель", "недели", "неделю"]),
    (Sense::Month, &["month", "months", "monthly", "monat", "monate", "monaten", "monatlich*", "месяц*"]),
    (Sense::Quarter, &["quarter", "quarters", "quarterly", "quartal*", "квартал*"]),
    (Sense::Year, &["year", "years", "yearly", "annual*", "jahr", "jahre", "jahren", "jährlich*", "год", "году", "года", "лет", "годы", "годом"]),
    (Sense::Plain, &[
        "a", "an", "the", "of", "in", "on", "at", "to", "for", "from", "with", "and", "or", "is", "are", "was", "were", "be", "been", "has", "have", "had", "do", "does", "did", "what", "how", "much", "it", "its", "that", "this", "there", "their", "they", "them", "these", "those", "all", "any", "as", "not", "between", "since", "until", "before", "after", "during", "over", "above", "below", "under", "more", "less", "fewer", "greater", "higher", "lower", "exceed", "exceeds", "exceeded", "exceeding", "up", "go", "goes", "went", "come", "comes", "came", "made", "make", "makes", "show", "tell", "give", "me", "us", "please", "find", "list", "data", "dataset", "table", "value", "values", "figure", "recorded", "measured", "reported", "observed", "registered", "seen", "reach", "reached", "account", "accounts", "accounted", "contribute", "contributed", "belong", "belongs", "occur", "occurred", "occurs", "happened", "happen", "place", "took", "produced", "amount", "amounts", "level", "rank", "ranked", "first", "second", "third", "year-on-year", "together", "move", "moves", "strongly", "strong", "one", "two", "only", "just", "exactly", "about", "out", "if", "when", "no", "than", "usually", "normally", "across", "entire", "whole", "full", "period", "least", "i", "we", "you", "can", "ever", "still", "per", "heavier", "lighter", "longer", "shorter", "older", "younger", "larger", "bigger", "smaller", "taller", "hotter", "colder", "warmer", "wetter", "drier", "faster", "slower",
        "der", "die", "das", "den", "dem", "des", "ein", "eine", "einer", "eines", "einem", "und", "oder", "ist", "sind", "war", "waren", "hat", "haben", "hatte", "hatten", "wie", "was", "im", "in", "am", "an", "auf", "aus", "bei", "mit", "von", "vom", "zu", "zum", "zur", "für", "über", "unter", "mehr", "weniger", "es", "gab", "gibt", "sich", "hoch", "groß", "viel", "zwischen", "seit", "vor", "um", "lag", "liegt", "bis", "daten",
        "и", "или", "в", "во", "на", "из", "с", "со", "к", "у", "о", "об", "за", "до", "от", "при", "был", "была", "было", "были", "есть", "это", "как", "что", "каков", "какова", "каково", "год", "чему", "равна", "равен", "равно", "между", "для", "не", "менее", "более", "имеет", "имел", "данные", "данных",
    ]),
];

/// All senses of a word in lower case.
#[must_use]
pub fn senses(word: &str) -> Vec<Sense> {
    let fits = |pattern: &&str| match pattern.strip_suffix('*') {
        Some(stem) => word.starts_with(stem) && word.len() <= stem.len() + 10,
        None => word == *pattern,
    };
    SENSES.iter().filter(|(_, words)| words.iter().any(|pattern| fits(pattern))).map(|(sense, _)| *sense).collect()
}

/// Words that mean the same in tables.
const ALIKE: [&[&str]; 22] = [
    &["revenue", "sales", "turnover", "umsatz", "umsätze", "выручка", "продажи"],
    &["quantity", "units", "menge", "количество"],
    &["price", "cost", "preis", "цена"],
    &["population", "inhabitants", "pop", "einwohner", "bevölkerung", "население"],
    &["country", "nation", "countries", "land", "länder", "страна", "entity"],
    &["sex", "gender", "geschlecht", "пол"],
    &["region", "gebiet", "регион"],
    &["profit", "gewinn", "прибыль"],
    &["customer", "client", "kunde", "клиент"],
    &["order", "bestellung", "заказ"],
    &["age", "alter", "возраст"],
    &["temperature", "temp", "temperatur", "температура"],
    &["wind", "ветер", "ветра"],
    &["precipitation", "rainfall", "precip", "niederschlag", "осадки"],
    &["maximum", "max", "maximal"],
    &["minimum", "min", "minimal"],
    &["death", "deaths", "died", "fatalities", "tote", "todesfälle"],
    &["mass", "weight", "gewicht", "masse", "масса"],
    &["beak", "bill", "schnabel"],
    &["island", "insel", "остров"],
    &["species", "art", "arten", "вид"],
    &["source", "quelle", "источник"],
];

/// Whether two words mean the same here.
#[must_use]
pub fn alike(one: &str, two: &str) -> bool {
    ALIKE.iter().any(|group| group.contains(&one) && group.contains(&two))
}
