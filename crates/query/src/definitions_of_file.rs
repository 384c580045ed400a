//! The definitions of one file, for the queries about a single file.

use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::Host;
use ragnav_base::item::Definition;
use ragnav_base::path::RepoPath;
use ragnav_base::text;
use ragnav_repository::failure::Failure;
use ragnav_repository::snapshot::Snapshot;
use ragnav_repository::walk;
use ragnav_syntax::{grammars, locator};

use crate::file_definitions::FileDefinitions;
use crate::modules::module_definition;
use crate::row_conditions::add_module_conditions;

/// The definitions of a file.
pub(super) struct FileAnswer {
    /// The definitions in the order of the text. An enclosing definition precedes the nested ones.
    pub(super) definitions: Vec<Definition>,
    /// The file as a module; `None` if that has no name.
    pub(super) module: Option<Definition>,
    /// The number of lines; `None` if the file was not read.
    pub(super) lines: Option<usize>,
    /// Whether the file was only parsed in part.
    pub(super) is_partial: bool,
}

/// Returns the definitions of a file: the current ones or, under the policy `allow`, those of the
/// index.
///
/// # Errors
/// `FILE_UNREADABLE` for a file that is missing or not text; `LANGUAGE_UNAVAILABLE` if no language
/// has its extension, or if its grammar cannot be loaded; `REPO_NOT_FOUND`, `HOST_FAILED`.
pub(super) async fn definitions_of_file<H: Host>(
    snapshot: &Snapshot<'_, H>,
    path: &RepoPath,
) -> Result<FileAnswer, Failure> {
    let indexed = FileDefinitions::indexed(snapshot, path).await;
    if snapshot.uses_unproven_index(path) {
        ragnav_syntax::require_language(path)?;
        return Ok(indexed_definitions(snapshot, path, indexed.as_ref()));
    }
    let bytes = match snapshot.read(path).await? {
        Ok(bytes) => bytes,
        Err(error) => {
            walk::check_root(snapshot.host()).await?;
            return Err(unreadable(path, &error.to_string()).into());
        }
    };
    ragnav_syntax::require_language(path)?;
    let text =
        text::decode(&bytes).map_err(|_| unreadable(path, "it is binary, it holds NUL bytes"))?;
    let provenance = snapshot.provenance(path, &bytes);
    snapshot.load_grammar(path, &text).await;
    grammars::check_grammar(path, &text)?;
    let file = FileDefinitions::now(path, &text, indexed.is_some());
    let matches = file.reidentify(indexed.as_ref());
    let rows = file.symbols.iter().zip(matches);
    let rows = rows.map(|(symbol, found)| file.definition(path, symbol, provenance, found));
    let lines = locator::count_lines(&text);
    let mut definitions: Vec<Definition> = rows.collect();
    add_module_conditions(snapshot, &mut definitions).await?;
    Ok(FileAnswer {
        definitions,
        module: module_definition(path, lines, provenance),
        lines: Some(lines),
        is_partial: file.is_partial,
    })
}

/// Returns the definitions that the index has of a file that is not read.
fn indexed_definitions<H: Host>(
    snapshot: &Snapshot<'_, H>,
    path: &RepoPath,
    indexed: Option<&FileDefinitions>,
) -> FileAnswer {
    let provenance = snapshot.unproven_provenance(path);
    let files = indexed.into_iter();
    let rows = files.flat_map(|file| {
        let symbols = file.symbols.iter();
        symbols.map(|symbol| file.definition(path, symbol, provenance, None))
    });
    let lines = indexed.map_or(1, FileDefinitions::known_lines);
    FileAnswer {
        definitions: rows.collect(),
        module: module_definition(path, lines, provenance),
        lines: None,
        is_partial: indexed.is_some_and(|file| file.is_partial),
    }
}

/// Returns why a file has no facts.
///
/// # Errors
/// `REPO_NOT_FOUND`, `HOST_FAILED`.
pub(super) async fn no_facts<H: Host>(
    snapshot: &Snapshot<'_, H>,
    path: &RepoPath,
) -> Result<RagnavError, Failure> {
    let bytes = match snapshot.read(path).await? {
        Ok(bytes) => bytes,
        Err(error) => {
            walk::check_root(snapshot.host()).await?;
            return Ok(unreadable(path, &error.to_string()));
        }
    };
    if let Err(error) = ragnav_syntax::require_language(path) {
        return Ok(error);
    }
    let Ok(text) = text::decode(&bytes) else {
        return Ok(unreadable(path, "it is binary, it holds NUL bytes"));
    };
    let missing = grammars::check_grammar(path, &text).err();
    Ok(missing.unwrap_or_else(|| unreadable(path, "its language is not resolved")))
}

fn unreadable(path: &RepoPath, why: &str) -> RagnavError {
    RagnavError::new(
        ErrorCode::FileUnreadable,
        format!("{path} cannot be read: {why}"),
    )
}
