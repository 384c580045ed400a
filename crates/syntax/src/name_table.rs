//! What turns texts and offsets of one file into names and positions of its facts.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::facts::Name;
use ragnav_base::position::wire;

/// Names, each once.
#[derive(Debug, Default)]
pub(crate) struct Names<'t> {
    places: HashMap<Cow<'t, str>, Name>,
    texts: Vec<String>,
}

impl<'t> Names<'t> {
    pub(crate) fn name(&mut self, text: impl Into<Cow<'t, str>>) -> Name {
        let text = text.into();
        if let Some(&name) = self.places.get(&text) {
            return name;
        }
        let name = Name(wire(self.texts.len()));
        self.texts.push(text.clone().into_owned());
        self.places.insert(text, name);
        name
    }

    /// The text of a name; only one that this has given has one.
    #[cfg(any(feature = "javascript", feature = "typescript"))]
    pub(crate) fn text(&self, name: Name) -> &str {
        let text = self.texts.get(name.0 as usize);
        text.map(String::as_str).unwrap_or_default()
    }

    pub(crate) fn into_texts(self) -> Vec<String> {
        self.texts
    }
}
