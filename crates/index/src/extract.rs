//! Extracting what an index stores of one file.
//!
//! Extraction is a pure function of path and bytes, so it runs on any worker and in any order.

use serde::{Deserialize, Serialize};

use crate::content::ContentHash;
use crate::entities::write_plain_entities;
use crate::file_terms::FileTerms;
use crate::filter::{Needle, build_filter};
use crate::packed;
use crate::postings::{PostingKey, computing_posting_name, import_posting_name};
use ragnav_base::item::SkipReason;
use ragnav_base::path::RepoPath;
use ragnav_base::text;
use ragnav_resolve::import_key::{WILDCARD_KEY, import_key};
use ragnav_resolve::{computing_functions, mentions_function};
use ragnav_syntax::facts::{Facts, ImportedItem};
use ragnav_syntax::grammars::take_missing_grammars;

/// The extract of a file.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_index::content::ContentHash;
/// use ragnav_index::extract::extract;
///
/// let extracted = extract(&RepoPath::parse("a.py").unwrap(), b"x = 1\n", None);
/// assert_eq!((extracted.size, extracted.hash), (6, ContentHash::of(b"x = 1\n")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extract {
    /// The size of the file in bytes.
    pub size: u64,
    /// The hash of the bytes.
    pub hash: ContentHash,
    /// The content of the file.
    pub content: ExtractedContent,
}

/// The extracted content of a file.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::SkipReason;
/// use ragnav_base::path::RepoPath;
/// use ragnav_index::extract::{ExtractedContent, extract};
///
/// let extracted = extract(&RepoPath::parse("logo.png").unwrap(), b"\x89PNG\0", None);
/// assert_eq!(extracted.content, ExtractedContent::Skipped(SkipReason::Binary));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExtractedContent {
    /// The content that the index has already.
    Unchanged,
    /// Content that is not searched.
    Skipped(SkipReason),
    /// A text.
    Text(Box<ExtractedText>),
}

/// The extract of a text.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_index::extract::{ExtractedContent, extract};
/// use ragnav_index::filter::Needle;
///
/// let extracted = extract(&RepoPath::parse("a.py").unwrap(), b"def login(): pass\n", None);
/// let ExtractedContent::Text(text) = extracted.content else {
///     panic!("the file is a text");
/// };
/// assert!(Needle::new("login", true).may_match(&text.filter));
/// assert!(text.facts.is_some() && !text.is_partial);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractedText {
    /// The [packed](packed::pack) facts, if the language is known.
    #[serde(with = "serde_bytes")]
    pub facts: Option<Vec<u8>>,
    /// The [filter](build_filter) of the trigrams.
    #[serde(with = "serde_bytes")]
    pub filter: Vec<u8>,
    /// The names in the text, sorted, each once, and whether the text defines them.
    pub names: Vec<(PostingKey, bool)>,
    /// The terms of the text; `None` if they are too many.
    pub terms: Option<FileTerms>,
    /// The definitions in the JSON of the graph, without enrichment.
    pub entities: String,
    /// Whether the text has [syntax errors](Facts::errors).
    pub has_errors: bool,
    /// Whether the facts are [partial](Facts::is_partial).
    pub is_partial: bool,
    /// The languages whose grammars would have read the text, but were not loaded.
    pub missing_grammars: Vec<String>,
}

/// Extracts a file. `known` is the hash that the index has recorded.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_index::extract::{ExtractedContent, extract};
///
/// let path = RepoPath::parse("a.txt").unwrap();
/// let first = extract(&path, b"text", None);
/// let again = extract(&path, b"text", Some(first.hash));
/// assert_eq!(again.content, ExtractedContent::Unchanged);
/// ```
#[must_use]
pub fn extract(path: &RepoPath, bytes: &[u8], known: Option<ContentHash>) -> Extract {
    let hash = ContentHash::of(bytes);
    let content = match text::decode(bytes) {
        _ if known == Some(hash) => ExtractedContent::Unchanged,
        Ok(text) => ExtractedContent::Text(Box::new(extract_text(path, &text))),
        Err(reason) => ExtractedContent::Skipped(reason),
    };
    Extract {
        size: bytes.len() as u64,
        hash,
        content,
    }
}

impl Extract {
    /// Serialises the extract, to hand it from one instance of the core to another.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_index::extract::{Extract, extract};
    ///
    /// let extracted = extract(&RepoPath::parse("a.py").unwrap(), b"x = 1\n", None);
    /// assert_eq!(Extract::from_bytes(&extracted.to_bytes()), Some(extracted));
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        // Writing to memory cannot fail, and every type here serialises.
        postcard::to_allocvec(self).unwrap_or_default()
    }

    /// Restores an extract from [`to_bytes`](Self::to_bytes).
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::extract::Extract;
    ///
    /// assert_eq!(Extract::from_bytes(b"something else"), None);
    /// ```
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }
}

fn extract_text(path: &RepoPath, text: &str) -> ExtractedText {
    let filter = build_filter(text.as_bytes());
    let Some(language) = ragnav_syntax::detect_language(path) else {
        return ExtractedText {
            facts: None,
            filter,
            terms: FileTerms::of(text),
            names: Vec::new(),
            entities: String::new(),
            has_errors: false,
            is_partial: false,
            missing_grammars: Vec::new(),
        };
    };
    let facts = ragnav_syntax::extract_facts(language, text);
    let missing = take_missing_grammars().into_iter();
    let functions = computing_functions(path).into_iter().filter(|function| {
        Needle::new(function, true).may_match(&filter) && mentions_function(text, function)
    });
    let names = posting_names(&facts, functions.map(computing_posting_name));
    ExtractedText {
        filter,
        terms: FileTerms::of(text),
        names,
        entities: write_plain_entities(path, &facts),
        facts: Some(packed::pack(&facts)),
        has_errors: !facts.errors.is_empty(),
        is_partial: facts.is_partial,
        missing_grammars: missing.map(str::to_owned).collect(),
    }
}

/// Returns the names in the facts and further ones, see [`ExtractedText::names`].
fn posting_names(facts: &Facts, further: impl Iterator<Item = String>) -> Vec<(PostingKey, bool)> {
    let mentioned = facts.names.iter().filter(|name| !name.contains('.'));
    let mut names: Vec<_> = mentioned
        .map(|name| (PostingKey::of_name(name), false))
        .collect();
    let imports = facts.imports.iter().filter(|import| match import.item {
        ImportedItem::Module => true,
        ImportedItem::Member(name) => facts.name(name) == "default",
        ImportedItem::Star => false,
    });
    for import in imports {
        let key = import_key(facts.name(import.module));
        names.extend(
            [key, WILDCARD_KEY].map(|key| (PostingKey::of_name(&import_posting_name(key)), false)),
        );
    }
    names.extend(further.map(|name| (PostingKey::of_name(&name), false)));
    let defined = facts.definitions.iter();
    names
        .extend(defined.map(|definition| (PostingKey::of_name(facts.name(definition.name)), true)));
    // A name that is both defined and referenced keeps the entry that defines it.
    names.sort_unstable_by_key(|(key, defines)| (*key, !defines));
    names.dedup_by_key(|(key, _)| *key);
    names
}
