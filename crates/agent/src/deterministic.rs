//! The planner without a model: filters from the words that name them, and the rest is searched by meaning.
//!
//! Source: seed `micro-agent` for the questions whose plans are fixed. Rules look at one place each, in the order of [`RULES`], and take the pieces that they understand;
//! what none takes is left for the search.

mod dates;
mod labels;
mod pairs;
mod places;
mod tokens;
mod view;
mod wording;

use self::tokens::{Token, tokens};
use self::view::{Claim, View};
use super::catalogue::Catalogue;
use super::clock::Clock;
use super::draft::{Draft, DraftFilter};
use super::plan::{PlanMeta, PlanSource, PlanWarning, PlanWarningCode, ResponseFormat};
use super::validate::{Mandatory, Rules, Validated, validate};

/// Longest question that is planned, in bytes; the rest is left out and said.
pub const MAX_QUESTION: usize = 16 * 1024;

type Rule = fn(&View<'_>) -> Option<Claim>;

/// Rules in order: what is written as a filter, then what words say.
const RULES: [Rule; 9] = [
    pairs::pair,
    labels::link,
    labels::tag,
    labels::level,
    places::folder,
    places::language,
    places::kind,
    places::file,
    dates::date,
];

/// What the words of a question say.
#[derive(Debug, Clone)]
pub struct Words {
    /// All parts of a plan.
    pub draft: Draft,
    /// Those of the filters that were written as filters: `field:value`, `[[link]]`, `#tag`.
    pub explicit: Vec<DraftFilter>,
    /// What the caller should know.
    pub warnings: Vec<PlanWarning>,
}

/// The plan of a question without a model. It never fails; a question without words has a plan that finds nothing by meaning.
///
/// Time grows linearly with the question, of which [`MAX_QUESTION`] bytes are read.
#[must_use]
pub fn plan(
    question: &str,
    catalogue: &Catalogue,
    clock: Clock<'_>,
    mandatory: &Mandatory,
) -> PlanMeta {
    let words = read(question, catalogue, &clock);
    of_words(&words, catalogue, clock, mandatory)
}

/// The plan that the words of a question say.
#[must_use]
pub fn of_words(
    words: &Words,
    catalogue: &Catalogue,
    clock: Clock<'_>,
    mandatory: &Mandatory,
) -> PlanMeta {
    let rules = Rules {
        catalogue,
        clock,
        mandatory,
        grounded_in: None,
    };
    let Validated {
        plan,
        warnings,
        dropped,
        ..
    } = validate(&words.draft, &words.draft, &rules);
    PlanMeta {
        source: PlanSource::Deterministic,
        plan,
        mandatory: mandatory.count(),
        repairs: Vec::new(),
        warnings: words.warnings.iter().cloned().chain(warnings).collect(),
        dropped,
    }
}

/// What the words of a question say.
#[must_use]
pub fn read(question: &str, catalogue: &Catalogue, clock: &Clock<'_>) -> Words {
    let mut warnings = Vec::new();
    let asked = bounded(question);
    if asked.len() < question.len() {
        let message = format!("only the first {MAX_QUESTION} bytes of the question were planned");
        warnings.push(PlanWarning::new(PlanWarningCode::QuestionCut, message));
    }
    let pieces = tokens(asked, |name| pairs::is_name(name, catalogue));
    if pieces.is_empty() {
        let message = "the question has no words: nothing is searched by meaning";
        warnings.push(PlanWarning::new(PlanWarningCode::EmptyQuestion, message));
    }
    let start = View {
        tokens: &pieces,
        at: 0,
        catalogue,
        today: clock.today(),
    };
    let mut filters: Vec<DraftFilter> = Vec::new();
    let mut explicit = Vec::new();
    let mut rest: Vec<&Token<'_>> = Vec::new();
    let mut at = 0;
    while let Some(token) = pieces.get(at) {
        let view = start.ahead(at);
        let claim = RULES.iter().find_map(|rule| rule(&view));
        let Some(claim) = claim.filter(|claim| claim.used > 0) else {
            rest.push(token);
            at += 1;
            continue;
        };
        if claim.is_explicit {
            explicit.extend(claim.filters.iter().cloned());
        }
        filters.extend(claim.filters);
        at += claim.used;
    }
    let draft = draft(asked, &pieces, &rest, filters);
    Words {
        draft,
        explicit,
        warnings,
    }
}

fn draft(
    question: &str,
    pieces: &[Token<'_>],
    rest: &[&Token<'_>],
    filters: Vec<DraftFilter>,
) -> Draft {
    let said = wording::response_format(pieces);
    let mut query = wording::query(rest);
    let lists = said == Some(ResponseFormat::MetadataOnly);
    if query.is_empty() && filters.is_empty() && !lists {
        // Nothing but small words may still mean something together.
        question.trim().clone_into(&mut query);
    }
    if pieces.is_empty() {
        query.clear();
    }
    let semantic_search_needed = !query.is_empty();
    let otherwise = if semantic_search_needed {
        ResponseFormat::SelectiveContext
    } else {
        ResponseFormat::MetadataOnly
    };
    Draft {
        semantic_search_needed: Some(semantic_search_needed),
        semantic_query: Some(query),
        filters: Some(filters),
        response_format: Some(said.unwrap_or(otherwise)),
    }
}

/// The beginning of a question, cut between two letters.
pub(super) fn bounded(question: &str) -> &str {
    let mut end = question.len().min(MAX_QUESTION);
    while !question.is_char_boundary(end) {
        end -= 1;
    }
    question.get(..end).unwrap_or_default()
}
