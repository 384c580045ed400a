//! Compiles the queries of a plug-in for its grammar.

use tree_sitter::{Language as Grammar, Query, QueryError, QueryErrorKind, Tree};

use super::locals::{LocalQuery, Locals};
use super::tags::TagQuery;
use super::{definitions, facts};
use crate::facts::Facts;
use crate::language::QueryTexts;
use crate::raw_definition::RawDefinition;
use crate::symbol::Outline;
use ragnav_base::error::{ErrorCode, RagnavError};

/// The maximum length of the line of a query that a message shows, in characters.
const MAX_SHOWN: usize = 80;

/// The compiled queries of a plug-in.
#[derive(Debug)]
pub(crate) struct Queries {
    tags: TagQuery,
    locals: Option<LocalQuery>,
}

impl Queries {
    /// Compiles the queries.
    ///
    /// # Errors
    /// `LANGUAGE_UNAVAILABLE` with the line and the column of the first fault.
    pub(crate) fn compile(texts: &QueryTexts, grammar: &Grammar) -> Result<Self, RagnavError> {
        let tags = TagQuery::new(compile("tags.scm", &texts.tags, grammar)?);
        if !tags.finds_anything() {
            let message = "tags.scm finds nothing: no pattern captures @name and @definition.… or \
                           @reference.…; pass the tags.scm of the grammar";
            return Err(unavailable(message.to_owned()));
        }
        let locals = texts.locals.as_deref();
        let locals = locals.map(|text| compile("locals.scm", text, grammar));
        let locals = locals.transpose()?.map(LocalQuery::new);
        Ok(Self { tags, locals })
    }

    pub(crate) fn definitions(&self, tree: &Tree, text: &str) -> Outline<RawDefinition> {
        let found = definitions::find_definitions(self.tags.find(tree, text), text);
        found.map(|found| found.into_iter().map(|found| found.raw).collect())
    }

    pub(crate) fn facts(&self, tree: &Tree, text: &str) -> Facts {
        let locals = self.locals.as_ref();
        let locals = locals.map_or_else(Locals::default, |locals| locals.find(tree, text));
        facts::build_facts(self.tags.find(tree, text), locals, tree, text)
    }
}

fn compile(file: &str, text: &str, grammar: &Grammar) -> Result<Query, RagnavError> {
    Query::new(grammar, text).map_err(|error| unavailable(describe(file, text, &error)))
}

/// Says where a query is wrong, and how to correct it.
fn describe(file: &str, text: &str, error: &QueryError) -> String {
    let shown = text.lines().nth(error.row).unwrap_or_default().trim();
    let shown: String = shown.chars().take(MAX_SHOWN).collect();
    let (line, column) = (error.row + 1, error.column + 1);
    let name = error.message.as_str();
    let fault = match error.kind {
        QueryErrorKind::NodeType => format!("the grammar has no node {name}"),
        QueryErrorKind::Field => format!("the grammar has no field {name}"),
        QueryErrorKind::Capture => format!("the pattern has no capture {name}"),
        QueryErrorKind::Structure => "the grammar never builds such nodes".to_owned(),
        QueryErrorKind::Predicate => name.to_owned(),
        QueryErrorKind::Syntax | QueryErrorKind::Language => "this is no query".to_owned(),
    };
    format!(
        "{file} does not compile at line {line}, column {column}, in `{shown}`: {fault}; pass the \
         queries of the same release as the grammar, or correct that line"
    )
}

fn unavailable(message: String) -> RagnavError {
    RagnavError::new(ErrorCode::LanguageUnavailable, message)
}
