//! Words that fit any subject ("need", "hold", "brauchen"), stand before a name ("President") or only tell the kind of answer ("difference", "cost"): they
//! say little about what a question is about, so whether it is answered must not hang on them.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::language::Language;

/// What such a word weighs beside one that names something.
pub(super) const LIGHT: f64 = 0.3;

const WORDS: &[(Language, &str)] = &[
    (
        Language::English,
        "need needed require required make made take took taken hold held keep kept stand stood become became arise look \
         come came find found put contain exist occur anything something someone everything thing normally usually \
         typically several good serve used want wanted hope hoped wish agree agreed try tried know known today nowadays \
         exactly actually really president king queen general sir lord minister doctor captain \
         money cost price expensive difference differ different compare compared benefit advantage reason purpose number \
         amount",
    ),
    (
        Language::German,
        "brauchen brauche braucht benötigen benötigt machen macht setzen setzt stellen stelle stellt nehmen nimmt kommen \
         kommt finden findet halten hält stehen steht liegen liegt gehen geht lassen lässt bleiben bleibt tun ab an auf \
         aus bei dar ein fest her herum hin los nach statt um voraus vor weg wieder zu zurück zusammen normalerweise \
         üblicherweise mehrere eigentlich genau heute direkt präsident könig minister kosten kostet preis geld höchstens mindestens maximal dienen dient unterschied unterscheiden vorteil grund zweck anzahl",
    ),
    (
        Language::French,
        "faire fait prendre prend mettre met besoin nécessiter trouver trouve tenir tient rester reste rendre rend donner \
         donne devenir devient contenir contient exister existe quelque chose normalement plusieurs aujourd'hui exactement président roi ministre coûter coûte coût prix argent servir sert servent différence avantage raison but nombre",
    ),
    (
        Language::Spanish,
        "hacer hace hagan necesitar necesita necesitan tomar toma poner pone encontrar encuentra dejar deja quedar queda \
         dar llegar llega contener contiene existir existe alguien algo normalmente varios hoy exactamente presidente rey ministro costar cuesta coste precio dinero máximo mínimo servir sirve sirven diferencia ventaja razón motivo número cantidad",
    ),
];

static STEMS: LazyLock<HashMap<Language, HashSet<String>>> = LazyLock::new(|| {
    let stems = |language: Language, words: &str| {
        words.split_whitespace().map(|word| language.stem(word)).collect::<HashSet<String>>()
    };
    WORDS.iter().map(|(language, words)| (*language, stems(*language, words))).collect()
});

/// Does a stem of a question in this language fit any subject?
pub(super) fn is_light(language: Language, stem: &str) -> bool {
    STEMS.get(&language).is_some_and(|stems| stems.contains(stem))
}
