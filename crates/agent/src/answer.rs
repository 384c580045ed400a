//! The answer of the agent: passages, where they stand, and how that is known.

use ragnav_query::Answer;
use serde::Serialize;

use super::chunk::Lines;
use super::fresh::Known;
use super::hit::Hit;
use super::metadata::text;
use super::package::{Package, Packaged, Packaging, package};
use super::retrieve::RetrievalMeta;
use ragnav_base::envelope::{FreshnessState, Proof, RagToolMeta, RagToolSource, SourceTag};
use ragnav_base::item::{Match, Skipped};
use ragnav_base::position::wire;
use ragnav_repository::failure::add_message;

/// Where a passage stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct Citation {
    /// The file.
    pub path: String,
    /// Its first line; `null` where the store does not know.
    pub start_line: Option<u32>,
    /// Its last line.
    pub end_line: Option<u32>,
    /// What of the file it is.
    pub heading: Option<String>,
}

/// A document of an answer. Its TypeScript type is written by hand: an interface cannot extend one of two packages.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Passage {
    /// What a language model reads.
    #[serde(flatten)]
    pub package: Package,
    /// Where it stands; `null` for a document of no file.
    pub citation: Option<Citation>,
    /// How well it fits, from 0 to 1; `null` where nothing was searched for.
    pub score: Option<f64>,
    /// Which it was among those that were found, from 1.
    pub rank: u32,
    /// How many others of its file were found, and are left out for it.
    pub siblings: u32,
    /// Where this row came from.
    pub source: SourceTag,
    /// How current this row is.
    pub freshness_state: FreshnessState,
    /// How that is known.
    pub proof: Proof,
    /// How it was found again in a file that has changed; `null` where it has not.
    pub r#match: Option<Match>,
}

/// The answer of the agent.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct AgentResult {
    /// What the answer rests on.
    pub meta: RagToolMeta,
    /// The documents, best first.
    pub items: Vec<Passage>,
    /// The same under the seed's name.
    pub results: Vec<Passage>,
    /// Equal to `meta.source`.
    pub source: RagToolSource,
    /// Equal to `meta.freshness_state`.
    pub freshness_state: FreshnessState,
    /// Whether documents were left out, or a text was cut, for the budget.
    pub truncated: bool,
    /// How many documents there were before.
    pub total: Option<u32>,
    /// How many of them are not among the items.
    pub omitted: u32,
    /// There are no further pages.
    pub cursor: Option<String>,
    /// The first of the files of which documents were left out.
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
    /// Without documents.
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

    /// Puts the documents in that the budget allows.
    pub(super) fn put(&mut self, known: Vec<Known>, packaging: Packaging) {
        let (hits, grounds): (Vec<Hit>, Vec<_>) = known
            .into_iter()
            .map(|known| (known.hit, (known.ground, known.found)))
            .unzip();
        let Packaged {
            packages,
            is_cut,
            omitted,
        } = package(&hits, packaging);
        let passages = packages.into_iter().filter_map(|(at, package)| {
            let (hit, (ground, found)) = hits.get(at).zip(grounds.get(at))?;
            Some(Passage {
                package,
                citation: citation(hit),
                score: hit.score,
                rank: hit.rank,
                siblings: hit.siblings,
                source: ground.source,
                freshness_state: ground.freshness_state,
                proof: ground.proof,
                r#match: *found,
            })
        });
        self.items = passages.collect();
        self.results.clone_from(&self.items);
        self.total = Some(wire(hits.len()));
        self.omitted = wire(omitted);
        self.truncated = is_cut || omitted > 0;
    }

    /// Says what a person should know.
    pub(super) fn say(&mut self, retrieval: &RetrievalMeta, note: Option<String>) {
        let mut notes: Vec<String> = note.into_iter().collect();
        if retrieval.relaxed {
            notes.push("Nothing met the plan's filters; these were found without them.".to_owned());
        }
        if retrieval.lost > 0 {
            let lost = retrieval.lost;
            notes.push(format!(
                "{lost} documents are left out: their files changed while the question was answered."
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
