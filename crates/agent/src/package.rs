//! Packaging documents for a language model: metadata only, or texts within a token budget.

use serde::{Deserialize, Serialize};

use super::chunk::tokens;
use super::metadata::{MetaValue, Metadata, text};
use super::normalise::Hit;
use super::plan::{ResponseFormat, Scalar};
use ragnav_base::position::floor_char_boundary;

/// The default token budget of an answer's texts.
pub const DEFAULT_BUDGET: usize = 5000;

/// A document as a language model reads it.
///
/// # Examples
///
/// ```
/// use ragnav_agent::normalise::Hit;
/// use ragnav_agent::package::Package;
///
/// let hit = Hit { id: "1".to_owned(), ..Hit::default() };
/// let package = Package::Metadata(Package::metadata_only(&hit));
/// assert_eq!(serde_json::to_value(&package).unwrap()["id"], "1");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum Package {
    /// The document without its text.
    Metadata(MetadataPackage),
    /// The document with its text.
    Context(ContextPackage),
}

/// A document without its text.
///
/// # Examples
///
/// ```
/// use ragnav_agent::normalise::Hit;
/// use ragnav_agent::package::{MetadataPackage, Package};
///
/// let hit = Hit { file_path: Some("docs/setup.md".to_owned()), ..Hit::default() };
/// let package: MetadataPackage = Package::metadata_only(&hit);
/// assert_eq!((package.title.as_str(), package.heading), ("setup.md", None));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct MetadataPackage {
    /// The id in the store.
    pub id: String,
    /// The title, or the name of its file or symbol.
    pub title: String,
    /// The heading of the document in its file.
    pub heading: Option<String>,
    /// The tags.
    pub tags: Vec<String>,
}

/// A document with its text.
///
/// # Examples
///
/// ```
/// use ragnav_agent::normalise::Hit;
/// use ragnav_agent::package::{ContextPackage, Package};
///
/// let hit = Hit { document: Some("Run the script.".to_owned()), ..Hit::default() };
/// let package: ContextPackage = Package::selective_context(&hit);
/// assert_eq!(package.content, "Run the script.");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ContextPackage {
    /// The id in the store.
    pub id: String,
    /// The title, or the name of its file or symbol.
    pub title: String,
    /// The text.
    pub content: String,
    /// The metadata.
    pub metadata: Metadata,
}

impl Package {
    /// Packages a document without its text.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::metadata::MetaValue;
    /// use ragnav_agent::normalise::Hit;
    /// use ragnav_agent::package::Package;
    ///
    /// let mut hit = Hit::default();
    /// hit.metadata.insert("tags".to_owned(), MetaValue::from("#ops, #release"));
    /// assert_eq!(Package::metadata_only(&hit).tags, ["ops", "release"]);
    /// ```
    #[must_use]
    pub fn metadata_only(hit: &Hit) -> MetadataPackage {
        let tags = match hit.metadata.get("tags") {
            Some(MetaValue::List(tags)) => tags.iter().filter_map(as_text).collect(),
            Some(MetaValue::One(Scalar::String(tags))) => split_tags(tags),
            _ => Vec::new(),
        };
        MetadataPackage {
            id: hit.id.clone(),
            title: title(hit),
            heading: text(&hit.metadata, "heading").map(str::to_owned),
            tags,
        }
    }

    /// Packages a document with its text.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::metadata::MetaValue;
    /// use ragnav_agent::normalise::Hit;
    /// use ragnav_agent::package::Package;
    ///
    /// let mut hit = Hit::default();
    /// hit.metadata.insert("title".to_owned(), MetaValue::from("Deployment"));
    /// assert_eq!(Package::selective_context(&hit).title, "Deployment");
    /// ```
    #[must_use]
    pub fn selective_context(hit: &Hit) -> ContextPackage {
        ContextPackage {
            id: hit.id.clone(),
            title: title(hit),
            content: hit.document.clone().unwrap_or_default(),
            metadata: hit.metadata.clone(),
        }
    }

    fn new(hit: &Hit, format: ResponseFormat) -> Self {
        match format {
            ResponseFormat::MetadataOnly => Self::Metadata(Self::metadata_only(hit)),
            ResponseFormat::SelectiveContext => Self::Context(Self::selective_context(hit)),
        }
    }

    fn count_tokens(&self) -> usize {
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

    /// Truncates the text to a budget. Returns whether there is a text.
    fn truncate(&mut self, budget: usize) -> bool {
        let Self::Context(package) = self else {
            return false;
        };
        package.content = truncate_text(&package.content, budget);
        true
    }
}

/// Splits tags in one text, as stores without lists keep them.
fn split_tags(tags: &str) -> Vec<String> {
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

/// Returns the lines at the start of a text that fit into the budget. If not even one line fits, it
/// returns the start of the first line.
fn truncate_text(text: &str, budget: usize) -> String {
    // The largest number of bytes within the budget.
    let most = floor_char_boundary(text, budget.saturating_mul(4));
    let fitting = text.get(..most).unwrap_or_default();
    let lines = match fitting.rfind('\n') {
        Some(end) => fitting.get(..end).unwrap_or_default().trim_end(),
        None => "",
    };
    let lines = if lines.is_empty() { fitting } else { lines };
    lines.to_owned()
}

/// The packaged documents.
///
/// # Examples
///
/// ```
/// use ragnav_agent::normalise::Hit;
/// use ragnav_agent::package::{DEFAULT_BUDGET, PackageSettings, package};
/// use ragnav_agent::plan::ResponseFormat;
///
/// let settings = PackageSettings { format: ResponseFormat::MetadataOnly, budget: DEFAULT_BUDGET };
/// let packaged = package(&[Hit::default(), Hit::default()], settings);
/// assert_eq!((packaged.packages.len(), packaged.omitted), (2, 0));
/// assert_eq!(packaged.packages[1].0, 1);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PackagedDocuments {
    /// The documents that fit, each with its index among the given ones.
    pub packages: Vec<(usize, Package)>,
    /// Whether the text of the first one was truncated.
    pub is_truncated: bool,
    /// The number of documents that do not fit.
    pub omitted: usize,
}

/// The settings of packaging.
///
/// # Examples
///
/// ```
/// use ragnav_agent::package::PackageSettings;
///
/// let json = r#"{"format": "selective_context", "budget": 500}"#;
/// let settings: PackageSettings = serde_json::from_str(json).unwrap();
/// assert_eq!(settings.budget, 500);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct PackageSettings {
    /// Whether to include the texts.
    pub format: ResponseFormat,
    /// The budget in [`tokens`].
    pub budget: usize,
}

/// Packages the documents that fit into the budget as a whole, in their order. A document that is
/// too large gives way to smaller ones after it. The very first document is always included, and
/// truncated at a line end if it does not fit.
///
/// # Examples
///
/// ```
/// use ragnav_agent::normalise::Hit;
/// use ragnav_agent::package::{PackageSettings, package};
/// use ragnav_agent::plan::ResponseFormat;
///
/// let hit = |text: &str| Hit { document: Some(text.to_owned()), ..Hit::default() };
/// let hits = [hit("Run it."), hit(&"A long text. ".repeat(100)), hit("Stop it.")];
/// let settings = PackageSettings { format: ResponseFormat::SelectiveContext, budget: 10 };
/// let packaged = package(&hits, settings);
/// let fitting: Vec<usize> = packaged.packages.iter().map(|(at, _)| *at).collect();
/// assert_eq!((fitting, packaged.omitted), (vec![0, 2], 1));
/// ```
#[must_use]
pub fn package(hits: &[Hit], options: PackageSettings) -> PackagedDocuments {
    let mut left = options.budget;
    let mut packaged = PackagedDocuments {
        packages: Vec::with_capacity(hits.len()),
        is_truncated: false,
        omitted: 0,
    };
    for (at, hit) in hits.iter().enumerate() {
        let mut package = Package::new(hit, options.format);
        let is_whole = package.count_tokens() <= left;
        if !is_whole && at > 0 {
            continue;
        }
        if !is_whole {
            packaged.is_truncated = package.truncate(left);
        }
        left = left.saturating_sub(package.count_tokens());
        packaged.packages.push((at, package));
    }
    packaged.omitted = hits.len() - packaged.packages.len();
    packaged
}
