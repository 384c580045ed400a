//! What a language model gets to read: without text, or with as much of it as a budget of tokens allows.

use serde::{Deserialize, Serialize};

use super::chunk::tokens;
use super::hit::Hit;
use super::metadata::{MetaValue, Metadata, text};
use super::plan::{ResponseFormat, Scalar};
use ragnav_base::position::floor_char_boundary;

/// Tokens that an answer's texts have together, unless it is asked for otherwise.
pub const DEFAULT_BUDGET: usize = 5000;

/// A document as a language model reads it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum Package {
    /// Which document it is.
    Metadata(MetadataPackage),
    /// Its text as well.
    Context(ContextPackage),
}

/// Which document it is. Source: seed `micro-agent`, `_package_metadata_only`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct MetadataPackage {
    /// Its name in the store.
    pub id: String,
    /// Its title; that of its file or its symbol where it has none.
    pub title: String,
    /// What of its file it is.
    pub heading: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
}

/// A document with its text. Source: seed `micro-agent`, `_package_selective_context`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ContextPackage {
    /// Its name in the store.
    pub id: String,
    /// Its title; that of its file or its symbol where it has none.
    pub title: String,
    /// Its text.
    pub content: String,
    /// What else is known of it.
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown>"))]
    pub metadata: Metadata,
}

impl Package {
    /// A document without its text.
    #[must_use]
    pub fn metadata_only(hit: &Hit) -> MetadataPackage {
        let tags = match hit.metadata.get("tags") {
            Some(MetaValue::List(tags)) => tags.iter().filter_map(as_text).collect(),
            Some(MetaValue::One(Scalar::String(tags))) => words(tags),
            _ => Vec::new(),
        };
        MetadataPackage {
            id: hit.id.clone(),
            title: title(hit),
            heading: text(&hit.metadata, "heading").map(str::to_owned),
            tags,
        }
    }

    /// A document with its text.
    #[must_use]
    pub fn selective_context(hit: &Hit) -> ContextPackage {
        ContextPackage {
            id: hit.id.clone(),
            title: title(hit),
            content: hit.document.clone().unwrap_or_default(),
            metadata: hit.metadata.clone(),
        }
    }

    fn of(hit: &Hit, format: ResponseFormat) -> Self {
        match format {
            ResponseFormat::MetadataOnly => Self::Metadata(Self::metadata_only(hit)),
            ResponseFormat::SelectiveContext => Self::Context(Self::selective_context(hit)),
        }
    }

    fn tokens(&self) -> usize {
        match self {
            Self::Context(package) => tokens(&package.content),
            Self::Metadata(package) => {
                let heading = package.heading.as_deref().unwrap_or_default();
                let texts = [&package.id, &package.title].map(String::as_str);
                let tags = package.tags.iter().map(String::as_str);
                let texts = texts.into_iter().chain([heading]).chain(tags);
                texts.map(tokens).sum()
            }
        }
    }

    /// Cuts its text to so many tokens; `false` where that leaves nothing to read.
    fn cut(&mut self, budget: usize, is_first: bool) -> bool {
        let Self::Context(package) = self else {
            return is_first;
        };
        package.content = cut(&package.content, budget, is_first);
        !package.content.is_empty()
    }
}

/// Tags in one text, as stores without lists keep them.
fn words(tags: &str) -> Vec<String> {
    let words = tags
        .split([',', ' '])
        .map(|tag| tag.trim().trim_start_matches('#'));
    words
        .filter(|tag| !tag.is_empty())
        .map(str::to_owned)
        .collect()
}

fn as_text(value: &Scalar) -> Option<String> {
    match value {
        Scalar::String(text) => Some(text.clone()),
        _ => None,
    }
}

fn title(hit: &Hit) -> String {
    let named = text(&hit.metadata, "title").or(text(&hit.metadata, "heading"));
    let named = named.filter(|title| !title.is_empty());
    let file = || hit.file_path.as_deref()?.rsplit('/').next();
    named.or_else(file).unwrap_or(&hit.id).to_owned()
}

/// The lines at the beginning of a text that so many tokens hold; where that is none and something must be, a part of the first line.
fn cut(text: &str, budget: usize, must_be: bool) -> String {
    // The most bytes that are no more tokens.
    let most = floor_char_boundary(text, budget.saturating_mul(4));
    let fitting = text.get(..most).unwrap_or_default();
    let lines = match fitting.rfind('\n') {
        Some(end) => fitting.get(..end).unwrap_or_default().trim_end(),
        None => "",
    };
    if lines.is_empty() && must_be {
        return fitting.to_owned();
    }
    lines.to_owned()
}

/// What was packaged.
#[derive(Debug, Clone, PartialEq)]
pub struct Packaged {
    /// The documents that fit, each with its hit's place among those given.
    pub packages: Vec<(usize, Package)>,
    /// Whether the text of the last one was cut.
    pub is_cut: bool,
    /// How many do not fit.
    pub omitted: usize,
}

/// How an answer is packaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Packaging {
    /// What it holds of each document.
    pub format: ResponseFormat,
    /// Tokens at most, by [`tokens`].
    pub budget: usize,
}

/// Packages documents in their order, until the budget is used up. The first one that does not fit is cut at the end of a line and is the
/// last; the very first is never left out.
#[must_use]
pub fn package(hits: &[Hit], packaging: Packaging) -> Packaged {
    let mut left = packaging.budget;
    let mut packaged = Packaged {
        packages: Vec::with_capacity(hits.len()),
        is_cut: false,
        omitted: 0,
    };
    for (at, hit) in hits.iter().enumerate() {
        let mut package = Package::of(hit, packaging.format);
        let needed = package.tokens();
        if needed <= left {
            left -= needed;
            packaged.packages.push((at, package));
            continue;
        }
        if package.cut(left, at == 0) {
            packaged.is_cut = packaging.format == ResponseFormat::SelectiveContext;
            packaged.packages.push((at, package));
        }
        break;
    }
    packaged.omitted = hits.len() - packaged.packages.len();
    packaged
}
