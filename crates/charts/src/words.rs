//! The few words that charts, pages and workbooks say of themselves, in the languages we have.

use crate::spec::{Kind, Language};

/// Words of one language.
pub(crate) struct Words {
    /// January to December, short.
    pub months: [&'static str; 12],
    /// "Source".
    pub source: &'static str,
    /// "no data".
    pub missing: &'static str,
    /// "the {} largest of {}".
    pub cut: &'static str,
    /// "the first {} of {}".
    pub some: &'static str,
    pub lowest: &'static str,
    pub highest: &'static str,
    pub first: &'static str,
    pub last: &'static str,
    /// "values".
    pub values: &'static str,
    /// "missing" after a number.
    pub gaps: &'static str,
    /// "{} to {}".
    pub to: &'static str,
    pub table: &'static str,
    pub series: &'static str,
    /// How a page is read with keys.
    pub keys: &'static str,
    /// "{} rows are not shown".
    pub rest: &'static str,
    // Heads of the columns of a data pack.
    pub figure: &'static str,
    pub value: &'static str,
    pub unit: &'static str,
    pub period: &'static str,
    pub origin: &'static str,
    pub term: &'static str,
    pub meaning: &'static str,
    pub title: &'static str,
    pub address: &'static str,
    pub accessed: &'static str,
    pub used_for: &'static str,
    /// What an empty sheet says.
    pub none: &'static str,
    kinds: [&'static str; 6],
}

impl Words {
    /// What a kind of chart is called.
    pub fn kind(&self, kind: Kind) -> &'static str {
        let [line, bar, grouped, stacked, histogram, scatter] = self.kinds;
        match kind {
            Kind::Line => line,
            Kind::Bar => bar,
            Kind::GroupedBar => grouped,
            Kind::StackedBar => stacked,
            Kind::Histogram => histogram,
            Kind::Scatter => scatter,
        }
    }
}

/// Puts things in the places of a phrase.
pub(crate) fn fill(phrase: &str, things: &[&str]) -> String {
    let mut parts = phrase.split("{}");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for (at, part) in parts.enumerate() {
        out.push_str(things.get(at).copied().unwrap_or_default());
        out.push_str(part);
    }
    out
}

/// The words of a language.
pub(crate) fn words(language: Language) -> &'static Words {
    match language {
        Language::En => &EN,
        Language::De => &DE,
        Language::Es => &ES,
        Language::Fr => &FR,
        Language::Ru => &RU,
    }
}

static EN: Words = Words {
    months: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    source: "Source",
    missing: "no data",
    cut: "The {} largest of {} are drawn.",
    some: "The first {} of {} are drawn.",
    lowest: "lowest",
    highest: "highest",
    first: "first",
    last: "last",
    values: "values",
    gaps: "missing",
    to: "{} to {}",
    table: "Table of the values",
    series: "Series",
    keys: "Arrow keys read the values, Home and End go to the ends.",
    rest: "{} more rows are not listed here.",
    figure: "Figure",
    value: "Value",
    unit: "Unit",
    period: "Period",
    origin: "Where it comes from",
    term: "Term",
    meaning: "Meaning",
    title: "Title",
    address: "Address",
    accessed: "Read on",
    used_for: "Used for",
    none: "Nothing to list here.",
    kinds: ["Line chart", "Bar chart", "Grouped bar chart", "Stacked bar chart", "Histogram", "Scatter plot"],
};

static DE: Words = Words {
    months: ["Jan.", "Febr.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."],
    source: "Quelle",
    missing: "keine Angabe",
    cut: "Gezeigt sind die {} größten von {}.",
    some: "Gezeigt sind die ersten {} von {}.",
    lowest: "kleinster Wert",
    highest: "größter Wert",
    first: "erster Wert",
    last: "letzter Wert",
    values: "Werte",
    gaps: "fehlen",
    to: "{} bis {}",
    table: "Tabelle der Werte",
    series: "Reihe",
    keys: "Pfeiltasten lesen die Werte, Pos1 und Ende springen an die Enden.",
    rest: "{} weitere Zeilen stehen hier nicht.",
    figure: "Kennzahl",
    value: "Wert",
    unit: "Einheit",
    period: "Zeitraum",
    origin: "Herkunft",
    term: "Begriff",
    meaning: "Bedeutung",
    title: "Titel",
    address: "Adresse",
    accessed: "Gelesen am",
    used_for: "Verwendet für",
    none: "Hier ist nichts aufzuführen.",
    kinds: [
        "Liniendiagramm",
        "Balkendiagramm",
        "Gruppiertes Balkendiagramm",
        "Gestapeltes Balkendiagramm",
        "Histogramm",
        "Streudiagramm",
    ],
};

static ES: Words = Words {
    months: ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"],
    source: "Fuente",
    missing: "sin dato",
    cut: "Se muestran los {} mayores de {}.",
    some: "Se muestran los primeros {} de {}.",
    lowest: "mínimo",
    highest: "máximo",
    first: "primero",
    last: "último",
    values: "valores",
    gaps: "faltan",
    to: "{} a {}",
    table: "Tabla de valores",
    series: "Serie",
    keys: "Las flechas leen los valores; Inicio y Fin van a los extremos.",
    rest: "{} filas más no figuran aquí.",
    figure: "Cifra",
    value: "Valor",
    unit: "Unidad",
    period: "Periodo",
    origin: "Procedencia",
    term: "Término",
    meaning: "Significado",
    title: "Título",
    address: "Dirección",
    accessed: "Consultado",
    used_for: "Usado para",
    none: "No hay nada que listar.",
    kinds: [
        "Gráfico de líneas",
        "Gráfico de barras",
        "Barras agrupadas",
        "Barras apiladas",
        "Histograma",
        "Diagrama de dispersión",
    ],
};

static FR: Words = Words {
    months: [
        "janv.", "févr.", "mars", "avr.", "mai", "juin", "juill.", "août", "sept.", "oct.", "nov.", "déc.",
    ],
    source: "Source",
    missing: "pas de donnée",
    cut: "Les {} plus grands sur {} sont montrés.",
    some: "Les {} premiers sur {} sont montrés.",
    lowest: "minimum",
    highest: "maximum",
    first: "premier",
    last: "dernier",
    values: "valeurs",
    gaps: "manquent",
    to: "{} à {}",
    table: "Tableau des valeurs",
    series: "Série",
    keys: "Les flèches lisent les valeurs ; Début et Fin vont aux extrémités.",
    rest: "{} lignes de plus ne figurent pas ici.",
    figure: "Chiffre",
    value: "Valeur",
    unit: "Unité",
    period: "Période",
    origin: "Provenance",
    term: "Terme",
    meaning: "Sens",
    title: "Titre",
    address: "Adresse",
    accessed: "Consulté le",
    used_for: "Utilisé pour",
    none: "Rien à lister ici.",
    kinds: [
        "Courbe",
        "Diagramme à barres",
        "Barres groupées",
        "Barres empilées",
        "Histogramme",
        "Nuage de points",
    ],
};

static RU: Words = Words {
    months: [
        "янв.",
        "февр.",
        "март",
        "апр.",
        "май",
        "июнь",
        "июль",
        "авг.",
        "сент.",
        "окт.",
        "нояб.",
        "дек.",
    ],
    source: "Источник",
    missing: "нет данных",
    cut: "Показаны {} крупнейших из {}.",
    some: "Показаны первые {} из {}.",
    lowest: "минимум",
    highest: "максимум",
    first: "первое значение",
    last: "последнее значение",
    values: "значений",
    gaps: "пропущено",
    to: "{} – {}",
    table: "Таблица значений",
    series: "Ряд",
    keys: "Стрелки читают значения, Home и End ведут к краям.",
    rest: "Ещё {} строк здесь не показано.",
    figure: "Показатель",
    value: "Значение",
    unit: "Единица",
    period: "Период",
    origin: "Откуда взято",
    term: "Термин",
    meaning: "Значение термина",
    title: "Название",
    address: "Адрес",
    accessed: "Прочитано",
    used_for: "Использовано для",
    none: "Здесь нечего перечислять.",
    kinds: [
        "Линейный график",
        "Столбчатая диаграмма",
        "Сгруппированные столбцы",
        "Столбцы с накоплением",
        "Гистограмма",
        "Диаграмма рассеяния",
    ],
};
