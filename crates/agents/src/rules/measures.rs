//! Units as they are written, and what they measure: for comparing two amounts, however they are put.

/// A unit: what it measures, and how much of the base unit one of it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    /// What is measured; amounts of one dimension can be compared.
    pub dimension: &'static str,
    /// How much of the base unit.
    pub factor: f64,
}

/// Names of units in lower case; several words where the name has them. Letters that mean another unit in the other
/// case stand in [`EXACT`].
const NAMES: &[(&str, &str, f64)] = &[
    ("%|percent|per cent|pct|prozent", "percent", 1.0),
    ("percentage points|percentage point", "point", 1.0),
    ("milliseconds|millisecond|ms|msec", "second", 1e-3),
    ("microseconds|microsecond|µs", "second", 1e-6),
    ("nanoseconds|nanosecond|ns", "second", 1e-9),
    ("seconds|second|secs|sec", "second", 1.0),
    ("minutes|minute|mins|min", "second", 60.0),
    ("hours|hour|hrs|hr", "second", 3600.0),
    ("days|day", "second", 86_400.0),
    ("weeks|week", "second", 604_800.0),
    ("months|month", "month", 1.0),
    ("years|year", "month", 12.0),
    ("decades|decade", "month", 120.0),
    ("centuries|century", "month", 1200.0),
    ("kilometres per hour|kilometers per hour|km/h|kmh|kph", "speed", 1.0 / 3.6),
    ("metres per second|meters per second|m/s", "speed", 1.0),
    ("miles per hour|mph", "speed", 0.447_04),
    ("square kilometres|square kilometers|km²|km2|sq km", "area", 1e6),
    ("square metres|square meters|square metre|square meter|m²|m2|sqm", "area", 1.0),
    ("hectares|hectare|ha", "area", 1e4),
    ("cubic metres|cubic meters|cubic metre|cubic meter|m³|m3", "volume", 1.0),
    ("litres|liters|litre|liter", "volume", 1e-3),
    ("millilitres|milliliters|ml", "volume", 1e-6),
    ("kilometres|kilometers|kilometre|kilometer|km", "length", 1e3),
    ("metres|meters|metre|meter", "length", 1.0),
    ("centimetres|centimeters|centimetre|centimeter|cm", "length", 1e-2),
    ("millimetres|millimeters|millimetre|millimeter|mm", "length", 1e-3),
    ("miles|mile", "length", 1609.344),
    ("feet|foot|ft", "length", 0.3048),
    ("inches|inch", "length", 0.0254),
    ("kilograms|kilogram|kilos|kilo|kg", "mass", 1e3),
    ("grams|gram|grammes", "mass", 1.0),
    ("milligrams|milligram|mg", "mass", 1e-3),
    ("tonnes|tonne|metric tons|tons", "mass", 1e6),
    ("pounds of weight|lb|lbs", "mass", 453.592_37),
    ("gigawatt hours|gigawatt hour|gwh", "energy", 1e9),
    ("megawatt hours|megawatt hour|mwh", "energy", 1e6),
    ("kilowatt hours|kilowatt hour|kwh", "energy", 1e3),
    ("terawatt hours|twh", "energy", 1e12),
    ("gigawatts|gigawatt|gw", "power", 1e9),
    ("megawatts|megawatt|mw", "power", 1e6),
    ("kilowatts|kilowatt|kw", "power", 1e3),
    ("watts|watt", "power", 1.0),
    ("volts|volt", "voltage", 1.0),
    ("amperes|ampere|amps|amp", "current", 1.0),
    ("milliamperes|ma", "current", 1e-3),
    ("bars|bar", "pressure", 1e5),
    ("pascals|pascal|pa", "pressure", 1.0),
    ("kilopascals|kpa", "pressure", 1e3),
    ("degrees celsius|degree celsius|degrees c|°c|celsius|° c", "celsius", 1.0),
    ("degrees fahrenheit|°f|fahrenheit", "fahrenheit", 1.0),
    ("degrees|degree|°", "degree", 1.0),
    ("hertz|hz", "frequency", 1.0),
    ("kilohertz|khz", "frequency", 1e3),
    ("megahertz|mhz", "frequency", 1e6),
    ("gigahertz|ghz", "frequency", 1e9),
    ("db(a)|db|decibels|decibel", "sound", 1.0),
    ("bits|bit", "bit", 1.0),
    ("bytes|byte|octets|octet", "byte", 1.0),
    ("kilobytes|kilobyte|kb", "byte", 1e3),
    ("megabytes|megabyte|mb", "byte", 1e6),
    ("gigabytes|gigabyte|gb", "byte", 1e9),
    ("terabytes|terabyte|tb", "byte", 1e12),
    ("kibibytes|kibibyte|kib", "byte", 1024.0),
    ("mebibytes|mebibyte|mib", "byte", 1_048_576.0),
    ("gibibytes|gibibyte|gib", "byte", 1_073_741_824.0),
    ("tebibytes|tebibyte|tib", "byte", 1_099_511_627_776.0),
    ("parts per million|ppm", "ppm", 1.0),
    ("euros|euro|eur|€", "euro", 1.0),
    ("cents|cent", "cent", 1.0),
    ("dollars|dollar|usd|us dollars|$", "dollar", 1.0),
    ("pounds sterling|gbp|£", "sterling", 1.0),
    ("yen|jpy|¥", "yen", 1.0),
];

/// Short names in which the case counts.
const EXACT: &[(&str, &str, f64)] = &[
    ("m", "length", 1.0),
    ("g", "mass", 1.0),
    ("t", "mass", 1e6),
    ("h", "second", 3600.0),
    ("s", "second", 1.0),
    ("d", "second", 86_400.0),
    ("l", "volume", 1e-3),
    ("L", "volume", 1e-3),
    ("W", "power", 1.0),
    ("V", "voltage", 1.0),
    ("A", "current", 1.0),
    ("K", "kelvin", 1.0),
    ("B", "byte", 1.0),
];

/// The unit a text begins with, and how many bytes its name takes.
#[must_use]
pub fn unit(text: &str) -> Option<(Unit, usize)> {
    let end = text.floor_char_boundary(28);
    let lower: String = text[..end].to_lowercase().replace(['-', '\u{a0}', '\n'], " ");
    let mut best: Option<(Unit, usize)> = None;
    for (names, dimension, factor) in NAMES {
        for name in names.split('|') {
            if ends_whole(&lower, name) && best.is_none_or(|(_, length)| length < name.len()) {
                best = Some((Unit { dimension, factor: *factor }, name.len()));
            }
        }
    }
    // A lower-cased letter can be longer than the letter; such a text has no unit of ours.
    let best = best.filter(|(_, length)| text.is_char_boundary(*length));
    best.or_else(|| {
        EXACT
            .iter()
            .find(|(name, ..)| ends_whole(text, name))
            .map(|(name, dimension, factor)| (Unit { dimension, factor: *factor }, name.len()))
    })
}

fn ends_whole(text: &str, name: &str) -> bool {
    text.strip_prefix(name).is_some_and(|rest| {
        !name.ends_with(char::is_alphanumeric) || !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    })
}

/// The currency a sign before a number stands for.
#[must_use]
pub fn currency(sign: char) -> Option<&'static str> {
    match sign {
        '€' => Some("euro"),
        '$' => Some("dollar"),
        '£' => Some("sterling"),
        '¥' => Some("yen"),
        _ => None,
    }
}
