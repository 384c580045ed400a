//! The answer of the agent: passages with their citations and proofs.

use ragnav_query::Answer;
use serde::Serialize;

use super::chunk::Lines;
use super::describe::Description;
use super::highlight::highlights;
use super::metadata::text;
use super::normalise::Hit;
use super::package::{Package, PackageSettings, PackagedDocuments, package};
use super::retrieve::RetrievalMeta;
use super::verify_documents::VerifiedDocument;
use ragnav_base::envelope::{FreshnessState, Proof, RagToolMeta, RagToolSource, SourceTag};
use ragnav_base::item::{Match, Skipped};
use ragnav_base::position::wire;
use ragnav_matching::terms::Terms;
use ragnav_repository::failure::add_message;

/// The source lines of a passage.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::ask_about;
/// let answer = ask_about(&[("notes.md", "# Deployment\nRun the script.\n")], "deployment");
/// let citation = answer.items[0].citation.as_ref().unwrap();
/// assert_eq!((citation.path.as_str(), citation.start_line), ("notes.md", Some(1)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct Citation {
    /// The path of the file.
    pub path: String,
    /// The first line; `null` if the store does not know it.
    pub start_line: Option<u32>,
    /// The last line.
    pub end_line: Option<u32>,
    /// The heading or symbol of the passage within the file.
    pub heading: Option<String>,
}

/// A document of an answer. Its TypeScript type is written by hand, since an interface cannot
/// extend a union.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::ask_about;
/// use ragnav_agent::package::Package;
///
/// let answer = ask_about(&[("notes.md", "# Deployment\nRun the script.\n")], "run a deployment");
/// let Package::Context(package) = &answer.items[0].package else { panic!("it has no text") };
/// assert_eq!(package.content, "# Deployment\nRun the script.");
/// assert_eq!(answer.items[0].rank, 1);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Passage {
    /// The package that a language model reads.
    #[serde(flatten)]
    pub package: Package,
    /// What the passage is: `method of QuerySet · test`.
    pub about: String,
    /// The first line of the docstring, or the first sentence of a note; `null` if it has none.
    pub summary: Option<String>,
    /// Where `content` has terms of the question: pairs of offsets in UTF-16 units.
    pub highlights_utf16: Vec<(u32, u32)>,
    /// The citation; `null` for a document without a file.
    pub citation: Option<Citation>,
    /// The relevance, from 0 to 1; `null` if the plan has no query.
    pub score: Option<f64>,
    /// The rank among the retrieved documents, from 1, before a model orders them.
    pub rank: u32,
    /// The number of other retrieved documents of the same file, which this one replaces.
    pub siblings: u32,
    /// The origin of this passage.
    pub source: SourceTag,
    /// How current this passage is.
    pub freshness_state: FreshnessState,
    /// The proof that this passage is current.
    pub proof: Proof,
    /// How the document was re-identified in a changed file; `null` if the file is unchanged.
    pub r#match: Option<Match>,
}

/// The answer of the agent.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::ask_about;
/// let files = [("a.md", "# Deployment\nRun it.\n"), ("b.md", "# Lunch\nAt noon.\n")];
/// let answer = ask_about(&files, "deployment");
/// assert_eq!((answer.items.len(), answer.truncated), (1, false));
/// assert_eq!(answer.items, answer.results);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct AgentResult {
    /// The metadata of the answer.
    pub meta: RagToolMeta,
    /// The documents, best first.
    pub items: Vec<Passage>,
    /// The same passages, under the name that the agent's contract uses.
    pub results: Vec<Passage>,
    /// Equal to `meta.source`.
    pub source: RagToolSource,
    /// Equal to `meta.freshness_state`.
    pub freshness_state: FreshnessState,
    /// Whether the budget omitted documents or truncated a text.
    pub truncated: bool,
    /// The number of documents before the budget applied.
    pub total: Option<u32>,
    /// The number of documents that the budget omitted.
    pub omitted: u32,
    /// Always `null`, since an answer has one page.
    pub cursor: Option<String>,
    /// The first files whose documents were left out.
    pub skipped: Vec<Skipped>,
    /// The question.
    pub query: String,
}

impl Answer for AgentResult {
    fn meta(&self) -> &RagToolMeta {
        &self.meta
    }
}

impl AgentResult {
    /// Builds an answer without documents.
    pub(super) fn new(question: &str, meta: RagToolMeta) -> Self {
        Self {
            items: Vec::new(),
            results: Vec::new(),
            source: meta.source,
            freshness_state: meta.freshness_state,
            truncated: false,
            total: None,
            omitted: 0,
            cursor: None,
            skipped: Vec::new(),
            query: question.to_owned(),
            meta,
        }
    }

    /// Packages the documents that fit into the budget. `terms` are those of the question.
    pub(super) fn add_documents(
        &mut self,
        documents: Vec<VerifiedDocument>,
        options: PackageSettings,
        terms: Option<&Terms>,
    ) {
        let (hits, provenances): (Vec<Hit>, Vec<_>) = documents
            .into_iter()
            .map(|document| (document.hit, (document.provenance, document.matched)))
            .unzip();
        let PackagedDocuments {
            packages,
            is_truncated,
            omitted,
        } = package(&hits, options);
        let passages = packages.into_iter().filter_map(|(at, package)| {
            let (hit, (provenance, matched)) = hits.get(at).zip(provenances.get(at))?;
            let Description { about, summary } = Description::of(hit);
            Some(Passage {
                highlights_utf16: match (&package, terms) {
                    (Package::Context(package), Some(terms)) => highlights(terms, &package.content),
                    _ => Vec::new(),
                },
                package,
                about,
                summary,
                citation: citation(hit),
                score: hit.score,
                rank: hit.rank,
                siblings: hit.siblings,
                source: provenance.source,
                freshness_state: provenance.freshness_state,
                proof: provenance.proof,
                r#match: *matched,
            })
        });
        self.items = passages.collect();
        self.results.clone_from(&self.items);
        self.total = Some(wire(hits.len()));
        self.omitted = wire(omitted);
        self.truncated = is_truncated || omitted > 0;
    }

    /// Adds notes for people to the message.
    pub(super) fn add_notes(&mut self, retrieval: &RetrievalMeta, mut notes: Vec<String>) {
        if retrieval.relaxed {
            notes.push(
                "No document met the plan's filters. These were found without them.".to_owned(),
            );
        }
        if retrieval.lost > 0 {
            let lost = retrieval.lost;
            notes.push(format!(
                "{lost} documents are left out, since their files changed during the query. Ask \
                 again to include them."
            ));
        }
        for note in notes {
            add_message(&mut self.meta, &note);
        }
    }
}

fn citation(hit: &Hit) -> Option<Citation> {
    let own: Option<&[Lines]> = hit.place.as_ref().map(|place| &place.lines[..]);
    Some(Citation {
        path: hit.file_path.clone()?,
        start_line: own.and_then(|own| own.first()).map(|lines| lines.start),
        end_line: own.and_then(|own| own.last()).map(|lines| lines.end),
        heading: text(&hit.metadata, "heading").map(str::to_owned),
    })
}
