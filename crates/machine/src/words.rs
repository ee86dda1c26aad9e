//! Closed vocabularies with stable names: states and events are stored by name, never by number.

use std::fmt::Debug;
use std::hash::Hash;

/// A closed set of named values. Implemented by [`words!`](crate::words).
pub trait Word: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// Every value, in the order of declaration.
    const ALL: &'static [Self];
    /// The name under which the value is stored and shown. Changing one is a migration.
    fn name(self) -> &'static str;
    /// The value with this name.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|word| word.name() == name)
    }
}

/// Something that happened: data, and the [`Word`] rows are chosen by. Implemented by [`events!`](crate::events).
pub trait Happening {
    /// The event without its data.
    type On: Word;
    /// Which event this is.
    fn on(&self) -> Self::On;
}

/// Declares an enum whose values are stored by the given names.
///
/// ```
/// baton_machine::words! {
///     /// Where a lamp can stand.
///     pub enum State { Off = "OFF", On = "ON" }
/// }
/// use baton_machine::Word;
/// assert_eq!(State::named("ON"), Some(State::On));
/// ```
#[macro_export]
macro_rules! words {
    ($(#[$doc:meta])* $vis:vis enum $enum:ident { $($(#[$vdoc:meta])* $word:ident = $name:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, $crate::__serde::Serialize, $crate::__serde::Deserialize)]
        #[serde(crate = "baton_machine::__serde")]
        #[allow(missing_docs)] // the stable name beside each value is its documentation
        $vis enum $enum { $($(#[$vdoc])* #[serde(rename = $name)] $word),+ }

        impl $crate::Word for $enum {
            const ALL: &'static [Self] = &[$(Self::$word),+];
            fn name(self) -> &'static str {
                match self { $(Self::$word => $name),+ }
            }
        }
    };
}

/// Declares what can happen: an enum with data, and beside it the plain enum that rows name.
///
/// Fields take attributes, so that a field added later can say `#[serde(default)]` and old journals still parse.
///
/// ```
/// baton_machine::events! {
///     /// What can happen to a lamp.
///     pub enum Event as On { Pressed = "PRESSED", Dimmed { to: u8 } = "DIMMED" }
/// }
/// use baton_machine::Happening;
/// assert_eq!(Event::Dimmed { to: 3 }.on(), On::Dimmed);
/// ```
#[macro_export]
macro_rules! events {
    ($(#[$doc:meta])* $vis:vis enum $enum:ident as $on:ident {
        $($(#[$vdoc:meta])* $word:ident $({ $($(#[$fdoc:meta])* $field:ident : $type:ty),* $(,)? })? = $name:literal),+ $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, $crate::__serde::Serialize, $crate::__serde::Deserialize)]
        #[serde(crate = "baton_machine::__serde")]
        #[allow(missing_docs)] // the stable name beside each event is its documentation
        $vis enum $enum { $($(#[$vdoc])* #[serde(rename = $name)] $word $({ $($(#[$fdoc])* $field: $type),* })?),+ }

        $crate::words! {
            #[doc = concat!("[`", stringify!($enum), "`] without its data.")]
            $vis enum $on { $($word = $name),+ }
        }

        impl $crate::Happening for $enum {
            type On = $on;
            fn on(&self) -> $on {
                match self { $(Self::$word { .. } => $on::$word),+ }
            }
        }
    };
}
