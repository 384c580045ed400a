//! What one file comes to for an index: a pure function of its path and bytes, so that it can be worked out anywhere and in any order.

use serde::{Deserialize, Serialize};

use crate::content::ContentHash;
use crate::filter::filter_of;
use crate::graph_text::plain_entities;
use crate::packed;
use crate::postings::NameKey;
use ragnav_base::item::SkipReason;
use ragnav_base::path::RepoPath;
use ragnav_base::text;
use ragnav_resolve::import_key::{WILDCARD_KEY, import_key};
use ragnav_syntax::facts::{Facts, ImportedItem};

/// What a file came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extract {
    /// How many bytes it has.
    pub size: u64,
    /// Their hash.
    pub hash: ContentHash,
    /// What they are.
    pub content: Extracted,
}

/// What the bytes of a file are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extracted {
    /// What they were known to be.
    Known,
    /// Something that is not searched.
    Skipped(SkipReason),
    /// Text.
    Text(Box<ExtractedText>),
}

/// What a text came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractedText {
    /// Its [packed](packed::pack) facts, where its language is known.
    #[serde(with = "serde_bytes")]
    pub facts: Option<Vec<u8>>,
    /// Its [filter](filter_of).
    #[serde(with = "serde_bytes")]
    pub filter: Vec<u8>,
    /// The names in it, sorted, each once, and whether it defines them.
    pub names: Vec<(NameKey, bool)>,
    /// Its definitions as the graph names them, where nothing more is known of them.
    pub entities: String,
    /// Whether its facts are [partial](Facts::is_partial).
    pub is_partial: bool,
}

/// Works out what a file comes to. `known` is the hash of what the index has already.
#[must_use]
pub fn extract(path: &RepoPath, bytes: &[u8], known: Option<ContentHash>) -> Extract {
    let hash = ContentHash::of(bytes);
    let content = match text::decode(bytes) {
        _ if known == Some(hash) => Extracted::Known,
        Ok(text) => Extracted::Text(Box::new(of_text(path, text))),
        Err(reason) => Extracted::Skipped(reason),
    };
    Extract {
        size: bytes.len() as u64,
        hash,
        content,
    }
}

impl Extract {
    /// Its bytes, to be handed from one instance of the core to another.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        // Writing to memory cannot fail, and no type among these refuses to be written.
        postcard::to_allocvec(self).unwrap_or_default()
    }

    /// What [`to_bytes`](Self::to_bytes) made.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }
}

fn of_text(path: &RepoPath, text: &str) -> ExtractedText {
    let filter = filter_of(text.as_bytes());
    let Some(language) = ragnav_syntax::detect_language(path) else {
        return ExtractedText {
            facts: None,
            filter,
            names: Vec::new(),
            entities: String::new(),
            is_partial: false,
        };
    };
    let facts = ragnav_syntax::extract_facts(language, text);
    ExtractedText {
        filter,
        names: names(&facts),
        entities: plain_entities(path, &facts),
        facts: Some(packed::pack(&facts)),
        is_partial: facts.is_partial,
    }
}

fn names(facts: &Facts) -> Vec<(NameKey, bool)> {
    let mentioned = facts.names.iter().filter(|name| !name.contains('.'));
    let mut names: Vec<_> = mentioned.map(|name| (NameKey::of(name), false)).collect();
    let imports = facts.imports.iter().filter(|import| match import.item {
        ImportedItem::Module => true,
        ImportedItem::Member(name) => facts.name(name) == "default",
        ImportedItem::Star => false,
    });
    for import in imports {
        let key = import_key(facts.name(import.module));
        names.extend([key, WILDCARD_KEY].map(|key| (NameKey::of(&import_name(key)), false)));
    }
    let defined = facts.definitions.iter();
    names.extend(defined.map(|definition| (NameKey::of(facts.name(definition.name)), true)));
    // What defines a name stands before what only mentions it, and is what is kept.
    names.sort_unstable_by_key(|(key, defines)| (*key, !defines));
    names.dedup_by_key(|(key, _)| *key);
    names
}

/// What postings know an import key by; no name has a blank in it.
pub(super) fn import_name(key: &str) -> String {
    format!("from {key}")
}
