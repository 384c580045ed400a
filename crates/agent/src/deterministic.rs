//! The planner without a model. Rules turn the words that name filters into filters; the other
//! words are the query.
//!
//! Each rule looks at one position of the question, in the order of `RULES`, and consumes the
//! tokens that it understands. Tokens that no rule consumes become the query.

mod cursor;
mod dates;
mod field_filters;
mod files_and_languages;
mod tags_and_links;
mod tokens;
mod wording;

use self::cursor::{Cursor, RuleMatch};
use self::tokens::{Token, tokenize};
use super::catalogue::Catalogue;
use super::clock::Clock;
use super::draft::{Draft, DraftFilter};
use super::plan::{PlanMeta, PlanSource, PlanWarning, PlanWarningCode, ResponseFormat};
use super::validate::{Mandatory, Rules, Validated, validate};

/// The number of bytes of a question that are planned. The plan has a warning if it is longer.
pub const MAX_QUESTION: usize = 16 * 1024;

/// The number of lines of a question; more lines are a text, such as that of an issue.
const MAX_LINES: usize = 4;

type Rule = fn(&Cursor<'_>) -> Option<RuleMatch>;

/// The rules in order: written filters such as `tag:x`, then filters in words.
const RULES: [Rule; 9] = [
    field_filters::match_field_filter,
    tags_and_links::match_link,
    tags_and_links::match_tag,
    tags_and_links::match_level,
    files_and_languages::match_folder,
    files_and_languages::match_language,
    files_and_languages::match_kind,
    files_and_languages::match_file,
    dates::match_date,
];

/// The plan that the words of a question state.
#[derive(Debug, Clone)]
pub(crate) struct QuestionWords {
    /// All parts of a plan.
    pub draft: Draft,
    /// The filters that were written as filters: `field:value`, `[[link]]`, `#tag`.
    pub explicit: Vec<DraftFilter>,
    /// Warnings for the caller.
    pub warnings: Vec<PlanWarning>,
}

/// Plans a question without a model. It never fails; an empty question has an empty plan.
///
/// Time is linear in the length of the question, of which [`MAX_QUESTION`] bytes are read.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::clock;
/// use ragnav_agent::catalogue::Catalogue;
/// use ragnav_agent::deterministic::plan;
/// use ragnav_agent::plan::{Filter, Operator};
/// use ragnav_agent::validate::Mandatory;
///
/// let planned = plan("deployment tag:ops", &Catalogue::notes(), clock(), &Mandatory::default());
/// assert_eq!(planned.plan.semantic_query, "deployment");
/// assert_eq!(planned.plan.filters, [Filter::new("tags", Operator::Contains, "ops")]);
/// ```
#[must_use]
pub fn plan(
    question: &str,
    catalogue: &Catalogue,
    clock: Clock<'_>,
    mandatory: &Mandatory,
) -> PlanMeta {
    let words = read_words(question, catalogue, &clock);
    plan_from_words(&words, catalogue, clock, mandatory)
}

/// Builds the plan that the words of a question state.
#[must_use]
pub(crate) fn plan_from_words(
    words: &QuestionWords,
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

/// Reads the words of a question.
#[must_use]
pub(crate) fn read_words(
    question: &str,
    catalogue: &Catalogue,
    clock: &Clock<'_>,
) -> QuestionWords {
    let mut warnings = Vec::new();
    let asked = truncate_question(question);
    if asked.len() < question.len() {
        let message = format!("only the first {MAX_QUESTION} bytes of the question were planned");
        warnings.push(PlanWarning::new(PlanWarningCode::QuestionCut, message));
    }
    let lines = asked.lines().filter(|line| !line.trim().is_empty());
    if lines.count() > MAX_LINES {
        let draft = draft_of_text(asked);
        return QuestionWords {
            draft,
            explicit: Vec::new(),
            warnings,
        };
    }
    let tokens = tokenize(asked, |name| field_filters::is_field_name(name, catalogue));
    if tokens.is_empty() {
        let message = "the question has no words, so nothing is searched by meaning";
        warnings.push(PlanWarning::new(PlanWarningCode::EmptyQuestion, message));
    }
    let start = Cursor {
        tokens: &tokens,
        at: 0,
        catalogue,
        today: clock.today(),
    };
    let mut filters: Vec<DraftFilter> = Vec::new();
    let mut explicit = Vec::new();
    let mut rest: Vec<&Token<'_>> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let cursor = start.ahead(at);
        let matched = RULES.iter().find_map(|rule| rule(&cursor));
        let Some(matched) = matched.filter(|matched| matched.used > 0) else {
            rest.push(token);
            at += 1;
            continue;
        };
        if matched.is_explicit {
            explicit.extend(matched.filters.iter().cloned());
        }
        filters.extend(matched.filters);
        at += matched.used;
    }
    let draft = build_draft(asked, &tokens, &rest, filters);
    QuestionWords {
        draft,
        explicit,
        warnings,
    }
}

/// Returns the draft of a text such as an issue: all of it is the query, since words such as "since
/// last week" are no filters there.
fn draft_of_text(text: &str) -> Draft {
    Draft {
        semantic_search_needed: Some(true),
        semantic_query: Some(text.trim().to_owned()),
        filters: Some(Vec::new()),
        response_format: Some(ResponseFormat::SelectiveContext),
    }
}

fn build_draft(
    question: &str,
    tokens: &[Token<'_>],
    rest: &[&Token<'_>],
    filters: Vec<DraftFilter>,
) -> Draft {
    let stated = wording::response_format(tokens);
    let mut query = wording::build_query(rest);
    let lists = stated == Some(ResponseFormat::MetadataOnly);
    if query.is_empty() && filters.is_empty() && !lists {
        // A question of stop words alone may still mean something.
        question.trim().clone_into(&mut query);
    }
    if tokens.is_empty() {
        query.clear();
    }
    let semantic_search_needed = !query.is_empty();
    let default_format = if semantic_search_needed {
        ResponseFormat::SelectiveContext
    } else {
        ResponseFormat::MetadataOnly
    };
    Draft {
        semantic_search_needed: Some(semantic_search_needed),
        semantic_query: Some(query),
        filters: Some(filters),
        response_format: Some(stated.unwrap_or(default_format)),
    }
}

/// Truncates a question at a character boundary.
pub(super) fn truncate_question(question: &str) -> &str {
    let mut end = question.len().min(MAX_QUESTION);
    while !question.is_char_boundary(end) {
        end -= 1;
    }
    question.get(..end).unwrap_or_default()
}
