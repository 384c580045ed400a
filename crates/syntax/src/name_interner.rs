//! Interns the names of one file.

use std::borrow::Cow;

use crate::facts::Name;
use ragnav_base::hash::HashMap;
use ragnav_base::position::wire;

/// An interner that stores each name once and returns its index.
#[derive(Debug, Default)]
pub(crate) struct NameInterner<'t> {
    places: HashMap<Cow<'t, str>, Name>,
    texts: Vec<String>,
}

impl<'t> NameInterner<'t> {
    pub(crate) fn intern(&mut self, text: impl Into<Cow<'t, str>>) -> Name {
        let text = text.into();
        if let Some(&name) = self.places.get(&text) {
            return name;
        }
        let name = Name(wire(self.texts.len()));
        self.texts.push(text.clone().into_owned());
        self.places.insert(text, name);
        name
    }

    /// Returns the name of a text that was interned before.
    pub(crate) fn find(&self, text: &str) -> Option<Name> {
        self.places.get(text).copied()
    }

    /// Returns the text of a name that this interner returned.
    pub(crate) fn text(&self, name: Name) -> &str {
        let text = self.texts.get(name.0 as usize);
        text.map(String::as_str).unwrap_or_default()
    }

    /// Returns the number of names.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(crate) fn into_texts(self) -> Vec<String> {
        self.texts
    }
}
